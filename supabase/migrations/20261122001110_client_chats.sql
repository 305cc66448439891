-- The chats of OpenAI clients: which request belongs to which, and which of them are kept.

-- The conversation of a request that names none: for 12 hours the same words are the same request.
create function askback_private.conversation_of_request(p_user_id uuid, p_key text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select case
      when latest.created_at > clock_timestamp() - interval '12 hours' then latest.id
      -- Concurrent requests derive the same id.
      else 'openai-' || left(encode(sha256(convert_to(p_key || coalesce(latest.id, ''), 'UTF8')), 'hex'), 40)
    end
    from (values (1)) one
    left join lateral (
      select id, created_at from askback.conversations
      where user_id = p_user_id and client_chat = p_key
      order by created_at desc limit 1
    ) latest on true
  );
end
$$;

-- Whether a chat without a name has become one that stays for good.
create function askback_private.was_taken_up(p_conversation askback.conversations) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_conversation.pinned
      -- A run without connections of clients was started in the app.
      or exists (
        select 1 from askback.runs r
        where r.user_id = p_conversation.user_id and r.conversation_id = p_conversation.id
          and r.followers is null and r.resumed_run_id is null
      )
      or (p_conversation.passing = 'unnamed' and exists (
        select 1 from askback.tool_executions e
        where e.user_id = p_conversation.user_id and e.conversation_id = p_conversation.id
          and e.idempotency_key is not null and e.status in ('running', 'succeeded', 'unknown')
      ))
  );
end
$$;

-- Whether a chat stays in the lists of its user. One without a name may be anything, so it stays if it is worth finding
-- again: it has written something, it waits, or its user has gone on with it in the app. A temporary one is there only
-- while it waits.
create function askback_private.is_kept(p_conversation askback.conversations) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select p_conversation.passing is null
      or p_conversation.open_count > 0
      or exists (
        select 1 from askback.open_items i
        where i.user_id = p_conversation.user_id and i.conversation_id = p_conversation.id and i.closed_at is null
      )
      or askback_private.was_taken_up(p_conversation)
  );
end
$$;

-- Deletes chats without a name 24 hours after the last thing in them, except those that stay.
create function askback_private.forget_passing_chats() returns void
language plpgsql set search_path = '' as $$
declare
  v_conversation askback.conversations;
begin
  for v_conversation in
    select c.* from askback.conversations c
    where c.passing is not null and c.updated_at < now() - interval '24 hours' and c.open_count = 0
      and not exists (
        select 1 from askback.open_items i
        where i.user_id = c.user_id and i.conversation_id = c.id
          and coalesce(i.closed_at > now() - interval '24 hours', true)
      )
      and not exists (
        select 1 from askback.runs r
        where r.user_id = c.user_id and r.conversation_id = c.id and r.status in ('running', 'stopping')
      )
    order by c.updated_at limit 100
    -- Whoever has locked it is doing something in it.
    for update skip locked
  loop
    if askback_private.was_taken_up(v_conversation) then
      update askback.conversations set passing = null where user_id = v_conversation.user_id and id = v_conversation.id;
    else
      perform askback.delete_conversation(v_conversation.user_id, v_conversation.id);
    end if;
  end loop;
end
$$;
