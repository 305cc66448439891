-- A run, with its conversation locked: whoever changes something in a conversation locks its row first, and nothing
-- before it. Null when there is no such run.
create function askback.lock_run(p_run_id uuid) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select * into v_run from askback.runs where id = p_run_id;
  perform 1 from askback.conversations
  where user_id = v_run.user_id and id = v_run.conversation_id for no key update;
  select * into v_run from askback.runs where id = p_run_id;
  return v_run;
end
$$;

-- Notes what a run has used: each model call of the loop ends with an entry that says it, each of a tool is one.
create function askback.record_usage(p_run askback.runs, p_entries json) returns void
language sql set search_path = '' as $$
  insert into askback.llm_usage (
    user_id, conversation_id, run_id, agent_id, sequence, provider, model, purpose, input_tokens, output_tokens,
    cost_usd, temperature, duration_ms
  )
  select
    p_run.user_id, p_run.conversation_id, p_run.id, p_run.agent_id, (item ->> 'sequence')::integer,
    item #>> '{entry,provider}', item #>> '{entry,model}', item #>> '{entry,purpose}',
    coalesce((item #>> '{entry,usage,inputTokens}')::integer, 0),
    coalesce((item #>> '{entry,usage,outputTokens}')::integer, 0), (item #>> '{entry,cost}')::numeric,
    (item #>> '{entry,temperature}')::double precision, round((item #>> '{entry,durationMs}')::numeric)
  from json_array_elements(coalesce(p_entries, '[]')) item
  where item #>> '{entry,type}' in ('step-end', 'tool-model-call')
  on conflict (run_id, sequence) do nothing
$$;

create function askback.position_of(p_user_id uuid, p_conversation_id text, p_message_id text) returns bigint
language sql stable set search_path = '' as $$
  select position from askback.messages
  where user_id = p_user_id and conversation_id = p_conversation_id and id = p_message_id
$$;

-- Whether the user has written since the message that a run answers.
create function askback.is_answered_by_later(p_run askback.runs) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select 1 from askback.messages m
    where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.role = 'user'
      and m.superseded_at is null and m.turn_id <> p_run.turn_id
      and m.position > askback.position_of(p_run.user_id, p_run.conversation_id, p_run.message_id)
  )
$$;

-- What new entries open and close: [{ sequence, entry }], in order, each handed in once. What a message opens that was
-- cut off meanwhile, a wait behind which the user has written, and what a later message has asked, is closed at once.
create function askback.take_items(p_run askback.runs, p_entries json) returns void
language plpgsql set search_path = '' as $$
declare
  v_entry json;
  v_over text;
  v_item askback.open_items;
begin
  for v_entry in
    select item -> 'entry'
    from json_array_elements(coalesce(p_entries, '[]')) item
    where item #>> '{entry,type}' in ('question', 'decision', 'closed')
    order by (item ->> 'sequence')::integer
  loop
    if v_entry ->> 'type' = 'question' then
      v_over := case
        when p_run.superseded_at is not null and not coalesce((v_entry ->> 'uncertain')::boolean, false) then 'replaced'
        when v_entry ->> 'kind' = 'wait' and askback.is_answered_by_later(p_run) then 'message'
        when exists (
          select 1 from askback.open_items i
          join askback.messages m
            on m.user_id = i.user_id and m.conversation_id = i.conversation_id and m.id = i.message_id
          where i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id
            and i.id <> v_entry ->> 'itemId'
            and (
              i.tool_call_id = v_entry ->> 'toolCallId'
              or i.intent = nullif((v_entry ->> 'intent')::integer, 0)
            )
            and m.superseded_at is null
            and m.position > askback.position_of(p_run.user_id, p_run.conversation_id, p_run.message_id)
        ) then 'replaced'
      end;
      -- Of a call, and of an intent, at most one is open.
      update askback.open_items set closed_at = clock_timestamp(), closed_as = 'replaced', closed_by = p_run.id
      where v_over is null
        and user_id = p_run.user_id and conversation_id = p_run.conversation_id and closed_at is null
        and id <> v_entry ->> 'itemId'
        and (
          tool_call_id = v_entry ->> 'toolCallId'
          or intent = nullif((v_entry ->> 'intent')::integer, 0)
        );
      insert into askback.open_items (
        user_id, conversation_id, id, message_id, run_id, turn_id, agent_id, kind, intent, tool_call_id, tool_name,
        uncertain, asked_at, expires_at, resume_at, closed_at, closed_as, closed_by
      ) values (
        p_run.user_id, p_run.conversation_id, v_entry ->> 'itemId', p_run.message_id, p_run.id, p_run.turn_id,
        p_run.agent_id, v_entry ->> 'kind', (v_entry ->> 'intent')::integer, v_entry ->> 'toolCallId',
        v_entry ->> 'toolName', coalesce((v_entry ->> 'uncertain')::boolean, false),
        (v_entry ->> 'askedAt')::timestamptz, (v_entry ->> 'expiresAt')::timestamptz,
        (v_entry ->> 'resumeAt')::timestamptz,
        case when v_over is not null then clock_timestamp() end, v_over, case when v_over is not null then p_run.id end
      )
      -- Asked again in another message, because its own was cut off.
      on conflict (user_id, conversation_id, id) do update
      set message_id = excluded.message_id, run_id = excluded.run_id, turn_id = excluded.turn_id
      where open_items.closed_at is null
      returning * into v_item;
      if v_over = 'replaced' and p_run.superseded_at is null and v_item.id is not null then
        perform askback.close_item(v_item, v_over);
      end if;
    else
      update askback.open_items set
        closed_at = clock_timestamp(),
        closed_as = coalesce(v_entry ->> 'decision', v_entry ->> 'as'),
        closed_by = p_run.id
      where user_id = p_run.user_id and conversation_id = p_run.conversation_id and id = v_entry ->> 'itemId'
        and closed_at is null;
    end if;
  end loop;
  if p_run.superseded_at is not null then
    perform askback.tell_closed(p_run.user_id, p_run.conversation_id);
  end if;
end
$$;

-- Adds what a run has written down since: [{ sequence, entry, private }], each one once: a call that comes again, late,
-- changes nothing. The caller holds the lock of the conversation's row and has seen that the run may still write.
create function askback.append_entries(p_run askback.runs, p_entries json) returns void
language sql set search_path = '' as $$
  with stored as (
    insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry, private)
    select
      p_run.user_id, p_run.conversation_id, p_run.message_id, p_run.id, (item ->> 'sequence')::integer,
      item -> 'entry', item -> 'private'
    from json_array_elements(coalesce(p_entries, '[]')) item
    order by (item ->> 'sequence')::integer
    on conflict (run_id, sequence) do nothing
    returning sequence, entry
  )
  select askback.take_items(p_run, (select json_agg(json_build_object('sequence', sequence, 'entry', entry)) from stored));
  update askback.conversations c set last_intent = called.intent
  from (
    select max((item #>> '{entry,intent}')::integer) as intent
    from json_array_elements(coalesce(p_entries, '[]')) item
    where item #>> '{entry,type}' in ('call', 'question')
  ) called
  where c.user_id = p_run.user_id and c.id = p_run.conversation_id and c.last_intent < called.intent;
  select askback.record_usage(p_run, p_entries)
$$;

-- Closes an open item without a decision of its run: the entry stands behind what that has written, out of the way of
-- a late end of it. The caller holds the lock of the conversation's row.
create function askback.close_item(p_item askback.open_items, p_as text) returns void
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select * into v_run from askback.runs where id = p_item.run_id;
  perform askback.append_entries(v_run, json_build_array(json_build_object(
    'sequence', (select greatest(max(sequence), 1000000) + 1 from askback.entries where run_id = v_run.id),
    'entry', json_build_object(
      'type', 'closed', 'itemId', p_item.id, 'toolCallId', p_item.tool_call_id, 'as', p_as
    )
  )));
end
$$;

-- What was closed by a message that has been cut off stays closed: an entry says so where it was asked.
create function askback.tell_closed(p_user_id uuid, p_conversation_id text) returns void
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
begin
  for v_item in
    update askback.open_items i set closed_by = i.run_id
    from askback.runs asking, askback.runs closing
    where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.closed_at is not null
      and asking.id = i.run_id and asking.superseded_at is null
      and closing.id = i.closed_by and closing.superseded_at is not null
    returning i.*
  loop
    perform askback.close_item(v_item, 'replaced');
  end loop;
end
$$;

-- Closes what was open too long, unless a run goes on with it at this moment. The caller holds the lock of the
-- conversation's row.
create function askback.expire_items(p_user_id uuid, p_conversation_id text) returns void
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
begin
  for v_item in
    select * from askback.open_items
    where user_id = p_user_id and conversation_id = p_conversation_id and closed_at is null
      and expires_at < clock_timestamp()
      and not exists (
        select 1 from askback.runs
        where user_id = p_user_id and conversation_id = p_conversation_id and status in ('running', 'stopping')
      )
  loop
    perform askback.close_item(v_item, 'expired');
  end loop;
end
$$;

-- What is written of a message, in order; until the given run, if one is given.
create function askback.message_entries(p_message askback.messages, p_until askback.runs default null) returns json
language sql stable set search_path = '' as $$
  select coalesce(json_agg(e.entry order by r.started_at, e.sequence), '[]')
  from askback.entries e
  join askback.runs r on r.id = e.run_id
  where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id
    and e.message_id = p_message.id and (p_until.id is null or r.started_at <= p_until.started_at)
$$;

-- The same with what no client may see, for those who go on with it.
create function askback.whole_entries(p_message askback.messages) returns json
language sql stable set search_path = '' as $$
  select coalesce(
    json_agg(json_build_object('entry', e.entry, 'private', e.private) order by r.started_at, e.sequence),
    '[]'
  )
  from askback.entries e
  join askback.runs r on r.id = e.run_id
  where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id
    and e.message_id = p_message.id
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.lock_run(uuid),
  askback.record_usage(askback.runs, json),
  askback.position_of(uuid, text, text),
  askback.is_answered_by_later(askback.runs),
  askback.append_entries(askback.runs, json),
  askback.take_items(askback.runs, json),
  askback.close_item(askback.open_items, text),
  askback.tell_closed(uuid, text),
  askback.expire_items(uuid, text),
  askback.message_entries(askback.messages, askback.runs),
  askback.whole_entries(askback.messages)
to service_role;
