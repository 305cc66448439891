-- Agents, their tools, and which connection a tool uses.

create table askback.agents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (name ~ '\S' and length(name) <= 200),
  instructions text not null check (instructions ~ '\S' and length(instructions) <= 100000),
  -- all: every tool that no permission forbids; listed: only the tools that a permission allows.
  tool_access text not null default 'listed' check (tool_access in ('all', 'listed')),
  -- Created for a user without agents; at most one, even if two first messages race.
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index agents_by_user on askback.agents (user_id, created_at);
create unique index agents_one_default on askback.agents (user_id) where is_default;

create trigger touch_updated_at before update on askback.agents
for each row execute function askback_private.touch_updated_at();

alter table askback.agents enable row level security;

grant all on askback.agents to service_role;
grant select, delete on askback.agents to authenticated;
grant insert (id, user_id, name, instructions, tool_access) on askback.agents to authenticated;
grant update (name, instructions, tool_access) on askback.agents to authenticated;

create policy "owners read their agents" on askback.agents
for select to authenticated using (user_id = (select auth.uid()));
create policy "owners add agents" on askback.agents
for insert to authenticated with check (user_id = (select auth.uid()));
create policy "owners change their agents" on askback.agents
for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "owners delete their agents" on askback.agents
for delete to authenticated using (user_id = (select auth.uid()));


