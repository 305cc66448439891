-- The messages that a POST is about, and what it must not replace.

-- A message of the conversation that was not cut off.
create function askback_private.current_message(p_user_id uuid, p_conversation_id text, p_id text) returns askback.messages
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.messages;
begin
  select * into v_found from askback.messages
  where user_id = p_user_id and conversation_id = p_conversation_id and id = p_id and superseded_at is null;
  return v_found;
end
$$;

-- Whether a stored message equals the posted one.
create function askback_private.is_same_message(p_stored askback.messages, p_posted json) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select e.entry::jsonb = (p_posted -> 'entry')::jsonb
    from askback.entries e
    where e.user_id = p_stored.user_id and e.conversation_id = p_stored.conversation_id and e.message_id = p_stored.id
  );
end
$$;

-- The fingerprint of what an answer answers.
create function askback_private.answered_by(p_message askback.messages) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select md5(e.entry::jsonb::text)
    from askback.messages said
    join askback.entries e
      on e.user_id = said.user_id and e.conversation_id = said.conversation_id and e.message_id = said.id
    where said.user_id = p_message.user_id and said.conversation_id = p_message.conversation_id
      and said.superseded_at is null and said.role = 'user' and said.turn_id = p_message.turn_id
      and said.position < p_message.position
    order by said.position desc limit 1
  );
end
$$;

-- Cuts a conversation off at a position: that message and all after it leave the history. Their open items are replaced,
-- except writes that may have happened; items they have closed stay closed, and an entry says so in the message that
-- asked.
create function askback_private.cut_conversation(p_user_id uuid, p_conversation_id text, p_position bigint) returns void
language plpgsql set search_path = '' as $$
begin
  with cut as (
    update askback.messages m set
      superseded_at = clock_timestamp(),
      answered = case when m.role = 'assistant' then askback_private.answered_by(m) end
    where user_id = p_user_id and conversation_id = p_conversation_id and position >= p_position
      and superseded_at is null
    returning id
  )
  update askback.runs r set superseded_at = clock_timestamp()
  from cut
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.message_id = cut.id
    and r.superseded_at is null;
  update askback.open_items i set closed_at = clock_timestamp(), closed_as = 'replaced'
  from askback.messages m
  where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.closed_at is null and not i.outcome_unknown
    and m.user_id = p_user_id and m.conversation_id = p_conversation_id and m.id = i.message_id
    and m.superseded_at is not null;
  perform askback_private.tell_closed(p_user_id, p_conversation_id);
end
$$;

-- The answer to a decision that has to wait for the end of a run in its conversation; null if none is running.
create function askback_private.busy_answer(p_user_id uuid, p_conversation_id text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'kind', 'busy', 'conversationId', conversation_id, 'runId', id, 'messageId', message_id
    )
    from askback.runs
    where user_id = p_user_id and conversation_id = p_conversation_id and status in ('running', 'stopping')
    order by started_at desc limit 1
  );
end
$$;

-- The answer to a message that has to wait until what a person has decided is carried out: until each decided call has a
-- result, or was asked about again. Null if there is nothing to wait for.
create function askback_private.carrying_out_answer(p_user_id uuid, p_conversation_id text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'kind', 'busy', 'conversationId', r.conversation_id, 'runId', r.id, 'messageId', r.message_id
    )
    -- First: read the other way round, it would be all runs of the conversation.
    from (
      select * from askback.runs
      where user_id = p_user_id and conversation_id = p_conversation_id and status = 'running'
      offset 0
    ) r
    -- With those of a run that died over them, and that it continues.
    join askback.runs d
      on d.user_id = r.user_id and d.conversation_id = r.conversation_id and d.message_id = r.message_id
      and d.started_at <= r.started_at and (d.id = r.id or d.status = 'interrupted')
    cross join lateral json_array_elements(d.decided) made
    where made ->> 'type' <> 'wait'
      and not exists (
        select 1 from askback.entries e
        join askback.runs w on w.id = e.run_id
        where e.user_id = r.user_id and e.conversation_id = r.conversation_id and e.message_id = r.message_id
          and e.type in ('result', 'question') and e.tool_call_id = made ->> 'toolCallId'
          and w.started_at >= d.started_at
      )
    limit 1
  );
end
$$;

-- Whether a message of the user that a new run would replace is newer than all that the client has seen: another tab or
-- device has sent or edited it. Ids that are not stored count for nothing; null: the client does not say.
create function askback_private.replaces_unseen(p_target askback.messages, p_seen text[]) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_seen is not null and exists (
      select 1 from askback.messages m
      where m.user_id = p_target.user_id and m.conversation_id = p_target.conversation_id and m.role = 'user'
        and m.superseded_at is null and m.position >= p_target.position
        and m.position > coalesce((
          select max(position) from askback.messages
          where user_id = p_target.user_id and conversation_id = p_target.conversation_id and id = any (p_seen)
        ), 0)
    )
  );
end
$$;

-- For clients that do not say what they have seen: messages after a position that the sender of an edit cannot have
-- seen. They came within the last two seconds, and are still being answered. The edited turn answers them, too. Those
-- with one of p_ids are posted again. As of begin_turn; null if there are none.
create function askback_private.recent_messages(p_target askback.messages, p_ids text[]) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_agg(json_build_object('id', m.id, 'entry', e.entry, 'metadata', m.metadata) order by m.position)
    from askback.messages m
    join askback.entries e
      on e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id
    where m.user_id = p_target.user_id and m.conversation_id = p_target.conversation_id and m.role = 'user'
      and m.superseded_at is null and m.position > p_target.position and m.turn_id <> p_target.turn_id
      and m.written_at > clock_timestamp() - interval '2 seconds'
      and not m.id = any (p_ids)
      and exists (
        select 1 from askback.runs r
        where r.turn_id = m.turn_id and (
          r.status = 'running'
          -- The run that has overtaken it answers both.
          or (r.overtaken and exists (
            select 1 from askback.runs newer
            where newer.user_id = m.user_id and newer.conversation_id = m.conversation_id and newer.status = 'running'
          ))
        )
      )
  );
end
$$;
