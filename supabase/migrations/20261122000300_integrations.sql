-- The providers a user can connect. Rows come with the catalogue, which is made from the integrations' folders.
create table askback.integrations (
  id text primary key check (id ~ '^[a-z0-9-]{1,50}$'),
  name text not null,
  description text not null,
  -- Words of sentences about it: "The <service> service needs to be configured", "before I can <purpose>".
  service text not null,
  purpose text not null,
  -- The edge function of its tools, which can also test a connection.
  function text not null,
  -- JSON Schema of what a connection holds; fields with "secret": true are stored encrypted.
  connection json not null check (json_typeof(connection) = 'object'),
  -- Whose authorization server, and the scopes by tool; null: the user fills in the fields instead.
  oauth json,
  -- Everybody has it, and nobody has to connect it.
  built_in boolean not null default false,
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
  -- failed: the provider refused the credentials; expired: it wants a new sign-in; disabled: by the user.
  status text not null default 'connected' check (status in ('connected', 'failed', 'expired', 'disabled')),
  last_error text,
  last_used_at timestamptz,
  -- When the user has to sign in again; null: not known.
  expires_at timestamptz,
  -- What the user granted, of a provider with OAuth.
  scopes text[],
  -- The user's order where a tool can work with several.
  position integer not null default 0,
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
