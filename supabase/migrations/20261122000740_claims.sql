-- Claiming a write for a run, before it begins.

-- Why a run may not write; null if it may. As of claim_invocation.
create function askback_private.writer_refusal(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_loss jsonb;
  v_refused text;
begin
  if p_run.status is distinct from 'running' then
    v_loss := askback_private.loss_of(p_run);
    return jsonb_strip_nulls(jsonb_build_object(
      'claimed', false, 'status', 'stopped',
      'isOvertaken', nullif(v_loss -> 'isOvertaken', 'false'), 'isLost', nullif(v_loss -> 'isLost', 'false')
    ));
  end if;
  v_refused := askback.account_refusal(p_run.user_id);
  return case when v_refused is not null then json_build_object('claimed', false, 'status', v_refused) end;
end
$$;

-- Whether a run writes for a client of the OpenAI protocol. Such writes count across conversations, so the user's are
-- claimed one after the other. Taken after the conversation's own lock, to avoid deadlocks.
create function askback_private.lock_client_writes(p_run askback.runs) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_by_client boolean := (
    select client_chat is not null from askback.conversations
    where user_id = p_run.user_id and id = p_run.conversation_id
  );
begin
  if v_by_client then
    perform pg_advisory_xact_lock(hashtextextended('askback by_client ' || p_run.user_id, 0));
  end if;
  return v_by_client;
end
$$;

-- The write that holds the claim of an invocation; null if it is free.
create function askback_private.claim_holder(
  p_run askback.runs, p_invocation json, p_key text
) returns askback.tool_executions
language plpgsql set search_path = '' as $$
declare
  v_holder askback.tool_executions := askback_private.live_execution(p_run.user_id, p_key);
begin
  if v_holder.id is null and (p_invocation ->> 'repetition')::integer > 0 then
    -- The user was asked whether to do this very call again; since then its first try turned out to be carried out.
    select * into v_holder from askback.tool_executions
    where user_id = p_run.user_id and conversation_id = p_run.conversation_id
      and tool_call_id = p_invocation ->> 'toolCallId' and argument_hash = p_invocation ->> 'argumentHash'
      and idempotency_key is not null and status = 'succeeded'
    order by position desc limit 1;
  end if;
  return v_holder;
end
$$;

create function askback_private.won_claim(p_id uuid, p_key text, p_is_second boolean) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_strip_nulls(json_build_object(
    'claimed', true, 'invocationId', p_id, 'idempotencyKey', p_key, 'isSecond', nullif(p_is_second, false)
  ));
end
$$;

-- What an invocation gets whose claim is held: its own again, or what has become of the write that holds it.
create function askback_private.held_claim(
  p_run askback.runs, p_invocation json, p_key text, p_holder askback.tool_executions
) returns json
language plpgsql stable set search_path = '' as $$
begin
  if p_holder.id = (p_invocation ->> 'id')::uuid and p_holder.status = 'running' then
    return askback_private.won_claim(p_holder.id, p_key, askback_private.is_second_try(p_holder));
  end if;
  return json_build_object(
    'claimed', false, 'status', p_holder.status, 'write', askback_private.write_json(p_holder),
    -- An approved repetition gets the next number.
    'latestRepetition', (
      select max(e.repetition) from askback.tool_executions e
      where e.turn_id = p_run.turn_id and e.tool_name = p_holder.tool_name
        and e.argument_hash = p_holder.argument_hash and e.idempotency_key is not null
    )
  );
end
$$;

-- Why somebody has to be asked before a free claim is made, or it has to wait; null if it may be made.
create function askback_private.claim_refusal(
  p_run askback.runs, p_invocation json, p_arguments json, p_permissions uuid[]
) returns json
language plpgsql set search_path = '' as $$
declare
  v_earlier json := askback_private.earlier_write(p_run, p_invocation, p_arguments);
  v_hold jsonb;
begin
  if not askback_private.is_approved_call(p_run, p_invocation ->> 'toolName', p_invocation ->> 'toolCallId') then
    return json_build_object('claimed', false, 'status', 'not_permitted');
  end if;
  if v_earlier is not null then
    return json_build_object(
      'claimed', false, 'status', 'same', 'earlier', v_earlier, 'isPermitted', p_permissions is not null
    );
  end if;
  if p_invocation -> 'needs' is not null and p_permissions is null then
    return json_strip_nulls(json_build_object(
      'claimed', false,
      'status', 'not_permitted',
      'spent', askback_private.spent_permission(p_run, p_invocation ->> 'toolName', p_invocation -> 'needs')
    ));
  end if;
  v_hold := askback_private.write_hold(p_run.user_id, p_invocation ->> 'toolName');
  return case when v_hold is not null then json_build_object('claimed', false, 'status', 'limited', 'hold', v_hold) end;
end
$$;

-- Stores a claim; false if this very invocation has been settled otherwise. Fails with unique_violation if another claim
-- was faster.
create function askback_private.store_claim(
  p_run askback.runs, p_invocation json, p_arguments json, p_key text, p_provider_key text, p_permissions uuid[],
  p_by_client boolean
) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_id uuid := (p_invocation ->> 'id')::uuid;
begin
  insert into askback.tool_executions as existing (
    id, user_id, conversation_id, turn_id, run_id, session_id, tool_call_id, tool_name, effect, attempt, intent,
    repetition, arguments, repairs, argument_hash, sourced, named, people, answers, repeats, led_by, by_client,
    used_permissions, unasked_by, idempotency_key, provider_key, status, lease_expires_at
  ) values (
    v_id,
    p_run.user_id,
    p_run.conversation_id,
    p_run.turn_id,
    p_run.id,
    askback_private.session_of(p_run.root_run_id, v_id, (p_invocation ->> 'intent')::integer),
    p_invocation ->> 'toolCallId',
    p_invocation ->> 'toolName',
    'write',
    coalesce((p_invocation ->> 'attempt')::integer, 1),
    coalesce((p_invocation ->> 'intent')::integer, 0),
    coalesce((p_invocation ->> 'repetition')::integer, 0),
    p_arguments,
    coalesce(p_invocation -> 'repairs', '[]'),
    p_invocation ->> 'argumentHash',
    coalesce(p_invocation #>> '{meaning,sourced}', ''),
    coalesce(p_invocation #>> '{meaning,named}', ''),
    coalesce(askback_private.text_list(p_invocation #> '{meaning,people}'), '{}'),
    coalesce(p_invocation #>> '{meaning,answers}', ''),
    coalesce((p_invocation #>> '{meaning,repeats}')::boolean, false),
    (askback_private.message_of_run(p_run)).id,
    p_by_client,
    p_permissions,
    case when (p_invocation ->> 'unasked')::boolean and p_permissions is null then p_run.agent_id end,
    p_key,
    p_provider_key,
    'running',
    clock_timestamp() + make_interval(secs => coalesce((p_invocation ->> 'leaseSeconds')::double precision, 60))
  )
  -- The same invocation again: it provably did not run.
  on conflict (id) do update set
    run_id = excluded.run_id, arguments = excluded.arguments, repairs = excluded.repairs,
    argument_hash = excluded.argument_hash, repetition = excluded.repetition,
    sourced = excluded.sourced, named = excluded.named, people = excluded.people, answers = excluded.answers,
    repeats = excluded.repeats, led_by = excluded.led_by, by_client = excluded.by_client,
    used_permissions = excluded.used_permissions, unasked_by = excluded.unasked_by,
    idempotency_key = excluded.idempotency_key, provider_key = excluded.provider_key,
    status = 'running', result = null, duration_ms = null,
    lease_expires_at = excluded.lease_expires_at, delivery_id = null, effect_started_at = null,
    closed = false, created_at = excluded.created_at, settled_at = null, note = null
  where existing.user_id = excluded.user_id and existing.turn_id = excluded.turn_id
    and existing.tool_name = excluded.tool_name and existing.status = 'failed';
  return found;
end
$$;

-- Closes what a claim answers: the item that it continues. And nobody has to decide about an earlier try of this very call
-- any more.
create function askback_private.close_claimed(p_run askback.runs, p_invocation json) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.open_items set
    closed_at = clock_timestamp(),
    closed_as = case when (p_invocation ->> 'yields')::boolean then 'yielded' else 'replaced' end,
    closed_by = p_run.id
  where user_id = p_run.user_id and conversation_id = p_run.conversation_id
    and id = p_invocation ->> 'continues' and closed_at is null;
  perform askback_private.close_item(i, 'replaced')
  from askback.open_items i
  where i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id
    and i.tool_call_id = p_invocation ->> 'toolCallId' and i.outcome_unknown and i.closed_at is null;
end
$$;

-- Claims a write for a run, and stores what the run has written so far. Of any number of claims for one effect one wins;
-- the winner's own claim wins again if it is repeated.
--
-- in   p_invocation: { version: of the code, id, toolCallId, toolName, effect: write, attempt, intent, repetition,
--      arguments, argumentHash, repairs, meaning?: { sourced, named, people, answers, repeats }, siblings?: calls of the
--      same answer of the model, itemAskedAt?, coveredUntil?, newSince?, continues?: the item that the claim closes,
--      yields?: that one was for other people, needs?: as for covering_permissions, unasked?: nobody was asked about
--      it, leaseSeconds }; p_entries: as for append_entries
-- out  { claimed: true, invocationId, idempotencyKey, isSecond?: nobody knows what became of an equal one before it }
--      { claimed: false, status: version_not_accepted }
--      { claimed: false, status: stopped, isOvertaken?: true, isLost?: true, as of loss_of }: the run may no longer
--      write
--      { claimed: false, status: unknown_user | account_disabled | anonymous_refused }: nor may its user
--      { claimed: false, status: left }: nobody is waiting for the answer right now, ask again in a second
--      { claimed: false, status: same, earlier: as of find_same_write, isPermitted: standing permissions cover it }
--      { claimed: false, status: not_permitted, spent?: as of spent_permission }: no standing permission covers it, or
--      not everybody has approved it who has to
--      { claimed: false, status: limited, hold: as of write_hold }
--      { claimed: false, status: running | succeeded | unknown, write: as of write_json, latestRepetition }: if it is of this
--      very call, its process has died
create function askback.claim_invocation(p_run_id uuid, p_invocation json, p_entries json default '[]') returns json
language plpgsql set search_path = '' as $$
declare
  v_arguments json := p_invocation -> 'arguments';
  v_call json := askback_private.without(p_invocation, 'arguments');
  v_run askback.runs;
  v_key text;
  v_by_client boolean;
  v_holder askback.tool_executions;
  v_permissions uuid[];
  v_provider record;
  v_refused json;
begin
  if not askback_private.is_accepted(v_call -> 'version') then
    return json_build_object('claimed', false, 'status', 'version_not_accepted');
  end if;
  -- The lock separates a stop from this claim, and of two writes that mean the same the second one sees the first.
  v_run := askback_private.heed_followers(askback_private.regain_run(askback_private.lock_run(p_run_id)));
  v_refused := askback_private.writer_refusal(v_run);
  if v_refused is not null then
    return v_refused;
  end if;
  if v_call ->> 'effect' is distinct from 'write' then
    raise exception 'only writes are claimed; % is a %', v_call ->> 'toolName', v_call ->> 'effect'
    using errcode = 'invalid_parameter_value';
  end if;
  perform askback_private.append_entries(v_run, p_entries);
  if v_run.left_at is not null then
    return json_build_object('claimed', false, 'status', 'left');
  end if;
  v_by_client := askback_private.lock_client_writes(v_run);
  v_key := askback_private.idempotency_key(
    v_run.user_id, v_run.turn_id, v_call ->> 'toolName', v_call ->> 'argumentHash',
    coalesce((v_call ->> 'repetition')::integer, 0)
  );

  loop
    v_holder := askback_private.claim_holder(v_run, v_call, v_key);
    if v_holder.id is not null then
      return askback_private.held_claim(v_run, v_call, v_key, v_holder);
    end if;
    v_permissions := case
      when v_call -> 'needs' is not null
      then askback_private.covering_permissions(v_run, v_call ->> 'toolName', v_call -> 'needs')
    end;
    v_refused := askback_private.claim_refusal(v_run, v_call, v_arguments, v_permissions);
    if v_refused is not null then
      return v_refused;
    end if;
    v_provider := askback_private.provider_key(v_run, v_call, v_key);
    begin
      if not askback_private.store_claim(
        v_run, v_call, v_arguments, v_key, v_provider.provider_key, v_permissions, v_by_client
      ) then
        return json_build_object('claimed', false, 'status', 'stopped');
      end if;
      perform askback_private.use_permissions(v_permissions);
      perform askback_private.close_claimed(v_run, v_call);
      return askback_private.won_claim((v_call ->> 'id')::uuid, v_key, v_provider.is_second);
    exception
      -- Another claim was faster: look at it.
      when unique_violation then null;
    end;
  end loop;
end
$$;
