-- Everything a run needs to know, loaded in one query.

-- The entries of a message, in order; up to the given run, if there is one.
create function askback_private.message_entries(p_message askback.messages, p_until askback.runs default null) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(e.entry order by r.started_at, e.sequence), '[]')
    from askback.entries e
    join askback.runs r on r.id = e.run_id
    where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id
      and e.message_id = p_message.id and (p_until.id is null or r.started_at <= p_until.started_at)
  );
end
$$;

-- The same with what clients must not see: [{ entry, private }].
create function askback_private.whole_entries(p_message askback.messages) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(json_build_object('entry', e.entry, 'private', e.private) order by r.started_at, e.sequence),
      '[]'
    )
    from askback.entries e
    join askback.runs r on r.id = e.run_id
    where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id
      and e.message_id = p_message.id
  );
end
$$;

-- Claimed writes of the newest messages before a position whose end no entry tells: their run has just been stopped, its
-- process died, or they are known to be done only since an entry said otherwise.
-- [as of write_json].
create function askback_private.unreported_writes(
  p_user_id uuid, p_conversation_id text, p_before bigint, p_messages integer
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(askback_private.write_json(e) order by e.position), '[]'
    )
    from (
      select id, turn_id from askback.messages
      where user_id = p_user_id and conversation_id = p_conversation_id and superseded_at is null
        and position < p_before
      order by position desc
      limit p_messages
    ) m
    join askback.runs r on r.turn_id = m.turn_id and r.message_id = m.id
    join askback.tool_executions e on e.run_id = r.id
    where e.idempotency_key is not null
      -- The end may be in this message, or in a later one in which the user was asked about it. Results of earlier runs
      -- do not count: the call was refused then, and was answered or done again since.
      and (
        not exists (
          select 1
          -- One after the other: read the other way round, it would be all results of the conversation.
          from (
            select told.id from askback.runs told
            where told.user_id = p_user_id and told.conversation_id = p_conversation_id and told.started_at >= r.started_at
            offset 0
          ) told
          cross join lateral (
            select 1 from askback.entries x
            where x.run_id = told.id and x.type = 'result' and x.tool_call_id = e.tool_call_id
              and (e.status <> 'succeeded' or x.entry ->> 'status' = 'succeeded')
            offset 0
          ) x
        )
        -- A repetition of what was done has failed since.
        or (e.status = 'succeeded' and 'succeeded' <> (
          select x.entry ->> 'status' from askback.entries x
          join askback.runs telling on telling.id = x.run_id
          where x.user_id = p_user_id and x.conversation_id = p_conversation_id and x.message_id = m.id
            and x.type = 'result' and x.tool_call_id = e.tool_call_id
          order by telling.started_at desc, x.sequence desc
          limit 1
        ))
      )
  );
end
$$;

-- Where the history of a message begins, and how many messages of its conversation are older. It stays where it is until
-- 60 messages follow it, and then moves to the user's message that is the fortieth from the end, or just before it: requests
-- that begin alike are cheaper, and faster.
create function askback_private.history_start(
  p_conversation askback.conversations, p_before bigint, out start bigint, out older bigint
)
-- One plan for all conversations would read a long one from end to end.
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  with newest as materialized (
    select m.position, m.role, row_number() over (order by m.position desc) as number
    from askback.messages m
    where m.user_id = p_conversation.user_id and m.conversation_id = p_conversation.id
      and m.superseded_at is null and m.position < p_before
    order by m.position desc
    limit 60
  ),
  known as (
    select count(*) as messages, count(*) filter (where position >= p_conversation.history_start) as following
    from newest
  ),
  begun as (
    select case
      when messages < 60 then 0
      when following between 40 and 59 then p_conversation.history_start
      else (select position from newest where number >= 40 order by role = 'user' desc, number limit 1)
    end as start
    from known
  )
  select b.start, case
    when b.start = 0 then 0
    -- Only what it has moved over; all of them after an edit.
    else kept.older + (
      select count(*) from askback.messages m
      where m.user_id = p_conversation.user_id and m.conversation_id = p_conversation.id
        and m.superseded_at is null and m.position >= kept.start and m.position < b.start
    )
  end
  into start, older
  from begun b
  cross join lateral (
    select
      case when b.start >= p_conversation.history_start then p_conversation.history_start else 0 end as start,
      case when b.start >= p_conversation.history_start then p_conversation.history_older else 0 end as older
  ) kept;
end
$$;

