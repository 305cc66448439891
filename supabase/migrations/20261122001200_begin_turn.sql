-- What a POST to the chat means, decided in one round trip.
--
-- trigger      messageId            meaning
-- submit       none, or unknown     a new message; a known last message with the same content returns its run
-- submit       a user message       (AI SDK forms) an edit or a rerun: a new run of the same turn
-- submit       an assistant message continue it: decisions on what it waits for
-- regenerate   any                  a new run after the last of the messages, which is stored first if unknown
--
-- An identical POST while its run is running joins it. Whatever begins a run stops the one that is running.

-- Cuts a conversation off at a position: that message and all after it leave the history, and what their runs
-- wait for can no longer be answered.
create function askback.cut_conversation(p_user_id uuid, p_conversation_id text, p_position bigint) returns void
language sql set search_path = '' as $$
  with cut as (
    update askback.messages set superseded_at = clock_timestamp()
    where user_id = p_user_id and conversation_id = p_conversation_id and position >= p_position
      and superseded_at is null
    returning id
  )
  update askback.runs r set superseded_at = clock_timestamp()
  from cut
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.message_id = cut.id
    and r.superseded_at is null
$$;

-- Puts user messages at the end of a conversation, except those that are in it. One that was cut off comes back
-- with its new content. The last one belongs to the turn.
create function askback.store_messages(
  p_user_id uuid, p_conversation_id text, p_turn_id uuid, p_messages json, p_made_ids text[]
) returns void
language sql set search_path = '' as $$
  insert into askback.messages as held (user_id, conversation_id, id, turn_id, role, parts, metadata, written_at)
  select
    p_user_id, p_conversation_id, p_made_ids[number], p_turn_id, 'user', coalesce(item -> 'parts', '[]'),
    item -> 'metadata', clock_timestamp()
  from json_array_elements(p_messages) with ordinality as given (item, number)
  order by number
  on conflict (user_id, conversation_id, id) do update set
    position = default,
    turn_id = case
      when held.id = p_made_ids[cardinality(p_made_ids)] then excluded.turn_id
      else held.turn_id
    end,
    parts = excluded.parts,
    metadata = excluded.metadata,
    written_at = excluded.written_at,
    superseded_at = null
  where held.superseded_at is not null
$$;

-- A message of the conversation that has not been cut off.
create function askback.current_message(p_user_id uuid, p_conversation_id text, p_id text) returns askback.messages
language sql stable set search_path = '' as $$
  select * from askback.messages
  where user_id = p_user_id and conversation_id = p_conversation_id and id = p_id and superseded_at is null
$$;

-- The POST continues an assistant message: decisions on what it waits for, or nothing new.
create function askback.continue_message(
  p_conversation askback.conversations, p_message_id text, p_request json, p_request_hash text
) returns json
language plpgsql set search_path = '' as $$
declare
  v_message askback.messages;
  v_run askback.runs;
  v_answers json;
begin
  select * into v_message from askback.messages
  where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = p_message_id;
  if v_message.id is null or v_message.role <> 'assistant' then
    return askback.refusal(404, 'message_not_found', 'This conversation has no such message to continue.');
  end if;
  if v_message.superseded_at is not null then
    return askback.refusal(409, 'superseded', 'This message was replaced by a newer version of the conversation. Reload it.');
  end if;
  -- The newest run of the message; one that died while it went on does not count.
  select * into v_run from askback.runs
  where user_id = p_conversation.user_id and conversation_id = p_conversation.id and message_id = p_message_id
    and not (status = 'interrupted' and resumed_run_id is not null)
  order by started_at desc limit 1;
  if v_run.status in ('running', 'stopping') then
    return askback.join_answer(v_run);
  end if;
  if askback.is_open(v_run) then
    select json_agg(
      json_build_object(
        'type', 'approval',
        'toolCallId', decision ->> 'toolCallId',
        'approvalId', decision ->> 'approvalId',
        'decision', case when (decision ->> 'approved')::boolean then 'approve' else 'deny' end,
        'reason', decision ->> 'reason',
        'pending', entry
      )
      order by number
    )
    into v_answers
    from json_array_elements(coalesce(p_request -> 'decisions', '[]')) with ordinality as given (decision, number)
    join json_array_elements(v_run.pending) entry
      on entry ->> 'type' = 'approval' and entry ->> 'toolCallId' = decision ->> 'toolCallId'
      and coalesce(entry ->> 'approvalId' = decision ->> 'approvalId', true)
    where coalesce(decision ->> 'messageId', p_message_id) = p_message_id;
  end if;
  if v_answers is null then
    return askback.return_answer(v_run);
  end if;
  return askback.resume_run(p_conversation, v_run, v_answers, p_request, p_request_hash);
