-- The life of a run. Callers hold the lock on the conversation's row.

-- Why there is no run: a code, which the calling function turns into a sentence.
create function askback_private.refusal(p_code text) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_build_object('kind', 'error', 'code', p_code);
end
$$;

-- Whether a run that was to continue something died before it had written anything: then it counts as if it had never
-- existed.
create function askback_private.left_no_trace(p_run askback.runs) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_run.status = 'interrupted' and p_run.resumed_run_id is not null
      and not exists (select 1 from askback.entries e where e.run_id = p_run.id)
  );
end
$$;

-- The newest run of a conversation, or of one of its messages or turns; null if there is none.
create function askback_private.newest_run(
  p_user_id uuid, p_conversation_id text, p_message_id text default null, p_turn_id uuid default null
) returns askback.runs
language plpgsql stable set search_path = '' as $$
declare
  v_found askback.runs;
begin
  select r.* into v_found from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    and (p_message_id is null or r.message_id = p_message_id)
    and (p_turn_id is null or r.turn_id = p_turn_id)
    and not askback_private.left_no_trace(r)
  order by r.started_at desc limit 1;
  return v_found;
end
$$;

-- How the items of a message were closed: { itemId: closed_as }.
create function askback_private.closed_items(p_user_id uuid, p_conversation_id text, p_message_id text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_object_agg(id, closed_as), '{}')
    from askback.open_items
    where user_id = p_user_id and conversation_id = p_conversation_id and message_id = p_message_id
      and closed_at is not null
  );
end
$$;

-- The specifications of the tools that a run calls or asks about, as its agent may use them, or the user's oldest agent
-- if that one was deleted: their parameters define forms and the names of corrected values.
create function askback_private.used_tools(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select askback_private.permitted_specifications(p_run.user_id, p_run.agent_id, array(
      select e.entry ->> 'toolName' from askback.entries e
      where e.user_id = p_run.user_id and e.conversation_id = p_run.conversation_id
        and e.message_id = p_run.message_id and e.type in ('question', 'call')
    ))
  );
end
$$;

-- The writes of a run that was to stop and died before it wrote its end, as of unreported_writes; empty for any other.
create function askback_private.writes_without_end(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select case
      when p_run.status <> 'stopped'
        or exists (select 1 from askback.entries e where e.run_id = p_run.id and e.type = 'run-end')
      then '[]'
      else askback_private.unreported_writes(
        p_run.user_id, p_run.conversation_id,
        askback_private.position_of(p_run.user_id, p_run.conversation_id, p_run.message_id) + 1, 1
      )
    end
  );
end
$$;

-- Whether something else has taken the place of a run whose process was silent: its message was cut off or goes on in
-- another run, or somebody has decided otherwise about an item that it was to continue.
create function askback_private.is_replaced(p_run askback.runs) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_run.status = 'interrupted' and (
      p_run.superseded_at is not null
      or exists (
        select 1 from askback.runs
        where user_id = p_run.user_id and conversation_id = p_run.conversation_id
          and message_id = p_run.message_id and started_at > p_run.started_at
      )
      or exists (
        select 1 from askback.open_items i
        where i.user_id = p_run.user_id and i.conversation_id = p_run.conversation_id
          and i.id in (select item ->> 'itemId' from json_array_elements(p_run.decided) item)
          -- One that had expired before is asked again.
          and i.closed_at > p_run.started_at and i.closed_by is distinct from p_run.id
      )
    )
  );
end
$$;

-- The run that writes the message of one whose process was silent; null if there is none.
create function askback_private.taken_by(p_run askback.runs) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (
    select id from askback.runs
    where p_run.status = 'interrupted' and user_id = p_run.user_id and conversation_id = p_run.conversation_id
      and message_id = p_run.message_id and started_at > p_run.started_at
    order by started_at desc limit 1
  );
end
$$;

-- A run as its own process finds it: running again if that was silent for longer than its lease, and nothing has begun in
-- its conversation since.
create function askback_private.regain_run(p_run askback.runs) returns askback.runs
language plpgsql set search_path = '' as $$
begin
  -- One that was given back still has its lease.
  if p_run.status = 'interrupted' and p_run.lease_expires_at <= p_run.finished_at and not askback_private.is_replaced(p_run)
    and not exists (
      select 1 from askback.runs
      where user_id = p_run.user_id and conversation_id = p_run.conversation_id and started_at > p_run.started_at
    )
  then
    update askback.runs set
      status = 'running', finished_at = null, lease_expires_at = clock_timestamp() + interval '15 seconds'
    where id = p_run.id
    returning * into p_run;
  end if;
  return p_run;
