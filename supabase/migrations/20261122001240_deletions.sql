-- Deleting a conversation, or an account, with everything that was said.

-- Stops a conversation's work and deletes it with everything that was said. The ledger keeps only that something was
-- done, its key, so that a late delivery does not repeat it, and the type of an error. A write that was not delivered
-- yet is cancelled. Files that are in no other conversation are deleted too.
--
-- out  { deleted: its id }; null: the user has no such conversation
create function askback.delete_conversation(p_user_id uuid, p_conversation_id text) returns json
language plpgsql set search_path = '' as $$
declare
  v_files uuid[] := array(
    select distinct file_id from askback.message_files
    where user_id = p_user_id and conversation_id = p_conversation_id
  );
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return null;
  end if;
  -- Runs first: claims and settlements lock them first, too.
  perform 1 from askback.runs where user_id = p_user_id and conversation_id = p_conversation_id for update;
  -- What its runs have used, and are using, is used all the same.
  insert into askback.deleted_runs (user_id, started_at)
  select user_id, started_at from askback.runs
  where user_id = p_user_id and conversation_id = p_conversation_id and resumed_run_id is null
    and started_at >= askback_private.window_start('day');
  perform askback_private.add_cut_calls(r, greatest(1, askback_private.open_calls(r.id))) from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id and r.status in ('running', 'stopping');
  update askback.tool_executions set
    conversation_id = null,
    arguments = '{}',
    sourced = '',
    named = '',
    people = '{}',
    answers = '',
    led_by = null,
    repairs = '[]',
    result = case when result ->> 'errorType' is not null then json_build_object(
      'ok', false, 'errorType', result ->> 'errorType', 'resolver', result ->> 'resolver', 'error', '', 'details', '{}'::json
    ) end,
    closed = true,
    status = case when status = 'running' and delivery_id is null then 'cancelled' else status end
  where user_id = p_user_id and conversation_id = p_conversation_id;
  delete from askback.copied_chats
  where user_id = p_user_id and p_conversation_id in (conversation_id, original_id);
  delete from askback.conversations where user_id = p_user_id and id = p_conversation_id;
  perform askback_private.delete_unused_files(v_files);
  return json_build_object('deleted', p_conversation_id);
end
$$;

-- Deleting an account. All rows of a user refer to their row of auth.users and are deleted with it, by `on delete
-- cascade`. A test checks this in the system catalogues, so that no later table can be forgotten.

-- Asks all running runs of a user to stop, and ends those that wait for the clock.
--
-- out  { running: [ids of conversations that are still working], writing: whether something is being sent or changed
--      right now, whose outcome is worth waiting for }
create function askback.stop_account(p_user_id uuid) returns json
language plpgsql set search_path = '' as $$
begin
  -- In a fixed order, and before their runs, like everybody who locks both.
  perform 1 from askback.conversations where user_id = p_user_id order by id for update;
  perform askback_private.stop_runs(p_user_id, id) from askback.conversations where user_id = p_user_id;
  return json_build_object(
    'running', (
      select coalesce(json_agg(distinct conversation_id), '[]') from askback.runs
      where user_id = p_user_id and status = 'stopping' and lease_expires_at > clock_timestamp()
    ),
    'writing', exists (
      select 1 from askback.tool_executions
      where user_id = p_user_id and status = 'running' and lease_expires_at > clock_timestamp()
    )
  );
end
$$;

-- Deletes a user with all their data, unless something is being written right now: whatever is stopped in the same
-- transaction can claim no further write. Runs with its owner's rights, since service_role may not change auth.users.
-- Calling it again returns the same.
--
-- out  { deleted }
create function askback.delete_account(p_user_id uuid) returns json
language plpgsql security definer set search_path = '' as $$
begin
  -- First, like everybody who locks conversations besides.
  perform 1 from auth.users where id = p_user_id for update;
  if (askback.stop_account(p_user_id) ->> 'writing')::boolean then
    return json_build_object('deleted', false);
  end if;
  delete from auth.users where id = p_user_id;
  return json_build_object('deleted', true);
end
$$;
