-- The life of a run. Callers hold the lock of the conversation's row.

create function askback.refusal(p_status integer, p_code text, p_message text) returns json
language sql immutable set search_path = '' as $$
  select json_build_object('kind', 'error', 'status', p_status, 'code', p_code, 'message', p_message)
$$;

-- Whether somebody can still answer what the run waits for.
create function askback.is_open(p_run askback.runs) returns boolean
language sql immutable set search_path = '' as $$
  select p_run.status in ('waiting', 'needs_input', 'needs_approval', 'needs_connection')
    and p_run.resumed_by is null and p_run.superseded_at is null
$$;

-- A run as those see it who did not start it.
create function askback.run_view(p_run askback.runs) returns json
language sql stable set search_path = '' as $$
  select json_build_object(
    'runId', p_run.id,
    'conversationId', p_run.conversation_id,
    'turnId', p_run.turn_id,
    'messageId', p_run.message_id,
    'status', p_run.status,
    'answer', p_run.answer,
    'message', (
      select json_build_object('id', m.id, 'role', m.role, 'parts', m.parts, 'metadata', m.metadata)
      from askback.messages m
      where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.id = p_run.message_id
        and m.written_at is not null
    ),
    'pending', case when askback.is_open(p_run) then p_run.pending else '[]' end,
    'progress', p_run.progress,
    'stopRequested', p_run.status = 'stopping',
    'startedAt', p_run.started_at,
    'finishedAt', p_run.finished_at
  )
$$;

create function askback.join_answer(p_run askback.runs) returns json
language sql immutable set search_path = '' as $$
  select json_build_object(
    'kind', 'join', 'conversationId', p_run.conversation_id, 'runId', p_run.id, 'turnId', p_run.turn_id,
    'messageId', p_run.message_id
  )
$$;

create function askback.return_answer(p_run askback.runs) returns json
language sql stable set search_path = '' as $$
  select json_build_object('kind', 'return', 'conversationId', p_run.conversation_id, 'run', askback.run_view(p_run))
$$;

-- Ends the runs whose lease has run out: their process is gone. What such a run was to go on with waits again.
create function askback.expire_runs(p_user_id uuid, p_conversation_id text) returns void
language sql set search_path = '' as $$
  with dead as (
    update askback.runs set
      status = case status when 'stopping' then 'stopped' else 'interrupted' end,
      progress = null,
      finished_at = clock_timestamp()
    where user_id = p_user_id and conversation_id = p_conversation_id
      and status in ('running', 'stopping') and lease_expires_at < clock_timestamp()
    returning id, status, resumed_run_id
  )
  update askback.runs r set resumed_by = null
  from dead
  where r.id = dead.resumed_run_id and r.resumed_by = dead.id and dead.status = 'interrupted'
$$;

-- Asks the running run of a conversation to stop, and ends one that waits for the clock. Returns the one that is
-- stopping, else the one that waited, else null.
create function askback.stop_runs(p_user_id uuid, p_conversation_id text) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_waited askback.runs;
  v_stopping askback.runs;
begin
  update askback.runs set status = 'stopped', finished_at = clock_timestamp()
  where user_id = p_user_id and conversation_id = p_conversation_id and status = 'waiting'
    and resumed_by is null and superseded_at is null
  returning * into v_waited;
  update askback.runs set status = 'stopping'
  where user_id = p_user_id and conversation_id = p_conversation_id and status = 'running';
  select * into v_stopping from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and status = 'stopping'
  order by started_at desc limit 1;
  return case when v_stopping.id is null then v_waited else v_stopping end;
end
$$;

-- Begins a run and keeps the place of its message; one that goes on with another run writes that one's message.
create function askback.start_run(
  p_conversation askback.conversations,
  p_run_id uuid,
  p_turn_id uuid,
  p_agent_id uuid,
  p_request_hash text,
  p_lease_seconds double precision,
  p_recovered boolean default false,
  p_resumed askback.runs default null,
  p_answers json default '[]'
) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  insert into askback.runs (
    id, user_id, conversation_id, turn_id, message_id, agent_id, resumed_run_id, root_run_id, answers, request_hash,
    recovered, started_at, lease_expires_at
  ) values (
    p_run_id, p_conversation.user_id, p_conversation.id, p_turn_id, coalesce(p_resumed.message_id, p_run_id::text),
    p_agent_id, p_resumed.id, coalesce(p_resumed.root_run_id, p_run_id), p_answers, p_request_hash,
    p_recovered,
    -- Not now(): the order of runs is the order in which they got the conversation's lock.
    clock_timestamp(), clock_timestamp() + make_interval(secs => coalesce(p_lease_seconds, 15))
  )
  returning * into v_run;
  if p_resumed.id is null then
    insert into askback.messages (user_id, conversation_id, id, turn_id, role)
    values (v_run.user_id, v_run.conversation_id, v_run.message_id, v_run.turn_id, 'assistant');
  else
    update askback.runs set resumed_by = v_run.id where id = p_resumed.id;
  end if;
  update askback.conversations set agent_id = p_agent_id, updated_at = clock_timestamp()
  where user_id = v_run.user_id and id = v_run.conversation_id;
  return v_run;
