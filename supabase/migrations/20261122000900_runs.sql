-- The life of a run. Callers hold the lock on the conversation's row.

-- Why there is no run: a code, which the calling function turns into a sentence.
create function askback_private.refusal(p_code text) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_build_object('kind', 'error', 'code', p_code);
end
$$;

-- Lets in a request that may begin a run: holds its account until the end of the transaction, fails unless that may act, and
-- notes what the request says of its reader. Why it may begin none; null if it may.
--
-- in   p_request: { version: of the code, runId, timezone?, language? }
create function askback_private.let_in(p_user_id uuid, p_request json) returns json
language plpgsql set search_path = '' as $$
begin
  if not askback_private.is_accepted(p_request -> 'version') then
    return askback_private.refusal('version_not_accepted');
  end if;
  perform askback_private.hold_account(p_user_id);
  perform askback_private.require_account(p_user_id);
  perform askback_private.note_reader(p_user_id, p_request);
  if p_request ->> 'runId' is null then
    raise exception 'A request that may begin a run needs a runId' using errcode = 'invalid_parameter_value';
  end if;
  return null;
end
$$;

-- Whether a run that was to continue something died before it had written anything: then it counts as if it had never
-- existed.
create function askback_private.left_no_trace(p_run askback.runs) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_run.status = 'interrupted' and p_run.resumed_run_id is not null
      and not exists (select 1 from askback.entries e where e.run_id = p_run.id)
  );
end
$$;

-- The newest run of a conversation, or of one of its messages or turns; null if there is none.
create function askback_private.newest_run(
  p_user_id uuid, p_conversation_id text, p_message_id text default null, p_turn_id uuid default null
) returns askback.runs
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.runs;
begin
  select r.* into v_found from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    and (p_message_id is null or r.message_id = p_message_id)
    and (p_turn_id is null or r.turn_id = p_turn_id)
    and not askback_private.left_no_trace(r)
  order by r.started_at desc limit 1;
  return v_found;
end
$$;

-- Whether something else has taken the place of a run whose process was silent: its message was cut off or goes on in
-- another run, or somebody has decided otherwise about an item that it was to continue.
create function askback_private.is_replaced(p_run askback.runs) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_run.status = 'interrupted' and (
      p_run.superseded_at is not null
      or exists (
        select 1 from askback.runs
        where user_id = p_run.user_id and conversation_id = p_run.conversation_id
          and message_id = p_run.message_id and started_at > p_run.started_at
      )
      or exists (
        select 1 from askback.open_items i
        where i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id
          and i.id in (select item ->> 'itemId' from json_array_elements(p_run.decided) item)
          -- One that had expired before is asked again.
          and i.closed_at > p_run.started_at and i.closed_by is distinct from p_run.id
      )
    )
  );
end
$$;

-- The run that writes the message of one whose process was silent; null if there is none.
create function askback_private.replaced_by(p_run askback.runs) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (
    select id from askback.runs
    where p_run.status = 'interrupted' and user_id = p_run.user_id and conversation_id = p_run.conversation_id
      and message_id = p_run.message_id and started_at > p_run.started_at
    order by started_at desc limit 1
  );
end
$$;

-- A run as its own process finds it: running again if that was silent for longer than its lease, and nothing has begun in
-- its conversation since.
create function askback_private.regain_run(p_run askback.runs) returns askback.runs
language plpgsql set search_path = '' as $$
begin
  -- One that was given back still has its lease.
  if p_run.status = 'interrupted' and p_run.lease_expires_at <= p_run.finished_at and not askback_private.is_replaced(p_run)
    and not exists (
      select 1 from askback.runs
      where user_id = p_run.user_id and conversation_id = p_run.conversation_id and started_at > p_run.started_at
    )
  then
    update askback.runs set
      status = 'running', finished_at = null, lease_expires_at = clock_timestamp() + interval '15 seconds'
    where id = p_run.id
    returning * into p_run;
  end if;
  return p_run;
end
$$;

