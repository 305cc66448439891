-- Servers of MCP that others run, and their tools as people have accepted them.

create table askback.mcp_servers (
  id uuid primary key,
  -- null: the project's, for all its users.
  user_id uuid references auth.users (id) on delete cascade,
  -- Stands before the names of its tools: `<name>__<tool>`.
  name text not null check (name ~ '^[a-z](_?[a-z0-9])*$' and length(name) <= 24),
  url text not null check (length(url) <= 2000),
  -- { field, ciphertext, keyId, version } of headers such as a key, encrypted before they get here.
  headers json,
  -- What its tools say of themselves is believed: those that only read do not ask.
  trusted boolean not null default false,
  -- It may be sent what was read elsewhere without asking.
  private boolean not null default false,
  status text not null check (status in ('ready', 'sign_in', 'unreachable')),
  -- What it has said last about whom it lets in: { metadataUrl?, scope? }.
  challenge json,
  -- What it calls itself: nobody has checked it.
  title text not null default '' check (length(title) <= 200),
  -- The revision of MCP that was agreed on last.
  protocol text,
  -- Why it is not ready, or what of its tools was not taken as it is: [{ code, values }].
  said json not null default '[]',
  -- Another one after every change that a run must see.
  version uuid not null default gen_random_uuid(),
  -- When its tools were read last; null: never.
  listed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- Added twice at once, it is one.
  unique nulls not distinct (user_id, url),
  unique nulls not distinct (user_id, name)
);

alter table askback.mcp_servers enable row level security;
grant all on askback.mcp_servers to service_role;


create table askback.mcp_tools (
  server_id uuid not null references askback.mcp_servers (id) on delete cascade,
  -- Of the server.
  user_id uuid references auth.users (id) on delete cascade,
  -- Exactly as the server calls it.
  foreign_name text not null check (length(foreign_name) <= 256),
  -- As models call it.
  name text not null check (name ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- The definition in force, and its hash; null: nobody has accepted one yet.
  accepted json,
  hash text,
  -- What the server says now, to be accepted.
  proposed json,
  -- What became of it since it was accepted; null: nothing.
  change text check (change in ('words', 'stricter', 'off', 'gone', 'new')),
  -- The change in sentences: [{ code, values }].
  said json not null default '[]',
  -- false: people have switched it off.
  enabled boolean not null default true,
  position integer not null,
  primary key (server_id, foreign_name),
  unique nulls not distinct (user_id, name),
  check ((accepted is null) = (hash is null)),
  check (coalesce(accepted, proposed) is not null)
);

create index mcp_tools_by_name on askback.mcp_tools (name);

alter table askback.mcp_tools enable row level security;
grant all on askback.mcp_tools to service_role;


-- Ends what people have allowed for a definition that is no longer in force. What forbids or limits a tool follows it to its
-- new name.
create function askback_private.forget_definition() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Those of everybody, for a server of the project.
  v_agents uuid[] := array(
    select id from askback.agents where old.user_id is null or user_id = old.user_id
  );
begin
  -- In the same order as the claims.
  perform 1 from askback.permissions where tool_name = old.name and agent_id = any (v_agents) order by id for update;
  delete from askback.permissions where tool_name = old.name and agent_id = any (v_agents);
  update askback.agent_tool_permissions set approval = null
  where tool_name = old.name and approval = 'never' and agent_id = any (v_agents);
  if tg_op = 'UPDATE' and new.name <> old.name then
    delete from askback.agent_tool_permissions where tool_name = new.name and agent_id = any (v_agents);
    update askback.agent_tool_permissions set tool_name = new.name
    where tool_name = old.name and agent_id = any (v_agents);
    delete from askback.tool_approvers
    where tool_name = new.name and (agent_id = any (v_agents) or (agent_id is null and old.user_id is null));
    update askback.tool_approvers set tool_name = new.name
    where tool_name = old.name and (agent_id = any (v_agents) or (agent_id is null and old.user_id is null));
    delete from askback.limits where tool = new.name and (old.user_id is null or subject = old.user_id);
    update askback.limits set tool = new.name
    where tool = old.name and (old.user_id is null or subject = old.user_id);
  end if;
  return null;
end
$$;

create trigger forget_definition after update of name, hash on askback.mcp_tools
for each row when (old.name <> new.name or old.hash is distinct from new.hash)
execute function askback_private.forget_definition();

create trigger forget_removed_definition after delete on askback.mcp_tools
for each row execute function askback_private.forget_definition();


-- Whether models can be offered a tool.
create function askback_private.is_in_force(p_tool askback.mcp_tools) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_tool.enabled and p_tool.accepted is not null and coalesce(p_tool.change not in ('off', 'gone'), true);
end
$$;

-- The servers that a user's agents can use, ready ones first: [{ id, version }].
create function askback_private.servers_of(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object('id', id, 'version', version)
        order by status = 'ready' desc, user_id is null desc, name
      ),
      '[]'
    )
    from askback.mcp_servers
    where user_id is null or user_id = p_user_id
  );
