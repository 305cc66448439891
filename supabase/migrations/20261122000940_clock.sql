-- The clock: whatever continues without a request.

-- What is known of the clock: one row, which it and the chat function keep. Operators and `askback doctor` read it.
create table askback.clock (
  is_only boolean primary key default true check (is_only),
  -- When the job below, or the timer of the local stack, last looked.
  ticked_at timestamptz,
  -- When the job last sent a request to the chat function, and pg_net's id of it until its answer was seen.
  called_at timestamptz,
  request_id bigint,
  -- When such a request last reached the function, with a valid signature.
  came_at timestamptz,
  -- Why no request was sent, or what became of the last one; null if nothing is wrong.
  trouble text check (
    trouble in ('no_vault', 'no_url', 'no_secret', 'no_pg_net', 'refused', 'not_found', 'failed', 'no_answer')
  ),
  -- The HTTP status of the last answer that was seen.
  status integer,
  -- Which chain of requests continues runs, and until when no other one does.
  chain uuid,
  chain_until timestamptz
);

insert into askback.clock default values;

alter table askback.clock enable row level security;
grant select, update on askback.clock to service_role;

-- What was handed out to be continued within the last hour: it is not due again for 20 seconds, and later than the rest.
create table askback.woken_items (
  user_id uuid not null,
  conversation_id text not null,
  item_id text not null,
  woken_at timestamptz not null default clock_timestamp(),
  primary key (user_id, conversation_id, item_id),
  foreign key (user_id, conversation_id, item_id)
  references askback.open_items (user_id, conversation_id, id) on delete cascade
);

alter table askback.woken_items enable row level security;
grant all on askback.woken_items to service_role;

-- What the clock continues (a timer of the local stack, pg_cron on Supabase): waits whose time has come, runs that died
-- while carrying out a decision, cards for an account that was connected before they could be seen, once each, and
-- schedules. It also ends runs and writes whose process died, closes items that were open for too long, stops runs whose
-- client has left, and deletes unused files and chats without a name. Every user has a turn before anybody has a second one, and what was tried
-- a while ago comes after what was not. Of what waits for a limit, each user's oldest is continued first, one at a time.
-- After them come writes that may have happened, as long as their provider may know: a question to the user about one that
-- it answers is not needed, and a user who was told otherwise is told what it says.
--
-- out  [{ userId, conversationId, itemId, type: wait | input | approval | connection | skip, decision }
--      | { userId, conversationId, type: schedule, schedule: { id, dueAt, agentId, conversationId, message, cron, timeZone,
--      until, missed } }
--      | { userId, conversationId, type: unknown, unknown: { write: as of write_json, runId, agentId, function, action } }]
create function askback_private.due_runs(p_limit integer default 20) returns json
language plpgsql set search_path = '' as $$
declare
  v_dead record;