-- The messages before that of a run, oldest first: { messages: [{ id, role, entries: [{ entry, private }] }], older: how
-- many are left out }. The newest ones (`history_start`), and the turns with open items; begins with a user message. Long
-- entries of earlier turns come as their briefs. A client that keeps its own history sends all of it with each message:
-- only the last one's copy is read.
create function askback_private.history(p_run askback.runs, p_before bigint) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with begun as materialized (
      select s.start, s.older, c.client_chat = 'named' as is_named
      from askback.conversations c
      cross join lateral askback_private.history_start(c, p_before) s
      where c.user_id = p_run.user_id and c.id = p_run.conversation_id
    ),
    open_turns as (
      -- The model is told what is open, no matter how long ago it was asked.
      select i.turn_id from askback.open_items i
      where i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id and i.closed_at is null
      group by i.turn_id
      order by max(i.asked_at) desc
      limit 20
    ),
    recent as materialized (
      select m.position, m.id, m.turn_id, m.role
      from askback.messages m
      where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id
        and m.superseded_at is null and m.position >= (select start from begun) and m.position < p_before
      order by m.position desc
      limit 60
    ),
    -- Two parts, so that the older messages are only looked through if something is open.
    chosen as materialized (
      select r.position, r.id, r.turn_id, r.role from recent r
      union all
      select m.position, m.id, m.turn_id, m.role
      from open_turns o
      join askback.messages m on m.turn_id = o.turn_id
      where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id
        and m.superseded_at is null and m.position < (select min(position) from recent)
    ),
    copied as materialized (
      select last.position
      from begun
      cross join lateral (
        select m.position from askback.messages m
        where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id
          and m.superseded_at is null and m.role = 'user' and m.position < p_before
          and exists (
            select 1 from askback.entries e
            where e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id
              and (e.entry ->> 'replacesHistory')::boolean
          )
        order by m.position desc limit 1
      ) last
      where begun.is_named
    ),
    loaded as materialized (
      select m.position, m.id, m.role, whole.entries
      from chosen m
      cross join lateral (
        select coalesce(
          json_agg(
            json_build_object(
              'entry', case
                when m.role = 'user' and m.position < (select position from copied)
                then (read.entry::jsonb - '{earlier,olderSaid}'::text[])::json
                else read.entry
              end,
              'private', e.private
            )
            order by r.started_at, e.sequence
          ),
          '[]'
        ) as entries
        from askback.entries e
        join askback.runs r on r.id = e.run_id
        cross join lateral (
          select case when m.turn_id = p_run.turn_id then e.entry else coalesce(e.brief, e.entry) end as entry
        ) read
        where e.user_id = p_run.user_id and e.conversation_id = p_run.conversation_id and e.message_id = m.id
      ) whole
      where m.position >= (select min(position) from chosen where role = 'user')
    )
    select json_build_object(
      'messages', coalesce(
        (
          select json_agg(json_build_object('id', id, 'role', role, 'entries', entries) order by position)
          from loaded
        ),
        '[]'
      ),
      'older', (select older from begun) + (select count(*) from recent) - (select count(*) from loaded)
    )
  );
end
$$;