end
$$;

-- Why a run may do nothing more: { isOvertaken: its user has written again, isLost: something else has taken its place }.
-- With neither, somebody has stopped it.
create function askback_private.loss_of(p_run askback.runs) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'isOvertaken', coalesce(p_run.overtaken or (p_run.status = 'interrupted' and not lost), false),
      'isLost', coalesce(lost, false)
    )
    from (select askback_private.is_replaced(p_run) as lost) replaced
  );
end
$$;

-- A run for observers who did not start it: { runId, conversationId, messageId, status, takenBy: as of taken_by, entries:
-- empty while it runs, unreportedWrites: as of writes_without_end, pending: as of list_items, closed: as of closed_items, tools:
-- [specification] }.
create function askback_private.run_view(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'runId', p_run.id,
      'conversationId', p_run.conversation_id,
      'messageId', p_run.message_id,
      'status', p_run.status,
      'takenBy', askback_private.taken_by(p_run),
      'entries', case when p_run.status in ('running', 'stopping') then '[]' else askback_private.message_entries(m, p_run) end,
      'unreportedWrites', askback_private.writes_without_end(p_run),
      'pending', askback.list_items(p_run.user_id, p_run.conversation_id),
      'closed', askback_private.closed_items(p_run.user_id, p_run.conversation_id, p_run.message_id),
      'tools', askback_private.used_tools(p_run)
    )
    from askback.messages m
    where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.id = p_run.message_id
  );
end
$$;

create function askback_private.join_answer(p_run askback.runs) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_build_object(
    'kind', 'join', 'conversationId', p_run.conversation_id, 'runId', p_run.id, 'messageId', p_run.message_id
  );
end
$$;