create table askback.agent_llm_preferences (
  agent_id uuid primary key references askback.agents (id) on delete cascade,
  provider text check (provider ~ '^[a-z0-9-]{1,50}$'),
  model text check (model ~ '\S' and length(model) <= 200),
  temperature double precision check (temperature between 0 and 2),
  retry_temperature double precision check (retry_temperature between 0 and 2),
  max_output_tokens integer check (max_output_tokens > 0),
  -- Further parameters for the provider, by the provider's own names.
  parameters json not null default '{}' check (json_typeof(parameters) = 'object'),
  -- Tried in this order if the model fails: [{ "provider": …, "model": … }].
  fallbacks json not null default '[]' check (json_typeof(fallbacks) = 'array'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create trigger touch_updated_at before update on askback.agent_llm_preferences
for each row execute function askback_private.touch_updated_at();

alter table askback.agent_llm_preferences enable row level security;

grant all on askback.agent_llm_preferences to service_role;
grant select, insert, update, delete on askback.agent_llm_preferences to authenticated;

-- The subquery is subject to the row level security of agents: it sees only the user's own agents.
create policy "owners read the preferences of their agents" on askback.agent_llm_preferences
for select to authenticated
using (agent_id in (select id from askback.agents where user_id = (select auth.uid())));
create policy "owners add preferences to their agents" on askback.agent_llm_preferences
for insert to authenticated
with check (agent_id in (select id from askback.agents where user_id = (select auth.uid())));
create policy "owners change the preferences of their agents" on askback.agent_llm_preferences
for update to authenticated
using (agent_id in (select id from askback.agents where user_id = (select auth.uid())))
with check (agent_id in (select id from askback.agents where user_id = (select auth.uid())));
create policy "owners delete the preferences of their agents" on askback.agent_llm_preferences
for delete to authenticated
using (agent_id in (select id from askback.agents where user_id = (select auth.uid())));


-- The agent that answers: the requested one, else the conversation's, else the user's oldest, else a new default one.
-- Null only if the requested one is not this user's.
create function askback_private.choose_agent(p_user_id uuid, p_asked_for text, p_conversation_agent uuid) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_id uuid;
begin
  if p_asked_for is not null then
    select id into v_id from askback.agents where user_id = p_user_id and id::text = lower(p_asked_for);
    return v_id;
  end if;
  if p_conversation_agent is not null then
    return p_conversation_agent;
  end if;
  loop
    select id into v_id from askback.agents where user_id = p_user_id order by created_at, id limit 1;
    if found then
      return v_id;
    end if;
    insert into askback.agents (user_id, name, instructions, tool_access, is_default)
    values (
      p_user_id,
      'Assistant',
      'You are a helpful assistant. Use the tools you have to do what the user asks. When a tool needs something the user has not said, ask for it; never invent it.',
      'all',
      true
    )
    on conflict (user_id) where is_default do nothing
    returning id into v_id;
    if found then
      return v_id;
    end if;
  end loop;
end
$$;

-- The agents of a user, oldest first; a user who has none gets the default one.
--
-- out  [{ id, name, createdAt: seconds since 1970 }]
create function askback.list_agents(p_user_id uuid) returns json
language plpgsql set search_path = '' as $$
begin
  perform askback_private.require_account(p_user_id);
  perform askback_private.choose_agent(p_user_id, null, null);
  return (
    select json_agg(
      json_build_object('id', id, 'name', name, 'createdAt', extract(epoch from created_at)::bigint)
      order by created_at, id
    )
    from askback.agents where user_id = p_user_id
  );
end
$$;


-- The catalogue of tools, and the functions of the application that an operator offers.
create table askback.tools (
  id uuid primary key default gen_random_uuid(),
  -- Who wrote its description and its answers: Askback, an integration of the project, or a function in its database.
  source text not null default 'askback' check (source in ('askback', 'project', 'application')),
  name text not null unique check (name ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- What the model is told. `json` keeps the order of the parameters.
  specification json not null,
  -- What people read of it in other languages than English, by language; only those that lack nothing.
  words jsonb not null default '{}' check (jsonb_typeof(words) = 'object'),
  -- The edge function that runs it, and the action it is asked for.
  function text not null,
  action text not null,
  -- Providers whose connections it can use, preferred one first.
  providers text[] not null default '{}',
  -- Whether a call waits for the user unless a permission of the agent says otherwise; sometimes: only for the values
  -- that the specification names.
  approval text not null default 'always' check (approval in ('always', 'sometimes', 'never')),
  -- false: an operator has switched it off for everybody, with a reason.
  enabled boolean not null default true,
  off_reason text check (off_reason ~ '\S' and length(off_reason) <= 500),
  position integer not null default 0,
  check (enabled = (off_reason is null)),
  check (specification ->> 'name' = name),
  check (coalesce(specification ->> 'effect', '') in ('read', 'write'))
);

alter table askback.tools enable row level security;

grant all on askback.tools to service_role;
grant select on askback.tools to authenticated;

create policy "everybody signed in reads the tools" on askback.tools
for select to authenticated using (true);


-- Why nobody can use a tool at the moment; null if it is not switched off.
create function askback.switched_off_reason(p_tool_name text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select off_reason from askback.tools where name = p_tool_name
  );
end
$$;


create table askback.agent_tool_permissions (
  agent_id uuid not null references askback.agents (id) on delete cascade,
  -- By name, so that it survives regenerated catalogue rows.
  tool_name text not null check (tool_name ~ '^[A-Za-z0-9_-]{1,64}$'),
  allowed boolean not null default true,
  -- null: the tool's own rule.
  approval text check (approval in ('always', 'never')),
  -- When it was last changed.
  approval_at timestamptz not null default now(),
  -- The connection this agent uses for this tool; null: the first one that fits.
  connection_id uuid references askback.connections (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (agent_id, tool_name)
);

create index agent_tool_permissions_by_connection on askback.agent_tool_permissions (connection_id)
where connection_id is not null;

create trigger touch_updated_at before update on askback.agent_tool_permissions
for each row execute function askback_private.touch_updated_at();

create function askback_private.touch_approval_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.approval_at := now();
  return new;
end
$$;

create trigger touch_approval_at before update on askback.agent_tool_permissions
for each row when (new.approval is distinct from old.approval)
execute function askback_private.touch_approval_at();

alter table askback.agent_tool_permissions enable row level security;

grant all on askback.agent_tool_permissions to service_role;
grant select, insert, update, delete on askback.agent_tool_permissions to authenticated;

create policy "owners read the permissions of their agents" on askback.agent_tool_permissions
for select to authenticated
using (agent_id in (select id from askback.agents where user_id = (select auth.uid())));
create policy "owners add permissions to their agents" on askback.agent_tool_permissions
for insert to authenticated
with check (
  agent_id in (select id from askback.agents where user_id = (select auth.uid()))
  and (
    connection_id is null
    or connection_id in (select id from askback.connections where user_id = (select auth.uid()))
  )
);
create policy "owners change the permissions of their agents" on askback.agent_tool_permissions
for update to authenticated
using (agent_id in (select id from askback.agents where user_id = (select auth.uid())))
with check (
  agent_id in (select id from askback.agents where user_id = (select auth.uid()))
  and (
    connection_id is null
    or connection_id in (select id from askback.connections where user_id = (select auth.uid()))
  )
);
create policy "owners delete the permissions of their agents" on askback.agent_tool_permissions
for delete to authenticated
using (agent_id in (select id from askback.agents where user_id = (select auth.uid())));


-- What a tool of a server is here: as `specify` in shared/integrations/mcp/specify.ts makes it, without the mark in its
-- description.
create function askback_private.foreign_specification(p_accepted json, p_server text, p_trusted boolean) returns json
language plpgsql immutable set search_path = '' as $$
declare
  v_hints json := p_accepted -> 'annotations';
  v_destroys boolean := coalesce(v_hints ->> 'destructiveHint' = 'true', false);
  v_reads boolean := coalesce(v_hints ->> 'readOnlyHint' = 'true', false) and p_trusted and not v_destroys;
  v_always boolean := not v_reads and (v_destroys or coalesce(v_hints ->> 'readOnlyHint' = 'false', false));
begin
  return (
    select json_object_agg(member, value)
    from (
      values
        ('name', p_accepted -> 'name'),
        ('title', to_json(format('%s (%s)', p_accepted ->> 'title', p_server))),
        ('description', p_accepted -> 'description'),
        ('parameters', p_accepted -> 'inputSchema'),
        ('effect', to_json(case when v_reads then 'read' else 'write' end)),
        ('approval', case when not v_reads then to_json('always'::text) end),
        ('alwaysAsks', case when v_always then to_json(true) end),
        ('destructive', case when v_destroys then to_json(true) end),
        ('private', to_json(true)),
        ('emptyText', to_json(true)),
        ('foreign', to_json(true))
    ) members (member, value)
    where value is not null
  );
end
$$;

-- Tools that a user's agents can be given and nobody has switched off: those of the catalogue, then those of servers as they
-- were accepted. `p_names`: only of these names.
create function askback_private.usable_tools(p_user_id uuid, p_names text[] default null)
returns table (name text, specification json, source text, function text, approval text, "position" integer)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select t.name, t.specification, t.source, t.function, t.approval, t.position
  from askback.tools t where t.enabled and (p_names is null or t.name = any (p_names))
  union all
  select
    t.name, f.specification, 'server', 'mcp-client', coalesce(f.specification ->> 'approval', 'never'),
    1000000 + t.position
  from askback.mcp_tools t
  join askback.mcp_servers s on s.id = t.server_id
  cross join lateral (
    select askback_private.foreign_specification(t.accepted, s.name, s.trusted) as specification
  ) f
  where (s.user_id is null or s.user_id = p_user_id) and (p_names is null or t.name = any (p_names))
    and askback_private.is_in_force(t);
end
$$;

-- The specifications of those of the named tools that an agent may use; without p_agent_id, the user's oldest agent.
create function askback_private.permitted_specifications(p_user_id uuid, p_agent_id uuid, p_names text[]) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(t.specification order by t.position, t.name), '[]')
    from askback.agents a
    cross join lateral askback_private.usable_tools(a.user_id, p_names) t
    left join askback.agent_tool_permissions p on p.agent_id = a.id and p.tool_name = t.name
    where a.id = coalesce(
      p_agent_id, (select id from askback.agents where user_id = p_user_id order by created_at, id limit 1)
    )
    and coalesce(p.allowed, a.tool_access = 'all')
  );
end
$$;

-- The account that a tool uses for this agent (null: the user's first): the one chosen for it, or the only one; null if
-- it will ask.
create function askback_private.sender_of(p_user_id uuid, p_agent_id uuid, p_tool_name text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    with usable as (
      select c.account, c.id = p.connection_id as chosen
      from askback.agents a
      join askback.tools t on t.name = p_tool_name
      join askback.connections c on c.user_id = p_user_id and c.provider = any (t.providers) and c.status = 'connected'
      left join askback.agent_tool_permissions p on p.agent_id = a.id and p.tool_name = t.name
      where a.id = coalesce(
        p_agent_id, (select id from askback.agents where user_id = p_user_id order by created_at, id limit 1)
      )
    )
    select case when count(distinct coalesce(u.account, '')) = 1 then min(u.account) end
    from usable u
    where u.chosen is true or not exists (select 1 from usable other where other.chosen)
  );
end
$$;

-- The version of all tools and providers: another one after every change, so that a process reads them only once.
create table askback.catalogue (
  id boolean primary key default true check (id),
  version uuid not null default gen_random_uuid()
);

insert into askback.catalogue default values;

alter table askback.catalogue enable row level security;

grant all on askback.catalogue to service_role;

create function askback_private.change_catalogue() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update askback.catalogue set version = gen_random_uuid() where id;
  return null;
end
$$;

create trigger change_catalogue after insert or update or delete or truncate on askback.tools
for each statement execute function askback_private.change_catalogue();

create trigger change_catalogue after insert or update or delete or truncate on askback.integrations
for each statement execute function askback_private.change_catalogue();

-- All tools and providers, the tools in their order.
--
-- out  { version, tools: [{ name, specification, function, action, source, providers: [id], approval, enabled }],
--      providers: [{ id, name, service, purpose, connection, oauth, builtIn }] }
create function askback.load_catalogue() returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'version', c.version,
      'tools', (
        select coalesce(
          json_agg(json_build_object(
            'name', t.name, 'specification', t.specification, 'function', t.function, 'action', t.action,
            'source', t.source, 'providers', t.providers, 'approval', t.approval, 'enabled', t.enabled
          ) order by t.position, t.name),
          '[]'
        )
        from askback.tools t
      ),
      'providers', (
        select coalesce(
          json_agg(json_build_object(
            'id', i.id, 'name', i.name, 'service', i.service, 'purpose', i.purpose, 'connection', i.connection,
            'oauth', i.oauth, 'builtIn', i.built_in
          )),
          '[]'
        )
        from askback.integrations i
      )
    )
    from askback.catalogue c
  );
end
$$;

-- What tools and providers say in a language, each in the nearest one that it has: de-AT, else de. Those that have none
-- are left out.
--
-- in   p_version: of the catalogue whose words the caller has
-- out  { version: as of load_catalogue, tools: { name: ToolWords }, providers: { id: ProviderWords } }; null: still the same
create function askback.load_words(p_language text, p_version uuid default null) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_base text := split_part(p_language, '-', 1);
begin
  return (
    select json_build_object(
      'version', c.version,
      'tools', (
        select coalesce(json_object_agg(t.name, coalesce(t.words -> p_language, t.words -> v_base)), '{}')
        from askback.tools t where t.words ?| array[p_language, v_base]
      ),
      'providers', (
        select coalesce(json_object_agg(i.id, coalesce(i.words -> p_language, i.words -> v_base)), '{}')
        from askback.integrations i where i.words ?| array[p_language, v_base]
      )
    )
    from askback.catalogue c where c.version is distinct from p_version
  );
end
$$;

-- Every tool that an agent can be given, also those that are switched off.
--
-- out  [{ name, specification, function, action, source, providers: [id], approval, offReason }]
create function askback.list_tools() returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'name', name, 'specification', specification, 'function', function, 'action', action, 'source', source,
          'providers', providers, 'approval', approval, 'offReason', off_reason
        )
        order by position, name
      ),
      '[]'
    )
    from askback.tools
  );