-- Where a value stands that nothing a run has loaded knows, as far as that is less than was said or returned: the entries
-- in which the user may have typed it, of at most the 20 newest messages before that of the run that hold it (messages, and
-- decisions with the questions and the calls that they are about); and at most 20 results of which only briefs were loaded.
-- What they mean is judged by whoever asks.
--
-- in   p_pattern: a regular expression
-- out  [entry], oldest first
create function askback.find_value(p_run_id uuid, p_pattern text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with run as materialized (
      select r.user_id, r.conversation_id, own.position, begun.start
      from askback.runs r
      join askback.conversations c on c.user_id = r.user_id and c.id = r.conversation_id
      join askback.messages own
        on own.user_id = r.user_id and own.conversation_id = r.conversation_id and own.id = r.message_id
      cross join lateral askback_private.history_start(c, own.position) begun
      where r.id = p_run_id
    ),
    said as materialized (
      select m.id
      from run
      cross join lateral (
        select m.position, m.id from askback.messages m
        where m.user_id = run.user_id and m.conversation_id = run.conversation_id
          and m.superseded_at is null and m.position < run.position
        order by m.position desc
        -- One after the other, newest first: most are found soon.
        offset 0
      ) m
      cross join lateral (
        select 1 from askback.entries e
        where e.user_id = run.user_id and e.conversation_id = run.conversation_id and e.message_id = m.id
          and e.type in ('user-message', 'decision')
          -- What was typed, or filled in or changed; without a function of its own, which takes ten times as long.
          and normalize(
            case e.type
              when 'user-message' then askback_private.said_in(e.entry)
              else coalesce(e.entry ->> 'values', '') || E'\n' || coalesce(e.entry ->> 'input', '') || E'\n'
                || coalesce(e.entry ->> 'reason', '')
            end,
            nfkc
          ) ~ p_pattern
        limit 1
      ) typed
      limit 20
    ),
    returned as materialized (
      select e.run_id, e.sequence
      from run
      cross join lateral (
        select m.id from askback.messages m
        where m.user_id = run.user_id and m.conversation_id = run.conversation_id
          and m.superseded_at is null and m.position >= run.start and m.position < run.position
        order by m.position desc
        limit 60
      ) m
      join askback.entries e
        on e.user_id = run.user_id and e.conversation_id = run.conversation_id and e.message_id = m.id
      where e.type = 'result' and e.brief is not null
        and normalize(e.entry #>> '{result,data}', nfkc) ~ p_pattern
      limit 20
    ),
    found as (
      select e.run_id, e.sequence, e.message_id, e.entry
      from run
      cross join said
      join askback.entries e
        on e.user_id = run.user_id and e.conversation_id = run.conversation_id and e.message_id = said.id
      where e.type = 'user-message'
        or (e.type in ('question', 'decision', 'call') and exists (
          select 1 from askback.entries d
          where d.user_id = e.user_id and d.conversation_id = e.conversation_id and d.message_id = e.message_id
            and d.type = 'decision' and d.tool_call_id = e.tool_call_id
        ))
      union all
      select e.run_id, e.sequence, e.message_id, e.entry
      from returned
      join askback.entries e on e.run_id = returned.run_id and e.sequence = returned.sequence
    )
    select coalesce(json_agg(f.entry order by m.position, r.started_at, f.sequence), '[]')
    from run
    cross join found f
    join askback.runs r on r.id = f.run_id
    join askback.messages m
      on m.user_id = run.user_id and m.conversation_id = run.conversation_id and m.id = f.message_id
  );
end
$$;

-- The open items of messages after a position that rely on something, with it: [{ entry, private }]. A write of an earlier
-- message may change it.
create function askback_private.open_after(p_user_id uuid, p_conversation_id text, p_position bigint) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(json_build_object('entry', e.entry, 'private', e.private)), '[]')
    from (
      -- What is open is little, whatever else there is.
      select * from askback.open_items
      where user_id = p_user_id and conversation_id = p_conversation_id and closed_at is null
      offset 0
    ) i
    join askback.messages m
      on m.user_id = i.user_id and m.conversation_id = i.conversation_id and m.id = i.message_id and m.position > p_position
    join askback.entries e
      on e.run_id = i.run_id and e.type = 'question' and e.entry ->> 'itemId' = i.id and e.private is not null
  );
end
$$;

-- Writes that a run must not repeat without asking, whatever its model still reads of the conversation:
-- - those that ran, or may have run, in this turn, for messages that were replaced since;
-- - those that ran in turns that an edit of this one has cut off;
-- - the newest ones of earlier turns that may have run and that nobody has decided about.
-- [{ write: as of write_json, isEarlier, isAsked, summary }]
create function askback_private.prior_writes(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with writes as (
      select e.*
      from askback.tool_executions e
      join askback.runs r on r.id = e.run_id
      where e.turn_id = p_run.turn_id and r.root_run_id <> p_run.root_run_id
        and e.effect = 'write' and e.idempotency_key is not null
        and askback_private.effective_status(e.status, e.lease_expires_at, e.delivery_id) in ('running', 'succeeded', 'unknown')
      union all
      select e.*
      from askback.messages m
      join askback.tool_executions e on e.turn_id = m.turn_id
      where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.role = 'user'
        and m.superseded_at is not null and m.turn_id <> p_run.turn_id
        and m.position > coalesce(
          (
            select max(l.position) from askback.messages l
            where l.user_id = p_run.user_id and l.conversation_id = p_run.conversation_id
              and l.superseded_at is null and l.turn_id <> p_run.turn_id
          ),
          0
        )
        and e.effect = 'write' and e.idempotency_key is not null and e.status = 'succeeded'
      union all
      (
        select e.*
        from askback.tool_executions e
        where e.user_id = p_run.user_id and e.conversation_id = p_run.conversation_id and e.turn_id <> p_run.turn_id
          and e.effect = 'write' and e.idempotency_key is not null and e.status in ('running', 'unknown')
          and askback_private.effective_status(e.status, e.lease_expires_at, e.delivery_id) in ('running', 'unknown')
          and not exists (
            select 1 from askback.open_items i
            where i.user_id = e.user_id and i.conversation_id = e.conversation_id and i.tool_call_id = e.tool_call_id
              and i.outcome_unknown and i.closed_at > e.created_at and i.closed_as <> 'replaced'
          )
        order by e.position desc
        limit 20
      )
    )
    select coalesce(
      json_agg(
        json_build_object(
          'write', askback_private.write_json(e),
          'isEarlier', e.turn_id <> p_run.turn_id and e.status <> 'succeeded',
          -- The user is currently asked about it.
          'isAsked', exists (
            select 1 from askback.open_items i
            where i.user_id = e.user_id and i.conversation_id = e.conversation_id and i.tool_call_id = e.tool_call_id
              and i.outcome_unknown and i.closed_at is null
          ),
          'done', (
            select x.entry -> 'done' from askback.entries x
            where x.user_id = e.user_id and x.conversation_id = e.conversation_id and x.run_id = e.run_id
              and x.type = 'result' and x.tool_call_id = e.tool_call_id
            order by x.sequence desc limit 1
          )
        )
        order by e.position
      ),
      '[]'
    )
    from writes e
  );
