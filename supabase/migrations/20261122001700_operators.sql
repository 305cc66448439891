-- Operators run the product: they see how other people's runs went, never what was said in them, and switch tools off.

create table askback.operators (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);

alter table askback.operators enable row level security;
grant all on askback.operators to service_role;


-- What operators looked at and changed, one row each time. It stays when its subject is gone.
create table askback.operator_log (
  -- Chosen by the caller, so that a repeated request is one row.
  id uuid primary key,
  operator_id uuid references auth.users (id) on delete set null,
  action text not null check (action in (
    'find_runs', 'read_run', 'list_stuck', 'stop_run', 'switch_off', 'switch_on', 'offer_function', 'withdraw_function',
    'change_limit', 'read_insights', 'export_decisions', 'add_server', 'change_server', 'remove_server'
  )),
  -- The id that was searched for, a tool, or a function.
  subject text,
  -- Whose run it was.
  user_id uuid references auth.users (id) on delete set null,
  run_id uuid,
  reason text check (length(reason) <= 500),
  created_at timestamptz not null default clock_timestamp()
);

create index operator_log_by_time on askback.operator_log (created_at desc);
create index operator_log_by_operator on askback.operator_log (operator_id);
create index operator_log_by_user on askback.operator_log (user_id);

alter table askback.operator_log enable row level security;
grant all on askback.operator_log to service_role;


create function askback.is_operator(p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select exists (
      select 1 from askback.operators where user_id = p_user_id and askback.account_refusal(user_id) is null
    )
  );
end
$$;

-- Logs what an operator does, in the transaction that does it: without the row nothing is read or changed.
-- p_act, here and below: { id, operatorId, reason? }.
create function askback_private.note_act(
  p_act json, p_action text, p_subject text default null, p_user_id uuid default null, p_run_id uuid default null
) returns void
language plpgsql set search_path = '' as $$
begin
  if not askback.is_operator((p_act ->> 'operatorId')::uuid) then
    raise exception 'not an operator' using errcode = 'insufficient_privilege';
  end if;
  insert into askback.operator_log (id, operator_id, action, subject, user_id, run_id, reason)
  values (
    (p_act ->> 'id')::uuid, (p_act ->> 'operatorId')::uuid, p_action, p_subject, p_user_id, p_run_id, p_act ->> 'reason'
  )
  on conflict (id) do nothing;
end
$$;

-- A run without its content: { runId, userId, conversationId, status, startedAt, finishedAt, resumeAt,
-- leaseExpiresAt, stoppable }.
create function askback_private.run_facts(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'runId', p_run.id,
      'userId', p_run.user_id,
      'conversationId', p_run.conversation_id,
      'status', p_run.status,
      'startedAt', p_run.started_at,
      'finishedAt', p_run.finished_at,
      'resumeAt', (
        select min(i.resume_at) from askback.open_items i
        where i.run_id = p_run.id and i.kind = 'wait' and i.closed_at is null
      ),
      'leaseExpiresAt', p_run.lease_expires_at,
      -- Whether stopping it would end something.
      'stoppable', p_run.status in ('running', 'stopping')
        or exists (
          select 1 from askback.open_items i where i.run_id = p_run.id and i.kind = 'wait' and i.closed_at is null
        )
    )
  );
end
$$;

-- An execution without its content: { toolCallId, toolName, status, at: as of write_json, runId, userId, attempt, errorType,
-- settledAt }.
create function askback_private.execution_facts(p_execution askback.tool_executions) returns json
language plpgsql stable set search_path = '' as $$
begin
  return json_build_object(
    'toolCallId', p_execution.tool_call_id,
    'toolName', p_execution.tool_name,
    'status', askback_private.effective_status(
      p_execution.status, p_execution.lease_expires_at, p_execution.delivery_id
    ),
    'at', p_execution.created_at,
    'runId', p_execution.run_id,
    'userId', p_execution.user_id,
    'attempt', p_execution.attempt,
    'errorType', p_execution.error_type,
    'settledAt', p_execution.settled_at
  );
end
$$;

