-- Everything of Askback lives in two schemas. `askback` has the tables, and the functions that are called over HTTP or that
-- the documentation names. `askback_private`, which is never exposed, has the functions that only these files call.
-- Permissions on a table are next to the table, permissions on functions in the permissions file. How to change these
-- files: docs/upgrading.md.
--
-- A function that the edge functions call documents the JSON it takes (in) and returns (out): `member?` may be absent,
-- `a | b` is one of both, `as of` means the same JSON as that function's. Times are ISO 8601.

-- What a user connects: the providers, the connections, their encrypted secrets.

create schema askback;
create schema askback_private;

create function askback_private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;


-- The version of these files, and of the code that may use them: the same, and the one before, so that functions that are
-- still deployed keep working after an upgrade.
--
-- out  { schema, accepts: [schema - 1, schema] }
create function askback.version() returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return jsonb_build_object('schema', 1, 'accepts', jsonb_build_array(0, 1));
end
$$;

-- Whether the code that calls, by the `version` it sends, may start a run or claim a write.
create function askback_private.is_accepted(p_version json) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce(askback.version() -> 'accepts' @> p_version::jsonb, false);
end
$$;

-- Whether all accepted code can read entries of this format. A format is written one version after the first that reads
-- it, except that of the first version, which is the oldest there is.
create function askback_private.is_readable(p_entry_version integer) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_entry_version between 1 and greatest(1, (askback.version() #>> '{accepts,0}')::integer);
end
$$;


-- The providers that a user can connect. The rows come from the catalogue, which is generated from the folders of the
-- integrations.
create table askback.integrations (
  id text primary key check (id ~ '^[a-z0-9-]{1,50}$'),
  -- Whose it is: a later catalogue changes and deletes only ours.
  source text not null default 'askback' check (source in ('askback', 'project')),
  name text not null,
  description text not null,
  -- Used in sentences about it: "The <service> service needs to be configured", "before I can <purpose>".
  service text not null,
  purpose text not null,
  -- The edge function that runs its tools and can test a connection.
  function text not null,
  -- JSON Schema of what a connection holds; fields with "secret": true are stored encrypted.
  connection json not null check (json_typeof(connection) = 'object'),
  -- The authorization server, and the scopes by tool; null: the user fills in the fields instead.
  oauth json,
  -- What people read of it in other languages than English, by language; only those that lack nothing.
  words jsonb not null default '{}' check (jsonb_typeof(words) = 'object'),
  -- Everybody can use it without connecting it.
  built_in boolean not null default false,
  position integer not null default 0
);

alter table askback.integrations enable row level security;

grant all on askback.integrations to service_role;
grant select on askback.integrations to authenticated;

create policy "everybody signed in reads the catalogue of providers" on askback.integrations
for select to authenticated using (true);


-- The part of a connection that its owner may read. Its secrets are in connection_secrets.
create table askback.connections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null references askback.integrations (id),
  label text not null default '' check (length(label) <= 200),
  -- The address or account name it acts as.
  account text check (length(account) <= 400),
  -- failed: the provider rejected the credentials; expired: it wants a new sign-in; disabled: by the user.
  status text not null default 'connected' check (status in ('connected', 'failed', 'expired', 'disabled')),
  last_error text,
  -- The code and the values of that sentence: { code, values }.
  last_said json,
  last_used_at timestamptz,
  -- When the user has to sign in again; null: unknown.
  expires_at timestamptz,
  -- What the user granted; only for providers with OAuth.
  scopes text[],
  -- The user's order, for tools that can use several.
  position integer not null default 0,
  metadata json not null default '{}' check (json_typeof(metadata) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, provider, label)
);

create index connections_by_provider on askback.connections (provider);

create trigger touch_updated_at before update on askback.connections
for each row execute function askback_private.touch_updated_at();

alter table askback.connections enable row level security;

grant all on askback.connections to service_role;
grant select on askback.connections to authenticated;

create policy "owners read their connections" on askback.connections
for select to authenticated using (user_id = (select auth.uid()));


-- Encrypted before they get here (AES-256-GCM, bound to connection, user, provider, field and version).
-- No policy and no grant: no client role can read it.
create table askback.connection_secrets (
  connection_id uuid not null references askback.connections (id) on delete cascade,
  field text not null check (field ~ '^[A-Za-z0-9_-]{1,100}$'),
  ciphertext text not null,
  key_id text not null,
  -- Counts the values that the field has had. An older value never replaces a newer one.
  version integer not null check (version > 0),
  updated_at timestamptz not null default now(),
  primary key (connection_id, field)
);

create trigger touch_updated_at before update on askback.connection_secrets
for each row execute function askback_private.touch_updated_at();

alter table askback.connection_secrets enable row level security;

grant all on askback.connection_secrets to service_role;


-- An object without one of its values. PostgreSQL reads a json from its beginning at each look at it, which takes long if one
-- of its values is megabytes.
create function askback_private.without(p_object json, p_name text) returns json
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(json_object_agg(given.name, given.value), '{}') from json_each(p_object) given (name, value)
    where given.name <> p_name
  );
