-- What an app's pages show and change: a conversation, lists, search, ratings, statistics, deletion.

create table askback.message_feedback (
  user_id uuid not null,
  conversation_id text not null,
  message_id text not null,
  rating text not null check (rating in ('good', 'bad')),
  reason text check (reason ~ '\S' and length(reason) <= 2000),
  -- The last run that wrote the message.
  run_id uuid references askback.runs (id) on delete set null,
  rated_at timestamptz not null default clock_timestamp(),
  primary key (user_id, conversation_id, message_id),
  foreign key (user_id, conversation_id, message_id)
  references askback.messages (user_id, conversation_id, id) on delete cascade
);

create index message_feedback_by_time on askback.message_feedback (user_id, rated_at desc);
create index message_feedback_by_run on askback.message_feedback (run_id);

alter table askback.message_feedback enable row level security;

grant all on askback.message_feedback to service_role;
grant select on askback.message_feedback to authenticated;

create policy "owners read their feedback" on askback.message_feedback
for select to authenticated using (user_id = (select auth.uid()));


-- Stores the user's rating of an answer; null removes it.
--
-- in   p_rating: good | bad | null
-- out  { rated: false if the conversation has no such answer }; null: the user has no such conversation
create function askback.rate_message(
  p_user_id uuid, p_conversation_id text, p_message_id text, p_rating text default null, p_reason text default null
) returns json
language plpgsql set search_path = '' as $$
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id;
  if not found then
    return null;
  end if;
  perform 1 from askback.messages
  where user_id = p_user_id and conversation_id = p_conversation_id and id = p_message_id
    and role = 'assistant' and written_at is not null;
  if not found then
    return json_build_object('rated', false);
  end if;
  if p_rating is null then
    delete from askback.message_feedback
    where user_id = p_user_id and conversation_id = p_conversation_id and message_id = p_message_id;
  else
    insert into askback.message_feedback (user_id, conversation_id, message_id, rating, reason, run_id)
    values (
      p_user_id, p_conversation_id, p_message_id, p_rating, p_reason,
      (askback_private.newest_run(p_user_id, p_conversation_id, p_message_id)).id
    )
    on conflict (user_id, conversation_id, message_id) do update
    set rating = excluded.rating, reason = excluded.reason, run_id = excluded.run_id, rated_at = excluded.rated_at;
  end if;
  return json_build_object('rated', true);
end
$$;

-- A conversation as its page shows it: the newest messages, or the newest before p_before, without those that were cut
-- off, are still being written or say nothing. A message whose process died is shown if something was claimed in it.
--
-- out  { id, title, next: the oldest message if there are more before it, status, messages: [{ id, role, metadata,
--      createdAt, feedback: { rating, reason? } | null, entries, runId }], unreportedWrites: as of unreported_writes,
--      pending: as of list_items, tools: [specification], decided: [{ itemId, messageId, toolCallId, decision, at,
--      remember? }], closed: { itemId: closed_as } }
--      { messages: null }: it has no message p_before; null: the user has no such conversation
create function askback.get_conversation(
  p_user_id uuid, p_conversation_id text, p_before text default null, p_limit integer default 100
) returns json
language plpgsql set search_path = '' as $$
declare
  v_conversation askback.conversations;
  v_latest askback.runs;
  v_alive askback.runs;
  v_before bigint := 9223372036854775807;
  -- Newest first, and one more than requested.
  v_page askback.messages[];
  v_next text;
