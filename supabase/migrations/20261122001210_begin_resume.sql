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
  -- As rows say how they were closed.
  v_as text[] := case p_answer ->> 'type'
    when 'input' then array['answer']
    when 'approval' then array[p_answer ->> 'decision']
    when 'skip' then array['skip']
    else array['connect', 'time', 'stop', 'message', 'replaced', 'skip']
  end;
  v_conversation askback.conversations;
  v_item askback.open_items;
  v_run askback.runs;
  v_decided json;
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
  select * into v_run from askback.runs where id = v_run_id and user_id = p_user_id;
  if found then
    if v_run.status in ('running', 'stopping') then
      return askback.load_run(v_run, p_answer);
    end if;
    return askback.return_answer(v_run);
  end if;
  perform askback.expire_runs(p_user_id, p_conversation_id);

  -- Of what is open the one that is named, else the newest.
  select json_agg(item) into v_decided
  from (
    select item
    from json_array_elements(askback.list_items(p_user_id, p_conversation_id)) with ordinality as listed (item, number)
    where item ->> 'type' = any (v_kinds)
      and (v_item_id is null or item ->> 'itemId' = v_item_id)
      and (v_call is null or item ->> 'toolCallId' = v_call)
    order by number desc limit 1
  ) named;

  if v_decided is null then
    -- Closed already: what became of it. An approval that was open too long is asked anew.
    select * into v_item from askback.open_items i
    where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.kind = any (v_kinds)
      and (v_item_id is null or i.id = v_item_id) and (v_call is null or i.tool_call_id = v_call)
    order by i.closed_at desc nulls last limit 1;
    if not found then
      return askback.refusal(case when p_answer ->> 'type' = 'resume' then 'nothing_pending' else 'item_not_found' end);
    end if;
    if v_item.closed_as = 'expired' and p_answer ->> 'decision' in ('approve', 'draft') then
      v_decided := json_build_array(json_build_object(
        'itemId', v_item.id, 'type', v_item.kind, 'toolCallId', v_item.tool_call_id, 'expired', true,
        'entry', (
          select e.entry from askback.entries e
          where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.message_id = v_item.message_id
            and e.type = 'question' and e.entry ->> 'itemId' = v_item.id
          limit 1
        )
      ));
    elsif not (v_item.closed_as = any (v_as)) then
      return askback.refusal('already_decided');
    end if;
  else
    select * into v_item from askback.open_items
    where user_id = p_user_id and conversation_id = p_conversation_id and id = v_decided #>> '{0,itemId}';
    if v_item.kind = 'wait' and v_item.resume_at > clock_timestamp() then
      return askback.refusal('not_due');
    end if;
    -- The run that goes on with it at this moment has its decision.
    select * into v_run from askback.runs where id = v_item.taken_by and status in ('running', 'stopping');
    if found then
      if v_run.decided #>> '{0,as}' = any (v_as) then
        return askback.join_answer(v_run);
      end if;
      return askback.refusal('already_decided');
    end if;
    v_decided := json_build_array((v_decided -> 0)::jsonb || jsonb_build_object('as', v_as[1]));
  end if;

  v_run := askback.newest_run(
    p_user_id, p_conversation_id,
    coalesce(v_decided #>> '{0,messageId}', v_item.message_id)
  );
  if v_decided is null then
    if v_run.status in ('running', 'stopping') then
      return askback.join_answer(v_run);
    end if;
    -- The process that carried it out has died.
    if v_run.status = 'interrupted' and v_run.superseded_at is null then
      return askback.take_up(v_conversation, v_run, p_answer, md5(p_answer::text));
    end if;
    return askback.return_answer(v_run);
  end if;
  -- Its message was cut off: the newest one tells what becomes of it.
  if v_run.superseded_at is not null then
    select r.* into v_run from askback.runs r
    join askback.messages m
      on m.user_id = r.user_id and m.conversation_id = r.conversation_id and m.id = r.message_id
      and m.superseded_at is null
    where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    order by m.position desc, r.started_at desc limit 1;
  end if;
  return askback.resume_run(v_conversation, v_run, v_decided, p_answer, md5(p_answer::text));
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function askback.begin_resume(uuid, text, json) to service_role;
