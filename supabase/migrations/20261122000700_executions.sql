-- The ledger: a write is claimed for a run, allowed to run its effect once, and settled.
-- Its rows, by the key under which the same effect is tried.

-- By what the ledger knows a write: equal each time that the same effect is tried.
create function askback_private.idempotency_key(
  p_user_id uuid, p_turn_id uuid, p_tool_name text, p_argument_hash text, p_repetition integer
) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return encode(
    sha256(convert_to(concat_ws(E'\n', p_user_id, p_turn_id, p_tool_name, p_argument_hash, p_repetition), 'UTF8')),
    'hex'
  );
end
$$;

-- The id that all attempts of one intent share.
create function askback_private.session_of(p_root_run_id uuid, p_invocation_id uuid, p_intent integer) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return case when p_intent > 0 then p_root_run_id || '/' || p_intent else p_invocation_id::text end;
end
$$;

-- What is known about a write whose integration function did not answer, or whose lease has run out. If no delivery has
-- reached the effect, this withdraws it: it has certainly failed, and a late delivery is refused. Only for tools whose
-- function calls begin_effect.
--
-- out  as of write_json, without a result if it was withdrawn; null: there is no such write
create function askback.verify_invocation(p_user_id uuid, p_invocation_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
begin
  update askback.tool_executions set
    status = 'failed', closed = true, result = null, settled_at = clock_timestamp()
  where id = p_invocation_id and user_id = p_user_id and delivery_id is null and status in ('running', 'unknown');
  select * into v_row from askback.tool_executions where id = p_invocation_id and user_id = p_user_id;
  return askback_private.write_json(v_row);
end
$$;

-- Stores what has become of a running write whose lease has run out. The caller holds its lock.
create function askback_private.expire_execution(p_row askback.tool_executions) returns void
language plpgsql set search_path = '' as $$
begin
  if p_row.delivery_id is null then
    perform askback.verify_invocation(p_row.user_id, p_row.id);
  else
    update askback.tool_executions set status = 'unknown', settled_at = clock_timestamp() where id = p_row.id;
  end if;
end
$$;

-- The live row of a key, locked. A running one whose lease has run out becomes unknown here, or is withdrawn.
create function askback_private.live_execution(p_user_id uuid, p_idempotency_key text) returns askback.tool_executions
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
begin
  loop
    select * into v_row from askback.tool_executions
    where user_id = p_user_id and idempotency_key = p_idempotency_key
      and status in ('running', 'succeeded', 'unknown')
    for update;
    exit when v_row.id is null
      or v_row.status = askback_private.effective_status(v_row.status, v_row.lease_expires_at, v_row.delivery_id);
    perform askback_private.expire_execution(v_row);
  end loop;
  return v_row;
end
$$;
