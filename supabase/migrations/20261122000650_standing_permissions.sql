-- Standing permissions: to whom an agent may send without asking its user first, and how often; or a program over MCP through
-- its agent, which has its own.

create table askback.permissions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  agent_id uuid not null references askback.agents (id) on delete cascade,
  -- Of a program, by its grant for this agent (`askback.mcp_grants`); null: of the agent itself, in the chat.
  grant_id uuid,
  tool_name text not null check (tool_name ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- The parameter that the pattern is about; `to` stands for to, cc and bcc.
  path text not null default 'to' check (length(path) between 1 and 200),
  -- An address, or `*@` and a domain for whoever is directly at it. Compared as text, never as a pattern of SQL.
  pattern text not null check (length(pattern) <= 320 and pattern ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  max integer not null default 20 check (max between 1 and 1000),
  -- Windows are fixed, in UTC.
  per text not null default 'day' check (per in ('minute', 'hour', 'day')),
  -- Uses in the window of the last one.
  used integer not null default 0,
  -- Uses in all, since it was given.
  total integer not null default 0,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

-- Given again, it is the same permission: taking it back and giving it again does not start the count anew.
create unique index permissions_once on askback.permissions (agent_id, grant_id, tool_name, path, lower(pattern))
nulls not distinct;
create index permissions_by_user on askback.permissions (user_id, created_at);
create index permissions_revoked on askback.permissions (revoked_at) where revoked_at is not null;

alter table askback.permissions enable row level security;

grant all on askback.permissions to service_role;
grant select on askback.permissions to authenticated;

create policy "owners read their permissions" on askback.permissions
for select to authenticated using (user_id = (select auth.uid()));


-- Uses of a permission in its current window.
create function askback_private.permission_use(p_permission askback.permissions) returns integer
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_permission.last_used_at >= date_trunc(p_permission.per, clock_timestamp(), 'UTC') then p_permission.used
    else 0
  end;
end
$$;

-- A permission as its owner sees it.
create function askback_private.permission_json(p_permission askback.permissions) returns json
language plpgsql stable set search_path = '' as $$
begin
  return json_build_object(
    'id', p_permission.id,
    'agentId', p_permission.agent_id,
    'grantId', p_permission.grant_id,
    'toolName', p_permission.tool_name,
    'path', p_permission.path,
    'pattern', p_permission.pattern,
    'max', p_permission.max,
    'per', p_permission.per,
    'used', askback_private.permission_use(p_permission),
    'total', p_permission.total,
    'lastUsedAt', p_permission.last_used_at,
    'createdAt', p_permission.created_at
  );
end
$$;

-- The permissions of a user that have not been revoked, oldest first, of all agents or one.
--
-- out  [as of permission_json]
create function askback.list_permissions(p_user_id uuid, p_agent_id uuid default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(askback_private.permission_json(p) order by p.created_at, p.id), '[]')
    from askback.permissions p
    where p.user_id = p_user_id and p.revoked_at is null and (p_agent_id is null or p.agent_id = p_agent_id)
  );
end
$$;

-- The specification of a tool that a user's agents can be given, also if it is switched off; null if there is none of this name.
create function askback.find_tool(p_user_id uuid, p_tool_name text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return coalesce(
    (select specification from askback.tools where name = p_tool_name),
    (select specification from askback_private.usable_tools(p_user_id, array[p_tool_name]))
  );
end
$$;

-- Gives a permission; one that exists gets the new limit.
--
-- in   p_permission: { agentId, grantId?: of a program, toolName, path, pattern: in the form that recipients are compared in,
--      max, per }
-- out  { permission: as of permission_json }
--      | { kind: error, code: agent_not_found | grant_not_found | too_many_permissions }
--      as of limit_refusal: the user has as many, of all agents
create function askback.add_permission(p_user_id uuid, p_permission json) returns json
language plpgsql set search_path = '' as $$
declare
  v_agent uuid;
  v_grant uuid := (p_permission ->> 'grantId')::uuid;
  v_row askback.permissions;
  v_known uuid;
  v_refused json;
begin
  perform askback_private.lock_usage(p_user_id);
  -- Locked, so that requests at the same time count each other's.
  select id into v_agent from askback.agents
  where user_id = p_user_id and id = (p_permission ->> 'agentId')::uuid for no key update;
  if v_agent is null then
    return json_build_object('kind', 'error', 'code', 'agent_not_found');
  end if;
  -- Whoever revokes it waits, and takes this back, too.
  perform 1 from askback.mcp_grants
  where id = v_grant and user_id = p_user_id and agent_id = v_agent and revoked_at is null for share;
  if v_grant is not null and not found then
    return json_build_object('kind', 'error', 'code', 'grant_not_found');
  end if;
  select id into v_known from askback.permissions
  where agent_id = v_agent and grant_id is not distinct from v_grant and tool_name = p_permission ->> 'toolName' and path = p_permission ->> 'path'
    and lower(pattern) = lower(p_permission ->> 'pattern') and revoked_at is null;
  if v_known is null then
    if (select count(*) from askback.permissions where agent_id = v_agent and revoked_at is null) >= 200 then
      return json_build_object('kind', 'error', 'code', 'too_many_permissions');
    end if;
    v_refused := askback_private.keep_refusal('user', p_user_id, 'permissions', (
      select count(*) from askback.permissions where user_id = p_user_id and revoked_at is null
    ));
    if v_refused is not null then
      return v_refused;
    end if;
  end if;
  insert into askback.permissions as existing (user_id, agent_id, grant_id, tool_name, path, pattern, max, per)
  values (
    p_user_id, v_agent, v_grant, p_permission ->> 'toolName', p_permission ->> 'path', p_permission ->> 'pattern',
    (p_permission ->> 'max')::integer, p_permission ->> 'per'
  )
  on conflict (agent_id, grant_id, tool_name, path, lower(pattern)) do update set
    max = excluded.max, per = excluded.per, revoked_at = null,
    -- In the new window, what was used in the old one still counts.
    used = askback_private.permission_use(existing),
    total = case when existing.revoked_at is null then existing.total else 0 end,
    created_at = case when existing.revoked_at is null then existing.created_at else now() end
  returning * into v_row;
  return json_build_object('permission', askback_private.permission_json(v_row));
end
$$;

-- Takes a permission back, from the next claim on. It is kept only if it has uses in its current window, which count if it
-- is given again.
--
-- out  false: this user has no such permission
create function askback.revoke_permission(p_user_id uuid, p_permission_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from askback.permissions p
  where id = p_permission_id and user_id = p_user_id and revoked_at is null and askback_private.permission_use(p) = 0;
  if found then
    return true;
  end if;
  update askback.permissions set revoked_at = clock_timestamp()
  where id = p_permission_id and user_id = p_user_id and revoked_at is null;
  return found;
end
$$;

-- Whether a permission counts in a conversation: those of a program in what it has begun, and no others there.
create function askback_private.counts_in(
  p_permission askback.permissions, p_user_id uuid, p_conversation_id text
) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_grant uuid;
begin
  select grant_id into v_grant from askback.client_calls
  where user_id = p_user_id and conversation_id = p_conversation_id;
  return case when found then coalesce(p_permission.grant_id = v_grant, false) else p_permission.grant_id is null end;
end
$$;

-- Names of the tools for which the agent of a run has a permission. The claim decides whether it covers a call.
create function askback_private.permitted_tool_names(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(distinct p.tool_name), '[]') from askback.permissions p
    where p.agent_id = p_run.agent_id and p.revoked_at is null
      and askback_private.counts_in(p, p_run.user_id, p_run.conversation_id)
  );
end
$$;

-- The permissions that cover a write together, locked; null if a recipient is not covered by one with a use left.
--
-- in   p_needs: { path, addresses: folded, each with one @ }
create function askback_private.covering_permissions(p_run askback.runs, p_tool_name text, p_needs json) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_patterns text[] := array(
    select pattern
    from json_array_elements_text(p_needs -> 'addresses') address,
      unnest(array[address, '*@' || split_part(address, '@', 2)]) pattern
  );
  v_covering uuid[];
begin
  -- Always in the same order, so that two claims never wait for each other.
  perform 1 from askback.permissions
  where user_id = p_run.user_id and agent_id = p_run.agent_id and tool_name = p_tool_name
    and lower(pattern) = any (v_patterns)
  order by id for update;
  -- Another statement, to see what the claims before have used.
  select case when bool_and(chosen.id is not null) then array_agg(distinct chosen.id) end into v_covering
  from json_array_elements_text(p_needs -> 'addresses') address
  left join lateral (
    select p.id from askback.permissions p
    where p.user_id = p_run.user_id and p.agent_id = p_run.agent_id and p.tool_name = p_tool_name
      and p.path = p_needs ->> 'path' and p.revoked_at is null
      and askback_private.counts_in(p, p_run.user_id, p_run.conversation_id)
      and lower(p.pattern) in (address, '*@' || split_part(address, '@', 2))
      and askback_private.permission_use(p) < p.max
    -- One for the address before one for its domain.
    order by lower(p.pattern) <> address, p.id
    limit 1
  ) chosen on true;
  return v_covering;
end
$$;

-- A permission that would cover a recipient, but has no use left: { pattern, max, per }, or null.
create function askback_private.spent_permission(p_run askback.runs, p_tool_name text, p_needs json) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object('pattern', p.pattern, 'max', p.max, 'per', p.per)
    from askback.permissions p
    join json_array_elements_text(p_needs -> 'addresses') address
      on lower(p.pattern) in (address, '*@' || split_part(address, '@', 2))
    where p.user_id = p_run.user_id and p.agent_id = p_run.agent_id and p.tool_name = p_tool_name
      and p.path = p_needs ->> 'path' and p.revoked_at is null and askback_private.permission_use(p) >= p.max
      and askback_private.counts_in(p, p_run.user_id, p_run.conversation_id)
    order by lower(p.pattern) <> address, p.id
    limit 1
  );
end
$$;

-- Counts a use of each of these permissions.
create function askback_private.use_permissions(p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.permissions p
  set used = askback_private.permission_use(p) + 1, total = total + 1, last_used_at = clock_timestamp()
  where id = any (p_ids);
end
$$;

-- Takes back what a write has used that provably did not happen, from its window if that is still the current one.
create function askback_private.give_back_permissions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- In the same order as the claims.
  perform 1 from askback.permissions where id = any (new.used_permissions) order by id for update;
  update askback.permissions p set
    used = back.used, total = back.total,
    last_used_at = case when back.used > 0 or back.total > 0 then p.last_used_at end
  from (
    select
      id,
      case
        when date_trunc(per, last_used_at, 'UTC') = date_trunc(per, new.created_at, 'UTC') then greatest(used - 1, 0)
        else used
      end as used,
      greatest(total - 1, 0) as total
    from askback.permissions
    where id = any (new.used_permissions)
  ) back
  where p.id = back.id;
  return null;
end
$$;

create trigger give_back_permissions after update of status on askback.tool_executions
for each row when (
  new.used_permissions is not null and new.status in ('failed', 'cancelled') and old.status in ('running', 'unknown')
)
execute function askback_private.give_back_permissions();