-- The runs with this id, or of the conversations with this id, newest first.
--
-- out  [as of run_facts]
create function askback.find_runs(p_act json, p_id text) returns json
language plpgsql set search_path = '' as $$
begin
  perform askback_private.note_act(p_act, 'find_runs', p_id);
  return (
    select coalesce(json_agg(askback_private.run_facts(r) order by r.started_at desc), '[]')
    from (
      select * from askback.runs
      where id in (
        select case when p_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_id::uuid end
        union all
        select found.id from askback.conversations c
        join askback.runs found on found.user_id = c.user_id and found.conversation_id = c.id
        where c.id = p_id
      )
      order by started_at desc limit 50
    ) r
  );
end
$$;

-- A run that an operator looks at or changes, which is logged; null if there is no such run.
create function askback_private.run_for_act(p_act json, p_action text, p_run_id uuid) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select * into v_run from askback.runs where id = p_run_id;
  if found then
    perform askback_private.note_act(p_act, p_action, null, v_run.user_id, v_run.id);
  end if;
  return v_run;
end
$$;

-- A run, those that it continues and those that continue it, and what each has written, in order. The calling function
-- removes the content.
--
-- out  { run: as of run_facts, entries: [{ runId, startedAt, storedAt, entry }], executions: [as of
--      execution_facts], tools: [{ name, parameters }] }; null: there is no such run
create function askback.read_run(p_act json, p_run_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs := askback_private.run_for_act(p_act, 'read_run', p_run_id);
begin
  if v_run.id is null then
    return null;
  end if;
  return json_build_object(
    'run', askback_private.run_facts(v_run),
    'entries', (
      select coalesce(
        json_agg(
          json_build_object('runId', e.run_id, 'startedAt', r.started_at, 'storedAt', e.created_at, 'entry', e.entry)
          order by r.started_at, e.sequence
        ),
        '[]'
      )
      from askback.runs r join askback.entries e on e.run_id = r.id
      where r.root_run_id = v_run.root_run_id and r.user_id = v_run.user_id
    ),
    -- The ledger's record of its calls: when they happened, including those whose end is not in the transcript.
    'executions', (
      select coalesce(json_agg(askback_private.execution_facts(x) order by x.position), '[]')
      from askback.runs r join askback.tool_executions x on x.run_id = r.id
      where r.root_run_id = v_run.root_run_id and r.user_id = v_run.user_id
    ),
    -- What this user's agents can call: any other name was made up by a model.
    'tools', (
      select coalesce(
        json_agg(
          json_build_object('name', t.name, 'parameters', t.specification -> 'parameters')
        ),
        '[]'
      )
      from askback.tools t
    )
  );
end
$$;

-- Whatever does not continue by itself: runs whose process is silent, runs whose time has passed, and writes whose
-- outcome is unknown.
--
-- out  { runs: [as of run_facts], writes: [as of execution_facts] }
create function askback.stuck_runs(p_act json) returns json
language plpgsql set search_path = '' as $$
begin
  perform askback_private.note_act(p_act, 'list_stuck');
  return json_build_object(
    'runs', (
      select coalesce(json_agg(askback_private.run_facts(r) order by r.started_at), '[]')
      from (
        select * from askback.runs
        where (status in ('running', 'stopping') and lease_expires_at < clock_timestamp())
          or id in (
            select i.run_id from askback.open_items i
            where i.kind = 'wait' and i.closed_at is null
              -- The clock checks every 30 seconds.
              and i.resume_at < clock_timestamp() - interval '2 minutes'
          )
        order by started_at limit 100
      ) r
    ),
    'writes', (
      select coalesce(json_agg(askback_private.execution_facts(x) order by x.created_at desc), '[]')
      from (
        select * from askback.tool_executions
        where status in ('running', 'unknown')
          and askback_private.effective_status(status, lease_expires_at, delivery_id) = 'unknown'
        order by created_at desc limit 100
      ) x
    )
  );
end
$$;

-- How calls went and what models cost, over all users; days are those of UTC, the last one is today. Names that a model made
-- up are not named, nor are those of tools of a user's own servers. The numbers of one call count once, with all its
-- attempts.
--
-- out  { users, calls, done, denied, erred, retries: on average per call, medianMs, slowestMs: 95th percentile, both of
--      calls that succeeded, modelCalls, tokens, costUsd, unpriced: model calls without a known price,
--      tools: [{ tool, calls, done, erred, retries, medianMs }], errors: [{ type, tool, count }],
--      models: [{ provider, model, calls, tokens, costUsd, reads: tokens that the newest call could have, readsBy: who says so,
--      both null if nobody does, cuts: calls that were sent less than all, largest: tokens }], agents: [{ agentId, calls, tokens, costUsd }],
--      days: [{ day, calls, erred, modelCalls, tokens, costUsd }],
--      refusedTools: [{ tool, provider, model, why, refusedAt }] } tool, agentId: null if it is not known
create function askback.project_insights(p_act json, p_days integer) returns json
language plpgsql set search_path = '' as $$
declare
  v_today date := (now() at time zone 'UTC')::date;
  v_first date := v_today - (least(greatest(p_days, 1), 366) - 1);
  v_since timestamptz := v_first::timestamp at time zone 'UTC';
begin
  perform askback_private.note_act(p_act, 'read_insights');
  return (
    with executions as materialized (
      select
        x.user_id, x.session_id, t.name as tool, x.attempt, x.status, x.created_at, x.settled_at,
        nullif(x.error_type, 'approval_denied') as error_type,
        x.error_type is not distinct from 'approval_denied' as is_denied,
        x.status = 'succeeded' and x.error_type is null as is_success,
        (
          select i.closed_at is null or i.closed_as in ('replaced', 'yielded') from askback.open_items i
          where i.user_id = x.user_id and i.conversation_id = x.conversation_id and i.tool_call_id = x.tool_call_id
          order by i.asked_at desc limit 1
        ) is true or exists (
          select 1 from askback.open_items i
          where i.user_id = x.user_id and i.conversation_id = x.conversation_id and i.intent = nullif(x.intent, 0)
            and i.closed_at is null
        ) as is_open
      from askback.tool_executions x
      left join (
        select name from askback.tools
        union
        select name from askback.mcp_tools where user_id is null
      ) t on t.name = x.tool_name
      where x.created_at >= v_since
    ),
    -- As in `insights`: one call with all its attempts, once it is over.
    calls as materialized (
      select
        user_id,
        min(tool) as tool,
        (min(created_at) at time zone 'UTC')::date as day,
        max(attempt) - 1 as retries,
        bool_or(is_success) as succeeded,
        bool_or(error_type is not null) as erred,
        bool_or(is_denied) as denied,
        extract(epoch from min(settled_at) filter (where is_success) - min(created_at)) * 1000 as took_ms
      from executions
      group by session_id, user_id
      having not bool_or(is_open or status = 'running')
    ),
    usage as materialized (
      select
        user_id, agent_id, provider, model, (created_at at time zone 'UTC')::date as day,
        input_tokens + output_tokens as tokens, cost_usd, input_tokens, is_cut, reads, reads_by, created_at, purpose
      from askback.llm_usage
      where created_at >= v_since
    )
    select json_build_object(
      'users', (select count(*) from (select user_id from calls union select user_id from usage) active),
      'calls', count(*),
      'done', count(*) filter (where succeeded),
      'denied', count(*) filter (where denied and not succeeded),
      'erred', count(*) filter (where erred),
      'retries', round(avg(retries), 3),
      'medianMs', round((percentile_cont(0.5) within group (order by took_ms) filter (where succeeded))::numeric),
      'slowestMs', round((percentile_cont(0.95) within group (order by took_ms) filter (where succeeded))::numeric),
      'modelCalls', (select count(*) from usage),
      'tokens', (select coalesce(sum(tokens), 0) from usage),
      'costUsd', (select coalesce(sum(cost_usd), 0) from usage),
      'unpriced', (select count(*) from usage where cost_usd is null),
      'tools', (
        select coalesce(json_agg(row_to_json(one) order by one.calls desc, one.tool), '[]')
        from (
          select
            tool,
            count(*) as calls,
            count(*) filter (where succeeded) as done,
            count(*) filter (where erred) as erred,
            round(avg(retries), 3) as retries,
            round((percentile_cont(0.5) within group (order by took_ms) filter (where succeeded))::numeric) as "medianMs"
          from calls group by tool order by count(*) desc, tool limit 50
        ) one
      ),
      'errors', (
        select coalesce(json_agg(row_to_json(one) order by one.count desc, one.type, one.tool), '[]')
        from (
          select error_type as type, tool, count(*) as count from executions where error_type is not null
          group by error_type, tool order by count(*) desc, error_type, tool limit 50
        ) one
      ),
      'models', (
        select coalesce(json_agg(row_to_json(one) order by one."costUsd" desc, one.calls desc), '[]')
        from (
          select
            provider, model, count(*) as calls, sum(tokens) as tokens, coalesce(sum(cost_usd), 0) as "costUsd",
            (array_agg(reads order by created_at desc) filter (where purpose is null))[1] as reads,
            (array_agg(reads_by order by created_at desc) filter (where purpose is null))[1] as "readsBy",
            count(*) filter (where is_cut) as cuts,
            max(input_tokens) as largest
          from usage group by provider, model order by 5 desc, 3 desc limit 50
        ) one
      ),
      'refusedTools', (
        select coalesce(json_agg(row_to_json(one) order by one."refusedAt" desc, one.tool), '[]')
        from (
          select tool, provider, model, why, refused_at as "refusedAt" from askback.refused_tools
          where refused_at >= v_since order by refused_at desc, tool limit 50
        ) one
      ),
      'agents', (
        select coalesce(json_agg(row_to_json(one) order by one."costUsd" desc, one.calls desc), '[]')
        from (
          select agent_id as "agentId", count(*) as calls, sum(tokens) as tokens, coalesce(sum(cost_usd), 0) as "costUsd"
          from usage group by agent_id order by 4 desc, 2 desc limit 50
        ) one
      ),
      'days', (
        select json_agg(
          json_build_object(
            'day', d.day::date, 'calls', coalesce(c.calls, 0), 'erred', coalesce(c.erred, 0),
            'modelCalls', coalesce(u.calls, 0), 'tokens', coalesce(u.tokens, 0), 'costUsd', coalesce(u.cost, 0)
          )
          order by d.day
        )
        from generate_series(v_first, v_today, interval '1 day') d (day)
        left join (
          select day, count(*) as calls, count(*) filter (where erred) as erred from calls group by day
        ) c on c.day = d.day::date
        left join (
          select day, count(*) as calls, sum(tokens) as tokens, sum(cost_usd) as cost from usage group by day
        ) u on u.day = d.day::date
      )
    )
    from calls
  );
end
$$;

-- Logs that an operator stops a run.
--
-- out  as of run_facts; null: there is no such run
create function askback.note_stop(p_act json, p_run_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs := askback_private.run_for_act(p_act, 'stop_run', p_run_id);
begin
  if v_run.id is null then
    return null;
  end if;
  return askback_private.run_facts(v_run);
end
$$;

-- The tools available to everybody.
--
-- out  [{ name, title, source, function, enabled, reason: why it is switched off }]
create function askback.list_shared_tools() returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'name', name, 'title', specification ->> 'title', 'source', source, 'function', function,
          'enabled', enabled, 'reason', off_reason
        )
        order by position, name
      ),
      '[]'
    )
    from askback.tools
  );
