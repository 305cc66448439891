-- When a write counts as the same as an earlier one.

-- Whether two writes of one tool mean the same: they have the same values from the user, or, for a tool without such
-- values, half of their arguments are equal.
create function askback_private.means_the_same(
  p_sourced text, p_arguments json, p_other_sourced text, p_other_arguments json
) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select case
      when p_arguments::jsonb = p_other_arguments::jsonb then true
      when p_sourced <> '' or p_other_sourced <> '' then p_sourced = p_other_sourced
      when json_typeof(p_arguments) <> 'object' or json_typeof(p_other_arguments) <> 'object' then false
      else (
        select count(*) filter (where a.value = b.value) > 0
          and count(*) filter (where a.value = b.value) * 2 >= count(*)
        from jsonb_each(p_arguments::jsonb) a
        full join jsonb_each(p_other_arguments::jsonb) b using (key)
      )
    end
  );
end
$$;

-- The user message that a run answers; null if it was cut off.
create function askback_private.message_of_run(p_run askback.runs) returns askback.messages
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.messages;
begin
  select * into v_found from askback.messages
  where user_id = p_run.user_id and conversation_id = p_run.conversation_id and superseded_at is null
    and role = 'user' and turn_id = p_run.turn_id
    and position < askback_private.position_of(p_run.user_id, p_run.conversation_id, p_run.message_id)
  order by position desc limit 1;
  return v_found;
end
$$;

-- The named chats that are copies of a chat, or that it is a copy of, over any number of steps.
create function askback_private.copies_of(p_user_id uuid, p_conversation_id text) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    with recursive family as (
      select p_conversation_id as id
      union
      select case when c.original_id = f.id then c.conversation_id else c.original_id end
      from family f
      join askback.copied_chats c on c.user_id = p_user_id and f.id in (c.conversation_id, c.original_id)
    )
    select array_agg(id) from family where id <> p_conversation_id
  );
end
$$;

-- The writes of other chats that count in the chat of a run, which an OpenAI client has begun:
--
-- - if its client does not name it: everything that the user's agents did for such clients within 12 hours;
-- - if its client names it: what they did within 12 hours for messages of other named chats whose words stand in the
--   client's history before the newest message, as in a copy of that chat, or for the words of the newest message
--   itself, if they follow the same message here as there;
-- - and what they did within 12 hours in a chat that this one is a copy of, or that is a copy of the same one;
-- - what they did for a copy of the same message, which belongs to the same turn.
create function askback_private.writes_elsewhere(p_run askback.runs, p_tool_name text) returns setof askback.tool_executions
language plpgsql stable set search_path = '' as $$
begin
  return query
  select e.*
  from askback.conversations c
  cross join lateral askback_private.message_of_run(p_run) message
  join askback.tool_executions e on e.user_id = c.user_id and e.conversation_id <> c.id and e.by_client
  left join askback.messages led
    on led.user_id = e.user_id and led.conversation_id = e.conversation_id and led.id = e.led_by
  left join askback.messages followed
    on followed.user_id = led.user_id and followed.conversation_id = led.conversation_id and followed.id = led.follows
  -- One of these stands in a history that is a copy.
  cross join lateral (
    select array[led.words, case when led.words = message.words then followed.words end] as words
  ) copied
  cross join (select askback_private.copies_of(p_run.user_id, p_run.conversation_id) as ids) copies
  where c.user_id = p_run.user_id and c.id = p_run.conversation_id and c.client_chat is not null
    and e.tool_name = p_tool_name and e.idempotency_key is not null
    -- The beginning of the transaction, since an index can find that.
    and e.created_at > now() - interval '12 hours'
    and (
      c.client_chat <> 'named'
      or e.conversation_id = any (copies.ids)
      -- They were typed there, or its client has told of them.
      or exists (
        select 1 from askback.messages m
        where m.user_id = c.user_id and m.conversation_id = c.id and m.words = any (copied.words)
          and m.position < message.position and m.superseded_at is null
      )
      or exists (
        select 1 from askback.messages m
        where m.user_id = c.user_id and m.conversation_id = c.id and m.words_before is not null
          and m.words_before && copied.words and m.position <= message.position and m.superseded_at is null
      )
    )
  union all
  select * from askback.tool_executions
  where user_id = p_run.user_id and turn_id = p_run.turn_id and conversation_id is distinct from p_run.conversation_id
    and tool_name = p_tool_name and idempotency_key is not null;
end
$$;

