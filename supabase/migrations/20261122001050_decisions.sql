-- What a decision means: an answer, an approval, a skip, a new connection or the clock, decided in one round trip.

-- Stores the standing permission that comes with an approval, if the question offers one and can be decided now. Null,
-- or why it was refused.
create function askback_private.remember_approval(
  p_user_id uuid, p_conversation_id text, p_item json, p_remember json
) returns json
language plpgsql set search_path = '' as $$
declare
  v_reply json;
begin
  if p_remember is null or p_item #>> '{entry,remember,path}' is null or p_item ->> 'expired' is not null
    or p_item ->> 'agentId' is null or p_item #>> '{approvers,who}' is not null
    or askback_private.busy_answer(p_user_id, p_conversation_id) is not null
  then
    return null;
  end if;
  v_reply := askback.add_permission(p_user_id, (p_remember::jsonb || jsonb_build_object(
    'agentId', p_item ->> 'agentId',
    'toolName', p_item #>> '{entry,toolName}',
    'path', p_item #>> '{entry,remember,path}'
  ))::json);
  return case when v_reply ->> 'kind' = 'error' then v_reply end;
end
$$;

-- What has become of the standing permission that came with a decision; null if none did.
--
-- out  { id: null if it was taken back, holds }
create function askback_private.permission_since(p_item askback.open_items, p_remember json) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_id uuid;
begin
  if p_remember is null then
    return null;
  end if;
  select id into v_id from askback.permissions
  where user_id = p_item.user_id and agent_id = p_item.agent_id and grant_id is null and tool_name = p_item.tool_name
    and lower(pattern) = lower(p_remember ->> 'pattern') and revoked_at is null
    and path = askback_private.question_of(
      p_item.user_id, p_item.conversation_id, p_item.message_id, p_item.id
    ) #>> '{remember,path}';
  return json_build_object('id', v_id, 'holds', v_id is not null);
end
$$;

-- A decision, as the steps below pass it on.
create type askback_private.posted_decision as (
  -- As of begin_resume.
  answer json,
  run_id uuid,
  item_id text,
  -- The kinds of items that it can be about.
  kinds text[],
  -- A connection and the clock can only be decided one way.
  says boolean,
  -- As `made` of make_decision.
  made json,
  -- Who decides: null for whoever has a link that decides by itself.
  person uuid,
  -- That one, if it is somebody else than the user, as one of a group.
  approver_id uuid,
  -- What it gets if there is no such item.
  none json
);

create function askback_private.read_decision(
  p_user_id uuid, p_answer json
) returns askback_private.posted_decision
language plpgsql stable set search_path = '' as $$
declare
  v_type text := p_answer ->> 'type';
  v_posted askback_private.posted_decision;
begin
  v_posted.answer := p_answer;
  v_posted.run_id := (p_answer ->> 'runId')::uuid;
  v_posted.item_id := p_answer ->> 'itemId';
  v_posted.kinds := case v_type
    when 'skip' then array['input', 'connection']
    when 'approval' then array['approval', 'input']
    when 'resume' then array['connection', 'wait']
    else array[v_type]
  end;
  v_posted.says := v_type in ('input', 'approval', 'skip');
  v_posted.approver_id := nullif((p_answer ->> 'approverId')::uuid, p_user_id);
  v_posted.person := case
    when p_answer #>> '{by,door}' is distinct from 'link' then coalesce(v_posted.approver_id, p_user_id)
  end;
  v_posted.made := json_strip_nulls(json_build_object(
    'as', case v_type when 'input' then 'answer' when 'approval' then p_answer ->> 'decision' else v_type end,
    'values', p_answer -> 'values',
    'input', p_answer -> 'input',
    'remember', p_answer -> 'remember',
    'reason', p_answer -> 'reason',
    'by', case
      when v_posted.approver_id is null then p_answer -> 'by'
      else json_build_object(
        'door', 'approver', 'approver', v_posted.approver_id, 'name', askback_private.name_of(v_posted.approver_id)
      )
    end
  ));
  v_posted.none := askback_private.refusal(case v_type when 'resume' then 'nothing_pending' else 'item_not_found' end);
  return v_posted;
end
$$;

