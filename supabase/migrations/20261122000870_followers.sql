-- Stop stops. A run that an OpenAI client has begun goes on only while somebody waits for its answer: each request that
-- begins or joins it is a follower until its connection closes. Once the last one has closed (runs.left_at) no write of the
-- run begins, reads go on; a request that joins within 10 s lets it go on, and after that whoever looks first (the claim of
-- the write, the heartbeat, the clock, the next request) stops it. A person at an app who watches is no follower, and
-- what an app or the clock has begun has none.

-- Notes that a request has begun a run, has joined one that has followers, or is told what became of it. The caller holds
-- the lock of the conversation's row. One whose connection is in the run's own process counts as long as that lives.
create function askback.add_follower(p_user_id uuid, p_run_id uuid, p_follower uuid) returns void
language sql set search_path = '' as $$
  update askback.runs set
    followers = coalesce(followers, '{}') || jsonb_build_object(p_follower, 'infinity'), left_at = null
  where id = p_run_id and user_id = p_user_id and (id = p_follower or followers is not null)
$$;

-- Keeps a follower whose connection is in another process than the run, which may die without a word: it counts for 15 s.
create function askback.renew_follower(p_user_id uuid, p_run_id uuid, p_follower uuid) returns void
language sql set search_path = '' as $$
  update askback.runs set
    followers = followers || jsonb_build_object(p_follower, clock_timestamp() + interval '15 seconds'), left_at = null
  where id = p_run_id and user_id = p_user_id and status = 'running'
    -- A connection that was closed meanwhile does not come back.
    and followers ? p_follower::text
    and (followers ->> p_follower::text)::timestamptz
      not between clock_timestamp() + interval '10 seconds' and clock_timestamp() + interval '1 minute'
$$;

create function askback.is_followed(p_followers jsonb) returns boolean
language sql stable set search_path = '' as $$
  select exists (select 1 from jsonb_each_text(p_followers) f where f.value::timestamptz > clock_timestamp())
$$;

-- The connection of a follower was closed.
create function askback.remove_follower(p_user_id uuid, p_run_id uuid, p_follower uuid) returns void
language sql set search_path = '' as $$
  update askback.runs set
    followers = followers - p_follower::text,
    left_at = case when not askback.is_followed(followers - p_follower::text) then coalesce(left_at, clock_timestamp()) end
  where id = p_run_id and user_id = p_user_id and status = 'running' and followers ? p_follower::text
$$;

-- A run as it is to go on now: held from the moment at which nobody waits for it, stopped 10 s later, also where it waits
-- for the clock. The caller holds the lock of the conversation's row.
create function askback.heed_followers(p_run askback.runs) returns askback.runs
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
begin
  if p_run.followers is null or p_run.status not in ('running', 'waiting') then
    return p_run;
  end if;
  if p_run.left_at is null and p_run.status = 'running' and not askback.is_followed(p_run.followers) then
    update askback.runs set left_at = clock_timestamp() where id = p_run.id returning * into p_run;
  end if;
  if p_run.left_at is null or p_run.left_at > clock_timestamp() - interval '10 seconds' then
    return p_run;
  end if;
  for v_item in select * from askback.open_items where run_id = p_run.id and kind = 'wait' and closed_at is null loop
    perform askback.close_item(v_item, 'stop');
  end loop;
  update askback.runs set
    status = case status when 'running' then 'stopping' else 'stopped' end,
    finished_at = case status when 'waiting' then clock_timestamp() end
  where id = p_run.id
  returning * into p_run;
  return p_run;
end
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.add_follower(uuid, uuid, uuid),
  askback.renew_follower(uuid, uuid, uuid),
  askback.remove_follower(uuid, uuid, uuid),
  askback.is_followed(jsonb),
  askback.heed_followers(askback.runs)
to service_role;
