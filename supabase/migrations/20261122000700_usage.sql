-- One row per model call.
create table askback.llm_usage (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id text,
  -- Also of a run that is deleted: it counts.
  run_id uuid,
  agent_id uuid references askback.agents (id) on delete set null,
  -- Of the entry that ends the model call: what is stored twice counts once.
  sequence integer not null,
  provider text not null,
  model text not null,
  -- Why the model was asked, where it was not the loop.
  purpose text,
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  -- US dollars; null where no price is known.
  cost_usd numeric,
  temperature double precision,
  duration_ms integer,
  created_at timestamptz not null default now(),
  unique (run_id, sequence)
);

create index llm_usage_by_user on askback.llm_usage (user_id, created_at desc);
create index llm_usage_by_agent on askback.llm_usage (agent_id);

alter table askback.llm_usage enable row level security;

grant all on askback.llm_usage to service_role;
grant select on askback.llm_usage to authenticated;

create policy "owners read their usage" on askback.llm_usage
for select to authenticated using (user_id = (select auth.uid()));


-- Comparisons of two tool libraries or models on the same inputs.
create table askback.experiments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  agent_id uuid references askback.agents (id) on delete set null,
  name text not null check (name ~ '\S' and length(name) <= 200),
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  inputs json not null default '[]' check (json_typeof(inputs) = 'array'),
  -- What differs: { "a": …, "b": … }.
  variants json not null default '{}' check (json_typeof(variants) = 'object'),
  -- Success rate, attempts, tokens, latency per variant.
  results json,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);

create index experiments_by_user on askback.experiments (user_id, created_at desc);
create index experiments_by_agent on askback.experiments (agent_id);

alter table askback.experiments enable row level security;

grant all on askback.experiments to service_role;
grant select on askback.experiments to authenticated;

create policy "owners read their experiments" on askback.experiments
for select to authenticated using (user_id = (select auth.uid()));