-- Why a run may do nothing more: { isOvertaken: its user has written again, isLost: something else has taken its place }.
-- With neither, somebody has stopped it.
create function askback_private.loss_of(p_run askback.runs) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'isOvertaken', coalesce(p_run.overtaken or (p_run.status = 'interrupted' and not lost), false),
      'isLost', coalesce(lost, false)
    )
    from (select askback_private.is_replaced(p_run) as lost) replaced
  );
end
$$;

-- Closes the waits for the clock of stopped runs.
create function askback_private.end_waits_of_stopped(p_user_id uuid, p_conversation_id text) returns void
language plpgsql set search_path = '' as $$
begin
  perform askback_private.close_item(i, 'stop')
  from askback.open_items i
  join askback.runs r on r.id = i.run_id
  where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.kind = 'wait' and i.closed_at is null
    and r.status = 'stopped';
end
$$;

-- Stops runs whose client has left, and ends those whose lease has run out: their process has died. Whatever such a run
-- was to continue, and has not, can be decided again.
create function askback_private.expire_runs(p_user_id uuid, p_conversation_id text) returns void
language sql set search_path = '' as $$
  select askback_private.heed_followers(r) from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    and r.left_at is not null and r.status in ('running', 'waiting');
  select askback_private.add_cut_calls(r, askback_private.open_calls(r.id)) from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    and r.status in ('running', 'stopping') and r.lease_expires_at < clock_timestamp();
  with dead as (
    update askback.runs set
      status = case status when 'stopping' then 'stopped' else 'interrupted' end,
      finished_at = clock_timestamp()
    where user_id = p_user_id and conversation_id = p_conversation_id
      and status in ('running', 'stopping') and lease_expires_at < clock_timestamp()
    returning 1
  )
  -- Writes that it started and did not end may have happened.
  select askback_private.count_open(p_user_id, p_conversation_id) where exists (select from dead);
  select askback_private.end_waits_of_stopped(p_user_id, p_conversation_id);
  select askback_private.expire_items(p_user_id, p_conversation_id)
$$;

-- Asks the running run of a conversation to stop, and ends waits for the clock. A run whose process is silent is stopped
-- too, so that neither that process nor the clock goes on with it. Returns the run that is stopping, else the one that
-- waited or was silent, else null. p_overtaken: because the user has written again.
create function askback_private.stop_runs(
  p_user_id uuid, p_conversation_id text, p_overtaken boolean default false
) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
  v_waited askback.runs;
  v_silent askback.runs;
  v_stopping askback.runs;
begin
  for v_item in
    select * from askback.open_items
    where user_id = p_user_id and conversation_id = p_conversation_id and kind = 'wait' and closed_at is null
    for update
  loop
    perform askback_private.close_item(v_item, 'stop');
    update askback.runs set status = 'stopped', finished_at = clock_timestamp()
    where id = v_item.run_id and status = 'waiting'
    returning * into v_waited;
  end loop;
  if not p_overtaken then
    update askback.runs r set status = 'stopped'
    where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.status = 'interrupted'
      -- One that was given back still has its lease.
      and r.lease_expires_at <= r.finished_at and r.superseded_at is null and r.started_at > now() - interval '1 hour'
      and not exists (
        select 1 from askback.runs later
        where later.user_id = p_user_id and later.conversation_id = p_conversation_id and later.started_at > r.started_at
      )
    returning * into v_silent;
  end if;
  update askback.runs set status = 'stopping', overtaken = p_overtaken
  where user_id = p_user_id and conversation_id = p_conversation_id and status = 'running';
  select * into v_stopping from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and status = 'stopping'
  order by started_at desc limit 1;
  return case when v_stopping.id is not null then v_stopping when v_waited.id is not null then v_waited else v_silent end;
end
$$;

