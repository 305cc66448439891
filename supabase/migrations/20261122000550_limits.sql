-- How much a user, an agent and the whole project may use. The defaults are rows; what operators change holds from the
-- next request on. Windows are fixed and in UTC.

create table askback.limits (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('user', 'agent', 'project')),
  -- The user or the agent that it is about; null: everyone without a row of their own.
  subject uuid,
  -- So that it goes with them.
  user_id uuid generated always as (case when scope = 'user' then subject end) stored
  references auth.users (id) on delete cascade,
  agent_id uuid generated always as (case when scope = 'agent' then subject end) stored
  references askback.agents (id) on delete cascade,
  measure text not null,
  -- null: at any one time.
  per text check (per in ('minute', 'hour', 'day')),
  -- Of writes; null: all tools together.
  tool text check (tool ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- A whole number, except for money. The upper bound also refuses NaN and infinity: PostgreSQL sorts them above it.
  value numeric not null constraint limits_countable check (
    value between 0 and 1000000000000 and (measure = 'cost_usd' or value = trunc(value))
  ),
  unique nulls not distinct (scope, subject, measure, per, tool),
  check (scope <> 'project' or subject is null),
  check (tool is null or measure = 'writes'),
  constraint limits_measurable check (coalesce(
    case
      when measure in ('runs_at_once', 'streams', 'conversations', 'connections', 'api_tokens', 'agents', 'permissions')
      then scope = 'user' and per is null
      when measure in ('runs', 'mcp_calls') then scope = 'user' and per is not null
      when measure = 'files' then scope = 'user' and (per is null or per = 'minute')
      when measure = 'writes' then scope = 'user' and per in ('hour', 'day')
      when measure = 'tools_per_agent' then scope = 'agent' and per is null
      when measure in ('model_calls', 'tokens', 'cost_usd') then per in ('hour', 'day')
      else false
    end,
    false
  ))
);

insert into askback.limits (scope, measure, per, value) values
  ('user', 'runs_at_once', null, 10),
  ('user', 'runs', 'minute', 60),
  ('user', 'mcp_calls', 'minute', 60),
  ('user', 'model_calls', 'hour', 1000),
  ('user', 'tokens', 'hour', 5000000),
  ('user', 'tokens', 'day', 20000000),
  ('user', 'cost_usd', 'hour', 10),
  ('user', 'cost_usd', 'day', 25),
  ('user', 'writes', 'hour', 300),
  ('user', 'streams', null, 20),
  ('user', 'conversations', null, 20000),
  ('user', 'files', null, 2000),
  ('user', 'files', 'minute', 30),
  ('user', 'api_tokens', null, 50),
  ('user', 'agents', null, 100),
  ('user', 'connections', null, 50),
  ('user', 'permissions', null, 1000),
  ('agent', 'tools_per_agent', null, 1000),
  ('project', 'cost_usd', 'day', 500);

alter table askback.limits enable row level security;
grant all on askback.limits to service_role;


-- What models have cost in an hour. The rows of users are kept by agent; user_id null: the whole project, in parts, so
-- that runs rarely wait for each other.
create table askback.usage (
  user_id uuid references auth.users (id) on delete cascade,
  agent_id uuid,
  hour timestamptz not null,
  part integer not null default 0,
  model_calls bigint not null,
  tokens bigint not null,
  cost_usd numeric not null,
  unique nulls not distinct (user_id, hour, agent_id, part)
)
with (fillfactor = 50);

create index usage_by_hour on askback.usage (hour);

alter table askback.usage enable row level security;
grant all on askback.usage to service_role;


-- Who was told in which window that a budget is nearly used up.
create table askback.budget_notices (
  user_id uuid not null references auth.users (id) on delete cascade,
  scope text not null,
  measure text not null,
  per text not null,
  starts_at timestamptz not null,
  -- The run that tells it.
  run_id uuid not null,
  primary key (user_id, scope, measure, per, starts_at)
);

