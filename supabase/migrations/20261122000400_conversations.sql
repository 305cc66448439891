-- The stored parts of a conversation: its messages, the runs that answer them, the transcript of entries, its open
-- items, and the ledger of everything its tools did. The functions that write and read these tables are in later files.

-- Ids are chosen by clients and unique per user: the same id of two users is two conversations.
create table askback.conversations (
  user_id uuid not null references auth.users (id) on delete cascade,
  id text not null check (
    id ~ '^[A-Za-z0-9._~-]{1,64}$' and id not in ('conversations', 'v1', 'ag-ui', 'files', 'open', 'schedules', '.', '..')
  ),
  agent_id uuid references askback.agents (id) on delete set null,
  title text,
  pinned boolean not null default false,
  archived boolean not null default false,
  -- What it belongs to in the app, such as an organisation: what its client said when it began.
  scope text check (length(scope) <= 200),
  -- Chosen for this conversation, as `provider/model`; null: the agent's.
  model text check (length(model) <= 200),
  -- Only for clients of the OpenAI protocol, which keep their own history, and calls over MCP: `named` for a chat that its
  -- client names, otherwise the fingerprint of the only request or call in it.
  client_chat text,
  -- Whether it goes by itself (`askback_private.is_kept`): `temporary` for a chat that its client calls so, `unnamed` for another
  -- one without a name; null if it stays.
  passing text check (passing in ('temporary', 'unnamed')),
  -- Only for calls over MCP: what the program is called, and on which day of its user it was. Lists show those of a program and
  -- a day as one.
  program text check (length(program) <= 200),
  program_day date,
  -- The highest intent number so far: they are unique in a conversation.
  last_intent integer not null default 0,
  -- How many items the user can decide (`askback_private.count_open`).
  open_count integer not null default 0,
  -- The position of the oldest message that a model still reads, and how many are before it (`askback_private.history_start`).
  history_start bigint not null default 0,
  history_older bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, id)
);

create index conversations_by_time on askback.conversations (user_id, archived, pinned, updated_at, id);
create index conversations_by_agent on askback.conversations (agent_id);
create index conversations_by_request on askback.conversations (user_id, client_chat, created_at desc)
where client_chat is not null;
create index conversations_by_program on askback.conversations (user_id, program, program_day, updated_at)
where program is not null;
create index conversations_passing on askback.conversations (updated_at) where passing is not null;
create index conversations_open on askback.conversations (user_id) where open_count > 0;

alter table askback.conversations enable row level security;

grant all on askback.conversations to service_role;
grant select on askback.conversations to authenticated;

create policy "owners read their conversations" on askback.conversations
for select to authenticated using (user_id = (select auth.uid()));
-- Operators search for an id without knowing whose it is.
create index conversations_by_id on askback.conversations (id);


-- Chats that an OpenAI client has copied, as in a fork. Which of the two is the copy is not certain, and its conversation
-- may not be stored yet.
create table askback.copied_chats (
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id text not null,
  original_id text not null,
  primary key (user_id, conversation_id, original_id)
);

create index copied_chats_by_original on askback.copied_chats (user_id, original_id);

alter table askback.copied_chats enable row level security;

grant all on askback.copied_chats to service_role;


