-- Calls that programs make over MCP. Each is a conversation of its own, so that calls run beside each other; nobody has
-- said anything in it. What a write means that was called before, by whatever program of the user:
--
-- it is running            joins it
-- its process died         goes on with it
-- it waits for somebody    is what it waits for
-- it was done, and its result may not have arrived   is its result: for two minutes, or, if its user was asked, for a day
--
-- Any other call waits with an equal one that waits for somebody. Anything else is a new call, of which the claim says whether
-- it repeats an earlier one (`writes_elsewhere`).

create table askback.client_calls (
  user_id uuid not null,
  conversation_id text not null,
  -- The grant by which the program came in; null: by an API token. No foreign key: without its grant, a call has no tool.
  grant_id uuid,
  -- What let it in: its grant, or its API token.
  grant_key text not null,
  -- What the program calls itself.
  client_name text not null,
  -- As the program wrote it.
  tool_name text not null,
  -- Fingerprint of the tool and the prepared arguments of a write; null for all other calls.
  call_key text,
  -- The same of every call, also of one that could not be prepared.
  call_print text not null,
  -- When its result was handed to a client that still listened.
  told_at timestamptz,
  -- Items about which its program was asked, each with the time: { itemId: timestamptz }.
  asked jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, conversation_id),
  foreign key (user_id, conversation_id) references askback.conversations (user_id, id) on delete cascade
);

create index client_calls_by_key on askback.client_calls (user_id, call_key, created_at desc) where call_key is not null;
create index client_calls_by_print on askback.client_calls (user_id, call_print, created_at desc);
create index client_calls_by_grant on askback.client_calls (grant_id) where grant_id is not null;
create index client_calls_by_tool on askback.client_calls (user_id, client_name, tool_name, created_at desc);

alter table askback.client_calls enable row level security;

grant all on askback.client_calls to service_role;

-- Calls that were declined where a program asked about them, by their fingerprint: no program asks about such a call again,
-- however long ago it was.
create table askback.declined_calls (
  user_id uuid not null references auth.users (id) on delete cascade,
  call_print text not null,
  primary key (user_id, call_print)
);

alter table askback.declined_calls enable row level security;

grant all on askback.declined_calls to service_role;

-- Names of the tools of a grant, as it is now; none if it was revoked or is gone.
create function askback_private.tools_of_grant(p_user_id uuid, p_grant_id uuid) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return coalesce(
    (select tools from askback.mcp_grants where id = p_grant_id and user_id = p_user_id and revoked_at is null), '{}'
  );
end
$$;

-- The same of the program that has begun a conversation; null: none has, or it has no grant.
create function askback_private.tools_of_program(p_user_id uuid, p_conversation_id text) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    select askback_private.tools_of_grant(p_user_id, c.grant_id)
    from askback.client_calls c
    where c.user_id = p_user_id and c.conversation_id = p_conversation_id and c.grant_id is not null
  );
end
$$;

-- The grant by which a program has begun a conversation, whatever has become of it; null: none has, or it has no grant.
create function askback_private.grant_of_program(p_user_id uuid, p_conversation_id text) returns askback.mcp_grants
language plpgsql stable set search_path = '' as $$
declare
  v_grant askback.mcp_grants;
begin
  select g.* into v_grant
  from askback.client_calls c
  join askback.mcp_grants g on g.id = c.grant_id and g.user_id = c.user_id
  where c.user_id = p_user_id and c.conversation_id = p_conversation_id;
  return v_grant;
end
$$;

-- Ends what came by a grant that was revoked: what is not claimed is not done, and what is asked is not decided any more.
create function askback_private.end_calls_of_grant(p_user_id uuid, p_grant_id uuid) returns void
language plpgsql set search_path = '' as $$
declare
  v_conversation text;
begin
  for v_conversation in
    -- In a fixed order, and before their runs, like everybody who locks both.
    select c.id
    from askback.conversations c
    join askback.client_calls called on called.user_id = c.user_id and called.conversation_id = c.id
    where c.user_id = p_user_id and called.grant_id = p_grant_id
    order by c.id for update of c
  loop
    perform askback_private.stop_runs(p_user_id, v_conversation);
    perform askback_private.close_item(i, 'stop')
    from askback.open_items i
    where i.user_id = p_user_id and i.conversation_id = v_conversation and i.closed_at is null;
  end loop;