create index budget_notices_by_time on askback.budget_notices (starts_at);

alter table askback.budget_notices enable row level security;
grant all on askback.budget_notices to service_role;


-- Beginnings of runs whose conversation was deleted: they still count.
create table askback.deleted_runs (
  user_id uuid not null references auth.users (id) on delete cascade,
  started_at timestamptz not null
);

create index deleted_runs_by_user on askback.deleted_runs (user_id, started_at desc);

alter table askback.deleted_runs enable row level security;
grant all on askback.deleted_runs to service_role;


-- Open streams of runs: those of a process that died end by themselves.
create table askback.streams (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  ends_at timestamptz not null
);

create index streams_by_user on askback.streams (user_id);

alter table askback.streams enable row level security;
grant all on askback.streams to service_role;


create function askback_private.window_start(p_per text) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return date_trunc(p_per, clock_timestamp(), 'UTC');
end
$$;

create function askback_private.window_end(p_per text) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return askback_private.window_start(p_per) + ('1 ' || p_per)::interval;
end
$$;

-- Whatever counts and then adds for a user, or for an agent, does so alone. Taken after the lock on a conversation's row.
create function askback_private.lock_usage(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('askback usage ' || p_user_id, 0));
end
$$;

-- The value that holds for a user or an agent; null: there is no limit.
create function askback_private.limit_of(p_scope text, p_subject uuid, p_measure text, p_per text default null) returns numeric
language plpgsql stable set search_path = '' as $$
begin
  return (
    select value from askback.limits
    where scope = p_scope and (subject = p_subject or subject is null) and measure = p_measure
      and per is not distinct from p_per
    order by subject nulls last limit 1
  );
end
$$;

-- Adds to the usage of a user's agent, or, without a user, of the project.
create function askback_private.add_usage(
  p_user_id uuid, p_agent_id uuid, p_model_calls integer, p_tokens integer, p_cost_usd numeric
) returns void
language plpgsql set search_path = '' as $$
begin
  insert into askback.usage as used (user_id, agent_id, hour, part, model_calls, tokens, cost_usd)
  values (
    p_user_id, p_agent_id, askback_private.window_start('hour'), case when p_user_id is null then pg_backend_pid() % 8 else 0 end,
    p_model_calls, p_tokens, coalesce(p_cost_usd, 0)
  )
  on conflict (user_id, hour, agent_id, part) do update set
    model_calls = used.model_calls + excluded.model_calls,
    tokens = used.tokens + excluded.tokens,
    cost_usd = used.cost_usd + excluded.cost_usd;
end
$$;

-- Counts model calls of a run that nobody waits for any more: what they used is unknown, so it is estimated from what is
-- stored of the conversation (4 bytes a token), at most as much as a model reads again.
create function askback_private.add_cut_calls(p_run askback.runs, p_calls bigint) returns void
language plpgsql set search_path = '' as $$
declare
  v_tokens integer;
begin
  if p_calls <= 0 then
    return;
  end if;
  select p_calls * coalesce(least(sum(octet_length(entry::text)), 262144) / 4, 0) into v_tokens
  from askback.entries
  where user_id = p_run.user_id and conversation_id = p_run.conversation_id;
  perform askback_private.add_usage(p_run.user_id, p_run.agent_id, p_calls::integer, v_tokens, 0);
  perform askback_private.add_usage(null, null, p_calls::integer, v_tokens, 0);
end
$$;

-- How many model calls a run has begun and, as far as it has written, not ended.
create function askback_private.open_calls(p_run_id uuid) returns bigint
language plpgsql stable set search_path = '' as $$
begin
  return (
    select count(*) filter (where type = 'step-start') - count(*) filter (where type = 'step-end')
    from askback.entries where run_id = p_run_id
  );
end
$$;

-- How many model calls a row of usage adds: those of tools, and for a title, were counted when they were drawn.
create function askback_private.counted_calls(p_used askback.llm_usage) returns integer
language plpgsql immutable set search_path = '' as $$
begin
  return case when p_used.purpose is null then 1 else 0 end;
