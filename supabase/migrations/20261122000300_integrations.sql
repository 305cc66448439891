-- The providers a user can connect. Rows come with seed.sql.
create table askback.integrations (
  id text primary key check (id ~ '^[a-z0-9-]{1,50}$'),
  name text not null,
  description text not null,
  -- JSON Schema of what a connection holds; fields with "secret": true are stored encrypted.
  connection json not null check (json_typeof(connection) = 'object'),
  -- OAuth scopes to ask for; null: the user fills in the fields instead.
  oauth_scopes text[],
  position integer not null default 0
);

alter table askback.integrations enable row level security;

grant all on askback.integrations to service_role;
grant select on askback.integrations to authenticated;

create policy "everybody signed in reads the catalogue of providers" on askback.integrations
for select to authenticated using (true);


-- What the owner may read of a connection. Its secrets are in connection_secrets.
create table askback.connections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null references askback.integrations (id),
  label text not null default '' check (length(label) <= 200),
  -- The address or account name it acts as.
  account text check (length(account) <= 400),
  -- broken: the provider refused the credentials; the user has to reconnect.
  status text not null default 'active' check (status in ('active', 'broken')),
  last_error text,
  metadata json not null default '{}' check (json_typeof(metadata) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, provider, label)
);

create index connections_by_provider on askback.connections (provider);

create trigger touch_updated_at before update on askback.connections
for each row execute function askback.touch_updated_at();

alter table askback.connections enable row level security;

grant all on askback.connections to service_role;
grant select on askback.connections to authenticated;

create policy "owners read their connections" on askback.connections
for select to authenticated using (user_id = (select auth.uid()));


-- Encrypted before it gets here (AES-256-GCM, bound to connection, user, provider, field and version).
-- No policy and no grant: no client role can read it.
create table askback.connection_secrets (
  connection_id uuid not null references askback.connections (id) on delete cascade,
  field text not null check (field ~ '^[A-Za-z0-9_-]{1,100}$'),
  ciphertext text not null,
  key_id text not null,
  -- Counts the values a field has had; a smaller one never replaces a greater one.
  version integer not null check (version > 0),
  updated_at timestamptz not null default now(),
  primary key (connection_id, field)
);

create trigger touch_updated_at before update on askback.connection_secrets
for each row execute function askback.touch_updated_at();

alter table askback.connection_secrets enable row level security;

grant all on askback.connection_secrets to service_role;