end
$$;

-- How many attempts of a program at a tool have failed in the last 10 minutes, one after the other. After the third its user
-- is asked, and it begins anew.
create function askback_private.failed_attempts(p_user_id uuid, p_client text, p_tool text) returns integer
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select case
      when e.status in ('rejected', 'failed') and e.result ->> 'resolver' = 'model' and e.attempt < 3 then e.attempt
    end
    from askback.client_calls c
    join askback.tool_executions e on e.user_id = c.user_id and e.conversation_id = c.conversation_id
    where c.user_id = p_user_id and c.client_name = p_client and c.tool_name = p_tool
      and c.created_at > clock_timestamp() - interval '10 minutes'
    order by c.created_at desc, e.position desc limit 1
  ), 0);
end
$$;

-- The tools of an agent, for a program.
--
-- in   p_agent_id: null for the user's default one; p_client, p_tool: of a call; p_grant_id: by which it came in
-- out  { agentId, catalogue: its version, tools: as of agent_tools, connections: as of tool_connections, failed: as of
--      failed_attempts, forms: whether the program may show approvals itself }; null: the user has no such agent
create function askback.load_client_tools(
  p_user_id uuid, p_agent_id text default null, p_client text default null, p_tool text default null,
  p_grant_id uuid default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_agent_id uuid;
begin
  perform askback_private.require_account(p_user_id);
  v_agent_id := askback_private.choose_agent(p_user_id, p_agent_id, null);
  return (
    select json_build_object(
      'agentId', a.id,
      'catalogue', (select version from askback.catalogue),
      'tools', askback_private.agent_tools(
        a, case when p_grant_id is not null then askback_private.tools_of_grant(p_user_id, p_grant_id) end
      ),
      'connections', askback_private.tool_connections(p_user_id),
      'failed', askback_private.failed_attempts(p_user_id, p_client, p_tool),
      'forms', coalesce(
        (select forms from askback.mcp_grants where id = p_grant_id and user_id = p_user_id and revoked_at is null), false
      )
    )
    from askback.agents a where a.id = v_agent_id
  );
end
$$;

-- Why a user's programs may make no more calls now; null if they may. Calls at once are counted one after the other.
create function askback_private.call_refusal(p_user_id uuid) returns json
language plpgsql set search_path = '' as $$
begin
  perform askback_private.lock_usage(p_user_id);
  return (
    with in_force as (
      select distinct on (per) per, value from askback.limits
      where scope = 'user' and (subject = p_user_id or subject is null) and measure = 'mcp_calls'
      order by per, subject nulls last
    )
    select askback_private.limit_refusal(
      'rate_limited', jsonb_build_object('measure', 'mcp_calls', 'per', per, 'limit', value), askback_private.window_end(per)
    )
    from in_force
    where value <= (
      select count(*) from askback.runs
      where user_id = p_user_id and by_program and started_at >= askback_private.window_start(per)
    )
    order by askback_private.window_end(per) desc limit 1
  );
end
$$;

-- Starts a run that a program has begun: as of start_run.
create function askback_private.start_call(
  p_conversation askback.conversations, p_request json, p_agent_id uuid, p_key text, p_dead askback.runs default null
) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_run_id uuid := (p_request ->> 'runId')::uuid;
  v_run askback.runs := askback_private.start_run(
    p_conversation, v_run_id, coalesce(p_dead.turn_id, v_run_id), coalesce(p_dead.agent_id, p_agent_id),
    coalesce(p_key, v_run_id::text), (p_request ->> 'leaseSeconds')::double precision, p_dead, null,
    case when p_dead.id is null then json_build_array(json_build_object('entry', p_request -> 'entry')) else '[]' end,
    case when p_dead.id is null then array['call-' || v_run_id] else '{}' end, p_request -> 'client'
  );
begin
  update askback.runs set by_program = true where id = v_run_id returning * into v_run;
  return v_run;
end
$$;

-- Whether a finished call is answered with its result again: it has written something, or its user has said no, and nobody may
-- have heard of it.
create function askback_private.is_untold(p_call askback.client_calls, p_run askback.runs) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  -- What its user has decided meanwhile waits for longer.
  return p_call.told_at is null and (
    p_run.finished_at > clock_timestamp() - interval '2 minutes' or p_run.resumed_run_id is not null
  ) and (
    exists (
      select 1 from askback.tool_executions e
      where e.user_id = p_call.user_id and e.conversation_id = p_call.conversation_id
        and e.effect = 'write' and e.idempotency_key is not null and e.status in ('running', 'succeeded', 'unknown')
    ) or exists (
      select 1 from askback.open_items i
      where i.user_id = p_call.user_id and i.conversation_id = p_call.conversation_id and i.closed_as in ('deny', 'skip')
    )
  );
end
$$;

-- Starts the run that answers another message of a program, in a conversation that it has begun: under this name, and let in by
-- the same.
create function askback_private.go_on_with_client(p_user_id uuid, p_request json, p_agent_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_run_id uuid := (p_request ->> 'runId')::uuid;
  v_conversation askback.conversations;
  v_answer json;
  v_run askback.runs;
begin
  select c.* into v_conversation
  from askback.conversations c
  join askback.client_calls called on called.user_id = c.user_id and called.conversation_id = c.id
  where c.user_id = p_user_id and c.id = p_request ->> 'conversationId' and c.agent_id = p_agent_id
    and called.client_name = p_request #>> '{client,name}' and called.tool_name = p_request ->> 'tool'
    and called.grant_key = p_request ->> 'grantKey'
  for update of c;
  if v_conversation.id is null then
    return askback_private.refusal('conversation_not_found');
  end if;
  perform askback_private.expire_runs(p_user_id, v_conversation.id);
  v_answer := coalesce(
    askback_private.busy_answer(p_user_id, v_conversation.id),
    askback_private.call_refusal(p_user_id),
    askback_private.new_run_refusal(v_conversation, p_agent_id, v_run_id, false, true)
  );
  if v_answer is not null then
    return v_answer;
  end if;
  -- A separate statement, so that load_run sees what it inserts.
  v_run := askback_private.start_call(v_conversation, p_request, p_agent_id, null);
  return askback_private.load_run(v_run);
end
$$;

-- Starts the run of a call, joins the one that works on an equal one, or returns its answer.
create function askback_private.begin_or_join_call(p_user_id uuid, p_request json) returns json
language plpgsql set search_path = '' as $$
declare
  v_run_id uuid := (p_request ->> 'runId')::uuid;
  v_key text := p_request ->> 'key';
  v_id text := 'mcp-' || v_run_id;
  v_program text := p_request #>> '{client,name}';
  v_agent_id uuid;
  v_call askback.client_calls;
  v_conversation askback.conversations;
  v_run askback.runs;
  v_dead askback.runs;
  v_answer json;
begin
  v_answer := askback_private.let_in(p_user_id, p_request);
  if v_answer is not null then
    return v_answer;
  end if;
  select * into v_run from askback.runs where id = v_run_id;
  if v_run.id is not null then
    return askback_private.answer_again(v_run_id, p_user_id, v_run.conversation_id);
  end if;
  v_agent_id := askback_private.choose_agent(p_user_id, p_request ->> 'agentId', null);
  if v_agent_id is null then
    return askback_private.refusal('agent_not_found');
  end if;

  if p_request ->> 'grantId' is not null then
    -- Whoever revokes it waits, and ends this call too. What its user has read when they let it in counts, not what it calls
    -- itself now.
    select client_name into v_program from askback.mcp_grants
    where id = (p_request ->> 'grantId')::uuid and user_id = p_user_id and revoked_at is null for share;
    if not found then
      return askback_private.refusal('grant_not_found');
    end if;
  end if;

  if p_request ->> 'conversationId' is not null then
    return askback_private.go_on_with_client(p_user_id, p_request, v_agent_id);
  end if;
  -- Before the conversations: of equal calls at once, each sees what the others have begun.
  perform pg_advisory_xact_lock(hashtextextended('askback client call ' || p_user_id || (p_request ->> 'print'), 0));
  if v_key is not null then
    select * into v_call from askback.client_calls
    where user_id = p_user_id and call_key = v_key and created_at > clock_timestamp() - interval '24 hours'
    order by created_at desc limit 1;
  else
    select c.* into v_call from askback.client_calls c
    where c.user_id = p_user_id and c.call_print = p_request ->> 'print' and c.call_key is null
      and c.created_at > clock_timestamp() - interval '24 hours' and exists (
        select 1 from askback_private.items_of(p_user_id, array[c.conversation_id]) i where i.kind <> 'wait'
      )
    order by c.created_at desc limit 1;
  end if;
  if v_call.conversation_id is not null then
    select * into v_conversation from askback.conversations
    where user_id = p_user_id and id = v_call.conversation_id for update;
    perform askback_private.expire_runs(p_user_id, v_call.conversation_id);
    v_run := askback_private.newest_run(p_user_id, v_call.conversation_id);
    if v_run.status = 'running' then
      return askback_private.join_answer(v_run);
    elsif v_run.status = 'interrupted' and v_run.superseded_at is null then
      v_dead := v_run;
    elsif v_run.status <> 'stopping' and (
      askback_private.is_untold(v_call, v_run) or exists (
        select 1 from askback_private.items_of(p_user_id, array[v_call.conversation_id])
      )
    ) then
      return askback_private.return_answer(v_run);
    end if;
  end if;

  if v_dead.id is null then
    v_answer := coalesce(
      askback_private.call_refusal(p_user_id), askback_private.flood_refusal(p_user_id, v_id, true)
    );
    if v_answer is not null then
      return v_answer;
    end if;
    insert into askback.conversations (user_id, id, agent_id, title, client_chat, passing, program, program_day)
    values (
      p_user_id, v_id, v_agent_id, p_request ->> 'title', 'mcp ' || coalesce(v_key, v_run_id::text), 'unnamed', v_program,
      (clock_timestamp() at time zone coalesce(
        (select time_zone from askback.readers where user_id = p_user_id), 'UTC'
      ))::date
    )
    on conflict do nothing;
    select * into v_conversation from askback.conversations where user_id = p_user_id and id = v_id for update;
    v_answer := askback_private.new_run_refusal(v_conversation, v_agent_id, v_run_id, true, true);
    if v_answer is not null then
      return v_answer;
    end if;
    insert into askback.client_calls (
      user_id, conversation_id, grant_id, grant_key, client_name, tool_name, call_key, call_print
    )
    values (
      p_user_id, v_id, (p_request ->> 'grantId')::uuid, p_request ->> 'grantKey', p_request #>> '{client,name}',
      p_request ->> 'tool', v_key, p_request ->> 'print'
    );
  end if;
  -- A separate statement, so that load_run sees what it inserts.
  v_run := askback_private.start_call(v_conversation, p_request, v_agent_id, v_key, v_dead);
  return askback_private.load_run(v_run);
end
$$;

-- What a call means, and what it starts. Its connection follows the run, as of add_follower.
--
-- in   p_request: { version: of the code, runId, agentId?, grantId?, grantKey, client: { name, version? }, tool: as the program wrote it, title?,
--      key?: as call_key, print: as call_print, conversationId?: of an earlier message of this program, entry, timezone?, language?, leaseSeconds }
-- out  as of begin_turn
create function askback.begin_client_call(p_user_id uuid, p_request json) returns json
language plpgsql set search_path = '' as $$
declare
  v_reply json := askback_private.begin_or_join_call(p_user_id, p_request);
begin
  perform askback_private.add_follower(
    p_user_id, coalesce(v_reply ->> 'runId', v_reply #>> '{run,runId}')::uuid, (p_request ->> 'runId')::uuid
  );
  return v_reply;
end
$$;

-- Records that a client that still listened was handed the result of a call.
create function askback.note_call_told(p_user_id uuid, p_conversation_id text) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.client_calls set told_at = coalesce(told_at, clock_timestamp())
  where user_id = p_user_id and conversation_id = p_conversation_id;
end
$$;

-- The call of a program, locked, with its conversation, in which items are closed; null if there is none.
create function askback_private.lock_call(p_user_id uuid, p_conversation_id text) returns askback.client_calls
language plpgsql set search_path = '' as $$
declare
  v_call askback.client_calls;
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id for update;
  select * into v_call from askback.client_calls
  where user_id = p_user_id and conversation_id = p_conversation_id for update;
  return v_call;
end
$$;

-- Records that the program of a call has said that nobody answers an item there. It stays open for a day more; what may have
-- happened, for as long as it did.
create function askback_private.decline_item(p_call askback.client_calls, p_item_id text) returns void
language plpgsql set search_path = '' as $$
begin
  insert into askback.declined_calls (user_id, call_print) values (p_call.user_id, p_call.call_print)
  on conflict do nothing;
  update askback.open_items set
    declined_in = coalesce((
      select program from askback.conversations
      where user_id = p_call.user_id and id = p_call.conversation_id
    ), p_call.client_name),
    expires_at = case
      when outcome_unknown then expires_at
      else least(coalesce(expires_at, 'infinity'), clock_timestamp() + interval '24 hours')
    end
  where user_id = p_call.user_id and conversation_id = p_call.conversation_id and id = p_item_id
    and closed_at is null and declined_in is null;
end
$$;

-- What a program has answered to a question about an item on a stream that had ended by then: each answer is taken once, and
-- told to nobody but that program. p_grant_id: by which it came in; null: by a token of its user.
create function askback_private.take_late_answer(p_user_id uuid, p_item_id text, p_grant_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_answer json;
begin
  update askback.pushed_requests set taken = true
  where id = (
    select id from askback.pushed_requests
    where user_id = p_user_id and item_id = p_item_id and answer is not null and not taken
      and case when p_grant_id is null then grant_key not like 'grant:%' else grant_key = 'grant:' || p_grant_id end
    order by created_at desc limit 1
  )
  returning answer -> 'result' into v_answer;
  return v_answer;
end
$$;

-- Whether the program of a call may ask about an item: once, and again only what was answered too late; about six of one call.
-- Where an equal call was declined, it may not. That it asks is recorded.
--
-- in   p_again: what it was asked before came too late; p_grant_id: by which it came in
-- out  { asks, filled: what was answered too late: { name: value }, or null }
create function askback.ask_program(
  p_user_id uuid, p_conversation_id text, p_item_id text, p_again boolean default false, p_grant_id uuid default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_call askback.client_calls := askback_private.lock_call(p_user_id, p_conversation_id);
  v_late json := askback_private.take_late_answer(p_user_id, p_item_id, p_grant_id);
begin
  if v_call.conversation_id is null then
    return json_build_object('asks', false);
  end if;
  if v_late ->> 'action' in ('decline', 'cancel') then
    perform askback_private.decline_item(v_call, p_item_id);
    return json_build_object('asks', false);
  end if;
  -- Clients end a call after ten rounds, with an error: one that fills in what is wrong each time gets the link before that.
  if (v_call.asked ? p_item_id and not p_again and v_late ->> 'content' is null)
  or (not v_call.asked ? p_item_id and (select count(*) from jsonb_object_keys(v_call.asked)) >= 6)
  or exists (
    select 1 from askback.declined_calls where user_id = p_user_id and call_print = v_call.call_print
  ) then
    return json_build_object('asks', false);
  end if;
  update askback.client_calls set asked = asked || jsonb_build_object(p_item_id, clock_timestamp())
  where user_id = p_user_id and conversation_id = p_conversation_id;
  return json_build_object('asks', true, 'filled', v_late -> 'content');
end
$$;

-- Records what a program has said to what it was asked about an item.
--
-- in   p_declined: nobody answers there
-- out  { late: it was asked more than 10 minutes ago }; null: there is no such call
create function askback.note_program_reply(
  p_user_id uuid, p_conversation_id text, p_item_id text, p_declined boolean
) returns json
language plpgsql set search_path = '' as $$
declare
  v_call askback.client_calls := askback_private.lock_call(p_user_id, p_conversation_id);
begin
  if v_call.conversation_id is null then
    return null;
  end if;
  if p_declined then
    perform askback_private.decline_item(v_call, p_item_id);
  end if;
  return json_build_object(
    'late', coalesce((v_call.asked ->> p_item_id)::timestamptz < clock_timestamp() - interval '10 minutes', false)
  );
end
$$;
