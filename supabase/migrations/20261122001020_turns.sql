-- What a POST to the chat means, decided in one round trip.
--
-- trigger      messageId            meaning
-- submit       none, or unknown     a new message; a known last message with the same content returns its run
-- submit       a user message       (AI SDK forms) an edit or a rerun: a new run of the same turn
-- submit       an assistant message continue it: decisions on what it waits for
-- regenerate   any                  a new run after the last of the messages, which is stored first if unknown; after
--                                   the message that it answers, if the last one is an answer
--
-- An identical POST joins its run while that is running. Anything that starts a run waits until what a person has
-- decided is carried out, and stops the run that is running then. Nothing is replaced that a client says it has not
-- seen. Ids: two messages never have the same one, and a message that is known keeps its place unless an edit moves it.

-- Why a message may not begin a new conversation, by its user's rates; null if it may. It takes no lock, so that the
-- messages of a flood do not wait for each other, with all connections to the database in their hands.
create function askback_private.flood_refusal(p_user_id uuid, p_conversation_id text, p_may_wait boolean) returns json
language plpgsql set search_path = '' as $$
declare
  v_refused json := askback_private.rate_refusal(p_user_id, p_conversation_id, p_may_wait);
begin
  -- An equal message may have begun it in the meantime: this one joins.
  if exists (select 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id) then
    return null;
  end if;
  return v_refused;
end
$$;

-- Why a request may not start its run; null if it may. The caller holds the lock on the conversation's row; a
-- conversation that was made for the request is deleted again.
create function askback_private.new_run_refusal(
  p_conversation askback.conversations, p_agent_id uuid, p_run_id uuid, p_is_new boolean, p_may_wait boolean
) returns json
language plpgsql set search_path = '' as $$
declare
  v_refused json := askback_private.run_refusal(
    p_conversation.user_id, p_agent_id, p_run_id, p_conversation.id, p_may_wait
  );
begin
  if v_refused is null and p_is_new then
    v_refused := askback_private.keep_refusal('user', p_conversation.user_id, 'conversations', (
      select count(*) - 1 from askback.conversations where user_id = p_conversation.user_id
    ));
  end if;
  if v_refused is not null and p_is_new then
    delete from askback.conversations c
    where c.user_id = p_conversation.user_id and c.id = p_conversation.id
      and not exists (select 1 from askback.runs r where r.user_id = c.user_id and r.conversation_id = c.id);
  end if;
  return v_refused;
end
$$;

-- A POST, as the steps below pass it on.
create type askback_private.posted_turn as (
  -- As of begin_turn.
  request json,
  run_id uuid,
  conversation_id text,
  is_ui boolean,
  is_rerun boolean,
  messages json,
  -- The ids of the messages. One without an id gets one that stays the same if the call is repeated.
  ids text[],
  -- The last message, if there is one.
  last json,
  last_id text,
  -- What the client has seen; null if it does not say.
  seen text[],
  -- Equal for an identical POST.
  hash text
);

create function askback_private.read_turn(p_request json) returns askback_private.posted_turn
language plpgsql immutable set search_path = '' as $$
declare
  v_post askback_private.posted_turn;
begin
  v_post.request := askback_private.without(p_request, 'messages');
  v_post.run_id := (v_post.request ->> 'runId')::uuid;
  v_post.conversation_id := coalesce(v_post.request ->> 'conversationId', v_post.request ->> 'runId');
  v_post.is_ui := v_post.request ->> 'form' = 'ui';
  v_post.is_rerun := coalesce(v_post.request ->> 'trigger' = 'regenerate-message', false);
  v_post.messages := coalesce(p_request -> 'messages', '[]');
  v_post.ids := array(
    select coalesce(item ->> 'id', v_post.run_id || '-' || number)
    from json_array_elements(v_post.messages) with ordinality as given (item, number)
    order by number
  );
  v_post.last := v_post.messages -> -1;
  v_post.last_id := v_post.ids[cardinality(v_post.ids)];
  v_post.seen := case
    when v_post.request -> 'seen' is not null then array(select json_array_elements_text(v_post.request -> 'seen'))
  end;
  v_post.hash := md5(jsonb_build_object(
    'trigger', v_post.request -> 'trigger', 'messageId', v_post.request -> 'messageId', 'messages', v_post.messages,
    'lastMessage', v_post.request -> 'lastMessage', 'decisions', v_post.request -> 'decisions',
    'agentId', v_post.request -> 'agentId', 'model', v_post.request -> 'model'
  )::text);
  return v_post;
