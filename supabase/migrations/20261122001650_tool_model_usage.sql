-- Model calls of tools (summaries) stand in entries of their own, beside those of the loop.
create or replace function askback.record_usage(p_run askback.runs, p_entries json) returns void
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

-- Which model a tool asks for an agent of this user: what the agent prefers, null where it says nothing, and the
-- user's own keys.
create function askback.load_model_choice(p_user_id uuid, p_agent_id uuid default null) returns json
language sql stable set search_path = '' as $$
  select json_build_object(
    'preference', (
      select json_build_object(
        'provider', l.provider, 'model', l.model, 'temperature', l.temperature,
        'retryTemperature', l.retry_temperature, 'maxOutputTokens', l.max_output_tokens,
        'parameters', l.parameters, 'fallbacks', l.fallbacks
      )
      from askback.agents a
      join askback.agent_llm_preferences l on l.agent_id = a.id
      where a.id = p_agent_id and a.user_id = p_user_id
    ),
    'modelKeys', askback.model_keys(p_user_id)
  )
$$;

revoke execute on function askback.load_model_choice(uuid, uuid) from public;

grant execute on function askback.load_model_choice(uuid, uuid) to service_role;