-- The item that a decision means which names none: the newest one that can continue, else the one that was closed last.
-- p_listed: as of list_items.
create function askback_private.unnamed_item(
  p_conversation askback.conversations, p_posted askback_private.posted_decision, p_listed json
) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_call text := p_posted.answer ->> 'toolCallId';
begin
  return coalesce(
    (
      select listed.item ->> 'itemId'
      from json_array_elements(p_listed) with ordinality as listed (item, number)
      where listed.item ->> 'type' = any (p_posted.kinds) and (v_call is null or listed.item ->> 'toolCallId' = v_call)
      order by coalesce((listed.item #>> '{entry,resumeAt}')::timestamptz > clock_timestamp(), false), number desc
      limit 1
    ),
    (
      select i.id from askback.open_items i
      where i.user_id = p_conversation.user_id and i.conversation_id = p_conversation.id
        and i.kind = any (p_posted.kinds) and (v_call is null or i.tool_call_id = v_call)
      order by i.closed_at desc nulls last limit 1
    )
  );
end
$$;

-- The answer to a decision about an item that a run is continuing: the same one joins it. Null if none is.
create function askback_private.deciding_answer(
  p_conversation askback.conversations, p_posted askback_private.posted_decision
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_run askback.runs := askback_private.deciding_run(p_conversation.user_id, p_conversation.id, p_posted.item_id);
begin
  if v_run.id is null then
    return null;
  end if;
  if p_posted.says
    and not askback_private.is_same_decision(askback_private.decision_of(v_run, p_posted.item_id), p_posted.made)
  then
    return askback_private.refusal('already_decided');
  end if;
  return askback_private.join_answer(v_run);
end
$$;

-- Why a decision is about no item of its kind; null if it is about one. p_open: as of list_items, if it is open; p_item: its
-- row, if it has one.
create function askback_private.item_refusal(
  p_conversation askback.conversations, p_posted askback_private.posted_decision, p_open json,
  p_item askback.open_items
) returns json
language plpgsql stable set search_path = '' as $$
begin
  -- A form can be approved only if it says what would be done.
  if p_posted.answer ->> 'type' = 'approval' and p_open ->> 'type' = 'input' and p_open #>> '{entry,reason}' is null then
    return p_posted.none;
  end if;
  if p_open is null and p_item.id is null then
    -- Only the ledger knew of it, and it was settled since, or a live run will report it.
    if exists (
      select 1 from askback.tool_executions
      where user_id = p_conversation.user_id and conversation_id = p_conversation.id
        and 'unknown.' || id = p_posted.item_id
    ) then
      return coalesce(
        askback_private.busy_answer(p_conversation.user_id, p_conversation.id),
        askback_private.refusal('already_decided')
      );
    end if;
    return p_posted.none;
  end if;
  if not coalesce(p_open ->> 'type', p_item.kind) = any (p_posted.kinds)
    or coalesce(p_open ->> 'toolCallId', p_item.tool_call_id) <> p_posted.answer ->> 'toolCallId'
  then
    return p_posted.none;
  end if;
  return null;
end
$$;

-- Why somebody else than an item's user may not decide it, as one of a group; null if they may. p_open: as of list_items, if
-- it is open; p_item: its row, if it has one.
create function askback_private.approver_refusal(
  p_conversation askback.conversations, p_posted askback_private.posted_decision, p_open json, p_item askback.open_items
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_rule askback.tool_approvers;
begin
  if coalesce(p_open ->> 'type', p_item.kind) is distinct from 'approval' then
    return p_posted.none;
  end if;
  v_rule := askback_private.item_rule(
    case when p_open is null then p_item.agent_id else (p_open ->> 'agentId')::uuid end,
    coalesce(p_open #>> '{entry,toolName}', p_open #>> '{write,toolName}', p_item.tool_name),
    coalesce(p_open -> 'entry', askback_private.question_of(
      p_item.user_id, p_item.conversation_id, p_item.message_id, p_item.id
    ))
  );
  if askback_private.part_of(v_rule, p_conversation.user_id, p_posted.approver_id) is null then
    return p_posted.none;
  end if;
  return case when p_posted.made ->> 'as' not in ('approve', 'deny') then askback_private.refusal('not_as_asked') end;
end
$$;

-- Starts the run that carries out a decision about an open item, with the standing permission that comes with it.
create function askback_private.carry_out(
  p_conversation askback.conversations, p_posted askback_private.posted_decision, p_open json,
  p_item askback.open_items
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs := askback_private.newest_run(
    p_conversation.user_id, p_conversation.id, p_open ->> 'messageId'
  );
  v_refused json;
  v_taken text;
begin
  if p_item.kind = 'wait' and p_item.resume_at > clock_timestamp() then
    return askback_private.refusal('not_due');
  end if;
  v_taken := askback_private.take_approval(p_conversation, p_open, p_posted.made, p_posted.person);
  if v_taken = 'kept' then
    return case
      when v_run.status in ('running', 'stopping') then askback_private.join_answer(v_run)
      else askback_private.return_answer(v_run)
    end;
  elsif v_taken is not null then
    return askback_private.refusal(v_taken);
  end if;
  v_refused := askback_private.remember_approval(
    p_conversation.user_id, p_conversation.id, p_open, p_posted.answer -> 'remember'
  );
  if v_refused is not null then
    return v_refused;
  end if;
  return askback_private.go_on(
    p_conversation,
    v_run,
    json_build_array(askback_private.make_decision(p_open, p_posted.made)), p_posted.answer, md5(p_posted.answer::text)
  );
end
$$;

-- The answer to a decision about an item that is closed: the same decision gets its outcome, or is carried out again if the
-- process that did so has died.
create function askback_private.closed_answer(
  p_conversation askback.conversations, p_posted askback_private.posted_decision, p_item askback.open_items
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select r.* into v_run from askback.runs r
  where r.user_id = p_conversation.user_id and r.conversation_id = p_conversation.id
    and askback_private.decision_of(r, p_posted.item_id) is not null
  order by r.started_at desc limit 1;
  if p_posted.says and not coalesce(
    askback_private.is_same_decision(askback_private.decision_of(v_run, p_posted.item_id), p_posted.made)
      and (p_item.closed_as in (p_posted.made ->> 'as', 'expired', 'yielded') or p_item.closed_by = v_run.id),
    false
  ) then
    return askback_private.refusal('already_decided');
  end if;
  v_run := askback_private.newest_run(
    p_conversation.user_id, p_conversation.id, coalesce(v_run.message_id, p_item.message_id)
  );
  if v_run.status in ('running', 'stopping') then
    return askback_private.join_answer(v_run);
  end if;
  if v_run.status = 'interrupted' and v_run.superseded_at is null then
    return askback_private.go_on(p_conversation, v_run, null, p_posted.answer, md5(p_posted.answer::text));
  end if;
  return askback_private.return_answer(v_run);
end
$$;

-- An answer, an approval, a skip, a new connection or the clock: continues the open item that it names, once.
--
-- in   p_answer: { version: of the code, runId, type: input | approval | skip | connection | wait | resume, itemId?,
--      toolCallId?, values?: of a form, which may be an approval, too, input?, decision?: approve | deny | draft,
--      remember?: { pattern, max, per } that fits the call, by?: { door: link | page, link, name? }, approverId?: who
--      decides it as one of a group, if not its user, timezone?, language?, leaseSeconds }; resume: a connection or the
--      clock, whichever applies, or, without an item, anything that can continue
-- out  as of begin_turn; its codes: conversation_not_found | item_not_found | nothing_pending |
--      already_decided | not_due | too_many_permissions | not_an_approver | not_as_asked | version_not_accepted
create function askback.begin_resume(p_user_id uuid, p_conversation_id text, p_answer json) returns json
language plpgsql set search_path = '' as $$
declare
  v_posted askback_private.posted_decision;
  v_conversation askback.conversations;
  v_listed json;
  v_open json;
  v_item askback.open_items;
  v_answer json;
begin
  if not askback_private.is_accepted(p_answer -> 'version') then
    return askback_private.refusal('version_not_accepted');
  end if;
  perform askback_private.hold_account(p_user_id);
  perform askback_private.require_account(p_user_id);
  perform askback_private.require_account((p_answer ->> 'approverId')::uuid)
  where p_answer ->> 'approverId' is not null;
  perform askback_private.note_reader(p_user_id, p_answer)
  where p_answer ->> 'approverId' is null;
  v_posted := askback_private.read_decision(p_user_id, p_answer);
  if v_posted.run_id is null then
    raise exception 'begin_resume needs a runId' using errcode = 'invalid_parameter_value';
  end if;
  select * into v_conversation from askback.conversations
  where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return askback_private.refusal('conversation_not_found');
  end if;
  v_answer := askback_private.answer_again(v_posted.run_id, p_user_id, p_conversation_id);
  if v_answer is not null then
    return v_answer;
  end if;
  perform askback_private.expire_runs(p_user_id, p_conversation_id);

  v_listed := askback.list_items(p_user_id, p_conversation_id);
  v_posted.item_id := coalesce(
    v_posted.item_id, askback_private.unnamed_item(v_conversation, v_posted, v_listed)
  );
  select item into v_open from json_array_elements(v_listed) item where item ->> 'itemId' = v_posted.item_id;
  select * into v_item from askback.open_items
  where user_id = p_user_id and conversation_id = p_conversation_id and id = v_posted.item_id;
  if v_posted.approver_id is not null then
    v_answer := askback_private.approver_refusal(v_conversation, v_posted, v_open, v_item);
    if v_answer is not null then
      return v_answer;
    end if;
  end if;
  v_answer := askback_private.deciding_answer(v_conversation, v_posted);
  if v_answer is not null then
    return v_answer;
  end if;
  v_answer := askback_private.item_refusal(v_conversation, v_posted, v_open, v_item);
  if v_answer is not null then
    return v_answer;
  end if;

  if v_open is null and v_posted.made ->> 'as' in ('approve', 'draft') then
    v_open := askback_private.expired_item(v_item);
  end if;
  if v_open is not null then
    return askback_private.carry_out(v_conversation, v_posted, v_open, v_item);
  end if;
  return askback_private.closed_answer(v_conversation, v_posted, v_item);
end
$$;
