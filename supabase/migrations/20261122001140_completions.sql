-- What a request of the OpenAI protocol means, decided in one round trip. Its client keeps the history and sends all of
-- it each time. A request that names its chat belongs to that conversation; any other request is a conversation of its
--
-- the same request   joins its run; or gets the item that it ended with, or that item's outcome; or, within two minutes
--                    of a run that wrote something, its answer; else it runs again in its turn: repeated writes ask
-- another one        is a new turn; other words under the same message id are an edit, in the turn of that message
--
-- A message that was copied with its chat (a fork, a clone) is the same message: it belongs to the same turn.
--
-- The id of a message that its client names begins with `client-`.

-- The turns of a message that its client names: one, or more if it was edited into what another chat has.
create function askback_private.turns_of_message(p_user_id uuid, p_conversation_id text, p_message text) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    select array_agg(turn_id order by newest desc)
    from (
      select turn_id, max(position) as newest from askback.messages
      where user_id = p_user_id and conversation_id = p_conversation_id and role = 'user'
        and starts_with(id, p_message || '-')
      group by turn_id
    ) turns
  );
end
$$;

-- The newest run that answers the same request: in these turns, or without them within 12 hours. Null if it is another
-- request.
create function askback_private.run_of_request(
  p_conversation askback.conversations, p_turn_ids uuid[], p_agent_id uuid, p_key text
) returns askback.runs
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.runs;
begin
  select newest.* into v_found
  from (
    select * from askback.runs r
    where r.user_id = p_conversation.user_id and r.conversation_id = p_conversation.id and r.id = r.root_run_id
      and r.request_hash = p_key and r.superseded_at is null
      and case
        when p_turn_ids is null then r.started_at > clock_timestamp() - interval '12 hours'
        else r.turn_id = any (p_turn_ids) and r.agent_id = p_agent_id
      end
    order by r.started_at desc limit 1
  ) root
  cross join lateral askback_private.newest_run(root.user_id, root.conversation_id, root.message_id) newest;
  return v_found;
end
$$;

-- The newest run that answers the same message within 12 hours, in any named chat of its user.
create function askback_private.run_of_message(p_user_id uuid, p_message_key text) returns askback.runs
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.runs;
begin
  select newest.* into v_found
  from (
    select * from askback.runs r
    where r.user_id = p_user_id and r.message_key = p_message_key and r.id = r.root_run_id
      and r.started_at > clock_timestamp() - interval '12 hours'
    order by r.started_at desc limit 1
  ) root
  cross join lateral askback_private.newest_run(root.user_id, root.conversation_id, root.message_id) newest;
  return v_found;
end
$$;

-- Whether a finished run answers the same request again.
create function askback_private.answers_again(p_run askback.runs) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select exists (
      select 1 from askback_private.items_of(p_run.user_id, array[p_run.conversation_id]) i
      where i.message_id = p_run.message_id
    ) or exists (
      select 1 from askback.open_items i
      where i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id and i.message_id = p_run.message_id
        and i.closed_as in ('answer', 'approve', 'draft', 'deny', 'skip', 'connect', 'time')
    ) or (
      p_run.finished_at > clock_timestamp() - interval '2 minutes' and exists (
        select 1
        from askback.runs r
        join askback.tool_executions e on e.run_id = r.id
        where r.user_id = p_run.user_id and r.conversation_id = p_run.conversation_id
          and r.root_run_id = p_run.root_run_id
          and e.effect = 'write' and e.idempotency_key is not null and e.status in ('running', 'succeeded', 'unknown')
      )
    )
  );
end
$$;

-- In a named chat: stops the runs of other messages that its client has named, except those that act on a decision, and
-- ends waits for the clock.
create function askback_private.stop_other_messages(p_run_id uuid, p_conversation askback.conversations, p_message text)
returns void
language plpgsql set search_path = '' as $$
begin
  update askback.runs r set status = 'stopping', overtaken = true
  where r.user_id = p_conversation.user_id and r.conversation_id = p_conversation.id and r.status = 'running'
    and r.resumed_run_id is null
    and exists (
      select 1 from askback.messages u
      where u.user_id = r.user_id and u.conversation_id = r.conversation_id and u.turn_id = r.turn_id
        and u.role = 'user' and u.id like 'client-%' and not starts_with(u.id, p_message || '-')
    );
  with waits as (
    update askback.open_items set closed_at = clock_timestamp(), closed_as = 'message', closed_by = p_run_id
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and kind = 'wait'
      and closed_at is null
    returning run_id
  )
  update askback.runs r set status = 'stopped', finished_at = clock_timestamp()
  from waits
  where r.id = waits.run_id and r.status = 'waiting';
end
$$;

-- Takes a message that is answered again out of the history, and everything that other words under its name have led to;
-- it comes back with its new words. Not while a run is working, and not what the new words quote: they are about it, and
-- what it has asked stays open.
create function askback_private.cut_turn(
  p_conversation askback.conversations, p_turn_id uuid, p_message_id text, p_message text, p_agent_id uuid, p_words text
) returns void
language plpgsql set search_path = '' as $$
declare
  v_position bigint;
