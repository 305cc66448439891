-- The ledger: every invocation of a tool, reads and refused calls too.
-- rejected: refused before execution. pending: waits for the user. running -> succeeded | failed | unknown.
-- failed: provably not executed. unknown: it may have happened. cancelled: denied, stopped, held back.
create table askback.tool_executions (
  id uuid primary key,
  -- Order of arrival. What needed no claim arrives when its run ends: created_at tells when things happened.
  position bigint generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- null for a call that came to an integration function without a run, and once the conversation is deleted.
  conversation_id text,
  turn_id uuid,
  run_id uuid references askback.runs (id) on delete set null,
  -- One intent of one chain of runs: what the model tries to do, with all its attempts.
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
  -- What a write is recognised by when it is worded differently: the values that must come from the user, and these with
  -- all that its question names; '' where there are none. repeats: doing it again in a later turn is usual.
  sourced text not null default '',
  named text not null default '',
  repeats boolean not null default false,
  -- Claimed for a client of the OpenAI protocol.
  by_client boolean not null default false,
  -- Writes that were claimed: stands for user, turn, tool, arguments and repetition.
  idempotency_key text,
  status text not null check (
    status in ('rejected', 'pending', 'running', 'succeeded', 'failed', 'unknown', 'cancelled')
  ),
  -- A ToolResult; null where nobody has reported one.
  result json,
  duration_ms integer,
  -- A running one counts as unknown after this.
  lease_expires_at timestamptz,
  -- The delivery that was let through to the effect.
  delivery_id uuid,
  effect_started_at timestamptz,
  -- What the effect can be found by at the provider, written down before it happened.
  note json,
  -- The claimer has settled it too: nothing may be delivered any more.
  closed boolean not null default false,
  -- A client of a named chat has sent back the sentence that tells what became of it.
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
create index tool_executions_by_user on askback.tool_executions (user_id, created_at desc);
create index tool_executions_by_turn on askback.tool_executions (turn_id);
create index tool_executions_by_run on askback.tool_executions (run_id);
create index tool_executions_uncertain on askback.tool_executions (user_id)
where status in ('running', 'unknown') and idempotency_key is not null;
create index tool_executions_running on askback.tool_executions (lease_expires_at) where status = 'running';

alter table askback.tool_executions enable row level security;

grant all on askback.tool_executions to service_role;
grant select on askback.tool_executions to authenticated;

create policy "owners read their invocations" on askback.tool_executions
for select to authenticated using (user_id = (select auth.uid()));


-- Views over the ledger, with the rights of whoever asks: owners see their own.
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
  -- The intent ended well after at least one error.
  bool_or(error_type is not null) and bool_or(status = 'succeeded' and error_type is null) as retry_succeeded,
  min(created_at) as started_at,
  max(coalesce(settled_at, created_at)) as ended_at
from askback.tool_executions
group by session_id, user_id;

grant select on askback.tool_execution_errors, askback.tool_execution_sessions to authenticated, service_role;