begin
  -- A write whose process died may have happened, and nobody was asked about it yet.
  for v_dead in
    select distinct user_id, conversation_id from askback.tool_executions
    where status = 'running' and lease_expires_at < clock_timestamp() and conversation_id is not null
  loop
    perform 1 from askback.conversations
    where user_id = v_dead.user_id and id = v_dead.conversation_id for update skip locked;
    if found then
      perform askback_private.count_open(v_dead.user_id, v_dead.conversation_id);
    end if;
  end loop;
  perform askback_private.expire_executions();
  perform askback_private.drop_abandoned_files();
  perform askback_private.forget_usage();
  perform askback_private.forget_passing_chats();
  for v_dead in
    select distinct user_id, conversation_id from askback.runs
    where status in ('running', 'stopping') and lease_expires_at < clock_timestamp()
    union
    select user_id, conversation_id from askback.runs
    where left_at is not null and status in ('running', 'waiting')
  loop
    -- Whoever has locked the conversation takes care of it.
    perform 1 from askback.conversations
    where user_id = v_dead.user_id and id = v_dead.conversation_id for update skip locked;
    if found then
      perform askback_private.expire_runs(v_dead.user_id, v_dead.conversation_id);
    end if;
  end loop;
  for v_dead in
    select distinct user_id, conversation_id from askback.open_items
    where closed_at is null and expires_at < now()
  loop
    perform 1 from askback.conversations
    where user_id = v_dead.user_id and id = v_dead.conversation_id for update skip locked;
    if found then
      perform askback_private.expire_items(v_dead.user_id, v_dead.conversation_id);
    end if;
  end loop;
  -- now(), not clock_timestamp(): only a time that is constant during the statement can use an index.
  return (
    with due as (
      select
        i.user_id, i.conversation_id, i.id, 'wait' as type, null as decision, null::json as facts, i.resume_at as since
      from askback.open_items i
      where i.kind = 'wait' and i.closed_at is null and i.resume_at <= now()
        and askback.account_refusal(i.user_id) is null
        -- It has to wait while a run works in its conversation.
        and not exists (
          select 1 from askback.runs r
          where r.user_id = i.user_id and r.conversation_id = i.conversation_id and r.status in ('running', 'stopping')
        )
        and (
          i.held_by is null or not exists (
            select 1 from askback.open_items older
            where older.user_id = i.user_id and older.kind = 'wait' and older.closed_at is null
              and older.held_by is not null and older.resume_at <= now()
              and (older.asked_at, older.id) < (i.asked_at, i.id)
          )
        )
        -- Its client has left, and may come back within seconds.
        and not exists (select 1 from askback.runs r where r.id = i.run_id and r.left_at is not null)
      union all
      (
        select distinct on (r.id)
          i.user_id, i.conversation_id, i.id,
          case
            when i.closed_as = 'skip' then 'skip'
            when i.closed_as in ('approve', 'deny', 'draft') then 'approval'
            else i.kind
          end,
          i.closed_as,
          null, r.started_at
        from askback.runs r
        join askback.open_items i
          on i.user_id = r.user_id and i.conversation_id = r.conversation_id and i.closed_by = r.id
          and i.closed_as in ('answer', 'approve', 'deny', 'draft', 'skip', 'connect', 'time')
        where r.status = 'interrupted' and r.resumed_run_id is not null and r.superseded_at is null
          and askback.account_refusal(r.user_id) is null
          -- What a person wanted done a while ago is not done now without asking.
          and r.started_at > now() - interval '1 hour'
          and not exists (
            select 1 from askback.runs later
            where later.user_id = r.user_id and later.conversation_id = r.conversation_id
              and later.started_at > r.started_at
          )
        order by r.id
      )
      union all
      (
        -- An account was connected while the run worked that asked for it at its end: whoever connected it found no card.
        select distinct on (i.user_id, i.conversation_id, i.id)
          i.user_id, i.conversation_id, i.id, 'connection', null, null, c.created_at
        from askback.open_items i
        join askback.tools t on t.name = i.tool_name
        join askback.runs r on r.id = i.run_id
        join askback.connections c
          on c.user_id = i.user_id and c.provider = any (t.providers) and c.status = 'connected'
          and c.created_at between r.started_at and r.finished_at
        where i.kind = 'connection' and i.closed_at is null and i.asked_at > now() - interval '1 hour'
          and askback.account_refusal(i.user_id) is null
          and not exists (
            select 1 from askback.runs working
            where working.user_id = i.user_id and working.conversation_id = i.conversation_id
              and working.status in ('running', 'stopping')
          )
          -- Something else is missing.
          and not exists (
            select 1 from askback.runs tried
            where tried.user_id = i.user_id and tried.conversation_id = i.conversation_id
              and tried.started_at > c.created_at and askback_private.decision_of(tried, i.id) is not null
          )
        order by i.user_id, i.conversation_id, i.id, c.created_at
      )
    ),
    ranked as (
      select due.*, w.woken_at, row_number() over (partition by due.user_id order by w.woken_at nulls first, due.since) as turn
      from due
      left join askback.woken_items w
        on w.user_id = due.user_id and w.conversation_id = due.conversation_id and w.item_id = due.id
      where w.woken_at is null or w.woken_at < now() - interval '20 seconds'
      union all
      select
        s.user_id, s.schedule ->> 'conversationId', null, 'schedule', null, s.schedule, s.since, null, s.place
      from askback_private.due_schedules(p_limit) s
      union all
      (
        select
          e.user_id, e.conversation_id, null, 'unknown', null,
          json_build_object(
            'write', askback_private.write_json(e), 'runId', r.id, 'agentId', r.agent_id, 'function', t.function,
            'action', t.action
          ),
          now(), null, null
        from askback.tool_executions e
        join askback.runs r on r.id = e.run_id
        join askback.tools t on t.name = e.tool_name and t.source <> 'application'
        where e.status = 'unknown' and e.delivery_id is not null and e.created_at > now() - interval '15 minutes'
          -- A live run asks by itself.
          and not exists (
            select 1 from askback.runs alive
            where alive.user_id = e.user_id and alive.conversation_id = e.conversation_id
              and alive.status in ('running', 'stopping')
          )
          -- The provider would answer for both.
          and not exists (
            select 1 from askback.tool_executions again
            where again.user_id = e.user_id and again.provider_key = e.provider_key and again.id <> e.id
              and again.position > e.position and again.status in ('running', 'succeeded', 'unknown')
              and again.conversation_id = e.conversation_id and again.tool_name = e.tool_name
              and again.created_at > now() - interval '1 day'
          )
        -- Not always the same ones.
        order by random() limit p_limit
      )
    ),
    -- What waits and what is scheduled take turns: however much there is of one, the other goes on.
    merged as (
      select *, row_number() over (
        partition by type in ('schedule', 'unknown'), type = 'unknown' order by turn, woken_at nulls first, since
      ) as place_of_kind
      from ranked
    ),
    first as (
      select *, row_number() over (order by type = 'unknown', place_of_kind, since) as place
      from merged order by place limit p_limit
    )
    select coalesce(
      json_agg(
        json_build_object(
          'userId', user_id, 'conversationId', conversation_id, 'itemId', id, 'type', type, 'decision', decision,
          case when type = 'schedule' then 'schedule' else 'unknown' end, facts
        )
        order by place
      ),
      '[]'
    )
    from first
  );