end
$$;

-- Notes the invocations of a run that needed no claim; those that are in the ledger already stay as they are,
-- unless they waited for the user.
create function askback.record_invocations(p_run askback.runs, p_invocations json) returns void
language sql set search_path = '' as $$
  insert into askback.tool_executions as held (
    id, user_id, conversation_id, turn_id, run_id, session_id, tool_call_id, tool_name, effect, attempt, intent,
    repetition, arguments, repairs, argument_hash, status, result, duration_ms, created_at, settled_at
  )
  select
    (item ->> 'id')::uuid,
    p_run.user_id,
    p_run.conversation_id,
    p_run.turn_id,
    p_run.id,
    askback.session_of(p_run.root_run_id, (item ->> 'id')::uuid, coalesce((item ->> 'intent')::integer, 0)),
    item ->> 'toolCallId',
    item ->> 'toolName',
    item ->> 'effect',
    coalesce((item ->> 'attempt')::integer, 1),
    coalesce((item ->> 'intent')::integer, 0),
    coalesce((item ->> 'repetition')::integer, 0),
    item -> 'arguments',
    coalesce(item -> 'repairs', '[]'),
    item ->> 'argumentHash',
    item ->> 'status',
    item -> 'result',
    round((item ->> 'durationMs')::numeric),
    least((item ->> 'createdAt')::timestamptz, clock_timestamp()),
    case when item ->> 'status' <> 'pending' then clock_timestamp() end
  from (
    select distinct on (item ->> 'id') item, number
    from json_array_elements(coalesce(p_invocations, '[]')) with ordinality as given (item, number)
    order by item ->> 'id', number desc
  ) last_word
  where item ->> 'status' <> 'running'
  order by number
  on conflict (id) do update set
    run_id = excluded.run_id, status = excluded.status, result = excluded.result,
    duration_ms = excluded.duration_ms, settled_at = excluded.settled_at
  where held.status = 'pending' and held.user_id = excluded.user_id
$$;

create function askback.record_usage(p_run askback.runs, p_usage json) returns void
language sql set search_path = '' as $$
  insert into askback.llm_usage (
    user_id, conversation_id, run_id, agent_id, ordinal, provider, model, purpose, input_tokens, output_tokens,
    cost_usd, temperature, duration_ms
  )
  select
    p_run.user_id, p_run.conversation_id, p_run.id, p_run.agent_id, number, item ->> 'provider', item ->> 'model',
    item ->> 'purpose', coalesce((item ->> 'inputTokens')::integer, 0),
    coalesce((item ->> 'outputTokens')::integer, 0), (item ->> 'costUsd')::numeric,
    (item ->> 'temperature')::double precision, round((item ->> 'durationMs')::numeric)
  from json_array_elements(coalesce(p_usage, '[]')) with ordinality as given (item, number)
  order by number
  on conflict (run_id, ordinal) do nothing
$$;

-- Ends a run: messages, invocations, usage, what is pending, in one round trip. Repeated, it changes nothing.
-- A run that lost its lease may still end, unless another one has taken its place.
create function askback.finish_run(p_run_id uuid, p_result json) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
  v_resumed askback.runs;
  v_status text := p_result ->> 'status';
  v_pending boolean;
