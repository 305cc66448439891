-- Open items as those see them who decide on them.

-- What somebody can still decide on, of all of a user's conversations or of one: the open rows, and the writes that may
-- have happened and that nobody has been asked about, whose process is gone. Those have no entry: their question is worded
-- by who reads them.
create function askback.items_of(p_user_id uuid, p_conversation_id text default null) returns table (
  id text, conversation_id text, message_id text, run_id uuid, agent_id uuid, kind text, tool_call_id text,
  tool_name text, asked_at timestamptz, entry json, execution askback.tool_executions
)
language sql stable set search_path = '' as $$
  select
    i.id, i.conversation_id, i.message_id, i.run_id, i.agent_id, i.kind, i.tool_call_id, i.tool_name, i.asked_at,
    (
      select e.entry from askback.entries e
      where e.user_id = i.user_id and e.conversation_id = i.conversation_id and e.message_id = i.message_id
        and e.type = 'question' and e.entry ->> 'itemId' = i.id
      limit 1
    ),
    null::askback.tool_executions
  from askback.open_items i
  where i.user_id = p_user_id and (p_conversation_id is null or i.conversation_id = p_conversation_id)
    and i.closed_at is null and (i.expires_at is null or i.expires_at > clock_timestamp())
  union all
  select
    'unknown.' || e.id, e.conversation_id, r.message_id, e.run_id, r.agent_id, 'approval', e.tool_call_id, e.tool_name,
    e.created_at, null, e
  from askback.tool_executions e
  join askback.runs r on r.id = e.run_id
  where e.user_id = p_user_id and e.conversation_id is not null
    and (p_conversation_id is null or e.conversation_id = p_conversation_id)
    and e.effect = 'write' and e.idempotency_key is not null
    and (e.status = 'unknown' or (e.status = 'running' and e.lease_expires_at < clock_timestamp()))
    -- A run that is alive tells of it itself.
    and not exists (
      select 1 from askback.runs alive
      where alive.user_id = e.user_id and alive.conversation_id = e.conversation_id
        and alive.status in ('running', 'stopping') and alive.lease_expires_at > clock_timestamp()
    )
    -- Somebody was asked, whatever they said.
    and not exists (
      select 1 from askback.open_items asked
      where asked.user_id = e.user_id and asked.conversation_id = e.conversation_id
        and asked.kind = 'approval' and asked.asked_at >= e.created_at
        and ((asked.tool_call_id = e.tool_call_id and asked.uncertain) or asked.intent = nullif(e.intent, 0))
    )
$$;

-- An item with all that its card needs. p_item: a row of items_of.
create function askback.list_items(
  p_user_id uuid, p_conversation_id text default null, p_agent_id uuid default null
) returns json
language sql stable set search_path = '' as $$
  select coalesce(
    json_agg(
      json_build_object(
        'itemId', i.id,
        'conversationId', i.conversation_id,
        'conversationTitle', c.title,
        'messageId', i.message_id,
        'agentId', i.agent_id,
        'type', i.kind,
        'toolCallId', i.tool_call_id,
        'entry', i.entry,
        'execution', case when (i.execution).id is not null then
          json_build_object(
            'toolName', i.tool_name, 'arguments', (i.execution).arguments, 'intent', (i.execution).intent,
            'repetition', (i.execution).repetition, 'createdAt', i.asked_at
          )
        end,
        'tool', (
          select tool -> 'specification'
          from askback.agents a, json_array_elements(askback.permitted_tools(a)) tool
          where a.id = coalesce(
            i.agent_id, (select id from askback.agents where user_id = p_user_id order by created_at, id limit 1)
          )
          and tool #>> '{specification,name}' = i.tool_name
        )
      )
      order by i.asked_at, i.id
    ),
    '[]'
  )
  from askback.items_of(p_user_id, p_conversation_id) i
  join askback.conversations c on c.user_id = p_user_id and c.id = i.conversation_id
  where p_agent_id is null or i.agent_id = p_agent_id
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.items_of(uuid, text),
  askback.list_items(uuid, text, uuid)
to service_role;