end
$$;

-- Which tools of the catalogue an agent may use, those with the same rule together, since most have: { access: all |
-- listed, permissions: [{ names, allowed, approval, connectionId }], approvers: of those that not the user alone decides,
-- [{ names, who, groupId, group: its name }], granted: p_granted, the names of those that a program may use; null: it acts
-- for its user alone }.
create function askback_private.agent_tools(p_agent askback.agents, p_granted text[] default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'access', p_agent.tool_access,
      'granted', p_granted,
      'permissions', coalesce(
        json_agg(json_build_object(
          'names', r.names, 'allowed', r.allowed, 'approval', r.approval, 'connectionId', r.connection_id
        )),
        '[]'
      ),
      'approvers', (
        select coalesce(
          json_agg(json_build_object('names', a.names, 'who', a.who, 'groupId', a.group_id, 'group', g.name)), '[]'
        )
        from (
          select array_agg(t.tool_name) as names, rule.who, rule.group_id
          from (select distinct tool_name from askback.tool_approvers) t
          cross join lateral askback_private.approver_rule(p_agent.id, t.tool_name) rule
          where rule.who is not null
          group by rule.who, rule.group_id
        ) a
        join askback.groups g on g.id = a.group_id
      )
    )
    from (
      select array_agg(p.tool_name) as names, p.allowed, p.approval, p.connection_id
      from askback.agent_tool_permissions p
      where p.agent_id = p_agent.id
      group by p.allowed, p.approval, p.connection_id
    ) r
  );
