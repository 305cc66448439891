-- A connection as integration functions and the settings see it.
create function askback.connection_json(p_connection askback.connections) returns json
language sql stable set search_path = '' as $$
  select json_build_object(
    'id', p_connection.id,
    'provider', p_connection.provider,
    'label', p_connection.label,
    'account', p_connection.account,
    'status', p_connection.status,
    'metadata', p_connection.metadata,
    'scopes', p_connection.scopes,
    'position', p_connection.position,
    'lastError', p_connection.last_error,
    'lastUsedAt', p_connection.last_used_at,
    'expiresAt', p_connection.expires_at,
    'createdAt', p_connection.created_at,
    'updatedAt', p_connection.updated_at
  )
$$;

-- The connections that a tool can use, with their encrypted secrets: the one asked for alone, else all, the one
-- pinned for agent and tool first, then those that work, in the user's order, in the order of the providers, oldest
-- first. The first one counts as used now.
create function askback.usable_connections(
  p_user_id uuid,
  p_providers text[],
  p_agent_id uuid default null,
  p_tool_name text default null,
  p_connection_id uuid default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_connections json;
begin
  select coalesce(json_agg(found.connection order by found.number), '[]') into v_connections
  from (
    select
      row_number() over (
        order by
          p.connection_id is null,
          c.status <> 'connected',
          c.position,
          array_position(p_providers, c.provider),
          c.created_at,
          c.id
      ) as number,
      json_build_object(
        'id', c.id,
        'provider', c.provider,
        'label', c.label,
        'account', c.account,
        'status', c.status,
        'scopes', c.scopes,
        'pinned', p.connection_id is not null,
        'metadata', c.metadata,
        'secrets', coalesce(
          (
            select json_agg(
              json_build_object('field', s.field, 'ciphertext', s.ciphertext, 'keyId', s.key_id, 'version', s.version)
              order by s.field
            )
            from askback.connection_secrets s
            where s.connection_id = c.id
          ),
          '[]'
        )
      ) as connection
    from askback.connections c
    left join askback.agent_tool_permissions p
      on p.agent_id = p_agent_id and p.tool_name = p_tool_name and p.connection_id = c.id
    where c.user_id = p_user_id
      and c.provider = any (p_providers)
      and (p_connection_id is null or c.id = p_connection_id)
      and c.status <> 'disabled'
  ) found;
  -- To the minute: a busy connection is not written at every use.
  update askback.connections set last_used_at = clock_timestamp()
  where id = (v_connections #>> '{0,id}')::uuid
    and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute');
  return v_connections;
end
$$;

-- The same for a call that is to begin. null: an operator has switched the tool off.
create function askback.load_connections(
  p_user_id uuid,
  p_providers text[],
  p_agent_id uuid default null,
  p_tool_name text default null,
  p_connection_id uuid default null
) returns json
language sql set search_path = '' as $$
  select case when askback.switched_off_reason(p_tool_name) is null then
    askback.usable_connections(p_user_id, p_providers, p_agent_id, p_tool_name, p_connection_id)
  end
$$;

-- A JSON array of texts as an array; null for anything else.
create function askback.text_list(p_list json) returns text[]
language sql immutable set search_path = '' as $$
  select case when json_typeof(p_list) = 'array' then array(select json_array_elements_text(p_list)) end
$$;

-- Creates a connection, or changes the user's own one of that id: absent members stay, given secrets replace
-- their field. All or nothing; see the answers for what it refuses.
create function askback.store_connection(p_user_id uuid, p_connection json) returns json
language plpgsql set search_path = '' as $$
declare
  v_id uuid := (p_connection ->> 'id')::uuid;
  v_old askback.connections;
  v_created boolean;
begin
  perform 1 from askback.integrations where id = p_connection ->> 'provider';
  if not found then
    return json_build_object('stored', false, 'code', 'unknown_provider', 'message',
      format('There is no provider %s.', coalesce(p_connection ->> 'provider', '(none given)')));
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
    askback.text_list(p_connection -> 'scopes'),
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
      return json_build_object('stored', false, 'code', 'not_found', 'message', 'You have no such connection.');
    end if;
    if exists (
      select 1
      from json_to_recordset(coalesce(p_connection -> 'secrets', '[]')) as given (field text, version integer)
      join askback.connection_secrets s on s.connection_id = v_id and s.field = given.field
      where s.version >= given.version
    ) then
      return json_build_object('stored', false, 'code', 'stale', 'message',
        'The connection was changed in the meantime. Load it again.');
    end if;
    update askback.connections set
      label = coalesce(p_connection ->> 'label', v_old.label),
      account = coalesce(p_connection ->> 'account', v_old.account),
      status = coalesce(p_connection ->> 'status', v_old.status),
      last_error = case when coalesce(p_connection ->> 'status', v_old.status) = 'connected' then null else v_old.last_error end,
      metadata = coalesce(p_connection -> 'metadata', v_old.metadata),
      scopes = coalesce(askback.text_list(p_connection -> 'scopes'), v_old.scopes),
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

  return json_build_object('stored', true, 'connectionId', v_id, 'created', v_created);
exception
  when unique_violation then
    return json_build_object('stored', false, 'code', 'label_taken', 'message',
      'You already have a connection of this provider with that name. Give it another label.');
end
$$;

create function askback.list_connections(p_user_id uuid) returns json
language sql stable set search_path = '' as $$
  select coalesce(json_agg(askback.connection_json(c) order by c.provider, c.created_at, c.id), '[]')
  from askback.connections c
  where c.user_id = p_user_id
$$;

create function askback.delete_connection(p_user_id uuid, p_connection_id uuid) returns boolean
language sql set search_path = '' as $$
  with deleted as (
    delete from askback.connections where id = p_connection_id and user_id = p_user_id returning 1
  )
  select exists (select 1 from deleted)
$$;

-- What the provider said about the credentials: connected, failed or expired, with a sentence for the owner. A failure
-- says no more than that the sign-in has expired, and nothing enables what the user has disabled.
create function askback.mark_connection(
  p_user_id uuid,
  p_connection_id uuid,
  p_status text,
  p_error text default null
) returns boolean
language sql set search_path = '' as $$
  with marked as (
    update askback.connections set
      status = case when status = 'expired' and p_status = 'failed' then status else p_status end,
      last_error = p_error
    where id = p_connection_id and user_id = p_user_id and status <> 'disabled'
    returning 1
  )
  select exists (select 1 from marked)
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.connection_json(askback.connections),
  askback.text_list(json),
  askback.usable_connections(uuid, text[], uuid, text, uuid),
  askback.load_connections(uuid, text[], uuid, text, uuid),
  askback.store_connection(uuid, json),
  askback.list_connections(uuid),
  askback.delete_connection(uuid, uuid),
  askback.mark_connection(uuid, uuid, text, text)
to service_role;
