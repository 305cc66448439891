-- Signing in with servers of MCP, and keeping their tokens fresh. Secrets are encrypted before they get here.

-- What we are called at an authorization server, which may include a secret. It is the project's, for all its users.
create table askback.server_registrations (
  issuer text primary key,
  ciphertext text not null,
  key_id text not null,
  version bigint not null,
  created_at timestamptz not null default clock_timestamp()
);

alter table askback.server_registrations enable row level security;
grant all on askback.server_registrations to service_role;


-- A sign-in in progress: first it waits for the authorization server (state), then for the user who started it (our own
-- code). Both are stored as hashes and can be used once, within ten minutes.
create table askback.server_flows (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  return_to text not null,
  state_hash text unique,
  code_hash text unique,
  -- { field, ciphertext, keyId, version } of what the end of it needs, and of what the authorization server has answered.
  flow json not null,
  answer json,
  -- The request that used our code.
  taken_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  check ((code_hash is null) = (answer is null))
);

create index server_flows_by_user on askback.server_flows (user_id, created_at);

alter table askback.server_flows enable row level security;
grant all on askback.server_flows to service_role;


-- The tokens of a user for a server, by its URL. They hold the issuer and the endpoints that they were issued at.
create table askback.server_grants (
  user_id uuid not null references auth.users (id) on delete cascade,
  server text not null,
  issuer text not null,
  ciphertext text not null,
  key_id text not null,
  version bigint not null,
  -- SHA-256 of the access token: to know the one that the server has refused.
  access_hash text not null,
  -- null: it does not expire.
  access_expires_at timestamptz,
  -- Who is refreshing the tokens right now.
  lease_holder uuid,
  lease_expires_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, server)
);

alter table askback.server_grants enable row level security;
grant all on askback.server_grants to service_role;


create function askback.find_server_registration(p_issuer text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object('ciphertext', ciphertext, 'keyId', key_id, 'version', version)
    from askback.server_registrations where issuer = p_issuer
  );
end
$$;

-- in   p_secret: { ciphertext, keyId, version }
create function askback.save_server_registration(p_issuer text, p_secret json) returns void
language plpgsql set search_path = '' as $$
begin
  insert into askback.server_registrations as existing (issuer, ciphertext, key_id, version)
  values (p_issuer, p_secret ->> 'ciphertext', p_secret ->> 'keyId', (p_secret ->> 'version')::bigint)
  on conflict (issuer) do update
  set ciphertext = excluded.ciphertext, key_id = excluded.key_id, version = excluded.version
  where existing.version < excluded.version;
end
$$;

create function askback.forget_server_registration(p_issuer text) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.server_registrations where issuer = p_issuer;
end
$$;

-- Starts a sign-in. A user can have at most 20 in progress: the oldest ones are dropped.
--
-- in   p_flow: { id, returnTo, stateHash, secret: { field, ciphertext, keyId, version } }
create function askback.begin_server_sign_in(p_user_id uuid, p_flow json) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.server_flows where expires_at < clock_timestamp();
  delete from askback.server_flows where id in (
    select id from askback.server_flows where user_id = p_user_id order by created_at desc offset 19
  );
  insert into askback.server_flows (id, user_id, return_to, state_hash, flow, expires_at)
  values (
    (p_flow ->> 'id')::uuid, p_user_id, p_flow ->> 'returnTo', p_flow ->> 'stateHash', p_flow -> 'secret',
    clock_timestamp() + interval '10 minutes'
  )
  on conflict (id) do nothing;
end
$$;

-- Takes the answer of an authorization server, which uses up the state. With a code the sign-in then waits for its user;
-- without one it is over. If the reply is lost, calling it again with the same code returns the same.
--
-- in   p_answer: { field, ciphertext, keyId, version }
-- out  where the browser goes; null: the state is unknown, used or too old
create function askback.receive_server_sign_in(
  p_flow_id uuid, p_state_hash text, p_code_hash text default null, p_answer json default null
) returns text
language plpgsql set search_path = '' as $$
declare
  v_flow askback.server_flows;
begin
  select * into v_flow from askback.server_flows
  where id = p_flow_id and expires_at > clock_timestamp()
    and (state_hash = p_state_hash or code_hash = p_code_hash)
  for update;
  if not found then
    return null;
  end if;
  if p_code_hash is null then
    delete from askback.server_flows where id = p_flow_id;
  else
    update askback.server_flows set
      state_hash = null, code_hash = p_code_hash, answer = p_answer,
      expires_at = clock_timestamp() + interval '10 minutes'
    where id = p_flow_id and state_hash = p_state_hash;
  end if;
  return v_flow.return_to;
end
$$;

