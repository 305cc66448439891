-- For OpenAI clients: tokens, which open `chat/v1` and nothing else, and completions.

create table askback.api_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  -- SHA-256 of the token in lower-case hex. The token itself is shown once and stored nowhere.
  hash text not null unique,
  -- Its first characters, so that its owner can recognise it.
  prefix text not null,
  -- Agents that it may use; null: all agents of its owner.
  agents uuid[],
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);

create index api_tokens_by_user on askback.api_tokens (user_id, created_at desc);

alter table askback.api_tokens enable row level security;

grant all on askback.api_tokens to service_role;
grant select (
  id, user_id, name, prefix, agents, expires_at, last_used_at, created_at, revoked_at
) on askback.api_tokens to authenticated;

create policy "owners see their tokens" on askback.api_tokens
for select to authenticated using (user_id = (select auth.uid()));


create function askback_private.token_json(p_token askback.api_tokens) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_build_object(
    'id', p_token.id, 'name', p_token.name, 'prefix', p_token.prefix, 'agents', p_token.agents,
    'expiresAt', p_token.expires_at, 'lastUsedAt', p_token.last_used_at, 'createdAt', p_token.created_at
  );
end
$$;

-- Stores a token, of which only the hash is known here. Calling it again returns the same.
--
-- in   p_token: { id, name, hash, prefix, agents?: [uuid], expiresAt? }
-- out  { id, name, prefix, agents, expiresAt, lastUsedAt, createdAt }; null: one of the agents is not this user's; as
--      of limit_refusal
create function askback.create_api_token(p_user_id uuid, p_token json) returns json
language plpgsql set search_path = '' as $$
declare
  v_token askback.api_tokens;
  v_refused json;
  v_agents uuid[] := askback_private.text_list(p_token -> 'agents')::uuid[];
begin
  if exists (
    select 1 from unnest(v_agents) asked
    where not exists (select 1 from askback.agents a where a.id = asked and a.user_id = p_user_id)
  ) then
    return null;
  end if;
  perform askback_private.lock_usage(p_user_id);
  v_refused := askback_private.keep_refusal('user', p_user_id, 'api_tokens', (
    select count(*) from askback.api_tokens
    where user_id = p_user_id and revoked_at is null and id <> (p_token ->> 'id')::uuid
      and coalesce(expires_at > clock_timestamp(), true)
  ));
  if v_refused is not null then
    return v_refused;
  end if;
  insert into askback.api_tokens (id, user_id, name, hash, prefix, agents, expires_at)
  values (
    (p_token ->> 'id')::uuid, p_user_id, p_token ->> 'name', p_token ->> 'hash', p_token ->> 'prefix', v_agents,
    (p_token ->> 'expiresAt')::timestamptz
  )
  on conflict (id) do nothing;
  select * into v_token from askback.api_tokens where id = (p_token ->> 'id')::uuid and user_id = p_user_id;
  return askback_private.token_json(v_token);
end
$$;

-- The tokens that were not revoked, newest first.
--
-- out  [as of create_api_token]
create function askback.list_api_tokens(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(askback_private.token_json(t) order by t.created_at desc, t.id), '[]')
    from askback.api_tokens t
    where t.user_id = p_user_id and t.revoked_at is null
  );
end
$$;

-- Revokes a token for good. Its row stays, so that its users can still be told why it fails. Calling it again returns
-- the same.
--
-- out  whether there is such a token
create function askback.revoke_api_token(p_user_id uuid, p_token_id uuid) returns boolean
language sql set search_path = '' as $$
  with revoked as (
    update askback.api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp())
    where id = p_token_id and user_id = p_user_id
    returning id
  )
  select exists (select 1 from revoked)
$$;

-- Revokes all tokens of a user for good.
--
-- out  how many could be used until now
create function askback.revoke_api_tokens(p_user_id uuid) returns integer
language sql set search_path = '' as $$
  with revoked as (
    update askback.api_tokens set revoked_at = clock_timestamp()
    where user_id = p_user_id and revoked_at is null
    returning expires_at
  )
  select count(*)::integer from revoked where coalesce(expires_at > clock_timestamp(), true)
$$;

-- Whose token this is, and for which agents. Its use is recorded at most once a minute.
--
-- out  { kind: valid, userId, agents: null for all } | { kind: unknown | revoked | expired }
create function askback.use_api_token(p_hash text) returns json
language plpgsql set search_path = '' as $$
declare
  v_token askback.api_tokens;
