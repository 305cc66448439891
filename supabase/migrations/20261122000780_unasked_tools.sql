-- What agents write without asking: tools that never ask, by their own rule or by their user's.

-- The tools that an agent of the user may use to write and that never ask, with what nobody was asked about.
--
-- out  [{ agentId, toolName, function, source, since: when the user said so; null: the tool's own rule, used, lastUsedAt }]
create function askback.list_unasked_tools(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'agentId', a.id, 'toolName', t.name, 'function', t.function, 'source', t.source,
          'since', case when p.approval = 'never' then p.approval_at end,
          'used', u.used, 'lastUsedAt', u.last_used_at
        )
        order by p.approval = 'never' desc nulls last, t.position, t.name, a.created_at, a.id
      ),
      '[]'
    )
    from askback.agents a
    cross join lateral askback_private.usable_tools(a.user_id) t
    left join askback.agent_tool_permissions p on p.agent_id = a.id and p.tool_name = t.name
    cross join lateral (
      select count(*) as used, max(e.created_at) as last_used_at
      from askback.tool_executions e
      where e.user_id = p_user_id and e.unasked_by = a.id and e.tool_name = t.name
        and e.status in ('running', 'succeeded', 'unknown')
    ) u
    where a.user_id = p_user_id and t.specification ->> 'effect' = 'write'
      and coalesce(p.allowed, a.tool_access = 'all') and coalesce(p.approval, t.approval) = 'never'
      and t.specification ->> 'alwaysAsks' is null
      and (askback_private.approver_rule(a.id, t.name)).who is null
  );
end
$$;

-- Has an agent ask before it uses a tool, from its next run on. Calling it again returns the same.
--
-- out  false: the user has no such agent, or there is no such tool
create function askback.ask_first(p_user_id uuid, p_agent_id uuid, p_tool_name text) returns boolean
language plpgsql set search_path = '' as $$
begin
  -- Whether the agent may use it at all stays as it is.
  insert into askback.agent_tool_permissions as existing (agent_id, tool_name, allowed, approval)
  select a.id, t.name, a.tool_access = 'all', 'always'
  from askback.agents a
  cross join lateral (
    select name from askback.tools where name = p_tool_name
    union
    select name from askback_private.usable_tools(p_user_id, array[p_tool_name])
  ) t
  where a.id = p_agent_id and a.user_id = p_user_id
  on conflict (agent_id, tool_name) do update set approval = 'always';
  return found;
end
$$;