-- Uses up our own code, no matter who brings it, and returns the sign-in only to the user who started it. p_taker is the
-- request, which may ask again if the reply was lost.
--
-- out  { id, flow, answer }; null: unknown, used or somebody else's
create function askback.take_server_sign_in(p_user_id uuid, p_code_hash text, p_taker uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_flow askback.server_flows;
begin
  update askback.server_flows set taken_by = p_taker
  where code_hash = p_code_hash and coalesce(taken_by, p_taker) = p_taker and expires_at > clock_timestamp()
  returning * into v_flow;
  if not found or v_flow.user_id <> p_user_id then
    return null;
  end if;
  return json_build_object('id', v_flow.id, 'flow', v_flow.flow, 'answer', v_flow.answer);
end
$$;

-- Stores the tokens of a new sign-in, in place of earlier ones.
--
-- in   p_grant: { server, issuer, secret: { ciphertext, keyId, version }, accessHash, accessSeconds? }
create function askback.save_server_grant(p_user_id uuid, p_grant json) returns void
language plpgsql set search_path = '' as $$
begin
  insert into askback.server_grants as existing (
    user_id, server, issuer, ciphertext, key_id, version, access_hash, access_expires_at
  ) values (
    p_user_id, p_grant ->> 'server', p_grant ->> 'issuer', p_grant #>> '{secret,ciphertext}',
    p_grant #>> '{secret,keyId}', (p_grant #>> '{secret,version}')::bigint, p_grant ->> 'accessHash',
    clock_timestamp() + make_interval(secs => (p_grant ->> 'accessSeconds')::double precision)
  )
  on conflict (user_id, server) do update set
    issuer = excluded.issuer, ciphertext = excluded.ciphertext, key_id = excluded.key_id, version = excluded.version,
    access_hash = excluded.access_hash, access_expires_at = excluded.access_expires_at,
    lease_holder = null, lease_expires_at = null
  where existing.version < excluded.version;
end
$$;

-- An access token that stays valid for a minute, or the right to refresh it, which only one holder has for 10 s.
--
-- in   p_refused: the hash of one that the server has refused
-- out  { kind: token | refresh, issuer, secret: { ciphertext, keyId, version } }
--      { kind: busy }: somebody else is refreshing it, ask again | { kind: none }
create function askback.hold_server_grant(
  p_user_id uuid, p_server text, p_holder uuid, p_refused text default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_grant askback.server_grants;
  v_kind text := 'refresh';
begin
  select * into v_grant from askback.server_grants where user_id = p_user_id and server = p_server for update;
  if not found then
    return json_build_object('kind', 'none');
  end if;
  if v_grant.access_hash is distinct from p_refused
    and coalesce(v_grant.access_expires_at > clock_timestamp() + interval '1 minute', true)
  then
    v_kind := 'token';
  elsif v_grant.lease_holder <> p_holder and v_grant.lease_expires_at > clock_timestamp() then
    return json_build_object('kind', 'busy');
  else
    update askback.server_grants set
      lease_holder = p_holder, lease_expires_at = clock_timestamp() + interval '10 seconds'
    where user_id = p_user_id and server = p_server;
  end if;
  return json_build_object(
    'kind', v_kind,
    'issuer', v_grant.issuer,
    'secret', json_build_object(
      'ciphertext', v_grant.ciphertext, 'keyId', v_grant.key_id, 'version', v_grant.version
    )
  );
end
$$;

-- Stores refreshed tokens and ends the lease, unless the user has signed in again in the meantime, or out.
--
-- in   p_grant: as for save_server_grant; p_version: of the tokens that were refreshed
-- out  whether they were stored
create function askback.renew_server_grant(p_user_id uuid, p_grant json, p_version bigint) returns boolean
language plpgsql set search_path = '' as $$
begin
  update askback.server_grants set
    ciphertext = p_grant #>> '{secret,ciphertext}',
    key_id = p_grant #>> '{secret,keyId}',
    version = (p_grant #>> '{secret,version}')::bigint,
    access_hash = p_grant ->> 'accessHash',
    access_expires_at = clock_timestamp() + make_interval(secs => (p_grant ->> 'accessSeconds')::double precision),
    lease_holder = null,
    lease_expires_at = null
  where user_id = p_user_id and server = p_grant ->> 'server'
    and version in (p_version, (p_grant #>> '{secret,version}')::bigint);
  return found;
end
$$;

-- Ends the lease of a refresh that came to nothing. p_is_over: the user has to sign in again.
create function askback.release_server_grant(
  p_user_id uuid, p_server text, p_holder uuid, p_is_over boolean
) returns void
language plpgsql set search_path = '' as $$
begin
  if p_is_over then
    delete from askback.server_grants where user_id = p_user_id and server = p_server and lease_holder = p_holder;
  else
    update askback.server_grants set lease_holder = null, lease_expires_at = null
    where user_id = p_user_id and server = p_server and lease_holder = p_holder;
  end if;
end
$$;

-- Forgets the tokens.
--
-- out  { issuer, secret: { ciphertext, keyId, version } }; null: there are none
create function askback.remove_server_grant(p_user_id uuid, p_server text) returns json
language plpgsql set search_path = '' as $$
declare
  v_grant askback.server_grants;
begin
  delete from askback.server_grants where user_id = p_user_id and server = p_server returning * into v_grant;
  if not found then
    return null;
  end if;
  return json_build_object(
    'issuer', v_grant.issuer,
    'secret', json_build_object(
      'ciphertext', v_grant.ciphertext, 'keyId', v_grant.key_id, 'version', v_grant.version
    )
  );
end
$$;
