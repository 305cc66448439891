-- Connecting by signing in with a provider (OAuth 2.0), and keeping the tokens fresh.

-- A sign-in in progress: first it waits for the provider (state), then for the user who started it (our own code).
-- Both are stored as hashes and can be used once, within ten minutes. Secrets are encrypted before they get here.
create table askback.oauth_flows (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null references askback.integrations (id) on delete cascade,
  -- What the user is asked to grant.
  scopes text[] not null,
  return_to text not null,
  state_hash text unique,
  code_hash text unique,
  -- { field, ciphertext, keyId, version } of the PKCE verifier and of the provider's code.
  verifier json not null,
  provider_code json,
  -- The request that used our code.
  taken_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  check ((code_hash is null) = (provider_code is null))
);

create index oauth_flows_by_user on askback.oauth_flows (user_id, created_at);
create index oauth_flows_by_provider on askback.oauth_flows (provider);

alter table askback.oauth_flows enable row level security;
grant all on askback.oauth_flows to service_role;


-- What is known about the tokens of a connection; the tokens are in connection_secrets.
create table askback.oauth_grants (
  connection_id uuid primary key references askback.connections (id) on delete cascade,
  -- The authorization server, and its id for the account.
  server text not null,
  subject text not null,
  -- By the database's clock, which all isolates share.
  access_expires_at timestamptz not null,
  -- Who is refreshing the tokens right now.
  lease_holder uuid,
  lease_expires_at timestamptz
);

create index oauth_grants_by_subject on askback.oauth_grants (server, subject);

alter table askback.oauth_grants enable row level security;
grant all on askback.oauth_grants to service_role;


-- Starts a sign-in. A user can have at most 20 in progress: the oldest ones are dropped.
--
-- in   p_flow: { id, provider, scopes: [text], returnTo, stateHash, verifier: { field, ciphertext, keyId, version } }
create function askback.begin_oauth(p_user_id uuid, p_flow json) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.oauth_flows where expires_at < clock_timestamp();
  delete from askback.oauth_flows where id in (
    select id from askback.oauth_flows where user_id = p_user_id order by created_at desc offset 19
  );
  insert into askback.oauth_flows (id, user_id, provider, scopes, return_to, state_hash, verifier, expires_at)
  values (
    (p_flow ->> 'id')::uuid, p_user_id, p_flow ->> 'provider', askback_private.text_list(p_flow -> 'scopes'),
    p_flow ->> 'returnTo', p_flow ->> 'stateHash', p_flow -> 'verifier', clock_timestamp() + interval '10 minutes'
  )
  on conflict (id) do nothing;
end
$$;

