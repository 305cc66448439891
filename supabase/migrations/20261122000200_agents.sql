create table askback.agents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (name ~ '\S' and length(name) <= 200),
  instructions text not null check (instructions ~ '\S' and length(instructions) <= 100000),
  -- all: every tool that no permission forbids; listed: only the tools that a permission allows.
  tool_access text not null default 'listed' check (tool_access in ('all', 'listed')),
  -- Made by begin_turn for a user without any agent; at most one, also when two first messages race.
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index agents_by_user on askback.agents (user_id, created_at);
create unique index agents_one_default on askback.agents (user_id) where is_default;

create trigger touch_updated_at before update on askback.agents
for each row execute function askback.touch_updated_at();

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
  -- Further parameters of the provider, by its names.
  parameters json not null default '{}' check (json_typeof(parameters) = 'object'),
  -- Tried in this order when the model fails: [{ "provider": …, "model": … }].
  fallbacks json not null default '[]' check (json_typeof(fallbacks) = 'array'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create trigger touch_updated_at before update on askback.agent_llm_preferences
for each row execute function askback.touch_updated_at();

alter table askback.agent_llm_preferences enable row level security;

grant all on askback.agent_llm_preferences to service_role;
grant select, insert, update, delete on askback.agent_llm_preferences to authenticated;

-- Row level security of agents applies inside: the subquery sees the user's own agents only.
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