begin
  select * into v_token from askback.api_tokens where hash = p_hash;
  if not found then
    return json_build_object('kind', 'unknown');
  elsif v_token.revoked_at is not null then
    return json_build_object('kind', 'revoked');
  elsif v_token.expires_at <= clock_timestamp() then
    return json_build_object('kind', 'expired');
  end if;
  perform askback_private.require_account(v_token.user_id);
  update askback.api_tokens set last_used_at = clock_timestamp()
  where id = v_token.id and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true);
  return json_build_object('kind', 'valid', 'userId', v_token.user_id, 'agents', v_token.agents);
end
$$;


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

-- The conversation of a request that names none: for 12 hours the same words are the same request.
create function askback_private.conversation_of_request(p_user_id uuid, p_key text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select case
      when latest.created_at > clock_timestamp() - interval '12 hours' then latest.id
      -- Concurrent requests derive the same id.
      else 'openai-' || left(encode(sha256(convert_to(p_key || coalesce(latest.id, ''), 'UTF8')), 'hex'), 40)
    end
    from (values (1)) one
    left join lateral (
      select id, created_at from askback.conversations
      where user_id = p_user_id and client_chat = p_key
      order by created_at desc limit 1
    ) latest on true
  );
end
$$;

-- Whether a chat without a name has become one that stays for good.
create function askback_private.was_taken_up(p_conversation askback.conversations) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_conversation.pinned
      -- A run without connections of clients was started in the app.
      or exists (
        select 1 from askback.runs r
        where r.user_id = p_conversation.user_id and r.conversation_id = p_conversation.id
          and r.followers is null and r.resumed_run_id is null
      )
      or (p_conversation.passing = 'unnamed' and exists (
        select 1 from askback.tool_executions e
        where e.user_id = p_conversation.user_id and e.conversation_id = p_conversation.id
          and e.idempotency_key is not null and e.status in ('running', 'succeeded', 'unknown')
      ))
  );
end
$$;

-- Whether a chat stays in the lists of its user. One without a name may be anything, so it stays if it is worth finding
-- again: it has written something, it waits, or its user has gone on with it in the app. A temporary one is there only
-- while it waits.
create function askback_private.is_kept(p_conversation askback.conversations) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_conversation.passing is null
      or p_conversation.open_count > 0
      or exists (
        select 1 from askback.open_items i
        where i.user_id = p_conversation.user_id and i.conversation_id = p_conversation.id and i.closed_at is null
      )
      or askback_private.was_taken_up(p_conversation)
  );
end
$$;

-- Deletes chats without a name 24 hours after the last thing in them, except those that stay.
create function askback_private.forget_passing_chats() returns void
language plpgsql set search_path = '' as $$
declare
  v_conversation askback.conversations;
begin
  for v_conversation in
    select c.* from askback.conversations c
    where c.passing is not null and c.updated_at < now() - interval '24 hours' and c.open_count = 0
      and not exists (
        select 1 from askback.open_items i
        where i.user_id = c.user_id and i.conversation_id = c.id
          and coalesce(i.closed_at > now() - interval '24 hours', true)
      )
      and not exists (
        select 1 from askback.runs r
        where r.user_id = c.user_id and r.conversation_id = c.id and r.status in ('running', 'stopping')
      )
    order by c.updated_at limit 100
    -- Whoever has locked it is doing something in it.
    for update skip locked
  loop
    if askback_private.was_taken_up(v_conversation) then
      update askback.conversations set passing = null where user_id = v_conversation.user_id and id = v_conversation.id;
    else
      perform askback.delete_conversation(v_conversation.user_id, v_conversation.id);
    end if;
  end loop;
end
$$;

-- What a user typed in a stored message.
create function askback_private.typed_words(p_message askback.messages) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select string_agg(part ->> 'text', E'\n')
    from askback.entries e
    cross join lateral json_array_elements(
      case when json_typeof(e.entry -> 'content') = 'array' then e.entry -> 'content' else '[]' end
    ) part
    where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id and e.message_id = p_message.id
      and part ->> 'type' = 'text'
  );
end
$$;