-- Takes the provider's answer, which uses up the state. With a code the sign-in then waits for its user; without one it
-- is over. If the reply is lost, calling it again with the same code returns the same.
--
-- in   p_provider_code: { field, ciphertext, keyId, version }
-- out  { provider, returnTo }; null: the state is unknown, used or too old
create function askback.receive_oauth(
  p_flow_id uuid, p_state_hash text, p_code_hash text default null, p_provider_code json default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_flow askback.oauth_flows;
begin
  select * into v_flow from askback.oauth_flows
  where id = p_flow_id and expires_at > clock_timestamp()
    and (state_hash = p_state_hash or code_hash = p_code_hash)
  for update;
  if not found then
    return null;
  end if;
  if p_code_hash is null then
    delete from askback.oauth_flows where id = p_flow_id;
  else
    update askback.oauth_flows set
      state_hash = null, code_hash = p_code_hash, provider_code = p_provider_code,
      expires_at = clock_timestamp() + interval '10 minutes'
    where id = p_flow_id and state_hash = p_state_hash;
  end if;
  return json_build_object('provider', v_flow.provider, 'returnTo', v_flow.return_to);
end
$$;

-- Uses up our own code, no matter who brings it, and returns the sign-in only to the user who started it. p_taker is
-- the request, which may ask again if the reply was lost.
--
-- out  { kind: flow, id, provider, scopes, verifier, providerCode } | { kind: unknown | foreign }
create function askback.take_oauth(p_user_id uuid, p_code_hash text, p_taker uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_flow askback.oauth_flows;
begin
  update askback.oauth_flows set taken_by = p_taker
  where code_hash = p_code_hash and coalesce(taken_by, p_taker) = p_taker and expires_at > clock_timestamp()
  returning * into v_flow;
  if not found then
    return json_build_object('kind', 'unknown');
  end if;
  if v_flow.user_id <> p_user_id then
    return json_build_object('kind', 'foreign');
  end if;
  return json_build_object(
    'kind', 'flow', 'id', v_flow.id, 'provider', v_flow.provider, 'scopes', v_flow.scopes,
    'verifier', v_flow.verifier, 'providerCode', v_flow.provider_code
  );
end
$$;

-- The user's connection to an account of a provider.
--
-- out  { id: null if there is none yet, version: the highest of its secrets, shared: whether any connection of theirs
--      depends on this sign-in }
create function askback.find_oauth_connection(
  p_user_id uuid, p_provider text, p_server text, p_subject text
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with mine as (
      select c.id, c.provider
      from askback.connections c
      join askback.oauth_grants g on g.connection_id = c.id
      where c.user_id = p_user_id and g.server = p_server and g.subject = p_subject
    )
    select json_build_object(
      'id', (select id from mine where provider = p_provider limit 1),
      'version', coalesce(
        (
          select max(s.version) from askback.connection_secrets s
          join mine on mine.id = s.connection_id and mine.provider = p_provider
        ),
        0
      ),
      'shared', exists (select 1 from mine)
    )
  );
end
$$;

-- Stores a connection with its tokens, new or renewed.
--
-- in   p_connection: as for store_connection, and { server, subject, accessSeconds }
-- out  as of store_connection
create function askback.store_oauth_connection(p_user_id uuid, p_connection json) returns json
language plpgsql set search_path = '' as $$
declare
  v_stored json;
begin
  v_stored := askback.store_connection(p_user_id, p_connection);
  if (v_stored ->> 'stored')::boolean then
    -- A sign-in that does not expire clears the previous expiry.
    update askback.connections set expires_at = (p_connection ->> 'expiresAt')::timestamptz
    where id = (v_stored ->> 'connectionId')::uuid;
    insert into askback.oauth_grants (connection_id, server, subject, access_expires_at)
    values (
      (v_stored ->> 'connectionId')::uuid, p_connection ->> 'server', p_connection ->> 'subject',
      clock_timestamp() + make_interval(secs => (p_connection ->> 'accessSeconds')::double precision)
    )
    on conflict (connection_id) do update set
      subject = excluded.subject, access_expires_at = excluded.access_expires_at,
      lease_holder = null, lease_expires_at = null;
  end if;
  return v_stored;
end
$$;

-- An access token that stays valid for a while, or the right to refresh it, which only one holder has at a time.
--
-- in   p_refused_version: of a token that the provider refused before it expired
-- out  { kind: token, secret } | { kind: refresh, secret: null without a refresh token, accessVersion }
--      { kind: busy }: somebody else is refreshing it, ask again | { kind: gone }: the user has disconnected
create function askback.begin_oauth_refresh(
  p_user_id uuid,
  p_connection_id uuid,
  p_holder uuid,
  p_lease_seconds double precision,
  p_margin_seconds double precision,
  p_refused_version integer default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_grant askback.oauth_grants;
  v_access askback.connection_secrets;
  v_refresh askback.connection_secrets;
begin
  select g.* into v_grant from askback.oauth_grants g
  join askback.connections c on c.id = g.connection_id
  where g.connection_id = p_connection_id and c.user_id = p_user_id
  for update of g;
  if not found then
    return json_build_object('kind', 'gone');
  end if;
  -- A separate statement, to see what a holder stored while this call waited for the row.
  select * into v_access from askback.connection_secrets
  where connection_id = p_connection_id and field = 'access_token';
  select * into v_grant from askback.oauth_grants where connection_id = p_connection_id;
  if v_access.version is distinct from p_refused_version and v_access.version is not null
    and v_grant.access_expires_at > clock_timestamp() + make_interval(secs => p_margin_seconds)
  then
    return json_build_object('kind', 'token', 'secret', askback_private.sealed_json(v_access));
  end if;
  if v_grant.lease_holder <> p_holder and v_grant.lease_expires_at > clock_timestamp() then
    return json_build_object('kind', 'busy');
  end if;
  select * into v_refresh from askback.connection_secrets
  where connection_id = p_connection_id and field = 'refresh_token';
  update askback.oauth_grants set
    lease_holder = p_holder, lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
  where connection_id = p_connection_id;
  return json_build_object(
    'kind', 'refresh',
    'secret', case when v_refresh.version is not null then askback_private.sealed_json(v_refresh) end,
    'accessVersion', coalesce(v_access.version, 0)
  );
end
$$;

-- Stores the refreshed tokens and ends the lease. An older value never replaces a newer one.
--
-- in   p_tokens: { secrets: [{ field, ciphertext, keyId, version }], accessSeconds, scopes?, expiresAt? }
-- out  false: the user has disconnected in the meantime
create function askback.finish_oauth_refresh(
  p_user_id uuid, p_connection_id uuid, p_holder uuid, p_tokens json
) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_newer boolean;
begin
  -- Everybody who locks both rows locks the connection first.
  perform 1 from askback.connections where id = p_connection_id and user_id = p_user_id for update;
  if not found then
    return false;
  end if;
  insert into askback.connection_secrets as existing (connection_id, field, ciphertext, key_id, version)
  select p_connection_id, given.field, given.ciphertext, given."keyId", given.version
  from json_to_recordset(p_tokens -> 'secrets')
    as given (field text, ciphertext text, "keyId" text, version integer)
  on conflict (connection_id, field) do update
  set ciphertext = excluded.ciphertext, key_id = excluded.key_id, version = excluded.version
  where existing.version < excluded.version;
  v_newer := found;
  update askback.oauth_grants set lease_holder = null
  where connection_id = p_connection_id and lease_holder = p_holder;
  -- The user has signed in again in the meantime: the newer tokens stay.
  if not v_newer then
    return true;
  end if;
  update askback.oauth_grants set
    access_expires_at = clock_timestamp() + make_interval(secs => (p_tokens ->> 'accessSeconds')::double precision)
  where connection_id = p_connection_id;
  update askback.connections set
    status = case when status in ('failed', 'expired') then 'connected' else status end,
    last_error = case when status in ('failed', 'expired') then null else last_error end,
    last_said = case when status in ('failed', 'expired') then null else last_said end,
    scopes = coalesce(askback_private.text_list(p_tokens -> 'scopes'), scopes),
    expires_at = coalesce((p_tokens ->> 'expiresAt')::timestamptz, expires_at)
  where id = p_connection_id;
  return true;
end
$$;

-- Records a failed refresh, which ends the lease. With an error, the provider has rejected this version of the refresh
-- token for good, so the user has to sign in again.
--
-- out  whether the connection has expired; false if another refresh token is in use by now
create function askback.fail_oauth_refresh(
  p_user_id uuid, p_connection_id uuid, p_holder uuid, p_version integer default null, p_error text default null,
  p_said json default null
) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_expired boolean := false;
begin
  if p_error is not null then
    update askback.connections c set status = 'expired', last_error = p_error, last_said = p_said
    where c.id = p_connection_id and c.user_id = p_user_id and c.status <> 'disabled'
      and coalesce(
        (select s.version from askback.connection_secrets s where s.connection_id = c.id and s.field = 'refresh_token'),
        0
      ) = coalesce(p_version, 0);
    v_expired := found;
  end if;
  update askback.oauth_grants set lease_holder = null
  where connection_id = p_connection_id and lease_holder = p_holder;
  return v_expired;
end
$$;
