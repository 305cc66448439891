-- How people rate answers.

create table askback.message_feedback (
  user_id uuid not null,
  conversation_id text not null,
  message_id text not null,
  rating text not null check (rating in ('good', 'bad')),
  reason text check (reason ~ '\S' and length(reason) <= 2000),
  -- The last run that wrote the message.
  run_id uuid references askback.runs (id) on delete set null,
  rated_at timestamptz not null default clock_timestamp(),
  primary key (user_id, conversation_id, message_id),
  foreign key (user_id, conversation_id, message_id)
  references askback.messages (user_id, conversation_id, id) on delete cascade
);

create index message_feedback_by_time on askback.message_feedback (user_id, rated_at desc);
create index message_feedback_by_run on askback.message_feedback (run_id);

alter table askback.message_feedback enable row level security;

grant all on askback.message_feedback to service_role;
grant select on askback.message_feedback to authenticated;

create policy "owners read their feedback" on askback.message_feedback
for select to authenticated using (user_id = (select auth.uid()));

-- Stores the user's rating of an answer; null removes it.
--
-- in   p_rating: good | bad | null
-- out  { rated: false if the conversation has no such answer }; null: the user has no such conversation
create function askback.rate_message(
  p_user_id uuid, p_conversation_id text, p_message_id text, p_rating text default null, p_reason text default null
) returns json
language plpgsql set search_path = '' as $$
begin
  perform 1 from askback.conversations where user_id = p_user_id and id = p_conversation_id;
  if not found then
    return null;
  end if;
  perform 1 from askback.messages
  where user_id = p_user_id and conversation_id = p_conversation_id and id = p_message_id
    and role = 'assistant' and written_at is not null;
  if not found then
    return json_build_object('rated', false);
  end if;
  if p_rating is null then
    delete from askback.message_feedback
    where user_id = p_user_id and conversation_id = p_conversation_id and message_id = p_message_id;
  else
    insert into askback.message_feedback (user_id, conversation_id, message_id, rating, reason, run_id)
    values (
      p_user_id, p_conversation_id, p_message_id, p_rating, p_reason,
      (askback_private.newest_run(p_user_id, p_conversation_id, p_message_id)).id
    )
    on conflict (user_id, conversation_id, message_id) do update
    set rating = excluded.rating, reason = excluded.reason, run_id = excluded.run_id, rated_at = excluded.rated_at;
  end if;
  return json_build_object('rated', true);
end
$$;
