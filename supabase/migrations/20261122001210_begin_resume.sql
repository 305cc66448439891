-- An answer, an approval, a new connection or the clock: goes on with the run that waits for it, once.
create function askback.begin_resume(p_user_id uuid, p_conversation_id text, p_answer json) returns json
language plpgsql set search_path = '' as $$
declare
  v_run_id uuid := (p_answer ->> 'runId')::uuid;
  v_call text := p_answer ->> 'toolCallId';
  -- null, like `resume`: a connection or the clock, whichever it is.
  v_type text := nullif(p_answer ->> 'type', 'resume');
  v_conversation askback.conversations;
  v_run askback.runs;
  v_entry json;
begin
  if v_run_id is null then
    raise exception 'begin_resume needs a runId' using errcode = 'invalid_parameter_value';
  end if;
  select * into v_conversation from askback.conversations
  where user_id = p_user_id and id = p_conversation_id for update;
  if not found then
    return askback.refusal(
      case when askback.user_facts(p_user_id) is null then 'unknown_user' else 'conversation_not_found' end
    );
  end if;
  select * into v_run from askback.runs where id = v_run_id and user_id = p_user_id;
  if found then
    if v_run.status in ('running', 'stopping') then
      return askback.load_run(v_run, p_answer);
    end if;
    return askback.return_answer(v_run);
  end if;
  perform askback.expire_runs(p_user_id, p_conversation_id);

  -- The newest run that waits, or waited, for this.
  select r.* into v_run
  from askback.runs r
  where r.user_id = p_user_id and r.conversation_id = p_conversation_id
    and exists (
      select 1 from json_array_elements(r.pending) entry
      where (v_call is null or entry ->> 'toolCallId' = v_call)
        and (entry ->> 'type' = v_type or (v_type is null and entry ->> 'type' in ('connection', 'wait')))
    )
  order by r.started_at desc limit 1;
  if not found then
    return askback.refusal('nothing_pending');
  end if;
  if v_run.superseded_at is not null then
    return askback.refusal('superseded');
  end if;
  select entry into v_entry from json_array_elements(v_run.pending) entry
  where (v_call is null or entry ->> 'toolCallId' = v_call)
    and (entry ->> 'type' = v_type or (v_type is null and entry ->> 'type' in ('connection', 'wait')))
  limit 1;
  if p_answer ->> 'approvalId' is not null and p_answer ->> 'approvalId' is distinct from v_entry ->> 'approvalId' then
    return askback.refusal('arguments_changed');
  end if;
  if not askback.is_open(v_run) then
    -- Answered already: what became of it, at the end of the chain.
    select * into v_run from askback.runs
    where root_run_id = v_run.root_run_id and user_id = p_user_id and conversation_id = p_conversation_id
      and not (status = 'interrupted' and resumed_run_id is not null)
    order by started_at desc limit 1;
    if v_run.status in ('running', 'stopping') then
      return askback.join_answer(v_run);
    end if;
    return askback.return_answer(v_run);
  end if;
  if v_entry ->> 'type' = 'wait' and v_run.resume_at > clock_timestamp() then
    return askback.refusal('not_due');
  end if;
  return askback.resume_run(v_conversation, v_run, json_build_array(v_entry), p_answer, md5(p_answer::text));
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function askback.begin_resume(uuid, text, json) to service_role;
