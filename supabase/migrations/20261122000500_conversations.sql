-- Ids are chosen by clients and unique per user: the same id of two users is two conversations.
create table askback.conversations (
  user_id uuid not null references auth.users (id) on delete cascade,
  id text not null check (
    id ~ '^[A-Za-z0-9._~-]{1,64}$' and id not in ('conversations', 'v1', 'ag-ui', 'files', 'open', '.', '..')
  ),
  agent_id uuid references askback.agents (id) on delete set null,
  title text,
  pinned boolean not null default false,
  archived boolean not null default false,
  -- Chosen for it, `provider/model`; null: as the agent has it.
  model text check (length(model) <= 200),
  -- Of the OpenAI protocol, whose clients keep their history themselves: `named`, a chat that its client names; else the
  -- fingerprint of the one request that it is. null: one of ours.
  client_chat text,
  -- The highest number of an intent so far: they are unique in a conversation.
  last_intent integer not null default 0,
  -- How much its user can decide in it (`askback.count_open`).
  open_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, id)
);

create index conversations_by_time on askback.conversations (user_id, archived, pinned, updated_at, id);
create index conversations_by_agent on askback.conversations (agent_id);
create index conversations_by_request on askback.conversations (user_id, client_chat, created_at desc)
where client_chat is not null;
create index conversations_open on askback.conversations (user_id) where open_count > 0;

alter table askback.conversations enable row level security;

grant all on askback.conversations to service_role;
grant select on askback.conversations to authenticated;

create policy "owners read their conversations" on askback.conversations
for select to authenticated using (user_id = (select auth.uid()));


-- A turn is one user message, whatever happens to it: an edit or a regenerate stays in the turn.
-- A run is one try to answer a turn, or to go on with it after an answer, an approval, a connection, the clock.
create table askback.runs (
  -- Made by the caller, so that a POST whose reply was lost finds its run again.
  id uuid primary key,
  user_id uuid not null,
  conversation_id text not null,
  turn_id uuid not null,
  -- The assistant message it writes; a run that goes on with another one, or in place of one that died, writes the same.
  message_id text not null,
  agent_id uuid references askback.agents (id) on delete set null,
  -- The run that it goes on with after a decision, and the first run of the message.
  resumed_run_id uuid references askback.runs (id) on delete set null,
  root_run_id uuid not null,
  -- The open items that it goes on with, as `askback.item_json` tells them.
  decided json not null default '[]',
  -- running, stopping: alive while the lease lasts. interrupted: the lease ran out or nothing had happened yet.
  status text not null default 'running' check (
    status in (
      'running', 'stopping', 'completed', 'waiting', 'needs_input', 'needs_approval', 'needs_connection',
      'failed', 'stopped', 'interrupted'
    )
  ),
  -- Fingerprint of the request: an identical one joins while this runs.
  request_hash text not null,
  lease_expires_at timestamptz not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- An edit or a regenerate has cut its message off.
  superseded_at timestamptz,
  -- Open connections of OpenAI clients that wait for its answer, each with the time until which it counts. null: of
  -- those that an app or the clock has begun, which no closed connection holds.
  followers jsonb,
  -- When the last of these was closed: from then on no write of it begins.
  left_at timestamptz,
  -- The client that it was streamed to has left, and nobody has read its end since.
  end_unread boolean not null default false,
  -- What clients of a named chat were sent as its answer: what else their history holds, others have written.
  told text[] not null default '{}',
  -- `user` and `metadata` of an OpenAI request: what its client said of itself, never an identity.
  client jsonb,
  foreign key (user_id, conversation_id) references askback.conversations (user_id, id) on delete cascade
);

create index runs_by_conversation on askback.runs (user_id, conversation_id, started_at desc);
create index runs_by_turn on askback.runs (turn_id, started_at desc);
create index runs_by_agent on askback.runs (agent_id);
create index runs_resumed on askback.runs (resumed_run_id) where resumed_run_id is not null;
-- Small: the live ones only, all of them read by whoever looks for dead ones.
-- Runs that died while they carried out a decision.
create index runs_cut on askback.runs (started_at) where status = 'interrupted' and resumed_run_id is not null;
create index runs_left on askback.runs (user_id, conversation_id)
where left_at is not null and status in ('running', 'waiting');
create index runs_alive on askback.runs (user_id, conversation_id) where status in ('running', 'stopping');

alter table askback.runs enable row level security;

grant all on askback.runs to service_role;
grant select on askback.runs to authenticated;

create policy "owners read their runs" on askback.runs
for select to authenticated using (user_id = (select auth.uid()));


