-- What a POST to the chat means, decided in one round trip.
--
-- trigger      messageId            meaning
-- submit       none, or unknown     a new message; a known last message with the same content returns its run
-- submit       a user message       (AI SDK forms) an edit or a rerun: a new run of the same turn
-- submit       an assistant message continue it: decisions on what it waits for
-- regenerate   any                  a new run after the last of the messages, which is stored first if unknown; after
--                                   the message that it answers, if the last one is an answer
--
-- An identical POST joins its run while that is running. Anything that starts a run waits until what a person has
-- decided is carried out, and stops the run that is running then. Nothing is replaced that a client says it has not
-- seen. Ids: two messages never have the same one, and a message that is known keeps its place unless an edit moves it.

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

-- Cuts a conversation off at a position: that message and all after it leave the history. Their open items are replaced,
-- except writes that may have happened; items they have closed stay closed, and an entry says so in the message that
-- asked.
create function askback_private.cut_conversation(p_user_id uuid, p_conversation_id text, p_position bigint) returns void
language plpgsql set search_path = '' as $$
begin
  with cut as (
    update askback.messages set superseded_at = clock_timestamp()
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
    from askback.runs r
    -- With those of a run that died over them, and that it continues.
    join askback.runs d
      on d.user_id = r.user_id and d.conversation_id = r.conversation_id and d.message_id = r.message_id
      and d.started_at <= r.started_at and (d.id = r.id or d.status = 'interrupted')
    cross join lateral json_array_elements(d.decided) made
    where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.status = 'running'
      and made ->> 'type' <> 'wait'
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

-- What was decided about an item (`made` of make_decision) by a run that continues it, or that has closed it. Null if
-- this run decided nothing about it.
create function askback_private.decision_of(p_run askback.runs, p_item_id text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select decided -> 'made' from json_array_elements(p_run.decided) decided
    where decided ->> 'itemId' = p_item_id
  );
end
$$;

-- Whether a decision equals the one that was made, as far as it says: the clock repeats one without its values.
create function askback_private.is_same_decision(p_made json, p_again json) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_made::jsonb || p_again::jsonb = p_made::jsonb;
end
$$;

-- The run that currently continues an item; null if none does.
create function askback_private.deciding_run(p_user_id uuid, p_conversation_id text, p_item_id text) returns askback.runs
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.runs;
begin
  select r.* into v_found from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.status in ('running', 'stopping')
    and askback_private.decision_of(r, p_item_id) is not null
  order by r.started_at desc limit 1;
  return v_found;
end
$$;

-- An item for a run that continues it: as of list_items, with the decision in `made`.
create function askback_private.make_decision(p_item json, p_made json) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return (p_item::jsonb || jsonb_build_object('made', p_made))::json;
end
$$;

-- An approval that is pressed after it has expired, or after it gave way to the same for other people, is asked again, once.
-- What took its place has its intent, so it gets one of its own. Null for any other item.
create function askback_private.expired_item(p_item askback.open_items) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'itemId', p_item.id, 'type', p_item.kind, 'toolCallId', p_item.tool_call_id, 'messageId', p_item.message_id,
      'agentId', p_item.agent_id, 'expired', true,
      'entry', case
        when p_item.closed_as = 'expired' then asked.entry
        else asked.entry || jsonb_build_object('intent', c.last_intent + (
          -- Another one for each, since one request may approve several.
          select count(*) from askback.open_items i
          where i.user_id = c.user_id and i.conversation_id = c.id and i.closed_as = 'yielded' and i.id <= p_item.id
        ))
      end
    )
    from askback.conversations c
    cross join lateral (
      select askback_private.question_of(p_item.user_id, p_item.conversation_id, p_item.message_id, p_item.id)::jsonb as entry
    ) asked
    where c.user_id = p_item.user_id and c.id = p_item.conversation_id
      and p_item.closed_as in ('expired', 'yielded') and not exists (
        select 1 from askback.runs r
        where r.user_id = p_item.user_id and r.conversation_id = p_item.conversation_id
          and r.started_at > p_item.closed_at and askback_private.decision_of(r, p_item.id) is not null
          and not askback_private.left_no_trace(r)
      )
  );
