-- Who may call what. Nothing is granted to anybody by default; what tables grant stands with each table.
--
-- Every function is `security invoker`, but for four, which may read or change `auth.users`, where service_role may not:
-- user_facts, user_claims, account_exists and delete_account.

revoke execute on all functions in schema askback from public;

-- The edge functions, which pass on the user that they have verified.
grant execute on all functions in schema askback to service_role;
-- Only triggers and the job of the clock run these.
revoke execute on function
  askback.touch_updated_at(),
  askback.forget_permissions(),
  askback.note_removed_object(),
  askback.count_changed_items(),
  askback.wake_chat()
from service_role;

-- The one function that signed-in users call themselves: it reads with their own rights.
grant execute on function askback.insights(integer, text) to authenticated;

-- Last, so that nobody can call a function before its rights are as they should be.
grant usage on schema askback to authenticated, service_role;