create table askback.messages (
  user_id uuid not null,
  conversation_id text not null,
  -- A client's string, unique in its conversation.
  id text not null check (length(id) between 1 and 256),
  -- Order in the conversation. A message that comes back after a cut gets a new one.
  position bigint generated by default as identity,
  turn_id uuid not null,
  role text not null check (role in ('user', 'assistant')),
  -- A client's own, of user messages.
  metadata json,
  created_at timestamptz not null default now(),
  -- null: a run keeps this place and has not written yet.
  written_at timestamptz,
  -- Cut off by an edit or a regenerate; kept, out of the history.
  superseded_at timestamptz,
  primary key (user_id, conversation_id, id),
  foreign key (user_id, conversation_id) references askback.conversations (user_id, id) on delete cascade
);

create index messages_in_order on askback.messages (user_id, conversation_id, position)
where superseded_at is null;

alter table askback.messages enable row level security;

grant all on askback.messages to service_role;
grant select on askback.messages to authenticated;

create policy "owners read their messages" on askback.messages
for select to authenticated using (user_id = (select auth.uid()) and written_at is not null);


-- The words of a text, as they are searched for. A tsvector of a long text would be too large to be stored: words count
-- in the first 20,000 characters. Punctuation parts words, so that an address is found by each of its parts.
create function askback.words_of(p_text text) returns text[]
language sql immutable parallel safe set search_path = '' as $$
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
$$;

-- What stands in front of the words of a user in the index, so that a search reads only their part of it.
create function askback.word_mark(p_user_id uuid) returns text
language sql immutable parallel safe set search_path = '' as $$
  select left(md5(p_user_id::text), 6)
$$;

-- What a user or a model has said in an entry; null of all other entries.
create function askback.said_in(p_entry json) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case
    when p_entry ->> 'type' in ('model-text', 'run-end') then p_entry ->> 'text'
    when p_entry ->> 'type' <> 'user-message' then null
    when json_typeof(p_entry -> 'content') = 'string' then p_entry ->> 'content'
    else (
      select string_agg(part ->> 'text', E'\n' order by number)
      from json_array_elements(p_entry -> 'content') with ordinality as parts (part, number)
      where part ->> 'type' = 'text'
    )
  end
$$;

-- The words of an entry, to search in. What cannot be read is not found, and stored all the same.
create function askback.entry_words(p_user_id uuid, p_entry json) returns tsvector
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  v_said text;
  v_mark text := askback.word_mark(p_user_id);
begin
  v_said := askback.said_in(p_entry);
  if v_said is null then
    return null;
  end if;
  return array_to_tsvector(array(select v_mark || word from unnest(askback.words_of(v_said)) word));
exception when others then
  return null;
end
$$;

-- The transcript: what happened, once. Everything that is shown, sent to a model or remembered is read from it.
-- In the order of their messages, then of their runs, then of their sequence.
create table askback.entries (
  user_id uuid not null,
  conversation_id text not null,
  message_id text not null,
  run_id uuid not null references askback.runs (id) on delete cascade,
  -- From 0 in each run; below 0 the user messages that it begins with. What comes twice is stored once.
  sequence integer not null,
  -- Of the format of `entry`.
  version smallint not null default 1,
  entry json not null check (entry ->> 'type' is not null),
  -- What belongs into the entry and no client may see: what providers keep in a call.
  private json,
  type text not null generated always as (entry ->> 'type') stored,
  tool_call_id text generated always as (entry ->> 'toolCallId') stored,
  words tsvector generated always as (askback.entry_words(user_id, entry)) stored,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, sequence),
  foreign key (user_id, conversation_id, message_id)
  references askback.messages (user_id, conversation_id, id) on delete cascade
);

create index entries_of_message on askback.entries (user_id, conversation_id, message_id);
-- What was written last is put in its place by whoever writes next, in small parts: nobody waits long.
create index entries_by_word on askback.entries using gin (words) with (gin_pending_list_limit = 512)
where words is not null;
-- How often a model was asked again is counted by day.
create index entries_of_nudges on askback.entries (user_id, created_at) where type = 'nudge';

alter table askback.entries enable row level security;

grant all on askback.entries to service_role;
grant select (
  user_id, conversation_id, message_id, run_id, sequence, version, entry, type, tool_call_id, created_at
) on askback.entries to authenticated;

-- Of messages that they may read.
create policy "owners read their entries" on askback.entries
for select to authenticated using (
  user_id = (select auth.uid())
  and exists (
    select 1 from askback.messages m
    where m.user_id = entries.user_id and m.conversation_id = entries.conversation_id and m.id = entries.message_id
  )
);

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.words_of(text),
  askback.word_mark(uuid),
  askback.said_in(json),
  askback.entry_words(uuid, json)
to service_role;
