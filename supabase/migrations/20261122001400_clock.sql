-- Runs whose time has come, for the clock: the local stack's timer, or pg_cron on Supabase. Also ends the runs and
-- writes whose process died, so that what they went on with can be due again.
create function askback.due_runs(p_limit integer default 20) returns json
language plpgsql set search_path = '' as $$
declare
  v_conversation record;
begin
  perform askback.expire_executions();
  for v_conversation in
    select c.user_id, c.id from askback.conversations c
    where exists (
      select 1 from askback.runs r
      where r.user_id = c.user_id and r.conversation_id = c.id and r.status in ('running', 'stopping')
        and r.lease_expires_at < clock_timestamp()
    )
    for update skip locked
  loop
    perform askback.expire_runs(v_conversation.user_id, v_conversation.id);
  end loop;
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'userId', due.user_id, 'conversationId', due.conversation_id, 'runId', due.id, 'resumeAt', due.resume_at
        )
        order by due.resume_at
      ),
      '[]'
    )
    from (
      select user_id, conversation_id, id, resume_at
      from askback.runs
      where status = 'waiting' and resumed_by is null and superseded_at is null and resume_at <= clock_timestamp()
      order by resume_at limit p_limit
    ) due
  );
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function askback.due_runs(integer) to service_role;