end
$$;

-- Switches a tool off for everybody, or on again; running calls end as usual.
--
-- out  false: there is no such tool
create function askback.switch_tool(p_act json, p_tool_name text, p_enabled boolean) returns boolean
language plpgsql set search_path = '' as $$
begin
  update askback.tools set enabled = p_enabled, off_reason = case when not p_enabled then p_act ->> 'reason' end
  where name = p_tool_name;
  if not found then
    return false;
  end if;
  perform askback_private.note_act(p_act, case when p_enabled then 'switch_on' else 'switch_off' end, p_tool_name);
  return true;
end
$$;

-- All limits: those of everybody first.
--
-- out  [{ scope, subject, measure, per, tool, value }]
create function askback.list_limits() returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'scope', scope, 'subject', subject, 'measure', measure, 'per', per, 'tool', tool, 'value', value
        )
        order by subject is not null, subject, id
      ),
      '[]'
    )
    from askback.limits
  );
end
$$;

-- Sets a limit, or removes it if its value is null.
--
-- in   p_limit: { scope, subject?, measure, per?, tool?, value: null to remove it }
-- out  changed | no_subject: there is no such user or agent | not_measurable: nothing is counted in this way | not_whole
create function askback.change_limit(p_act json, p_limit json) returns text
language plpgsql set search_path = '' as $$
declare
  v_new askback.limits := json_populate_record(null::askback.limits, p_limit);