begin
  if v_status is null or v_status in ('running', 'stopping') then
    raise exception 'a run cannot end as %', coalesce(v_status, 'null') using errcode = 'invalid_parameter_value';
  end if;
  select * into v_run from askback.runs where id = p_run_id;
  if not found then
    return json_build_object('finished', false, 'status', null, 'reason', 'not_found');
  end if;
  perform 1 from askback.conversations
  where user_id = v_run.user_id and id = v_run.conversation_id for update;
  select * into v_run from askback.runs where id = p_run_id for update;
  if v_run.status not in ('running', 'stopping', 'interrupted')
    and not (v_run.status = 'stopped' and v_run.answer is null)
  then
    return json_build_object('finished', true, 'status', v_run.status);
  end if;

  perform askback.record_invocations(v_run, p_result -> 'invocations');
  perform askback.record_usage(v_run, p_result -> 'usage');

  if v_run.status = 'interrupted' then
    select * into v_resumed from askback.runs where id = v_run.resumed_run_id;
    if v_run.superseded_at is not null or (v_resumed.id is not null and not askback.is_open(v_resumed)) then
      return json_build_object('finished', false, 'status', v_run.status, 'reason', 'replaced');
    end if;
    update askback.runs set resumed_by = v_run.id where id = v_run.resumed_run_id;
  end if;

  if v_run.status in ('stopping', 'stopped') and v_status <> 'completed' then
    v_status := 'stopped';
  end if;
  v_pending := v_status in ('waiting', 'needs_input', 'needs_approval', 'needs_connection');
  update askback.runs set
    status = v_status,
    text = p_result ->> 'text',
    answer = p_result -> 'answer',
    pending = case when v_pending then coalesce(p_result -> 'pending', '[]') else '[]' end,
    state = case when v_pending then p_result -> 'state' end,
    resume_at = case when v_status = 'waiting' then coalesce((p_result ->> 'resumeAt')::timestamptz, clock_timestamp()) end,
    progress = null,
    finished_at = clock_timestamp()
  where id = p_run_id;

  if json_typeof(p_result -> 'message') = 'object' then
    update askback.messages set
      parts = coalesce(p_result #> '{message,parts}', '[]'),
      metadata = p_result #> '{message,metadata}',
      model_messages = p_result -> 'modelMessages',
      written_at = clock_timestamp()
    where user_id = v_run.user_id and conversation_id = v_run.conversation_id and id = v_run.message_id;
  end if;
  if v_status = 'interrupted' then
    update askback.runs set resumed_by = null where id = v_run.resumed_run_id and resumed_by = p_run_id;
  end if;
  update askback.conversations set updated_at = clock_timestamp()
  where user_id = v_run.user_id and id = v_run.conversation_id;
  return json_build_object('finished', true, 'status', v_status);
end
$$;

-- Keeps a run alive and hears whether it is to stop. `lost`: it no longer owns its turn.
create function askback.heartbeat_run(
  p_run_id uuid, p_lease_seconds integer default 15, p_progress json default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_status text;
begin
  update askback.runs set
    lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds),
    progress = coalesce(p_progress, progress)
  where id = p_run_id and status in ('running', 'stopping')
  returning status into v_status;
  if found then
    return json_build_object('status', v_status, 'stopRequested', v_status = 'stopping', 'lost', false);
  end if;
  select status into v_status from askback.runs where id = p_run_id;
  return json_build_object('status', v_status, 'stopRequested', true, 'lost', true);
end
$$;

create function askback.get_run(p_user_id uuid, p_run_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select * into v_run from askback.runs where id = p_run_id and user_id = p_user_id;
  if not found then
    return null;
  end if;
  -- Whoever waits for a dead run learns it here.
  if v_run.status in ('running', 'stopping') and v_run.lease_expires_at < clock_timestamp() then
    perform 1 from askback.conversations where user_id = p_user_id and id = v_run.conversation_id for update;
    perform askback.expire_runs(p_user_id, v_run.conversation_id);
    select * into v_run from askback.runs where id = p_run_id;
  end if;
  return askback.run_view(v_run);
end
$$;

-- null: the user has no such conversation. runId null: nothing to stop.
create function askback.stop_run(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return null;
  end if;
  perform askback.expire_runs(p_user_id, p_conversation_id);
  v_run := askback.stop_runs(p_user_id, p_conversation_id);
  return json_build_object('runId', v_run.id, 'status', v_run.status);
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.refusal(integer, text, text),
  askback.is_open(askback.runs),
  askback.run_view(askback.runs),
  askback.join_answer(askback.runs),
  askback.return_answer(askback.runs),
  askback.expire_runs(uuid, text),
  askback.stop_runs(uuid, text),
  askback.start_run(askback.conversations, uuid, uuid, uuid, text, double precision, boolean, askback.runs, json),
  askback.record_invocations(askback.runs, json),
  askback.record_usage(askback.runs, json),
  askback.finish_run(uuid, json),
  askback.heartbeat_run(uuid, integer, json),
  askback.get_run(uuid, uuid),
  askback.stop_run(uuid, text)
to service_role;
