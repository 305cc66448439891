-- Conversations in lists: found, named, pinned.

-- Whether a conversation stands in lists for itself, and for what its program has done besides on that day: the newest one that
-- is listed does. What is pinned stands for itself alone.
create function askback_private.stands_for_day(p_conversation askback.conversations) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return p_conversation.program is null or p_conversation.pinned or not exists (
    select 1 from askback.conversations newer
    where newer.user_id = p_conversation.user_id and newer.program = p_conversation.program
      and newer.program_day = p_conversation.program_day
      and newer.archived = p_conversation.archived and not newer.pinned
      and newer.scope is not distinct from p_conversation.scope
      and (newer.updated_at, newer.id) > (p_conversation.updated_at, p_conversation.id)
      and (newer.passing is null or askback_private.is_kept(newer))
  );
end
$$;

-- Ids of the conversations that one stands for in lists, with its own.
create function askback_private.calls_of_day(p_conversation askback.conversations) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_conversation.program is null or p_conversation.pinned then array[p_conversation.id]
    else array(
      select c.id from askback.conversations c
      where c.user_id = p_conversation.user_id and c.program = p_conversation.program
        and c.program_day = p_conversation.program_day and c.archived = p_conversation.archived and not c.pinned
        and c.scope is not distinct from p_conversation.scope
        and (c.passing is null or askback_private.is_kept(c))
    )
  end;
end
$$;

