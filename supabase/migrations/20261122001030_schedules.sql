-- Schedules: messages that the clock sends to an agent, as its user, at the times of a cron expression. The function
-- computes the times; what is due, and what became of it, is decided here.

create table askback.schedules (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  agent_id uuid not null references askback.agents (id) on delete cascade,
  message text not null check (message ~ '\S' and length(message) <= 10000),
  -- Five parts, read in this time zone.
  cron text not null check (length(cron) between 1 and 200),
  time_zone text not null check (length(time_zone) between 1 and 100),
  -- Nothing is due after it.
  until timestamptz,
  -- What becomes of a time that the clock was late for: it is carried out once, or left out.
  missed text not null default 'run' check (missed in ('run', 'skip')),
  -- When it is due next; null once it is over.
  next_at timestamptz,
  paused_at timestamptz,
  -- account: its user may not act; the clock resumes it once they may.
  paused_as text check (paused_as in ('user', 'failures', 'account')),
  -- Failures before it do not count.
  resumed_at timestamptz not null default now(),
  -- When the clock last handed out a time that is still due: it is not due again for 20 seconds.
  woken_at timestamptz,
  -- When the clock last handed it out: whose turn it was longest ago comes first.
  handed_at timestamptz,
  -- How often a run of it has begun.
  runs integer not null default 0,
  created_at timestamptz not null default now(),
  check ((paused_at is null) = (paused_as is null))
);

create index schedules_by_user on askback.schedules (user_id, created_at);
create index schedules_by_agent on askback.schedules (agent_id);
create index schedules_due on askback.schedules (next_at) where paused_at is null;
create index schedules_paused_by_account on askback.schedules (user_id) where paused_as = 'account';
create index schedules_due_by_user on askback.schedules (user_id, next_at) where paused_at is null;
create index schedules_handed_by_user on askback.schedules (user_id, handed_at);

alter table askback.schedules enable row level security;

grant all on askback.schedules to service_role;
grant select on askback.schedules to authenticated;

create policy "owners read their schedules" on askback.schedules
for select to authenticated using (user_id = (select auth.uid()));

-- What became of the times of a schedule; the newest 50 are kept.
create table askback.schedule_times (
  schedule_id uuid not null references askback.schedules (id) on delete cascade,
  due_at timestamptz not null,
  -- begun; open: left out, since the run before it was not over; missed: left out, since the clock was late; refused: no
  -- run could begin.
  outcome text not null check (outcome in ('begun', 'open', 'missed', 'refused')),
  -- Why it was refused: a code of the API.
  code text check (length(code) <= 100),
  run_id uuid references askback.runs (id) on delete set null,
  -- The message that it sends, and how often a run has begun for it.
  message_id text not null,
  tries integer not null default 1,
  noted_at timestamptz not null default now(),
  primary key (schedule_id, due_at)
);

create index schedule_times_by_run on askback.schedule_times (run_id) where run_id is not null;

alter table askback.schedule_times enable row level security;

grant all on askback.schedule_times to service_role;

-- All runs of a schedule are in one conversation.
create function askback_private.schedule_place(p_schedule askback.schedules) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return 'schedule-' || p_schedule.id;
end
$$;

-- A schedule as its owner sees it, with its newest 20 times. It is paused as long as an account that it needs is missing.
create function askback_private.schedule_json(p_schedule askback.schedules) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_missing_since timestamptz := (
    select min(asked_at) from askback.open_items
    where user_id = p_schedule.user_id and conversation_id = askback_private.schedule_place(p_schedule)
      and kind = 'connection' and closed_at is null
  );
begin
  return json_build_object(
    'id', p_schedule.id,
    'agentId', p_schedule.agent_id,
    'conversationId', askback_private.schedule_place(p_schedule),
    'message', p_schedule.message,
    'cron', p_schedule.cron,
    'timeZone', p_schedule.time_zone,
    'until', p_schedule.until,
    'missed', p_schedule.missed,
    'nextAt', case when p_schedule.paused_at is null and v_missing_since is null then p_schedule.next_at end,
    'pausedAt', coalesce(p_schedule.paused_at, v_missing_since),
    'pausedAs', coalesce(p_schedule.paused_as, case when v_missing_since is not null then 'connection' end),
    'createdAt', p_schedule.created_at,
    'runs', p_schedule.runs,
    'history', (
      select coalesce(
        json_agg(
          json_build_object('dueAt', t.due_at, 'outcome', t.outcome, 'code', t.code, 'runId', t.run_id, 'status', r.status)
          order by t.due_at desc
        ),
        '[]'
      )
      from (
        select * from askback.schedule_times where schedule_id = p_schedule.id order by due_at desc limit 20
      ) t
      left join askback.runs r on r.id = t.run_id
    )
  );
