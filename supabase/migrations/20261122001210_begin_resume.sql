-- An answer, an approval, a skip, a new connection or the clock: goes on with the open item that it names, once.
-- p_answer: { runId, type: input | approval | skip | connection | wait | resume, itemId, toolCallId, decision, … }.
-- `resume`: a connection or the clock, whichever it is; without an item whatever of them can go on.
create function askback.begin_resume(p_user_id uuid, p_conversation_id text, p_answer json) returns json
language plpgsql set search_path = '' as $$
declare
  v_run_id uuid := (p_answer ->> 'runId')::uuid;
  v_item_id text := p_answer ->> 'itemId';
  v_call text := p_answer ->> 'toolCallId';
  v_kinds text[] := case p_answer ->> 'type'
    when 'skip' then array['input', 'connection']
    when 'resume' then array['connection', 'wait']
    else array[p_answer ->> 'type']
  end;
  -- A connection and the clock say nothing that could be said otherwise.
  v_says boolean := p_answer ->> 'type' in ('input', 'approval', 'skip');
  v_made json := json_strip_nulls(json_build_object(
    'as', case p_answer ->> 'type' when 'input' then 'answer' when 'approval' then p_answer ->> 'decision' else p_answer ->> 'type' end,
    'values', p_answer -> 'values',
    'input', p_answer -> 'input'
  ));
  v_none json := askback.refusal(case when p_answer ->> 'type' = 'resume' then 'nothing_pending' else 'item_not_found' end);
  v_conversation askback.conversations;
  v_listed json;
  v_open json;
  v_item askback.open_items;
  v_run askback.runs;
  v_again json;
begin
  if v_run_id is null then
    raise exception 'begin_resume needs a runId' using errcode = 'invalid_parameter_value';
  end if;
  select * into v_conversation from askback.conversations
  where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return askback.refusal(
      case when askback.user_facts(p_user_id) is null then 'unknown_user' else 'conversation_not_found' end
    );
  end if;
  v_again := askback.answer_again(v_run_id, p_user_id, p_conversation_id, p_answer);
  if v_again is not null then
    return v_again;
  end if;
  perform askback.expire_runs(p_user_id, p_conversation_id);

  v_listed := askback.list_items(p_user_id, p_conversation_id);
  if v_item_id is null then
    -- The newest one that can go on, else the one that was closed last.
    v_item_id := coalesce(
      (
        select listed.item ->> 'itemId'
        from json_array_elements(v_listed) with ordinality as listed (item, number)
        where listed.item ->> 'type' = any (v_kinds) and (v_call is null or listed.item ->> 'toolCallId' = v_call)
        order by coalesce((listed.item #>> '{entry,resumeAt}')::timestamptz > clock_timestamp(), false), number desc
        limit 1
      ),
      (
        select i.id from askback.open_items i
        where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.kind = any (v_kinds)
          and (v_call is null or i.tool_call_id = v_call)
        order by i.closed_at desc nulls last limit 1
      )
    );
  end if;

  v_run := askback.deciding_run(p_user_id, p_conversation_id, v_item_id);
  if v_run.id is not null then
    if v_says and not askback.is_same_decision(askback.decision_of(v_run, v_item_id), v_made) then
      return askback.refusal('already_decided');
    end if;
    return askback.join_answer(v_run);
  end if;

  select item into v_open from json_array_elements(v_listed) item where item ->> 'itemId' = v_item_id;
  select * into v_item from askback.open_items
  where user_id = p_user_id and conversation_id = p_conversation_id and id = v_item_id;
  if v_open is null and v_item.id is null then
    -- What the ledger knew has become known, or is told by the run that works.
    if exists (
      select 1 from askback.tool_executions
      where user_id = p_user_id and conversation_id = p_conversation_id and 'unknown.' || id = v_item_id
    ) then
      return coalesce(askback.busy_answer(p_user_id, p_conversation_id), askback.refusal('already_decided'));
    end if;
    return v_none;
  end if;
  if not coalesce(v_open ->> 'type', v_item.kind) = any (v_kinds)
    or coalesce(v_open ->> 'toolCallId', v_item.tool_call_id) <> v_call
  then
    return v_none;
  end if;

  if v_open is null and v_made ->> 'as' in ('approve', 'draft') then
    v_open := askback.expired_item(v_item);
  end if;
  if v_open is not null then
    if v_item.kind = 'wait' and v_item.resume_at > clock_timestamp() then
      return askback.refusal('not_due');
    end if;
    return askback.go_on(
      v_conversation, askback.newest_run(p_user_id, p_conversation_id, v_open ->> 'messageId'),
      json_build_array(askback.make_decision(v_open, v_made)), p_answer, md5(p_answer::text)
    );
  end if;

  -- Closed: the same decision gets what became of it.
  select r.* into v_run from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    and askback.decision_of(r, v_item_id) is not null and not askback.left_no_trace(r)
  order by r.started_at desc limit 1;
  if v_says and not coalesce(
    askback.is_same_decision(askback.decision_of(v_run, v_item_id), v_made)
      and (v_item.closed_as in (v_made ->> 'as', 'expired') or v_item.closed_by = v_run.id),
    false
  ) then
    return askback.refusal('already_decided');
  end if;
  v_run := askback.newest_run(p_user_id, p_conversation_id, coalesce(v_run.message_id, v_item.message_id));
  if v_run.status in ('running', 'stopping') then
    return askback.join_answer(v_run);
  end if;
  -- The process that carried it out has died.
  if v_run.status = 'interrupted' and v_run.superseded_at is null then
    return askback.go_on(v_conversation, v_run, null, p_answer, md5(p_answer::text));
  end if;
  return askback.return_answer(v_run);
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function askback.begin_resume(uuid, text, json) to service_role;