end
$$;

create function askback_private.add_project_usage() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform askback_private.add_usage(
    null, null, askback_private.counted_calls(new), new.input_tokens + new.output_tokens, new.cost_usd
  );
  return null;
end
$$;

-- At the very end of a transaction: everybody's runs wait for whoever has changed this row.
create constraint trigger add_project_usage after insert on askback.llm_usage
deferrable initially deferred for each row execute function askback_private.add_project_usage();

-- The budgets that hold for a user's agent, with what was used of each in its window, and what is left of it beside what
-- other live runs have reserved. What a run has reserved is free again when it ends or its lease runs out.
create function askback_private.budgets(p_user_id uuid, p_agent_id uuid, p_run_id uuid default null)
returns table (scope text, measure text, per text, value numeric, used numeric, rest numeric)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with windows (per, since) as (
    values ('hour', askback_private.window_start('hour')), ('day', askback_private.window_start('day'))
  ),
  by_hour as (
    select 'user' as scope, u.hour, u.model_calls, u.tokens, u.cost_usd from askback.usage u
    where u.user_id = p_user_id and u.hour >= askback_private.window_start('day')
    union all
    select 'agent', u.hour, u.model_calls, u.tokens, u.cost_usd from askback.usage u
    where u.user_id = p_user_id and u.hour >= askback_private.window_start('day') and u.agent_id = p_agent_id
    union all
    select 'project', u.hour, u.model_calls, u.tokens, u.cost_usd from askback.usage u
    where u.user_id is null and u.hour >= askback_private.window_start('day')
  ),
  used as (
    select h.scope, w.per, sum(h.model_calls) as model_calls, sum(h.tokens) as tokens, sum(h.cost_usd) as cost_usd
    from by_hour h
    join windows w on h.hour >= w.since
    group by h.scope, w.per
  ),
  live as (
    select
      r.user_id, r.agent_id, (r.reserved ->> 'modelCalls')::bigint as model_calls,
      (r.reserved ->> 'tokens')::bigint as tokens, (r.reserved ->> 'costUsd')::numeric as cost_usd
    from askback.runs r
    where r.status in ('running', 'stopping') and r.lease_expires_at > clock_timestamp()
      and r.id is distinct from p_run_id
  ),
  reserved as (
    select 'user' as scope, sum(model_calls) as model_calls, sum(tokens) as tokens, sum(cost_usd) as cost_usd
    from live where user_id = p_user_id
    union all
    select 'agent', sum(model_calls), sum(tokens), sum(cost_usd) from live where agent_id = p_agent_id
    union all
    select 'project', sum(model_calls), sum(tokens), sum(cost_usd) from live
  ),
  in_force as (
    select distinct on (l.scope, l.measure, l.per) l.scope, l.measure, l.per, l.value
    from askback.limits l
    where l.measure in ('model_calls', 'tokens', 'cost_usd')
      and (l.subject is null or l.subject = case l.scope when 'user' then p_user_id else p_agent_id end)
    order by l.scope, l.measure, l.per, l.subject nulls last
  ),
  counted as (
    select
      h.*,
      coalesce(case h.measure when 'model_calls' then u.model_calls when 'tokens' then u.tokens else u.cost_usd end, 0) as used,
      coalesce(case h.measure when 'model_calls' then l.model_calls when 'tokens' then l.tokens else l.cost_usd end, 0) as reserved
    from in_force h
    left join used u on u.scope = h.scope and u.per = h.per
    left join reserved l on l.scope = h.scope
  )
  select
    c.scope, c.measure, c.per, c.value, c.used,
    case c.measure when 'cost_usd' then c.value - c.used - c.reserved else floor(c.value - c.used - c.reserved) end
  from counted c;
end
$$;

