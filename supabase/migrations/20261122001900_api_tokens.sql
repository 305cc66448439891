-- Tokens for OpenAI clients. They open `chat/v1` and nothing else.

create table askback.api_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  -- SHA-256 of the token in lower-case hex. The token itself is shown once and kept nowhere.
  hash text not null unique,
  -- How it begins, so that its owner knows it again.
  prefix text not null,
  -- Agents that it may use; null: all of its owner's.
  agents uuid[],
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);

create index api_tokens_by_user on askback.api_tokens (user_id, created_at desc);

alter table askback.api_tokens enable row level security;

grant all on askback.api_tokens to service_role;
grant select (
  id, user_id, name, prefix, agents, expires_at, last_used_at, created_at, revoked_at
) on askback.api_tokens to authenticated;

create policy "owners see their tokens" on askback.api_tokens
for select to authenticated using (user_id = (select auth.uid()));


create function askback.token_json(p_token askback.api_tokens) returns json
language sql immutable set search_path = '' as $$
  select json_build_object(
    'id', p_token.id, 'name', p_token.name, 'prefix', p_token.prefix, 'agents', p_token.agents,
    'expiresAt', p_token.expires_at, 'lastUsedAt', p_token.last_used_at, 'createdAt', p_token.created_at
  )
$$;

-- Stores a token, of which only the hash is known here. Repeated, it answers the same. Null: one of the agents is not
-- this user's.
create function askback.create_api_token(p_user_id uuid, p_token json) returns json
language plpgsql set search_path = '' as $$
declare
  v_token askback.api_tokens;
  v_agents uuid[] := askback.text_list(p_token -> 'agents')::uuid[];
begin
  if exists (
    select 1 from unnest(v_agents) asked
    where not exists (select 1 from askback.agents a where a.id = asked and a.user_id = p_user_id)
  ) then
    return null;
  end if;
  insert into askback.api_tokens (id, user_id, name, hash, prefix, agents, expires_at)
  values (
    (p_token ->> 'id')::uuid, p_user_id, p_token ->> 'name', p_token ->> 'hash', p_token ->> 'prefix', v_agents,
    (p_token ->> 'expiresAt')::timestamptz
  )
  on conflict (id) do nothing;
  select * into v_token from askback.api_tokens where id = (p_token ->> 'id')::uuid and user_id = p_user_id;
  return askback.token_json(v_token);
end
$$;

-- Those that were not revoked, the newest first.
create function askback.list_api_tokens(p_user_id uuid) returns json
language sql stable set search_path = '' as $$
  select coalesce(json_agg(askback.token_json(t) order by t.created_at desc, t.id), '[]')
  from askback.api_tokens t
  where t.user_id = p_user_id and t.revoked_at is null
$$;

-- Ends a token for good; its row stays, so that whoever uses it still hears why. Repeated, it answers the same.
create function askback.revoke_api_token(p_user_id uuid, p_token_id uuid) returns boolean
language sql set search_path = '' as $$
  with revoked as (
    update askback.api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp())
    where id = p_token_id and user_id = p_user_id
    returning id
  )
  select exists (select 1 from revoked)
$$;

-- Whose token this is, and for which agents. That it is used is noted once a minute at most.
create function askback.use_api_token(p_hash text) returns json
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
  end if;
  update askback.api_tokens set last_used_at = clock_timestamp()
  where id = v_token.id and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true);
  return json_build_object('kind', 'valid', 'userId', v_token.user_id, 'agents', v_token.agents);
end
$$;

-- The agents of a user, the oldest first: who has none gets the default one. Null: there is no such user any more.
create function askback.list_agents(p_user_id uuid) returns json
language plpgsql set search_path = '' as $$
begin
  if askback.user_facts(p_user_id) is null then
    return null;
  end if;
  perform askback.choose_agent(p_user_id, null, null);
  return (
    select json_agg(
      json_build_object('id', id, 'name', name, 'createdAt', extract(epoch from created_at)::bigint)
      order by created_at, id
    )
    from askback.agents where user_id = p_user_id
  );
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.token_json(askback.api_tokens),
  askback.create_api_token(uuid, json),
  askback.list_api_tokens(uuid),
  askback.revoke_api_token(uuid, uuid),
  askback.use_api_token(text),
  askback.list_agents(uuid)
to service_role;
