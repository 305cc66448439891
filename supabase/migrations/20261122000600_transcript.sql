-- Writing the transcript: entries are appended, and open items are kept in `askback.open_items`.

-- A run, with its account held and its conversation locked. Always lock the conversation's row first, and nothing but the
-- account before it. Null if there is no such run.
create function askback_private.lock_run(p_run_id uuid) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select * into v_run from askback.runs where id = p_run_id;
  perform askback_private.hold_account(v_run.user_id);
  perform 1 from askback.conversations
  where user_id = v_run.user_id and id = v_run.conversation_id for no key update;
  select * into v_run from askback.runs where id = p_run_id;
  return v_run;
end
$$;

create function askback_private.position_of(p_user_id uuid, p_conversation_id text, p_message_id text) returns bigint
language plpgsql stable set search_path = '' as $$
begin
  return (
    select position from askback.messages
    where user_id = p_user_id and conversation_id = p_conversation_id and id = p_message_id
  );
end
$$;

-- Whether the user has written since the message that a run answers.
create function askback_private.is_answered_by_later(p_run askback.runs) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select exists (
      select 1 from askback.messages m
      where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.role = 'user'
        and m.superseded_at is null and m.turn_id <> p_run.turn_id
        and m.position > askback_private.position_of(p_run.user_id, p_run.conversation_id, p_run.message_id)
    )
  );
end
$$;

-- Records what a run has used: every model call of the loop ends with an entry that says so, and every model call of a
-- tool is an entry.
create function askback_private.record_usage(p_run askback.runs, p_entries json) returns void
language plpgsql set search_path = '' as $$
declare
  v_calls integer;
  v_tokens integer;
  v_cost numeric;
