-- Who may call which function. Permissions on a table are next to the table.
--
-- Functions run with the rights of their caller. Eight run with those of their owner, because they read, lock or change
-- `auth.users` or `askback.rules`, which their callers may not: user_facts, user_claims, account_refusal, hold_account,
-- confirmed_readers, delete_account, may_use_data and may_change_data; and count_waiting, which counts items of others. So does every trigger that uses a table: PostgreSQL before 18 runs the
-- triggers of a cascade as whoever deletes the first row, such as Auth
-- (https://www.postgresql.org/docs/release/18.0/, "AFTER triggers").

revoke execute on all functions in schema askback, askback_private from public;

-- The edge functions call those of `askback` as service_role, with the id of the user whose token they have verified.
-- These call those of `askback_private` with the same rights, which the data API does not serve.
grant execute on all functions in schema askback, askback_private to service_role;
-- Only triggers and the clock job use these.
revoke execute on function
  askback_private.touch_updated_at(),
  askback_private.touch_approval_at(),
  askback_private.give_back_permissions(),
  askback_private.forget_definition(),
  askback_private.note_removed_object(),
  askback_private.count_changed_items(),
  askback_private.add_project_usage(),
  askback_private.limit_agents(),
  askback_private.limit_tools(),
  askback_private.wake_held(),
  askback_private.ring_opened(),
  askback_private.ring_closed(),
  askback_private.seal_secret(),
  askback_private.hmac_sha256(text, text),
  askback_private.note_clock_answer(),
  askback_private.prune_clock_log(),
  askback.wake_chat()
from service_role;

-- Whoever may read every table may also call what only reads, with their own rights: `askback doctor --linked` does, as
-- Supabase's supabase_read_only_user.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select oid from pg_catalog.pg_proc
    where pronamespace in ('askback'::regnamespace, 'askback_private'::regnamespace)
      and provolatile <> 'v' and not prosecdef
  loop
    execute format('grant execute on function %s to pg_read_all_data', v_function);
  end loop;
end
$$;

-- All that signed-in users call themselves.
grant execute on function askback.insights(integer, text), askback.count_waiting() to authenticated;
-- The policies below call these. They need no rights in the schema: a policy knows its functions by id.
grant execute on function askback_private.may_use_data(), askback_private.may_change_data() to authenticated;

-- Supabase's OAuth server gives other apps tokens of the user, which differ from the app's own in `client_id` alone
-- (https://supabase.com/docs/guides/auth/oauth-server/token-security). They get nothing here, by a policy on every
-- table, and by the same condition in every function that users may execute. It never raises an error: Realtime asks
-- it too, for all its listeners at once. Nor does an account that may not act get anything, and what a project requires
-- of changes holds here, too. Each condition is computed once a statement.
do $$
declare
  v_table regclass;
begin
  for v_table in
    select oid from pg_catalog.pg_class where relnamespace = 'askback'::regnamespace and relkind in ('r', 'p')
  loop
    execute format(
      'create policy "other apps get nothing" on %s as restrictive using ((select auth.jwt() ->> ''client_id'') is null)',
      v_table
    );
    execute format(
      'create policy "the account may act" on %s as restrictive to authenticated using ((select askback_private.may_use_data()))',
      v_table
    );
    if has_any_column_privilege('authenticated', v_table, 'insert') then
      execute format(
        'create policy "adding takes what the project requires" on %s as restrictive for insert to authenticated '
        'with check ((select askback_private.may_change_data()))',
        v_table
      );
    end if;
    if has_any_column_privilege('authenticated', v_table, 'update') then
      execute format(
        'create policy "changing takes what the project requires" on %s as restrictive for update to authenticated '
        'using ((select askback_private.may_change_data()))',
        v_table
      );
    end if;
    if has_table_privilege('authenticated', v_table, 'delete') then
      execute format(
        'create policy "deleting takes what the project requires" on %s as restrictive for delete to authenticated '
        'using ((select askback_private.may_change_data()))',
        v_table
      );
    end if;
  end loop;
end
$$;

-- Last, so that nobody can call a function before its rights are set.
grant usage on schema askback to authenticated, service_role;
grant usage on schema askback_private to service_role;