-- Reserves what a run may use before it asks again: a small part of what is left, so that all runs together exceed a
-- limit by less than one such part each.
--
-- out  { modelCalls, tokens, costUsd, hold: { scope, measure, per, limit, resumeAt, isReserved: whether other runs may
--      give some back } | null, near: [{ scope, measure, per, limit, share }] that nobody was told in this window }
create function askback_private.reserve_budget(p_user_id uuid, p_agent_id uuid, p_run_id uuid) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_reserved jsonb;
  v_near jsonb;
begin
  perform askback_private.lock_usage(p_user_id);
  with budgets as materialized (
    select
      *,
      case
        when used < value then clock_timestamp() + interval '5 seconds' + random() * interval '5 seconds'
        -- Not everybody at the same second.
        else askback_private.window_end(per) + random() * interval '1 minute'
      end as resume_at
    from askback_private.budgets(p_user_id, p_agent_id, p_run_id)
  )
  select
    jsonb_build_object(
      'modelCalls', greatest(0, least(4, min(rest) filter (where measure = 'model_calls'))),
      'tokens', greatest(0, least(20000, min(rest) filter (where measure = 'tokens'))),
      'costUsd', greatest(0, least(0.10, min(rest) filter (where measure = 'cost_usd'))),
      'hold', (
        select jsonb_build_object(
          'scope', scope, 'measure', measure, 'per', per, 'limit', value, 'resumeAt', resume_at, 'isReserved', used < value
        )
        from budgets where rest <= 0 order by resume_at desc limit 1
      )
    ),
    jsonb_agg(jsonb_build_object('scope', scope, 'measure', measure, 'per', per, 'limit', value, 'share', used / value))
    filter (where value > 0 and used < value and used >= 0.8 * value)
  into v_reserved, v_near
  from budgets;
  if v_near is not null then
    insert into askback.budget_notices (user_id, scope, measure, per, starts_at, run_id)
    select p_user_id, one ->> 'scope', one ->> 'measure', one ->> 'per', askback_private.window_start(one ->> 'per'), p_run_id
    from jsonb_array_elements(v_near) one
    on conflict do nothing;
    select jsonb_agg(one) into v_near
    from jsonb_array_elements(v_near) one
    join askback.budget_notices told
      on told.user_id = p_user_id and told.scope = one ->> 'scope' and told.measure = one ->> 'measure'
      and told.per = one ->> 'per' and told.starts_at = askback_private.window_start(one ->> 'per') and told.run_id = p_run_id;
  end if;
  return v_reserved || jsonb_build_object('near', coalesce(v_near, '[]'));
end
$$;

-- Takes model calls for a tool, or for a title, which count at once: what they have cost comes later. They may come
-- out of what its run has reserved, so only what was used counts. Returns how many of them may be made.
create function askback.draw_model_calls(
  p_user_id uuid, p_calls integer, p_agent_id uuid default null
) returns integer
language plpgsql set search_path = '' as $$
declare
  v_calls integer;
begin
  perform askback_private.lock_usage(p_user_id);
  select case
    when bool_or(used >= value and measure <> 'model_calls') then 0
    else greatest(0, least(p_calls, min(value - used) filter (where measure = 'model_calls')))
  end
  into v_calls
  from askback_private.budgets(p_user_id, p_agent_id);
  perform askback_private.add_usage(p_user_id, p_agent_id, v_calls, 0, 0);
  perform askback_private.add_usage(null, null, v_calls, 0, 0);
  return v_calls;
end
$$;

-- A refusal that says which limit it is about.
--
-- out  { kind: error, code, retryAfter: seconds, or null, about: { measure, per, limit } | hold of reserve_budget }
create function askback_private.limit_refusal(p_code text, p_about jsonb, p_until timestamptz default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'kind', 'error', 'code', p_code, 'about', p_about,
      'retryAfter', ceil(greatest(1, extract(epoch from p_until - clock_timestamp())))
    )
  );
end
$$;