-- A turn is one user message, with all its edits and regenerated answers.
-- A run is one attempt to answer a turn, or to continue it after an answer, an approval, a connection or a wait.
create table askback.runs (
  -- Chosen by the caller, so that a POST whose reply was lost finds its run again.
  id uuid primary key,
  user_id uuid not null,
  conversation_id text not null,
  turn_id uuid not null,
  -- The assistant message that it writes. A run that continues another one, or replaces one that died, writes the same
  -- message.
  message_id text not null,
  agent_id uuid references askback.agents (id) on delete set null,
  -- The run that it continues after a decision.
  resumed_run_id uuid references askback.runs (id) on delete set null,
  -- The first run of the message.
  root_run_id uuid not null,
  -- The open items that it continues: as of `list_items`, with the decision in `made`.
  decided json not null default '[]',
  -- running, stopping: alive while the lease lasts. interrupted: its lease ran out, or it was given back before anything
  -- happened.
  status text not null default 'running' check (
    status in (
      'running', 'stopping', 'completed', 'waiting', 'needs_input', 'needs_approval', 'needs_connection',
      'failed', 'stopped', 'interrupted'
    )
  ),
  -- Fingerprint of the request: an identical request joins this run while it is running.
  request_hash text not null,
  lease_expires_at timestamptz not null,
  -- What it may use of its user's budgets: as of `reserve_budget`.
  reserved jsonb not null default '{}',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- It was told to stop because its user wrote again, not because somebody stopped it.
  overtaken boolean not null default false,
  -- Set when an edit or a regenerated answer cut its message off.
  superseded_at timestamptz,
  -- Open connections of OpenAI clients waiting for its answer, each with the time until which it counts. null: an app or
  -- the clock started it, so closed connections do not matter.
  followers jsonb,
  -- When the last of these was closed: from then on it starts no write.
  left_at timestamptz,
  -- The client it was streamed to has left, and nobody has read its end since.
  end_unread boolean not null default false,
  -- What OpenAI clients were sent as its answer. Any other answer in the history of a named chat was written elsewhere.
  told text[] not null default '{}',
  -- `user` and `metadata` of an OpenAI request: the client's claims, never an identity.
  client jsonb,
  -- A program began it over MCP (`askback.client_calls`): it counts there, not among the answers to its user.
  by_program boolean not null default false,
  -- Fingerprint of a message of a named chat by its id, words and files: the same message in another chat of its user.
  message_key text,
  foreign key (user_id, conversation_id) references askback.conversations (user_id, id) on delete cascade
);

create index runs_by_conversation on askback.runs (user_id, conversation_id, started_at desc);
create index runs_by_turn on askback.runs (turn_id, started_at desc);
create index runs_by_agent on askback.runs (agent_id);
create index runs_by_user on askback.runs (user_id, started_at desc) where resumed_run_id is null;
create index runs_of_message on askback.runs (user_id, message_key, started_at desc) where message_key is not null;
create index runs_resumed on askback.runs (resumed_run_id) where resumed_run_id is not null;
-- Runs that died, while carrying out a decision or a schedule.
create index runs_cut on askback.runs (started_at) where status = 'interrupted';
create index runs_left on askback.runs (user_id, conversation_id)
where left_at is not null and status in ('running', 'waiting');
-- Small, because it only holds live runs: a search for dead ones reads all of it.
create index runs_alive on askback.runs (user_id, conversation_id) where status in ('running', 'stopping');

alter table askback.runs enable row level security;

grant all on askback.runs to service_role;
grant select on askback.runs to authenticated;

create policy "owners read their runs" on askback.runs
for select to authenticated using (user_id = (select auth.uid()));


create table askback.messages (
  user_id uuid not null,
  conversation_id text not null,
  -- Chosen by the client, unique in its conversation.
  id text not null check (length(id) between 1 and 256),
  -- Order in the conversation. A message that comes back after being cut off gets a new position.
  position bigint generated by default as identity,
  turn_id uuid not null,
  role text not null check (role in ('user', 'assistant')),
  -- The client's own, for user messages.
  metadata json,
  created_at timestamptz not null default now(),
  -- null: reserved by a run that has not written it yet.
  written_at timestamptz,
  -- Cut off by an edit or a regenerated answer: kept, but no longer in the history.
  superseded_at timestamptz,
  -- Of an answer that was cut off: the fingerprint of what it answers, which may have been edited since.
  answered text,
  -- The user message that a user message follows; null: none that is stored.
  follows text,
  -- In a chat that an OpenAI client names: the fingerprint of what the user typed in it, and of what they typed in those
  -- messages that the client's history had before it and no earlier message here has told of; null if there are none.
  words text,
  words_before text[],
  primary key (user_id, conversation_id, id),
  foreign key (user_id, conversation_id) references askback.conversations (user_id, id) on delete cascade
);

