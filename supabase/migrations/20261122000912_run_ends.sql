-- How a run ends: what it has told and done is stored. Callers hold the lock on the conversation's row.

-- Records the invocations of a run that needed no claim. Those that are already in the ledger stay as they are.
create function askback_private.record_invocations(p_run askback.runs, p_invocations json) returns void
language plpgsql set search_path = '' as $$
begin
  insert into askback.tool_executions (
    id, user_id, conversation_id, turn_id, run_id, session_id, tool_call_id, tool_name, effect, attempt, intent,
    repetition, arguments, repairs, argument_hash, status, result, duration_ms, created_at, settled_at
  )
  select
    call.id, p_run.user_id, p_run.conversation_id, p_run.turn_id, p_run.id,
    askback_private.session_of(p_run.root_run_id, call.id, coalesce(call.intent, 0)),
    call."toolCallId", call."toolName", call.effect, coalesce(call.attempt, 1), coalesce(call.intent, 0),
    -- A column of a recordset takes JSON's null as none.
    coalesce(call.repetition, 0), coalesce(call.arguments, 'null'), coalesce(call.repairs, '[]'), call."argumentHash",
    call.status,
    call.result, round(call."durationMs"), least(call."createdAt", clock_timestamp()), clock_timestamp()
  from (
    select distinct on (said.id) said.*
    from rows from (
      json_to_recordset(p_invocations) as (
        id uuid, "toolCallId" text, "toolName" text, effect text, attempt integer, intent integer,
        repetition integer, arguments json, repairs json, "argumentHash" text, status text, result json,
        "durationMs" numeric, "createdAt" timestamptz
      )
    ) with ordinality as said (
      id, "toolCallId", "toolName", effect, attempt, intent, repetition, arguments, repairs, "argumentHash", status,
      result, "durationMs", "createdAt", number
    )
    order by said.id, said.number desc
  ) call
  where call.status <> 'running'
  order by call.number
  on conflict (id) do nothing;
end
$$;

-- What a run has told as done is done, even if how it ended could not be stored at the time: nobody is asked about it.
create function askback_private.settle_told(p_run askback.runs) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.tool_executions e set
    status = 'succeeded', closed = true, settled_at = clock_timestamp(), result = x.entry -> 'result',
    duration_ms = round((x.entry ->> 'durationMs')::numeric)
  from askback.entries x
  where e.run_id = p_run.id and e.idempotency_key is not null and e.status in ('running', 'unknown')
    and x.run_id = p_run.id and x.type = 'result' and x.tool_call_id = e.tool_call_id
    and x.entry ->> 'status' = 'succeeded';
end
$$;

-- Ends a run in one round trip: the rest of what it has written, its invocations and usage. Calling it again changes
-- nothing. A run that lost its lease may still end, unless another one has taken its place.
--
-- in   p_result: { status, entries: as for append_entries, invocations: [{ id, toolCallId, toolName, effect, attempt,
--      intent, repetition, arguments, argumentHash, repairs, status, result, durationMs, createdAt }] }
-- out  { pending: what is open in the conversation now, as of list_items, isStored: whether the run's end is stored,
--      replacedBy: as of replaced_by }
create function askback.finish_run(p_run_id uuid, p_result json) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
  v_status text := p_result ->> 'status';
begin
  if v_status is null or v_status in ('running', 'stopping') then
    raise exception 'a run cannot end as %', coalesce(v_status, 'null') using errcode = 'invalid_parameter_value';
  end if;
  v_run := askback_private.lock_run(p_run_id);
  if v_run.id is null then
    return json_build_object('pending', '[]'::json, 'isStored', false, 'replacedBy', null);
  end if;
  -- A run that was to stop and lost its lease is `stopped` without having written its end.
  if v_run.status not in ('running', 'stopping', 'interrupted') and (
    v_run.status <> 'stopped'
    or exists (select 1 from askback.entries where run_id = p_run_id and type = 'run-end')
  ) then
    return askback_private.end_answer(v_run);
  end if;

  perform askback_private.record_invocations(v_run, p_result -> 'invocations');
  if askback_private.is_replaced(v_run) then
    -- What it has cost counts all the same.
    perform askback_private.record_usage(v_run, p_result -> 'entries');
    return askback_private.end_answer(v_run);
  end if;

  perform askback_private.append_entries(v_run, p_result -> 'entries');
  perform askback_private.settle_told(v_run);
  if (v_run.status in ('stopping', 'stopped') and v_status <> 'completed')
    -- The user has written since, so nothing waits for the clock any more.
    or (v_status = 'waiting' and askback_private.is_answered_by_later(v_run))
  then
    v_status := 'stopped';
  end if;
  -- The model was asked, and its answer not awaited. Of one that had expired it is counted already.
  if v_status = 'stopped' and v_run.status in ('running', 'stopping') then
    perform askback_private.add_cut_calls(v_run, askback_private.open_calls(p_run_id));
  end if;
  update askback.runs set status = v_status, finished_at = clock_timestamp() where id = p_run_id;
  perform askback_private.end_waits_of_stopped(v_run.user_id, v_run.conversation_id);

  if v_status <> 'interrupted' then
    update askback.messages set written_at = clock_timestamp()
    where user_id = v_run.user_id and conversation_id = v_run.conversation_id and id = v_run.message_id;
  end if;
  update askback.conversations set updated_at = clock_timestamp()
  where user_id = v_run.user_id and id = v_run.conversation_id;
  return askback_private.end_answer(v_run);
end
$$;