end
$$;

-- A JSON array of texts as an array; null for anything else.
create function askback_private.text_list(p_list json) returns text[]
language plpgsql immutable set search_path = '' as $$
begin
  return case when json_typeof(p_list) = 'array' then array(select json_array_elements_text(p_list)) end;
end
$$;

-- An encrypted secret in the format of the functions: { field, ciphertext, keyId, version }.
create function askback_private.sealed_json(p_secret askback.connection_secrets) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_build_object(
    'field', p_secret.field, 'ciphertext', p_secret.ciphertext, 'keyId', p_secret.key_id, 'version', p_secret.version
  );
end
$$;

-- A connection as its owner sees it: { id, provider, label, account, status, metadata, scopes, position, lastError,
-- lastSaid, lastUsedAt, expiresAt }.
create function askback_private.connection_json(p_connection askback.connections) returns json
language plpgsql stable set search_path = '' as $$
begin
  return json_build_object(
    'id', p_connection.id,
    'provider', p_connection.provider,
    'label', p_connection.label,
    'account', p_connection.account,
    'status', p_connection.status,
    'metadata', p_connection.metadata,
    'scopes', p_connection.scopes,
    'position', p_connection.position,
    'lastError', p_connection.last_error,
    'lastSaid', p_connection.last_said,
    'lastUsedAt', p_connection.last_used_at,
    'expiresAt', p_connection.expires_at
  );
end
$$;

-- Creates a connection, or changes the user's own connection with that id: absent members stay as they are, given
-- secrets replace those of their field. Stores everything or nothing.
--
-- in   p_connection: { id, provider, label?, account?, status?, metadata?, scopes?, position?, expiresAt?, secrets?: [{
--      field, ciphertext, keyId, version }] }
-- out  { stored: true, connectionId }
--      { stored: false, code: unknown_provider | not_found | stale | label_taken | limit_reached, limit? }; stale: it was
--      changed in the meantime
create function askback.store_connection(p_user_id uuid, p_connection json) returns json
language plpgsql set search_path = '' as $$
declare
  v_id uuid := (p_connection ->> 'id')::uuid;
  v_old askback.connections;
  v_created boolean;
  v_refused json;