end
$$;

-- The schedules of a user, oldest first.
--
-- out  [as of schedule_json]
create function askback.list_schedules(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(askback_private.schedule_json(s) order by s.created_at, s.id), '[]')
    from askback.schedules s where s.user_id = p_user_id
  );
end
$$;

-- in   p_schedule: { id?: the same again changes nothing, agentId?, message, cron, timeZone, until?, missed, nextAt }
-- out  { schedule: as of schedule_json } | { kind: error, code: agent_not_found | too_many_schedules }
create function askback.add_schedule(p_user_id uuid, p_schedule json) returns json
language plpgsql set search_path = '' as $$
declare
  v_agent uuid;
  v_row askback.schedules;
begin
  perform askback_private.hold_account(p_user_id);
  perform askback_private.require_account(p_user_id);
  -- Locked, so that requests at the same time count each other's.
  perform askback_private.lock_usage(p_user_id);
  select * into v_row from askback.schedules where id = (p_schedule ->> 'id')::uuid and user_id = p_user_id;
  if v_row.id is not null then
    return json_build_object('schedule', askback_private.schedule_json(v_row));
  end if;
  v_agent := askback_private.choose_agent(p_user_id, p_schedule ->> 'agentId', null);
  if v_agent is null then
    return askback_private.refusal('agent_not_found');
  end if;
  if (select count(*) from askback.schedules where user_id = p_user_id) >= 100 then
    return askback_private.refusal('too_many_schedules');
  end if;
  insert into askback.schedules (id, user_id, agent_id, message, cron, time_zone, until, missed, next_at)
  values (
    coalesce((p_schedule ->> 'id')::uuid, gen_random_uuid()), p_user_id, v_agent, p_schedule ->> 'message', p_schedule ->> 'cron', p_schedule ->> 'timeZone',
    (p_schedule ->> 'until')::timestamptz, p_schedule ->> 'missed', (p_schedule ->> 'nextAt')::timestamptz
  )
  returning * into v_row;
  return json_build_object('schedule', askback_private.schedule_json(v_row));
end
$$;

-- Replaces what may be changed of a schedule.
--
-- in   p_change: { message, cron, timeZone, until: null if it has no end, missed, isPaused, nextAt }
-- out  { schedule: as of schedule_json }; null: this user has no such schedule
create function askback.change_schedule(p_user_id uuid, p_schedule_id uuid, p_change json) returns json
language plpgsql set search_path = '' as $$
declare
  v_row askback.schedules;
  v_is_paused boolean := (p_change ->> 'isPaused')::boolean;
begin
  update askback.schedules set
    message = p_change ->> 'message',
    cron = p_change ->> 'cron',
    time_zone = p_change ->> 'timeZone',
    until = (p_change ->> 'until')::timestamptz,
    missed = p_change ->> 'missed',
    next_at = (p_change ->> 'nextAt')::timestamptz,
    paused_at = case when v_is_paused then coalesce(paused_at, now()) end,
    paused_as = case when v_is_paused then coalesce(paused_as, 'user') end,
    resumed_at = case when paused_at is not null and not v_is_paused then now() else resumed_at end
  where id = p_schedule_id and user_id = p_user_id
  returning * into v_row;
  return case when v_row.id is not null then json_build_object('schedule', askback_private.schedule_json(v_row)) end;
end
$$;