begin
  if exists (
    select 1 from askback.runs
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and status = 'running'
  ) then
    return;
  end if;
  select min(m.position) into v_position
  from askback.messages m
  cross join lateral btrim(askback_private.typed_words(m)) typed
  where m.user_id = p_conversation.user_id and m.conversation_id = p_conversation.id and m.role = 'user'
    and m.superseded_at is null and (m.turn_id = p_turn_id or starts_with(m.id, p_message || '-'))
    and case
      when m.id = p_message_id then true
      -- Several agents may answer one message, each for itself.
      when typed = btrim(p_words) then exists (
        select 1 from askback.entries e
        join askback.runs r on r.id = e.run_id
        where e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id
          and r.agent_id = p_agent_id
      )
      else position(typed in p_words) = 0
    end;
  if v_position is not null then
    perform askback_private.cut_conversation(p_conversation.user_id, p_conversation.id, v_position);
  end if;
end
$$;

-- The answer to a message that another chat has asked for: the run that works on it, its open item, or what it has come
-- to. Null if the message is answered anew, in its turn. Both conversations are locked, in the same order as by everybody.
create function askback_private.answer_copied(p_copied askback.runs, p_conversation_id text, p_agent_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  perform 1 from askback.conversations
  where user_id = p_copied.user_id and id in (p_copied.conversation_id, p_conversation_id) order by id for update;
  perform askback_private.expire_runs(p_copied.user_id, p_copied.conversation_id);
  v_run := askback_private.newest_run(p_copied.user_id, p_copied.conversation_id, p_copied.message_id);
  return case
    when v_run.agent_id is distinct from p_agent_id or v_run.superseded_at is not null then null
    when v_run.status = 'running' then askback_private.join_answer(v_run)
    when v_run.status not in ('stopping', 'interrupted') and askback_private.answers_again(v_run) then askback_private.return_answer(v_run)
  end;
end
$$;

-- Starts the run that a request asks for, joins the one that is already answering it, or returns its answer.
create function askback_private.begin_or_join_completion(p_user_id uuid, p_request json) returns json
language plpgsql set search_path = '' as $$
declare
  v_run_id uuid := (p_request ->> 'runId')::uuid;
  v_key text := p_request ->> 'key';
  v_name text := p_request ->> 'message';
  v_message_key text := p_request ->> 'messageKey';
  v_copied askback.runs;
  v_is_named boolean := p_request ->> 'conversationId' is not null;
  v_is_task boolean := askback_private.is_task(p_user_id, p_request);
  v_messages json := p_request -> 'messages';
  v_words text := p_request ->> 'words';
  v_agent_id uuid;
  v_conversation_id text;
  v_conversation askback.conversations;
  v_run askback.runs;
  v_again json;
  v_dead askback.runs;
  v_turn_ids uuid[];
  v_turn_id uuid;
  v_message_id text;
  v_store boolean;
  v_is_new boolean;
  v_refused json;
begin
  v_refused := askback_private.let_in(p_user_id, p_request);
  if v_refused is not null then
    return v_refused;
  end if;
  if v_key is null then
    raise exception 'begin_completion needs a key' using errcode = 'invalid_parameter_value';
  end if;
  if askback_private.lacks_files(p_user_id, v_messages) then
    return askback_private.refusal('file_not_found');
  end if;
  v_agent_id := askback_private.choose_agent(p_user_id, p_request ->> 'agentId', null);
  if v_agent_id is null then
    return askback_private.refusal('agent_not_found');
  end if;

  if v_is_task then
    v_name := null;
    v_message_key := null;
    v_is_named := false;
    v_key := v_run_id::text;
  end if;
  v_conversation_id := case
    when v_is_task then askback_private.conversation_of_task(v_run_id)
    else coalesce(p_request ->> 'conversationId', askback_private.conversation_of_request(p_user_id, v_key))
  end;
  if v_message_key is not null and not exists (select 1 from askback.runs where id = v_run_id) then
    -- Before the conversations: of several chats that send one message at once, each sees what the others have begun.
    perform pg_advisory_xact_lock(hashtextextended('askback message ' || p_user_id || v_message_key, 0));
    v_copied := askback_private.run_of_message(p_user_id, v_message_key);
    if v_copied.conversation_id <> v_conversation_id then
      v_again := askback_private.answer_copied(v_copied, v_conversation_id, v_agent_id);
      if v_again is not null then
        return v_again;
      end if;
    end if;
  end if;
  v_refused := askback_private.flood_refusal(p_user_id, v_conversation_id, false);
  if v_refused is not null then
    return v_refused;
  end if;
  insert into askback.conversations (user_id, id, agent_id, title, client_chat, passing)
  values (
    p_user_id, v_conversation_id, v_agent_id, p_request ->> 'title', case when v_is_named then 'named' else v_key end,
    case when v_is_named then null when v_is_task or p_request ->> 'isTemporary' = 'true' then 'temporary' else 'unnamed' end
  )
  on conflict do nothing;
  v_is_new := found;
  select * into v_conversation from askback.conversations
  where user_id = p_user_id and id = v_conversation_id for update;

  v_again := askback_private.answer_again(v_run_id, p_user_id, v_conversation_id);
  if v_again is not null then
    return v_again;
  end if;

  perform askback_private.expire_runs(p_user_id, v_conversation_id);
  if v_name is not null then
    v_message_id := v_name || '-' || left(v_key, 40);
    v_turn_ids := askback_private.turns_of_message(p_user_id, v_conversation_id, v_name);
    v_turn_id := coalesce(v_copied.turn_id, v_turn_ids[1]);
  end if;
  if v_name is null or v_turn_ids is not null then
    v_run := askback_private.run_of_request(v_conversation, v_turn_ids, v_agent_id, v_key);
  end if;
  if v_run.id is not null then
    v_turn_id := v_run.turn_id;
    if v_run.status = 'running' then
      return askback_private.join_answer(v_run);
    end if;
    if v_run.status = 'interrupted' and v_run.superseded_at is null then
      v_dead := v_run;
    elsif v_run.status <> 'stopping' and askback_private.answers_again(v_run) then
      return askback_private.return_answer(v_run);
    end if;
    if v_name is null then
      select id into v_message_id from askback.messages
      where user_id = p_user_id and conversation_id = v_conversation_id and turn_id = v_turn_id and role = 'user'
      order by superseded_at is not null, position desc limit 1;
    end if;
  end if;
  v_message_id := coalesce(v_message_id, left(v_key, 40) || '-' || v_run_id);

  v_refused := askback_private.new_run_refusal(v_conversation, v_agent_id, v_run_id, v_is_new, false);
  if v_refused is not null and v_dead.id is null then
    return v_refused;
  end if;
  if v_is_named and v_name is not null and v_dead.id is null then
    perform askback_private.stop_other_messages(v_run_id, v_conversation, v_name);
  end if;
  if v_dead.id is null and v_turn_id is not null and exists (
    select 1 from askback.runs
    where user_id = p_user_id and conversation_id = v_conversation_id and agent_id = v_agent_id
      and turn_id = any (v_turn_ids || v_turn_id)
  ) then
    perform askback_private.cut_turn(v_conversation, v_turn_id, v_message_id, v_name, v_agent_id, v_words);
  end if;
  v_store := v_dead.id is null
    and (askback_private.current_message(p_user_id, v_conversation_id, v_message_id)).id is null;
  -- It was answered, and what runs in its conversation has to end before it can be answered again.
  if v_dead.id is null and not v_store then
    v_again := askback_private.busy_answer(p_user_id, v_conversation_id);
    if v_again is not null then
      return v_again;
    end if;
  end if;

  -- A separate statement, so that load_run sees what it inserts.
  v_run := askback_private.start_run(
    v_conversation, v_run_id, coalesce(v_turn_id, v_run_id), v_agent_id, v_key,
    (p_request ->> 'leaseSeconds')::double precision, v_dead, null,
    case when v_store then v_messages else '[]' end, case when v_store then array[v_message_id] else '{}' end,
    p_request -> 'client', v_message_key
  );
  return askback_private.load_run(v_run);
end
$$;

-- What a request means, what it starts, and what else has to be told.
--
-- in   p_request: { version: of the code, runId, key: the fingerprint of agent and words, conversationId?: of a named
--      chat, message?: how its client names the message, messageKey?: as runs have it, if no other message has that name,
--      isTemporary?, isAlone?: whether it is the only message, agentId, title, messages: [one, as for begin_turn],
--      client, timezone?, language?, words: what the user typed, answers: what its history says of the assistant: [{ text, words?: as
--      messages have them, of the message before it }], leaseSeconds }
-- out  { reply: as of begin_turn, isTask: as of is_task, isForeign: as of has_foreign_answer, outcomes: as of outcomes_of }
create function askback.begin_completion(p_user_id uuid, p_request json) returns json
language plpgsql set search_path = '' as $$
declare
  v_reply json := askback_private.begin_or_join_completion(p_user_id, p_request);
  v_is_task boolean := v_reply ->> 'conversationId' is not distinct from
    askback_private.conversation_of_task((p_request ->> 'runId')::uuid);
  v_chat text := case when not v_is_task then p_request ->> 'conversationId' end;
  v_is_foreign boolean := case
    when v_chat is null then json_array_length(coalesce(p_request -> 'answers', '[]')) > 0
    else askback_private.has_foreign_answer(p_user_id, v_chat, p_request -> 'answers')
  end;
begin
  if v_chat is not null then
    perform askback_private.note_copies(
      p_user_id, v_chat, case when p_request -> 'messageKey' is not null then p_request ->> 'message' end,
      case when v_is_foreign then p_request -> 'answers' end
    );
  end if;
  perform askback_private.add_follower(
    p_user_id, coalesce(v_reply ->> 'runId', v_reply #>> '{run,runId}')::uuid, (p_request ->> 'runId')::uuid
  );
  return json_build_object(
    'reply', v_reply,
    'isTask', v_is_task,
    'isForeign', v_is_foreign,
    'outcomes', case when v_chat is null then '[]'::json else askback_private.outcomes_of(p_user_id, v_chat, v_reply #>> '{run,messageId}') end
  );
end
$$;