end
$$;

-- Continues a message. With p_decided (items of make_decision), the run that wrote it has waited for these, and each is
-- carried out once; with null that run died, and another one continues from what it has written. If the message was cut
-- off, it continues in the newest one. The caller holds the conversation's lock and has checked that the items are open.
create function askback_private.go_on(
  p_conversation askback.conversations, p_run askback.runs, p_decided json, p_request json, p_request_hash text
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs := p_run;
  v_busy json := askback_private.busy_answer(p_conversation.user_id, p_conversation.id);
begin
  if v_busy is not null then
    return v_busy;
  end if;
  if v_run.superseded_at is not null then
    v_run := askback_private.newest_run(p_conversation.user_id, p_conversation.id, (
      select id from askback.messages
      where user_id = p_conversation.user_id and conversation_id = p_conversation.id and role = 'assistant'
        and superseded_at is null
      order by position desc limit 1
    ));
  end if;
  -- A separate statement, so that load_run sees what it inserts.
  v_run := askback_private.start_run(
    p_conversation,
    (p_request ->> 'runId')::uuid,
    v_run.turn_id,
    -- An item keeps the rules of its agent.
    coalesce(
      (select id from askback.agents where id = (p_decided #>> '{0,agentId}')::uuid),
      v_run.agent_id,
      askback_private.choose_agent(p_conversation.user_id, null, p_conversation.agent_id)
    ),
    p_request_hash,
    (p_request ->> 'leaseSeconds')::double precision,
    v_run,
    p_decided
  );
  return askback_private.load_run(v_run);
end
$$;

-- The POST continues an assistant message: with decisions about what it waits for, or with nothing new.
create function askback_private.continue_message(
  p_conversation askback.conversations, p_message_id text, p_request json, p_request_hash text
) returns json
language plpgsql set search_path = '' as $$
declare
  v_message askback.messages;
  v_run askback.runs;
  v_decided json;
begin
  select * into v_message from askback.messages
  where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = p_message_id;
  if v_message.id is null or v_message.role <> 'assistant' then
    return askback_private.refusal('message_not_found');
  end if;
  v_run := askback_private.newest_run(p_conversation.user_id, p_conversation.id, p_message_id);
  select json_agg(
    askback_private.make_decision(
      open.item,
      json_build_object('as', case when (decision ->> 'approved')::boolean then 'approve' else 'deny' end)
    )
    order by number
  )
  into v_decided
  from json_array_elements(coalesce(p_request -> 'decisions', '[]')) with ordinality as given (decision, number)
  join (
    select item from json_array_elements(askback.list_items(p_conversation.user_id, p_conversation.id)) item
    union all
    select askback_private.expired_item(i) from askback.open_items i
    where i.user_id = p_conversation.user_id and i.conversation_id = p_conversation.id
      and i.message_id = p_message_id and i.closed_as in ('expired', 'yielded')
  ) open on open.item ->> 'type' = 'approval' and open.item ->> 'toolCallId' = decision ->> 'toolCallId'
    and open.item ->> 'itemId' = decision ->> 'approvalId'
  where coalesce(decision ->> 'messageId', p_message_id) = p_message_id
    and ((decision ->> 'approved')::boolean or open.item ->> 'expired' is null)
    -- An item that a run currently continues has been decided.
    and (askback_private.deciding_run(p_conversation.user_id, p_conversation.id, decision ->> 'approvalId')).id is null;
  if v_decided is null and v_run.status in ('running', 'stopping') then
    return askback_private.join_answer(v_run);
  end if;
  if v_decided is null then
    -- The same decision again: the run that carried it out has died.
    if v_run.status = 'interrupted' and v_run.superseded_at is null
      and coalesce(json_array_length(p_request -> 'decisions'), 0) > 0
    then
      return askback_private.go_on(p_conversation, v_run, null, p_request, p_request_hash);
    end if;
    return askback_private.return_answer(v_run);
  end if;
  return askback_private.go_on(p_conversation, v_run, v_decided, p_request, p_request_hash);
end
$$;

-- Why a message may not begin a new conversation, by its user's rates; null if it may. It takes no lock, so that the
-- messages of a flood do not wait for each other, with all connections to the database in their hands.
create function askback_private.flood_refusal(p_user_id uuid, p_conversation_id text, p_may_wait boolean) returns json
language plpgsql set search_path = '' as $$
declare
  v_refused json := askback_private.rate_refusal(p_user_id, p_conversation_id, p_may_wait);
begin
  -- An equal message may have begun it in the meantime: this one joins.
  if exists (select 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id) then
    return null;
  end if;
  return v_refused;
end
$$;

-- Why a request may not start its run; null if it may. The caller holds the lock on the conversation's row; a
-- conversation that was made for the request is deleted again.
create function askback_private.new_run_refusal(
  p_conversation askback.conversations, p_agent_id uuid, p_run_id uuid, p_is_new boolean, p_may_wait boolean
) returns json
language plpgsql set search_path = '' as $$
declare
  v_refused json := askback_private.run_refusal(
    p_conversation.user_id, p_agent_id, p_run_id, p_conversation.id, p_may_wait
  );
begin
  if v_refused is null and p_is_new then
    v_refused := askback_private.keep_refusal('user', p_conversation.user_id, 'conversations', (
      select count(*) - 1 from askback.conversations where user_id = p_conversation.user_id
    ));
  end if;
  if v_refused is not null and p_is_new then
    delete from askback.conversations c
    where c.user_id = p_conversation.user_id and c.id = p_conversation.id
      and not exists (select 1 from askback.runs r where r.user_id = c.user_id and r.conversation_id = c.id);
  end if;
  return v_refused;
end
$$;

-- A POST, as the steps below pass it on.
create type askback_private.posted_turn as (
  -- As of begin_turn.
  request json,
  run_id uuid,
  conversation_id text,
  is_ui boolean,
  is_rerun boolean,
  messages json,
  -- The ids of the messages. One without an id gets one that stays the same if the call is repeated.
  ids text[],
  -- The last message, if there is one.
  last json,
  last_id text,
  -- What the client has seen; null if it does not say.
  seen text[],
  -- Equal for an identical POST.
  hash text
);

create function askback_private.read_turn(p_request json) returns askback_private.posted_turn
language plpgsql immutable set search_path = '' as $$
declare
  v_post askback_private.posted_turn;
begin
  v_post.request := p_request;
  v_post.run_id := (p_request ->> 'runId')::uuid;
  v_post.conversation_id := coalesce(p_request ->> 'conversationId', p_request ->> 'runId');
  v_post.is_ui := p_request ->> 'form' = 'ui';
  v_post.is_rerun := coalesce(p_request ->> 'trigger' = 'regenerate-message', false);
  v_post.messages := coalesce(p_request -> 'messages', '[]');
  v_post.ids := array(
    select coalesce(item ->> 'id', v_post.run_id || '-' || number)
    from json_array_elements(v_post.messages) with ordinality as given (item, number)
    order by number
  );
  v_post.last := v_post.messages -> -1;
  v_post.last_id := v_post.ids[cardinality(v_post.ids)];
  v_post.seen := case
    when p_request -> 'seen' is not null then array(select json_array_elements_text(p_request -> 'seen'))
  end;
  v_post.hash := md5(jsonb_build_object(
    'trigger', p_request -> 'trigger', 'messageId', p_request -> 'messageId', 'messages', v_post.messages,
    'lastMessage', p_request -> 'lastMessage', 'decisions', p_request -> 'decisions',
    'agentId', p_request -> 'agentId', 'model', p_request -> 'model'
  )::text);
  return v_post;
end
$$;

-- Why the messages of a POST cannot be stored in any conversation; null if they can.
create function askback_private.messages_refusal(p_user_id uuid, p_post askback_private.posted_turn) returns json
language plpgsql stable set search_path = '' as $$
begin
  if cardinality(p_post.ids) > 100 then
    return askback_private.refusal('too_many_messages');
  end if;
  if (select count(distinct id) from unnest(p_post.ids) id) < cardinality(p_post.ids) then
    return askback_private.refusal('message_id_taken');
  end if;
  if askback_private.lacks_files(p_user_id, p_post.messages) then
    return askback_private.refusal('file_not_found');
  end if;
  return null;
end
$$;

-- The conversation of a POST, with its row locked.
create type askback_private.opened_conversation as (
  conversation askback.conversations,
  is_new boolean,
  -- Of a new one.
  agent_id uuid,
  -- Why there is none.
  refused json
);

-- Finds the conversation of a POST, or makes it for a first message.
create function askback_private.open_conversation(
  p_user_id uuid, p_post askback_private.posted_turn
) returns askback_private.opened_conversation
language plpgsql set search_path = '' as $$
declare
  v_opened askback_private.opened_conversation;
  v_found askback.conversations;
begin
  select * into v_found from askback.conversations
  where user_id = p_user_id and id = p_post.conversation_id for update;
  v_opened.is_new := not found;
  if v_opened.is_new then
    if p_post.last is null then
      v_opened.refused := askback_private.refusal(case
        when not p_post.is_rerun
          and coalesce(p_post.request ->> 'messageId', p_post.request #>> '{lastMessage,id}') is not null
        then 'conversation_not_found'
        else 'no_message'
      end);
      return v_opened;
    end if;
    v_opened.agent_id := askback_private.choose_agent(p_user_id, p_post.request ->> 'agentId', null);
    v_opened.refused := case
      when v_opened.agent_id is null then askback_private.refusal('agent_not_found')
      else askback_private.flood_refusal(p_user_id, p_post.conversation_id, true)
    end;
    if v_opened.refused is not null then
      return v_opened;
    end if;
    insert into askback.conversations (user_id, id, agent_id, title)
    values (p_user_id, p_post.conversation_id, v_opened.agent_id, p_post.request ->> 'title')
    on conflict do nothing;
    v_opened.is_new := found;
    select * into v_found from askback.conversations
    where user_id = p_user_id and id = p_post.conversation_id for update;
  end if;
  v_opened.conversation := v_found;
  return v_opened;
end
$$;

-- What becomes of a POST in a conversation that was there before.
create type askback_private.turn_meaning as (
  -- What it gets without a new turn; null: it begins one.
  answer json,
  -- The message that is edited or answered again; null: its message is new.
  target askback.messages,
  -- The run that answered this very message, and died.
  dead askback.runs
);

-- The answer to a POST that came before: its own run, or one that is answering an identical one. Null if there is none.
create function askback_private.repeated_answer(
  p_conversation askback.conversations, p_post askback_private.posted_turn
) returns json
language plpgsql set search_path = '' as $$
declare
  v_answer json := askback_private.answer_again(p_post.run_id, p_conversation.user_id, p_conversation.id);
  v_run askback.runs;
begin
  if v_answer is not null then
    return v_answer;
  end if;
  perform askback_private.expire_runs(p_conversation.user_id, p_conversation.id);
  select * into v_run from askback.runs
  where user_id = p_conversation.user_id and conversation_id = p_conversation.id and status = 'running'
    and request_hash = p_post.hash
  order by started_at desc limit 1;
  return case when v_run.id is not null then askback_private.join_answer(v_run) end;
end
$$;

-- What a rerun means: the last of its messages is answered again, or the message that the last one answers.
create function askback_private.meaning_of_rerun(
  p_conversation askback.conversations, p_post askback_private.posted_turn
) returns askback_private.turn_meaning
language plpgsql stable set search_path = '' as $$
declare
  v_meaning askback_private.turn_meaning;
  v_id text := coalesce(p_post.last_id, p_post.request #>> '{lastMessage,id}');
  v_target askback.messages := askback_private.current_message(p_conversation.user_id, p_conversation.id, v_id);
begin
  if p_post.last is null and v_target.role = 'assistant' then
    select * into v_target from askback.messages
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and role = 'user'
      and superseded_at is null and position < v_target.position
    order by position desc limit 1;
  end if;
  if p_post.last is null and v_target.id is null then
    v_meaning.answer := askback_private.refusal(case when v_id is null then 'no_message' else 'message_not_found' end);
  end if;
  v_meaning.target := v_target;
  return v_meaning;
end
$$;

-- What a message means that is known and unchanged: its newest run answers it, or, if that died, another one.
create function askback_private.meaning_of_known_message(p_known askback.messages)
returns askback_private.turn_meaning
language plpgsql set search_path = '' as $$
declare
  v_meaning askback_private.turn_meaning;
  v_run askback.runs := askback_private.newest_run(
    p_known.user_id, p_known.conversation_id, null, p_known.turn_id
  );
begin
  v_meaning.target := p_known;
  if v_run.status in ('running', 'stopping') then
    v_meaning.answer := askback_private.join_answer(v_run);
  elsif v_run.status <> 'interrupted' or exists (
    select 1 from askback.messages
    where user_id = p_known.user_id and conversation_id = p_known.conversation_id and superseded_at is null
      and role = 'user' and position > p_known.position
  ) then
    v_meaning.answer := askback_private.return_answer(v_run);
  else
    v_meaning.dead := v_run;
  end if;
  return v_meaning;
end
$$;

-- What a POST means that is no rerun: a new message, an edit, or one that continues an assistant message.
create function askback_private.meaning_of_message(
  p_conversation askback.conversations, p_post askback_private.posted_turn
) returns askback_private.turn_meaning
language plpgsql set search_path = '' as $$
declare
  v_meaning askback_private.turn_meaning;
  -- In the JSON form the messageId is the id of the posted message itself.
  v_target askback.messages := askback_private.current_message(
    p_conversation.user_id, p_conversation.id, case when p_post.is_ui then p_post.request ->> 'messageId' end
  );
  v_continues boolean := coalesce(
    v_target.role = 'assistant'
      or (p_post.last is null and v_target.id is null and p_post.request #>> '{lastMessage,role}' = 'assistant'),
    false
  );
begin
  if v_continues then
    v_meaning.answer := askback_private.continue_message(
      p_conversation, coalesce(v_target.id, p_post.request #>> '{lastMessage,id}'), p_post.request, p_post.hash
    );
    return v_meaning;
  end if;
  if v_target.id is null then
    if p_post.last is null then
      v_meaning.answer := askback_private.refusal('no_message');
      return v_meaning;
    end if;
    v_target := askback_private.current_message(p_conversation.user_id, p_conversation.id, p_post.last_id);
    if v_target.role = 'user' and askback_private.is_same_message(v_target, p_post.last) then
      return askback_private.meaning_of_known_message(v_target);
    end if;
    if v_target.role = 'user' and not p_post.is_ui then
      v_meaning.answer := askback_private.refusal('message_id_taken');
    end if;
  end if;
  v_meaning.target := v_target;
  return v_meaning;
end
$$;

-- Why the messages of a POST cannot take their place in its conversation; null if they can.
create function askback_private.place_refusal(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning
) returns json
language plpgsql stable set search_path = '' as $$
begin
  if p_post.last is not null and exists (
    select 1 from askback.messages
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = any (p_post.ids)
      and role = 'assistant'
  ) then
    return askback_private.refusal('message_id_taken');
  end if;
  -- It would have to stand before the message that it replaces.
  if (p_meaning.dead).id is null and exists (
    select 1 from askback.messages
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = p_post.last_id
      and superseded_at is null and position < (p_meaning.target).position
  ) then
    return askback_private.refusal('message_id_taken');
  end if;
  return null;
end
$$;

-- What a POST means in a conversation that was there before.
create function askback_private.meaning_of_turn(
  p_conversation askback.conversations, p_post askback_private.posted_turn
) returns askback_private.turn_meaning
language plpgsql set search_path = '' as $$
declare
  v_meaning askback_private.turn_meaning;
begin
  v_meaning.answer := askback_private.repeated_answer(p_conversation, p_post);
  if v_meaning.answer is not null then
    return v_meaning;
  end if;
  v_meaning := case
    when p_post.is_rerun then askback_private.meaning_of_rerun(p_conversation, p_post)
    else askback_private.meaning_of_message(p_conversation, p_post)
  end;
  if v_meaning.answer is null then
    v_meaning.answer := askback_private.place_refusal(p_conversation, p_post, v_meaning);
  end if;
  return v_meaning;
end
$$;

-- Why a new turn may not begin yet, or not for this client; null if it may.
create function askback_private.turn_refusal(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning
) returns json
language plpgsql stable set search_path = '' as $$
begin
  if (p_meaning.dead).id is null and (p_meaning.target).id is not null
    and askback_private.replaces_unseen(p_meaning.target, p_post.seen)
  then
    return askback_private.refusal('newer_messages');
  end if;
  return askback_private.carrying_out_answer(p_conversation.user_id, p_conversation.id);
end
$$;

-- Ends what a new turn takes the place of: the run that is working, and waits for the clock. Returns the messages that the
-- turn answers, too, as of recent_messages.
create function askback_private.make_way(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning
) returns json
language plpgsql set search_path = '' as $$
declare
  v_recent json;
begin
  if (p_meaning.dead).id is null and p_post.last is not null and (p_meaning.target).id is null then
    -- A new message ends waits for the clock: their entry says so. It takes the place of one that waits for a limit.
    with waits as (
      update askback.open_items set
        closed_at = clock_timestamp(), closed_as = case when held_by is null then 'message' else 'replaced' end,
        closed_by = p_post.run_id
      where user_id = p_conversation.user_id and conversation_id = p_conversation.id and kind = 'wait'
        and closed_at is null
      returning run_id
    )
    update askback.runs r set status = 'stopped', finished_at = clock_timestamp()
    from waits
    where r.id = waits.run_id and r.status = 'waiting';
  end if;
  -- Whoever regenerates sees what comes after it.
  if (p_meaning.dead).id is null and (p_meaning.target).id is not null and not p_post.is_rerun and p_post.seen is null then
    v_recent := askback_private.recent_messages(p_meaning.target, p_post.ids);
  end if;
  perform askback_private.stop_runs(p_conversation.user_id, p_conversation.id, true);
  return v_recent;
end
$$;

-- The turn of a POST; null: a new one.
create function askback_private.turn_of(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning
) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if (p_meaning.target).id is not null then
    return (p_meaning.target).turn_id;
  end if;
  -- One that was cut off earlier keeps its turn.
  return (
    select turn_id from askback.messages
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = p_post.last_id
  );
end
$$;

-- Starts the run of a POST, with its messages in their place and the recent ones after them; returns it as of load_run.
create function askback_private.start_turn(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning,
  p_agent_id uuid, p_recent json
) returns json
language plpgsql set search_path = '' as $$
declare
  v_dead askback.runs := p_meaning.dead;
  v_target askback.messages := p_meaning.target;
  v_turn_id uuid := askback_private.turn_of(p_conversation, p_post, p_meaning);
  v_stores boolean := v_dead.id is null and p_post.last is not null;
  v_messages json := case when v_stores then p_post.messages else '[]' end;
  v_ids text[] := case when v_stores then p_post.ids else '{}' end;
  v_run askback.runs;
begin
  if v_dead.id is null and v_target.id is not null then
    perform askback_private.cut_conversation(
      p_conversation.user_id, p_conversation.id, v_target.position + case when v_stores then 0 else 1 end
    );
  end if;
  if p_recent is not null then
    v_messages := (
      select json_agg(item order by place, number)
      from (values (1, v_messages), (2, p_recent)) lists (place, list)
      cross join lateral json_array_elements(list) with ordinality as given (item, number)
    );
    v_ids := v_ids || array(select recent ->> 'id' from json_array_elements(p_recent) recent);
  end if;
  -- A separate statement, so that load_run sees what it inserts.
  v_run := askback_private.start_run(
    p_conversation, p_post.run_id, coalesce(v_turn_id, p_post.run_id), p_agent_id, p_post.hash,
    (p_post.request ->> 'leaseSeconds')::double precision, v_dead, null, v_messages, v_ids, p_post.request -> 'client'
  );
  return askback_private.load_run(v_run);
end
$$;

-- What a POST means: starts its run, joins the one that is already answering it, or returns its answer.
--
-- in   p_request: { version: of the code, runId, form: json | ui, conversationId?, agentId?, model?, trigger?,
--      messageId?, title?, client?, timezone?, language?, messages: [{ id?, entry, brief?, metadata? }],
--      lastMessage?: { id?, role }, seen?: [id], decisions: [{ messageId, toolCallId, approvalId, approved, reason? }], leaseSeconds }
-- out  as of load_run
--      { kind: join | busy, conversationId, runId, messageId }: that run answers it, or has to end first
--      { kind: return, run: as of run_view }: it was answered before
--      { kind: error, code: no_message | too_many_messages | agent_not_found | conversation_not_found |
--      message_not_found | message_id_taken | newer_messages | file_not_found | version_not_accepted }, or as of
--      limit_refusal
create function askback.begin_turn(p_user_id uuid, p_request json) returns json
language plpgsql set search_path = '' as $$
declare
  v_post askback_private.posted_turn;
  v_opened askback_private.opened_conversation;
  v_conversation askback.conversations;
  v_meaning askback_private.turn_meaning;
  v_agent_id uuid;
  v_answer json;
  v_recent json;
begin
  if not askback_private.is_accepted(p_request -> 'version') then
    return askback_private.refusal('version_not_accepted');
  end if;
  perform askback_private.hold_account(p_user_id);
  perform askback_private.require_account(p_user_id);
  perform askback_private.note_reader(p_user_id, p_request);
  v_post := askback_private.read_turn(p_request);
  if v_post.run_id is null then
    raise exception 'begin_turn needs a runId' using errcode = 'invalid_parameter_value';
  end if;
  v_answer := askback_private.messages_refusal(p_user_id, v_post);
  if v_answer is not null then
    return v_answer;
  end if;

  v_opened := askback_private.open_conversation(p_user_id, v_post);
  if v_opened.refused is not null then
    return v_opened.refused;
  end if;
  v_conversation := v_opened.conversation;
  v_agent_id := v_opened.agent_id;
  -- One that was just made holds nothing to look at.
  if not v_opened.is_new then
    v_meaning := askback_private.meaning_of_turn(v_conversation, v_post);
    if v_meaning.answer is not null then
      return v_meaning.answer;
    end if;
    v_agent_id := askback_private.choose_agent(p_user_id, p_request ->> 'agentId', v_conversation.agent_id);
    if v_agent_id is null then
      return askback_private.refusal('agent_not_found');
    end if;
    v_answer := askback_private.turn_refusal(v_conversation, v_post, v_meaning);
    if v_answer is not null then
      return v_answer;
    end if;
  end if;
  v_answer := askback_private.new_run_refusal(v_conversation, v_agent_id, v_post.run_id, v_opened.is_new, true);
  if v_answer is not null and (v_meaning.dead).id is null then
    return v_answer;
  end if;

  if not v_opened.is_new then
    v_recent := askback_private.make_way(v_conversation, v_post, v_meaning);
  end if;
  if p_request -> 'model' is not null then
    update askback.conversations set model = p_request ->> 'model'
    where user_id = p_user_id and id = v_conversation.id;
  end if;
  return askback_private.start_turn(v_conversation, v_post, v_meaning, v_agent_id, v_recent);
end
$$;
