-- What a front end asks for itself, such as a title: it quotes the chat.

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
