-- What servers of MCP have asked in the middle of a write, until their conversations have it.

-- A question that a write has ended with. Whoever goes on after a killed process finds it here: the call, or the answer that
-- led to the question, is not sent again.
create table askback.parked_questions (
  invocation_id uuid primary key references askback.tool_executions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id text not null,
  tool_call_id text not null,
  -- { state?, requests } as the server has sent them.
  parked json not null,
  foreign key (user_id, conversation_id) references askback.conversations (user_id, id) on delete cascade
);

create index parked_questions_of_call on askback.parked_questions (user_id, conversation_id, tool_call_id);

alter table askback.parked_questions enable row level security;
grant all on askback.parked_questions to service_role;
create policy "other apps get nothing" on askback.parked_questions as restrictive
using ((select auth.jwt() ->> 'client_id') is null);
create policy "the account may act" on askback.parked_questions as restrictive to authenticated
using ((select askback_private.may_use_data()));

-- Ends a write of which its server asks something first, as settle_invocation does for its delivery, and keeps what it asks.
create function askback.settle_asked(
  p_user_id uuid, p_invocation_id uuid, p_delivery_id uuid, p_result json, p_parked json, p_duration_ms integer
) returns void
language plpgsql set search_path = '' as $$
begin
  -- Before the write's own lock, as everybody else takes them.
  perform 1 from askback.conversations c
  join askback.tool_executions e on e.user_id = c.user_id and e.conversation_id = c.id
  where e.id = p_invocation_id and e.user_id = p_user_id
  for update of c;
  perform askback.settle_invocation(p_user_id, p_invocation_id, 'failed', p_result, p_duration_ms, p_delivery_id);
  insert into askback.parked_questions (invocation_id, user_id, conversation_id, tool_call_id, parked)
  select id, user_id, conversation_id, tool_call_id, p_parked from askback.tool_executions
  where id = p_invocation_id and user_id = p_user_id and delivery_id = p_delivery_id and status = 'failed'
    and conversation_id is not null
  on conflict do nothing;
end
$$;

-- What the server of a write has asked, and its conversation does not have yet; null: nothing.
create function askback.parked_question(p_user_id uuid, p_invocation_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (select parked from askback.parked_questions where invocation_id = p_invocation_id and user_id = p_user_id);
end
$$;

-- The conversation has the question.
create function askback_private.take_parked() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from askback.parked_questions
  where user_id = new.user_id and conversation_id = new.conversation_id and tool_call_id = new.tool_call_id;
  return null;
end
$$;
create trigger take_parked after insert on askback.entries
for each row when (new.type = 'result' and new.entry ->> 'status' = 'failed')
execute function askback_private.take_parked();

-- Why somebody has to be asked before a free claim is made, or it has to wait; null if it may be made. First of all: what its
-- server has asked a process that has died since (`asked`, with the result of that write and what is parked).
create or replace function askback_private.claim_refusal(
  p_run askback.runs, p_invocation json, p_arguments json, p_permissions uuid[]
) returns json
language plpgsql set search_path = '' as $$
declare
  v_asked json;
  v_earlier json;
  v_hold jsonb;
begin
  select json_build_object('claimed', false, 'status', 'asked', 'result', e.result, 'parked', p.parked) into v_asked
  from askback.parked_questions p
  join askback.tool_executions e on e.id = p.invocation_id
  where p.user_id = p_run.user_id and p.conversation_id = p_run.conversation_id
    and p.tool_call_id = p_invocation ->> 'toolCallId' and e.argument_hash = p_invocation ->> 'argumentHash'
  order by e.position desc limit 1;
  if v_asked is not null then
    return v_asked;
  end if;
  v_earlier := askback_private.earlier_write(p_run, p_invocation, p_arguments);
  if not askback_private.is_approved_call(p_run, p_invocation ->> 'toolName', p_invocation ->> 'toolCallId') then
    return json_build_object('claimed', false, 'status', 'not_permitted');
  end if;
  if v_earlier is not null then
    return json_build_object(
      'claimed', false, 'status', 'same', 'earlier', v_earlier, 'isPermitted', p_permissions is not null
    );
  end if;
  if p_invocation -> 'needs' is not null and p_permissions is null then
    return json_strip_nulls(json_build_object(
      'claimed', false,
      'status', 'not_permitted',
      'spent', askback_private.spent_permission(p_run, p_invocation ->> 'toolName', p_invocation -> 'needs')
    ));
  end if;
  v_hold := askback_private.write_hold(p_run.user_id, p_invocation ->> 'toolName');
  return case when v_hold is not null then json_build_object('claimed', false, 'status', 'limited', 'hold', v_hold) end;
end
$$;

revoke execute on function
  askback.settle_asked(uuid, uuid, uuid, json, json, integer),
  askback.parked_question(uuid, uuid),
  askback_private.take_parked()
from public;
grant execute on function
  askback.settle_asked(uuid, uuid, uuid, json, json, integer),
  askback.parked_question(uuid, uuid)
to service_role;
grant execute on function askback.parked_question(uuid, uuid) to pg_read_all_data;
