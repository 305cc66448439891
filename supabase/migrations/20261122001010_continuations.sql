-- Continuing a message: what was decided about its open items.

-- What was decided about an item (`made` of make_decision) by a run that continues it, or that has closed it. Null if
-- this run decided nothing about it.
create function askback_private.decision_of(p_run askback.runs, p_item_id text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select decided -> 'made' from json_array_elements(p_run.decided) decided
    where decided ->> 'itemId' = p_item_id
  );
end
$$;

-- Whether a decision equals the one that was made, as far as it says: the clock repeats one without its values. Why is not
-- part of it.
create function askback_private.is_same_decision(p_made json, p_again json) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_made::jsonb || (p_again::jsonb - 'reason') = p_made::jsonb;
end
$$;

-- The run that currently continues an item; null if none does.
create function askback_private.deciding_run(p_user_id uuid, p_conversation_id text, p_item_id text) returns askback.runs
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.runs;
begin
  select r.* into v_found from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.status in ('running', 'stopping')
    and askback_private.decision_of(r, p_item_id) is not null
  order by r.started_at desc limit 1;
  return v_found;
end
$$;

-- An item for a run that continues it: as of list_items, with the decision in `made`.
create function askback_private.make_decision(p_item json, p_made json) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return (p_item::jsonb || jsonb_build_object('made', p_made))::json;
end
$$;

-- An approval that is pressed after it has expired, or after it gave way to the same for other people, is asked again, once.
-- What took its place has its intent, so it gets one of its own. Null for any other item.
create function askback_private.expired_item(p_item askback.open_items) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'itemId', p_item.id, 'type', p_item.kind, 'toolCallId', p_item.tool_call_id, 'messageId', p_item.message_id,
      'agentId', p_item.agent_id, 'expired', true,
      'entry', case
        when p_item.closed_as = 'expired' then asked.entry
        else asked.entry || jsonb_build_object('intent', c.last_intent + (
          -- Another one for each, since one request may approve several.
          select count(*) from askback.open_items i
          where i.user_id = c.user_id and i.conversation_id = c.id and i.closed_as = 'yielded' and i.id <= p_item.id
        ))
      end
    )
    from askback.conversations c
    cross join lateral (
      select askback_private.question_of(p_item.user_id, p_item.conversation_id, p_item.message_id, p_item.id)::jsonb as entry
    ) asked
    where c.user_id = p_item.user_id and c.id = p_item.conversation_id
      and p_item.closed_as in ('expired', 'yielded') and not exists (
        select 1 from askback.runs r
        where r.user_id = p_item.user_id and r.conversation_id = p_item.conversation_id
          and r.started_at > p_item.closed_at and askback_private.decision_of(r, p_item.id) is not null
          and not askback_private.left_no_trace(r)
      )
  );
end
$$;

-- Decisions, each with who approved it, where not the user alone did.
create function askback_private.with_approvals(
  p_conversation askback.conversations, p_decided json
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_agg(
      case
        when approved.by is null then decided
        else jsonb_set(decided::jsonb, '{made,approvedBy}', approved.by::jsonb)::json
      end
      order by number
    )
    from json_array_elements(p_decided) with ordinality given (decided, number)
    cross join lateral (
      select case
        when decided #>> '{made,as}' = 'approve' then askback_private.approvals_json(
          p_conversation.user_id, p_conversation.id, decided ->> 'itemId'
        )
      end as by
    ) approved
  );
end
$$;