begin
  select * into v_conversation from askback.conversations where user_id = p_user_id and id = p_conversation_id;
  if not found then
    return null;
  end if;
  select * into v_alive from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and status in ('running', 'stopping')
    and lease_expires_at >= clock_timestamp()
  order by started_at desc limit 1;
  v_latest := askback_private.newest_run(p_user_id, p_conversation_id);
  if p_before is not null then
    v_before := askback_private.position_of(p_user_id, p_conversation_id, p_before);
    if v_before is null then
      return json_build_object('messages', null);
    end if;
  end if;
  v_page := array(
    select m from askback.messages m
    where m.user_id = p_user_id and m.conversation_id = p_conversation_id
      and m.superseded_at is null and m.position < v_before and m.id is distinct from v_alive.message_id
      and exists (
        select 1 from askback.entries e
        where e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id
      )
      and (m.written_at is not null or exists (
        select 1 from askback.runs r
        join askback.tool_executions e on e.run_id = r.id
        where r.turn_id = m.turn_id and r.message_id = m.id and e.idempotency_key is not null
      ))
    order by m.position desc
    limit p_limit + 1
  );
  if cardinality(v_page) > p_limit then
    v_page := v_page[:p_limit];
    v_next := v_page[p_limit].id;
  end if;
  return json_build_object(
    'id', v_conversation.id,
    'title', v_conversation.title,
    'next', v_next,
    'status', case
      when v_alive.id is not null then 'running'
      when v_latest.status in ('running', 'stopping') then 'interrupted'
      else coalesce(v_latest.status, 'completed')
    end,
    'messages', (
      select coalesce(
        json_agg(
          json_build_object(
            'id', m.id, 'role', m.role, 'metadata', m.metadata, 'createdAt', m.created_at,
            'feedback', (
              select json_strip_nulls(json_build_object('rating', f.rating, 'reason', f.reason))
              from askback.message_feedback f
              where f.user_id = m.user_id and f.conversation_id = m.conversation_id and f.message_id = m.id
            ),
            'entries', askback_private.message_entries(m),
            'runId', (
              select e.run_id from askback.entries e
              join askback.runs r on r.id = e.run_id
              where e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id
              order by r.started_at desc limit 1
            )
          )
          order by m.position
        ),
        '[]'
      )
      from unnest(v_page) m
    ),
    'unreportedWrites', askback_private.unreported_writes(p_user_id, p_conversation_id, v_before, p_limit),
    -- What somebody can still decide.
    'pending', askback.list_items(p_user_id, p_conversation_id),
    -- The tools whose parameters define the forms of answered questions.
    'tools', askback_private.permitted_specifications(p_user_id, v_conversation.agent_id, array(
      select i.tool_name from askback.open_items i
      where i.user_id = p_user_id and i.conversation_id = p_conversation_id
      union
      select e.tool_name from askback.tool_executions e
      where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.idempotency_key is not null
    )),
    -- The user's decisions, oldest first.
    'decided', (
      select coalesce(
        json_agg(
          json_strip_nulls(json_build_object(
            'itemId', i.id, 'messageId', i.message_id, 'toolCallId', i.tool_call_id,
            'decision', i.closed_as, 'at', i.closed_at, 'remember', askback_private.decision_of(r, i.id) -> 'remember'
          ))
          order by i.closed_at, i.id
        ),
        '[]'
      )
      from unnest(v_page) m
      join askback.open_items i
        on i.user_id = m.user_id and i.conversation_id = m.conversation_id and i.message_id = m.id
      left join askback.runs r on r.id = i.closed_by
      where i.closed_as in ('answer', 'approve', 'deny', 'draft', 'skip')
    ),
    -- How items were closed, by id.
    'closed', (
      select coalesce(json_object_agg(i.id, i.closed_as), '{}')
      from askback.open_items i
      where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.closed_at is not null
    )
  );
end
$$;