end
$$;

-- Whether a tool or a file has shown something private in this conversation, whatever its model still reads of it. A
-- deleted tool counts, since it may have done so.
--
-- out  true, false, or the names of the tools that have, if all of them are tools of servers
create function askback_private.has_read_private(p_user_id uuid, p_conversation_id text) returns json
language plpgsql stable set search_path = '' as $$
begin
  if exists (
    select 1 from askback.message_files f
    where f.user_id = p_user_id and f.conversation_id = p_conversation_id
  ) then
    return to_json(true);
  end if;
  return (
    -- The tools that were used, one after the other in the index, however often each was.
    with recursive used as (
      select min(e.tool_name) as name from askback.tool_executions e
      where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.status = 'succeeded'
      union all
      select (
        select min(e.tool_name) from askback.tool_executions e
        where e.user_id = p_user_id and e.conversation_id = p_conversation_id and e.status = 'succeeded'
          and e.tool_name > u.name
      )
      from used u where u.name is not null
    ),
    private as (
      select u.name, exists (
        select 1 from askback.mcp_tools m
        where m.name = u.name and (m.user_id is null or m.user_id = p_user_id)
      ) as is_foreign
      from used u
      left join askback.tools t on t.name = u.name
      where u.name is not null
        -- The engine's own search shows what tools there are.
        and u.name <> 'search_tools'
        and (t.id is null or t.specification ->> 'private' = 'true')
    )
    select case
      when count(*) = 0 then to_json(false)
      when bool_and(is_foreign) then json_agg(name)
      else to_json(true)
    end
    from private
  );
end
$$;

-- The model that an agent prefers: { provider, model, temperature, retryTemperature, maxOutputTokens, parameters,
-- fallbacks }; null if it has no preference.
create function askback_private.model_preference(p_agent_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'provider', l.provider, 'model', l.model, 'temperature', l.temperature,
      'retryTemperature', l.retry_temperature, 'maxOutputTokens', l.max_output_tokens,
      'parameters', l.parameters, 'fallbacks', l.fallbacks
    )
    from askback.agent_llm_preferences l where l.agent_id = p_agent_id
  );
end
$$;

