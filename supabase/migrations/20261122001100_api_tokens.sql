-- Tokens for clients without a sign-in. Each opens one thing and nothing else: `chat/v1` or `mcp`.

create table askback.api_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  -- What it opens: `chat/v1` for OpenAI clients, or `mcp`.
  scope text not null default 'chat' check (scope in ('chat', 'mcp')),
  -- SHA-256 of the token in lower-case hex. The token itself is shown once and stored nowhere.
  hash text not null unique,
  -- Its first characters, so that its owner can recognise it.
  prefix text not null,
  -- Agents that it may use; null: all agents of its owner.
  agents uuid[],
  expires_at timestamptz,
  last_used_at timestamptz,
  -- Requests that came with it.
  used bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);

create index api_tokens_by_user on askback.api_tokens (user_id, created_at desc);

alter table askback.api_tokens enable row level security;

grant all on askback.api_tokens to service_role;

grant select (
  id, user_id, name, scope, prefix, agents, expires_at, last_used_at, used, created_at, revoked_at
) on askback.api_tokens to authenticated;

create policy "owners see their tokens" on askback.api_tokens
for select to authenticated using (user_id = (select auth.uid()));

create function askback_private.token_json(p_token askback.api_tokens) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_build_object(
    'id', p_token.id, 'name', p_token.name, 'scope', p_token.scope, 'prefix', p_token.prefix,
    'agents', p_token.agents, 'expiresAt', p_token.expires_at, 'lastUsedAt', p_token.last_used_at, 'used', p_token.used,
    'createdAt', p_token.created_at
  );
end
$$;

-- Stores a token, of which only the hash is known here. Calling it again returns the same.
--
-- in   p_token: { id, name, scope?: chat | mcp, hash, prefix, agents?: [uuid], expiresAt? }
-- out  { id, name, scope, prefix, agents, expiresAt, lastUsedAt, used, createdAt }; null: one of the agents is not this
--      user's; as of limit_refusal
create function askback.create_api_token(p_user_id uuid, p_token json) returns json
language plpgsql set search_path = '' as $$
declare
  v_token askback.api_tokens;
  v_refused json;
  v_agents uuid[] := askback_private.text_list(p_token -> 'agents')::uuid[];
begin
  if exists (
    select 1 from unnest(v_agents) asked
    where not exists (select 1 from askback.agents a where a.id = asked and a.user_id = p_user_id)
  ) then
    return null;
  end if;
  perform askback_private.lock_usage(p_user_id);
  v_refused := askback_private.keep_refusal('user', p_user_id, 'api_tokens', (
    select count(*) from askback.api_tokens
    where user_id = p_user_id and revoked_at is null and id <> (p_token ->> 'id')::uuid
      and coalesce(expires_at > clock_timestamp(), true)
  ));
  if v_refused is not null then
    return v_refused;
  end if;
  insert into askback.api_tokens (id, user_id, name, scope, hash, prefix, agents, expires_at)
  values (
    (p_token ->> 'id')::uuid, p_user_id, p_token ->> 'name', coalesce(p_token ->> 'scope', 'chat'), p_token ->> 'hash',
    p_token ->> 'prefix', v_agents, (p_token ->> 'expiresAt')::timestamptz
  )
  on conflict (id) do nothing;
  select * into v_token from askback.api_tokens where id = (p_token ->> 'id')::uuid and user_id = p_user_id;
  return askback_private.token_json(v_token);
end
$$;

-- The tokens that were not revoked, newest first.
--
-- out  [as of create_api_token]
create function askback.list_api_tokens(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(askback_private.token_json(t) order by t.created_at desc, t.id), '[]')
    from askback.api_tokens t
    where t.user_id = p_user_id and t.revoked_at is null
  );
end
$$;

-- Revokes a token for good. Its row stays, so that its users can still be told why it fails. Calling it again returns
-- the same.
--
-- out  whether there is such a token
create function askback.revoke_api_token(p_user_id uuid, p_token_id uuid) returns boolean
language sql set search_path = '' as $$
  with revoked as (
    update askback.api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp())
    where id = p_token_id and user_id = p_user_id
    returning id
  )
  select exists (select 1 from revoked)
$$;

-- Revokes all tokens of a user for good.
--
-- out  how many could be used until now
create function askback.revoke_api_tokens(p_user_id uuid) returns integer
language sql set search_path = '' as $$
  with revoked as (
    update askback.api_tokens set revoked_at = clock_timestamp()
    where user_id = p_user_id and revoked_at is null
    returning expires_at
  )
  select count(*)::integer from revoked where coalesce(expires_at > clock_timestamp(), true)
$$;

-- Whose token this is, and for which agents. Its use is counted where it opens what was asked for.
--
-- in   p_scope: chat | mcp
-- out  { kind: valid, id, userId, name, agents: oldest first, null for all } | { kind: unknown | revoked | expired }
--      | { kind: other_scope, scope }
create function askback.use_api_token(p_hash text, p_scope text) returns json
language plpgsql set search_path = '' as $$
declare
  v_token askback.api_tokens;
begin
  select * into v_token from askback.api_tokens where hash = p_hash;
  if not found then
    return json_build_object('kind', 'unknown');
  elsif v_token.revoked_at is not null then
    return json_build_object('kind', 'revoked');
  elsif v_token.expires_at <= clock_timestamp() then
    return json_build_object('kind', 'expired');
  elsif v_token.scope <> p_scope then
    return json_build_object('kind', 'other_scope', 'scope', v_token.scope);
  end if;
  perform askback_private.require_account(v_token.user_id);
  update askback.api_tokens set used = used + 1, last_used_at = clock_timestamp() where id = v_token.id;
  return json_build_object(
    'kind', 'valid', 'id', v_token.id, 'userId', v_token.user_id, 'name', v_token.name, 'agents', case
      when v_token.agents is not null then array(
        select asked.id from unnest(v_token.agents) asked (id)
        left join askback.agents a on a.id = asked.id
        order by a.created_at nulls last, asked.id
      )
    end
  );
end
$$;