begin
  if v_new.measure <> 'cost_usd' and v_new.value <> trunc(v_new.value) then
    return 'not_whole';
  end if;
  if v_new.value is not null and v_new.subject is not null and not (
    (v_new.scope = 'user' and askback.account_refusal(v_new.subject) is distinct from 'unknown_user')
    or (v_new.scope = 'agent' and exists (select 1 from askback.agents where id = v_new.subject))
  ) then
    return 'no_subject';
  end if;
  if v_new.value is null then
    delete from askback.limits
    where scope = v_new.scope and subject is not distinct from v_new.subject and measure = v_new.measure
      and per is not distinct from v_new.per and tool is not distinct from v_new.tool;
  else
    insert into askback.limits (scope, subject, measure, per, tool, value)
    values (v_new.scope, v_new.subject, v_new.measure, v_new.per, v_new.tool, v_new.value)
    on conflict (scope, subject, measure, per, tool) do update set value = excluded.value;
  end if;
  perform askback_private.note_act(
    p_act, 'change_limit',
    -- A user is named in a column of its own, which is emptied with the account.
    concat_ws(' ', v_new.scope, case when v_new.scope <> 'user' then v_new.subject end, v_new.measure, v_new.per, v_new.tool) || ': '
      || coalesce(v_new.value::text, 'none'),
    case when v_new.scope = 'user' then v_new.subject end
  );
  return 'changed';
