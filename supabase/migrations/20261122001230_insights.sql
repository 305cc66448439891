-- The statistics that users see of their own calls.

-- Statistics of the calls, models and answers of the calling user. Signed-in users execute it themselves: it only
-- reads, with their own rights. Days are those of a time zone; the last one is today.
--
-- out  { total: figures, days: [figures with day], attempts: [{ attempt, calls, succeeded }], errors: [{ type, tool,
--      count }] } figures: { day, done, notDone, denied, firstTry, erred, recovered, medianMs, runs, modelCalls,
--      tokens, askedAgain, good, bad }
create function askback.insights(p_days integer default 30, p_time_zone text default 'UTC') returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with days as (
      select day::date as day
      from generate_series(
        (now() at time zone p_time_zone)::date - (least(greatest(p_days, 1), 366) - 1),
        (now() at time zone p_time_zone)::date,
        interval '1 day'
      ) day
    ),
    beginning as materialized (
      select min(day)::timestamp at time zone p_time_zone as moment from days
    ),
    -- A denial by the user is not an error.
    executions as materialized (
      select
        session_id, tool_name, attempt, status, nullif(error_type, 'approval_denied') as error_type,
        error_type is not distinct from 'approval_denied' as is_denied, created_at, settled_at,
        status = 'succeeded' and error_type is null as is_success,
        -- Its last question is open, or another call has taken its place, or a later attempt waits.
        (
          select i.closed_at is null or i.closed_as in ('replaced', 'yielded') from askback.open_items i
          where i.user_id = x.user_id and i.conversation_id = x.conversation_id and i.tool_call_id = x.tool_call_id
          order by i.asked_at desc limit 1
        ) is true or exists (
          select 1 from askback.open_items i
          where i.user_id = x.user_id and i.conversation_id = x.conversation_id and i.intent = nullif(x.intent, 0)
            and i.closed_at is null
        ) as is_open
      from askback.tool_executions x
      where user_id = (select auth.uid()) and created_at >= (select moment from beginning)
    ),
    -- One call with all its attempts, once it is over.
    sessions as materialized (
      select
        (min(created_at) at time zone p_time_zone)::date as day,
        bool_or(is_success) as succeeded,
        bool_or(error_type is not null) as erred,
        bool_or(is_denied) as denied,
        extract(epoch from min(settled_at) filter (where is_success) - min(created_at)) * 1000 as took_ms
      from executions
      group by session_id
      having not bool_or(is_open or status = 'running')
    ),
    usage as materialized (
      select (created_at at time zone p_time_zone)::date as day, run_id, input_tokens + output_tokens as tokens
      from askback.llm_usage
      where user_id = (select auth.uid()) and created_at >= (select moment from beginning)
    ),
    ratings as materialized (
      select (rated_at at time zone p_time_zone)::date as day, rating
      from askback.message_feedback
      where user_id = (select auth.uid()) and rated_at >= (select moment from beginning)
    ),
    -- How often models were asked again, because an answer led nowhere.
    nudges as materialized (
      select (created_at at time zone p_time_zone)::date as day
      from askback.entries
      where user_id = (select auth.uid()) and type = 'nudge' and created_at >= (select moment from beginning)
    ),
    session_days as (
      select
        day,
        count(*) filter (where succeeded) as done,
        count(*) filter (where not succeeded and not denied) as not_done,
        count(*) filter (where not succeeded and denied) as denied,
        count(*) filter (where succeeded and not erred) as first_try,
        count(*) filter (where erred) as erred,
        count(*) filter (where succeeded and erred) as recovered,
        percentile_cont(0.5) within group (order by took_ms) filter (where succeeded) as median_ms
      from sessions
      group by grouping sets ((day), ())
    ),
    usage_days as (
      select day, count(*) as model_calls, count(distinct run_id) as runs, sum(tokens) as tokens
      from usage
      group by grouping sets ((day), ())
    ),
    rating_days as (
      select day, count(*) filter (where rating = 'good') as good, count(*) filter (where rating = 'bad') as bad
      from ratings
      group by grouping sets ((day), ())
    ),
    nudge_days as (
      select day, count(*) as asked_again from nudges group by grouping sets ((day), ())
    ),
    -- day is null: the total.
    figures as (
      select
        d.day,
        json_build_object(
          'day', d.day,
          'done', coalesce(s.done, 0),
          'notDone', coalesce(s.not_done, 0),
          'denied', coalesce(s.denied, 0),
          'firstTry', coalesce(s.first_try, 0),
          'erred', coalesce(s.erred, 0),
          'recovered', coalesce(s.recovered, 0),
          'medianMs', round(s.median_ms::numeric),
          'runs', coalesce(u.runs, 0),
          'modelCalls', coalesce(u.model_calls, 0),
          'tokens', coalesce(u.tokens, 0),
          'askedAgain', coalesce(n.asked_again, 0),
          'good', coalesce(r.good, 0),
          'bad', coalesce(r.bad, 0)
        ) as figure
      from (select day from days union all select null) d
      left join session_days s on s.day is not distinct from d.day
      left join usage_days u on u.day is not distinct from d.day
      left join rating_days r on r.day is not distinct from d.day
      left join nudge_days n on n.day is not distinct from d.day
    )
    select json_build_object(
      'total', (select figure from figures where day is null),
      'days', (select json_agg(figure order by day) from figures where day is not null),
      'attempts', (
        select coalesce(json_agg(json_build_object('attempt', attempt, 'calls', calls, 'succeeded', succeeded) order by attempt), '[]')
        from (
          select attempt, count(*) as calls, count(*) filter (where is_success) as succeeded from executions
          where not is_denied
          group by attempt
        ) by_attempt
      ),
      'errors', (
        select coalesce(json_agg(json_build_object('type', error_type, 'tool', tool_name, 'count', number) order by number desc, error_type, tool_name), '[]')
        from (
          select error_type, tool_name, count(*) as number from executions where error_type is not null
          group by error_type, tool_name order by number desc, error_type, tool_name limit 50
        ) by_error
      )
    )
    where (select auth.jwt() ->> 'client_id') is null
  );
end
$$;