create index messages_in_order on askback.messages (user_id, conversation_id, position)
where superseded_at is null;
create index messages_by_words on askback.messages (user_id, words, conversation_id)
where words is not null;
create index messages_by_name on askback.messages (user_id, left(id, 47)) where id like 'client-%';
create index messages_with_more_words on askback.messages (user_id, conversation_id)
where words_before is not null;
create index messages_cut on askback.messages (user_id, conversation_id, position)
where superseded_at is not null;

alter table askback.messages enable row level security;

grant all on askback.messages to service_role;
grant select on askback.messages to authenticated;

create policy "owners read their messages" on askback.messages
for select to authenticated using (user_id = (select auth.uid()) and written_at is not null);


-- A text as searches compare it: without case and accents. p_umlaut is what an umlaut adds to its letter: nothing, or the
-- `e` that German writes where it has none. The same in TypeScript: `fold` in search-forms.ts.
create function askback_private.fold(p_text text, p_umlaut text default '') returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  v_text text := lower(p_text);
begin
  if v_text !~ '[^\u0001-\u007f]' then
    return v_text;
  end if;
  v_text := lower(normalize(p_text, nfkd));
  v_text := replace(replace(replace(v_text, E'a\u0308', 'a' || p_umlaut), E'o\u0308', 'o' || p_umlaut), E'u\u0308', 'u' || p_umlaut);
  v_text := replace(replace(replace(v_text, 'ø', 'o' || p_umlaut), 'ß', 'ss'), 'ẞ', 'ss');
  v_text := replace(replace(replace(v_text, 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  return normalize(regexp_replace(translate(v_text, 'ıłđðħŧς', 'ilddhtσ'), '[\u0300-\u036f]', '', 'g'), nfc);
end
$$;

-- A folded word without an `e` that may stand for an umlaut: "muller" for "mueller", but "neue" and "quer" as they are.
create function askback_private.without_umlaut_e(p_folded text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return regexp_replace(p_folded, '(?<![aeiouq])([aou])e', '\1', 'g');
end
$$;

-- The words of a text, in lower case. The tsvector of a long text would be too large to store, so only the first 20,000
-- characters count. Punctuation separates words, so that an address is found by each of its parts.
create function askback_private.words_of(p_text text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select array(
      select left(word, 60)
      from unnest(
        tsvector_to_array(
          to_tsvector(
            'pg_catalog.simple',
            regexp_replace(
              left(p_text, 20000),
              '[!-/:-@[-`{-~¡«·»¿\u2010-\u205e\u3001-\u3003\u3008-\u3020\uff01-\uff0f\uff1a-\uff20]', ' ', 'g'
            )
          )
        )
      ) word
    )
  );
end
$$;

-- The words of a text in all forms in which a search may ask for them.
create function askback_private.word_forms(p_text text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  v_text text := left(p_text, 20000);
  v_words text[];
begin
  if v_text !~ '[^\u0001-\u007f]' then
    v_words := askback_private.words_of(v_text);
  else
    v_words := askback_private.words_of(normalize(v_text, nfkc));
    v_words := array(select word from unnest(v_words) word where word !~ '[^\u0001-\u007f]')
      || array(select askback_private.fold(word) from unnest(v_words) word where word ~ '[^\u0001-\u007f]')
      || array(select askback_private.fold(word, 'e') from unnest(v_words) word where word ~ '[^\u0001-\u007f]');
  end if;
  return v_words || array(
    select askback_private.without_umlaut_e(word) from unnest(v_words) word where word ~ '[aou]e'
  );
end
$$;

-- Words as a search looks for them: each with its beginnings, and with a form that only finds whole words.
create function askback_private.asked_words(p_query text)
returns table (word text, folded text, umlaut text, whole text)
-- As few, so that each is looked up in the index.
language plpgsql immutable rows 4 set search_path = '' as $$
begin
  return query
  select
    asked.word, askback_private.fold(asked.word), askback_private.fold(asked.word, 'e'),
    askback_private.without_umlaut_e(askback_private.fold(asked.word, 'e'))
  from (
    select distinct found.word from unnest(askback_private.words_of(normalize(p_query, nfkc))) found (word)
    order by found.word limit 16
  ) asked;
end
$$;

-- Prefixed to each word of a user in the index, so that a search reads only that user's part of it.
create function askback_private.word_mark(p_user_id uuid) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return left(md5(p_user_id::text), 6);
end
$$;

-- What a user or a model said in an entry; null for all other entries.
create function askback_private.said_in(p_entry json) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select case
      when entry.type in ('model-text', 'run-end') then entry.text
      when entry.type <> 'user-message' then null
      when json_typeof(entry.content) = 'string' then entry.content #>> '{}'
      else (
        select string_agg(part.text, E'\n' order by part.number)
        from rows from (json_to_recordset(entry.content) as (type text, text text))
          with ordinality as part (type, text, number)
        where part.type = 'text'
      )
    end
    from json_to_record(p_entry) as entry (type text, text text, content json)
  );
end
$$;

-- The texts and numbers in a value, one a line.
create function askback_private.texts_in(p_value json) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select string_agg(leaf #>> '{}', E'\n')
    from jsonb_path_query(p_value::jsonb, 'strict $.**') leaf
    where jsonb_typeof(leaf) in ('string', 'number')
  );
end
$$;

-- What searches read of an entry: what was said, what a call was given, and what its user has filled in or changed. What a
-- tool has returned is nobody's words. Null for all other entries.
create function askback_private.searched_in(p_entry json) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select case
      when entry.type = 'call' then case when entry.prepared = 'true' then askback_private.texts_in(entry.input) end
      when entry.type = 'decision' then
        nullif(concat_ws(
          E'\n', askback_private.texts_in(entry."values"), askback_private.texts_in(entry.input), entry.reason
        ), '')
      else askback_private.said_in(p_entry)
    end
    from json_to_record(p_entry) as entry (type text, prepared text, input json, "values" json, reason text)
  );
end
$$;

-- The searchable words of an entry. An unreadable entry is still stored, but never found.
create function askback_private.entry_words(p_user_id uuid, p_entry json) returns tsvector
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  v_text text;
  v_mark text := askback_private.word_mark(p_user_id);
begin
  v_text := askback_private.searched_in(p_entry);
  if v_text is null then
    return null;
  end if;
  return array_to_tsvector(array(select v_mark || form from unnest(askback_private.word_forms(v_text)) form));
exception when others then
  return null;
end
$$;


-- The transcript: what happened, stored once. Everything that is shown, sent to a model or remembered is read from it.
-- Entries are ordered by message, then by run, then by sequence.
create table askback.entries (
  user_id uuid not null,
  conversation_id text not null,
  message_id text not null,
  run_id uuid not null references askback.runs (id) on delete cascade,
  -- From 0 in each run; the user messages it starts with are below 0. An entry that arrives twice is stored once.
  sequence integer not null,
  entry json not null check (entry ->> 'type' is not null),
  -- The version of the schema whose code first read the format of `entry`.
  version smallint not null generated always as (coalesce((entry ->> 'version')::smallint, 1)) stored
  check (askback_private.is_readable(version)),
  -- The part of the entry that clients must never see: what providers keep in a call, what a tool saw when an item was
  -- asked.
  private json,
  -- What later turns read instead of a long entry: its beginning and end, with what can be referred to. null: the whole.
  brief json,
  type text not null generated always as (entry ->> 'type') stored,
  tool_call_id text generated always as (entry ->> 'toolCallId') stored,
  words tsvector generated always as (askback_private.entry_words(user_id, entry)) stored,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, sequence),
  foreign key (user_id, conversation_id, message_id)
  references askback.messages (user_id, conversation_id, id) on delete cascade
);

create index entries_of_message on askback.entries (user_id, conversation_id, message_id);
-- The pending list is kept small, so that no writer has to clear a long one.
create index entries_by_word on askback.entries using gin (words) with (gin_pending_list_limit = 512)
where words is not null;
-- For finding where a user said something.
create index entries_typed on askback.entries (user_id, conversation_id, message_id)
where type in ('user-message', 'decision');
-- For counting how often a model was asked again.
create index entries_of_nudges on askback.entries (user_id, created_at) where type = 'nudge';

alter table askback.entries enable row level security;

grant all on askback.entries to service_role;
grant select (
  user_id, conversation_id, message_id, run_id, sequence, version, entry, type, tool_call_id, created_at
) on askback.entries to authenticated;

-- Entries of messages that they may read.
create policy "owners read their entries" on askback.entries
for select to authenticated using (
  user_id = (select auth.uid())
  and exists (
    select 1 from askback.messages m
    where m.user_id = entries.user_id and m.conversation_id = entries.conversation_id and m.id = entries.message_id
  )
);


-- Open items: a question, an approval, a connection or a wait, from the entry that asks it until an entry closes it.
-- The engine derives the same from the entries (`openItems`). A row is closed once, in the transaction that appends the
-- closing entry.
create table askback.open_items (
  user_id uuid not null,
  conversation_id text not null,
  -- The `itemId` of its entry, which is the `approvalId` of an approval.
  id text not null check (length(id) between 1 and 100),
  message_id text not null,
  run_id uuid not null references askback.runs (id) on delete cascade,
  turn_id uuid not null,
  agent_id uuid references askback.agents (id) on delete set null,
  kind text not null check (kind in ('input', 'approval', 'connection', 'wait')),
  intent integer not null,
  tool_call_id text not null,
  tool_name text not null,
  -- It may have been carried out already: it stays open until somebody decides, even if its message is cut off.
  outcome_unknown boolean not null default false,
  asked_at timestamptz not null,
  expires_at timestamptz,
  resume_at timestamptz,
  -- The limit that a wait waits for: its scope, measure, window and tool.
  held_by text,
  -- Calls of its tool that still waited when it was asked, as its card says.
  beside text[] not null default '{}',
  closed_at timestamptz,
  closed_as text check (closed_as in (
    'answer', 'approve', 'deny', 'draft', 'skip', 'connect', 'time', 'replaced', 'yielded', 'expired', 'stop', 'message',
    'gone'
  )),
  closed_by uuid,
  -- When a client of a named chat sent back the sentence with the outcome.
  heard_at timestamptz,
  -- The program over MCP in which it was declined: that decides nothing, but nobody is counted as waited for any more.
  declined_in text,
  primary key (user_id, conversation_id, id),
  foreign key (user_id, conversation_id, message_id)
  references askback.messages (user_id, conversation_id, id) on delete cascade,
  check ((closed_at is null) = (closed_as is null))
);

create unique index open_items_once on askback.open_items (user_id, conversation_id, intent)
where closed_at is null and intent > 0;
create index open_items_open on askback.open_items (user_id, conversation_id) where closed_at is null;
create index open_items_of_call on askback.open_items (user_id, conversation_id, tool_call_id);
create index open_items_of_message on askback.open_items (user_id, conversation_id, message_id);
create index open_items_by_agent on askback.open_items (agent_id);
create index open_items_by_run on askback.open_items (run_id);
create index open_items_due on askback.open_items (resume_at) where closed_at is null and kind = 'wait';
create index open_items_connecting on askback.open_items (asked_at) where closed_at is null and kind = 'connection';
create index open_items_held on askback.open_items (held_by, user_id)
where closed_at is null and held_by is not null;
create index open_items_expiring on askback.open_items (expires_at) where closed_at is null and expires_at is not null;

alter table askback.open_items enable row level security;

grant all on askback.open_items to service_role;
grant select on askback.open_items to authenticated;

create policy "owners read their open items" on askback.open_items
for select to authenticated using (user_id = (select auth.uid()));


-- The ledger: every invocation of a tool, including reads and refused calls.
-- rejected: refused before execution. running -> succeeded | failed | unknown.
-- failed: provably not executed. unknown: it may have happened. cancelled: denied, stopped, or not made because of another call.
create table askback.tool_executions (
  id uuid primary key,
  -- Order of arrival. An invocation without a claim arrives when its run ends, so created_at says when it happened.
  position bigint generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- null if an integration function was called without a run, or once the conversation is deleted.
  conversation_id text,
  turn_id uuid,
  run_id uuid references askback.runs (id) on delete set null,
  -- Identifies one intent, what the model tries to do, with all its attempts in consecutive runs.
  session_id text not null,
  tool_call_id text not null,
  tool_name text not null,
  effect text not null check (effect in ('read', 'write')),
  attempt integer not null default 1,
  intent integer not null default 0,
  -- 0, or one more for each approved repetition of the same write in the same turn.
  repetition integer not null default 0,
  -- Prepared arguments, or the text that could not be read.
  arguments json not null,
  repairs json not null default '[]',
  argument_hash text,
  -- Recognises a write that is worded differently. sourced: the values that must come from the user; named: these and
  -- everything else that its question names; '' if there are none. people: these values in whatever place, without the
  -- user's own addresses. answers: the email that it replies to; '' if it is no reply. repeats: doing it again in a later
  -- turn is normal.
  sourced text not null default '',
  named text not null default '',
  people text[] not null default '{}',
  answers text not null default '',
  repeats boolean not null default false,
  -- The user message that led to a claimed write.
  led_by text,
  -- Claimed for a client of the OpenAI protocol.
  by_client boolean not null default false,
  -- The standing permissions of which it counts as a use.
  used_permissions uuid[],
  -- The agent, if nobody was asked about it because the agent or the tool itself never asks.
  unasked_by uuid,
  -- Only for claimed writes: derived from user, turn, tool, arguments and repetition.
  idempotency_key text,
  -- What the provider is told, so that it does not carry the effect out twice: the same key, or, for a write that is made
  -- again because nobody knows what became of it, that of its first try.
  provider_key text,
  status text not null check (
    status in ('rejected', 'running', 'succeeded', 'failed', 'unknown', 'cancelled')
  ),
  -- A ToolResult; null if nobody has reported one.
  result json,
  duration_ms integer,
  -- What a running invocation is once its lease has run out: `askback_private.effective_status`.
  lease_expires_at timestamptz,
  -- The delivery that was allowed to run the effect.
  delivery_id uuid,
  effect_started_at timestamptz,
  -- How to find the effect at the provider, recorded before it happened.
  note json,
  -- The run that made the claim has also settled it: nothing may be delivered any more.
  closed boolean not null default false,
  -- When a client of a named chat sent back the sentence with the outcome.
  heard_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  error_type text generated always as (
    case status when 'unknown' then 'outcome_unknown' else result ->> 'errorType' end
  ) stored,
  parameter text generated always as (result #>> '{details,parameter}') stored,
  expected_type text generated always as (result #>> '{details,expected}') stored,
  actual_type text generated always as (result #>> '{details,actual}') stored
);

-- Effects happen once: at most one live row per key.
create unique index tool_executions_once on askback.tool_executions (user_id, idempotency_key)
where status in ('running', 'succeeded', 'unknown');
create index tool_executions_by_key on askback.tool_executions (user_id, idempotency_key, position desc)
where idempotency_key is not null;
create index tool_executions_of_conversation on askback.tool_executions (
  user_id, conversation_id, tool_name, created_at desc
)
where idempotency_key is not null;
create index tool_executions_by_client on askback.tool_executions (user_id, tool_name, created_at desc)
where by_client and idempotency_key is not null;
create index tool_executions_writes on askback.tool_executions (user_id, created_at desc)
where idempotency_key is not null;
create index tool_executions_by_user on askback.tool_executions (user_id, created_at desc);
-- For operators; small, since rows arrive in the order of their time.
create index tool_executions_by_time on askback.tool_executions using brin (created_at);
create index tool_executions_used on askback.tool_executions (user_id, conversation_id, tool_name)
where status = 'succeeded';
create index tool_executions_unasked on askback.tool_executions (user_id, unasked_by, tool_name)
where unasked_by is not null;
create index tool_executions_by_turn on askback.tool_executions (turn_id);
create index tool_executions_by_run on askback.tool_executions (run_id);
create index tool_executions_unsettled on askback.tool_executions (user_id)
where status in ('running', 'unknown') and idempotency_key is not null;
create index tool_executions_running on askback.tool_executions (lease_expires_at) where status = 'running';

alter table askback.tool_executions enable row level security;

grant all on askback.tool_executions to service_role;
grant select on askback.tool_executions to authenticated;

create policy "owners read their invocations" on askback.tool_executions
for select to authenticated using (user_id = (select auth.uid()));
create index tool_executions_unknown on askback.tool_executions (created_at desc) where status = 'unknown';

-- The current status of an invocation. A running one whose lease has run out is unknown if a delivery has reached it.
-- Without a delivery it did not happen, and never will: whoever delivers it later looks at its lease first.
create function askback_private.effective_status(
  p_status text, p_lease_expires_at timestamptz, p_delivery_id uuid
) returns text
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_status = 'running' and p_lease_expires_at < clock_timestamp()
    then case when p_delivery_id is null then 'failed' else 'unknown' end
    else p_status
  end;
end
$$;


-- Views over the ledger with the caller's rights: owners see their own rows.
create view askback.tool_execution_errors with (security_invoker = true) as
select
  id,
  session_id,
  user_id,
  conversation_id,
  run_id,
  tool_call_id,
  tool_name,
  error_type,
  parameter,
  expected_type,
  actual_type,
  attempt,
  status,
  created_at
from askback.tool_executions
where error_type is not null;


create view askback.tool_execution_sessions with (security_invoker = true) as
select
  session_id,
  user_id,
  min(conversation_id) as conversation_id,
  (array_agg(tool_name order by created_at desc, position desc))[1] as tool_name,
  max(attempt) as attempts,
  count(error_type) as errors,
  bool_or(error_type is not null) as has_errors,
  -- It succeeded after at least one error.
  bool_or(error_type is not null) and bool_or(status = 'succeeded' and error_type is null) as retry_succeeded,
  min(created_at) as started_at,
  max(coalesce(settled_at, created_at)) as ended_at
from askback.tool_executions
group by session_id, user_id;

grant select on askback.tool_execution_errors, askback.tool_execution_sessions to authenticated, service_role;


-- One row per model call.
create table askback.llm_usage (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id text,
  -- Without a foreign key: the usage of a deleted run still counts.
  run_id uuid,
  agent_id uuid references askback.agents (id) on delete set null,
  -- Sequence of the entry that ends the model call, so that a call that is stored twice counts once.
  sequence integer not null,
  provider text not null,
  model text not null,
  -- Why the model was called, if not by the loop.
  purpose text,
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  -- In US dollars; null if the price is unknown.
  cost_usd numeric,
  temperature double precision,
  duration_ms integer,
  -- Tokens that the model reads at once, and who says so; null if nobody does.
  reads integer,
  reads_by text,
  -- It was not sent all of the conversation.
  is_cut boolean not null default false,
  created_at timestamptz not null default now(),
  unique (run_id, sequence)
);

-- For operators; small, since rows arrive in the order of their time.
create index llm_usage_by_time on askback.llm_usage using brin (created_at);
create index llm_usage_by_user on askback.llm_usage (user_id, created_at desc);
create index llm_usage_by_agent on askback.llm_usage (agent_id);

alter table askback.llm_usage enable row level security;

grant all on askback.llm_usage to service_role;
grant select on askback.llm_usage to authenticated;

create policy "owners read their usage" on askback.llm_usage
for select to authenticated using (user_id = (select auth.uid()));

-- Tools left out for a model, because its server does not accept their definitions. For operators; nothing of a user.
create table askback.refused_tools (
  provider text not null,
  model text not null,
  tool text not null,
  -- In our own words: a server may quote the conversation.
  why text not null,
  refused_at timestamptz not null default now(),
  primary key (provider, model, tool)
);

alter table askback.refused_tools enable row level security;

grant all on askback.refused_tools to service_role;
