-- The catalogue of tools, the functions of the application that an operator offers (both with user_id null), and
-- the tools that a user's own connection offers (an MCP server).
create table askback.tools (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  connection_id uuid references askback.connections (id) on delete cascade,
  -- Whose words its functions speak: only those of the catalogue are ours.
  source text not null default 'catalogue' check (source in ('catalogue', 'application', 'connection')),
  name text not null check (name ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- What the model is told. `json` keeps the order of the parameters.
  specification json not null,
  -- The edge function that runs it, and what that function is asked to do.
  function text not null,
  action text not null,
  -- Providers whose connection it can use, the preferred one first.
  providers text[] not null default '{}',
  -- Whether a call waits for the user unless a permission of the agent says otherwise; sometimes: for the values that
  -- the specification names.
  approval text not null default 'always' check (approval in ('always', 'sometimes', 'never')),
  -- false: an operator has switched it off for everybody, and says why.
  enabled boolean not null default true,
  off_reason text check (off_reason ~ '\S' and length(off_reason) <= 500),
  position integer not null default 0,
  unique nulls not distinct (user_id, name),
  check (enabled = (off_reason is null)),
  check ((user_id is null) = (connection_id is null)),
  check ((source = 'connection') = (user_id is not null)),
  check (specification ->> 'name' = name),
  check (coalesce(specification ->> 'effect', '') in ('read', 'write'))
);

create index tools_by_connection on askback.tools (connection_id) where connection_id is not null;

alter table askback.tools enable row level security;

grant all on askback.tools to service_role;
grant select on askback.tools to authenticated;

create policy "everybody signed in reads the catalogue and their own tools" on askback.tools
for select to authenticated using (user_id is null or user_id = (select auth.uid()));


-- Why nobody can use a tool at the moment; null when it is not switched off.
create function askback.switched_off_reason(p_tool_name text) returns text
language sql stable set search_path = '' as $$
  select off_reason from askback.tools where user_id is null and name = p_tool_name
$$;

revoke execute on function askback.switched_off_reason(text) from public;

grant execute on function askback.switched_off_reason(text) to service_role;


create table askback.agent_tool_permissions (
  agent_id uuid not null references askback.agents (id) on delete cascade,
  -- By name, so that a decision outlives a catalogue that was seeded anew.
  tool_name text not null check (tool_name ~ '^[A-Za-z0-9_-]{1,64}$'),
  allowed boolean not null default true,
  -- null: what the tool itself says.
  approval text check (approval in ('always', 'never')),
  -- The connection this agent uses for this tool; null: the first one that fits.
  connection_id uuid references askback.connections (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (agent_id, tool_name)
);

create index agent_tool_permissions_by_connection on askback.agent_tool_permissions (connection_id)
where connection_id is not null;

create trigger touch_updated_at before update on askback.agent_tool_permissions
for each row execute function askback.touch_updated_at();

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


-- A permission for a tool of an MCP server ends with that tool: another server's tool of the same name is
-- another tool.
create function askback.forget_permissions() returns trigger
language plpgsql set search_path = '' as $$
begin
  delete from askback.agent_tool_permissions
  where tool_name = old.name and agent_id in (select id from askback.agents where user_id = old.user_id);
  return old;
end
$$;

revoke execute on function askback.forget_permissions() from public;

create trigger forget_permissions after delete on askback.tools
for each row when (old.user_id is not null) execute function askback.forget_permissions();