end
$$;

-- The connections of a user that tools can use: [{ provider, id, status, scopes, account }].
create function askback_private.tool_connections(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(json_build_object(
        'provider', c.provider, 'id', c.id, 'status', c.status, 'scopes', c.scopes, 'account', c.account
      )),
      '[]'
    )
    from askback.connections c
    where c.user_id = p_user_id and c.status <> 'disabled'
  );
end
$$;

-- The connections that a tool can use, with their encrypted secrets: only the requested one, else all of them. The one
-- that is pinned for the agent and the tool comes first, then working ones, in the user's order, then in the order of
-- the providers, then oldest first. The first one counts as used now.
--
-- out  [{ id, provider, label, account, status, scopes, pinned, metadata, secrets: [{ field, ciphertext, keyId, version
--      }] }]
create function askback_private.usable_connections(
  p_user_id uuid,
  p_providers text[],
  p_agent_id uuid default null,
  p_tool_name text default null,
  p_connection_id uuid default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_connections json;
begin
  select coalesce(json_agg(found.connection order by found.number), '[]') into v_connections
  from (
    select
      row_number() over (
        order by
          p.connection_id is null,
          c.status <> 'connected',
          c.position,
          array_position(p_providers, c.provider),
          c.created_at,
          c.id
      ) as number,
      json_build_object(
        'id', c.id,
        'provider', c.provider,
        'label', c.label,
        'account', c.account,
        'status', c.status,
        'scopes', c.scopes,
        'pinned', p.connection_id is not null,
        'metadata', c.metadata,
        'secrets', coalesce(
          (
            select json_agg(
              json_build_object('field', s.field, 'ciphertext', s.ciphertext, 'keyId', s.key_id, 'version', s.version)
              order by s.field
            )
            from askback.connection_secrets s
            where s.connection_id = c.id
          ),
          '[]'
        )
      ) as connection
    from askback.connections c
    left join askback.agent_tool_permissions p
      on p.agent_id = p_agent_id and p.tool_name = p_tool_name and p.connection_id = c.id
    where c.user_id = p_user_id
      and c.provider = any (p_providers)
      and (p_connection_id is null or c.id = p_connection_id)
      and c.status <> 'disabled'
  ) found;
  -- Once a minute, so that a busy connection is not written on every use.
  update askback.connections set last_used_at = clock_timestamp()
  where id = (v_connections #>> '{0,id}')::uuid
    and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute');
  return v_connections;
end
$$;

-- The same for a call that is about to start.
--
-- out  as of usable_connections; null: an operator has switched the tool off
create function askback.load_connections(
  p_user_id uuid,
  p_providers text[],
  p_agent_id uuid default null,
  p_tool_name text default null,
  p_connection_id uuid default null
) returns json
language sql set search_path = '' as $$
  select askback_private.require_account(p_user_id);
  select case when askback.switched_off_reason(p_tool_name) is null then
    askback_private.usable_connections(p_user_id, p_providers, p_agent_id, p_tool_name, p_connection_id)
  end
$$;

-- Everything the settings page shows: the providers, their tools, the user's connections.
--
-- out  [{ id, name, description, service, purpose, source, function, connection, oauth, builtIn,
--      tools: [{ name, title }], connections: [as connection_json] }]
create function askback.integration_settings(p_user_id uuid, p_provider text default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'id', i.id, 'name', i.name, 'description', i.description, 'service', i.service, 'purpose', i.purpose,
          'source', i.source, 'function', i.function, 'connection', i.connection, 'oauth', i.oauth,
          'builtIn', i.built_in, 'tools', (
            select coalesce(
              json_agg(
                json_build_object('name', t.name, 'title', t.specification ->> 'title')
                order by t.position, t.name
              ),
              '[]'
            )
            from askback.tools t where t.enabled and i.id = any (t.providers)
          ),
          'connections', (
            select coalesce(json_agg(askback_private.connection_json(c) order by c.position, c.created_at, c.id), '[]')
            from askback.connections c where c.user_id = p_user_id and c.provider = i.id
          )
        )
        -- Keys for models belong to no tool and come last.
        order by not exists (select 1 from askback.tools t where i.id = any (t.providers)), i.position, i.id
      ),
      '[]'
    )
    from askback.integrations i
    where p_provider is null or i.id = p_provider
  );