exception
  when check_violation then
    return 'not_measurable';
end
$$;

-- The functions of the application that could be tools, without those of extensions and of triggers.
--
-- out  [{ name, arguments, description, effect: read | write, tool: its name if it is offered, refused: why it cannot
--      be, or null, changed: since it was offered }]
create function askback.list_functions() returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'name', found.name,
          'arguments', found.arguments,
          'description', found.description,
          'effect', found.effect,
          'tool', found.tool,
          'refused', found.refused,
          'changed', found.tool is not null and found.refused is null and found.shape is distinct from found.offered_shape
        )
        order by found.tool is null, found.refused is not null, found.name
      ),
      '[]'
    )
    from (
      select
        format('%I.%I', n.nspname, p.proname) as name,
        pg_get_function_arguments(p.oid) as arguments,
        nullif(trim(both E' \t\r\n' from regexp_replace(
          coalesce(obj_description(p.oid, 'pg_proc'), ''), '^[ \t]*@param[ \t].*$\n?', '', 'gn'
        )), '') as description,
        case p.provolatile when 'v' then 'write' else 'read' end as effect,
        t.name as tool,
        f.shape as offered_shape,
        askback_private.function_refusal(p.oid, coalesce((f.options ->> 'allowDefiner')::boolean, false)) as refused,
        askback_private.function_shape(p.oid) as shape
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      join askback.exposed_schemas s on s.name = n.nspname
      left join askback.offered_functions f on f.schema_name = n.nspname and f.function_name = p.proname
      left join askback.tools t on t.id = f.tool_id
      where p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
        and not exists (
          select from pg_catalog.pg_depend d
          where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
        )
      order by n.nspname, p.proname limit 500
    ) found
  );
end
$$;

-- Offers a function as an operator, who cannot set allow_definer: only migrations can.
--
-- in   p_options: { title?, description?, effect?, confirm?, approval? }
-- out  { tool } | { refused: why, as offer_refusal has it }
create function askback.offer_as_operator(p_act json, p_function text, p_options json) returns json
language plpgsql set search_path = '' as $$
declare
  v_kept json;
  v_tool text;
  v_why text;
begin
  -- What only SQL can say of it stays.
  select f.options into v_kept
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join askback.offered_functions f on f.schema_name = n.nspname and f.function_name = p.proname
  where p.oid = askback_private.find_function(p_function);
  v_tool := askback.offer_function(
    p_function, p_options ->> 'title', p_options ->> 'description', p_options ->> 'effect',
    p_options ->> 'confirm', p_options ->> 'approval',
    coalesce((v_kept ->> 'allowDefiner')::boolean, false),
    case json_typeof(v_kept -> 'trustedOutput') when 'array' then
      array(select json_array_elements_text(v_kept -> 'trustedOutput'))
    end,
    case when p_options ->> 'effect' is distinct from 'read' then v_kept ->> 'seen' end,
    (v_kept ->> 'words')::jsonb,
    coalesce(p_options ->> 'summary', v_kept ->> 'summary'), coalesce(p_options ->> 'button', v_kept ->> 'button'),
    coalesce(p_options ->> 'past', v_kept ->> 'past'), (v_kept ->> 'fields')::jsonb,
    coalesce((v_kept ->> 'reversible')::boolean, false)
  );
  perform askback_private.note_act(p_act, 'offer_function', p_function);
  return json_build_object('tool', v_tool);
