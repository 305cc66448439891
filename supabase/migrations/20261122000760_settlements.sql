-- How writes ended.

-- The current status of the claimed writes of a run's turn, the newest one of each call.
--
-- out  [as of write_json]
create function askback.write_outcomes(p_run_id uuid, p_tool_call_ids text[]) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(askback_private.write_json(newest.write)), '[]')
    from (
      select distinct on (e.tool_call_id) e as write
      from askback.tool_executions e
      join askback.runs r on r.id = p_run_id and r.user_id = e.user_id and r.turn_id = e.turn_id
      where e.tool_call_id = any (p_tool_call_ids) and e.idempotency_key is not null
        and e.status in ('running', 'succeeded', 'failed', 'unknown', 'cancelled')
      order by e.tool_call_id, e.position desc
    ) newest
  );
end
$$;

-- Ends a write. The first settlement stays; only `unknown` may still become succeeded or failed. With p_delivery_id it
-- comes from the integration function, and only counts for that delivery. Without, it comes from the run that made the
-- claim: it is final, and what the run has written is stored with it.
--
-- in   p_status: succeeded | failed | unknown | cancelled; p_result: a ToolResult; p_entries: as for append_entries
-- out  { stored: whether the entries are stored }
create function askback.settle_invocation(
  p_user_id uuid,
  p_invocation_id uuid,
  p_status text,
  p_result json,
  p_duration_ms integer default null,
  p_delivery_id uuid default null,
  p_run_id uuid default null,
  p_entries json default '[]'
) returns json
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
  v_run askback.runs;
  v_settles boolean;
  v_stored boolean := false;
begin
  if p_status not in ('succeeded', 'failed', 'unknown', 'cancelled') then
    raise exception 'cannot settle an invocation as %', p_status using errcode = 'invalid_parameter_value';
  end if;
  if p_run_id is not null then
    v_run := askback_private.lock_run(p_run_id);
    if v_run.user_id = p_user_id and v_run.status in ('running', 'stopping') then
      perform askback_private.append_entries(v_run, p_entries);
      v_stored := true;
    end if;
  end if;
  select * into v_row from askback.tool_executions
  where id = p_invocation_id and user_id = p_user_id for update;
  if not found then
    return json_build_object('stored', v_stored);
  end if;

  -- Its conversation was deleted: only the fact that something happened is kept.
  if v_row.turn_id is not null and v_row.conversation_id is null then
    p_result := null;
  end if;
  v_settles := (p_delivery_id is null or v_row.delivery_id = p_delivery_id)
    and (v_row.status = 'running' or (v_row.status = 'unknown' and p_status in ('succeeded', 'failed')));
  if v_settles then
    update askback.tool_executions set
      -- A delivered write can no longer be cancelled.
      status = case when p_status = 'cancelled' and delivery_id is not null then 'unknown' else p_status end,
      result = p_result,
      duration_ms = p_duration_ms,
      closed = p_delivery_id is null,
      settled_at = clock_timestamp()
    where id = v_row.id;
    -- Until now it may have counted as open. If somebody else holds the conversation's lock, they will count.
    perform askback_private.count_open(c.user_id, c.id)
    from (
      select user_id, id from askback.conversations
      where user_id = p_user_id and id = v_row.conversation_id and open_count > 0 for update skip locked
    ) c;
  elsif p_delivery_id is null and v_row.status = 'failed' then
    update askback.tool_executions set
      closed = true, result = coalesce(result, p_result), duration_ms = coalesce(duration_ms, p_duration_ms)
    where id = v_row.id;
  end if;
  return json_build_object('stored', v_stored);
end
$$;

-- Running writes whose lease has run out become unknown, or are withdrawn. Decisions check the lease themselves; this is
-- for everybody who only reads the status.
create function askback_private.expire_executions() returns integer
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
  v_expired integer := 0;
begin
  for v_row in
    select * from askback.tool_executions
    where status = 'running' and lease_expires_at < clock_timestamp()
    for update skip locked
  loop
    perform askback_private.expire_execution(v_row);
    v_expired := v_expired + 1;
  end loop;
  return v_expired;
end
$$;
