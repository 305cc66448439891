-- Notes what a run has used: each model call of the loop ends with an entry that says it, each of a tool is one.
create function askback.record_usage(p_run askback.runs, p_entries json) returns void
language sql set search_path = '' as $$
  insert into askback.llm_usage (
    user_id, conversation_id, run_id, agent_id, sequence, provider, model, purpose, input_tokens, output_tokens,
    cost_usd, temperature, duration_ms
  )
  select
    p_run.user_id, p_run.conversation_id, p_run.id, p_run.agent_id, (item ->> 'sequence')::integer,
    item #>> '{entry,provider}', item #>> '{entry,model}', item #>> '{entry,purpose}',
    coalesce((item #>> '{entry,usage,inputTokens}')::integer, 0),
    coalesce((item #>> '{entry,usage,outputTokens}')::integer, 0), (item #>> '{entry,cost}')::numeric,
    (item #>> '{entry,temperature}')::double precision, round((item #>> '{entry,durationMs}')::numeric)
  from json_array_elements(coalesce(p_entries, '[]')) item
  where item #>> '{entry,type}' in ('step-end', 'tool-model-call')
  on conflict (run_id, sequence) do nothing
$$;

-- Adds what a run has written down since: [{ sequence, entry, private }], each one once. The caller holds a lock of
-- the run's row and has seen that it may still write.
create function askback.append_entries(p_run askback.runs, p_entries json) returns void
language sql set search_path = '' as $$
  insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry, private)
  select
    p_run.user_id, p_run.conversation_id, p_run.message_id, p_run.id, (item ->> 'sequence')::integer,
    item -> 'entry', item -> 'private'
  from json_array_elements(coalesce(p_entries, '[]')) item
  order by (item ->> 'sequence')::integer
  on conflict (run_id, sequence) do nothing;
  select askback.record_usage(p_run, p_entries)
$$;

-- What is written of a message, in order; until the given run, if one is given.
create function askback.message_entries(p_message askback.messages, p_until askback.runs default null) returns json
language sql stable set search_path = '' as $$
  select coalesce(json_agg(e.entry order by r.started_at, e.sequence), '[]')
  from askback.entries e
  join askback.runs r on r.id = e.run_id
  where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id
    and e.message_id = p_message.id and (p_until.id is null or r.started_at <= p_until.started_at)
$$;

-- The same with what no client may see, for those who go on with it.
create function askback.whole_entries(p_message askback.messages) returns json
language sql stable set search_path = '' as $$
  select coalesce(
    json_agg(json_build_object('entry', e.entry, 'private', e.private) order by r.started_at, e.sequence),
    '[]'
  )
  from askback.entries e
  join askback.runs r on r.id = e.run_id
  where e.user_id = p_message.user_id and e.conversation_id = p_message.conversation_id
    and e.message_id = p_message.id
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.record_usage(askback.runs, json),
  askback.append_entries(askback.runs, json),
  askback.message_entries(askback.messages, askback.runs),
  askback.whole_entries(askback.messages)
to service_role;
