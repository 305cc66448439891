-- The clock: whatever continues without a request.

-- What the clock continues (a timer of the local stack, pg_cron on Supabase): waits whose time has come, and runs that
-- died while carrying out a decision, once each. It also ends runs and writes whose process died, closes items that were
-- open for too long, stops runs whose client has left, and deletes unused files. Of what waits for a limit, each user's
-- oldest is continued first, one at a time. After them come writes that may have happened, as long as their provider may
-- know: a question to the user about one that it answers is not needed.
--
-- out  [{ userId, conversationId, itemId, type: wait | input | approval | connection | skip, decision }
--      | { userId, conversationId, type: unknown, write: { runId, agentId, function, action, toolName, arguments,
--      idempotencyKey } }]
create function askback.due_runs(p_limit integer default 20) returns json
language plpgsql set search_path = '' as $$
declare
  v_dead record;
begin
  -- A write whose process died may have happened, and nobody was asked about it yet.
  for v_dead in
    select distinct user_id, conversation_id from askback.tool_executions
    where status = 'running' and lease_expires_at < clock_timestamp() and conversation_id is not null
  loop
    perform 1 from askback.conversations
    where user_id = v_dead.user_id and id = v_dead.conversation_id for update skip locked;
    if found then
      perform askback.count_open(v_dead.user_id, v_dead.conversation_id);
    end if;
  end loop;
  perform askback.expire_executions();
  perform askback.drop_abandoned_files();
  perform askback.forget_usage();
  for v_dead in
    select distinct user_id, conversation_id from askback.runs
    where status in ('running', 'stopping') and lease_expires_at < clock_timestamp()
    union
    select user_id, conversation_id from askback.runs
    where left_at is not null and status in ('running', 'waiting')
  loop
    -- Whoever has locked the conversation takes care of it.
    perform 1 from askback.conversations
    where user_id = v_dead.user_id and id = v_dead.conversation_id for update skip locked;
    if found then
      perform askback.expire_runs(v_dead.user_id, v_dead.conversation_id);
    end if;
  end loop;
  for v_dead in
    select distinct user_id, conversation_id from askback.open_items
    where closed_at is null and expires_at < now()
  loop
    perform 1 from askback.conversations
    where user_id = v_dead.user_id and id = v_dead.conversation_id for update skip locked;
    if found then
      perform askback.expire_items(v_dead.user_id, v_dead.conversation_id);
    end if;
  end loop;
  -- now(), not clock_timestamp(): only a time that is constant during the statement can use an index.
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'userId', due.user_id, 'conversationId', due.conversation_id, 'itemId', due.id, 'type', due.type,
          'decision', due.decision, 'write', due.write
        )
        order by due.since
      ),
      '[]'
    )
    from (
      select
        i.user_id, i.conversation_id, i.id, 'wait' as type, null as decision, null::json as write, i.resume_at as since
      from askback.open_items i
      where i.kind = 'wait' and i.closed_at is null and i.resume_at <= now()
        -- It has to wait while a run works in its conversation.
        and not exists (
          select 1 from askback.runs r
          where r.user_id = i.user_id and r.conversation_id = i.conversation_id and r.status in ('running', 'stopping')
        )
        and (
          i.held_by is null or not exists (
            select 1 from askback.open_items older
            where older.user_id = i.user_id and older.kind = 'wait' and older.closed_at is null
              and older.held_by is not null and older.resume_at <= now()
              and (older.asked_at, older.id) < (i.asked_at, i.id)
          )
        )
        -- Its client has left, and may come back within seconds.
        and not exists (select 1 from askback.runs r where r.id = i.run_id and r.left_at is not null)
      union all
      (
        select distinct on (r.id)
          i.user_id, i.conversation_id, i.id, case i.closed_as when 'skip' then 'skip' else i.kind end, i.closed_as,
          null, r.started_at
        from askback.runs r
        join askback.open_items i
          on i.user_id = r.user_id and i.conversation_id = r.conversation_id and i.closed_by = r.id
          and i.closed_as in ('answer', 'approve', 'deny', 'draft', 'skip', 'connect', 'time')
        where r.status = 'interrupted' and r.resumed_run_id is not null and r.superseded_at is null
          -- What a person wanted done a while ago is not done now without asking.
          and r.started_at > now() - interval '1 hour'
          and not exists (
            select 1 from askback.runs later
            where later.user_id = r.user_id and later.conversation_id = r.conversation_id
              and later.started_at > r.started_at
          )
        order by r.id
      )
      union all
      (
        select
          e.user_id, e.conversation_id, null, 'unknown', null,
          json_build_object(
            'runId', r.id, 'agentId', r.agent_id, 'function', t.function, 'action', t.action, 'toolName', t.name,
            'arguments', e.arguments, 'idempotencyKey', e.idempotency_key
          ),
          now()
        from askback.tool_executions e
        join askback.runs r on r.id = e.run_id
        join askback.tools t on t.name = e.tool_name and t.source <> 'application'
        where e.status = 'unknown' and e.delivery_id is not null and e.created_at > now() - interval '15 minutes'
          -- A live run asks by itself.
          and not exists (
            select 1 from askback.runs alive
            where alive.user_id = e.user_id and alive.conversation_id = e.conversation_id
              and alive.status in ('running', 'stopping')
          )
          -- Before a person decides, the provider is asked anyway; afterwards it changes nothing that they were told.
          and not exists (
            select 1 from askback.open_items asked
            where asked.user_id = e.user_id and asked.conversation_id = e.conversation_id and asked.kind = 'approval'
              and ((asked.tool_call_id = e.tool_call_id and asked.outcome_unknown) or asked.intent = nullif(e.intent, 0))
              and asked.closed_at > e.created_at and asked.closed_as <> 'replaced'
          )
        -- Not always the same ones.
        order by random() limit p_limit
      )
      order by since limit p_limit
    ) due
  );