-- Starts a run, stores the messages that it answers and reserves the place of its own. A run that continues another one
-- writes that one's message. With p_decided (open items) that one waited for them; without, it died.
create function askback_private.start_run(
  p_conversation askback.conversations,
  p_run_id uuid,
  p_turn_id uuid,
  p_agent_id uuid,
  p_request_hash text,
  p_lease_seconds double precision,
  p_goes_on_with askback.runs default null,
  p_decided json default null,
  p_messages json default '[]',
  p_message_ids text[] default '{}',
  p_client json default null,
  p_message_key text default null
) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  insert into askback.runs (
    id, user_id, conversation_id, turn_id, message_id, agent_id, resumed_run_id, root_run_id, decided, request_hash,
    client, message_key, started_at, lease_expires_at, reserved
  ) values (
    p_run_id, p_conversation.user_id, p_conversation.id, p_turn_id,
    coalesce(p_goes_on_with.message_id, p_run_id::text), p_agent_id,
    case when p_decided is not null then p_goes_on_with.id end, coalesce(p_goes_on_with.root_run_id, p_run_id),
    coalesce(p_decided, '[]'), p_request_hash, p_client, p_message_key,
    -- Not now(): runs are ordered by when they got the conversation's lock.
    clock_timestamp(), clock_timestamp() + make_interval(secs => coalesce(p_lease_seconds, 15)),
    askback_private.reserve_budget(p_conversation.user_id, p_agent_id, p_run_id)
  )
  returning * into v_run;
  perform askback_private.store_messages(v_run, p_messages, p_message_ids);
  if p_goes_on_with.id is null then
    insert into askback.messages (user_id, conversation_id, id, turn_id, role)
    values (v_run.user_id, v_run.conversation_id, v_run.message_id, v_run.turn_id, 'assistant');
  end if;
  -- A decision about something older does not choose the agent of the next message, nor where its history begins.
  update askback.conversations c set
    agent_id = case when p_decided is null then p_agent_id else agent_id end,
    -- A new message takes it out of the archive.
    archived = archived and p_decided is not null,
    history_start = case when p_decided is null then h.start else history_start end,
    history_older = case when p_decided is null then h.older else history_older end,
    updated_at = clock_timestamp()
  from askback_private.history_start(
    p_conversation, askback_private.position_of(v_run.user_id, v_run.conversation_id, v_run.message_id)
  ) h
  where user_id = v_run.user_id and id = v_run.conversation_id
    -- One that was made for this run is up to date.
    and created_at <> now();
  return v_run;
end
$$;

-- Keeps a run alive, or takes it up again, stores what it has written, renews what it may use, and returns whether it
-- should stop.
--
-- in   p_entries: as for append_entries
-- out  { stopRequested, isOvertaken, isLost: as of loss_of, isOver: whether it no longer runs, reserved: as of
--      reserve_budget, null if isOver, refusal: as of account_refusal, absent if isOver }
create function askback.heartbeat_run(
  p_run_id uuid, p_lease_seconds integer default 15, p_entries json default '[]'
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs := askback_private.heed_followers(askback_private.regain_run(askback_private.lock_run(p_run_id)));
begin
  if v_run.status in ('running', 'stopping') then
    perform askback_private.append_entries(v_run, p_entries);
    update askback.runs set
      lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds),
      reserved = askback_private.reserve_budget(user_id, agent_id, id)
    where id = p_run_id
    returning * into v_run;
    return json_build_object(
      'stopRequested', v_run.status = 'stopping', 'isOvertaken', v_run.overtaken, 'isLost', false, 'isOver', false,
      'reserved', v_run.reserved, 'refusal', askback.account_refusal(v_run.user_id)
    );
  end if;
  return askback_private.loss_of(v_run) || jsonb_build_object('stopRequested', true, 'isOver', true, 'reserved', null);
end
$$;

-- Asks the run of a conversation to stop.
--
-- out  { runId: null if there was nothing to stop }; null: the user has no such conversation
create function askback.stop_run(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return null;
  end if;
  perform askback_private.expire_runs(p_user_id, p_conversation_id);
  v_run := askback_private.stop_runs(p_user_id, p_conversation_id);
  return json_build_object('runId', v_run.id);
end
$$;
