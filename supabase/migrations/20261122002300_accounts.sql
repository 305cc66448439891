-- The end of an account. Whatever is a user's hangs on their row of auth.users and goes with it, by `on delete cascade`:
-- a test reads that off the catalogue of PostgreSQL, so a table that is added later cannot be forgotten.

-- Whether there is such a user. A token outlives its account: functions ask this before they answer with nothing.
create function askback.account_exists(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from (select to_jsonb(users) as facts from auth.users where id = p_user_id) u
    -- Supabase Auth can keep the row of somebody who was deleted.
    where u.facts ->> 'deleted_at' is null
  )
$$;

-- Asks all running runs of a user to stop, and ends those that wait for the clock. `running`: conversations that are
-- still at work; `writing`: something is being sent or changed right now, and its outcome is to be heard.
create function askback.stop_account(p_user_id uuid) returns json
language plpgsql set search_path = '' as $$
begin
  -- In one order, and before their runs, as everybody who locks both.
  perform 1 from askback.conversations where user_id = p_user_id order by id for update;
  perform askback.stop_runs(p_user_id, id) from askback.conversations where user_id = p_user_id;
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

-- Deletes a user with everything of theirs, unless something is being written right now: what is stopped in the same
-- transaction can claim no further write. With its owner's rights: service_role may not change auth.users. Repeated, it
-- answers the same.
create function askback.delete_account(p_user_id uuid) returns json
language plpgsql security definer set search_path = '' as $$
begin
  if (askback.stop_account(p_user_id) ->> 'writing')::boolean then
    return json_build_object('deleted', false);
  end if;
  delete from auth.users where id = p_user_id;
  return json_build_object('deleted', true);
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.account_exists(uuid),
  askback.stop_account(uuid),
  askback.delete_account(uuid)
to service_role;
