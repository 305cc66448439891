-- What a run that has begun, or has ended, answers to whoever asks for it.

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

-- A run for observers who did not start it: { runId, conversationId, messageId, status, replacedBy: as of replaced_by, entries:
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
      'replacedBy', askback_private.replaced_by(p_run),
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

-- What a process that has ended its run is told, as of finish_run. A run that has lost its place has no end.
create function askback_private.end_answer(p_run askback.runs) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'pending', askback.list_items(p_run.user_id, p_run.conversation_id),
      'isStored', exists (select 1 from askback.entries e where e.run_id = p_run.id and e.type = 'run-end'),
      'replacedBy', askback_private.replaced_by(p_run)
    )
  );
end
$$;