begin
  perform 1 from askback.integrations where id = p_connection ->> 'provider';
  if not found then
    return json_build_object('stored', false, 'code', 'unknown_provider');
  end if;

  if not exists (select 1 from askback.connections where id = v_id) then
    perform askback_private.lock_usage(p_user_id);
    v_refused := askback_private.keep_refusal('user', p_user_id, 'connections', (
      select count(*) from askback.connections where user_id = p_user_id and id <> v_id
    ));
    if v_refused is not null then
      return json_build_object('stored', false, 'code', v_refused -> 'code', 'limit', v_refused #> '{about,limit}');
    end if;
  end if;

  insert into askback.connections (
    id, user_id, provider, label, account, status, metadata, scopes, position, expires_at
  ) values (
    v_id,
    p_user_id,
    p_connection ->> 'provider',
    coalesce(p_connection ->> 'label', p_connection ->> 'account', ''),
    p_connection ->> 'account',
    coalesce(p_connection ->> 'status', 'connected'),
    coalesce(p_connection -> 'metadata', '{}'),
    askback_private.text_list(p_connection -> 'scopes'),
    coalesce((p_connection ->> 'position')::integer, 0),
    (p_connection ->> 'expiresAt')::timestamptz
  )
  on conflict (id) do nothing;
  v_created := found;

  if not v_created then
    select * into v_old from askback.connections
    where id = v_id and user_id = p_user_id and provider = p_connection ->> 'provider'
    for update;
    if not found then
      return json_build_object('stored', false, 'code', 'not_found');
    end if;
    if exists (
      select 1
      from json_to_recordset(coalesce(p_connection -> 'secrets', '[]')) as given (field text, version integer)
      join askback.connection_secrets s on s.connection_id = v_id and s.field = given.field
      where s.version >= given.version
    ) then
      return json_build_object('stored', false, 'code', 'stale');
    end if;
    update askback.connections set
      label = coalesce(p_connection ->> 'label', v_old.label),
      account = coalesce(p_connection ->> 'account', v_old.account),
      status = coalesce(p_connection ->> 'status', v_old.status),
      last_error = case when coalesce(p_connection ->> 'status', v_old.status) = 'connected' then null else v_old.last_error end,
      last_said = case when coalesce(p_connection ->> 'status', v_old.status) = 'connected' then null else v_old.last_said end,
      metadata = coalesce(p_connection -> 'metadata', v_old.metadata),
      scopes = coalesce(askback_private.text_list(p_connection -> 'scopes'), v_old.scopes),
      position = coalesce((p_connection ->> 'position')::integer, v_old.position),
      expires_at = coalesce((p_connection ->> 'expiresAt')::timestamptz, v_old.expires_at)
    where id = v_id;
  end if;

  insert into askback.connection_secrets (connection_id, field, ciphertext, key_id, version)
  select v_id, given.field, given.ciphertext, given."keyId", given.version
  from json_to_recordset(coalesce(p_connection -> 'secrets', '[]'))
    as given (field text, ciphertext text, "keyId" text, version integer)
  on conflict (connection_id, field) do update
  set ciphertext = excluded.ciphertext, key_id = excluded.key_id, version = excluded.version;

  return json_build_object('stored', true, 'connectionId', v_id);
exception
  when unique_violation then
    return json_build_object('stored', false, 'code', 'label_taken');
end
$$;

-- One connection with its encrypted secrets, whatever its status.
--
-- out  { connection: as connection_json, secrets: [{ field, ciphertext, keyId, version }] }; null: the user has no such
--      connection
create function askback.open_connection(p_user_id uuid, p_connection_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'connection', askback_private.connection_json(c),
      'secrets', (
        select coalesce(json_agg(askback_private.sealed_json(s) order by s.field), '[]')
        from askback.connection_secrets s where s.connection_id = c.id
      )
    )
    from askback.connections c
    where c.id = p_connection_id and c.user_id = p_user_id
  );
end
$$;

-- Changes what the owner may change without new credentials.
--
-- in   p_change: { label?, position?, disabled? }; absent members stay as they are
-- out  { changed: true } | { changed: false, code: not_found | label_taken }
create function askback.change_connection(p_user_id uuid, p_connection_id uuid, p_change json) returns json
language plpgsql set search_path = '' as $$
begin
  update askback.connections set
    label = coalesce(p_change ->> 'label', label),
    position = coalesce((p_change ->> 'position')::integer, position),
    status = case (p_change ->> 'disabled')::boolean
      when true then 'disabled'
      when false then case when status = 'disabled' then 'connected' else status end
      else status
    end
  where id = p_connection_id and user_id = p_user_id;
  if not found then
    return json_build_object('changed', false, 'code', 'not_found');
  end if;
  return json_build_object('changed', true);
exception
  when unique_violation then
    return json_build_object('changed', false, 'code', 'label_taken');
end
$$;

-- Records what the provider said about the credentials. `failed` does not replace `expired`, which says more, and
-- nothing enables a connection that its user has disabled.
--
-- in   p_status: connected | failed | expired; p_error: a sentence for the owner; p_said: its code and values
-- out  whether it was recorded
create function askback.mark_connection(
  p_user_id uuid,
  p_connection_id uuid,
  p_status text,
  p_error text default null,
  p_said json default null
) returns boolean
language sql set search_path = '' as $$
  with marked as (
    update askback.connections set
      status = case when status = 'expired' and p_status = 'failed' then status else p_status end,
      last_error = p_error,
      last_said = p_said
    where id = p_connection_id and user_id = p_user_id and status <> 'disabled'
    returning 1
  )
  select exists (select 1 from marked)
$$;

-- The user's own keys for models, encrypted, preferred one first: [{ id, provider, name, secrets: [{ field,
-- ciphertext, keyId, version }] }].
create function askback_private.model_keys(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'id', c.id,
          'provider', c.provider,
          'name', i.name,
          'secrets', json_build_array(
            json_build_object('field', s.field, 'ciphertext', s.ciphertext, 'keyId', s.key_id, 'version', s.version)
          )
        )
        order by c.position, c.created_at, c.id
      ),
      '[]'
    )
    from askback.connections c
    join askback.integrations i on i.id = c.provider and i.function = 'integration-settings'
    join askback.connection_secrets s on s.connection_id = c.id and s.field = 'api_key'
    where c.user_id = p_user_id and c.status = 'connected'
  );
end
$$;
