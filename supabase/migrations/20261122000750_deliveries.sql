-- Deliveries: of all requests for one write, one runs the effect, and records how it can be found.

-- A write whose function may run its effect, or ask its provider about it: { write: as of write_json, deliveryId, providerKey:
-- what the provider is told, note: how the effect can be found, effectStartedAt, connections: as of usable_connections }.
create function askback_private.delivery_json(p_write askback.tool_executions, p_effect json) returns json
language plpgsql set search_path = '' as $$
begin
  return json_build_object(
    'write', askback_private.write_json(p_write),
    'deliveryId', p_write.delivery_id,
    'providerKey', p_write.provider_key,
    'note', p_write.note,
    'effectStartedAt', p_write.effect_started_at,
    'connections', askback_private.usable_connections(
      p_write.user_id,
      array(select json_array_elements_text(coalesce(p_effect -> 'providers', '[]'))),
      (p_effect ->> 'agentId')::uuid,
      p_effect ->> 'toolName'
    )
  );
end
$$;

-- Allows one delivery to run the effect, and returns the connections in the same round trip. The integration function
-- calls it right before the effect. A call that no run has claimed gets its own row.
--
-- in   p_effect: { deliveryId, idempotencyKey?, toolName, arguments, argumentHash, providers: [text], agentId?,
--      hasSecondFactor?, leaseSeconds }
-- out  { proceed: true, delivery: as of delivery_json, with the note of an earlier one, earlierNote: of the write whose
--      provider key this one keeps }
--      { proceed: false, write: as of write_json }: what has become of it
--      { proceed: false, refused: mismatch | switched_off | approvers: no run has claimed it,
--      and a group decides about calls of the tool }
create function askback.begin_effect(p_user_id uuid, p_effect json) returns json
language plpgsql set search_path = '' as $$
declare
  v_delivery uuid := (p_effect ->> 'deliveryId')::uuid;
  v_key text := coalesce(p_effect ->> 'idempotencyKey', p_effect ->> 'deliveryId');
  v_lease interval := make_interval(secs => coalesce((p_effect ->> 'leaseSeconds')::double precision, 60));
  v_id uuid := gen_random_uuid();
  v_row askback.tool_executions;
  v_may_run boolean;
  v_is_off boolean := askback.switched_off_reason(p_effect ->> 'toolName') is not null;
begin
  loop
    v_row := askback_private.live_execution(p_user_id, v_key);
    if v_row.id is null then
      select * into v_row from askback.tool_executions
      where user_id = p_user_id and idempotency_key = v_key
      order by position desc limit 1
      for update;
      -- It became live while we waited for its lock.
      continue when v_row.status in ('running', 'succeeded', 'unknown');
    end if;
    -- A claimed write is settled, whatever has become of its user since.
    if v_row.status is distinct from 'running' then
      perform askback_private.require_account(p_user_id);
    end if;

    if v_row.id is null then
      if v_is_off then
        return json_build_object('proceed', false, 'refused', 'switched_off');
      end if;
      if askback_private.is_for_approvers(p_user_id, p_effect ->> 'toolName') then
        return json_build_object('proceed', false, 'refused', 'approvers');
      end if;
      -- Nobody but the caller has decided this.
      if p_effect ->> 'hasSecondFactor' is null then
        perform askback_private.refuse_without_factor();
      end if;
      insert into askback.tool_executions (
        id, user_id, session_id, tool_call_id, tool_name, effect, arguments, argument_hash, idempotency_key, provider_key,
        status, lease_expires_at, delivery_id, effect_started_at
      ) values (
        v_id, p_user_id, v_id::text, v_id::text, p_effect ->> 'toolName', 'write',
        coalesce(p_effect -> 'arguments', '{}'), p_effect ->> 'argumentHash', v_key, v_key, 'running',
        clock_timestamp() + v_lease, v_delivery, clock_timestamp()
      )
      on conflict do nothing
      returning * into v_row;
      -- Another delivery was faster: look at it.
      continue when v_row.id is null;
      exit;
    end if;

    if v_row.tool_name is distinct from p_effect ->> 'toolName'
      or v_row.argument_hash is distinct from p_effect ->> 'argumentHash'
    then
      return json_build_object('proceed', false, 'refused', 'mismatch');
    end if;

    -- Running: for the first delivery, even if that is repeated. Failed: it provably did not run and may be tried again;
    -- a claimed write only while its run is running, somebody is waiting for it, and the run has not settled it.
    v_may_run := case v_row.status
      when 'running' then coalesce(v_row.delivery_id, v_delivery) = v_delivery
      when 'failed' then v_row.turn_id is null or (
        not v_row.closed and exists (
          select 1 from askback.runs where id = v_row.run_id and status = 'running' and left_at is null
        )
      )
      else false
    end;
    if not v_may_run then
      return json_build_object('proceed', false, 'write', askback_private.write_json(v_row));
    end if;
    -- A delivery that was allowed before the tool was switched off continues.
    if v_is_off and v_row.delivery_id is distinct from v_delivery then
      return json_build_object('proceed', false, 'refused', 'switched_off');
    end if;
    begin
      update askback.tool_executions set
        status = 'running', result = null, duration_ms = null, settled_at = null, delivery_id = v_delivery,
        effect_started_at = coalesce(case when delivery_id = v_delivery then effect_started_at end, clock_timestamp()),
        lease_expires_at = greatest(lease_expires_at, clock_timestamp() + v_lease)
      where id = v_row.id
      returning * into v_row;
      exit;
    exception
      -- The write has just been claimed again: look at that claim.
      when unique_violation then null;
    end;
  end loop;

  return json_build_object(
    'proceed', true,
    'delivery', askback_private.delivery_json(v_row, p_effect),
    'earlierNote', case when v_row.provider_key <> v_key then (
      select e.note from askback.tool_executions e
      where e.user_id = p_user_id and e.idempotency_key = v_row.provider_key
      order by e.position desc limit 1
    ) end
  );
end
$$;

-- Records how an effect that is about to happen can be found later, like the id of a draft, in place of what it recorded
-- before. It may be repeated.
--
-- out  false: this delivery may no longer run, or somebody has amended its note
create function askback.note_effect(
  p_user_id uuid, p_invocation_id uuid, p_delivery_id uuid, p_earlier json, p_note json
) returns boolean
language sql set search_path = '' as $$
  with noted as (
    update askback.tool_executions set note = p_note
    where id = p_invocation_id and user_id = p_user_id and delivery_id = p_delivery_id and status = 'running'
      and (note::jsonb is not distinct from p_earlier::jsonb or note::jsonb = p_note::jsonb)
    returning 1
  )
  select exists (select 1 from noted)
$$;

-- What is known about a write that may have happened, for the function that asks its provider.
--
-- in   p_effect: { idempotencyKey, toolName, argumentHash, providers: [text], agentId? }
-- out  as of delivery_json; null: there is no such write
create function askback.load_effect(p_user_id uuid, p_effect json) returns json
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
  return askback_private.delivery_json(v_row, p_effect);
end
$$;

-- Cancels a delivery that records what it does before it does it, and has recorded nothing. From now on it cannot run.
--
-- out  false: it has recorded something, or is over
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

-- Replaces what a delivery has recorded. If several callers check the same effect, one succeeds.
--
-- out  false: another one was faster
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
