-- Following a run from another process than the one that works on it.

create function askback.note_reading(p_user_id uuid, p_run_id uuid, p_read boolean) returns void
language sql set search_path = '' as $$
  update askback.runs set end_unread = not p_read where id = p_run_id and user_id = p_user_id
$$;

-- The newest run of a conversation, for those who come back to it: null when there is none.
create function askback.latest_run(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  perform 1 from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and status in ('running', 'stopping')
    and lease_expires_at < clock_timestamp();
  if found then
    perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id for update;
    perform askback.expire_runs(p_user_id, p_conversation_id);
  end if;
  v_run := askback.newest_run(p_user_id, p_conversation_id);
  if v_run.id is null then
    return null;
  end if;
  return json_build_object(
    'conversationId', v_run.conversation_id,
    'runId', v_run.id,
    'messageId', v_run.message_id,
    'isActive', v_run.status in ('running', 'stopping'),
    'isUnread', v_run.end_unread,
    'endedSecondsAgo', extract(epoch from clock_timestamp() - v_run.finished_at)
  );
end
$$;

-- A run while it works, and after it: the entries of its message behind the first p_skip, and whether any of them are
-- its own. null: the user has no such run. `p_follower`: the connection of an OpenAI client that is told of it.
create function askback.follow_run(
  p_user_id uuid, p_run_id uuid, p_skip integer default 0, p_follower uuid default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  if p_follower is not null then
    perform askback.renew_follower(p_user_id, p_run_id, p_follower);
  end if;
  select * into v_run from askback.runs where id = p_run_id and user_id = p_user_id;
  if not found then
    return null;
  end if;
  if v_run.status in ('running', 'stopping') and v_run.lease_expires_at < clock_timestamp() then
    perform 1 from askback.conversations where user_id = p_user_id and id = v_run.conversation_id for update;
    perform askback.expire_runs(p_user_id, v_run.conversation_id);
    select * into v_run from askback.runs where id = p_run_id;
  end if;
  return json_build_object(
    'runId', v_run.id,
    'conversationId', v_run.conversation_id,
    'messageId', v_run.message_id,
    'status', v_run.status,
    'hasWritten', exists (select 1 from askback.entries where run_id = p_run_id and sequence >= 0),
    'entries', (
      select coalesce(json_agg(fresh.entry order by fresh.started_at, fresh.sequence), '[]')
      from (
        select e.entry, r.started_at, e.sequence
        from askback.entries e
        join askback.runs r on r.id = e.run_id
        where e.user_id = p_user_id and e.conversation_id = v_run.conversation_id
          and e.message_id = v_run.message_id and r.started_at <= v_run.started_at
        order by r.started_at, e.sequence
        offset p_skip
      ) fresh
    ),
    'pending', askback.list_items(p_user_id, v_run.conversation_id),
    'closed', askback.closed_items(p_user_id, v_run.conversation_id, v_run.message_id),
    'tools', askback.used_tools(v_run)
  );
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.note_reading(uuid, uuid, boolean),
  askback.latest_run(uuid, text),
  askback.follow_run(uuid, uuid, integer, uuid)
to service_role;
