-- What the history of an OpenAI client says of its chat: copies, answers from elsewhere, and outcomes that it was told.

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
-- stopped, until its client has sent the sentence back; oldest first: [{ id, closedAs, question, execution: as of
-- write_json, summary, tool }]. p_returned: a message that is returned as the answer, and says
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
            select askback_private.write_json(e)
            from askback.tool_executions e
            where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.tool_call_id = o.tool_call_id
            order by e.position desc limit 1
          ),
          'done', (
            select x.entry -> 'done' from askback.entries x
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