-- Conversations for lists, in the order given, with their open items, and by id where words were found. One more than
-- p_limit means that there are more.
create function askback_private.tell_conversations(
  p_conversations askback.conversations[], p_limit integer, p_found json default '{}'
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with page as materialized (
      select * from unnest(p_conversations[:p_limit]) with ordinality
    ),
    open as (
      select
        i.conversation_id,
        json_build_object('count', count(*), 'kinds', json_agg(distinct i.kind), 'oldest', min(i.asked_at)) as marks
      from askback_private.items_of(p_conversations[1].user_id, array(select id from page)) i
      group by i.conversation_id
    )
    select json_build_object(
      'conversations', coalesce(
        json_agg(
          json_build_object(
            'id', c.id,
            'title', c.title,
            'status', case when latest.status = 'stopping' then 'running' else coalesce(latest.status, 'completed') end,
            'open', coalesce(o.marks, json_build_object('count', 0, 'kinds', '[]'::json, 'oldest', null)),
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
    left join open o on o.conversation_id = c.id
    cross join lateral askback_private.newest_run(c.user_id, c.id) latest
  );
end
$$;

-- Pinned ones first, then newest first. Conversations only ever move up during paging, so none is missed except those
-- that move to a new first page.
--
-- in   p_before: `next` of the previous page, or a time
-- out  { conversations: [{ id, title, status, open: { count, kinds: [text], oldest }, pinned, archived, agentId,
--      createdAt, updatedAt, found: null }], next: null at the end }
create function askback.list_conversations(
  p_user_id uuid, p_limit integer default 50, p_before text default null, p_archived boolean default false
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_updated_at timestamptz := coalesce(split_part(p_before, ',', 1)::timestamptz, 'infinity');
  v_pinned boolean := coalesce(split_part(p_before, ',', 2) = '1', true);
  v_id text := coalesce(split_part(p_before, ',', 3), '');
begin
  perform askback_private.require_account(p_user_id);
  return askback_private.tell_conversations(
    array(
      select c from askback.conversations c
      where c.user_id = p_user_id and c.archived = p_archived and (c.passing is null or askback_private.is_kept(c))
        and (c.pinned, c.updated_at, c.id) < (v_pinned, v_updated_at, v_id)
      order by c.pinned desc, c.updated_at desc, c.id desc
      limit p_limit + 1
    ),
    p_limit
  );
end
$$;

-- Conversations, including archived ones, in which every word, or the beginning of one, is in the title or in what was
-- said in the current branch; newest first.
--
-- out  as of list_conversations, with found: { messageId, role, createdAt, text }, the text with most of the words, as
--      far as it is searched, or null; and words: [text], as they were searched for
create function askback.search_conversations(
  p_user_id uuid, p_query text, p_limit integer default 20, p_before text default null
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_query text := lower(btrim(left(p_query, 500)));
  v_words text[] := array(select distinct word from unnest(askback_private.words_of(v_query)) word order by word limit 16);
  v_updated_at timestamptz := coalesce(split_part(p_before, ',', 1)::timestamptz, 'infinity');
  v_id text := coalesce(split_part(p_before, ',', 3), '');
  v_page askback.conversations[];
  v_found json;
begin
  perform askback_private.require_account(p_user_id);
  with said as materialized (
    select asked.word, e.conversation_id, e.run_id, e.sequence, m.id as message_id, m.role, m.created_at, m.position
    from unnest(v_words) asked (word)
    join askback.entries e
      on e.user_id = p_user_id
      and e.words @@ (quote_literal(askback_private.word_mark(p_user_id) || asked.word) || ':*')::tsquery
    join askback.messages m
      on m.user_id = e.user_id and m.conversation_id = e.conversation_id and m.id = e.message_id
      and m.superseded_at is null and m.written_at is not null
  ),
  titled as (
    select asked.word, c.id as conversation_id
    from unnest(v_words) asked (word)
    join askback.conversations c on c.user_id = p_user_id and strpos(lower(c.title), asked.word) > 0
  ),
  matching as (
    select conversation_id
    from (select word, conversation_id from said union select word, conversation_id from titled) hits
    group by conversation_id
    having count(*) = cardinality(v_words)
    union
    -- The whole query in a title: it may be a symbol, or the middle of a word.
    select id from askback.conversations where user_id = p_user_id and strpos(lower(title), v_query) > 0
  ),
  page as (
    select c.id, c.updated_at, c as conversation
    from askback.conversations c
    where c.user_id = p_user_id and c.id in (select conversation_id from matching)
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
          'text', left(askback_private.said_in(e.entry), 20000)
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

-- Statistics of the calls, models and answers of the calling user. The only function that signed-in users may execute:
-- it only reads, with their own rights. Days are those of a time zone; the last one is today.
--
-- out  { total: figures, days: [figures with day], attempts: [{ attempt, calls, succeeded }], errors: [{ type, tool,
--      count }] } figures: { day, done, notDone, denied, firstTry, erred, recovered, medianMs, runs, modelCalls,
--      tokens, askedAgain, good, bad }
create function askback.insights(p_days integer default 30, p_time_zone text default 'UTC') returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with days as (
      select day::date as day
      from generate_series(
        (now() at time zone p_time_zone)::date - (least(greatest(p_days, 1), 366) - 1),
        (now() at time zone p_time_zone)::date,
        interval '1 day'
      ) day
    ),
    beginning as materialized (
      select min(day)::timestamp at time zone p_time_zone as moment from days
    ),
    -- A denial by the user is not an error.
    executions as materialized (
      select
        session_id, tool_name, attempt, status, nullif(error_type, 'approval_denied') as error_type,
        error_type is not distinct from 'approval_denied' as is_denied, created_at, settled_at,
        status = 'succeeded' and error_type is null as is_success,
        -- Its last question is open, or another call has taken its place, or a later attempt waits.
        (
          select i.closed_at is null or i.closed_as in ('replaced', 'yielded') from askback.open_items i
          where i.user_id = x.user_id and i.conversation_id = x.conversation_id and i.tool_call_id = x.tool_call_id
          order by i.asked_at desc limit 1
        ) is true or exists (
          select 1 from askback.open_items i
          where i.user_id = x.user_id and i.conversation_id = x.conversation_id and i.intent = nullif(x.intent, 0)
            and i.closed_at is null
        ) as is_open
      from askback.tool_executions x
      where user_id = (select auth.uid()) and created_at >= (select moment from beginning)
    ),
    -- One call with all its attempts, once it is over.
    sessions as materialized (
      select
        (min(created_at) at time zone p_time_zone)::date as day,
        bool_or(is_success) as succeeded,
        bool_or(error_type is not null) as erred,
        bool_or(is_denied) as denied,
        extract(epoch from min(settled_at) filter (where is_success) - min(created_at)) * 1000 as took_ms
      from executions
      group by session_id
      having not bool_or(is_open or status = 'running')
    ),
    usage as materialized (
      select (created_at at time zone p_time_zone)::date as day, run_id, input_tokens + output_tokens as tokens
      from askback.llm_usage
      where user_id = (select auth.uid()) and created_at >= (select moment from beginning)
    ),
    ratings as materialized (
      select (rated_at at time zone p_time_zone)::date as day, rating
      from askback.message_feedback
      where user_id = (select auth.uid()) and rated_at >= (select moment from beginning)
    ),
    -- How often models were asked again, because an answer led nowhere.
    nudges as materialized (
      select (created_at at time zone p_time_zone)::date as day
      from askback.entries
      where user_id = (select auth.uid()) and type = 'nudge' and created_at >= (select moment from beginning)
    ),
    session_days as (
      select
        day,
        count(*) filter (where succeeded) as done,
        count(*) filter (where not succeeded and not denied) as not_done,
        count(*) filter (where not succeeded and denied) as denied,
        count(*) filter (where succeeded and not erred) as first_try,
        count(*) filter (where erred) as erred,
        count(*) filter (where succeeded and erred) as recovered,
        percentile_cont(0.5) within group (order by took_ms) filter (where succeeded) as median_ms
      from sessions
      group by grouping sets ((day), ())
    ),
    usage_days as (
      select day, count(*) as model_calls, count(distinct run_id) as runs, sum(tokens) as tokens
      from usage
      group by grouping sets ((day), ())
    ),
    rating_days as (
      select day, count(*) filter (where rating = 'good') as good, count(*) filter (where rating = 'bad') as bad
      from ratings
      group by grouping sets ((day), ())
    ),
    nudge_days as (
      select day, count(*) as asked_again from nudges group by grouping sets ((day), ())
    ),
    -- day is null: the total.
    figures as (
      select
        d.day,
        json_build_object(
          'day', d.day,
          'done', coalesce(s.done, 0),
          'notDone', coalesce(s.not_done, 0),
          'denied', coalesce(s.denied, 0),
          'firstTry', coalesce(s.first_try, 0),
          'erred', coalesce(s.erred, 0),
          'recovered', coalesce(s.recovered, 0),
          'medianMs', round(s.median_ms::numeric),
          'runs', coalesce(u.runs, 0),
          'modelCalls', coalesce(u.model_calls, 0),
          'tokens', coalesce(u.tokens, 0),
          'askedAgain', coalesce(n.asked_again, 0),
          'good', coalesce(r.good, 0),
          'bad', coalesce(r.bad, 0)
        ) as figure
      from (select day from days union all select null) d
      left join session_days s on s.day is not distinct from d.day
      left join usage_days u on u.day is not distinct from d.day
      left join rating_days r on r.day is not distinct from d.day
      left join nudge_days n on n.day is not distinct from d.day
    )
    select json_build_object(
      'total', (select figure from figures where day is null),
      'days', (select json_agg(figure order by day) from figures where day is not null),
      'attempts', (
        select coalesce(json_agg(json_build_object('attempt', attempt, 'calls', calls, 'succeeded', succeeded) order by attempt), '[]')
        from (
          select attempt, count(*) as calls, count(*) filter (where is_success) as succeeded from executions
          where not is_denied
          group by attempt
        ) by_attempt
      ),
      'errors', (
        select coalesce(json_agg(json_build_object('type', error_type, 'tool', tool_name, 'count', number) order by number desc, error_type, tool_name), '[]')
        from (
          select error_type, tool_name, count(*) as number from executions where error_type is not null
          group by error_type, tool_name order by number desc, error_type, tool_name limit 50
        ) by_error
      )
    )
    where (select auth.jwt() ->> 'client_id') is null
  );
end
$$;

-- Stops a conversation's work and deletes it with everything that was said. The ledger keeps only that something was
-- done, its key, so that a late delivery does not repeat it, and the type of an error. A write that was not delivered
-- yet is cancelled. Files that are in no other conversation are deleted too.
--
-- out  { deleted: its id }; null: the user has no such conversation
create function askback.delete_conversation(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_files uuid[] := array(
    select distinct file_id from askback.message_files
    where user_id = p_user_id and conversation_id = p_conversation_id
  );
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return null;
  end if;
  -- Runs first: claims and settlements lock them first, too.
  perform 1 from askback.runs where user_id = p_user_id and conversation_id = p_conversation_id for update;
  -- What its runs have used, and are using, is used all the same.
  insert into askback.deleted_runs (user_id, started_at)
  select user_id, started_at from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and resumed_run_id is null
    and started_at >= askback_private.window_start('day');
  perform askback_private.add_cut_calls(r, greatest(1, askback_private.open_calls(r.id))) from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.status in ('running', 'stopping');
  update askback.tool_executions set
    conversation_id = null,
    arguments = 'null',
    sourced = '',
    named = '',
    people = '{}',
    answers = '',
    led_by = null,
    repairs = '[]',
    result = case when result ->> 'errorType' is not null then json_build_object(
      'ok', false, 'errorType', result ->> 'errorType', 'resolver', result ->> 'resolver', 'error', '', 'details', '{}'::json
    ) end,
    closed = true,
    status = case when status = 'running' and delivery_id is null then 'cancelled' else status end
  where user_id = p_user_id and conversation_id = p_conversation_id;
  delete from askback.copied_chats
  where user_id = p_user_id and p_conversation_id in (conversation_id, original_id);
  delete from askback.conversations where user_id = p_user_id and id = p_conversation_id;
  perform askback_private.delete_unused_files(v_files);
  return json_build_object('deleted', p_conversation_id);
end
$$;


-- Deleting an account. All rows of a user refer to their row of auth.users and are deleted with it, by `on delete
-- cascade`. A test checks this in the system catalogues, so that no later table can be forgotten.

-- Asks all running runs of a user to stop, and ends those that wait for the clock.
--
-- out  { running: [ids of conversations that are still working], writing: whether something is being sent or changed
--      right now, whose outcome is worth waiting for }
create function askback.stop_account(p_user_id uuid) returns json
language plpgsql set search_path = '' as $$
begin
  -- In a fixed order, and before their runs, like everybody who locks both.
  perform 1 from askback.conversations where user_id = p_user_id order by id for update;
  perform askback_private.stop_runs(p_user_id, id) from askback.conversations where user_id = p_user_id;
  return json_build_object(
    'running', (
      select coalesce(json_agg(distinct conversation_id), '[]') from askback.runs
      where user_id = p_user_id and status = 'stopping' and lease_expires_at > clock_timestamp()
    ),
    'writing', exists (
      select 1 from askback.tool_executions
      where user_id = p_user_id and status = 'running' and lease_expires_at > clock_timestamp()
    )
  );
end
$$;

-- Deletes a user with all their data, unless something is being written right now: whatever is stopped in the same
-- transaction can claim no further write. Runs with its owner's rights, since service_role may not change auth.users.
-- Calling it again returns the same.
--
-- out  { deleted }
create function askback.delete_account(p_user_id uuid) returns json
language plpgsql security definer set search_path = '' as $$
begin
  -- First, like everybody who locks conversations besides.
  perform 1 from auth.users where id = p_user_id for update;
  if (askback.stop_account(p_user_id) ->> 'writing')::boolean then
    return json_build_object('deleted', false);
  end if;
  delete from auth.users where id = p_user_id;
  return json_build_object('deleted', true);
end
$$;
