-- Runs as seen by those who wait for them, from a process other than the one that works on them.

-- A run of a user, for somebody who waits for it: ended first if its process has died. Null if there is no such run.
create function askback_private.watched_run(p_user_id uuid, p_run_id uuid) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  select * into v_run from askback.runs where id = p_run_id and user_id = p_user_id;
  if v_run.status in ('running', 'stopping') and v_run.lease_expires_at < clock_timestamp() then
    perform 1 from askback.conversations where user_id = p_user_id and id = v_run.conversation_id for update;
    perform askback_private.expire_runs(p_user_id, v_run.conversation_id);
    select * into v_run from askback.runs where id = p_run_id;
  end if;
  return v_run;
end
$$;

-- A run for observers who did not start it, and wait for it.
--
-- out  as of run_view; null: the user has no such run
create function askback.get_run(p_user_id uuid, p_run_id uuid) returns json
language plpgsql set search_path = '' as $$
begin
  return (
    select askback_private.run_view(r) from askback_private.watched_run(p_user_id, p_run_id) r where r.id is not null
  );
end
$$;

-- Records whether the client that followed a run has read its end.
create function askback.note_reading(p_user_id uuid, p_run_id uuid, p_read boolean) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.runs set end_unread = not p_read where id = p_run_id and user_id = p_user_id;
end
$$;

-- The newest run of a conversation, for users who come back to it.
--
-- out  { conversationId, runId, messageId, isActive, isUnread: its client left before the end, endedSecondsAgo } | null
create function askback.latest_run(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  perform askback_private.watched_run(p_user_id, id) from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and status in ('running', 'stopping');
  v_run := askback_private.newest_run(p_user_id, p_conversation_id);
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

-- A run, during and after its work.
--
-- in   p_skip: how many entries of its message are known; p_follower: the connection of an OpenAI client that is told
--      about it
-- out  as of run_view, with the entries after those, and hasWritten: whether any entry is the run's own; null: the
--      user has no such run
create function askback.follow_run(
  p_user_id uuid, p_run_id uuid, p_skip integer default 0, p_follower uuid default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_run askback.runs;
begin
  if p_follower is not null then
    perform askback_private.renew_follower(p_user_id, p_run_id, p_follower);
  end if;
  v_run := askback_private.watched_run(p_user_id, p_run_id);
  if v_run.id is null then
    return null;
  end if;
  return json_build_object(
    'runId', v_run.id,
    'conversationId', v_run.conversation_id,
    'messageId', v_run.message_id,
    'status', v_run.status,
    'replacedBy', askback_private.replaced_by(v_run),
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
    'unreportedWrites', askback_private.writes_without_end(v_run),
    'pending', askback.list_items(p_user_id, v_run.conversation_id),
    'closed', askback_private.closed_items(p_user_id, v_run.conversation_id, v_run.message_id),
    'tools', askback_private.used_tools(v_run)
  );
end
$$;
