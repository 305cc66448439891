-- What programs may do for their users over MCP: a grant for each client of Supabase's OAuth server and each agent.

create table askback.mcp_grants (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The client's id at the OAuth server: the claim `client_id` of its tokens.
  client_id text not null check (length(client_id) between 1 and 2048),
  -- What it calls itself: nobody has checked it.
  client_name text not null check (client_name ~ '\S' and length(client_name) <= 200),
  -- Where its user is sent back to; null: it was let in without a page that knew it.
  redirect_host text check (length(redirect_host) between 1 and 255),
  agent_id uuid not null references askback.agents (id) on delete cascade,
  -- By name: a tool that comes later is off.
  tools text[] not null check (cardinality(tools) <= 1000 and array_position(tools, null) is null),
  -- Whether it may show approvals itself, in forms of its own.
  forms boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  -- Requests that came by it.
  used bigint not null default 0,
  revoked_at timestamptz
);

-- Asked for twice at once, it is one. What was revoked stays so: a new grant has a new id, and nothing of the old one.
create unique index mcp_grants_once on askback.mcp_grants (user_id, client_id, agent_id) where revoked_at is null;
create index mcp_grants_by_user on askback.mcp_grants (user_id, created_at);
create index mcp_grants_by_agent on askback.mcp_grants (agent_id);

alter table askback.mcp_grants enable row level security;

grant all on askback.mcp_grants to service_role;

alter table askback.permissions
add constraint permissions_of_grant foreign key (grant_id) references askback.mcp_grants (id) on delete cascade;
create index permissions_by_grant on askback.permissions (grant_id) where grant_id is not null;

-- A grant as its owner sees it.
create function askback_private.mcp_grant_json(p_grant askback.mcp_grants) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_build_object(
    'id', p_grant.id, 'clientId', p_grant.client_id, 'clientName', p_grant.client_name,
    'redirectHost', p_grant.redirect_host, 'agentId', p_grant.agent_id, 'tools', p_grant.tools, 'forms', p_grant.forms,
    'createdAt', p_grant.created_at, 'lastUsedAt', p_grant.last_used_at, 'used', p_grant.used
  );
end
$$;

-- What an agent can be asked to do over MCP, in the order of the catalogue: [{ name, effect, asks: whether it asks before
-- that }]. `ask_agent` is the agent itself.
create function askback_private.grantable_tools(p_agent askback.agents) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'name', t.name,
          'effect', t.specification ->> 'effect',
          'asks', coalesce(p.approval, t.approval) <> 'never' or t.specification ->> 'alwaysAsks' is not null
            or (askback_private.approver_rule(p_agent.id, t.name)).who is not null
        )
        order by t.position, t.name
      ),
      '[]'
    )
    from askback.tools t
    left join askback.agent_tool_permissions p on p.agent_id = p_agent.id and p.tool_name = t.name
    where t.enabled and coalesce(p.allowed, p_agent.tool_access = 'all')
  );
end
$$;

-- The grants of a user that have not been revoked, newest first, and what could be granted. A user without agents gets the
-- default one.
--
-- out  { grants: [as of mcp_grant_json], agents: [{ id, name, tools: as of grantable_tools }] oldest first }
create function askback.list_mcp_grants(p_user_id uuid) returns json
language plpgsql set search_path = '' as $$
begin
  perform askback_private.require_account(p_user_id);
  perform askback_private.choose_agent(p_user_id, null, null);
  return json_build_object(
    'grants', (
      select coalesce(json_agg(askback_private.mcp_grant_json(g) order by g.created_at desc, g.id), '[]')
      from askback.mcp_grants g
      where g.user_id = p_user_id and g.revoked_at is null
    ),
    'agents', (
      select json_agg(
        json_build_object('id', a.id, 'name', a.name, 'tools', askback_private.grantable_tools(a))
        order by a.created_at, a.id
      )
      from askback.agents a
      where a.user_id = p_user_id
    )
  );
end
$$;

-- The first of these names that is no tool; null if all are.
create function askback_private.unknown_grant_tool(p_tools text[]) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select name from unnest(p_tools) with ordinality asked (name, position)
    where name <> 'ask_agent' and not exists (select 1 from askback.tools t where t.name = asked.name)
    order by position limit 1
  );
end
$$;

-- Grants a client the use of an agent. Where it has a grant already, that one is changed.
--
-- in   p_grant: { clientId, clientName, redirectHost?, agentId, tools: [name], forms }
-- out  { grant: as of mcp_grant_json }
--      | { kind: error, code: agent_not_found | unknown_tool | too_many_grants, tool?, limit? }
create function askback.make_mcp_grant(p_user_id uuid, p_grant json) returns json
language plpgsql set search_path = '' as $$
declare
  v_most constant integer := 200;
  v_agent uuid;
  v_tools text[] := askback_private.text_list(p_grant -> 'tools');
  v_unknown text := askback_private.unknown_grant_tool(v_tools);
  v_row askback.mcp_grants;