end
$$;

-- What a run must know of servers of its user, in the order of their ids. Without `p_ids`, of all.
--
-- out  [{ id, version, name, url, status, trusted, private, tools: [{ name, foreignName, accepted, hash }] those that models
--      can be offered, in the server's order }]
create function askback.load_servers(p_user_id uuid, p_ids uuid[] default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'id', s.id, 'version', s.version, 'name', s.name, 'url', s.url, 'status', s.status,
          'trusted', s.trusted, 'private', s.private,
          'tools', (
            select coalesce(
              json_agg(
                json_build_object(
                  'name', t.name, 'foreignName', t.foreign_name, 'accepted', t.accepted, 'hash', t.hash
                )
                order by t.position, t.foreign_name
              ),
              '[]'
            )
            from askback.mcp_tools t where t.server_id = s.id and askback_private.is_in_force(t)
          )
        )
        order by s.id
      ),
      '[]'
    )
    from askback.mcp_servers s
    where (p_ids is null or s.id = any (p_ids)) and (s.user_id is null or s.user_id = p_user_id)
  );
end
$$;

-- What a call of a server's tool needs, right before it is made.
--
-- out  { url, headers: as stored, or null, name, trusted, tool: { accepted, hash }, null: it has no such tool that can be
--      called }; null: the user has no such server
create function askback.open_server(p_user_id uuid, p_server_id uuid, p_tool_name text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'url', s.url, 'headers', s.headers, 'name', s.name, 'trusted', s.trusted,
      'tool', (
        select json_build_object('accepted', t.accepted, 'hash', t.hash) from askback.mcp_tools t
        where t.server_id = s.id and t.name = p_tool_name and askback_private.is_in_force(t)
      )
    )
    from askback.mcp_servers s
    where s.id = p_server_id and (s.user_id is null or s.user_id = p_user_id)
  );
end
$$;

-- The servers of a user and those of the project, oldest first, as people see them: without their headers.
--
-- in   p_server_id: of one of them only
-- out  [{ id, name, url, scope: user | project, mine: whether the user may change it, status, trusted, private, challenge,
--      title, said, version, listed: whether its tools were ever read, tools: [{ name, foreignName, accepted, hash, proposed,
--      change, said, enabled, position }] }]
create function askback.list_servers(p_user_id uuid, p_server_id uuid default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'id', s.id, 'name', s.name, 'url', s.url, 'scope', case when s.user_id is null then 'project' else 'user' end,
          'mine', s.user_id is not null or askback.is_operator(p_user_id),
          'status', s.status, 'trusted', s.trusted, 'private', s.private, 'challenge', s.challenge, 'title', s.title,
          'said', s.said, 'version', s.version, 'listed', s.listed_at is not null,
          'tools', (
            select coalesce(
              json_agg(
                json_build_object(
                  'name', t.name, 'foreignName', t.foreign_name, 'accepted', t.accepted, 'hash', t.hash,
                  'proposed', t.proposed, 'change', t.change, 'said', t.said, 'enabled', t.enabled,
                  'position', t.position
                )
                order by t.position, t.foreign_name
              ),
              '[]'
            )
            from askback.mcp_tools t where t.server_id = s.id
          )
        )
        order by s.user_id is null desc, s.created_at, s.id
      ),
      '[]'
    )
    from askback.mcp_servers s
    where (s.user_id is null or s.user_id = p_user_id) and (p_server_id is null or s.id = p_server_id)
  );
end
$$;

-- The headers of a server, for whoever may change it: as stored, or null.
create function askback.server_headers(p_user_id uuid, p_server_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select headers from askback.mcp_servers
    where id = p_server_id and (user_id = p_user_id or (user_id is null and askback.is_operator(p_user_id)))
  );
end
$$;