exception
  -- The others: the given text is not the name of a function.
  when invalid_parameter_value or invalid_name or syntax_error or undefined_object then
    get stacked diagnostics v_why = constraint_name;
    return json_build_object(
      'refused', askback_private.offer_refusal('other', sqlerrm, coalesce(nullif(v_why, '')::jsonb, '{}'))
    );
end
$$;

-- Removes the tool of a function.
--
-- out  false: it was not offered
create function askback.withdraw_as_operator(p_act json, p_function text) returns boolean
language plpgsql set search_path = '' as $$
begin
  if not askback.withdraw_function(p_function) then
    return false;
  end if;
  perform askback_private.note_act(p_act, 'withdraw_function', p_function);
  return true;
exception
  -- The given text is not the name of a function.
  when invalid_parameter_value then
    return false;
end
$$;

create index entries_of_decisions on askback.entries (created_at, run_id, sequence) where type = 'decision';

-- What people have decided since a time, oldest first: who, about what, through which door, what they read, and what became
-- of it. What was deleted with its conversation is gone.
--
-- in   p_after: { time, runId, sequence } of the last one of the page before, else null
-- out  [{ time, runId, sequence, userId: whose item it was, agentId, decision: its entry, question: its entry, null if that
--      is gone, hash: of the arguments that the ledger has, status: of what was carried out, approvedBy: [{ part, userId,
--      name, group, at }] }]
create function askback.decisions_since(
  p_act json, p_since timestamptz, p_after json default null, p_limit integer default 1000
) returns json
language plpgsql set search_path = '' as $$
begin
  perform askback_private.note_act(p_act, 'export_decisions', p_since::text);
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'time', d.created_at, 'runId', d.run_id, 'sequence', d.sequence, 'userId', d.user_id, 'agentId', i.agent_id,
          'decision', d.entry,
          'question', (
            select q.entry from askback.entries q
            where q.user_id = d.user_id and q.conversation_id = d.conversation_id and q.type = 'question'
              and q.message_id = coalesce(i.message_id, d.message_id) and q.entry ->> 'itemId' = d.entry ->> 'itemId'
            limit 1
          ),
          'hash', x.argument_hash,
          'status', coalesce(
            askback_private.effective_status(x.status, x.lease_expires_at, x.delivery_id),
            (
              select r.entry ->> 'status' from askback.entries r
              where r.user_id = d.user_id and r.conversation_id = d.conversation_id and r.message_id = d.message_id
                and r.type = 'result' and r.tool_call_id = d.entry ->> 'toolCallId' and r.created_at >= d.created_at
              order by r.created_at desc, r.sequence desc limit 1
            )
          ),
          'approvedBy', (
            select json_agg(
              json_build_object(
                'part', a.part, 'userId', a.approver_id, 'name', a.name, 'group', a.group_name, 'at', a.approved_at
              )
              order by a.approved_at
            )
            from askback.approvals a
            where a.user_id = d.user_id and a.conversation_id = d.conversation_id and a.item_id = d.entry ->> 'itemId'
          )
        )
        order by d.created_at, d.run_id, d.sequence
      ),
      '[]'
    )
    from (
      select * from askback.entries e
      where e.type = 'decision' and e.created_at >= p_since and e.entry ->> 'decision' <> 'time'
        and (
          p_after is null or (e.created_at, e.run_id, e.sequence) > (
            (p_after ->> 'time')::timestamptz, (p_after ->> 'runId')::uuid, (p_after ->> 'sequence')::integer
          )
        )
      order by e.created_at, e.run_id, e.sequence
      limit least(p_limit, 1000)
    ) d
    left join askback.open_items i
      on i.user_id = d.user_id and i.conversation_id = d.conversation_id and i.id = d.entry ->> 'itemId'
    left join lateral (
      select * from askback.tool_executions t
      where t.user_id = d.user_id and t.conversation_id = d.conversation_id
        and t.tool_call_id = d.entry ->> 'toolCallId' and t.created_at >= d.created_at - interval '1 second'
        and t.idempotency_key is not null
      order by t.position desc limit 1
    ) x on true
  );
end
$$;
