-- What is known of a write that may have happened, for the function that asks its provider, with the connections to
-- ask through; null when there is no such write.
create or replace function askback.load_effect(p_user_id uuid, p_effect json) returns json
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
begin
  select * into v_row from askback.tool_executions
  where user_id = p_user_id and idempotency_key = p_effect ->> 'idempotencyKey'
    and tool_name = p_effect ->> 'toolName' and argument_hash = p_effect ->> 'argumentHash'
  order by position desc limit 1;
  if not found then
    return null;
  end if;
  return json_build_object(
    'invocationId', v_row.id,
    'deliveryId', v_row.delivery_id,
    'status', v_row.status,
    'note', v_row.note,
    'effectStartedAt', v_row.effect_started_at,
    'connections', askback.load_connections(
      p_user_id,
      array(select json_array_elements_text(coalesce(p_effect -> 'providers', '[]'))),
      (p_effect ->> 'agentId')::uuid,
      p_effect ->> 'toolName'
    )
  );
end
$$;

-- Calls off a delivery that writes down what it does before it does it, and has written nothing: from now on it cannot.
create function askback.call_off_effect(p_user_id uuid, p_invocation_id uuid, p_delivery_id uuid) returns boolean
language sql set search_path = '' as $$
  with called_off as (
    update askback.tool_executions
    set status = 'failed', result = null, settled_at = clock_timestamp()
    where id = p_invocation_id and user_id = p_user_id and delivery_id = p_delivery_id
      and note is null and status in ('running', 'unknown')
    returning 1
  )
  select exists (select 1 from called_off)
$$;

-- Replaces what a delivery has written down. Of any number who look into the same effect one succeeds.
create function askback.amend_note(
  p_user_id uuid, p_invocation_id uuid, p_delivery_id uuid, p_earlier json, p_note json
) returns boolean
language sql set search_path = '' as $$
  with amended as (
    update askback.tool_executions set note = p_note
    where id = p_invocation_id and user_id = p_user_id and delivery_id = p_delivery_id
      and note::jsonb = p_earlier::jsonb and status in ('running', 'unknown')
    returning 1
  )
  select exists (select 1 from amended)
$$;

revoke execute on function
  askback.call_off_effect(uuid, uuid, uuid),
  askback.amend_note(uuid, uuid, uuid, json, json)
from public;

grant execute on function
  askback.call_off_effect(uuid, uuid, uuid),
  askback.amend_note(uuid, uuid, uuid, json, json)
to service_role;
