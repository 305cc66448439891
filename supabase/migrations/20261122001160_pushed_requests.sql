-- Requests that the server pushes to a client over MCP before its revision 2026-07-28. The answer arrives in a request of
-- its own, in any process; the stream that asked waits for it here.

create table askback.pushed_requests (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- What let the client in that was asked: its OAuth grant, or its API token. Nobody else may answer.
  grant_key text not null,
  -- The open item that it asks about; null if it asks about none.
  item_id text,
  -- `result` or `error`, as the client sent it; null until then.
  answer json,
  -- Somebody has read the answer.
  taken boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);

create index pushed_requests_by_user on askback.pushed_requests (user_id, created_at);
create index pushed_requests_by_item on askback.pushed_requests (user_id, item_id) where answer is not null and not taken;

alter table askback.pushed_requests enable row level security;

grant all on askback.pushed_requests to service_role;

-- Stores that a request is about to be pushed. Forgets those of the user for which no stream waits any more; about an item,
-- an answer may come later. Calling it again changes nothing.
create function askback.push_request(
  p_user_id uuid, p_grant_key text, p_request_id uuid, p_item_id text default null
) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.pushed_requests
  where user_id = p_user_id
    and created_at < clock_timestamp() - case when item_id is null then interval '5 minutes' else interval '24 hours' end;
  insert into askback.pushed_requests (id, user_id, grant_key, item_id)
  values (p_request_id, p_user_id, p_grant_key, p_item_id)
  on conflict (id) do nothing;
end
$$;

-- Stores what a client answers, once: a second answer changes nothing.
--
-- in   p_answer: { result } | { error }
-- out  whether this user was asked by this request, through this grant
create function askback.answer_pushed(p_user_id uuid, p_grant_key text, p_request_id uuid, p_answer json)
returns boolean
language sql set search_path = '' as $$
  with answered as (
    update askback.pushed_requests set answer = coalesce(answer, p_answer)
    where id = p_request_id and user_id = p_user_id and grant_key = p_grant_key
    returning id
  )
  select exists (select 1 from answered)
$$;

-- The stream that asked reads what came; nobody else does then.
--
-- out  [as of answer_pushed]; null: there is no answer yet
create function askback.read_pushed(p_user_id uuid, p_request_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_answer json;
begin
  update askback.pushed_requests set taken = true
  where id = p_request_id and user_id = p_user_id and answer is not null
  returning answer into v_answer;
  return v_answer;
end
$$;