end
$$;

-- Goes on with a run that waits: once. The caller holds the conversation's lock and has seen that it is open.
create function askback.resume_run(
  p_conversation askback.conversations, p_run askback.runs, p_answers json, p_request json, p_request_hash text
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  if exists (
    select 1 from askback.runs
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and status = 'running'
  ) then
    return askback.refusal(409, 'run_in_progress', 'An answer is still being written. Wait until it is there, then try again.');
  end if;
  -- A statement of its own: load_run is to see what this makes.
  v_run := askback.start_run(
    p_conversation,
    (p_request ->> 'runId')::uuid,
    p_run.turn_id,
    coalesce(p_run.agent_id, askback.choose_agent(p_conversation.user_id, null, p_conversation.agent_id)),
    p_request_hash,
    (p_request ->> 'leaseSeconds')::double precision,
    false,
    p_run,
    p_answers
  );
  return askback.load_run(v_run, p_request);
end
$$;

create function askback.begin_turn(p_user_id uuid, p_request json) returns json
language plpgsql set search_path = '' as $$
declare
  v_run_id uuid := (p_request ->> 'runId')::uuid;
  v_ui boolean := p_request ->> 'form' = 'ui';
  v_regenerate boolean := coalesce(p_request ->> 'trigger' = 'regenerate-message', false);
  v_conversation_id text := coalesce(p_request ->> 'conversationId', p_request ->> 'runId');
  v_messages json := coalesce(p_request -> 'messages', '[]');
  v_last json := v_messages -> -1;
  -- Ids of the messages; one without an id gets one that a repetition of this call gets again.
  v_ids text[] := array(
    select coalesce(item ->> 'id', v_run_id || '-' || number)
    from json_array_elements(v_messages) with ordinality as given (item, number)
    order by number
  );
  v_last_id text := v_ids[cardinality(v_ids)];
  v_hash text := md5(jsonb_build_object(
    'trigger', p_request -> 'trigger', 'messageId', p_request -> 'messageId', 'messages', v_messages,
    'lastMessage', p_request -> 'lastMessage', 'decisions', p_request -> 'decisions',
    'agentId', p_request -> 'agentId'
  )::text);
  v_conversation askback.conversations;
  v_agent_id uuid;
  v_target askback.messages;
  v_run askback.runs;
  v_cut_at bigint;
  v_turn_id uuid;
  v_store boolean := true;
  v_recovered boolean := false;
begin
  if v_run_id is null then
    raise exception 'begin_turn needs a runId' using errcode = 'invalid_parameter_value';
  end if;
  if v_conversation_id !~ '^[A-Za-z0-9._~-]{1,64}$' or v_conversation_id in ('conversations', 'v1', 'ag-ui', '.', '..') then
    return askback.refusal(400, 'bad_conversation_id', 'A conversation id has 1 to 64 characters: letters, digits, "-", "_", "." and "~".');
  end if;
  if exists (select 1 from unnest(v_ids) id where length(id) not between 1 and 256) then
    return askback.refusal(400, 'bad_message_id', 'A message id has 1 to 256 characters.');
  end if;
  if cardinality(v_ids) > 100 then
    return askback.refusal(413, 'too_many_messages', 'At most 100 new messages can be sent at once.');
  end if;

  select * into v_conversation from askback.conversations
  where user_id = p_user_id and id = v_conversation_id for update;
  if not found then
    if v_last is null then
      if not v_regenerate and coalesce(p_request ->> 'messageId', p_request #>> '{lastMessage,id}') is not null then
        return askback.refusal(404, 'conversation_not_found', 'You have no such conversation.');
      end if;
      return askback.refusal(400, 'no_message', 'There is no message to answer.');
    end if;
    if askback.user_facts(p_user_id) is null then
      return askback.refusal(401, 'unknown_user', 'This account no longer exists. Sign in again.');
    end if;
    v_agent_id := askback.choose_agent(p_user_id, p_request ->> 'agentId', null);
    if v_agent_id is null then
      return askback.refusal(404, 'agent_not_found', 'You have no such agent.');
    end if;
    insert into askback.conversations (user_id, id, agent_id, title)
    values (p_user_id, v_conversation_id, v_agent_id, p_request ->> 'title')
    on conflict do nothing;
    select * into v_conversation from askback.conversations
    where user_id = p_user_id and id = v_conversation_id for update;
  end if;

  -- The reply to this very call was lost.
  select * into v_run from askback.runs where id = v_run_id;
  if found then
    if v_run.user_id <> p_user_id or v_run.conversation_id <> v_conversation_id then
      raise exception 'run % belongs to another conversation', v_run_id using errcode = 'invalid_parameter_value';
    end if;
    if v_run.status in ('running', 'stopping') then
      return askback.load_run(v_run, p_request);
    end if;
    return askback.return_answer(v_run);
  end if;

  perform askback.expire_runs(p_user_id, v_conversation_id);
  select * into v_run from askback.runs
  where user_id = p_user_id and conversation_id = v_conversation_id and status = 'running' and request_hash = v_hash
  order by started_at desc limit 1;
  if found then
    return askback.join_answer(v_run);
  end if;

  -- An edit or a rerun (v_target is set and current) or a new message.
  if v_regenerate then
    if coalesce(v_last_id, p_request #>> '{lastMessage,id}') is null then
      return askback.refusal(400, 'no_message', 'There is no message to answer.');
    end if;
    v_target := askback.current_message(p_user_id, v_conversation_id, coalesce(v_last_id, p_request #>> '{lastMessage,id}'));
    if v_last is null and v_target.id is null then
      return askback.refusal(404, 'message_not_found', 'This conversation has no such message.');
    end if;
  else
    -- In the JSON form the caller's messageId is the key of the message itself.
    v_target := askback.current_message(
      p_user_id, v_conversation_id, case when v_ui then p_request ->> 'messageId' end
    );
    if v_target.role = 'assistant' then
      return askback.continue_message(v_conversation, v_target.id, p_request, v_hash);
    end if;
    if v_last is null and v_target.id is null then
      if coalesce(p_request #>> '{lastMessage,role}' = 'assistant', false) then
        return askback.continue_message(v_conversation, p_request #>> '{lastMessage,id}', p_request, v_hash);
      end if;
      return askback.refusal(400, 'no_message', 'There is no message to answer.');
    end if;
    if v_target.id is null then
      v_target := askback.current_message(p_user_id, v_conversation_id, v_last_id);
      if v_target.role = 'user' then
        if v_target.parts::jsonb = coalesce(v_last -> 'parts', '[]')::jsonb then
          -- Known, and the same: its newest run; one that died while it went on does not count.
          select * into v_run from askback.runs
          where turn_id = v_target.turn_id and not (status = 'interrupted' and resumed_run_id is not null)
          order by started_at desc limit 1;
          if v_run.status in ('running', 'stopping') then
            return askback.join_answer(v_run);
          end if;
          if v_run.status <> 'interrupted' or exists (
            select 1 from askback.messages
            where user_id = p_user_id and conversation_id = v_conversation_id and superseded_at is null
              and role = 'user' and position > v_target.position
          ) then
            return askback.return_answer(v_run);
          end if;
          v_store := false;
          v_recovered := true;
        elsif not v_ui then
          return askback.refusal(409, 'message_id_taken', 'This messageId was used for another message of this conversation. Use a new one.');
        end if;
      end if;
    end if;
  end if;
  if v_last is not null and exists (
    select 1 from askback.messages
    where user_id = p_user_id and conversation_id = v_conversation_id and id = any (v_ids) and role = 'assistant'
  ) then
    return askback.refusal(409, 'message_id_taken', 'This message id belongs to a message of the assistant. Use a new one.');
  end if;

  v_agent_id := askback.choose_agent(p_user_id, p_request ->> 'agentId', v_conversation.agent_id);
  if v_agent_id is null then
    return askback.refusal(404, 'agent_not_found', 'You have no such agent.');
  end if;
  perform askback.stop_runs(p_user_id, v_conversation_id);

  v_store := v_store and v_last is not null;
  if v_target.id is null then
    -- New; a message that was cut off earlier keeps its turn.
    select turn_id into v_turn_id from askback.messages
    where user_id = p_user_id and conversation_id = v_conversation_id and id = v_last_id;
  else
    v_turn_id := v_target.turn_id;
    v_cut_at := v_target.position + case when v_store then 0 else 1 end;
    perform askback.cut_conversation(p_user_id, v_conversation_id, v_cut_at);
  end if;
  v_turn_id := coalesce(v_turn_id, v_run_id);
  if v_store then
    perform askback.store_messages(p_user_id, v_conversation_id, v_turn_id, v_messages, v_ids);
  end if;

  -- A statement of its own: load_run is to see what this makes.
  v_run := askback.start_run(
    v_conversation, v_run_id, v_turn_id, v_agent_id, v_hash, (p_request ->> 'leaseSeconds')::double precision,
    v_recovered
  );
  return askback.load_run(v_run, p_request);
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.cut_conversation(uuid, text, bigint),
  askback.store_messages(uuid, text, uuid, json, text[]),
  askback.current_message(uuid, text, text),
  askback.continue_message(askback.conversations, text, json, text),
  askback.resume_run(askback.conversations, askback.runs, json, json, text),
  askback.begin_turn(uuid, json)
to service_role;
