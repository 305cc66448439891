-- The user messages that a run answers. Callers hold the lock on the conversation's row.

-- The user message that a new one follows. The history of a client that names its chat decides, however much of it the
-- client has left out: it follows the last message there that is stored. Of several with the same words, the newest one
-- whose own predecessor stands there, too. Any other message follows the newest one of its conversation.
create function askback_private.message_before(p_user_id uuid, p_conversation_id text, p_id text, p_before text[])
returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select case
      when p_before is null then (
        select m.id from askback.messages m
        where m.user_id = p_user_id and m.conversation_id = p_conversation_id and m.role = 'user'
          and m.superseded_at is null and m.id <> p_id
        order by m.position desc limit 1
      )
      else (
        select found.id
        from (select * from unnest(p_before) with ordinality as given (words, number) order by number desc) said
        cross join lateral (
          select m.id
          from askback.messages m
          left join askback.messages earlier
            on earlier.user_id = m.user_id and earlier.conversation_id = m.conversation_id and earlier.id = m.follows
          where m.user_id = p_user_id and m.conversation_id = p_conversation_id and m.words = said.words and m.id <> p_id
          order by coalesce(earlier.words = any (p_before[:said.number - 1]), false) desc, m.position desc
          limit 1
        ) found
        order by said.number desc
        limit 1
      )
    end
  );
end
$$;

-- What the history of a client had before a message and none of those that it follows has told of: stored again with each
-- message, a long chat would take room by the square of its length. Null if there is nothing.
create function askback_private.words_before(p_user_id uuid, p_conversation_id text, p_follows text, p_before text[])
returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    with recursive told as (
      select * from askback.messages
      where user_id = p_user_id and conversation_id = p_conversation_id and id = p_follows and superseded_at is null
        and cardinality(p_before) > 0
      union all
      select m.*
      from told t
      join askback.messages m
        on m.user_id = t.user_id and m.conversation_id = t.conversation_id and m.id = t.follows
        and m.position < t.position and m.superseded_at is null
    )
    select array_agg(before) from (
      select unnest(p_before) as before
      except select words from told
      except select unnest(words_before) from told where words_before is not null
    ) untold
  );
end
$$;

-- Appends user messages to a conversation, except those that are already in it. One that was cut off comes back with its
-- new content. The last one belongs to the turn of the run.
create function askback_private.store_messages(p_run askback.runs, p_messages json, p_ids text[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_stored text[];
  v_replaced uuid[];
  v_files uuid[];
begin
  -- The entries and files that a message which comes back had before.
  if exists (
    select 1 from askback.messages
    where user_id = p_run.user_id and conversation_id = p_run.conversation_id and id = any (p_ids)
      and superseded_at is not null
  ) then
    delete from askback.entries e
    using askback.messages m
    where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.id = any (p_ids)
      and m.superseded_at is not null
      and e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id;
    with replaced as (
      delete from askback.message_files f
      using askback.messages m
      where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.id = any (p_ids)
        and m.superseded_at is not null
        and f.user_id = m.user_id and f.conversation_id = m.conversation_id and f.message_id = m.id
      returning f.file_id
    )
    select array_agg(file_id) into v_replaced from replaced;
  end if;
  with stored as (
    insert into askback.messages as existing (
      user_id, conversation_id, id, turn_id, role, metadata, written_at, words, words_before, follows
    )
    select
      p_run.user_id, p_run.conversation_id, p_ids[number], p_run.turn_id, 'user', metadata,
      clock_timestamp(), given.place ->> 'words',
      askback_private.words_before(p_run.user_id, p_run.conversation_id, place.follows, place.before),
      place.follows
    from rows from (json_to_recordset(p_messages) as (metadata json, place json))
      with ordinality as given (metadata, place, number)
    cross join lateral askback_private.text_list(given.place -> 'wordsBefore') before
    cross join lateral (
      select
        before,
        case
          when number > 1 then p_ids[number - 1]
          else askback_private.message_before(p_run.user_id, p_run.conversation_id, p_ids[number], before)
        end as follows
    ) place
    order by number
    on conflict (user_id, conversation_id, id) do update set
      position = default,
      turn_id = case when existing.id = p_ids[cardinality(p_ids)] then excluded.turn_id else existing.turn_id end,
      metadata = excluded.metadata,
      written_at = excluded.written_at,
      words = excluded.words,
      words_before = excluded.words_before,
      follows = excluded.follows,
      superseded_at = null
    where existing.superseded_at is not null
    returning id
  )
  select array_agg(id) into v_stored from stored;
  insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry, brief)
  select
    p_run.user_id, p_run.conversation_id, p_ids[number], p_run.id, number - cardinality(p_ids) - 1, entry, brief
  from rows from (json_to_recordset(p_messages) as (entry json, brief json))
    with ordinality as given (entry, brief, number)
  where p_ids[number] = any (v_stored)
  order by number;
  v_files := array(select file_id from askback_private.named_files(p_messages));
  if cardinality(v_files) > 0 then
    insert into askback.message_files (user_id, conversation_id, message_id, file_id)
    select p_run.user_id, p_run.conversation_id, p_ids[number], file_id
    from askback_private.named_files(p_messages)
    where p_ids[number] = any (v_stored)
    on conflict do nothing;
    perform askback_private.use_files(v_files);
  end if;
  if v_replaced is not null then
    perform askback_private.drop_files(p_run.user_id, v_replaced);
  end if;
end
$$;