-- Its conversation stays.
--
-- out  false: this user has no such schedule
create function askback.delete_schedule(p_user_id uuid, p_schedule_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from askback.schedules where id = p_schedule_id and user_id = p_user_id;
  return found;
end
$$;

-- Whether work in the conversation of a schedule is not over: a run, or something that waits for somebody.
create function askback_private.is_schedule_open(p_schedule askback.schedules) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_place text := askback_private.schedule_place(p_schedule);
begin
  return exists (
    select 1 from askback.runs
    where user_id = p_schedule.user_id and conversation_id = v_place and status in ('running', 'stopping')
  ) or exists (
    select 1 from askback.open_items
    where user_id = p_schedule.user_id and conversation_id = v_place and closed_at is null
  );
end
$$;

-- Times whose run was interrupted: its process died, or its model did not answer.
create function askback_private.interrupted_times() returns setof askback.schedule_times
language plpgsql stable set search_path = '' as $$
begin
  return query
  select t.* from askback.schedule_times t
  join askback.runs r on r.id = t.run_id
  where r.status = 'interrupted' and r.superseded_at is null and r.started_at > now() - interval '1 hour'
    and t.outcome = 'begun' and t.tries < 3;
end
$$;

-- Pauses a schedule whose newest three times since it was last resumed have all failed.
--
-- out  whether it did
create function askback.pause_failing_schedule(p_schedule_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  update askback.schedules s set paused_at = now(), paused_as = 'failures'
  where s.id = p_schedule_id and s.paused_at is null and (
    select count(*) = 3 and bool_and(newest.has_failed)
    from (
      select t.outcome = 'refused' or r.status = 'failed' or (r.status = 'interrupted' and t.tries >= 3) as has_failed
      from askback.schedule_times t
      left join askback.runs r on r.id = t.run_id
      where t.schedule_id = s.id and t.noted_at > s.resumed_at
      order by t.due_at desc limit 3
    ) newest
  );
  return found;
end
$$;

-- Whether a time of a schedule is to be carried out now. Without p_due_at somebody runs it by hand.
--
-- out  begin | again: its message is known | open: what came before is not over | null: it is not due (any more)
create function askback.judge_schedule_time(
  p_schedule_id uuid, p_message_id text, p_due_at timestamptz default null
) returns text
language plpgsql set search_path = '' as $$
declare
  v_schedule askback.schedules;
begin
  select * into v_schedule from askback.schedules where id = p_schedule_id for no key update;
  if v_schedule.id is null then
    return null;
  end if;
  if p_due_at is not null and (
    v_schedule.paused_at is not null
    or v_schedule.next_at is distinct from p_due_at
    and not exists (select 1 from askback_private.interrupted_times() t where t.schedule_id = v_schedule.id and t.due_at = p_due_at)
  ) then
    return null;
  end if;
  -- A message that is known finds its run again.
  return case
    when exists (
      select 1 from askback.messages
      where user_id = v_schedule.user_id and conversation_id = askback_private.schedule_place(v_schedule)
        and id = p_message_id
    ) then 'again'
    when askback_private.is_schedule_open(v_schedule) then 'open'
    else 'begin'
  end;
end
$$;

-- Notes what became of a time, and when the schedule is due next. The same time is noted once, and so is the same run.
--
-- in   p_time: { dueAt, messageId, outcome, code?, runId?, nextAt?: null if it is over; absent for a run by hand }
create function askback.note_schedule_time(p_schedule_id uuid, p_time json) returns void
language plpgsql set search_path = '' as $$
declare
  v_due timestamptz := (p_time ->> 'dueAt')::timestamptz;
  v_has_begun boolean;
begin
  -- Two requests for one run wait for each other here.
  perform 1 from askback.schedules where id = p_schedule_id for no key update;
  if p_time -> 'nextAt' is not null then
    update askback.schedules set next_at = (p_time ->> 'nextAt')::timestamptz, woken_at = null
    where id = p_schedule_id and next_at = v_due;
  end if;
  insert into askback.schedule_times as known (schedule_id, due_at, message_id, outcome, code, run_id)
  select id, v_due, p_time ->> 'messageId', p_time ->> 'outcome', p_time ->> 'code', (p_time ->> 'runId')::uuid
  from askback.schedules s
  where id = p_schedule_id and not exists (
    select 1 from askback.schedule_times earlier
    where earlier.schedule_id = s.id and earlier.run_id = (p_time ->> 'runId')::uuid
  )
  on conflict (schedule_id, due_at) do update set
    outcome = excluded.outcome, code = excluded.code, run_id = coalesce(excluded.run_id, known.run_id),
    tries = known.tries + 1
  returning outcome = 'begun' and tries = 1 into v_has_begun;
  if v_has_begun then
    update askback.schedules set runs = runs + 1 where id = p_schedule_id;
  end if;
  delete from askback.schedule_times
  where schedule_id = p_schedule_id and due_at < (
    select due_at from askback.schedule_times where schedule_id = p_schedule_id order by due_at desc offset 49 limit 1
  );
end
$$;

-- Pauses what is due of users who may not act, and resumes it once they may: what is due then has been due all the time.
create function askback_private.mind_accounts() returns void
language plpgsql set search_path = '' as $$
begin
  with paused as materialized (
    select distinct user_id from askback.schedules where paused_as = 'account'
  ),
  allowed as materialized (
    select user_id from paused where askback.account_refusal(user_id) is null
  )
  update askback.schedules s set paused_at = null, paused_as = null
  from allowed a
  where s.user_id = a.user_id and s.paused_as = 'account';
  with due as materialized (
    select distinct user_id from askback.schedules where paused_at is null and next_at <= now()
  ),
  refused as materialized (
    select user_id from due where askback.account_refusal(user_id) is not null
  )
  update askback.schedules s set paused_at = now(), paused_as = 'account'
  from refused r
  where s.user_id = r.user_id and s.paused_at is null;
end
$$;

-- The schedules that are due now, as the clock hands them out: every user's oldest first, of the user whose turn was
-- longest ago; and those whose run was interrupted within the last hour, as long as it was tried less than three times.
-- However many are due, only the users that have a turn are looked at closely.
create function askback_private.due_schedules(p_limit integer)
returns table (user_id uuid, place bigint, since timestamptz, schedule json)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with again as materialized (
    select s.user_id, t.schedule_id, t.due_at, t.message_id
    from askback_private.interrupted_times() t
    join askback.schedules s on s.id = t.schedule_id
    where s.paused_at is null and (s.woken_at is null or s.woken_at < now() - interval '20 seconds')
  ),
  waiting as (
    select user_id, min(since) as since
    from (
      select s.user_id, s.next_at as since from askback.schedules s
      where s.paused_at is null and s.next_at <= now() and (s.woken_at is null or s.woken_at < now() - interval '20 seconds')
      union all
      select user_id, due_at from again
    ) every
    group by user_id
  ),
  ordered as (
    select w.user_id, w.since, h.handed_at
    from waiting w
    cross join lateral (
      select max(s.handed_at) as handed_at from askback.schedules s where s.user_id = w.user_id
    ) h
    order by h.handed_at nulls first, w.since
    offset 0
  ),
  -- Whoever may not act is found out here, one after the other, until there are enough who may.
  chosen as materialized (
    select user_id, handed_at from ordered where askback.account_refusal(user_id) is null limit p_limit
  ),
  due as (
    select c.user_id, c.handed_at, one.*, row_number() over (partition by c.user_id order by one.due_at, one.schedule_id) as turn
    from chosen c
    cross join lateral (
      (
        select s.id as schedule_id, s.next_at as due_at, 'scheduled-' || floor(extract(epoch from s.next_at)) as message_id
        from askback.schedules s
        where s.user_id = c.user_id and s.paused_at is null and s.next_at <= now()
          and (s.woken_at is null or s.woken_at < now() - interval '20 seconds')
        order by s.next_at, s.id limit p_limit
      )
      union all
      select a.schedule_id, a.due_at, a.message_id from again a where a.user_id = c.user_id
    ) one
  )
  select
    due.user_id, row_number() over (order by due.turn, due.handed_at nulls first, due.due_at), due.due_at,
    json_build_object(
      'id', s.id, 'dueAt', due.due_at, 'messageId', due.message_id, 'agentId', s.agent_id,
      'conversationId', askback_private.schedule_place(s), 'message', s.message, 'cron', s.cron,
      'timeZone', s.time_zone, 'until', s.until, 'missed', s.missed
    )
  from due
  join askback.schedules s on s.id = due.schedule_id
  order by 2 limit p_limit;
end
$$;