begin
  with stored as (
    insert into askback.llm_usage as added (
      user_id, conversation_id, run_id, agent_id, sequence, provider, model, purpose, input_tokens, output_tokens,
      cost_usd, temperature, duration_ms, reads, reads_by, is_cut
    )
    select
      p_run.user_id, p_run.conversation_id, p_run.id, p_run.agent_id, (item ->> 'sequence')::integer,
      item #>> '{entry,provider}', item #>> '{entry,model}', item #>> '{entry,purpose}',
      coalesce((item #>> '{entry,usage,inputTokens}')::integer, 0),
      coalesce((item #>> '{entry,usage,outputTokens}')::integer, 0), (item #>> '{entry,cost}')::numeric,
      (item #>> '{entry,temperature}')::double precision, round((item #>> '{entry,durationMs}')::numeric),
      (item #>> '{entry,reads,tokens}')::integer, item #>> '{entry,reads,by}', item #> '{entry,cut}' is not null
    from json_array_elements(coalesce(p_entries, '[]')) item
    where item #>> '{entry,type}' in ('step-end', 'tool-model-call')
    on conflict (run_id, sequence) do nothing
    returning added as used
  )
  select sum(askback_private.counted_calls(used)), sum((used).input_tokens + (used).output_tokens), sum((used).cost_usd)
  into v_calls, v_tokens, v_cost
  from stored;
  if v_calls is not null then
    perform askback_private.add_usage(p_run.user_id, p_run.agent_id, v_calls, v_tokens, v_cost);
  end if;
end
$$;

-- Replaces the estimate of a model call with what its server has said afterwards, also in the budgets. Does nothing if the
-- call is not recorded.
--
-- in   p_used: { inputTokens, outputTokens, costUsd? }
create function askback.correct_usage(p_run_id uuid, p_sequence integer, p_used json) returns void
language plpgsql set search_path = '' as $$
declare
  v_before askback.llm_usage;
  v_after askback.llm_usage;
  v_tokens integer;
  v_cost numeric;
begin
  select * into v_before from askback.llm_usage where run_id = p_run_id and sequence = p_sequence for update;
  if not found then
    return;
  end if;
  update askback.llm_usage set
    input_tokens = (p_used ->> 'inputTokens')::integer,
    output_tokens = (p_used ->> 'outputTokens')::integer,
    cost_usd = coalesce((p_used ->> 'costUsd')::numeric, cost_usd)
  where id = v_before.id
  returning * into v_after;
  v_tokens := v_after.input_tokens + v_after.output_tokens - v_before.input_tokens - v_before.output_tokens;
  v_cost := coalesce(v_after.cost_usd, 0) - coalesce(v_before.cost_usd, 0);
  perform askback_private.add_usage(v_after.user_id, v_after.agent_id, 0, v_tokens, v_cost);
  perform askback_private.add_usage(null, null, 0, v_tokens, v_cost);
end
$$;

-- Records which tools a model was not told of.
create function askback_private.record_refused_tools(p_run askback.runs, p_entries json) returns void
language plpgsql set search_path = '' as $$
begin
  insert into askback.refused_tools as known (provider, model, tool, why)
  select distinct on (1, 2, 3)
    item #>> '{entry,provider}', item #>> '{entry,model}', item #>> '{entry,tool}', item #>> '{entry,why}'
  from json_array_elements(coalesce(p_entries, '[]')) item
  where item #>> '{entry,type}' = 'notice' and item #>> '{entry,notice}' = 'tool-refused'
  order by 1, 2, 3
  on conflict (provider, model, tool) do update set why = excluded.why, refused_at = now();
end
$$;

-- Opens and closes items as new entries say: [{ sequence, entry }], in order, each passed once. An item is closed
-- immediately if its message was cut off in the meantime, if it is a wait and the user has written since, or if a later
-- message has asked about the same.
create function askback_private.take_items(p_run askback.runs, p_entries json) returns void
language plpgsql set search_path = '' as $$
declare
  v_entry json;
  v_over text;
  v_item askback.open_items;
begin
  for v_entry in
    select item -> 'entry'
    from json_array_elements(coalesce(p_entries, '[]')) item
    where item #>> '{entry,type}' in ('question', 'decision', 'closed')
    order by (item ->> 'sequence')::integer
  loop
    if v_entry ->> 'type' = 'question' then
      v_over := case
        when p_run.superseded_at is not null and not coalesce((v_entry ->> 'outcomeUnknown')::boolean, false) then 'replaced'
        when v_entry ->> 'kind' = 'wait' and askback_private.is_answered_by_later(p_run) then 'message'
        when exists (
          select 1 from askback.open_items i
          join askback.messages m
            on m.user_id = i.user_id and m.conversation_id = i.conversation_id and m.id = i.message_id
          where i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id
            and i.id <> v_entry ->> 'itemId'
            and (
              i.tool_call_id = v_entry ->> 'toolCallId'
              or i.intent = nullif((v_entry ->> 'intent')::integer, 0)
            )
            and m.superseded_at is null
            and m.position > askback_private.position_of(p_run.user_id, p_run.conversation_id, p_run.message_id)
        ) then 'replaced'
      end;
      -- At most one item per call, and per intent, is open.
      update askback.open_items set closed_at = clock_timestamp(), closed_as = 'replaced', closed_by = p_run.id
      where v_over is null
        and user_id = p_run.user_id and conversation_id = p_run.conversation_id and closed_at is null
        and id <> v_entry ->> 'itemId'
        and (
          tool_call_id = v_entry ->> 'toolCallId'
          or intent = nullif((v_entry ->> 'intent')::integer, 0)
        );
      insert into askback.open_items (
        user_id, conversation_id, id, message_id, run_id, turn_id, agent_id, kind, intent, tool_call_id, tool_name,
        outcome_unknown, asked_at, expires_at, resume_at, held_by, beside, closed_at, closed_as, closed_by
      ) values (
        p_run.user_id, p_run.conversation_id, v_entry ->> 'itemId', p_run.message_id, p_run.id, p_run.turn_id,
        p_run.agent_id, v_entry ->> 'kind', (v_entry ->> 'intent')::integer, v_entry ->> 'toolCallId',
        v_entry ->> 'toolName', coalesce((v_entry ->> 'outcomeUnknown')::boolean, false),
        (v_entry ->> 'askedAt')::timestamptz, (v_entry ->> 'expiresAt')::timestamptz,
        (v_entry ->> 'resumeAt')::timestamptz, v_entry ->> 'heldBy',
        array(select told ->> 'toolCallId' from json_array_elements(v_entry -> 'stillWaiting') told),
        case when v_over is not null then clock_timestamp() end, v_over, case when v_over is not null then p_run.id end
      )
      -- It is asked again in another message, because its own was cut off.
      on conflict (user_id, conversation_id, id) do update
      set message_id = excluded.message_id, run_id = excluded.run_id, turn_id = excluded.turn_id
      where open_items.closed_at is null
      returning * into v_item;
      if v_over = 'replaced' and p_run.superseded_at is null and v_item.id is not null then
        perform askback_private.close_item(v_item, v_over);
      end if;
    else
      update askback.open_items set
        closed_at = clock_timestamp(),
        closed_as = coalesce(v_entry ->> 'decision', v_entry ->> 'as'),
        closed_by = p_run.id
      where user_id = p_run.user_id and conversation_id = p_run.conversation_id and id = v_entry ->> 'itemId'
        and closed_at is null;
    end if;
  end loop;
  if p_run.superseded_at is not null then
    perform askback_private.tell_closed(p_run.user_id, p_run.conversation_id);
  end if;
end
$$;

-- What open items rely on after a write of their conversation: what that did is no change to them. Kept with the entries
-- that ask them, because a run that continues one need not read the message of the write.
create function askback_private.see_again(p_run askback.runs, p_entries json) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.entries asked set private = (
    select json_object_agg(known.name, known.value)
    from (
      select 'seen' as name, now.seen as value
      union all
      select * from json_each(coalesce(asked.private, '{}')) hidden (name, value) where hidden.name <> 'seen'
    ) known
  )
  from (
    -- Several writes may have looked at one item: the last one counts.
    select distinct on (looked.id) looked.id, looked.seen
    from json_array_elements(coalesce(p_entries, '[]')) item
    cross join lateral json_each(item #> '{private,seen}') looked (id, seen)
    where item #>> '{entry,type}' = 'result'
    order by looked.id, (item ->> 'sequence')::integer desc
  ) now
  join askback.open_items i
    on i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id and i.id = now.id
  where asked.run_id = i.run_id and asked.type = 'question' and asked.entry ->> 'itemId' = i.id;
end
$$;

-- Appends what a run has written: [{ sequence, entry, private, brief }], each entry once; repeated or late entries change
-- nothing. The caller holds the lock on the conversation's row and has checked that the run may still write.
create function askback_private.append_entries(p_run askback.runs, p_entries json) returns void
language plpgsql set search_path = '' as $$
declare
  v_items json;
  v_intent integer;
  v_told json;
begin
  -- An entry may be megabytes, which each look at one of its values would read again.
  with given as materialized (
    select item.sequence, item.entry, item.private, item.brief, said.type, said.intent
    from json_to_recordset(p_entries) as item (sequence integer, entry json, private json, brief json)
    cross join lateral json_to_record(item.entry) as said (type text, intent integer)
  ),
  stored as (
    insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry, private, brief)
    select
      p_run.user_id, p_run.conversation_id, p_run.message_id, p_run.id, sequence, entry, private, brief
    from given
    order by sequence
    on conflict (run_id, sequence) do nothing
    returning sequence
  )
  select
    json_agg(json_build_object('sequence', sequence, 'entry', entry)) filter (
      where type in ('question', 'decision', 'closed') and sequence in (select sequence from stored)
    ),
    max(intent) filter (where type in ('call', 'question')),
    json_agg(json_build_object(
      'sequence', sequence,
      'entry', case when type = 'result' then json_build_object('type', type) else entry end,
      'private', private
    )) filter (
      where type in ('step-end', 'tool-model-call', 'notice') or (type = 'result' and private is not null)
    )
  into v_items, v_intent, v_told
  from given;
  if v_items is not null or p_run.superseded_at is not null then
    perform askback_private.take_items(p_run, v_items);
  end if;
  update askback.conversations c set last_intent = v_intent
  where c.user_id = p_run.user_id and c.id = p_run.conversation_id and c.last_intent < v_intent;
  if v_told is not null then
    perform askback_private.see_again(p_run, v_told);
    perform askback_private.record_refused_tools(p_run, v_told);
    perform askback_private.record_usage(p_run, v_told);
  end if;
end
$$;

-- Closes an open item without a decision by its run. The entry gets a number far after those of the run, which may still
-- write its end. The caller holds the lock on the conversation's row.
create function askback_private.close_item(p_item askback.open_items, p_as text) returns void
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select * into v_run from askback.runs where id = p_item.run_id;
  perform askback_private.append_entries(v_run, json_build_array(json_build_object(
    'sequence', (select greatest(max(sequence), 1000000) + 1 from askback.entries where run_id = v_run.id),
    'entry', json_build_object(
      'type', 'closed', 'itemId', p_item.id, 'toolCallId', p_item.tool_call_id, 'as', p_as
    )
  )));
end
$$;

-- Items closed by a message that was cut off stay closed: an entry says so in the message that asked.
create function askback_private.tell_closed(p_user_id uuid, p_conversation_id text) returns void
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
begin
  for v_item in
    update askback.open_items i set closed_by = i.run_id
    from askback.runs asking, askback.runs closing
    where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.closed_at is not null
      and asking.id = i.run_id and asking.superseded_at is null
      and closing.id = i.closed_by and closing.superseded_at is not null
    returning i.*
  loop
    perform askback_private.close_item(v_item, 'replaced');
  end loop;
end
$$;

-- Closes items that were open for too long, unless a run is working on them. The caller holds the lock on the
-- conversation's row.
create function askback_private.expire_items(p_user_id uuid, p_conversation_id text) returns void
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
begin
  for v_item in
    select * from askback.open_items
    where user_id = p_user_id and conversation_id = p_conversation_id and closed_at is null
      and expires_at < clock_timestamp()
      and not exists (
        select 1 from askback.runs
        where user_id = p_user_id and conversation_id = p_conversation_id and status in ('running', 'stopping')
      )
  loop
    perform askback_private.close_item(v_item, 'expired');
  end loop;
end
$$;


-- Open items, as shown to the people who decide them.

-- What somebody can still decide, in all conversations of a user or in some: the open rows, and writes that may have
-- happened, whose process has died and about which nobody was asked. Those have no entry: the reader words the
-- question.
create function askback_private.items_of(p_user_id uuid, p_conversation_ids text[] default null) returns table (
  id text, conversation_id text, message_id text, agent_id uuid, kind text, tool_call_id text, tool_name text,
  asked_at timestamptz, execution_id uuid, declined_in text, expires_at timestamptz
)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  select
    i.id, i.conversation_id, i.message_id, i.agent_id, i.kind, i.tool_call_id, i.tool_name, i.asked_at, null::uuid,
    i.declined_in, i.expires_at
  from askback.open_items i
  where i.user_id = p_user_id and (p_conversation_ids is null or i.conversation_id = any (p_conversation_ids))
    and i.closed_at is null and (i.expires_at is null or i.expires_at > clock_timestamp())
  union all
  select
    'unknown.' || e.id, e.conversation_id, r.message_id, r.agent_id, 'approval', e.tool_call_id, e.tool_name,
    e.created_at, e.id, null, null
  from askback.tool_executions e
  join askback.runs r on r.id = e.run_id
  where e.user_id = p_user_id and e.conversation_id is not null
    and (p_conversation_ids is null or e.conversation_id = any (p_conversation_ids))
    and e.effect = 'write' and e.idempotency_key is not null
    and e.status in ('running', 'unknown')
    and askback_private.effective_status(e.status, e.lease_expires_at, e.delivery_id) = 'unknown'
    -- A live run will report it itself.
    and not exists (
      select 1 from askback.runs alive
      where alive.user_id = e.user_id and alive.conversation_id = e.conversation_id
        and alive.status in ('running', 'stopping') and alive.lease_expires_at > clock_timestamp()
    )
    -- Somebody was asked since, about it or about another wording of it, whatever they said. Compares times of the
    -- database: `asked_at` comes from another clock.
    and not exists (
      select 1 from askback.open_items asked
      where asked.user_id = e.user_id and asked.conversation_id = e.conversation_id and asked.kind = 'approval'
        and ((asked.tool_call_id = e.tool_call_id and asked.outcome_unknown) or asked.intent = nullif(e.intent, 0))
        and coalesce(asked.closed_at > e.created_at, true) and coalesce(asked.closed_as not in ('replaced', 'yielded'), true)
    );
end
$$;

-- Stores how many items a user can decide in a conversation, so that apps can poll it every few seconds. Waits for the
-- clock do not count: nobody has to do anything. Nor does what was declined in a program.
create function askback_private.count_open(p_user_id uuid, p_conversation_id text) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.conversations c set open_count = counted.open
  from (
    select count(*) as open from askback_private.items_of(p_user_id, array[p_conversation_id]) i
    where i.kind <> 'wait' and i.declined_in is null
  ) counted
  where c.user_id = p_user_id and c.id = p_conversation_id and c.open_count <> counted.open;
end
$$;

-- Runs in the transaction that opens or closes something, which holds the lock on the conversation's row.
create function askback_private.count_changed_items() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform askback_private.count_open(changed.user_id, changed.conversation_id)
  from (select distinct user_id, conversation_id from changed_items) changed;
  return null;
end
$$;

create trigger count_opened after insert on askback.open_items
referencing new table as changed_items for each statement execute function askback_private.count_changed_items();

create trigger count_closed after update on askback.open_items
referencing new table as changed_items for each statement execute function askback_private.count_changed_items();

-- The entry that opened an item; null if no entry did.
create function askback_private.question_of(
  p_user_id uuid, p_conversation_id text, p_message_id text, p_item_id text
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select e.entry from askback.entries e
    where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.message_id = p_message_id
      and e.type = 'question' and e.entry ->> 'itemId' = p_item_id
    limit 1
  );
end
$$;

-- Open items with everything their cards need, oldest first, in all conversations of a user or in one.
--
-- out  [{ itemId, conversationId, conversationTitle, messageId, agentId, type: input | approval | connection | wait,
--      toolCallId, entry: the question, null if only the ledger knows of the write, write: as of write_json of such a
--      write, else null, account: its account, as of sender_of, tool: its specification, null if its agent no longer has
--      it, approvers: as of approvers_json, declined: { in: the program, expiresAt }, null if it was not }]
create function askback.list_items(
  p_user_id uuid, p_conversation_id text default null, p_agent_id uuid default null
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'itemId', i.id,
          'conversationId', i.conversation_id,
          'conversationTitle', c.title,
          'messageId', i.message_id,
          'agentId', i.agent_id,
          'type', i.kind,
          'toolCallId', i.tool_call_id,
          'entry', q.entry,
          'write', (
            select askback_private.write_json(e) from askback.tool_executions e where e.id = i.execution_id
          ),
          'account', case
            when i.execution_id is not null then askback_private.sender_of(p_user_id, i.agent_id, i.tool_name)
          end,
          'tool', askback_private.permitted_specifications(p_user_id, i.agent_id, array[i.tool_name]) -> 0,
          'approvers', case
            when i.kind = 'approval' then askback_private.approvers_json(
              p_user_id, i.conversation_id, i.id, askback_private.item_rule(i.agent_id, i.tool_name, q.entry), p_user_id
            )
          end,
          'declined', case
            when i.declined_in is not null then json_build_object('in', i.declined_in, 'expiresAt', i.expires_at)
          end
        )
        order by i.asked_at, i.id
      ),
      '[]'
    )
    from askback_private.items_of(p_user_id, case when p_conversation_id is not null then array[p_conversation_id] end) i
    join askback.conversations c on c.user_id = p_user_id and c.id = i.conversation_id
    cross join lateral (
      select askback_private.question_of(p_user_id, i.conversation_id, i.message_id, i.id) as entry
    ) q
    where p_agent_id is null or i.agent_id = p_agent_id
  );
end
$$;

-- Items waiting for a connection to this provider, or to the server of MCP with this id, in any of the user's conversations,
-- newest first.
--
-- out  [{ conversationId, itemId }]
create function askback.items_waiting_for(p_user_id uuid, p_provider text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object('conversationId', found.conversation_id, 'itemId', found.id) order by found.asked_at desc
      ),
      '[]'
    )
    from (
      select i.conversation_id, i.id, i.asked_at
      from askback.open_items i
      where i.user_id = p_user_id and i.kind = 'connection' and i.closed_at is null
        and (
          exists (
            select 1 from askback.tools t
            where t.name = i.tool_name and p_provider = any (t.providers)
          )
          or exists (
            select 1 from askback.mcp_tools t
            where t.name = i.tool_name and t.server_id::text = p_provider and coalesce(t.user_id = p_user_id, true)
          )
        )
      order by i.asked_at desc limit 50
    ) found
  );
end
$$;


-- A run started by an OpenAI client continues only while somebody waits for its answer. Each request that starts or
-- joins it is a follower until its connection closes. Once the last one has closed (runs.left_at), the run starts no
-- write, while reads continue. A request that joins within 10 seconds lets it continue; after that, whoever looks first
-- stops it: the claim of a write, the heartbeat, the clock, the next request. A person who watches in an app is not a
-- follower, and runs started by an app or the clock have none.

-- Records that a request has started a run, has joined one that has followers, or is told its outcome. The caller holds
-- the lock on the conversation's row. A connection to the run's own process counts for as long as that process
-- lives.
create function askback_private.add_follower(p_user_id uuid, p_run_id uuid, p_follower uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.runs set
    followers = coalesce(followers, '{}') || jsonb_build_object(p_follower, 'infinity'), left_at = null
  where id = p_run_id and user_id = p_user_id and (id = p_follower or followers is not null);
end
$$;

-- Keeps a follower whose connection is held by a process other than the run's. That process may die silently, so it
-- counts for 15 seconds.
create function askback_private.renew_follower(p_user_id uuid, p_run_id uuid, p_follower uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.runs set
    followers = followers || jsonb_build_object(p_follower, clock_timestamp() + interval '15 seconds'), left_at = null
  where id = p_run_id and user_id = p_user_id and status = 'running'
    -- A connection that was closed in the meantime stays closed.
    and followers ? p_follower::text
    and (followers ->> p_follower::text)::timestamptz
      not between clock_timestamp() + interval '10 seconds' and clock_timestamp() + interval '1 minute';
end
$$;

create function askback_private.is_followed(p_followers jsonb) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select exists (select 1 from jsonb_each_text(p_followers) f where f.value::timestamptz > clock_timestamp())
  );
end
$$;

-- Records that the connection of a follower was closed.
create function askback.remove_follower(p_user_id uuid, p_run_id uuid, p_follower uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.runs set
    followers = followers - p_follower::text,
    left_at = case when not askback_private.is_followed(followers - p_follower::text) then coalesce(left_at, clock_timestamp()) end
  where id = p_run_id and user_id = p_user_id and status = 'running' and followers ? p_follower::text;
end
$$;

-- Applies that rule to a run and returns the run's new state: left as soon as nobody waits for it, stopped 10 seconds
-- later, even while it waits for the clock. The caller holds the lock on the conversation's row.
create function askback_private.heed_followers(p_run askback.runs) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
begin
  if p_run.followers is null or p_run.status not in ('running', 'waiting') then
    return p_run;
  end if;
  if p_run.left_at is null and p_run.status = 'running' and not askback_private.is_followed(p_run.followers) then
    update askback.runs set left_at = clock_timestamp() where id = p_run.id returning * into p_run;
  end if;
  if p_run.left_at is null or p_run.left_at > clock_timestamp() - interval '10 seconds' then
    return p_run;
  end if;
  for v_item in select * from askback.open_items where run_id = p_run.id and kind = 'wait' and closed_at is null loop
    perform askback_private.close_item(v_item, 'stop');
  end loop;
  update askback.runs set
    status = case status when 'running' then 'stopping' else 'stopped' end,
    finished_at = case status when 'waiting' then clock_timestamp() end
  where id = p_run.id
  returning * into p_run;
  return p_run;
end
$$;