end
$$;

-- Hands out what is due to one request of the clock, at most p_limit. The request calls the clock anew, with its chain,
-- while there may be more; only one chain goes on at a time. 20 seconds are as long as a run may take to begin, and less
-- than until the job runs again.
--
-- out  { chain: null if nothing more is due or another chain goes on, due: as due_runs returns it }
create function askback.take_due_runs(p_limit integer, p_chain uuid default null) returns json
language plpgsql set search_path = '' as $$
declare
  v_chain uuid := coalesce(p_chain, gen_random_uuid());
  v_due json;
  v_runs integer;
  v_goes_on boolean;
begin
  if p_chain is null then
    update askback.clock set came_at = clock_timestamp() where is_only;
    perform askback_private.mind_accounts();
  end if;
  -- A second request waits here, and then finds nothing to do.
  update askback.clock set chain = v_chain, chain_until = clock_timestamp() + interval '20 seconds'
  where is_only and (chain = v_chain or chain_until is null or chain_until < clock_timestamp());
  if not found then
    return json_build_object('chain', null, 'due', '[]'::json);
  end if;
  -- Providers are asked about unknown writes once per call of the job, not once per request of a chain.
  select coalesce(json_agg(one.value order by one.ordinality), '[]'), count(*) filter (where one.value ->> 'type' <> 'unknown')
  into v_due, v_runs
  from json_array_elements(askback_private.due_runs(p_limit)) with ordinality one
  where p_chain is null or one.value ->> 'type' <> 'unknown';
  delete from askback.woken_items where woken_at < now() - interval '1 hour';
  insert into askback.woken_items (user_id, conversation_id, item_id)
  select i.user_id, i.conversation_id, i.id
  from askback.open_items i
  join json_array_elements(v_due) one
    on i.user_id = (one.value ->> 'userId')::uuid and i.conversation_id = one.value ->> 'conversationId'
    and i.id = one.value ->> 'itemId'
  -- Somebody may be deleting one right now.
  for key share of i skip locked
  on conflict (user_id, conversation_id, item_id) do update set woken_at = excluded.woken_at;
  update askback.schedules s set woken_at = clock_timestamp(), handed_at = clock_timestamp()
  from json_array_elements(v_due) one
  where one.value ->> 'type' = 'schedule' and s.id = (one.value -> 'schedule' ->> 'id')::uuid;
  v_goes_on := v_runs = p_limit or askback_private.is_bell_due();
  if not v_goes_on then
    update askback.clock set chain = null, chain_until = null where is_only;
  end if;
  return json_build_object('chain', case when v_goes_on then v_chain end, 'due', v_due);
