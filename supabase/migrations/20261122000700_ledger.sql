-- The ledger: a write is claimed for a run, allowed to run its effect once, and settled.

-- By what the ledger knows a write: equal each time that the same effect is tried.
create function askback_private.idempotency_key(
  p_user_id uuid, p_turn_id uuid, p_tool_name text, p_argument_hash text, p_repetition integer
) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return encode(
    sha256(convert_to(concat_ws(E'\n', p_user_id, p_turn_id, p_tool_name, p_argument_hash, p_repetition), 'UTF8')),
    'hex'
  );
end
$$;

-- The id that all attempts of one intent share.
create function askback_private.session_of(p_root_run_id uuid, p_invocation_id uuid, p_intent integer) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return case when p_intent > 0 then p_root_run_id || '/' || p_intent else p_invocation_id::text end;
end
$$;

-- What is known about a write whose integration function did not answer, or whose lease has run out. If no delivery has
-- reached the effect, this withdraws it: it has certainly failed, a late delivery is refused, and what it used of standing
-- permissions is given back. Only for tools whose function calls begin_effect.
--
-- out  as of write_json, without a result if it was withdrawn; null: there is no such write
create function askback.verify_invocation(p_user_id uuid, p_invocation_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
begin
  update askback.tool_executions set
    status = 'failed', closed = true, result = null, settled_at = clock_timestamp()
  where id = p_invocation_id and user_id = p_user_id and delivery_id is null and status in ('running', 'unknown')
  returning * into v_row;
  perform askback_private.give_back_permissions(v_row.used_permissions, v_row.created_at);
  select * into v_row from askback.tool_executions where id = p_invocation_id and user_id = p_user_id;
  return askback_private.write_json(v_row);
end
$$;

-- Stores what has become of a running write whose lease has run out. The caller holds its lock.
create function askback_private.expire_execution(p_row askback.tool_executions) returns void
language plpgsql set search_path = '' as $$
begin
  if p_row.delivery_id is null then
    perform askback.verify_invocation(p_row.user_id, p_row.id);
  else
    update askback.tool_executions set status = 'unknown', settled_at = clock_timestamp() where id = p_row.id;
  end if;
end
$$;

-- The live row of a key, locked. A running one whose lease has run out becomes unknown here, or is withdrawn.
create function askback_private.live_execution(p_user_id uuid, p_idempotency_key text) returns askback.tool_executions
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
begin
  loop
    select * into v_row from askback.tool_executions
    where user_id = p_user_id and idempotency_key = p_idempotency_key
      and status in ('running', 'succeeded', 'unknown')
    for update;
    exit when v_row.id is null
      or v_row.status = askback_private.effective_status(v_row.status, v_row.lease_expires_at, v_row.delivery_id);
    perform askback_private.expire_execution(v_row);
  end loop;
  return v_row;
end
$$;

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
-- - both mean the same, and the outcome of the first one is not known, for a day;
-- - both mean the same, and the first one was made after the item was asked that the new one comes from;
-- - both mean the same, and all else that the question names is equal, within a day.
--
-- A client of the OpenAI protocol that does not name its chat may ask for one thing in several requests that cannot be
-- told from new ones. A request without a message id may also be a repetition: for 10 minutes, equal values from the
-- user are enough.
create function askback_private.same_write(p_run askback.runs, p_invocation json) returns askback.tool_executions
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
    ) as is_guessed
    from askback.conversations where user_id = p_run.user_id and id = p_run.conversation_id
  ) chat
  cross join lateral (
    select
      e.arguments::jsonb = (p_invocation -> 'arguments')::jsonb as equal,
      askback_private.means_the_same(
        e.sourced, e.arguments, coalesce(p_invocation #>> '{meaning,sourced}', ''), p_invocation -> 'arguments'
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

-- The newest of some writes that had these arguments, within a day before a time, and were or may have been carried out.
create function askback_private.equal_write(
  p_writes askback.tool_executions[], p_argument_hash text, p_before timestamptz
) returns askback.tool_executions
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.tool_executions;
begin
  select e.* into v_found from unnest(p_writes) e
  where e.argument_hash = p_argument_hash and e.created_at < p_before and e.created_at > p_before - interval '24 hours'
    and askback_private.effective_status(e.status, e.lease_expires_at, e.delivery_id) in ('running', 'succeeded', 'unknown')
  order by e.created_at desc, e.position desc limit 1;
  return v_found;
end
$$;

-- Whether a write was made again although nobody knew what had become of an equal one: once more may do it twice.
create function askback_private.is_second_try(p_write askback.tool_executions) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_before askback.tool_executions := askback_private.equal_write(
    array(
      select e from askback.tool_executions e
      where e.user_id = p_write.user_id and e.conversation_id = p_write.conversation_id
        and e.tool_name = p_write.tool_name and e.idempotency_key is not null
        and e.argument_hash = p_write.argument_hash
    ),
    p_write.argument_hash, p_write.created_at
  );
begin
  return coalesce(
    askback_private.effective_status(v_before.status, v_before.lease_expires_at, v_before.delivery_id) = 'unknown', false
  );
end
$$;

-- What a provider is told for a write that is about to be claimed under a key of the ledger. A person may have had it made
-- again because nobody knows what became of the first try: then it gets the key of that, for a day, so that a provider which
-- knows the key does it once. Only once: a provider that has not answered to a key twice may never answer to it.
create function askback_private.provider_key(
  p_run askback.runs, p_invocation json, p_key text, out provider_key text, out is_second boolean
)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_writes askback.tool_executions[];
  v_before askback.tool_executions;
begin
  provider_key := p_key;
  is_second := false;
  -- Only a person has a write of unknown outcome made again.
  if coalesce((p_invocation ->> 'repetition')::integer, 0) = 0 and p_invocation ->> 'coveredUntil' is null then
    return;
  end if;
  v_writes := array(
    select e from askback.tool_executions e
    where e.user_id = p_run.user_id and e.conversation_id = p_run.conversation_id
      and e.tool_name = p_invocation ->> 'toolName' and e.idempotency_key is not null
      and e.argument_hash = p_invocation ->> 'argumentHash'
    union all
    select e from askback_private.writes_elsewhere(p_run, p_invocation ->> 'toolName') e
    where e.argument_hash = p_invocation ->> 'argumentHash'
  );
  v_before := askback_private.equal_write(v_writes, p_invocation ->> 'argumentHash', clock_timestamp());
  if askback_private.effective_status(v_before.status, v_before.lease_expires_at, v_before.delivery_id) = 'unknown' then
    is_second := true;
    if not exists (
      select 1 from unnest(v_writes) e
      where e.provider_key = v_before.provider_key and e.id <> v_before.id and e.status not in ('failed', 'cancelled')
    ) then
      provider_key := v_before.provider_key;
    end if;
  end if;
end
$$;

-- A write that was begun or done, as all who ask for one get it (in TypeScript `Write`): { id, toolCallId, toolName,
-- arguments, intent, repetition, status: the current one, at: when it was claimed, idempotencyKey, result: a ToolResult,
-- null if nobody has reported one, durationMs, isSecond: as of is_second_try }.
create function askback_private.write_json(p_write askback.tool_executions) returns json
language plpgsql stable set search_path = '' as $$
begin
  return case when p_write.id is not null then json_build_object(
    'id', p_write.id,
    'toolCallId', p_write.tool_call_id,
    'toolName', p_write.tool_name,
    'arguments', p_write.arguments,
    'intent', p_write.intent,
    'repetition', p_write.repetition,
    'status', askback_private.effective_status(p_write.status, p_write.lease_expires_at, p_write.delivery_id),
    'at', p_write.created_at,
    'idempotencyKey', p_write.idempotency_key,
    'result', p_write.result,
    'durationMs', p_write.duration_ms,
    'isSecond', askback_private.is_second_try(p_write)
  ) end;
end
$$;

-- The write that a new one would repeat: { write: as of write_json, nextRepetition: null in another turn or for other
-- arguments, otherWords: as of write_in_other_words, null if it is the same in the same words }.
create function askback_private.earlier_json(
  p_run askback.runs, p_write askback.tool_executions, p_invocation json, p_other_words json default null
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return json_build_object(
    'write', askback_private.write_json(p_write),
    'nextRepetition', case
      when p_write.turn_id = p_run.turn_id and p_write.argument_hash = p_invocation ->> 'argumentHash'
      then p_write.repetition + 1
    end,
    'otherWords', p_other_words
  );
end
$$;

-- What a user typed in a message, and into the forms that it led to: { content, forms: [values] }.
create function askback_private.typed_message(p_message askback.messages) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'content', (
        select e.entry -> 'content' from askback.entries e
        where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id
          and e.message_id = p_message.id and e.type = 'user-message'
        limit 1
      ),
      'forms', (
        select coalesce(json_agg(e.entry -> 'values' order by r.started_at, e.sequence), '[]')
        from askback.runs r
        join askback.entries e on e.run_id = r.id
        where r.turn_id = p_message.turn_id and r.user_id = p_message.user_id
          and r.conversation_id = p_message.conversation_id
          and e.type = 'decision' and e.entry -> 'values' is not null
      )
    )
  );
end
$$;

-- What was typed since the message that led to a write, on the line of the chat: the message that a run answers, the one
-- that it follows, and so on. If that message is not on the line, because it was edited or belongs to another branch, the
-- first later one takes its place; one of another chat is on it if the client's history had its words. In a chat without a
-- name all other chats come before. Oldest first: [as of typed_message].
create function askback_private.typed_since(p_run askback.runs, p_led askback.messages) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with recursive line as (
      select * from askback_private.message_of_run(p_run) where id is not null
      union all
      select m.*
      from line l
      join askback.messages m
        on m.user_id = l.user_id and m.conversation_id = l.conversation_id and m.id = l.follows
        -- One that came back later breaks the line.
        and m.position < l.position
      where l.position > p_led.position
    )
    select coalesce(json_agg(askback_private.typed_message(l) order by l.position), '[]')
    from (
      select * from line
      where position > p_led.position and (
        exists (
          select 1 from line
          where id = p_led.id and conversation_id = p_led.conversation_id
            or p_led.conversation_id <> p_run.conversation_id and p_led.words = any (words || words_before)
        )
        or position > (select min(position) from line where position > p_led.position)
        or p_led.conversation_id <> p_run.conversation_id and not exists (
          select 1 from askback.conversations c
          where c.user_id = p_run.user_id and c.id = p_run.conversation_id and c.client_chat = 'named'
        )
      )
      order by position desc limit 100
    ) l
  );
end
$$;

-- The newest of the writes within 12 hours, of earlier turns or of replaced answers, that went to the same people, whatever
-- they say: to all of those that the new one goes to, in whatever place. Not for a tool that `repeats`, a write to nobody
-- but the user, or a reply to another email. The two are the same unless the user has typed something new since, which
-- `otherWords` lets the loop decide; it claims again with `newSince`, the time of that write.
--
-- out  as of earlier_json, with otherWords: { led: as of typed_message, typed: as of typed_since, writes: [arguments] };
--      null if there is none
create function askback_private.write_in_other_words(p_run askback.runs, p_invocation json) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_people text[] := askback_private.text_list(p_invocation #> '{meaning,people}');
  v_answers text := coalesce(p_invocation #>> '{meaning,answers}', '');
  v_found uuid[];
  v_newest askback.tool_executions;
  v_led askback.messages;
begin
  if coalesce(cardinality(v_people), 0) = 0 or coalesce((p_invocation #>> '{meaning,repeats}')::boolean, false) then
    return null;
  end if;
  select array_agg(e.id order by e.created_at desc, e.position desc) into v_found
  from askback_private.earlier_writes(p_run, p_invocation, now() - interval '12 hours') e
  where e.created_at > now() - interval '12 hours' and e.people && v_people
    and not (e.turn_id = p_run.turn_id and askback_private.has_seen(p_run, e));
  select * into v_newest from askback.tool_executions where id = v_found[1];
  if v_newest.id is null or v_newest.created_at <= (p_invocation ->> 'newSince')::timestamptz
    or not v_people <@ array(
      select person from askback.tool_executions e, unnest(e.people) person where e.id = any (v_found)
    )
    or (v_answers <> '' and not exists (
      select 1 from askback.tool_executions e where e.id = any (v_found) and e.answers = v_answers
    ))
  then
    return null;
  end if;
  select * into v_led from askback.messages
  where user_id = v_newest.user_id and conversation_id = v_newest.conversation_id and id = v_newest.led_by;
  return askback_private.earlier_json(p_run, v_newest, p_invocation, json_build_object(
    'led', case when v_led.id is not null then askback_private.typed_message(v_led) end,
    'typed', case when v_led.id is not null then askback_private.typed_since(p_run, v_led) else '[]' end,
    'writes', (
      select json_agg(e.arguments) from askback.tool_executions e where e.id = any (v_found[:100])
    )
  ));
end
$$;

-- The write that a new one would repeat, in the same or in other words: as of earlier_json or write_in_other_words; null
-- if there is none.
create function askback_private.earlier_write(p_run askback.runs, p_invocation json) returns json
language plpgsql set search_path = '' as $$
declare
  v_same askback.tool_executions := askback_private.same_write(p_run, p_invocation);
begin
  if v_same.id is null then
    return askback_private.write_in_other_words(p_run, p_invocation);
  end if;
  return askback_private.earlier_json(p_run, v_same, p_invocation);
end
$$;

-- The write that a call would repeat, for the question that is asked about it anyway.
--
-- in   p_invocation: as for claim_invocation
-- out  as of earlier_json; null: there is none
create function askback.find_same_write(p_run_id uuid, p_invocation json) returns json
language plpgsql set search_path = '' as $$
begin
  return (
    select askback_private.earlier_write(r, p_invocation) from askback.runs r where r.id = p_run_id
  );
end
$$;

-- Why a run may not write; null if it may. As of claim_invocation.
create function askback_private.writer_refusal(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_loss jsonb;
  v_refused text;
begin
  if p_run.status is distinct from 'running' then
    v_loss := askback_private.loss_of(p_run);
    return jsonb_strip_nulls(jsonb_build_object(
      'claimed', false, 'status', 'stopped',
      'isOvertaken', nullif(v_loss -> 'isOvertaken', 'false'), 'isLost', nullif(v_loss -> 'isLost', 'false')
    ));
  end if;
  v_refused := askback.account_refusal(p_run.user_id);
  return case when v_refused is not null then json_build_object('claimed', false, 'status', v_refused) end;
end
$$;

-- Whether a run writes for a client of the OpenAI protocol. Such writes count across conversations, so the user's are
-- claimed one after the other. Taken after the conversation's own lock, to avoid deadlocks.
create function askback_private.lock_client_writes(p_run askback.runs) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_by_client boolean := (
    select client_chat is not null from askback.conversations
    where user_id = p_run.user_id and id = p_run.conversation_id
  );
begin
  if v_by_client then
    perform pg_advisory_xact_lock(hashtextextended('askback by_client ' || p_run.user_id, 0));
  end if;
  return v_by_client;
end
$$;

-- The write that holds the claim of an invocation; null if it is free.
create function askback_private.claim_holder(
  p_run askback.runs, p_invocation json, p_key text
) returns askback.tool_executions
language plpgsql set search_path = '' as $$
declare
  v_holder askback.tool_executions := askback_private.live_execution(p_run.user_id, p_key);
begin
  if v_holder.id is null and (p_invocation ->> 'repetition')::integer > 0 then
    -- The user was asked whether to do this very call again; since then its first try turned out to be carried out.
    select * into v_holder from askback.tool_executions
    where user_id = p_run.user_id and conversation_id = p_run.conversation_id
      and tool_call_id = p_invocation ->> 'toolCallId' and argument_hash = p_invocation ->> 'argumentHash'
      and idempotency_key is not null and status = 'succeeded'
    order by position desc limit 1;
  end if;
  return v_holder;
end
$$;

create function askback_private.won_claim(p_id uuid, p_key text, p_is_second boolean) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_strip_nulls(json_build_object(
    'claimed', true, 'invocationId', p_id, 'idempotencyKey', p_key, 'isSecond', nullif(p_is_second, false)
  ));
end
$$;

-- What an invocation gets whose claim is held: its own again, or what has become of the write that holds it.
create function askback_private.held_claim(
  p_run askback.runs, p_invocation json, p_key text, p_holder askback.tool_executions
) returns json
language plpgsql stable set search_path = '' as $$
begin
  if p_holder.id = (p_invocation ->> 'id')::uuid and p_holder.status = 'running' then
    return askback_private.won_claim(p_holder.id, p_key, askback_private.is_second_try(p_holder));
  end if;
  return json_build_object(
    'claimed', false, 'status', p_holder.status, 'write', askback_private.write_json(p_holder),
    -- An approved repetition gets the next number.
    'latestRepetition', (
      select max(e.repetition) from askback.tool_executions e
      where e.turn_id = p_run.turn_id and e.tool_name = p_holder.tool_name
        and e.argument_hash = p_holder.argument_hash and e.idempotency_key is not null
    )
  );
end
$$;

-- Why somebody has to be asked before a free claim is made, or it has to wait; null if it may be made.
create function askback_private.claim_refusal(
  p_run askback.runs, p_invocation json, p_permissions uuid[]
) returns json
language plpgsql set search_path = '' as $$
declare
  v_earlier json := askback_private.earlier_write(p_run, p_invocation);
  v_hold jsonb;
begin
  if v_earlier is not null then
    return json_build_object('claimed', false, 'status', 'same', 'earlier', v_earlier);
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

-- Stores a claim; false if this very invocation has been settled otherwise. Fails with unique_violation if another claim
-- was faster.
create function askback_private.store_claim(
  p_run askback.runs, p_invocation json, p_key text, p_provider_key text, p_permissions uuid[], p_by_client boolean
) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_id uuid := (p_invocation ->> 'id')::uuid;
begin
  insert into askback.tool_executions as existing (
    id, user_id, conversation_id, turn_id, run_id, session_id, tool_call_id, tool_name, effect, attempt, intent,
    repetition, arguments, repairs, argument_hash, sourced, named, people, answers, repeats, led_by, by_client,
    used_permissions, idempotency_key, provider_key, status, lease_expires_at
  ) values (
    v_id,
    p_run.user_id,
    p_run.conversation_id,
    p_run.turn_id,
    p_run.id,
    askback_private.session_of(p_run.root_run_id, v_id, (p_invocation ->> 'intent')::integer),
    p_invocation ->> 'toolCallId',
    p_invocation ->> 'toolName',
    'write',
    coalesce((p_invocation ->> 'attempt')::integer, 1),
    coalesce((p_invocation ->> 'intent')::integer, 0),
    coalesce((p_invocation ->> 'repetition')::integer, 0),
    p_invocation -> 'arguments',
    coalesce(p_invocation -> 'repairs', '[]'),
    p_invocation ->> 'argumentHash',
    coalesce(p_invocation #>> '{meaning,sourced}', ''),
    coalesce(p_invocation #>> '{meaning,named}', ''),
    coalesce(askback_private.text_list(p_invocation #> '{meaning,people}'), '{}'),
    coalesce(p_invocation #>> '{meaning,answers}', ''),
    coalesce((p_invocation #>> '{meaning,repeats}')::boolean, false),
    (askback_private.message_of_run(p_run)).id,
    p_by_client,
    p_permissions,
    p_key,
    p_provider_key,
    'running',
    clock_timestamp() + make_interval(secs => coalesce((p_invocation ->> 'leaseSeconds')::double precision, 60))
  )
  -- The same invocation again: it provably did not run.
  on conflict (id) do update set
    run_id = excluded.run_id, arguments = excluded.arguments, repairs = excluded.repairs,
    argument_hash = excluded.argument_hash, repetition = excluded.repetition,
    sourced = excluded.sourced, named = excluded.named, people = excluded.people, answers = excluded.answers,
    repeats = excluded.repeats, led_by = excluded.led_by, by_client = excluded.by_client,
    used_permissions = excluded.used_permissions, idempotency_key = excluded.idempotency_key,
    provider_key = excluded.provider_key,
    status = 'running', result = null, duration_ms = null,
    lease_expires_at = excluded.lease_expires_at, delivery_id = null, effect_started_at = null,
    closed = false, created_at = excluded.created_at, settled_at = null, note = null
  where existing.user_id = excluded.user_id and existing.turn_id = excluded.turn_id
    and existing.tool_name = excluded.tool_name and existing.status = 'failed';
  return found;
end
$$;

-- Closes what a claim answers: the item that it continues. And nobody has to decide about an earlier try of this very call
-- any more.
create function askback_private.close_claimed(p_run askback.runs, p_invocation json) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.open_items set
    closed_at = clock_timestamp(),
    closed_as = case when (p_invocation ->> 'yields')::boolean then 'yielded' else 'replaced' end,
    closed_by = p_run.id
  where user_id = p_run.user_id and conversation_id = p_run.conversation_id
    and id = p_invocation ->> 'continues' and closed_at is null;
  perform askback_private.close_item(i, 'replaced')
  from askback.open_items i
  where i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id
    and i.tool_call_id = p_invocation ->> 'toolCallId' and i.outcome_unknown and i.closed_at is null;
end
$$;

-- Claims a write for a run, and stores what the run has written so far. Of any number of claims for one effect one wins;
-- the winner's own claim wins again if it is repeated.
--
-- in   p_invocation: { version: of the code, id, toolCallId, toolName, effect: write, attempt, intent, repetition,
--      arguments, argumentHash, repairs, meaning?: { sourced, named, people, answers, repeats }, siblings?: calls of the
--      same answer of the model, itemAskedAt?, coveredUntil?, newSince?, continues?: the item that the claim closes,
--      yields?: that one was for other people, needs?: as for covering_permissions, leaseSeconds }; p_entries: as for append_entries
-- out  { claimed: true, invocationId, idempotencyKey, isSecond?: nobody knows what became of an equal one before it }
--      { claimed: false, status: version_not_accepted }
--      { claimed: false, status: stopped, isOvertaken?: true, isLost?: true, as of loss_of }: the run may no longer
--      write
--      { claimed: false, status: unknown_user | account_disabled | anonymous_refused }: nor may its user
--      { claimed: false, status: left }: nobody is waiting for the answer right now, ask again in a second
--      { claimed: false, status: same, earlier: as of find_same_write }
--      { claimed: false, status: not_permitted, spent?: as of spent_permission }: no standing permission covers it
--      { claimed: false, status: limited, hold: as of write_hold }
--      { claimed: false, status: running | succeeded | unknown, write: as of write_json, latestRepetition }: if it is of this
--      very call, its process has died
create function askback.claim_invocation(p_run_id uuid, p_invocation json, p_entries json default '[]') returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
  v_key text;
  v_by_client boolean;
  v_holder askback.tool_executions;
  v_permissions uuid[];
  v_provider record;
  v_refused json;
begin
  if not askback_private.is_accepted(p_invocation -> 'version') then
    return json_build_object('claimed', false, 'status', 'version_not_accepted');
  end if;
  -- The lock separates a stop from this claim, and of two writes that mean the same the second one sees the first.
  v_run := askback_private.heed_followers(askback_private.regain_run(askback_private.lock_run(p_run_id)));
  v_refused := askback_private.writer_refusal(v_run);
  if v_refused is not null then
    return v_refused;
  end if;
  if p_invocation ->> 'effect' is distinct from 'write' then
    raise exception 'only writes are claimed; % is a %', p_invocation ->> 'toolName', p_invocation ->> 'effect'
    using errcode = 'invalid_parameter_value';
  end if;
  perform askback_private.append_entries(v_run, p_entries);
  if v_run.left_at is not null then
    return json_build_object('claimed', false, 'status', 'left');
  end if;
  v_by_client := askback_private.lock_client_writes(v_run);
  v_key := askback_private.idempotency_key(
    v_run.user_id, v_run.turn_id, p_invocation ->> 'toolName', p_invocation ->> 'argumentHash',
    coalesce((p_invocation ->> 'repetition')::integer, 0)
  );

  loop
    v_holder := askback_private.claim_holder(v_run, p_invocation, v_key);
    if v_holder.id is not null then
      return askback_private.held_claim(v_run, p_invocation, v_key, v_holder);
    end if;
    v_permissions := case
      when p_invocation -> 'needs' is not null
      then askback_private.covering_permissions(v_run, p_invocation ->> 'toolName', p_invocation -> 'needs')
    end;
    v_refused := askback_private.claim_refusal(v_run, p_invocation, v_permissions);
    if v_refused is not null then
      return v_refused;
    end if;
    v_provider := askback_private.provider_key(v_run, p_invocation, v_key);
    begin
      if not askback_private.store_claim(
        v_run, p_invocation, v_key, v_provider.provider_key, v_permissions, v_by_client
      ) then
        return json_build_object('claimed', false, 'status', 'stopped');
      end if;
      perform askback_private.use_permissions(v_permissions);
      perform askback_private.close_claimed(v_run, p_invocation);
      return askback_private.won_claim((p_invocation ->> 'id')::uuid, v_key, v_provider.is_second);
    exception
      -- Another claim was faster: look at it.
      when unique_violation then null;
    end;
  end loop;
end
$$;

-- The current status of the claimed writes of a run's turn, the newest one of each call.
--
-- out  [as of write_json]
create function askback.write_outcomes(p_run_id uuid, p_tool_call_ids text[]) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(askback_private.write_json(newest.write)), '[]')
    from (
      select distinct on (e.tool_call_id) e as write
      from askback.tool_executions e
      join askback.runs r on r.id = p_run_id and r.user_id = e.user_id and r.turn_id = e.turn_id
      where e.tool_call_id = any (p_tool_call_ids) and e.idempotency_key is not null
        and e.status in ('running', 'succeeded', 'failed', 'unknown', 'cancelled')
      order by e.tool_call_id, e.position desc
    ) newest
  );
end
$$;

-- Allows one delivery to run the effect, and returns the connections in the same round trip. The integration function
-- calls it right before the effect. A call that no run has claimed gets its own row.
--
-- in   p_effect: { deliveryId, idempotencyKey?, toolName, arguments, argumentHash, providers: [text], agentId?,
--      hasSecondFactor?, leaseSeconds }
-- out  { proceed: true, invocationId, providerKey: what the provider is told, note: of an earlier delivery, earlierNote: of
--      the write whose provider key this one keeps, connections: as of usable_connections }
--      { proceed: false, status: running | succeeded | failed | unknown | cancelled | mismatch | switched_off, result }
create function askback.begin_effect(p_user_id uuid, p_effect json) returns json
language plpgsql set search_path = '' as $$
declare
  v_delivery uuid := (p_effect ->> 'deliveryId')::uuid;
  v_key text := coalesce(p_effect ->> 'idempotencyKey', p_effect ->> 'deliveryId');
  v_lease interval := make_interval(secs => coalesce((p_effect ->> 'leaseSeconds')::double precision, 60));
  v_id uuid := gen_random_uuid();
  v_row askback.tool_executions;
  v_may_run boolean;
  v_is_off boolean := askback.switched_off_reason(p_effect ->> 'toolName') is not null;
begin
  loop
    v_row := askback_private.live_execution(p_user_id, v_key);
    if v_row.id is null then
      select * into v_row from askback.tool_executions
      where user_id = p_user_id and idempotency_key = v_key
      order by position desc limit 1
      for update;
      -- It became live while we waited for its lock.
      continue when v_row.status in ('running', 'succeeded', 'unknown');
    end if;
    -- A claimed write is settled, whatever has become of its user since.
    if v_row.status is distinct from 'running' then
      perform askback_private.require_account(p_user_id);
    end if;

    if v_row.id is null then
      if v_is_off then
        return json_build_object('proceed', false, 'status', 'switched_off', 'result', null);
      end if;
      -- Nobody but the caller has decided this.
      if p_effect ->> 'hasSecondFactor' is null then
        perform askback_private.refuse_without_factor();
      end if;
      insert into askback.tool_executions (
        id, user_id, session_id, tool_call_id, tool_name, effect, arguments, argument_hash, idempotency_key, provider_key,
        status, lease_expires_at, delivery_id, effect_started_at
      ) values (
        v_id, p_user_id, v_id::text, v_id::text, p_effect ->> 'toolName', 'write',
        coalesce(p_effect -> 'arguments', 'null'), p_effect ->> 'argumentHash', v_key, v_key, 'running',
        clock_timestamp() + v_lease, v_delivery, clock_timestamp()
      )
      on conflict do nothing
      returning * into v_row;
      -- Another delivery was faster: look at it.
      continue when v_row.id is null;
      exit;
    end if;

    if v_row.tool_name is distinct from p_effect ->> 'toolName'
      or v_row.argument_hash is distinct from p_effect ->> 'argumentHash'
    then
      return json_build_object('proceed', false, 'status', 'mismatch', 'result', null);
    end if;

    -- Running: for the first delivery, even if that is repeated. Failed: it provably did not run and may be tried again;
    -- a claimed write only while its run is running, somebody is waiting for it, and the run has not settled it.
    v_may_run := case v_row.status
      when 'running' then coalesce(v_row.delivery_id, v_delivery) = v_delivery
      when 'failed' then v_row.turn_id is null or (
        not v_row.closed and exists (
          select 1 from askback.runs where id = v_row.run_id and status = 'running' and left_at is null
        )
      )
      else false
    end;
    if not v_may_run then
      return json_build_object('proceed', false, 'status', v_row.status, 'result', v_row.result);
    end if;
    -- A delivery that was allowed before the tool was switched off continues.
    if v_is_off and v_row.delivery_id is distinct from v_delivery then
      return json_build_object('proceed', false, 'status', 'switched_off', 'result', null);
    end if;
    begin
      update askback.tool_executions set
        status = 'running', result = null, duration_ms = null, settled_at = null, delivery_id = v_delivery,
        effect_started_at = coalesce(case when delivery_id = v_delivery then effect_started_at end, clock_timestamp()),
        lease_expires_at = greatest(lease_expires_at, clock_timestamp() + v_lease)
      where id = v_row.id;
      exit;
    exception
      -- The write has just been claimed again: look at that claim.
      when unique_violation then null;
    end;
  end loop;

  return json_build_object(
    'proceed', true,
    'invocationId', v_row.id,
    'providerKey', v_row.provider_key,
    'note', v_row.note,
    'earlierNote', case when v_row.provider_key <> v_key then (
      select e.note from askback.tool_executions e
      where e.user_id = p_user_id and e.idempotency_key = v_row.provider_key
      order by e.position desc limit 1
    ) end,
    'connections', askback_private.usable_connections(
      p_user_id,
      array(select json_array_elements_text(coalesce(p_effect -> 'providers', '[]'))),
      (p_effect ->> 'agentId')::uuid,
      p_effect ->> 'toolName'
    )
  );
end
$$;

-- Records how an effect that is about to happen can be found later, like the id of a draft, in place of what it recorded
-- before. It may be repeated.
--
-- out  false: this delivery may no longer run, or somebody has amended its note
create function askback.note_effect(
  p_user_id uuid, p_invocation_id uuid, p_delivery_id uuid, p_earlier json, p_note json
) returns boolean
language sql set search_path = '' as $$
  with noted as (
    update askback.tool_executions set note = p_note
    where id = p_invocation_id and user_id = p_user_id and delivery_id = p_delivery_id and status = 'running'
      and (note::jsonb is not distinct from p_earlier::jsonb or note::jsonb = p_note::jsonb)
    returning 1
  )
  select exists (select 1 from noted)
$$;

-- What is known about a write that may have happened, for the function that asks its provider.
--
-- in   p_effect: { idempotencyKey, toolName, argumentHash, providers: [text], agentId? }
-- out  { invocationId, deliveryId, status, providerKey, note, effectStartedAt, connections: as of usable_connections };
--      null: there is no such write
create function askback.load_effect(p_user_id uuid, p_effect json) returns json
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
begin
  select * into v_row from askback.tool_executions
  where user_id = p_user_id and idempotency_key = p_effect ->> 'idempotencyKey'
    and tool_name = p_effect ->> 'toolName' and argument_hash = p_effect ->> 'argumentHash'
  order by position desc limit 1;
  if not found then
    return null;
  end if;
  return json_build_object(
    'invocationId', v_row.id,
    'deliveryId', v_row.delivery_id,
    'status', v_row.status,
    'providerKey', v_row.provider_key,
    'note', v_row.note,
    'effectStartedAt', v_row.effect_started_at,
    'connections', askback_private.usable_connections(
      p_user_id,
      array(select json_array_elements_text(coalesce(p_effect -> 'providers', '[]'))),
      (p_effect ->> 'agentId')::uuid,
      p_effect ->> 'toolName'
    )
  );
end
$$;

-- Cancels a delivery that records what it does before it does it, and has recorded nothing. From now on it cannot run.
--
-- out  false: it has recorded something, or is over
create function askback.call_off_effect(p_user_id uuid, p_invocation_id uuid, p_delivery_id uuid) returns boolean
language sql set search_path = '' as $$
  with called_off as (
    update askback.tool_executions
    set status = 'failed', result = null, settled_at = clock_timestamp()
    where id = p_invocation_id and user_id = p_user_id and delivery_id = p_delivery_id
      and note is null and status in ('running', 'unknown')
    returning 1
  )
  select exists (select 1 from called_off)
$$;

-- Replaces what a delivery has recorded. If several callers check the same effect, one succeeds.
--
-- out  false: another one was faster
create function askback.amend_note(
  p_user_id uuid, p_invocation_id uuid, p_delivery_id uuid, p_earlier json, p_note json
) returns boolean
language sql set search_path = '' as $$
  with amended as (
    update askback.tool_executions set note = p_note
    where id = p_invocation_id and user_id = p_user_id and delivery_id = p_delivery_id
      and note::jsonb = p_earlier::jsonb and status in ('running', 'unknown')
    returning 1
  )
  select exists (select 1 from amended)
$$;

-- Ends a write. The first settlement stays; only `unknown` may still become succeeded or failed. With p_delivery_id it
-- comes from the integration function, and only counts for that delivery. Without, it comes from the run that made the
-- claim: it is final, and what the run has written is stored with it.
--
-- in   p_status: succeeded | failed | unknown | cancelled; p_result: a ToolResult; p_entries: as for append_entries
-- out  { stored: whether the entries are stored }
create function askback.settle_invocation(
  p_user_id uuid,
  p_invocation_id uuid,
  p_status text,
  p_result json,
  p_duration_ms integer default null,
  p_delivery_id uuid default null,
  p_run_id uuid default null,
  p_entries json default '[]'
) returns json
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
  v_run askback.runs;
  v_settles boolean;
  v_stored boolean := false;
begin
  if p_status not in ('succeeded', 'failed', 'unknown', 'cancelled') then
    raise exception 'cannot settle an invocation as %', p_status using errcode = 'invalid_parameter_value';
  end if;
  if p_run_id is not null then
    v_run := askback_private.lock_run(p_run_id);
    if v_run.user_id = p_user_id and v_run.status in ('running', 'stopping') then
      perform askback_private.append_entries(v_run, p_entries);
      v_stored := true;
    end if;
  end if;
  select * into v_row from askback.tool_executions
  where id = p_invocation_id and user_id = p_user_id for update;
  if not found then
    return json_build_object('stored', v_stored);
  end if;

  -- Its conversation was deleted: only the fact that something happened is kept.
  if v_row.turn_id is not null and v_row.conversation_id is null then
    p_result := null;
  end if;
  v_settles := (p_delivery_id is null or v_row.delivery_id = p_delivery_id)
    and (v_row.status = 'running' or (v_row.status = 'unknown' and p_status in ('succeeded', 'failed')));
  if v_settles then
    update askback.tool_executions set
      -- A delivered write can no longer be cancelled.
      status = case when p_status = 'cancelled' and delivery_id is not null then 'unknown' else p_status end,
      result = p_result,
      duration_ms = p_duration_ms,
      closed = p_delivery_id is null,
      settled_at = clock_timestamp()
    where id = v_row.id;
    -- Until now it may have counted as open. If somebody else holds the conversation's lock, they will count.
    perform askback_private.count_open(c.user_id, c.id)
    from (
      select user_id, id from askback.conversations
      where user_id = p_user_id and id = v_row.conversation_id and open_count > 0 for update skip locked
    ) c;
  elsif p_delivery_id is null and v_row.status = 'failed' then
    update askback.tool_executions set
      closed = true, result = coalesce(result, p_result), duration_ms = coalesce(duration_ms, p_duration_ms)
    where id = v_row.id;
  end if;
  return json_build_object('stored', v_stored);
end
$$;

-- Running writes whose lease has run out become unknown, or are withdrawn. Decisions check the lease themselves; this is
-- for everybody who only reads the status.
create function askback_private.expire_executions() returns integer
language plpgsql set search_path = '' as $$
declare
  v_row askback.tool_executions;
  v_expired integer := 0;
begin
  for v_row in
    select * from askback.tool_executions
    where status = 'running' and lease_expires_at < clock_timestamp()
    for update skip locked
  loop
    perform askback_private.expire_execution(v_row);
    v_expired := v_expired + 1;
  end loop;
  return v_expired;
end
$$;