-- Why a user may not start one more run now, by their rates alone; null if they may. p_may_wait: a message stops the run
-- of its own conversation.
create function askback_private.rate_refusal(p_user_id uuid, p_conversation_id text, p_may_wait boolean) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with in_force as (
      select distinct on (measure, per) measure, per, value from askback.limits
      where scope = 'user' and (subject = p_user_id or subject is null) and measure in ('runs_at_once', 'runs')
      order by measure, per, subject nulls last
    )
    select askback_private.limit_refusal(
      'rate_limited', jsonb_strip_nulls(jsonb_build_object('measure', measure, 'per', per, 'limit', value)), until
    )
    from in_force
    cross join lateral (
      select case when per is null then clock_timestamp() + interval '5 seconds' else askback_private.window_end(per) end as until
    ) ends
    where value <= case
      when per is null then (
        select count(*) from askback.runs
        where user_id = p_user_id and status in ('running', 'stopping') and lease_expires_at > clock_timestamp()
          and (conversation_id <> p_conversation_id or not p_may_wait)
      )
      else (
        select count(*) from (
          select 1 from askback.runs
          where user_id = p_user_id and resumed_run_id is null and started_at >= askback_private.window_start(per)
            and not by_program
          union all
          select 1 from askback.deleted_runs
          where user_id = p_user_id and started_at >= askback_private.window_start(per)
          limit value::bigint
        ) begun
      )
    end
    order by until desc
    limit 1
  );
end
$$;

-- The same, and by their budgets: beyond one, a run starts all the same, and waits; only a user who has three
-- conversations waiting already is refused, and one whose client cannot wait.
create function askback_private.run_refusal(
  p_user_id uuid, p_agent_id uuid, p_run_id uuid, p_conversation_id text, p_may_wait boolean
) returns json
language plpgsql set search_path = '' as $$
declare
  v_refused json;
  v_hold jsonb;
begin
  perform askback_private.lock_usage(p_user_id);
  v_refused := askback_private.rate_refusal(p_user_id, p_conversation_id, p_may_wait);
  if v_refused is not null then
    return v_refused;
  end if;
  if not p_may_wait or (
    select count(*) >= 3 from (
      select conversation_id from askback.open_items
      where user_id = p_user_id and closed_at is null and held_by is not null and tool_call_id = ''
      union
      -- They are about to wait.
      select conversation_id from askback.runs
      where user_id = p_user_id and status = 'running' and lease_expires_at > clock_timestamp()
        and reserved #>> '{hold,scope}' is not null
    ) waiting
    where conversation_id <> p_conversation_id
  ) then
    v_hold := askback_private.reserve_budget(p_user_id, p_agent_id, p_run_id) -> 'hold';
    if v_hold ->> 'scope' is not null then
      return askback_private.limit_refusal('budget_spent', v_hold, (v_hold ->> 'resumeAt')::timestamptz);
    end if;
  end if;
  return null;
end
$$;

-- Why a user may not keep one more of something, by what they keep already; null if they may.
create function askback_private.keep_refusal(p_scope text, p_subject uuid, p_measure text, p_kept bigint) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select askback_private.limit_refusal('limit_reached', jsonb_build_object('measure', p_measure, 'limit', most))
    from askback_private.limit_of(p_scope, p_subject, p_measure) most
    where p_kept >= most
  );
end
$$;

-- Why a run may not make one more write with a tool now, and until when: as of hold of reserve_budget, with tool. Null:
-- it may.
create function askback_private.write_hold(p_user_id uuid, p_tool_name text) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform askback_private.lock_usage(p_user_id);
  return (
    with in_force as (
      select distinct on (per, tool) per, tool, value from askback.limits
      where scope = 'user' and (subject = p_user_id or subject is null) and measure = 'writes'
        and (tool is null or tool = p_tool_name)
      order by per, tool, subject nulls last
    )
    select jsonb_build_object(
      'scope', 'user', 'measure', 'writes', 'per', per, 'tool', tool, 'limit', value,
      'resumeAt', askback_private.window_end(per) + random() * interval '1 minute', 'isReserved', false
    )
    from in_force
    where value <= (
      select count(*) from askback.tool_executions
      where user_id = p_user_id and idempotency_key is not null and effect = 'write'
        and status in ('running', 'succeeded', 'unknown') and created_at >= askback_private.window_start(per)
        and (tool is null or tool_name = tool)
    )
    order by askback_private.window_end(per) desc
    limit 1
  );
