-- The same write in other words, and what its user has typed since.

-- The write that a new one would repeat: { write: as of write_json, nextRepetition: null in another turn or for other
-- arguments, otherWords: as of write_in_other_words, null if it is the same in the same words }.
create function askback_private.earlier_json(
  p_run askback.runs, p_write askback.tool_executions, p_invocation json, p_other_words json default null
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return json_build_object(
    'write', askback_private.write_json(p_write),
    'nextRepetition', case
      when p_write.turn_id = p_run.turn_id and p_write.argument_hash = p_invocation ->> 'argumentHash'
      then p_write.repetition + 1
    end,
    'otherWords', p_other_words
  );
end
$$;

-- What a user typed in a message, and into the forms that it led to: { content, forms: [values] }.
create function askback_private.typed_message(p_message askback.messages) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'content', (
        select e.entry -> 'content' from askback.entries e
        where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id
          and e.message_id = p_message.id and e.type = 'user-message'
        limit 1
      ),
      'forms', (
        select coalesce(json_agg(e.entry -> 'values' order by r.started_at, e.sequence), '[]')
        from askback.runs r
        join askback.entries e on e.run_id = r.id
        where r.turn_id = p_message.turn_id and r.user_id = p_message.user_id
          and r.conversation_id = p_message.conversation_id
          and e.type = 'decision' and e.entry -> 'values' is not null
          -- What a program has filled in, nobody has typed.
          and e.entry #>> '{by,door}' is distinct from 'client'
      )
    )
  );
end
$$;

-- What was typed since the message that led to a write, on the line of the chat: the message that a run answers, the one
-- that it follows, and so on. If that message is not on the line, because it was edited or belongs to another branch, the
-- first later one takes its place; one of another chat is on it if the client's history had its words. In a chat without a
-- name all other chats come before. Oldest first: [as of typed_message].
create function askback_private.typed_since(p_run askback.runs, p_led askback.messages) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with recursive line as (
      select * from askback_private.message_of_run(p_run) where id is not null
      union all
      select m.*
      from line l
      join askback.messages m
        on m.user_id = l.user_id and m.conversation_id = l.conversation_id and m.id = l.follows
        -- One that came back later breaks the line.
        and m.position < l.position
      where l.position > p_led.position
    )
    select coalesce(json_agg(askback_private.typed_message(l) order by l.position), '[]')
    from (
      select * from line
      where position > p_led.position and (
        exists (
          select 1 from line
          where id = p_led.id and conversation_id = p_led.conversation_id
            or p_led.conversation_id <> p_run.conversation_id and p_led.words = any (words || words_before)
        )
        or position > (select min(position) from line where position > p_led.position)
        or p_led.conversation_id <> p_run.conversation_id and not exists (
          select 1 from askback.conversations c
          where c.user_id = p_run.user_id and c.id = p_run.conversation_id and c.client_chat = 'named'
        )
      )
      order by position desc limit 100
    ) l
  );
end
$$;

-- The newest of the writes within 12 hours, of earlier turns or of replaced answers, that went to the same people, whatever
-- they say: to all of those that the new one goes to, in whatever place. Not for a tool that `repeats`, a write to nobody
-- but the user, or a reply to another email. The two are the same unless the user has typed something new since, which
-- `otherWords` lets the loop decide; it claims again with `newSince`, the time of that write.
--
-- out  as of earlier_json, with otherWords: { led: as of typed_message, typed: as of typed_since, writes: [arguments] };
--      null if there is none
create function askback_private.write_in_other_words(p_run askback.runs, p_invocation json) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_people text[] := askback_private.text_list(p_invocation #> '{meaning,people}');
  v_answers text := coalesce(p_invocation #>> '{meaning,answers}', '');
  v_found uuid[];
  v_newest askback.tool_executions;
  v_led askback.messages;
begin
  if coalesce(cardinality(v_people), 0) = 0 or coalesce((p_invocation #>> '{meaning,repeats}')::boolean, false) then
    return null;
  end if;
  select array_agg(e.id order by e.created_at desc, e.position desc) into v_found
  from askback_private.earlier_writes(p_run, p_invocation, now() - interval '12 hours') e
  where e.created_at > now() - interval '12 hours' and e.people && v_people
    and not (e.turn_id = p_run.turn_id and askback_private.has_seen(p_run, e));
  select * into v_newest from askback.tool_executions where id = v_found[1];
  if v_newest.id is null or v_newest.created_at <= (p_invocation ->> 'newSince')::timestamptz
    or not v_people <@ array(
      select person from askback.tool_executions e, unnest(e.people) person where e.id = any (v_found)
    )
    or (v_answers <> '' and not exists (
      select 1 from askback.tool_executions e where e.id = any (v_found) and e.answers = v_answers
    ))
  then
    return null;
  end if;
  select * into v_led from askback.messages
  where user_id = v_newest.user_id and conversation_id = v_newest.conversation_id and id = v_newest.led_by;
  return askback_private.earlier_json(p_run, v_newest, p_invocation, json_build_object(
    'led', case when v_led.id is not null then askback_private.typed_message(v_led) end,
    'typed', case when v_led.id is not null then askback_private.typed_since(p_run, v_led) else '[]' end,
    'writes', (
      select json_agg(e.arguments) from askback.tool_executions e where e.id = any (v_found[:100])
    )
  ));
end
$$;

-- The write that a new one would repeat, in the same or in other words: as of earlier_json or write_in_other_words; null
-- if there is none.
create function askback_private.earlier_write(p_run askback.runs, p_invocation json, p_arguments json) returns json
language plpgsql set search_path = '' as $$
declare
  v_same askback.tool_executions := askback_private.same_write(p_run, p_invocation, p_arguments);
begin
  if v_same.id is null then
    return askback_private.write_in_other_words(p_run, p_invocation);
  end if;
  return askback_private.earlier_json(p_run, v_same, p_invocation);
end
$$;

-- The write that a call would repeat, for the question that is asked about it anyway.
--
-- in   p_invocation: as for claim_invocation
-- out  as of earlier_json; null: there is none
create function askback.find_same_write(p_run_id uuid, p_invocation json) returns json
language plpgsql set search_path = '' as $$
begin
  return (
    select askback_private.earlier_write(
      r, askback_private.without(p_invocation, 'arguments'), p_invocation -> 'arguments'
    )
    from askback.runs r where r.id = p_run_id
  );
end
$$;
