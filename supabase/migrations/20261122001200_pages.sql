-- A conversation as an app's page shows it.

-- The answers that one has taken the place of, oldest first: those to the same words of the user.
create function askback_private.former_answers(p_message askback.messages) returns setof askback.messages
language plpgsql stable set search_path = '' as $$
begin
  return query
    select f.* from askback.messages f
    where f.user_id = p_message.user_id and f.conversation_id = p_message.conversation_id
      and f.superseded_at is not null and f.turn_id = p_message.turn_id
      and p_message.role = 'assistant' and f.role = 'assistant' and f.written_at is not null
      and f.answered = askback_private.answered_by(p_message)
      and exists (
        select 1 from askback.entries e
        where e.user_id = f.user_id and e.conversation_id = f.conversation_id and e.message_id = f.id
      )
    order by f.position;
end
$$;

-- A conversation as its page shows it: the newest messages, or the newest before p_before, without those that were cut
-- off, are still being written or say nothing. A message whose process died is shown if something was claimed in it.
-- With p_former_of, the answers that this one has taken the place of instead, newest first.
--
-- out  { id, title, next: the oldest message if there are more before it, status, messages: [{ id, role, metadata,
--      writtenAt: its last words, feedback: { rating, reason? } | null, entries, runId }], unreportedWrites: as of
--      unreported_writes, pending: as of list_items, tools: [specification], decided: [{ itemId, messageId, toolCallId, decision, at,
--      remember?, reason?, by?, approvedBy?: as of approvals_json }], former: { messageId: count }, closed: { itemId: closed_as } }
--      { messages: null }: it has no message p_before; null: the user has no such conversation
create function askback.get_conversation(
  p_user_id uuid, p_conversation_id text, p_before text default null, p_limit integer default 100,
  p_former_of text default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_conversation askback.conversations;
  v_latest askback.runs;
  v_alive askback.runs;
  v_before bigint := 9223372036854775807;
  -- Newest first, and one more than requested.
  v_page askback.messages[];
  v_next text;
begin
  select * into v_conversation from askback.conversations where user_id = p_user_id and id = p_conversation_id;
  if not found then
    return null;
  end if;
  select * into v_alive from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and status in ('running', 'stopping')
    and lease_expires_at >= clock_timestamp()
  order by started_at desc limit 1;
  v_latest := askback_private.newest_run(p_user_id, p_conversation_id);
  if p_before is not null then
    v_before := askback_private.position_of(p_user_id, p_conversation_id, p_before);
    if v_before is null then
      return json_build_object('messages', null);
    end if;
  end if;
  v_page := case when p_former_of is not null then array(
    select f from askback.messages m, askback_private.former_answers(m) f
    where m.user_id = p_user_id and m.conversation_id = p_conversation_id and m.id = p_former_of
      and m.superseded_at is null
    order by f.position desc
    limit p_limit
  ) else array(
    select m from askback.messages m
    where m.user_id = p_user_id and m.conversation_id = p_conversation_id
      and m.superseded_at is null and m.position < v_before and m.id is distinct from v_alive.message_id
      and exists (
        select 1 from askback.entries e
        where e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id
      )
      and (m.written_at is not null or exists (
        select 1 from askback.runs r
        join askback.tool_executions e on e.run_id = r.id
        where r.turn_id = m.turn_id and r.message_id = m.id and e.idempotency_key is not null
      ))
    order by m.position desc
    limit p_limit + 1
  ) end;
  if cardinality(v_page) > p_limit then
    v_page := v_page[:p_limit];
    v_next := v_page[p_limit].id;
  end if;
  return json_build_object(
    'id', v_conversation.id,
    'title', v_conversation.title,
    'next', v_next,
    'status', case
      when v_alive.id is not null then 'running'
      when v_latest.status in ('running', 'stopping') then 'interrupted'
      else coalesce(v_latest.status, 'completed')
    end,
    'messages', (
      select coalesce(
        json_agg(
          json_build_object(
            'id', m.id, 'role', m.role, 'metadata', m.metadata, 'writtenAt', coalesce(m.written_at, m.created_at),
            'feedback', (
              select json_strip_nulls(json_build_object('rating', f.rating, 'reason', f.reason))
              from askback.message_feedback f
              where f.user_id = m.user_id and f.conversation_id = m.conversation_id and f.message_id = m.id
            ),
            'entries', askback_private.message_entries(m),
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
      from unnest(v_page) m
    ),
    -- How many answers each one has taken the place of, by id.
    'former', (
      select coalesce(json_object_agg(known.id, known.count), '{}')
      from (
        select m.id, count(*) from unnest(v_page) m, askback_private.former_answers(m)
        where p_former_of is null
        group by m.id
      ) known
    ),
    'unreportedWrites', askback_private.unreported_writes(p_user_id, p_conversation_id, v_before, p_limit),
    -- What somebody can still decide.
    'pending', askback.list_items(p_user_id, p_conversation_id),
    -- The tools whose words say what their calls did, and whose parameters define the forms of answered questions.
    'tools', askback_private.permitted_specifications(p_user_id, v_conversation.agent_id, array(
      select i.tool_name from askback.open_items i
      where i.user_id = p_user_id and i.conversation_id = p_conversation_id
      union
      select e.tool_name from askback.tool_executions e
      where e.user_id = p_user_id and e.conversation_id = p_conversation_id
    )),
    -- The user's decisions, oldest first.
    'decided', (
      select coalesce(
        json_agg(
          json_strip_nulls(json_build_object(
            'itemId', i.id, 'messageId', i.message_id, 'toolCallId', i.tool_call_id,
            'decision', i.closed_as, 'at', i.closed_at, 'reason', askback_private.decision_of(r, i.id) -> 'reason',
            'remember', askback_private.decision_of(r, i.id) -> 'remember',
            'permission', askback_private.permission_since(i, askback_private.decision_of(r, i.id) -> 'remember'),
            'by', askback_private.decider_json(askback_private.decision_of(r, i.id)),
            'approvedBy', askback_private.decision_of(r, i.id) -> 'approvedBy'
          ))
          order by i.closed_at, i.id
        ),
        '[]'
      )
      from unnest(v_page) m
      join askback.open_items i
        on i.user_id = m.user_id and i.conversation_id = m.conversation_id and i.message_id = m.id
      left join askback.runs r on r.id = i.closed_by
      where i.closed_as in ('answer', 'approve', 'deny', 'draft', 'skip')
    ),
    -- How items were closed, by id.
    'closed', (
      select coalesce(json_object_agg(i.id, i.closed_as), '{}')
      from askback.open_items i
      where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.closed_at is not null
    )
  );
end
$$;
