-- A conversation as its page shows it: without what was cut off and without a message that is being written. One whose
-- process died is there once something was claimed in it.
create function askback.get_conversation(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_conversation askback.conversations;
  v_latest askback.runs;
  v_alive askback.runs;
begin
  select * into v_conversation from askback.conversations where user_id = p_user_id and id = p_conversation_id;
  if not found then
    return null;
  end if;
  select * into v_alive from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and status in ('running', 'stopping')
    and lease_expires_at >= clock_timestamp()
  order by started_at desc limit 1;
  v_latest := askback.newest_run(p_user_id, p_conversation_id);
  return json_build_object(
    'id', v_conversation.id,
    'title', v_conversation.title,
    'status', case
      when v_alive.id is not null then 'running'
      when v_latest.status in ('running', 'stopping') then 'interrupted'
      else coalesce(v_latest.status, 'completed')
    end,
    'agentId', v_conversation.agent_id,
    'createdAt', v_conversation.created_at,
    'updatedAt', v_conversation.updated_at,
    'messages', (
      select coalesce(
        json_agg(
          json_build_object(
            'id', m.id, 'role', m.role, 'metadata', m.metadata, 'createdAt', m.created_at,
            'feedback', (
              select json_strip_nulls(json_build_object('rating', f.rating, 'reason', f.reason))
              from askback.message_feedback f
              where f.user_id = m.user_id and f.conversation_id = m.conversation_id and f.message_id = m.id
            ),
            'entries', askback.message_entries(m),
            'runId', (
              select e.run_id from askback.entries e
              join askback.runs r on r.id = e.run_id
              where e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id
              order by r.started_at desc limit 1
            )
          )
          order by m.position
        ),
        '[]'
      )
      from askback.messages m
      where m.user_id = p_user_id and m.conversation_id = p_conversation_id
        and m.superseded_at is null and m.id is distinct from v_alive.message_id
        and (m.written_at is not null or exists (
          select 1 from askback.runs r
          join askback.tool_executions e on e.run_id = r.id
          where r.turn_id = m.turn_id and r.message_id = m.id and e.idempotency_key is not null
        ))
    ),
    'unreportedWrites', askback.unreported_writes(p_user_id, p_conversation_id, 9223372036854775807, 100),
    -- What somebody can still decide on.
    'pending', askback.list_items(p_user_id, p_conversation_id),
    -- The tools that forms of answered questions are shown with.
    'tools', (
      select coalesce(json_agg(tool -> 'specification'), '[]')
      from askback.agents a, json_array_elements(askback.permitted_tools(a)) tool
      where a.id = coalesce(
        v_conversation.agent_id,
        (select id from askback.agents where user_id = p_user_id order by created_at, id limit 1)
      )
      and tool #>> '{specification,name}' in (
        select i.tool_name from askback.open_items i
        where i.user_id = p_user_id and i.conversation_id = p_conversation_id
        union all
        select e.tool_name from askback.tool_executions e
        where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.idempotency_key is not null
      )
    ),
    -- How what was open was closed, by its id.
    'closed', (
      select coalesce(json_object_agg(i.id, i.closed_as), '{}')
      from askback.open_items i
      where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.closed_at is not null
    ),
    'running', case when v_alive.id is not null then
      json_build_object('runId', v_alive.id, 'messageId', v_alive.message_id) end
  );
end
$$;

create function askback.list_conversations(
  p_user_id uuid, p_limit integer default 50, p_before timestamptz default null
) returns json
language sql stable set search_path = '' as $$
  with page as materialized (
    select * from askback.conversations
    where user_id = p_user_id and updated_at < coalesce(p_before, 'infinity')
    order by updated_at desc
    limit least(p_limit, 200)
  ),
  open as (
    select
      i.conversation_id,
      json_build_object('count', count(*), 'kinds', json_agg(distinct i.kind), 'oldest', min(i.asked_at)) as marks
    from askback.items_of(p_user_id, array(select id from page)) i
    group by i.conversation_id
  )
  select coalesce(
    json_agg(
      json_build_object(
        'id', c.id,
        'title', c.title,
        'status', coalesce(latest.status, 'completed'),
        'open', coalesce(o.marks, json_build_object('count', 0, 'kinds', '[]'::json, 'oldest', null)),
        'agentId', c.agent_id,
        'createdAt', c.created_at,
        'updatedAt', c.updated_at
      )
      order by c.updated_at desc, c.id
    ),
    '[]'
  )
  from page c
  left join open o on o.conversation_id = c.id
  left join lateral (
    select case when r.status = 'stopping' then 'running' else r.status end as status
    from askback.runs r
    where r.user_id = p_user_id and r.conversation_id = c.id and not askback.left_no_trace(r)
    order by r.started_at desc limit 1
  ) latest on true
$$;

-- null: the user has no such conversation.
create function askback.rename_conversation(p_user_id uuid, p_conversation_id text, p_title text) returns json
language sql set search_path = '' as $$
  update askback.conversations set title = p_title
  where user_id = p_user_id and id = p_conversation_id
  returning json_build_object('id', id, 'title', title)
$$;

-- Ends what is at work in a conversation and deletes it with all that was said. The ledger keeps that something was
-- done, under which key, so that a late delivery does not do it again, and which type of error there was; what it was is
-- erased. A write that nobody has delivered yet is called off. Files that stand in no other conversation go, too. null:
-- the user has no such conversation.
create function askback.delete_conversation(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_files uuid[] := array(
    select distinct file_id from askback.message_files
    where user_id = p_user_id and conversation_id = p_conversation_id
  );
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return null;
  end if;
  -- Runs first, as whoever claims and settles locks them first.
  perform 1 from askback.runs where user_id = p_user_id and conversation_id = p_conversation_id for update;
  update askback.tool_executions set
    conversation_id = null,
    arguments = 'null',
    repairs = '[]',
    result = case when result ->> 'errorType' is not null then json_build_object(
      'ok', false, 'errorType', result ->> 'errorType', 'resolver', result ->> 'resolver', 'error', '', 'details', '{}'::json
    ) end,
    closed = true,
    status = case when status = 'running' and delivery_id is null then 'cancelled' else status end
  where user_id = p_user_id and conversation_id = p_conversation_id;
  delete from askback.conversations where user_id = p_user_id and id = p_conversation_id;
  perform askback.delete_unused_files(v_files);
  return json_build_object('deleted', p_conversation_id);
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.get_conversation(uuid, text),
  askback.rename_conversation(uuid, text, text),
  askback.delete_conversation(uuid, text),
  askback.list_conversations(uuid, integer, timestamptz)
to service_role;
