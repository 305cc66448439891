-- Which tool of a server tells whether a call of another one has happened whose answer was lost.

-- { tool: the foreign name of one of the same server, arguments: with the call's in `{name}`, found: what its result says then }
alter table askback.mcp_tools add column verified_by json;


-- What a run must know of servers of its user, in the order of their ids. Without `p_ids`, of all.
--
-- out  [{ id, version, name, url, status, trusted, private, tools: [{ name, foreignName, accepted, hash, verifiedBy }]
--      those that models can be offered, in the server's order }]
create or replace function askback.load_servers(p_user_id uuid, p_ids uuid[] default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'id', s.id, 'version', s.version, 'name', s.name, 'url', s.url, 'status', s.status,
          'trusted', s.trusted, 'private', s.private,
          'tools', (
            select coalesce(
              json_agg(
                json_build_object(
                  'name', t.name, 'foreignName', t.foreign_name, 'accepted', t.accepted, 'hash', t.hash,
                  'verifiedBy', t.verified_by
                )
                order by t.position, t.foreign_name
              ),
              '[]'
            )
            from askback.mcp_tools t where t.server_id = s.id and askback_private.is_in_force(t)
          )
        )
        order by s.id
      ),
      '[]'
    )
    from askback.mcp_servers s
    where (p_ids is null or s.id = any (p_ids)) and (s.user_id is null or s.user_id = p_user_id)
  );
end
$$;

-- What a call of a server's tool needs, right before it is made.
--
-- out  { url, headers: as stored, or null, name, trusted, tool: { accepted, hash, verifiedBy: { arguments, found, accepted: of
--      the tool that tells }, null: there is none in force }, null: it has no such tool that can be called }; null: the user
--      has no such server
create or replace function askback.open_server(p_user_id uuid, p_server_id uuid, p_tool_name text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'url', s.url, 'headers', s.headers, 'name', s.name, 'trusted', s.trusted,
      'tool', (
        select json_build_object(
          'accepted', t.accepted, 'hash', t.hash, 'verifiedBy', (
            select json_build_object(
              'arguments', t.verified_by -> 'arguments', 'found', t.verified_by -> 'found', 'accepted', r.accepted
            )
            from askback.mcp_tools r
            where r.server_id = s.id and r.foreign_name = t.verified_by ->> 'tool' and askback_private.is_in_force(r)
          )
        )
        from askback.mcp_tools t
        where t.server_id = s.id and t.name = p_tool_name and askback_private.is_in_force(t)
      )
    )
    from askback.mcp_servers s
    where s.id = p_server_id and (s.user_id is null or s.user_id = p_user_id)
  );
end
$$;

-- The servers of a user and those of the project, oldest first, as people see them: without their headers.
--
-- in   p_server_id: of one of them only
-- out  [{ id, name, url, scope: user | project, mine: whether the user may change it, status, trusted, private, challenge,
--      title, said, version, listed: whether its tools were ever read, tools: [{ name, foreignName, accepted, hash, proposed,
--      change, said, enabled, position, verifiedBy }] }]
create or replace function askback.list_servers(p_user_id uuid, p_server_id uuid default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'id', s.id, 'name', s.name, 'url', s.url, 'scope', case when s.user_id is null then 'project' else 'user' end,
          'mine', s.user_id is not null or askback.is_operator(p_user_id),
          'status', s.status, 'trusted', s.trusted, 'private', s.private, 'challenge', s.challenge, 'title', s.title,
          'said', s.said, 'version', s.version, 'listed', s.listed_at is not null,
          'tools', (
            select coalesce(
              json_agg(
                json_build_object(
                  'name', t.name, 'foreignName', t.foreign_name, 'accepted', t.accepted, 'hash', t.hash,
                  'proposed', t.proposed, 'change', t.change, 'said', t.said, 'enabled', t.enabled,
                  'position', t.position, 'verifiedBy', t.verified_by
                )
                order by t.position, t.foreign_name
              ),
              '[]'
            )
            from askback.mcp_tools t where t.server_id = s.id
          )
        )
        order by s.user_id is null desc, s.created_at, s.id
      ),
      '[]'
    )
    from askback.mcp_servers s
    where (s.user_id is null or s.user_id = p_user_id) and (p_server_id is null or s.id = p_server_id)
  );
end
$$;

-- Stores the tools of a server in place of those that it had. Whether people have switched one off stays as it is unless
-- `enabled` says otherwise.
--
-- in   p_tools: [{ foreignName, name, accepted?, hash?, proposed?, change?, said?, enabled?, verifiedBy? }] in order
create or replace function askback_private.store_server_tools(p_server askback.mcp_servers, p_tools json) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.mcp_tools t
  where t.server_id = p_server.id and not exists (
    select 1 from json_array_elements(p_tools) given where given ->> 'foreignName' = t.foreign_name
  );
  insert into askback.mcp_tools as existing (
    server_id, user_id, foreign_name, name, accepted, hash, proposed, change, said, enabled, position,
    verified_by
  )
  select
    p_server.id, p_server.user_id, given ->> 'foreignName', given ->> 'name',
    case when given ->> 'accepted' is not null then given -> 'accepted' end, given ->> 'hash',
    case when given ->> 'proposed' is not null then given -> 'proposed' end,
    given ->> 'change', coalesce(given -> 'said', '[]'), coalesce((given ->> 'enabled')::boolean, true), number,
    case when given ->> 'verifiedBy' is not null then given -> 'verifiedBy' end
  from json_array_elements(p_tools) with ordinality as listed (given, number)
  on conflict (server_id, foreign_name) do update set
    name = excluded.name, accepted = excluded.accepted, hash = excluded.hash, proposed = excluded.proposed,
    change = excluded.change, said = excluded.said, enabled = excluded.enabled, position = excluded.position,
    verified_by = excluded.verified_by;
end
$$;