-- Names that a server of a user and its tools cannot have: { servers: [name], tools: [name] } of the catalogue, on or off, and
-- of the other servers.
create function askback.taken_names(p_user_id uuid, p_server_id uuid default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return json_build_object(
    'servers', (
      select coalesce(json_agg(name), '[]') from askback.mcp_servers
      where (user_id is null or user_id = p_user_id) and id is distinct from p_server_id
    ),
    'tools', (
      select coalesce(json_agg(name), '[]')
      from (
        select name from askback.tools
        union all
        select name from askback.mcp_tools
        where (user_id is null or user_id = p_user_id) and server_id is distinct from p_server_id
      ) taken
    )
  );
end
$$;

-- Stores the tools of a server in place of those that it had. Whether people have switched one off stays as it is unless
-- `enabled` says otherwise.
--
-- in   p_tools: [{ foreignName, name, accepted?, hash?, proposed?, change?, said?, enabled? }] in order
create function askback_private.store_server_tools(p_server askback.mcp_servers, p_tools json) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.mcp_tools t
  where t.server_id = p_server.id and not exists (
    select 1 from json_array_elements(p_tools) given where given ->> 'foreignName' = t.foreign_name
  );
  insert into askback.mcp_tools as existing (
    server_id, user_id, foreign_name, name, accepted, hash, proposed, change, said, enabled, position
  )
  select
    p_server.id, p_server.user_id, given ->> 'foreignName', given ->> 'name',
    case when given ->> 'accepted' is not null then given -> 'accepted' end, given ->> 'hash',
    case when given ->> 'proposed' is not null then given -> 'proposed' end,
    given ->> 'change', coalesce(given -> 'said', '[]'), coalesce((given ->> 'enabled')::boolean, true), number
  from json_array_elements(p_tools) with ordinality as listed (given, number)
  on conflict (server_id, foreign_name) do update set
    name = excluded.name, accepted = excluded.accepted, hash = excluded.hash, proposed = excluded.proposed,
    change = excluded.change, said = excluded.said, enabled = excluded.enabled, position = excluded.position;
end
$$;

-- Adds a server with its tools, for a user or the whole project; nobody else has one of its name then.
--
-- in   p_server: { id, scope: user | project, name, url, headers?, status, challenge?, title?, protocol?, said?,
--      listed: whether its tools were read, tools: as of store_server_tools }
-- out  { kind: stored } | { kind: exists, id: of the one with this URL }
--      | { kind: error, code: not_operator | name_taken | too_many_servers, limit? }
create function askback.store_server(p_user_id uuid, p_server json) returns json
language plpgsql set search_path = '' as $$
declare
  v_most constant integer := 20;
  v_is_project boolean := p_server ->> 'scope' = 'project';
  v_owner uuid := case when p_server ->> 'scope' = 'user' then p_user_id end;
  v_row askback.mcp_servers;
begin
  perform askback_private.require_account(p_user_id);
  if v_is_project and not askback.is_operator(p_user_id) then
    return json_build_object('kind', 'error', 'code', 'not_operator');
  end if;
  -- One after the other: a name is looked for among the servers of several users.
  lock table askback.mcp_servers in share row exclusive mode;
  select * into v_row from askback.mcp_servers
  where url = p_server ->> 'url' and user_id is not distinct from v_owner;
  if found then
    return json_build_object('kind', 'exists', 'id', v_row.id);
  end if;
  if askback_private.server_name_taken(v_owner, p_server ->> 'name', null) then
    return json_build_object('kind', 'error', 'code', 'name_taken');
  end if;
  if (select count(*) from askback.mcp_servers where user_id is not distinct from v_owner) >= v_most then
    return json_build_object('kind', 'error', 'code', 'too_many_servers', 'limit', v_most);
  end if;
  insert into askback.mcp_servers (
    id, user_id, name, url, headers, status, challenge, title, protocol, said, listed_at
  ) values (
    (p_server ->> 'id')::uuid, v_owner, p_server ->> 'name', p_server ->> 'url', p_server -> 'headers',
    p_server ->> 'status', p_server -> 'challenge', coalesce(p_server ->> 'title', ''), p_server ->> 'protocol',
    coalesce(p_server -> 'said', '[]'), case when (p_server ->> 'listed')::boolean then clock_timestamp() end
  )
  returning * into v_row;
  perform askback_private.store_server_tools(v_row, p_server -> 'tools');
  perform askback_private.note_server_act(p_user_id, v_row, 'add_server');
  return json_build_object('kind', 'stored');
end
$$;

-- Whether a name is that of another server that the same agents can use: those of the project are everybody's.
create function askback_private.server_name_taken(p_owner uuid, p_name text, p_server_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select 1 from askback.mcp_servers
    where name = p_name and id is distinct from p_server_id and (p_owner is null or user_id is null or user_id = p_owner)
  );
end
$$;

-- Logs what an operator does with a server of the project.
create function askback_private.note_server_act(p_user_id uuid, p_server askback.mcp_servers, p_action text) returns void
language plpgsql set search_path = '' as $$
begin
  if p_server.user_id is null then
    perform askback_private.note_act(
      json_build_object('id', gen_random_uuid(), 'operatorId', p_user_id), p_action, p_server.name
    );
  end if;
end
$$;

-- A server that its user, or an operator, may change; null if there is none.
create function askback_private.server_to_change(p_user_id uuid, p_server_id uuid) returns askback.mcp_servers
language plpgsql set search_path = '' as $$
declare
  v_row askback.mcp_servers;
begin
  select * into v_row from askback.mcp_servers
  where id = p_server_id and (user_id = p_user_id or (user_id is null and askback.is_operator(p_user_id)))
  for update;
  return v_row;
end
$$;

-- Changes a server: by its people, or by what it lists now. Members that are left out stay as they are.
--
-- in   p_seen: the version that the change was made from
--      p_change: { name?, trusted?, private?, headers?, status?, challenge?, title?, protocol?, said?, listed?: its tools
--      were read, tools?: as of store_server_tools, all of them }
-- out  { kind: stored } | { kind: error, code: server_not_found | stale | name_taken }
create function askback.change_server(p_user_id uuid, p_server_id uuid, p_seen uuid, p_change json) returns json
language plpgsql set search_path = '' as $$
declare
  v_before askback.mcp_servers;
  v_row askback.mcp_servers;
  v_seen_before json;
begin
  if p_change ->> 'name' is not null then
    lock table askback.mcp_servers in share row exclusive mode;
  end if;
  v_before := askback_private.server_to_change(p_user_id, p_server_id);
  if v_before.id is null then
    return json_build_object('kind', 'error', 'code', 'server_not_found');
  end if;
  if v_before.version <> p_seen then
    return json_build_object('kind', 'error', 'code', 'stale');
  end if;
  if askback_private.server_name_taken(v_before.user_id, p_change ->> 'name', p_server_id) then
    return json_build_object('kind', 'error', 'code', 'name_taken');
  end if;
  v_seen_before := askback.load_servers(p_user_id, array[p_server_id]);
  update askback.mcp_servers set
    name = coalesce(p_change ->> 'name', name),
    trusted = coalesce((p_change ->> 'trusted')::boolean, trusted),
    private = coalesce((p_change ->> 'private')::boolean, private),
    headers = coalesce(p_change -> 'headers', headers),
    status = coalesce(p_change ->> 'status', status),
    challenge = coalesce(p_change -> 'challenge', challenge),
    title = coalesce(p_change ->> 'title', title),
    protocol = coalesce(p_change ->> 'protocol', protocol),
    said = coalesce(p_change -> 'said', said),
    listed_at = case when (p_change ->> 'listed')::boolean then clock_timestamp() else listed_at end
  where id = p_server_id
  returning * into v_row;
  if p_change -> 'tools' is not null then
    perform askback_private.store_server_tools(v_row, p_change -> 'tools');
  end if;
  if askback.load_servers(p_user_id, array[p_server_id])::text <> v_seen_before::text then
    update askback.mcp_servers set version = gen_random_uuid() where id = p_server_id;
  end if;
  perform askback_private.note_server_act(p_user_id, v_row, 'change_server');
  return json_build_object('kind', 'stored');
end
$$;

-- Closes what waits for a call of a server's tools, in all conversations of whoever can use it. What may have been done
-- already stays open: only a person knows.
create function askback_private.close_items_of_server(p_server askback.mcp_servers) returns void
language plpgsql set search_path = '' as $$
declare
  v_names text[] := array(select name from askback.mcp_tools where server_id = p_server.id);
begin
  -- In a fixed order, and before their runs, like everybody who locks both.
  perform 1 from askback.conversations c
  where (p_server.user_id is null or c.user_id = p_server.user_id) and exists (
    select 1 from askback.open_items i
    where i.user_id = c.user_id and i.conversation_id = c.id and i.closed_at is null and i.tool_name = any (v_names)
  )
  order by c.user_id, c.id for update;
  perform askback_private.close_item(i, 'gone') from askback.open_items i
  where (p_server.user_id is null or i.user_id = p_server.user_id) and i.closed_at is null
    and i.tool_name = any (v_names) and not i.outcome_unknown;
end
$$;

-- Removes a server with its tools, and ends what waits for them and what was allowed for them.
--
-- out  { url, signOut: whether the user has no other server there }; null: there is none that the user may change
create function askback.remove_server(p_user_id uuid, p_server_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_row askback.mcp_servers := askback_private.server_to_change(p_user_id, p_server_id);
begin
  if v_row.id is null then
    return null;
  end if;
  perform askback_private.close_items_of_server(v_row);
  delete from askback.mcp_servers where id = p_server_id;
  if v_row.user_id is null then
    -- The tokens of whoever removes it are ended at their issuer; those of the others are forgotten.
    delete from askback.server_grants g
    where g.server = v_row.url and g.user_id <> p_user_id and not exists (
      select 1 from askback.mcp_servers s where s.url = g.server and s.user_id = g.user_id
    );
  end if;
  perform askback_private.note_server_act(p_user_id, v_row, 'remove_server');
  return json_build_object('url', v_row.url, 'signOut', not exists (
    select 1 from askback.mcp_servers where url = v_row.url and (user_id is null or user_id = p_user_id)
  ));
end
$$;