end
$$;

-- Why the messages of a POST cannot be stored in any conversation; null if they can.
create function askback_private.messages_refusal(p_user_id uuid, p_post askback_private.posted_turn) returns json
language plpgsql stable set search_path = '' as $$
begin
  if cardinality(p_post.ids) > 100 then
    return askback_private.refusal('too_many_messages');
  end if;
  if (select count(distinct id) from unnest(p_post.ids) id) < cardinality(p_post.ids) then
    return askback_private.refusal('message_id_taken');
  end if;
  if askback_private.lacks_files(p_user_id, p_post.messages) then
    return askback_private.refusal('file_not_found');
  end if;
  return null;
end
$$;

-- The conversation of a POST, with its row locked.
create type askback_private.opened_conversation as (
  conversation askback.conversations,
  is_new boolean,
  -- Of a new one.
  agent_id uuid,
  -- Why there is none.
  refused json
);

-- Finds the conversation of a POST, or makes it for a first message.
create function askback_private.open_conversation(
  p_user_id uuid, p_post askback_private.posted_turn
) returns askback_private.opened_conversation
language plpgsql set search_path = '' as $$
declare
  v_opened askback_private.opened_conversation;
  v_found askback.conversations;
begin
  select * into v_found from askback.conversations
  where user_id = p_user_id and id = p_post.conversation_id for update;
  v_opened.is_new := not found;
  if v_opened.is_new then
    if p_post.last is null then
      v_opened.refused := askback_private.refusal(case
        when not p_post.is_rerun
          and coalesce(p_post.request ->> 'messageId', p_post.request #>> '{lastMessage,id}') is not null
        then 'conversation_not_found'
        else 'no_message'
      end);
      return v_opened;
    end if;
    v_opened.agent_id := askback_private.choose_agent(p_user_id, p_post.request ->> 'agentId', null);
    v_opened.refused := case
      when v_opened.agent_id is null then askback_private.refusal('agent_not_found')
      else askback_private.flood_refusal(p_user_id, p_post.conversation_id, true)
    end;
    if v_opened.refused is not null then
      return v_opened;
    end if;
    insert into askback.conversations (user_id, id, agent_id, title, scope)
    values (
      p_user_id, p_post.conversation_id, v_opened.agent_id, p_post.request ->> 'title', p_post.request ->> 'scope'
    )
    on conflict do nothing;
    v_opened.is_new := found;
    select * into v_found from askback.conversations
    where user_id = p_user_id and id = p_post.conversation_id for update;
  end if;
  v_opened.conversation := v_found;
  return v_opened;
end
$$;

-- What becomes of a POST in a conversation that was there before.
create type askback_private.turn_meaning as (
  -- What it gets without a new turn; null: it begins one.
  answer json,
  -- The message that is edited or answered again; null: its message is new.
  target askback.messages,
  -- The run that answered this very message, and died.
  dead askback.runs
);

-- The answer to a POST that came before: its own run, or one that is answering an identical one. Null if there is none.
create function askback_private.repeated_answer(
  p_conversation askback.conversations, p_post askback_private.posted_turn
) returns json
language plpgsql set search_path = '' as $$
declare
  v_answer json := askback_private.answer_again(p_post.run_id, p_conversation.user_id, p_conversation.id);
  v_run askback.runs;
begin
  if v_answer is not null then
    return v_answer;
  end if;
  perform askback_private.expire_runs(p_conversation.user_id, p_conversation.id);
  select * into v_run from askback.runs
  where user_id = p_conversation.user_id and conversation_id = p_conversation.id and status = 'running'
    and request_hash = p_post.hash
  order by started_at desc limit 1;
  return case when v_run.id is not null then askback_private.join_answer(v_run) end;
end
$$;

-- What a rerun means: the last of its messages is answered again, or the message that the last one answers.
create function askback_private.meaning_of_rerun(
  p_conversation askback.conversations, p_post askback_private.posted_turn
) returns askback_private.turn_meaning
language plpgsql stable set search_path = '' as $$
declare
  v_meaning askback_private.turn_meaning;
  v_id text := coalesce(p_post.last_id, p_post.request #>> '{lastMessage,id}');
  v_target askback.messages := askback_private.current_message(p_conversation.user_id, p_conversation.id, v_id);
begin
  if p_post.last is null and v_target.role = 'assistant' then
    select * into v_target from askback.messages
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and role = 'user'
      and superseded_at is null and position < v_target.position
    order by position desc limit 1;
  end if;
  if p_post.last is null and v_target.id is null then
    v_meaning.answer := askback_private.refusal(case when v_id is null then 'no_message' else 'message_not_found' end);
  end if;
  v_meaning.target := v_target;
  return v_meaning;
end
$$;

-- What a message means that is known and unchanged: its newest run answers it, or, if that died, another one.
create function askback_private.meaning_of_known_message(p_known askback.messages)
returns askback_private.turn_meaning
language plpgsql set search_path = '' as $$
declare
  v_meaning askback_private.turn_meaning;
  v_run askback.runs := askback_private.newest_run(
    p_known.user_id, p_known.conversation_id, null, p_known.turn_id
  );
begin
  v_meaning.target := p_known;
  if v_run.status in ('running', 'stopping') then
    v_meaning.answer := askback_private.join_answer(v_run);
  elsif v_run.status <> 'interrupted' or exists (
    select 1 from askback.messages
    where user_id = p_known.user_id and conversation_id = p_known.conversation_id and superseded_at is null
      and role = 'user' and position > p_known.position
  ) then
    v_meaning.answer := askback_private.return_answer(v_run);
  else
    v_meaning.dead := v_run;
  end if;
  return v_meaning;
end
$$;

-- What a POST means that is no rerun: a new message, an edit, or one that continues an assistant message.
create function askback_private.meaning_of_message(
  p_conversation askback.conversations, p_post askback_private.posted_turn
) returns askback_private.turn_meaning
language plpgsql set search_path = '' as $$
declare
  v_meaning askback_private.turn_meaning;
  -- In the JSON form the messageId is the id of the posted message itself.
  v_target askback.messages := askback_private.current_message(
    p_conversation.user_id, p_conversation.id, case when p_post.is_ui then p_post.request ->> 'messageId' end
  );
  v_continues boolean := coalesce(
    v_target.role = 'assistant'
      or (p_post.last is null and v_target.id is null and p_post.request #>> '{lastMessage,role}' = 'assistant'),
    false
  );
begin
  if v_continues then
    v_meaning.answer := askback_private.continue_message(
      p_conversation, coalesce(v_target.id, p_post.request #>> '{lastMessage,id}'), p_post.request, p_post.hash
    );
    return v_meaning;
  end if;
  if v_target.id is null then
    if p_post.last is null then
      v_meaning.answer := askback_private.refusal('no_message');
      return v_meaning;
    end if;
    v_target := askback_private.current_message(p_conversation.user_id, p_conversation.id, p_post.last_id);
    if v_target.role = 'user' and askback_private.is_same_message(v_target, p_post.last) then
      return askback_private.meaning_of_known_message(v_target);
    end if;
    if v_target.role = 'user' and not p_post.is_ui then
      v_meaning.answer := askback_private.refusal('message_id_taken');
    end if;
  end if;
  v_meaning.target := v_target;
  return v_meaning;
end
$$;

-- Why the messages of a POST cannot take their place in its conversation; null if they can.
create function askback_private.place_refusal(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning
) returns json
language plpgsql stable set search_path = '' as $$
begin
  if p_post.last is not null and exists (
    select 1 from askback.messages
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = any (p_post.ids)
      and role = 'assistant'
  ) then
    return askback_private.refusal('message_id_taken');
  end if;
  -- It would have to stand before the message that it replaces.
  if (p_meaning.dead).id is null and exists (
    select 1 from askback.messages
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = p_post.last_id
      and superseded_at is null and position < (p_meaning.target).position
  ) then
    return askback_private.refusal('message_id_taken');
  end if;
  return null;
end
$$;

-- What a POST means in a conversation that was there before.
create function askback_private.meaning_of_turn(
  p_conversation askback.conversations, p_post askback_private.posted_turn
) returns askback_private.turn_meaning
language plpgsql set search_path = '' as $$
declare
  v_meaning askback_private.turn_meaning;
begin
  v_meaning.answer := askback_private.repeated_answer(p_conversation, p_post);
  if v_meaning.answer is not null then
    return v_meaning;
  end if;
  v_meaning := case
    when p_post.is_rerun then askback_private.meaning_of_rerun(p_conversation, p_post)
    else askback_private.meaning_of_message(p_conversation, p_post)
  end;
  if v_meaning.answer is null then
    v_meaning.answer := askback_private.place_refusal(p_conversation, p_post, v_meaning);
  end if;
  return v_meaning;
end
$$;

-- Why a new turn may not begin yet, or not for this client; null if it may.
create function askback_private.turn_refusal(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning
) returns json
language plpgsql stable set search_path = '' as $$
begin
  if (p_meaning.dead).id is null and (p_meaning.target).id is not null
    and askback_private.replaces_unseen(p_meaning.target, p_post.seen)
  then
    return askback_private.refusal('newer_messages');
  end if;
  return askback_private.carrying_out_answer(p_conversation.user_id, p_conversation.id);
end
$$;

-- Ends what a new turn takes the place of: the run that is working, and waits for the clock. Returns the messages that the
-- turn answers, too, as of recent_messages.
create function askback_private.make_way(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning
) returns json
language plpgsql set search_path = '' as $$
declare
  v_recent json;
begin
  if (p_meaning.dead).id is null and p_post.last is not null and (p_meaning.target).id is null then
    -- A new message ends waits for the clock: their entry says so. It takes the place of one that waits for a limit.
    with waits as (
      update askback.open_items set
        closed_at = clock_timestamp(), closed_as = case when held_by is null then 'message' else 'replaced' end,
        closed_by = p_post.run_id
      where user_id = p_conversation.user_id and conversation_id = p_conversation.id and kind = 'wait'
        and closed_at is null
      returning run_id
    )
    update askback.runs r set status = 'stopped', finished_at = clock_timestamp()
    from waits
    where r.id = waits.run_id and r.status = 'waiting';
  end if;
  -- Whoever regenerates sees what comes after it.
  if (p_meaning.dead).id is null and (p_meaning.target).id is not null and not p_post.is_rerun and p_post.seen is null then
    v_recent := askback_private.recent_messages(p_meaning.target, p_post.ids);
  end if;
  perform askback_private.stop_runs(p_conversation.user_id, p_conversation.id, true);
  return v_recent;
end
$$;

-- The turn of a POST; null: a new one.
create function askback_private.turn_of(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning
) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if (p_meaning.target).id is not null then
    return (p_meaning.target).turn_id;
  end if;
  -- One that was cut off earlier keeps its turn.
  return (
    select turn_id from askback.messages
    where user_id = p_conversation.user_id and conversation_id = p_conversation.id and id = p_post.last_id
  );
end
$$;

-- Starts the run of a POST, with its messages in their place and the recent ones after them; returns it as of load_run.
create function askback_private.start_turn(
  p_conversation askback.conversations, p_post askback_private.posted_turn, p_meaning askback_private.turn_meaning,
  p_agent_id uuid, p_recent json
) returns json
language plpgsql set search_path = '' as $$
declare
  v_dead askback.runs := p_meaning.dead;
  v_target askback.messages := p_meaning.target;
  v_turn_id uuid := askback_private.turn_of(p_conversation, p_post, p_meaning);
  v_stores boolean := v_dead.id is null and p_post.last is not null;
  v_messages json := case when v_stores then p_post.messages else '[]' end;
  v_ids text[] := case when v_stores then p_post.ids else '{}' end;
  v_run askback.runs;
begin
  if v_dead.id is null and v_target.id is not null then
    perform askback_private.cut_conversation(
      p_conversation.user_id, p_conversation.id, v_target.position + case when v_stores then 0 else 1 end
    );
  end if;
  if p_recent is not null then
    v_messages := (
      select json_agg(item order by place, number)
      from (values (1, v_messages), (2, p_recent)) lists (place, list)
      cross join lateral json_array_elements(list) with ordinality as given (item, number)
    );
    v_ids := v_ids || array(select recent ->> 'id' from json_array_elements(p_recent) recent);
  end if;
  -- A separate statement, so that load_run sees what it inserts.
  v_run := askback_private.start_run(
    p_conversation, p_post.run_id, coalesce(v_turn_id, p_post.run_id), p_agent_id, p_post.hash,
    (p_post.request ->> 'leaseSeconds')::double precision, v_dead, null, v_messages, v_ids, p_post.request -> 'client'
  );
  return askback_private.load_run(v_run);
end
$$;

-- What a POST means: starts its run, joins the one that is already answering it, or returns its answer.
--
-- in   p_request: { version: of the code, runId, form: json | ui, conversationId?, agentId?, model?, trigger?,
--      messageId?, title?, client?, timezone?, language?, messages: [{ id?, entry, brief?, metadata? }],
--      lastMessage?: { id?, role }, seen?: [id], decisions: [{ messageId, toolCallId, approvalId, approved, reason? }], leaseSeconds }
-- out  as of load_run
--      { kind: join | busy, conversationId, runId, messageId }: that run answers it, or has to end first
--      { kind: return, run: as of run_view }: it was answered before
--      { kind: error, code: no_message | too_many_messages | agent_not_found | conversation_not_found |
--      message_not_found | message_id_taken | newer_messages | file_not_found | not_an_approver | not_as_asked |
--      version_not_accepted }, or as of limit_refusal
create function askback.begin_turn(p_user_id uuid, p_request json) returns json
language plpgsql set search_path = '' as $$
declare
  v_post askback_private.posted_turn;
  v_opened askback_private.opened_conversation;
  v_conversation askback.conversations;
  v_meaning askback_private.turn_meaning;
  v_agent_id uuid;
  v_answer json;
  v_recent json;
begin
  v_post := askback_private.read_turn(p_request);
  v_answer := askback_private.let_in(p_user_id, v_post.request);
  if v_answer is not null then
    return v_answer;
  end if;
  v_answer := askback_private.messages_refusal(p_user_id, v_post);
  if v_answer is not null then
    return v_answer;
  end if;

  v_opened := askback_private.open_conversation(p_user_id, v_post);
  if v_opened.refused is not null then
    return v_opened.refused;
  end if;
  v_conversation := v_opened.conversation;
  v_agent_id := v_opened.agent_id;
  -- One that was just made holds nothing to look at.
  if not v_opened.is_new then
    v_meaning := askback_private.meaning_of_turn(v_conversation, v_post);
    if v_meaning.answer is not null then
      return v_meaning.answer;
    end if;
    v_agent_id := askback_private.choose_agent(p_user_id, v_post.request ->> 'agentId', v_conversation.agent_id);
    if v_agent_id is null then
      return askback_private.refusal('agent_not_found');
    end if;
    v_answer := askback_private.turn_refusal(v_conversation, v_post, v_meaning);
    if v_answer is not null then
      return v_answer;
    end if;
  end if;
  v_answer := askback_private.new_run_refusal(v_conversation, v_agent_id, v_post.run_id, v_opened.is_new, true);
  if v_answer is not null and (v_meaning.dead).id is null then
    return v_answer;
  end if;

  if not v_opened.is_new then
    v_recent := askback_private.make_way(v_conversation, v_post, v_meaning);
  end if;
  if v_post.request -> 'model' is not null then
    update askback.conversations set model = v_post.request ->> 'model'
    where user_id = p_user_id and id = v_conversation.id;
  end if;
  return askback_private.start_turn(v_conversation, v_post, v_meaning, v_agent_id, v_recent);
end
$$;