create function askback_private.one_line(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return btrim(regexp_replace(p_text, '\s+', ' ', 'g'));
end
$$;

-- What is left of a text without a message and the beginning of the answer to it, as far as it goes; null if the text
-- does not hold both, one after the other.
create function askback_private.words_around(p_text text, p_message text, p_answer text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_message_at integer := position(p_message in p_text);
  v_rest text := substr(p_text, v_message_at + length(p_message));
  v_answer_at integer := position(left(p_answer, 40) in v_rest);
  v_same integer := least(40, length(p_answer));
  v_most integer := least(length(p_answer), length(v_rest) - v_answer_at + 1);
  v_middle integer;
begin
  if v_message_at = 0 or v_answer_at = 0 then
    return null;
  end if;
  while v_same < v_most loop
    v_middle := (v_same + v_most + 1) / 2;
    if substr(v_rest, v_answer_at, v_middle) = left(p_answer, v_middle) then
      v_same := v_middle;
    else
      v_most := v_middle - 1;
    end if;
  end loop;
  return concat_ws(
    ' ', left(p_text, v_message_at - 1), left(v_rest, v_answer_at - 1), substr(v_rest, v_answer_at + v_same)
  );
end
$$;

-- Whether a text is about a chat of the last 10 minutes, and for nobody but the front end: it holds a message of its user
-- and the beginning of our answer (20 characters at least), and no address beside them.
create function askback_private.is_about_chat(p_user_id uuid, p_text text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    with given as materialized (select askback_private.one_line(p_text) as text)
    select exists (
      select 1
      from given
      join askback.runs r on r.user_id = p_user_id
      join askback.messages m
        on m.user_id = r.user_id and m.conversation_id = r.conversation_id and m.turn_id = r.turn_id and m.role = 'user'
      cross join lateral (select askback_private.one_line(askback_private.typed_words(m)) as message) asked
      cross join lateral unnest(r.told) sent
      cross join lateral (select askback_private.one_line(sent) as answer) answered
      cross join lateral (
        select btrim(askback_private.words_around(given.text, message, answer)) as around
      ) others
      where r.resumed_run_id is null and cardinality(r.told) > 0
        and r.started_at > clock_timestamp() - interval '10 minutes'
        and message <> '' and answer <> '' and length(message) + length(answer) >= 20
        and around <> '' and around !~* '\S@\S|://|\mwww\.'
    )
  );
end
$$;

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

-- What a front end asks about a chat is a conversation of its own, which is deleted after it.
create function askback_private.conversation_of_task(p_run_id uuid) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return 'openai-task-' || p_run_id;
end
$$;

-- Whether a request that its client does not call a task is one.
create function askback_private.is_task(p_user_id uuid, p_request json) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select case
      when p_request ->> 'isAlone' is distinct from 'true' then false
      else coalesce(
        -- As it was when its reply was lost.
        (
          select r.conversation_id = askback_private.conversation_of_task(r.id) from askback.runs r
          where r.id = (p_request ->> 'runId')::uuid
        ),
        askback_private.is_about_chat(p_user_id, p_request ->> 'words')
      )
    end
  );
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
  if not askback_private.is_accepted(p_request -> 'version') then
    return askback_private.refusal('version_not_accepted');
  end if;
  perform askback_private.hold_account(p_user_id);
  perform askback_private.require_account(p_user_id);
  perform askback_private.note_reader(p_user_id, p_request);
  if v_run_id is null or v_key is null then
    raise exception 'begin_completion needs a runId and a key' using errcode = 'invalid_parameter_value';
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

-- Records which other named chats of a user this one is a copy of, or the original of:
--
-- - those in which a message of the same name was sent, whatever its words;
-- - those with an exchange (a message, and the beginning of our answer to it) that is among the newest 50 of its client's
--   history and never took place in this chat. Two chats that both begin with "Hello" are no copies.
--
-- in   p_message: how the client names the message, if no other message has that name; p_answers: as of begin_completion
create function askback_private.note_copies(p_user_id uuid, p_conversation_id text, p_message text, p_answers json) returns void
language sql set search_path = '' as $$
  with given as (
    select number, answer ->> 'words' as words, btrim(answer ->> 'text', E' \t\r\n') as text
    from json_array_elements(coalesce(p_answers, '[]')) with ordinality as each (answer, number)
    where answer ->> 'words' is not null
    order by number desc limit 50
  ),
  held as materialized (
    select g.number, m.conversation_id, max(m.position) as position
    from given g
    join askback.messages m on m.user_id = p_user_id and m.words = g.words
    join askback.runs r
      on r.user_id = m.user_id and r.conversation_id = m.conversation_id and r.turn_id = m.turn_id
    where exists (select 1 from unnest(r.told) told where starts_with(btrim(told, E' \t\r\n'), g.text))
    group by g.number, m.conversation_id
  ),
  -- The newest ones: a chat that begins like hundreds of others is most likely a copy of one of them.
  copied as (
    select h.conversation_id from held h
    where not exists (
      select 1 from held own where own.number = h.number and own.conversation_id = p_conversation_id
    )
    group by h.conversation_id
    order by max(h.position) desc limit 100
  )
  insert into askback.copied_chats (user_id, conversation_id, original_id)
  select p_user_id, p_conversation_id, conversation_id from copied
  union
  select p_user_id, p_conversation_id, m.conversation_id
  from askback.messages m
  where m.user_id = p_user_id and left(m.id, 47) = p_message and m.id like 'client-%'
    and m.conversation_id <> p_conversation_id
  on conflict do nothing
$$;

-- Whether a client's history holds an answer that no run of its chat has written, as far as it was sent.
create function askback_private.has_foreign_answer(p_user_id uuid, p_conversation_id text, p_answers json) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    with told as materialized (
      select btrim(text, E' \t\r\n') as text
      from askback.runs r, unnest(r.told) text
      where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    )
    select exists (
      select 1 from json_array_elements(coalesce(p_answers, '[]')) given
      where not exists (select 1 from told where starts_with(told.text, btrim(given ->> 'text', E' \t\r\n')))
    )
  );
