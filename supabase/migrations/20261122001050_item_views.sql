-- Open items, as those who decide them see them.

-- What somebody can still decide on, of all of a user's conversations or of some: the open rows, and the writes that may
-- have happened and that nobody has been asked about, whose process is gone. Those have no entry: their question is worded
-- by who reads them.
create function askback.items_of(p_user_id uuid, p_conversation_ids text[] default null) returns table (
  id text, conversation_id text, message_id text, agent_id uuid, kind text, tool_call_id text, tool_name text,
  asked_at timestamptz, execution_id uuid
)
language sql stable set search_path = '' as $$
  select
    i.id, i.conversation_id, i.message_id, i.agent_id, i.kind, i.tool_call_id, i.tool_name, i.asked_at, null::uuid
  from askback.open_items i
  where i.user_id = p_user_id and (p_conversation_ids is null or i.conversation_id = any (p_conversation_ids))
    and i.closed_at is null and (i.expires_at is null or i.expires_at > clock_timestamp())
  union all
  select
    'unknown.' || e.id, e.conversation_id, r.message_id, r.agent_id, 'approval', e.tool_call_id, e.tool_name,
    e.created_at, e.id
  from askback.tool_executions e
  join askback.runs r on r.id = e.run_id
  where e.user_id = p_user_id and e.conversation_id is not null
    and (p_conversation_ids is null or e.conversation_id = any (p_conversation_ids))
    and e.effect = 'write' and e.idempotency_key is not null
    and e.status in ('running', 'unknown')
    and (e.status = 'unknown' or e.lease_expires_at < clock_timestamp())
    -- A run that is alive tells of it itself.
    and not exists (
      select 1 from askback.runs alive
      where alive.user_id = e.user_id and alive.conversation_id = e.conversation_id
        and alive.status in ('running', 'stopping') and alive.lease_expires_at > clock_timestamp()
    )
    -- Somebody was asked since, about it or about doing it in other words, whatever they said. By times of this clock:
    -- the one that items are asked by may go differently.
    and not exists (
      select 1 from askback.open_items asked
      where asked.user_id = e.user_id and asked.conversation_id = e.conversation_id and asked.kind = 'approval'
        and ((asked.tool_call_id = e.tool_call_id and asked.uncertain) or asked.intent = nullif(e.intent, 0))
        and coalesce(asked.closed_at > e.created_at, true) and asked.closed_as is distinct from 'replaced'
    )
$$;

-- Keeps how much a user can decide in a conversation, so that their apps can look at it every few seconds. What waits for
-- the clock waits for nobody.
create function askback.count_open(p_user_id uuid, p_conversation_id text) returns void
language sql set search_path = '' as $$
  update askback.conversations c set open_count = counted.open
  from (
    select count(*) as open from askback.items_of(p_user_id, array[p_conversation_id]) i where i.kind <> 'wait'
  ) counted
  where c.user_id = p_user_id and c.id = p_conversation_id and c.open_count <> counted.open
$$;

-- In the transaction that opens or closes something, which holds the lock of the conversation's row.
create function askback.count_changed_items() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform askback.count_open(changed.user_id, changed.conversation_id)
  from (select distinct user_id, conversation_id from changed_items) changed;
  return null;
end
$$;

create trigger count_opened after insert on askback.open_items
referencing new table as changed_items for each statement execute function askback.count_changed_items();

create trigger count_closed after update on askback.open_items
referencing new table as changed_items for each statement execute function askback.count_changed_items();

-- The entry that asked an item; null where none did.
create function askback.question_of(
  p_user_id uuid, p_conversation_id text, p_message_id text, p_item_id text
) returns json
language sql stable set search_path = '' as $$
  select e.entry from askback.entries e
  where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.message_id = p_message_id
    and e.type = 'question' and e.entry ->> 'itemId' = p_item_id
  limit 1
$$;

-- Items with all that their cards need, oldest first.
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
        'entry', askback.question_of(p_user_id, i.conversation_id, i.message_id, i.id),
        'execution', (
          select json_build_object(
            'toolName', e.tool_name, 'arguments', e.arguments, 'intent', e.intent, 'repetition', e.repetition,
            'createdAt', e.created_at
          )
          from askback.tool_executions e where e.id = i.execution_id
        ),
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
  from askback.items_of(p_user_id, case when p_conversation_id is not null then array[p_conversation_id] end) i
  join askback.conversations c on c.user_id = p_user_id and c.id = i.conversation_id
  where p_agent_id is null or i.agent_id = p_agent_id
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.items_of(uuid, text[]),
  askback.count_open(uuid, text),
  askback.count_changed_items(),
  askback.question_of(uuid, text, text, text),
  askback.list_items(uuid, text, uuid)
to service_role;