-- Conversations for lists, in the order given, with their open items, and by id where words were found. One more than
-- p_limit means that there are more. p_grouped: those of a program stand for all of their day.
create function askback_private.tell_conversations(
  p_conversations askback.conversations[], p_limit integer, p_found json default '{}', p_grouped boolean default false
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with page as materialized (
      select *
      from unnest(p_conversations[:p_limit]) with ordinality one
    ),
    -- With a whole row, which the functions take.
    members as materialized (
      select
        (p_conversations[number]).id as id,
        case
          when p_grouped then askback_private.calls_of_day(p_conversations[number])
          else array[(p_conversations[number]).id]
        end as ids
      from generate_series(1, least(cardinality(p_conversations), p_limit)) number
    ),
    open as (
      select
        m.id as conversation_id,
        json_build_object('count', count(*), 'kinds', json_agg(distinct i.kind), 'oldest', min(i.asked_at)) as marks
      from askback_private.items_of(p_conversations[1].user_id, array(select unnest(ids) from members)) i
      join members m on i.conversation_id = any (m.ids)
      where i.declined_in is null
      group by m.id
    )
    select json_build_object(
      'conversations', coalesce(
        json_agg(
          json_build_object(
            'id', c.id,
            'title', case when cardinality(m.ids) > 1 then c.program else c.title end,
            'status', case when latest.status = 'stopping' then 'running' else coalesce(latest.status, 'completed') end,
            'open', coalesce(o.marks, json_build_object('count', 0, 'kinds', '[]'::json, 'oldest', null)),
            'calls', case
              when c.program is not null
              then json_build_object('app', c.program, 'day', c.program_day, 'count', cardinality(m.ids))
            end,
            'pinned', c.pinned,
            'archived', c.archived,
            'agentId', c.agent_id,
            'createdAt', c.created_at,
            'updatedAt', c.updated_at,
            'found', p_found -> c.id
          )
          order by c.ordinality
        ),
        '[]'
      ),
      'next', case when cardinality(p_conversations) > p_limit then (
        select
          to_char(last.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
          || ',' || last.pinned::integer || ',' || last.id
        from page last where last.ordinality = p_limit
      ) end
    )
    from page c
    join members m on m.id = c.id
    left join open o on o.conversation_id = c.id
    cross join lateral askback_private.newest_run(c.user_id, c.id) latest
  );
end
$$;

-- Pinned ones first, then newest first. Conversations only ever move up during paging, so none is missed except those
-- that move to a new first page. What a program has done over MCP on one day is one of them: the newest stands for all.
--
-- in   p_before: `next` of the previous page, or a time; p_scope: only those that were begun with it; p_calls_of: only what the
--      program of this conversation has done on its day, one by one
-- out  { conversations: [{ id, title, status, open: { count, kinds: [text], oldest }, calls: { app, day, count }, null if no
--      program has begun it, pinned, archived, agentId, createdAt, updatedAt, found: null }], next: null at the end }
create function askback.list_conversations(
  p_user_id uuid, p_limit integer default 50, p_before text default null, p_archived boolean default false,
  p_scope text default null, p_calls_of text default null
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_updated_at timestamptz := coalesce(split_part(p_before, ',', 1)::timestamptz, 'infinity');
  v_pinned boolean := coalesce(split_part(p_before, ',', 2) = '1', true);
  v_id text := coalesce(split_part(p_before, ',', 3), '');
  v_of askback.conversations;
begin
  perform askback_private.require_account(p_user_id);
  if p_calls_of is not null then
    select * into v_of from askback.conversations where user_id = p_user_id and id = p_calls_of;
    return askback_private.tell_conversations(
      array(
        select c from askback.conversations c
        where c.user_id = p_user_id and c.program = v_of.program and c.program_day = v_of.program_day
          and (c.passing is null or askback_private.is_kept(c))
          and (c.pinned, c.updated_at, c.id) < (v_pinned, v_updated_at, v_id)
        order by c.pinned desc, c.updated_at desc, c.id desc
        limit p_limit + 1
      ),
      p_limit
    );
  end if;
  return askback_private.tell_conversations(
    array(
      select c from askback.conversations c
      where c.user_id = p_user_id and c.archived = p_archived and (c.passing is null or askback_private.is_kept(c))
        and (p_scope is null or c.scope = p_scope)
        and (c.pinned, c.updated_at, c.id) < (v_pinned, v_updated_at, v_id)
        and askback_private.stands_for_day(c)
      order by c.pinned desc, c.updated_at desc, c.id desc
      limit p_limit + 1
    ),
    p_limit, '{}', true
  );
end
$$;

-- A title in all forms in which a search may ask for a part of it.
create function askback_private.title_forms(p_title text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  v_umlaut text := askback_private.fold(p_title, 'e');
begin
  return concat_ws(E'\n', askback_private.fold(p_title), v_umlaut, askback_private.without_umlaut_e(v_umlaut));
end
$$;

-- Conversations, including archived ones, in which every word, or the beginning of one, is in the title, in what was said
-- in the current branch or in what its calls were given; newest first. Case and accents do not count, and umlauts may be
-- written as in "Mueller" or "Muller".
--
-- out  as of list_conversations, with found: { messageId, role, createdAt, text }, the text with most of the words, as
--      far as it is searched, or null; and words: [text], as they were typed
create function askback.search_conversations(
  p_user_id uuid, p_query text, p_limit integer default 20, p_before text default null, p_scope text default null
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_query text := btrim(left(p_query, 500));
  v_words text[] := array(select word from askback_private.asked_words(v_query));
  v_updated_at timestamptz := coalesce(split_part(p_before, ',', 1)::timestamptz, 'infinity');
  v_id text := coalesce(split_part(p_before, ',', 3), '');
  v_mark text := askback_private.word_mark(p_user_id);
  v_page askback.conversations[];
  v_found json;
begin
  perform askback_private.require_account(p_user_id);
  with asked as materialized (
    select
      *,
      concat_ws(
        ' | ',
        quote_literal(v_mark || folded) || ':*',
        quote_literal(v_mark || nullif(umlaut, folded)) || ':*',
        quote_literal(v_mark || nullif(whole, folded))
      )::tsquery as query
    from askback_private.asked_words(v_query)
  ),
  said as materialized (
    select asked.word, e.conversation_id, e.run_id, e.sequence, m.id as message_id, m.role, m.created_at, m.position
    from asked
    join askback.entries e on e.user_id = p_user_id and e.words @@ asked.query
    join askback.messages m
      on m.user_id = e.user_id and m.conversation_id = e.conversation_id and m.id = e.message_id
      and m.superseded_at is null and m.written_at is not null
  ),
  titles as materialized (
    select id as conversation_id, title, askback_private.title_forms(title) as forms
    from askback.conversations where user_id = p_user_id
  ),
  titled as (
    select asked.word, t.conversation_id
    from asked
    join titles t on
      strpos(t.forms, asked.folded) > 0 or strpos(t.forms, asked.umlaut) > 0
      or (asked.whole <> asked.folded and asked.whole = any (askback_private.word_forms(t.title)))
  ),
  matching as (
    select conversation_id
    from (select word, conversation_id from said union select word, conversation_id from titled) hits
    group by conversation_id
    having count(*) = cardinality(v_words)
    union
    -- The whole query in a title: it may be a symbol, or the middle of a word.
    select conversation_id from titles where strpos(forms, askback_private.fold(v_query)) > 0
  ),
  page as (
    select c.id, c.updated_at, c as conversation
    from askback.conversations c
    where c.user_id = p_user_id and c.id in (select conversation_id from matching)
      and (p_scope is null or c.scope = p_scope)
      and (c.updated_at, c.id) < (v_updated_at, v_id)
      and (c.passing is null or askback_private.is_kept(c))
    order by c.updated_at desc, c.id desc
    limit p_limit + 1
  ),
  best as (
    select distinct on (conversation_id) *
    from (
      select conversation_id, run_id, sequence, message_id, role, created_at, position, count(*) as words
      from said
      where conversation_id in (select id from page)
      group by conversation_id, run_id, sequence, message_id, role, created_at, position
    ) texts
    order by conversation_id, words desc, position desc, sequence desc
  )
  select
    (select array_agg(conversation order by updated_at desc, id desc) from page),
    (
      select json_object_agg(
        b.conversation_id,
        json_build_object(
          'messageId', b.message_id, 'role', b.role, 'createdAt', b.created_at,
          'text', left(askback_private.searched_in(e.entry), 20000)
        )
      )
      from best b
      join askback.entries e on e.run_id = b.run_id and e.sequence = b.sequence
    )
  into v_page, v_found;
  return (
    askback_private.tell_conversations(coalesce(v_page, '{}'), p_limit, coalesce(v_found, '{}'))::jsonb
    || jsonb_build_object('words', v_words)
  )::json;
end
$$;

-- The open items of a user in all conversations, or with one agent, for their page.
--
-- out  as of list_items
create function askback.list_open(p_user_id uuid, p_agent_id uuid default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  perform askback_private.require_account(p_user_id);
  return askback.list_items(p_user_id, null, p_agent_id);
end
$$;

-- Renames, pins or archives a conversation; null leaves a member as it is.
--
-- out  { id, title, pinned, archived }; null: the user has no such conversation
create function askback.change_conversation(
  p_user_id uuid, p_conversation_id text, p_title text default null, p_pinned boolean default null,
  p_archived boolean default null
) returns json
language sql set search_path = '' as $$
  update askback.conversations set
    title = coalesce(p_title, title),
    pinned = coalesce(p_pinned, pinned),
    archived = coalesce(p_archived, archived)
  where user_id = p_user_id and id = p_conversation_id
  returning json_build_object('id', id, 'title', title, 'pinned', pinned, 'archived', archived)
$$;

-- Replaces the original title of a conversation with one from a model, unless the user has chosen one, and records what
-- the model has used. It has drawn its call.
--
-- in   p_title: '' if the model gave none; p_used: { runId, agentId, provider, model, inputTokens, outputTokens, costUsd?,
--      durationMs }
-- out  true, or null if the title has changed
create function askback.name_conversation(
  p_user_id uuid, p_conversation_id text, p_first_title text, p_title text, p_used json
) returns boolean
language sql set search_path = '' as $$
  with stored as (
    insert into askback.llm_usage as added (
      user_id, conversation_id, run_id, agent_id, sequence, provider, model, purpose, input_tokens, output_tokens, cost_usd,
      duration_ms
    )
    select
      p_user_id, p_conversation_id, (p_used ->> 'runId')::uuid, (p_used ->> 'agentId')::uuid,
      -- No entry of the run says it.
      -1, p_used ->> 'provider', p_used ->> 'model', 'title', (p_used ->> 'inputTokens')::integer,
      (p_used ->> 'outputTokens')::integer, (p_used ->> 'costUsd')::numeric, (p_used ->> 'durationMs')::integer
    on conflict (run_id, sequence) do nothing
    returning added as used
  )
  select askback_private.add_usage(
    p_user_id, (used).agent_id, askback_private.counted_calls(used), (used).input_tokens + (used).output_tokens, (used).cost_usd
  )
  from stored;
  update askback.conversations set title = p_title
  where user_id = p_user_id and id = p_conversation_id and title = p_first_title and p_title <> ''
  returning true
$$;
