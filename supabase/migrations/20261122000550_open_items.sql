-- What is open: a question, an approval, a connection or a wait, from the entry that asks it until an entry closes it.
-- The same is read from the entries by the engine (`openItems`); a row is closed in the transaction that appends the
-- entry which closes it, once.
create table askback.open_items (
  user_id uuid not null,
  conversation_id text not null,
  -- `itemId` of its entry; of an approval the `approvalId`.
  id text not null check (length(id) between 1 and 100),
  message_id text not null,
  run_id uuid not null references askback.runs (id) on delete cascade,
  turn_id uuid not null,
  agent_id uuid references askback.agents (id) on delete set null,
  kind text not null check (kind in ('input', 'approval', 'connection', 'wait')),
  intent integer not null,
  tool_call_id text not null,
  tool_name text not null,
  -- It may have been carried out already: asks until somebody has decided, whatever becomes of its message.
  uncertain boolean not null default false,
  asked_at timestamptz not null,
  expires_at timestamptz,
  resume_at timestamptz,
  closed_at timestamptz,
  closed_as text check (closed_as in (
    'answer', 'approve', 'deny', 'draft', 'skip', 'connect', 'time', 'replaced', 'expired', 'stop', 'message'
  )),
  closed_by uuid,
  -- A client of a named chat has sent back the sentence that tells what became of it.
  heard_at timestamptz,
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
create index open_items_expiring on askback.open_items (expires_at) where closed_at is null and expires_at is not null;

alter table askback.open_items enable row level security;

grant all on askback.open_items to service_role;
grant select on askback.open_items to authenticated;

create policy "owners read their open items" on askback.open_items
for select to authenticated using (user_id = (select auth.uid()));
