-- What is known of a write: whether it is made again, what its provider is told, and what all who ask for one get.

-- The newest of some writes that had these arguments, within a day before a time, and were or may have been carried out.
create function askback_private.equal_write(
  p_writes askback.tool_executions[], p_argument_hash text, p_before timestamptz
) returns askback.tool_executions
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.tool_executions;
begin
  select e.* into v_found from unnest(p_writes) e
  where e.argument_hash = p_argument_hash and e.created_at < p_before and e.created_at > p_before - interval '24 hours'
    and askback_private.effective_status(e.status, e.lease_expires_at, e.delivery_id) in ('running', 'succeeded', 'unknown')
  order by e.created_at desc, e.position desc limit 1;
  return v_found;
end
$$;

-- Whether a write was made again although nobody knew what had become of an equal one: once more may do it twice.
create function askback_private.is_second_try(p_write askback.tool_executions) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_before askback.tool_executions := askback_private.equal_write(
    array(
      select e from askback.tool_executions e
      where e.user_id = p_write.user_id and e.conversation_id = p_write.conversation_id
        and e.tool_name = p_write.tool_name and e.idempotency_key is not null
        and e.argument_hash = p_write.argument_hash
    ),
    p_write.argument_hash, p_write.created_at
  );
begin
  return coalesce(
    askback_private.effective_status(v_before.status, v_before.lease_expires_at, v_before.delivery_id) = 'unknown', false
  );
end
$$;

-- What a provider is told for a write that is about to be claimed under a key of the ledger. A person may have had it made
-- again because nobody knows what became of the first try: then it gets the key of that, for a day, so that a provider which
-- knows the key does it once. Only once: a provider that has not answered to a key twice may never answer to it.
create function askback_private.provider_key(
  p_run askback.runs, p_invocation json, p_key text, out provider_key text, out is_second boolean
)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_writes askback.tool_executions[];
  v_before askback.tool_executions;
begin
  provider_key := p_key;
  is_second := false;
  -- Only a person has a write of unknown outcome made again.
  if coalesce((p_invocation ->> 'repetition')::integer, 0) = 0 and p_invocation ->> 'coveredUntil' is null then
    return;
  end if;
  v_writes := array(
    select e from askback.tool_executions e
    where e.user_id = p_run.user_id and e.conversation_id = p_run.conversation_id
      and e.tool_name = p_invocation ->> 'toolName' and e.idempotency_key is not null
      and e.argument_hash = p_invocation ->> 'argumentHash'
    union all
    select e from askback_private.writes_elsewhere(p_run, p_invocation ->> 'toolName') e
    where e.argument_hash = p_invocation ->> 'argumentHash'
  );
  v_before := askback_private.equal_write(v_writes, p_invocation ->> 'argumentHash', clock_timestamp());
  if askback_private.effective_status(v_before.status, v_before.lease_expires_at, v_before.delivery_id) = 'unknown' then
    is_second := true;
    if not exists (
      select 1 from unnest(v_writes) e
      where e.provider_key = v_before.provider_key and e.id <> v_before.id and e.status not in ('failed', 'cancelled')
    ) then
      provider_key := v_before.provider_key;
    end if;
  end if;
end
$$;

-- A write that was begun or done, as all who ask for one get it (in TypeScript `Write`): { id, toolCallId, toolName,
-- arguments, intent, repetition, status: the current one, at: when it was claimed, idempotencyKey, result: a ToolResult,
-- null if nobody has reported one, durationMs, isSecond: as of is_second_try }. Of a call that needed no claim, a read or
-- one that was refused, the idempotencyKey is null, and `at` is when it began (`executionSchema`).
create function askback_private.write_json(p_write askback.tool_executions) returns json
language plpgsql stable set search_path = '' as $$
begin
  return case when p_write.id is not null then json_build_object(
    'id', p_write.id,
    'toolCallId', p_write.tool_call_id,
    'toolName', p_write.tool_name,
    'arguments', p_write.arguments,
    'intent', p_write.intent,
    'repetition', p_write.repetition,
    'status', askback_private.effective_status(p_write.status, p_write.lease_expires_at, p_write.delivery_id),
    'at', p_write.created_at,
    'idempotencyKey', p_write.idempotency_key,
    'result', p_write.result,
    'durationMs', p_write.duration_ms,
    'isSecond', askback_private.is_second_try(p_write)
  ) end;
end
$$;