create function askback_private.return_answer(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return json_build_object('kind', 'return', 'run', askback_private.run_view(p_run));
end
$$;

-- The earlier answer to a call that starts a run and is repeated, because its reply was lost; null if it is new.
create function askback_private.answer_again(p_run_id uuid, p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select * into v_run from askback.runs where id = p_run_id;
  if not found then
    return null;
  end if;
  if v_run.user_id <> p_user_id or v_run.conversation_id <> p_conversation_id then
    raise exception 'run % belongs to another conversation', p_run_id using errcode = 'invalid_parameter_value';
  end if;
  if v_run.status in ('running', 'stopping') then
    return askback_private.load_run(v_run);
  end if;
  return askback_private.return_answer(v_run);
end
$$;

-- Closes the waits for the clock of stopped runs.
create function askback_private.end_waits_of_stopped(p_user_id uuid, p_conversation_id text) returns void
language plpgsql set search_path = '' as $$
begin
  perform askback_private.close_item(i, 'stop')
  from askback.open_items i
  join askback.runs r on r.id = i.run_id
  where i.user_id = p_user_id and i.conversation_id = p_conversation_id and i.kind = 'wait' and i.closed_at is null
    and r.status = 'stopped';
end
$$;

-- Stops runs whose client has left, and ends those whose lease has run out: their process has died. Whatever such a run
-- was to continue, and has not, can be decided again.
create function askback_private.expire_runs(p_user_id uuid, p_conversation_id text) returns void
language sql set search_path = '' as $$
  select askback_private.heed_followers(r) from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    and r.left_at is not null and r.status in ('running', 'waiting');
  select askback_private.add_cut_calls(r, askback_private.open_calls(r.id)) from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    and r.status in ('running', 'stopping') and r.lease_expires_at < clock_timestamp();
  with dead as (
    update askback.runs set
      status = case status when 'stopping' then 'stopped' else 'interrupted' end,
      finished_at = clock_timestamp()
    where user_id = p_user_id and conversation_id = p_conversation_id
      and status in ('running', 'stopping') and lease_expires_at < clock_timestamp()
    returning 1
  )
  -- Writes that it started and did not end may have happened.
  select askback_private.count_open(p_user_id, p_conversation_id) where exists (select from dead);
  select askback_private.end_waits_of_stopped(p_user_id, p_conversation_id);
  select askback_private.expire_items(p_user_id, p_conversation_id)
$$;

-- Asks the running run of a conversation to stop, and ends waits for the clock. A run whose process is silent is stopped
-- too, so that neither that process nor the clock goes on with it. Returns the run that is stopping, else the one that
-- waited or was silent, else null. p_overtaken: because the user has written again.
create function askback_private.stop_runs(
  p_user_id uuid, p_conversation_id text, p_overtaken boolean default false
) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
  v_waited askback.runs;
  v_silent askback.runs;
  v_stopping askback.runs;
begin
  for v_item in
    select * from askback.open_items
    where user_id = p_user_id and conversation_id = p_conversation_id and kind = 'wait' and closed_at is null
    for update
  loop
    perform askback_private.close_item(v_item, 'stop');
    update askback.runs set status = 'stopped', finished_at = clock_timestamp()
    where id = v_item.run_id and status = 'waiting'
    returning * into v_waited;
  end loop;
  if not p_overtaken then
    update askback.runs r set status = 'stopped'
    where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.status = 'interrupted'
      -- One that was given back still has its lease.
      and r.lease_expires_at <= r.finished_at and r.superseded_at is null and r.started_at > now() - interval '1 hour'
      and not exists (
        select 1 from askback.runs later
        where later.user_id = p_user_id and later.conversation_id = p_conversation_id and later.started_at > r.started_at
      )
    returning * into v_silent;
  end if;
  update askback.runs set status = 'stopping', overtaken = p_overtaken
  where user_id = p_user_id and conversation_id = p_conversation_id and status = 'running';
  select * into v_stopping from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and status = 'stopping'
  order by started_at desc limit 1;
  return case when v_stopping.id is not null then v_stopping when v_waited.id is not null then v_waited else v_silent end;
end
$$;

-- The user message that a new one follows. The history of a client that names its chat decides, however much of it the
-- client has left out: it follows the last message there that is stored. Of several with the same words, the newest one
-- whose own predecessor stands there, too. Any other message follows the newest one of its conversation.
create function askback_private.message_before(p_user_id uuid, p_conversation_id text, p_id text, p_before text[])
returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select case
      when p_before is null then (
        select m.id from askback.messages m
        where m.user_id = p_user_id and m.conversation_id = p_conversation_id and m.role = 'user'
          and m.superseded_at is null and m.id <> p_id
        order by m.position desc limit 1
      )
      else (
        select found.id
        from (select * from unnest(p_before) with ordinality as given (words, number) order by number desc) said
        cross join lateral (
          select m.id
          from askback.messages m
          left join askback.messages earlier
            on earlier.user_id = m.user_id and earlier.conversation_id = m.conversation_id and earlier.id = m.follows
          where m.user_id = p_user_id and m.conversation_id = p_conversation_id and m.words = said.words and m.id <> p_id
          order by coalesce(earlier.words = any (p_before[:said.number - 1]), false) desc, m.position desc
          limit 1
        ) found
        order by said.number desc
        limit 1
      )
    end
  );
end
$$;

-- What the history of a client had before a message and none of those that it follows has told of: stored again with each
-- message, a long chat would take room by the square of its length. Null if there is nothing.
create function askback_private.words_before(p_user_id uuid, p_conversation_id text, p_follows text, p_before text[])
returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    with recursive told as (
      select * from askback.messages
      where user_id = p_user_id and conversation_id = p_conversation_id and id = p_follows and superseded_at is null
        and cardinality(p_before) > 0
      union all
      select m.*
      from told t
      join askback.messages m
        on m.user_id = t.user_id and m.conversation_id = t.conversation_id and m.id = t.follows
        and m.position < t.position and m.superseded_at is null
    )
    select array_agg(before) from (
      select unnest(p_before) as before
      except select words from told
      except select unnest(words_before) from told where words_before is not null
    ) untold
  );
end
$$;