-- The earlier writes of its tool that a new write could repeat: those of its chat that were carried out or may have been,
-- except those that its model asked for in the same answer, those up to `coveredUntil`, of which a person was told, and
-- those whose card was open beside its own, if their arguments differ. Those before p_since only if they are of its turn or
-- still running.
create function askback_private.earlier_writes(
  p_run askback.runs, p_invocation json, p_since timestamptz
) returns setof askback.tool_executions
language plpgsql stable set search_path = '' as $$
begin
  return query
  select e.*
  from (
    select * from askback.tool_executions
    where user_id = p_run.user_id and conversation_id = p_run.conversation_id
      and tool_name = p_invocation ->> 'toolName' and idempotency_key is not null
      and (created_at > p_since or turn_id = p_run.turn_id or status = 'running')
    union all
    select * from askback_private.writes_elsewhere(p_run, p_invocation ->> 'toolName')
  ) e
  where askback_private.effective_status(e.status, e.lease_expires_at, e.delivery_id) in ('running', 'succeeded', 'unknown')
    and e.created_at > (select coalesce((p_invocation ->> 'coveredUntil')::timestamptz, '-infinity'))
    and e.tool_call_id <> (select p_invocation ->> 'toolCallId')
    -- A model wants everything that it asks for in one answer.
    and e.tool_call_id not in (
      select json_array_elements_text(coalesce(p_invocation -> 'siblings', '[]'))
    )
    -- A person has approved each of two cards, one of which told of the other.
    and (
      e.argument_hash = (select p_invocation ->> 'argumentHash')
      or not exists (
        select 1 from askback.open_items i
        where i.user_id = e.user_id and i.conversation_id = e.conversation_id and (
          i.tool_call_id = e.tool_call_id and (select p_invocation ->> 'toolCallId') = any (i.beside)
          or i.tool_call_id = (select p_invocation ->> 'toolCallId') and e.tool_call_id = any (i.beside)
        )
      )
    );
end
$$;

-- Whether a run has seen the outcome of a write.
create function askback_private.has_seen(p_run askback.runs, p_write askback.tool_executions) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      (
        select r.root_run_id = p_run.root_run_id and r.status <> 'interrupted'
        from askback.runs r where r.id = p_write.run_id
      ),
      false
    )
  );
end
$$;

-- The newest write that a new write would repeat; null if there is none. The engine's rule for its ledger in memory is
-- isSameWrite in shared/engine/loop/run/sameness.ts: the cases of support/same-writes.json run against both. A write is
-- repeated if
--
-- - the arguments are equal, in the same turn or within a day; in later turns not for a tool that `repeats`;
-- - both mean the same, in the same turn; for a tool that `repeats`, or without values from the user, only if the run
--   has not seen the outcome of the first one;
-- - both mean the same, and the outcome of the first one is not known, for a day; while that is running, calls over MCP of
--   a tool that `repeats` only if they are equal;
-- - both mean the same, and the first one was made after the item was asked that the new one comes from;
-- - both mean the same, and all else that the question names is equal, within a day.
--
-- A client of the OpenAI protocol that does not name its chat may ask for one thing in several requests that cannot be
-- told from new ones. A request without a message id may also be a repetition: for 10 minutes, equal values from the
-- user are enough.
create function askback_private.same_write(
  p_run askback.runs, p_invocation json, p_arguments json
) returns askback.tool_executions
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.tool_executions;
begin
  select e.* into v_found
  from askback_private.earlier_writes(
    p_run, p_invocation, least(now() - interval '24 hours', (p_invocation ->> 'itemAskedAt')::timestamptz)
  ) e
  cross join (
    select coalesce(
      bool_or(
        client_chat is not null and (
          client_chat <> 'named' or not exists (
            select 1 from askback.messages m
            where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id
              and m.turn_id = p_run.turn_id and m.role = 'user' and m.id like 'client-%'
          )
        )
      ),
      false
    ) as is_guessed,
    coalesce(bool_or(starts_with(client_chat, 'mcp ')), false) as is_call
    from askback.conversations where user_id = p_run.user_id and id = p_run.conversation_id
  ) chat
  cross join lateral (
    select
      e.arguments::jsonb = p_arguments::jsonb as equal,
      askback_private.means_the_same(
        e.sourced, e.arguments, coalesce(p_invocation #>> '{meaning,sourced}', ''), p_arguments
      ) as same,
      e.named <> '' and e.named = p_invocation #>> '{meaning,named}' as says_same,
      coalesce((p_invocation #>> '{meaning,repeats}')::boolean, false) as repeats,
      coalesce((p_invocation ->> 'repetition')::integer, 0) as repetition,
      e.turn_id = p_run.turn_id as of_turn,
      askback_private.has_seen(p_run, e) as seen
  ) w
  -- Only such writes can mean the same: the rest costs more to compare.
  where (
    e.sourced = (select coalesce(p_invocation #>> '{meaning,sourced}', ''))
    or e.argument_hash = (select p_invocation ->> 'argumentHash')
  )
  and case
    -- Equal writes of one turn are told apart by their repetition.
    when w.of_turn and w.equal then e.repetition >= w.repetition
    -- A program makes several calls at once, each for itself.
    when chat.is_call and w.repeats and not w.equal
      and askback_private.effective_status(e.status, e.lease_expires_at, e.delivery_id) = 'running'
    then false
    when e.status <> 'succeeded' then
      w.same and (e.status = 'running' or e.created_at > clock_timestamp() - interval '24 hours')
    when e.created_at > (p_invocation ->> 'itemAskedAt')::timestamptz then w.same
    when w.of_turn and not w.seen then w.same
    -- A model that has seen the outcome of the first one means another one, unless it goes to the same people.
    when w.of_turn then w.same and not w.repeats and e.sourced <> ''
    when w.repeats then false
    when chat.is_guessed and e.sourced <> '' and w.same and e.created_at > clock_timestamp() - interval '10 minutes'
    then true
    else e.created_at > clock_timestamp() - interval '24 hours' and (w.equal or (w.says_same and w.same))
  end
  order by e.created_at desc, e.position desc limit 1;
  return v_found;
end
$$;