end
$$;

-- Deletes a connection, and returns which agents lose which tools.
--
-- out  { deleted, lost: [{ id, name, tools: [text] }], shared: whether another connection depends on the same sign-in,
--      which revoking would end }; null: the user has no such connection
create function askback.remove_connection(p_user_id uuid, p_connection_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_grant askback.oauth_grants;
  v_provider text;
  v_lost json;
begin
  select * into v_grant from askback.oauth_grants where connection_id = p_connection_id;
  -- If two connections of one sign-in are deleted at once, the second deletion sees that the first one is gone.
  perform 1 from askback.connections c
  join askback.oauth_grants g on g.connection_id = c.id
  where c.user_id = p_user_id and g.server = v_grant.server and g.subject = v_grant.subject
  order by c.id
  for update of c;
  delete from askback.connections where id = p_connection_id and user_id = p_user_id returning provider into v_provider;
  if not found then
    return null;
  end if;
  select coalesce(
    json_agg(json_build_object('id', a.id, 'name', a.name, 'tools', lost.names) order by a.created_at, a.id), '[]'
  )
  into v_lost
  from askback.agents a
  cross join lateral (
    select json_agg(t.name order by t.position, t.name) as names
    from askback.tools t
    left join askback.agent_tool_permissions p on p.agent_id = a.id and p.tool_name = t.name
    where t.enabled and v_provider = any (t.providers)
      and coalesce(p.allowed, a.tool_access = 'all')
      and not exists (
        select 1 from askback.connections c
        where c.user_id = p_user_id and c.provider = any (t.providers) and c.status <> 'disabled'
      )
      and not exists (select 1 from askback.integrations i where i.id = any (t.providers) and i.built_in)
  ) lost
  where a.user_id = p_user_id and lost.names is not null;
  return json_build_object(
    'deleted', p_connection_id,
    'lost', v_lost,
    'shared', exists (
      select 1 from askback.connections c
      join askback.oauth_grants g on g.connection_id = c.id
      where c.user_id = p_user_id and g.server = v_grant.server and g.subject = v_grant.subject
    )
  );
end
$$;