end
$$;

-- The state of the clock, from what it and the chat function have recorded.
--
-- out  { tickedAt, cameAt, status, trouble: null | never | stopped | silent | a trouble of askback.clock }
create function askback.clock_state() returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'tickedAt', ticked_at, 'cameAt', came_at, 'status', status,
      'trouble', case
        when greatest(ticked_at, came_at) is null then 'never'
        when greatest(ticked_at, came_at) < now() - interval '5 minutes' then 'stopped'
        -- The failure of a request is over once a later one has arrived.
        when trouble in ('refused', 'not_found', 'no_answer') and came_at >= called_at then null
        when trouble is not null then trouble
        when called_at < now() - interval '1 minute' and (came_at is null or came_at < called_at) then 'silent'
      end
    )
    from askback.clock
  );
end
$$;

-- The local stack's timer asks whether to call the chat function: something is due.
create function askback.tick_clock() returns boolean
language plpgsql set search_path = '' as $$
begin
  -- First, like take_due_runs: whoever has this row waits for nobody who waits for it.
  update askback.clock set ticked_at = clock_timestamp() where is_only;
  return json_array_length(askback_private.due_runs(1)) > 0 or askback_private.is_bell_due();
end
$$;

-- HMAC-SHA256 (RFC 2104) in lower-case hex. pgcrypto has it, too, but not in the same schema everywhere. Not strict:
-- PostgreSQL answers a strict function's call with null before it asks who may call it.
create function askback_private.hmac_sha256(p_key text, p_message text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_key bytea := convert_to(p_key, 'UTF8');
  v_inner bytea;
  v_outer bytea;
begin
  if length(v_key) > 64 then
    v_key := sha256(v_key);
  end if;
  v_key := v_key || decode(repeat('00', 64 - length(v_key)), 'hex');
  v_inner := v_key;
  v_outer := v_key;
  for i in 0..63 loop
    v_inner := set_byte(v_inner, i, get_byte(v_key, i) # 54);
    v_outer := set_byte(v_outer, i, get_byte(v_key, i) # 92);
  end loop;
  return encode(sha256(v_outer || sha256(v_inner || convert_to(p_message, 'UTF8'))), 'hex');
end
$$;

-- What came of the last request, as pg_net keeps it for some hours: https://supabase.com/docs/guides/database/extensions/pg_net
create function askback_private.note_clock_answer() returns void
language plpgsql set search_path = '' as $$
declare
  v_request_id bigint := (select request_id from askback.clock);
  v_status integer;
  v_found integer;
begin
  if v_request_id is null or to_regclass('net._http_response') is null then
    return;
  end if;
  execute 'select status_code from net._http_response where id = $1' into v_status using v_request_id;
  get diagnostics v_found = row_count;
  if v_found = 0 then
    return;
  end if;
  update askback.clock set
    request_id = null,
    status = v_status,
    trouble = case
      when v_status in (401, 403) then 'refused'
      when v_status = 404 then 'not_found'
      when v_status >= 300 then 'failed'
      -- A cold start may take longer than pg_net waits, and the request still comes.
      when v_status is null and (came_at is null or came_at < called_at) then 'no_answer'
    end
  where is_only;
  begin
    execute 'delete from net._http_response where id = $1' using v_request_id;
  exception
    when insufficient_privilege then null;
  end;
end
$$;

-- pg_cron keeps a row for each time that a job has run.
create function askback_private.prune_clock_log() returns void
language plpgsql set search_path = '' as $$
begin
  if to_regclass('cron.job_run_details') is not null then
    execute $sql$
      delete from cron.job_run_details d using cron.job j
      where j.jobid = d.jobid and j.jobname = 'askback-clock' and coalesce(d.end_time, d.start_time) < now() - interval '1 day'
    $sql$;
  end if;
exception
  when insufficient_privilege then null;
end
$$;

-- Calls the chat function when something is due, or when bytes of deleted files have to be removed; the job below runs it.
-- Once an hour it calls anyway, and every minute until a call has arrived, so that a wrong setting shows before it
-- matters. The URL of the function and the secret that signs the call (ASKBACK_FUNCTION_SECRET) are in Supabase's Vault:
-- askback_chat_url, like https://<project>.supabase.co/functions/v1/chat, and askback_function_secret.
--
-- pg_net keeps the request, which others can read, until it is sent. So it carries no secret: only the time, and an HMAC
-- that is good for 60 seconds. Sent again by somebody else, it only wakes what is due anyway.
create function askback.wake_chat() returns void
language plpgsql set search_path = '' as $$
declare
  v_clock askback.clock;
  v_is_due boolean;
  v_rest interval;
  v_url text;
  v_secret text;
  v_trouble text;
  v_seconds text := floor(extract(epoch from clock_timestamp()))::text;
  v_request_id bigint;
begin
  -- First, like take_due_runs: whoever has this row waits for nobody who waits for it.
  update askback.clock set ticked_at = clock_timestamp() where is_only;
  perform askback_private.note_clock_answer();
  select * into v_clock from askback.clock;
  v_is_due := json_array_length(askback_private.due_runs(1)) > 0 or askback_private.is_bell_due()
    or exists (select 1 from askback.removed_objects where removed_at < clock_timestamp() - interval '1 minute');
  v_rest := case when v_clock.came_at >= v_clock.called_at then interval '1 hour' else interval '1 minute' end;
  if not v_is_due and v_clock.called_at > clock_timestamp() - v_rest then
    return;
  end if;
  perform askback_private.prune_clock_log();
  -- Dynamic SQL, since Vault and pg_net do not exist everywhere.
  if to_regclass('vault.decrypted_secrets') is null then
    v_trouble := 'no_vault';
  else
    execute 'select decrypted_secret from vault.decrypted_secrets where name = $1' into v_url using 'askback_chat_url';
    execute 'select decrypted_secret from vault.decrypted_secrets where name = $1' into v_secret using 'askback_function_secret';
    v_trouble := case
      when to_regproc('net.http_post') is null then 'no_pg_net'
      when coalesce(v_url, '') = '' then 'no_url'
      when coalesce(v_secret, '') = '' then 'no_secret'
    end;
  end if;
  if v_trouble is not null then
    update askback.clock set trouble = v_trouble, status = null where is_only;
    return;
  end if;
  execute 'select net.http_post(url := $1, headers := $2, body := $3)' into v_request_id using
    rtrim(v_url, '/') || '/clock',
    jsonb_build_object(
      'content-type', 'application/json',
      'x-askback-clock', v_seconds || '.' || askback_private.hmac_sha256(v_secret, 'askback-clock:' || v_seconds)
    ),
    '{}'::jsonb;
  update askback.clock set
    called_at = clock_timestamp(),
    request_id = v_request_id,
    trouble = case when trouble not in ('no_vault', 'no_url', 'no_secret', 'no_pg_net') then trouble end
  where is_only;
end
$$;

-- Supabase has both extensions. Elsewhere something else calls the function, like the timer of the local stack. Whatever
-- fails here, the migration does not: `askback doctor` says what is missing.
--
-- An extension that is there is left alone: `create extension if not exists` would make supautils run its script for it
-- again, and one version of that script recreated pg_cron without the project's jobs.
do $$
declare
  v_extension text;
begin
  for v_extension in
    select format('create extension %I with schema %I', name, case name when 'pg_cron' then 'pg_catalog' else 'extensions' end)
    from pg_available_extensions
    where name in ('pg_cron', 'pg_net') and installed_version is null
  loop
    begin
      execute v_extension;
    exception
      when others then raise warning 'The clock lacks an extension (%): %', v_extension, sqlerrm;
    end;
  end loop;
end
$$;

do $$
begin
  if to_regclass('cron.job') is null then
    return;
  end if;
  begin
    perform cron.schedule('askback-clock', '30 seconds', 'select askback.wake_chat()');
  exception
    -- pg_cron counts in seconds since 1.5: https://github.com/citusdata/pg_cron/releases/tag/v1.5.0
    when others then perform cron.schedule('askback-clock', '* * * * *', 'select askback.wake_chat()');
  end;
exception
  when others then raise warning 'The clock job could not be created: %', sqlerrm;
end
$$;