-- Everything a run that has just started needs to know.
--
-- out  { kind: run | continue, conversationId, created: whether it is the first of its conversation, runId, messageId,
--      decided: [items as of list_items, with made: what was decided, expired?], nextIntent, entries: of its own
--      message, agent: { id, name, instructions }, clientId: of the program that has begun its conversation, preference: as of model_preference, scope, chosenModel, catalogue: its
--      version, tools: as of agent_tools, connections: as of tool_connections, servers: as of servers_of, permissions: as of permitted_tool_names,
--      modelKeys: as of model_keys, history: its messages, olderMessages: how many it leaves out, unreportedWrites: as of unreported_writes, openLater: as of
--      open_after, user: as of user_facts, priorWrites: as of prior_writes, privateBefore,
--      reserved: as of reserve_budget, overtaken: [ids of
--      runs of its conversation that were told to stop for a newer one] }
create function askback_private.load_run(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'kind', case when p_run.resumed_run_id is null then 'run' else 'continue' end,
      'conversationId', p_run.conversation_id,
      'created', not exists (
        select 1 from askback.runs r
        where r.user_id = p_run.user_id and r.conversation_id = p_run.conversation_id and r.id <> p_run.id
      ),
      'runId', p_run.id,
      'messageId', p_run.message_id,
      'decided', p_run.decided,
      -- Leaves room for the intents of a run that is stopping.
      'nextIntent', (
        select c.last_intent + 1 + 1000 * (
          select count(*) from askback.runs r
          where r.user_id = p_run.user_id and r.conversation_id = p_run.conversation_id
            and r.status in ('running', 'stopping') and r.id <> p_run.id
        )
        from askback.conversations c
        where c.user_id = p_run.user_id and c.id = p_run.conversation_id
      ),
      -- Those of its own message, by the runs that it continues.
      'entries', askback_private.whole_entries(m),
      'agent', json_build_object('id', a.id, 'name', a.name, 'instructions', a.instructions),
      'clientId', (askback_private.grant_of_program(p_run.user_id, p_run.conversation_id)).client_id,
      'preference', askback_private.model_preference(a.id),
      'scope', (
        select c.scope from askback.conversations c
        where c.user_id = p_run.user_id and c.id = p_run.conversation_id
      ),
      'chosenModel', (
        select c.model from askback.conversations c
        where c.user_id = p_run.user_id and c.id = p_run.conversation_id
      ),
      'catalogue', (select version from askback.catalogue),
      'tools', askback_private.agent_tools(a, askback_private.tools_of_program(p_run.user_id, p_run.conversation_id)),
      'connections', askback_private.tool_connections(p_run.user_id),
      'servers', askback_private.servers_of(p_run.user_id),
      'permissions', askback_private.permitted_tool_names(p_run),
      'modelKeys', askback_private.model_keys(p_run.user_id),
      'history', told.history -> 'messages',
      'olderMessages', told.history -> 'older',
      'unreportedWrites', unreported,
      'openLater', askback_private.open_after(p_run.user_id, p_run.conversation_id, m.position),
      'user', askback.user_facts(p_run.user_id),
      'priorWrites', case when has_written then askback_private.prior_writes(p_run) else '[]' end,
      'privateBefore', askback_private.has_read_private(p_run.user_id, p_run.conversation_id),
      'reserved', p_run.reserved,
      'overtaken', (
        select coalesce(json_agg(r.id), '[]') from askback.runs r
        where r.user_id = p_run.user_id and r.conversation_id = p_run.conversation_id and r.status = 'stopping'
          and r.overtaken and r.id <> p_run.id
      )
    )
    from askback.messages m
    join askback.agents a on a.id = p_run.agent_id
    cross join lateral (
      select exists (
        select 1 from askback.tool_executions e
        where e.user_id = p_run.user_id and e.conversation_id = p_run.conversation_id and e.idempotency_key is not null
      )
      -- The same message of another chat belongs to its turn.
      or (p_run.message_key is not null and exists (
        select 1 from askback.tool_executions e where e.turn_id = p_run.turn_id and e.idempotency_key is not null
      )) as has_written
      offset 0
    ) writes
    cross join lateral (
      select case when has_written then
        askback_private.unreported_writes(p_run.user_id, p_run.conversation_id, m.position, 60) else '[]'
      end as unreported
      offset 0
    ) reported
    cross join lateral (select askback_private.history(p_run, m.position) as history offset 0) told
    where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.id = p_run.message_id
  );
end
$$;

-- Which model to use for an agent of this user, for a conversation and its agent, or, without both, for the agent that
-- would answer.
--
-- out  { preference: as of model_preference, chosen: for the conversation, or null, modelKeys: as of model_keys }
create function askback.load_model_choice(
  p_user_id uuid, p_agent_id uuid default null, p_conversation_id text default null
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'preference', (
        select askback_private.model_preference(a.id) from askback.agents a
        where a.user_id = p_user_id and a.id = coalesce(
          p_agent_id,
          (select c.agent_id from askback.conversations c where c.user_id = p_user_id and c.id = p_conversation_id),
          (select o.id from askback.agents o where o.user_id = p_user_id order by o.created_at, o.id limit 1)
        )
      ),
      'chosen', (select c.model from askback.conversations c where c.user_id = p_user_id and c.id = p_conversation_id),
      'modelKeys', askback_private.model_keys(p_user_id)
    )
  );
end
$$;
