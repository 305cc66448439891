-- Links to one open item, for wherever somebody is: the page behind one shows this item and nothing else of its
-- conversation. Most carry no authority: whoever opens them signs in to decide. One that decides by itself was made by
-- the item's user or the project, for one person, and only for what can be undone or corrected.

create table askback.item_links (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id text not null,
  item_id text not null,
  -- SHA-256 of its token in lower-case hex. The token itself is in the link and stored nowhere.
  hash text not null unique,
  -- Whether whoever has it decides without signing in.
  decides boolean not null,
  -- Whom it was made for: a decision by it is theirs.
  name text check (length(name) between 1 and 200),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (user_id, conversation_id) references askback.conversations (user_id, id) on delete cascade,
  check (not decides or (name is not null and expires_at <= created_at + interval '1 day'))
);

create index item_links_of_item on askback.item_links (user_id, conversation_id, item_id);

alter table askback.item_links enable row level security;

grant all on askback.item_links to service_role;

grant select (
  id, user_id, conversation_id, item_id, decides, name, created_at, expires_at, revoked_at
) on askback.item_links to authenticated;

create policy "owners see their links" on askback.item_links
for select to authenticated using (user_id = (select auth.uid()));

-- Whose open item has this id, and in which conversation: the project names no user.
create function askback_private.place_of_item(p_item_id text)
returns table (user_id uuid, conversation_id text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  select i.user_id, i.conversation_id from askback.open_items i where i.id = p_item_id and i.closed_at is null
  union
  select e.user_id, e.conversation_id from askback.tool_executions e
  where p_item_id like 'unknown.%' and e.id::text = substr(p_item_id, 9) and e.conversation_id is not null;
end
$$;

create index open_items_by_id on askback.open_items (id);

-- Why nobody may decide an item without signing in: connection | wait | approvers | unknown | destructive; null if they may. p_item: as
-- of list_items.
create function askback_private.why_not_by_link(p_item json) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return case
    when p_item ->> 'type' in ('connection', 'wait') then p_item ->> 'type'
    when p_item #>> '{approvers,who}' is not null then 'approvers'
    when p_item ->> 'entry' is null or coalesce((p_item #>> '{entry,outcomeUnknown}')::boolean, false)
      or p_item #>> '{entry,reason}' = 'unknown' then 'unknown'
    -- Nobody knows what a tool does that its agent no longer has.
    when p_item ->> 'tool' is null or p_item #>> '{entry,reason}' = 'destructive'
      or coalesce((p_item #>> '{tool,destructive}') <> 'false', false) then 'destructive'
  end;
end
$$;

-- Through which door it was decided, and by whom, as people see it; null for the user, in an app. p_made: as of make_decision.
create function askback_private.decider_json(p_made json) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return case
    when p_made ->> 'by' is not null
    then json_strip_nulls(json_build_object('door', p_made #>> '{by,door}', 'name', p_made #>> '{by,name}'))
  end;
end
$$;

-- Makes a link to an open item of a user, or, for the project, of whoever has it. Of its token only the hash is known here.
-- Calling it again returns the same; one that takes a sign-in then lasts as long as if it were new.
--
-- in   p_link: { id, itemId, hash, decides, name?, seconds: of its life }; p_user_id: null for the project
-- out  { kind: link, id, name, decides, expiresAt } | { kind: error, code: item_not_found }
--      | { kind: error, code: link_not_possible, why: as of why_not_by_link | too_many }
create function askback.create_item_link(p_link json, p_user_id uuid default null) returns json
language plpgsql set search_path = '' as $$
declare
  v_user uuid;
  v_conversation text;
  v_item json;
  v_decides boolean := (p_link ->> 'decides')::boolean;
  v_why text;
  v_facts json;
  v_now timestamptz := clock_timestamp();
  v_link askback.item_links;
begin
  select place.user_id, place.conversation_id into v_user, v_conversation
  from askback_private.place_of_item(p_link ->> 'itemId') place
  where p_user_id is null or place.user_id = p_user_id;
  if not found then
    return askback_private.refusal('item_not_found');
  end if;
  perform askback_private.hold_account(v_user);
  perform askback_private.require_account(v_user);
  perform from askback.conversations where user_id = v_user and id = v_conversation for key share;
  select item into v_item
  from json_array_elements(askback.list_items(v_user, v_conversation)) item
  where item ->> 'itemId' = p_link ->> 'itemId';
  if v_item is null then
    return askback_private.refusal('item_not_found');
  end if;
  v_why := case when v_decides then askback_private.why_not_by_link(v_item) end;
  if v_why is not null then
    return json_build_object('kind', 'error', 'code', 'link_not_possible', 'why', v_why);
  end if;
  perform askback_private.lock_usage(v_user);
  if (
    select count(*) from askback.item_links l
    where l.user_id = v_user and l.conversation_id = v_conversation and l.item_id = p_link ->> 'itemId'
      and l.revoked_at is null and l.expires_at > v_now and l.id <> (p_link ->> 'id')::uuid
  ) >= 20 then
    return json_build_object('kind', 'error', 'code', 'link_not_possible', 'why', 'too_many');
  end if;
  v_facts := askback.user_facts(v_user);
  insert into askback.item_links as known (
    id, user_id, conversation_id, item_id, hash, decides, name, created_at, expires_at
  ) values (
    (p_link ->> 'id')::uuid, v_user, v_conversation, p_link ->> 'itemId', p_link ->> 'hash', v_decides,
    left(coalesce(
      p_link ->> 'name',
      case when v_decides then coalesce(v_facts ->> 'name', v_facts ->> 'email', v_user::text) end
    ), 200),
    v_now, v_now + make_interval(secs => (p_link ->> 'seconds')::double precision)
  )
  on conflict (id) do update set expires_at = excluded.expires_at
  where not known.decides and known.revoked_at is null and known.hash = excluded.hash;
  select * into v_link from askback.item_links where id = (p_link ->> 'id')::uuid;
  return json_build_object(
    'kind', 'link', 'id', v_link.id, 'name', v_link.name, 'decides', v_link.decides, 'expiresAt', v_link.expires_at
  );
end
$$;

-- The links of a user that are still valid and whose item is open, oldest first.
--
-- out  [{ id, decides, name, createdAt, expiresAt, item: as of list_items }]
create function askback.list_item_links(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'id', l.id, 'decides', l.decides, 'name', l.name, 'createdAt', l.created_at, 'expiresAt', l.expires_at,
          'item', i.item
        )
        order by l.created_at, l.id
      ),
      '[]'
    )
    from askback.item_links l
    join json_array_elements(askback.list_items(p_user_id)) i (item)
    on i.item ->> 'itemId' = l.item_id and i.item ->> 'conversationId' = l.conversation_id
    where l.user_id = p_user_id and l.revoked_at is null and l.expires_at > clock_timestamp()
  );
end
$$;

-- Revokes a link for good; the project may revoke any. Its row stays, so that whoever has it is told why it fails.
--
-- out  whether there is such a link
create function askback.revoke_item_link(p_link_id uuid, p_user_id uuid default null) returns boolean
language sql set search_path = '' as $$
  with revoked as (
    update askback.item_links set revoked_at = coalesce(revoked_at, clock_timestamp())
    where id = p_link_id and (p_user_id is null or user_id = p_user_id)
    returning id
  )
  select exists (select 1 from revoked)
$$;

-- What became of an item since it was decided: { made: as of make_decision, running: whether the run that does it still
-- works, entries: its calls and results since, oldest first, asked: whether something new is asked about the same }. Null if
-- nobody decides or has decided it.
create function askback_private.outcome_of(p_item askback.open_items) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_run askback.runs := askback_private.deciding_run(p_item.user_id, p_item.conversation_id, p_item.id);
begin
  if v_run.id is null then
    select * into v_run from askback.runs where id = p_item.closed_by;
  end if;
  if v_run.id is null or askback_private.decision_of(v_run, p_item.id) is null then
    return null;
  end if;
  return json_build_object(
    'made', askback_private.decision_of(v_run, p_item.id),
    'running', exists (
      select 1 from askback.runs r
      where r.user_id = v_run.user_id and r.conversation_id = v_run.conversation_id
        and r.message_id = v_run.message_id and r.started_at >= v_run.started_at
        and r.status in ('running', 'stopping') and r.lease_expires_at > clock_timestamp()
    ),
    'entries', (
      select coalesce(json_agg(e.entry order by r.started_at, e.sequence), '[]')
      from askback.entries e
      join askback.runs r on r.id = e.run_id
      where e.user_id = v_run.user_id and e.conversation_id = v_run.conversation_id and e.message_id = v_run.message_id
        and e.type in ('call', 'result') and e.tool_call_id = p_item.tool_call_id and r.started_at >= v_run.started_at
    ),
    'asked', exists (
      select 1 from askback.open_items i
      where i.user_id = p_item.user_id and i.conversation_id = p_item.conversation_id and i.id <> p_item.id
        and i.closed_at is null
        and (i.tool_call_id = p_item.tool_call_id or i.intent = nullif(p_item.intent, 0))
    )
  );
end
$$;

-- An item, open or closed, as of list_items.
create function askback_private.kept_item(p_item askback.open_items) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_question json := askback_private.question_of(
    p_item.user_id, p_item.conversation_id, p_item.message_id, p_item.id
  );
begin
  return json_build_object(
    'itemId', p_item.id, 'conversationId', p_item.conversation_id, 'conversationTitle', null,
    'messageId', p_item.message_id, 'agentId', p_item.agent_id, 'type', p_item.kind,
    'toolCallId', p_item.tool_call_id,
    'entry', v_question,
    'write', null, 'account', null,
    'approvers', case
      when p_item.kind = 'approval' then askback_private.approvers_json(
        p_item.user_id, p_item.conversation_id, p_item.id,
        askback_private.item_rule(p_item.agent_id, p_item.tool_name, v_question), p_item.user_id
      )
    end,
    'tool', askback_private.permitted_specifications(p_item.user_id, p_item.agent_id, array[p_item.tool_name]) -> 0
  );
end
$$;

-- An item with all that its own page shows, as p_reader may see it: { userId, conversationId, itemId, agent: its name, item: as
-- of list_items, null if its question is gone, closed: { as, at }, null while it can be decided, outcome: as of outcome_of,
-- isApprover: whether the reader decides it as one of a group }.
create function askback_private.opened_item(
  p_owner uuid, p_conversation_id text, p_item_id text, p_reader uuid
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_row askback.open_items;
  v_item json;
  v_shown json;
  v_rule askback.tool_approvers;
begin
  select item into v_item
  from json_array_elements(askback.list_items(p_owner, p_conversation_id)) item
  where item ->> 'itemId' = p_item_id;
  select * into v_row from askback.open_items
  where user_id = p_owner and conversation_id = p_conversation_id and id = p_item_id;
  v_shown := coalesce(v_item, case when v_row.id is not null then askback_private.kept_item(v_row) end);
  if v_shown ->> 'type' = 'approval' then
    v_rule := askback_private.item_rule(
      (v_shown ->> 'agentId')::uuid, coalesce(v_row.tool_name, v_shown #>> '{write,toolName}'), v_shown -> 'entry'
    );
    v_shown := v_shown::jsonb || jsonb_build_object(
      'approvers', askback_private.approvers_json(p_owner, p_conversation_id, p_item_id, v_rule, p_reader)
    );
  end if;
  return json_build_object(
    'userId', p_owner,
    'conversationId', p_conversation_id,
    'itemId', p_item_id,
    'agent', (
      select a.name from askback.agents a where a.id = coalesce(v_row.agent_id, (v_item ->> 'agentId')::uuid)
    ),
    'item', v_shown,
    'closed', case
      when v_item is null then json_build_object(
        'as', coalesce(v_row.closed_as, case when v_row.id is not null then 'expired' else 'replaced' end),
        'at', coalesce(v_row.closed_at, v_row.expires_at)
      )
    end,
    'outcome', case when v_row.id is not null then askback_private.outcome_of(v_row) end,
    'isApprover', coalesce(
      p_reader <> p_owner and askback.account_refusal(p_reader) is null
        and askback_private.part_of(v_rule, p_owner, p_reader) = 'group',
      false
    )
  );
end
$$;

-- What a link leads to, whatever has become of it. Opening it changes nothing.
--
-- in   p_reader: who is signed in, if anybody is
-- out  { kind: unknown | revoked | expired }
--      | { kind: open, link: { id, name, decides, expiresAt }, … as of opened_item }
create function askback.open_item_link(p_hash text, p_reader uuid default null) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_link askback.item_links;
begin
  select * into v_link from askback.item_links where hash = p_hash;
  if not found then
    return json_build_object('kind', 'unknown');
  elsif v_link.revoked_at is not null then
    return json_build_object('kind', 'revoked');
  elsif v_link.expires_at <= clock_timestamp() then
    return json_build_object('kind', 'expired');
  end if;
  perform askback_private.require_account(v_link.user_id);
  return askback_private.opened_item(v_link.user_id, v_link.conversation_id, v_link.item_id, p_reader)::jsonb
    || jsonb_build_object(
      'kind', 'open',
      'link', json_build_object(
        'id', v_link.id, 'name', v_link.name, 'decides', v_link.decides, 'expiresAt', v_link.expires_at
      )
    );
end
$$;

-- What waits for a user as one of a group, oldest first.
--
-- out  [as of opened_item, and askedFor: whose item it is]
create function askback.list_approvals(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  perform askback_private.require_account(p_user_id);
  return (
    select coalesce(
      json_agg(
        askback_private.opened_item(w.user_id, w.conversation_id, w.item_id, p_user_id)::jsonb
          || jsonb_build_object('askedFor', askback_private.name_of(w.user_id))
        order by w.number
      ),
      '[]'
    )
    from askback_private.items_to_approve(p_user_id) with ordinality w (user_id, conversation_id, item_id, number)
  );
end
$$;

-- An item for one of the group that decides it, whatever has become of it.
--
-- out  as of list_approvals; null: there is none, or somebody else decides it
create function askback.open_approval(p_user_id uuid, p_item_id text) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_found json;
begin
  perform askback_private.require_account(p_user_id);
  select opened.item into v_found
  from (
    select i.user_id, i.conversation_id from askback.open_items i where i.id = p_item_id
    union
    select place.user_id, place.conversation_id from askback_private.place_of_item(p_item_id) place
  ) place
  cross join lateral askback_private.opened_item(place.user_id, place.conversation_id, p_item_id, p_user_id) opened (item)
  where (opened.item ->> 'isApprover')::boolean and askback.account_refusal(place.user_id) is null
  limit 1;
  if v_found is null then
    return null;
  end if;
  return v_found::jsonb || jsonb_build_object('askedFor', askback_private.name_of((v_found ->> 'userId')::uuid));
end
$$;