end
$$;

-- Tells the chat function that something is due, or that bytes of deleted files have to be removed; the job below runs
-- it. The URL of the function and the secret that identifies the clock (ASKBACK_FUNCTION_SECRET) are in
-- Supabase's Vault: askback_chat_url, like https://<project>.supabase.co/functions/v1/chat, and
-- askback_function_secret.
create function askback.wake_chat() returns void
language plpgsql set search_path = '' as $$
declare
  v_url text;
  v_secret text;
begin
  if json_array_length(askback.due_runs(1)) = 0
    and not exists (select 1 from askback.removed_objects where removed_at < clock_timestamp() - interval '1 minute')
  then
    return;
  end if;
  -- Dynamic SQL, since Vault and pg_net do not exist everywhere.
  execute 'select decrypted_secret from vault.decrypted_secrets where name = $1' into v_url using 'askback_chat_url';
  execute 'select decrypted_secret from vault.decrypted_secrets where name = $1' into v_secret using 'askback_function_secret';
  if v_url is null or v_secret is null then
    raise warning 'Something is due, but Vault has no askback_chat_url or no askback_function_secret.';
    return;
  end if;
  execute 'select net.http_post(url := $1, headers := $2, body := $3)' using
    v_url || '/clock',
    jsonb_build_object('content-type', 'application/json', 'x-askback-clock', v_secret),
    '{}'::jsonb;
end
$$;

-- Supabase has both extensions. Elsewhere something else calls due_runs, like the timer of the local stack.
do $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_cron', 'pg_net')) = 2 then
    create extension if not exists pg_cron with schema pg_catalog;
    create extension if not exists pg_net with schema extensions;
    perform cron.schedule('askback-clock', '30 seconds', 'select askback.wake_chat()');
  end if;
exception
  when others then
    raise warning 'The clock job could not be created: %', sqlerrm;
end
$$;
