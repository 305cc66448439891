-- Requests that the server pushes to a client over MCP before its revision 2026-07-28. The answer arrives in a request of
-- its own, in any process; the stream that asked waits for it here.

create table askback.pushed_requests (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- What let the client in that was asked: its OAuth grant, or its API token. Nobody else may answer.
  grant_key text not null,
  -- `result` or `error`, as the client sent it; null until then.
  answer json,
  created_at timestamptz not null default clock_timestamp()
);

create index pushed_requests_by_user on askback.pushed_requests (user_id, created_at);

alter table askback.pushed_requests enable row level security;

grant all on askback.pushed_requests to service_role;

-- Stores that a request is about to be pushed. Forgets those of the user for which no stream waits any more. Calling it
-- again changes nothing.
create function askback.push_request(p_user_id uuid, p_grant_key text, p_request_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.pushed_requests
  where user_id = p_user_id and created_at < clock_timestamp() - interval '5 minutes';
  insert into askback.pushed_requests (id, user_id, grant_key) values (p_request_id, p_user_id, p_grant_key)
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

-- out  [as of answer_pushed]; null: there is no answer yet
create function askback.read_pushed(p_user_id uuid, p_request_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (select answer from askback.pushed_requests where id = p_request_id and user_id = p_user_id);
end
$$;