-- Continues a message. With p_decided (items of make_decision), the run that wrote it has waited for these, and each is
-- carried out once; with null that run died, and another one continues from what it has written. If the message was cut
-- off, it continues in the newest one. The caller holds the conversation's lock and has checked that the items are open.
create function askback_private.go_on(
  p_conversation askback.conversations, p_run askback.runs, p_decided json, p_request json, p_request_hash text
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs := p_run;
  v_busy json := askback_private.busy_answer(p_conversation.user_id, p_conversation.id);
begin
  if v_busy is not null then
    return v_busy;
  end if;
  if v_run.superseded_at is not null then
    v_run := askback_private.newest_run(p_conversation.user_id, p_conversation.id, (
      select id from askback.messages
      where user_id = p_conversation.user_id and conversation_id = p_conversation.id and role = 'assistant'
        and superseded_at is null
      order by position desc limit 1
    ));
  end if;
  -- A separate statement, so that load_run sees what it inserts.
  v_run := askback_private.start_run(
    p_conversation,
    (p_request ->> 'runId')::uuid,
    v_run.turn_id,
    -- An item keeps the rules of its agent.
    coalesce(
      (select id from askback.agents where id = (p_decided #>> '{0,agentId}')::uuid),
      v_run.agent_id,
      askback_private.choose_agent(p_conversation.user_id, null, p_conversation.agent_id)
    ),
    p_request_hash,
    (p_request ->> 'leaseSeconds')::double precision,
    v_run,
    askback_private.with_approvals(p_conversation, p_decided)
  );
  return askback_private.load_run(v_run);
end
$$;

-- The POST continues an assistant message: with decisions about what it waits for, or with nothing new.
create function askback_private.continue_message(
  p_conversation askback.conversations, p_message_id text, p_request json, p_request_hash text
) returns json
language plpgsql set search_path = '' as $$
declare
  v_message askback.messages;
  v_run askback.runs;
  v_decided json;
  v_item json;
  v_allowed jsonb := '[]';
  v_taken text;
  v_refused text;
begin
  select * into v_message from askback.messages
  where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = p_message_id;
  if v_message.id is null or v_message.role <> 'assistant' then
    return askback_private.refusal('message_not_found');
  end if;
  v_run := askback_private.newest_run(p_conversation.user_id, p_conversation.id, p_message_id);
  select json_agg(
    askback_private.make_decision(
      open.item,
      json_build_object('as', case when (decision ->> 'approved')::boolean then 'approve' else 'deny' end)
    )
    order by number
  )
  into v_decided
  from json_array_elements(coalesce(p_request -> 'decisions', '[]')) with ordinality as given (decision, number)
  join (
    select item from json_array_elements(askback.list_items(p_conversation.user_id, p_conversation.id)) item
    union all
    select askback_private.expired_item(i) from askback.open_items i
    where i.user_id = p_conversation.user_id and i.conversation_id = p_conversation.id
      and i.message_id = p_message_id and i.closed_as in ('expired', 'yielded')
  ) open on open.item ->> 'type' = 'approval' and open.item ->> 'toolCallId' = decision ->> 'toolCallId'
    and open.item ->> 'itemId' = decision ->> 'approvalId'
  where coalesce(decision ->> 'messageId', p_message_id) = p_message_id
    and ((decision ->> 'approved')::boolean or open.item ->> 'expired' is null)
    -- An item that a run currently continues has been decided.
    and (askback_private.deciding_run(p_conversation.user_id, p_conversation.id, decision ->> 'approvalId')).id is null;
  for v_item in select item from json_array_elements(coalesce(v_decided, '[]')) item loop
    v_taken := askback_private.take_approval(p_conversation, v_item, v_item -> 'made', p_conversation.user_id);
    if v_taken is null then
      v_allowed := v_allowed || v_item::jsonb;
    elsif v_taken <> 'kept' then
      v_refused := v_taken;
    end if;
  end loop;
  v_decided := nullif(v_allowed, '[]');
  if v_decided is null and v_refused is not null then
    return askback_private.refusal(v_refused);
  end if;
  if v_decided is null and v_run.status in ('running', 'stopping') then
    return askback_private.join_answer(v_run);
  end if;
  if v_decided is null then
    -- The same decision again: the run that carried it out has died.
    if v_run.status = 'interrupted' and v_run.superseded_at is null
      and coalesce(json_array_length(p_request -> 'decisions'), 0) > 0
    then
      return askback_private.go_on(p_conversation, v_run, null, p_request, p_request_hash);
    end if;
    return askback_private.return_answer(v_run);
  end if;
  return askback_private.go_on(p_conversation, v_run, v_decided, p_request, p_request_hash);
end
$$;