-- Appends user messages to a conversation, except those that are already in it. One that was cut off comes back with its
-- new content. The last one belongs to the turn of the run.
create function askback_private.store_messages(p_run askback.runs, p_messages json, p_ids text[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_stored text[];
  v_replaced uuid[];
  v_files uuid[];
begin
  -- The entries and files that a message which comes back had before.
  if exists (
    select 1 from askback.messages
    where user_id = p_run.user_id and conversation_id = p_run.conversation_id and id = any (p_ids)
      and superseded_at is not null
  ) then
    delete from askback.entries e
    using askback.messages m
    where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.id = any (p_ids)
      and m.superseded_at is not null
      and e.user_id = m.user_id and e.conversation_id = m.conversation_id and e.message_id = m.id;
    with replaced as (
      delete from askback.message_files f
      using askback.messages m
      where m.user_id = p_run.user_id and m.conversation_id = p_run.conversation_id and m.id = any (p_ids)
        and m.superseded_at is not null
        and f.user_id = m.user_id and f.conversation_id = m.conversation_id and f.message_id = m.id
      returning f.file_id
    )
    select array_agg(file_id) into v_replaced from replaced;
  end if;
  with stored as (
    insert into askback.messages as existing (
      user_id, conversation_id, id, turn_id, role, metadata, written_at, words, words_before, follows
    )
    select
      p_run.user_id, p_run.conversation_id, p_ids[number], p_run.turn_id, 'user', item -> 'metadata',
      clock_timestamp(), item #>> '{place,words}',
      askback_private.words_before(p_run.user_id, p_run.conversation_id, place.follows, place.before),
      place.follows
    from json_array_elements(p_messages) with ordinality as given (item, number)
    cross join lateral askback_private.text_list(item #> '{place,wordsBefore}') before
    cross join lateral (
      select
        before,
        case
          when number > 1 then p_ids[number - 1]
          else askback_private.message_before(p_run.user_id, p_run.conversation_id, p_ids[number], before)
        end as follows
    ) place
    order by number
    on conflict (user_id, conversation_id, id) do update set
      position = default,
      turn_id = case when existing.id = p_ids[cardinality(p_ids)] then excluded.turn_id else existing.turn_id end,
      metadata = excluded.metadata,
      written_at = excluded.written_at,
      words = excluded.words,
      words_before = excluded.words_before,
      follows = excluded.follows,
      superseded_at = null
    where existing.superseded_at is not null
    returning id
  )
  select array_agg(id) into v_stored from stored;
  insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry, brief)
  select
    p_run.user_id, p_run.conversation_id, p_ids[number], p_run.id, number - cardinality(p_ids) - 1, item -> 'entry',
    item -> 'brief'
  from json_array_elements(p_messages) with ordinality as given (item, number)
  where p_ids[number] = any (v_stored)
  order by number;
  v_files := array(select file_id from askback_private.named_files(p_messages));
  if cardinality(v_files) > 0 then
    insert into askback.message_files (user_id, conversation_id, message_id, file_id)
    select p_run.user_id, p_run.conversation_id, p_ids[number], file_id
    from askback_private.named_files(p_messages)
    where p_ids[number] = any (v_stored)
    on conflict do nothing;
    perform askback_private.use_files(v_files);
  end if;
  if v_replaced is not null then
    perform askback_private.drop_files(p_run.user_id, v_replaced);
  end if;
end
$$;

-- Starts a run, stores the messages that it answers and reserves the place of its own. A run that continues another one
-- writes that one's message. With p_decided (open items) that one waited for them; without, it died.
create function askback_private.start_run(
  p_conversation askback.conversations,
  p_run_id uuid,
  p_turn_id uuid,
  p_agent_id uuid,
  p_request_hash text,
  p_lease_seconds double precision,
  p_goes_on_with askback.runs default null,
  p_decided json default null,
  p_messages json default '[]',
  p_message_ids text[] default '{}',
  p_client json default null,
  p_message_key text default null
) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  insert into askback.runs (
    id, user_id, conversation_id, turn_id, message_id, agent_id, resumed_run_id, root_run_id, decided, request_hash,
    client, message_key, started_at, lease_expires_at, reserved
  ) values (
    p_run_id, p_conversation.user_id, p_conversation.id, p_turn_id,
    coalesce(p_goes_on_with.message_id, p_run_id::text), p_agent_id,
    case when p_decided is not null then p_goes_on_with.id end, coalesce(p_goes_on_with.root_run_id, p_run_id),
    coalesce(p_decided, '[]'), p_request_hash, p_client, p_message_key,
    -- Not now(): runs are ordered by when they got the conversation's lock.
    clock_timestamp(), clock_timestamp() + make_interval(secs => coalesce(p_lease_seconds, 15)),
    askback_private.reserve_budget(p_conversation.user_id, p_agent_id, p_run_id)
  )
  returning * into v_run;
  perform askback_private.store_messages(v_run, p_messages, p_message_ids);
  if p_goes_on_with.id is null then
    insert into askback.messages (user_id, conversation_id, id, turn_id, role)
    values (v_run.user_id, v_run.conversation_id, v_run.message_id, v_run.turn_id, 'assistant');
  end if;
  -- A decision about something older does not choose the agent of the next message, nor where its history begins.
  update askback.conversations c set
    agent_id = case when p_decided is null then p_agent_id else agent_id end,
    -- A new message takes it out of the archive.
    archived = archived and p_decided is not null,
    history_start = case when p_decided is null then h.start else history_start end,
    history_older = case when p_decided is null then h.older else history_older end,
    updated_at = clock_timestamp()
  from askback_private.history_start(
    p_conversation, askback_private.position_of(v_run.user_id, v_run.conversation_id, v_run.message_id)
  ) h
  where user_id = v_run.user_id and id = v_run.conversation_id
    -- One that was made for this run is up to date.
    and created_at <> now();
  return v_run;
end
$$;

-- Keeps a run alive, or takes it up again, stores what it has written, renews what it may use, and returns whether it
-- should stop.
--
-- in   p_entries: as for append_entries
-- out  { stopRequested, isOvertaken, isLost: as of loss_of, isOver: whether it no longer runs, reserved: as of
--      reserve_budget, null if isOver, refusal: as of account_refusal, absent if isOver }
create function askback.heartbeat_run(
  p_run_id uuid, p_lease_seconds integer default 15, p_entries json default '[]'
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs := askback_private.heed_followers(askback_private.regain_run(askback_private.lock_run(p_run_id)));
begin
  if v_run.status in ('running', 'stopping') then
    perform askback_private.append_entries(v_run, p_entries);
    update askback.runs set
      lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds),
      reserved = askback_private.reserve_budget(user_id, agent_id, id)
    where id = p_run_id
    returning * into v_run;
    return json_build_object(
      'stopRequested', v_run.status = 'stopping', 'isOvertaken', v_run.overtaken, 'isLost', false, 'isOver', false,
      'reserved', v_run.reserved, 'refusal', askback.account_refusal(v_run.user_id)
    );
  end if;
  return askback_private.loss_of(v_run) || jsonb_build_object('stopRequested', true, 'isOver', true, 'reserved', null);
end
$$;

-- Records the invocations of a run that needed no claim. Those that are already in the ledger stay as they are.
create function askback_private.record_invocations(p_run askback.runs, p_invocations json) returns void
language plpgsql set search_path = '' as $$
begin
  insert into askback.tool_executions (
    id, user_id, conversation_id, turn_id, run_id, session_id, tool_call_id, tool_name, effect, attempt, intent,
    repetition, arguments, repairs, argument_hash, status, result, duration_ms, created_at, settled_at
  )
  select
    (item ->> 'id')::uuid,
    p_run.user_id,
    p_run.conversation_id,
    p_run.turn_id,
    p_run.id,
    askback_private.session_of(p_run.root_run_id, (item ->> 'id')::uuid, coalesce((item ->> 'intent')::integer, 0)),
    item ->> 'toolCallId',
    item ->> 'toolName',
    item ->> 'effect',
    coalesce((item ->> 'attempt')::integer, 1),
    coalesce((item ->> 'intent')::integer, 0),
    coalesce((item ->> 'repetition')::integer, 0),
    item -> 'arguments',
    coalesce(item -> 'repairs', '[]'),
    item ->> 'argumentHash',
    item ->> 'status',
    item -> 'result',
    round((item ->> 'durationMs')::numeric),
    least((item ->> 'createdAt')::timestamptz, clock_timestamp()),
    clock_timestamp()
  from (
    select distinct on (item ->> 'id') item, number
    from json_array_elements(coalesce(p_invocations, '[]')) with ordinality as given (item, number)
    order by item ->> 'id', number desc
  ) last_word
  where item ->> 'status' <> 'running'
  order by number
  on conflict (id) do nothing;
end
$$;

-- What a process that has ended its run is told, as of finish_run. A run that has lost its place has no end.
create function askback_private.end_answer(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'pending', askback.list_items(p_run.user_id, p_run.conversation_id),
      'isStored', exists (select 1 from askback.entries e where e.run_id = p_run.id and e.type = 'run-end'),
      'takenBy', askback_private.taken_by(p_run)
    )
  );
end
$$;

-- What a run has told as done is done, even if how it ended could not be stored at the time: nobody is asked about it.
create function askback_private.settle_told(p_run askback.runs) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.tool_executions e set
    status = 'succeeded', closed = true, settled_at = clock_timestamp(), result = x.entry -> 'result',
    duration_ms = round((x.entry ->> 'durationMs')::numeric)
  from askback.entries x
  where e.run_id = p_run.id and e.idempotency_key is not null and e.status in ('running', 'unknown')
    and x.run_id = p_run.id and x.type = 'result' and x.tool_call_id = e.tool_call_id
    and x.entry ->> 'status' = 'succeeded';
end
$$;

-- Ends a run in one round trip: the rest of what it has written, its invocations and usage. Calling it again changes
-- nothing. A run that lost its lease may still end, unless another one has taken its place.
--
-- in   p_result: { status, entries: as for append_entries, invocations: [{ id, toolCallId, toolName, effect, attempt,
--      intent, repetition, arguments, argumentHash, repairs, status, result, durationMs, createdAt }] }
-- out  { pending: what is open in the conversation now, as of list_items, isStored: whether the run's end is stored,
--      takenBy: as of taken_by }
create function askback.finish_run(p_run_id uuid, p_result json) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
  v_status text := p_result ->> 'status';
begin
  if v_status is null or v_status in ('running', 'stopping') then
    raise exception 'a run cannot end as %', coalesce(v_status, 'null') using errcode = 'invalid_parameter_value';
  end if;
  v_run := askback_private.lock_run(p_run_id);
  if v_run.id is null then
    return json_build_object('pending', '[]'::json, 'isStored', false, 'takenBy', null);
  end if;
  -- A run that was to stop and lost its lease is `stopped` without having written its end.
  if v_run.status not in ('running', 'stopping', 'interrupted') and (
    v_run.status <> 'stopped'
    or exists (select 1 from askback.entries where run_id = p_run_id and type = 'run-end')
  ) then
    return askback_private.end_answer(v_run);
  end if;

  perform askback_private.record_invocations(v_run, p_result -> 'invocations');
  if askback_private.is_replaced(v_run) then
    -- What it has cost counts all the same.
    perform askback_private.record_usage(v_run, p_result -> 'entries');
    return askback_private.end_answer(v_run);
  end if;

  perform askback_private.append_entries(v_run, p_result -> 'entries');
  perform askback_private.settle_told(v_run);
  if (v_run.status in ('stopping', 'stopped') and v_status <> 'completed')
    -- The user has written since, so nothing waits for the clock any more.
    or (v_status = 'waiting' and askback_private.is_answered_by_later(v_run))
  then
    v_status := 'stopped';
  end if;
  -- The model was asked, and its answer not awaited. Of one that had expired it is counted already.
  if v_status = 'stopped' and v_run.status in ('running', 'stopping') then
    perform askback_private.add_cut_calls(v_run, askback_private.open_calls(p_run_id));
  end if;
  update askback.runs set status = v_status, finished_at = clock_timestamp() where id = p_run_id;
  perform askback_private.end_waits_of_stopped(v_run.user_id, v_run.conversation_id);

  if v_status <> 'interrupted' then
    update askback.messages set written_at = clock_timestamp()
    where user_id = v_run.user_id and conversation_id = v_run.conversation_id and id = v_run.message_id;
  end if;
  update askback.conversations set updated_at = clock_timestamp()
  where user_id = v_run.user_id and id = v_run.conversation_id;
  return askback_private.end_answer(v_run);
end
$$;

-- Asks the run of a conversation to stop.
--
-- out  { runId: null if there was nothing to stop }; null: the user has no such conversation
create function askback.stop_run(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return null;
  end if;
  perform askback_private.expire_runs(p_user_id, p_conversation_id);
  v_run := askback_private.stop_runs(p_user_id, p_conversation_id);
  return json_build_object('runId', v_run.id);
end
$$;