end
$$;

-- The outcomes of items that a named chat is waiting for, and of writes that were in progress when their run was
-- stopped, until its client has sent the sentence back; oldest first: [{ id, closedAs, question, execution: {
-- toolName, arguments, status, result }, summary, tool }]. p_returned: a message that is returned as the answer, and says
-- itself what was in progress when its run was stopped.
create function askback_private.outcomes_of(p_user_id uuid, p_conversation_id text, p_returned text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with closed as (
      select
        i.id, i.closed_as, i.tool_call_id, i.agent_id, i.closed_at as at,
        askback_private.question_of(i.user_id, i.conversation_id, i.message_id, i.id) as question
      from askback.open_items i
      where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.heard_at is null
        and i.closed_as in ('answer', 'approve', 'draft', 'deny', 'skip', 'connect', 'time', 'expired', 'stop')
        and not exists (
          select 1 from askback.open_items later
          where later.user_id = i.user_id and later.conversation_id = i.conversation_id
            and later.tool_call_id = i.tool_call_id and later.asked_at > i.asked_at
        )
    ),
    -- Writes that were in progress when their run was stopped, or that were done while nobody waited for the answer.
    cut as (
      select e.id::text, null as closed_as, e.tool_call_id, r.agent_id, e.settled_at as at, null::json as question
      from askback.runs r
      join askback.tool_executions e on e.run_id = r.id
      where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.status not in ('running', 'stopping')
        and (r.status in ('stopped', 'interrupted') or r.left_at is not null)
        and r.message_id is distinct from p_returned
        and r.id = (askback_private.newest_run(r.user_id, r.conversation_id, r.message_id)).id
        and e.effect = 'write' and e.idempotency_key is not null and e.status in ('succeeded', 'failed')
        and e.effect_started_at is not null and e.heard_at is null
        and e.tool_call_id not in (select tool_call_id from closed)
    )
    select coalesce(
      json_agg(
        json_build_object(
          'id', o.id,
          'closedAs', o.closed_as,
          'question', o.question,
          'execution', (
            select json_build_object('toolName', e.tool_name, 'arguments', e.arguments, 'status', e.status, 'result', e.result)
            from askback.tool_executions e
            where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.tool_call_id = o.tool_call_id
            order by e.position desc limit 1
          ),
          -- As it was worded when it was done.
          'summary', (
            select x.entry ->> 'summary' from askback.entries x
            join askback.runs r on r.id = x.run_id
            where x.user_id = p_user_id and x.conversation_id = p_conversation_id
              and x.type = 'result' and x.tool_call_id = o.tool_call_id
            order by r.started_at desc, x.sequence desc limit 1
          ),
          'tool', case when o.agent_id is not null then
            askback_private.permitted_specifications(p_user_id, o.agent_id, array[coalesce(
              o.question ->> 'toolName',
              (select e.tool_name from askback.tool_executions e where e.id::text = o.id)
            )]) -> 0
          end
        )
        order by o.at, o.id
      ),
      '[]'
    )
    from (select * from closed union all select * from cut) o
  );
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

-- Records what a client was sent as the answer of a run.
create function askback.note_told(p_user_id uuid, p_run_id uuid, p_text text) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.runs set told = array_append(told, p_text)
  where id = p_run_id and user_id = p_user_id and not p_text = any (told);
end
$$;

-- Records which outcomes a client of a named chat was told and has sent back.
create function askback.note_heard(p_user_id uuid, p_conversation_id text, p_ids text[]) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.open_items set heard_at = clock_timestamp()
  where user_id = p_user_id and conversation_id = p_conversation_id and id = any (p_ids) and heard_at is null;
  update askback.tool_executions set heard_at = clock_timestamp()
  where user_id = p_user_id and conversation_id = p_conversation_id and id::text = any (p_ids) and heard_at is null;
end
$$;