begin
  perform askback_private.require_account(p_user_id);
  if v_unknown is not null then
    return json_build_object('kind', 'error', 'code', 'unknown_tool', 'tool', v_unknown);
  end if;
  perform askback_private.lock_usage(p_user_id);
  select id into v_agent from askback.agents
  where user_id = p_user_id and id = (p_grant ->> 'agentId')::uuid for no key update;
  if v_agent is null then
    return json_build_object('kind', 'error', 'code', 'agent_not_found');
  end if;
  if (
    select count(*) from askback.mcp_grants
    where user_id = p_user_id and revoked_at is null
      and (client_id, agent_id) is distinct from (p_grant ->> 'clientId', v_agent)
  ) >= v_most then
    return json_build_object('kind', 'error', 'code', 'too_many_grants', 'limit', v_most);
  end if;
  insert into askback.mcp_grants (user_id, client_id, client_name, redirect_host, agent_id, tools, forms)
  values (
    p_user_id, p_grant ->> 'clientId', p_grant ->> 'clientName', p_grant ->> 'redirectHost', v_agent, v_tools,
    (p_grant ->> 'forms')::boolean
  )
  on conflict (user_id, client_id, agent_id) where revoked_at is null do update set
    client_name = excluded.client_name, redirect_host = excluded.redirect_host,
    tools = excluded.tools, forms = excluded.forms
  returning * into v_row;
  return json_build_object('grant', askback_private.mcp_grant_json(v_row));
end
$$;

-- Changes what a grant allows, from the next call on.
--
-- in   p_change: { tools?: [name], forms? }
-- out  { grant: as of mcp_grant_json } | { kind: error, code: grant_not_found | unknown_tool, tool? }
create function askback.change_mcp_grant(p_user_id uuid, p_grant_id uuid, p_change json) returns json
language plpgsql set search_path = '' as $$
declare
  v_tools text[] := askback_private.text_list(p_change -> 'tools');
  v_unknown text := askback_private.unknown_grant_tool(v_tools);
  v_row askback.mcp_grants;
begin
  if v_unknown is not null then
    return json_build_object('kind', 'error', 'code', 'unknown_tool', 'tool', v_unknown);
  end if;
  update askback.mcp_grants
  set tools = coalesce(v_tools, tools), forms = coalesce((p_change ->> 'forms')::boolean, forms)
  where id = p_grant_id and user_id = p_user_id and revoked_at is null
  returning * into v_row;
  if not found then
    return json_build_object('kind', 'error', 'code', 'grant_not_found');
  end if;
  return json_build_object('grant', askback_private.mcp_grant_json(v_row));
end
$$;

-- Revokes a grant for good, and ends what came by it. Its row stays, so that nothing that was asked through it can be answered by another one.
-- Calling it again returns the same.
--
-- out  whether there is such a grant
create function askback.revoke_mcp_grant(p_user_id uuid, p_grant_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  update askback.mcp_grants set revoked_at = coalesce(revoked_at, clock_timestamp())
  where id = p_grant_id and user_id = p_user_id;
  if not found then
    return false;
  end if;
  update askback.permissions set revoked_at = clock_timestamp() where grant_id = p_grant_id and revoked_at is null;
  perform askback_private.end_calls_of_grant(p_user_id, p_grant_id);
  return true;
end
$$;

-- By which grant a client acts. Its use is counted.
--
-- in   p_agent_id: the agent that the client asks for; null: the user's oldest one, or the one that was granted to this
--      client if that one was not
-- out  { kind: granted, id, agentId, tools, forms } | { kind: agent_not_found } | { kind: not_granted, agentId }
create function askback.use_mcp_grant(p_user_id uuid, p_client_id text, p_agent_id text default null) returns json
language plpgsql set search_path = '' as $$
declare
  v_agent uuid;
  v_grant askback.mcp_grants;
begin
  perform askback_private.require_account(p_user_id);
  v_agent := askback_private.choose_agent(p_user_id, p_agent_id, null);
  if v_agent is null then
    return json_build_object('kind', 'agent_not_found');
  end if;
  update askback.mcp_grants set used = used + 1, last_used_at = clock_timestamp()
  where id = (
    select id from askback.mcp_grants
    where user_id = p_user_id and client_id = p_client_id and revoked_at is null
      and (agent_id = v_agent or p_agent_id is null)
    order by agent_id = v_agent desc, created_at desc, id
    limit 1
  )
  returning * into v_grant;
  if not found then
    return json_build_object('kind', 'not_granted', 'agentId', v_agent);
  end if;
  return json_build_object(
    'kind', 'granted', 'id', v_grant.id, 'agentId', v_grant.agent_id, 'tools', v_grant.tools, 'forms', v_grant.forms
  );
end
$$;