end
$$;

-- Registers a stream; false: the user has as many open as they may.
create function askback.open_stream(p_user_id uuid, p_stream_id uuid, p_seconds integer) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform askback_private.lock_usage(p_user_id);
  delete from askback.streams where user_id = p_user_id and ends_at < clock_timestamp();
  if (select count(*) from askback.streams where user_id = p_user_id and id <> p_stream_id)
    >= askback_private.limit_of('user', p_user_id, 'streams')
  then
    return false;
  end if;
  insert into askback.streams (id, user_id, ends_at)
  values (p_stream_id, p_user_id, clock_timestamp() + make_interval(secs => p_seconds))
  on conflict (id) do nothing;
  return true;
end
$$;

create function askback.close_stream(p_user_id uuid, p_stream_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.streams where id = p_stream_id and user_id = p_user_id;
end
$$;

-- Agents and their tools are added by their owners over the data API. 42501 is answered with 403.
create function askback_private.limit_agents() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_most numeric;
begin
  perform askback_private.lock_usage(new.user_id);
  v_most := askback_private.limit_of('user', new.user_id, 'agents');
  if not new.is_default and (select count(*) from askback.agents where user_id = new.user_id) >= v_most then
    raise exception 'You’ve reached your limit for agents (%). Delete one first.', v_most
    using errcode = 'insufficient_privilege', hint = 'limit_reached';
  end if;
  return new;
end
$$;

create trigger limit_agents before insert on askback.agents
for each row execute function askback_private.limit_agents();

create function askback_private.limit_tools() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_most numeric;
begin
  perform askback_private.lock_usage(new.agent_id);
  v_most := askback_private.limit_of('agent', new.agent_id, 'tools_per_agent');
  if (
    select count(*) from askback.agent_tool_permissions where agent_id = new.agent_id and tool_name <> new.tool_name
  ) >= v_most then
    raise exception 'The limit for tools of this agent is %. Remove one first.', v_most
    using errcode = 'insufficient_privilege', hint = 'limit_reached';
  end if;
  return new;
end
$$;

create trigger limit_tools before insert on askback.agent_tool_permissions
for each row execute function askback_private.limit_tools();

-- Whatever waits for a limit goes on when somebody changes it.
create function askback_private.wake_held() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update askback.open_items i set resume_at = clock_timestamp()
  from changed_limits l
  where i.closed_at is null and i.kind = 'wait' and i.held_by is not null and i.resume_at > clock_timestamp()
    and i.held_by = concat_ws(' ', l.scope, l.measure, l.per, l.tool)
    and (l.subject is null or l.subject = case l.scope when 'user' then i.user_id else i.agent_id end);
  return null;
end
$$;

create trigger wake_held_by_new after insert on askback.limits
referencing new table as changed_limits for each statement execute function askback_private.wake_held();
create trigger wake_held_by_changed after update on askback.limits
referencing new table as changed_limits for each statement execute function askback_private.wake_held();
create trigger wake_held_by_deleted after delete on askback.limits
referencing old table as changed_limits for each statement execute function askback_private.wake_held();

-- Removes what no window needs any more.
create function askback_private.forget_usage() returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.usage where hour < now() - interval '2 days';
  delete from askback.budget_notices where starts_at < now() - interval '2 days';
  delete from askback.streams where ends_at < now() - interval '1 hour';
  delete from askback.deleted_runs where started_at < now() - interval '2 days';
  delete from askback.permissions where revoked_at < now() - interval '2 days';
end
$$;
