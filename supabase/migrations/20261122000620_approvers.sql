-- Who approves what a tool would do: the user, somebody of a group of the project, or both of them (four eyes). Which of
-- these it is, is asked when somebody decides and when the write is claimed, not only when the question was asked.

create table askback.groups (
  id uuid primary key default gen_random_uuid(),
  -- As people read it: "Waiting for Finance."
  name text not null unique check (name ~ '\S' and length(name) <= 100),
  created_at timestamptz not null default now()
);

alter table askback.groups enable row level security;
grant all on askback.groups to service_role;

create table askback.group_members (
  group_id uuid not null references askback.groups (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (group_id, user_id)
);

create index group_members_by_user on askback.group_members (user_id);

alter table askback.group_members enable row level security;
grant all on askback.group_members to service_role;

-- Without a row, the user decides. A row for one agent goes before the one for all of them.
create table askback.tool_approvers (
  tool_name text not null check (tool_name ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- null: all agents of the project.
  agent_id uuid references askback.agents (id) on delete cascade,
  who text not null check (who in ('user', 'group', 'both')),
  -- A group that decides something cannot be deleted.
  group_id uuid references askback.groups (id),
  -- How often whoever has not decided yet is told again; null: never.
  remind_every interval check (remind_every between '1 minute' and '30 days'),
  created_at timestamptz not null default now(),
  unique nulls not distinct (tool_name, agent_id),
  check ((who = 'user') = (group_id is null))
);

create index tool_approvers_by_agent on askback.tool_approvers (agent_id) where agent_id is not null;
create index tool_approvers_by_group on askback.tool_approvers (group_id) where group_id is not null;

alter table askback.tool_approvers enable row level security;
grant all on askback.tool_approvers to service_role;

-- Who has said yes to an item that not its user alone decides. It is evidence, and stays when the item is closed.
create table askback.approvals (
  user_id uuid not null,
  conversation_id text not null,
  item_id text not null,
  -- For whom: the user, or the group.
  part text not null check (part in ('user', 'group')),
  tool_call_id text not null,
  -- Null once their account is deleted.
  approver_id uuid references auth.users (id) on delete set null,
  -- As they were called then.
  name text not null,
  group_id uuid references askback.groups (id) on delete set null,
  group_name text,
  approved_at timestamptz not null default clock_timestamp(),
  primary key (user_id, conversation_id, item_id, part),
  foreign key (user_id, conversation_id) references askback.conversations (user_id, id) on delete cascade
);

create index approvals_of_call on askback.approvals (user_id, conversation_id, tool_call_id);
create index approvals_by_approver on askback.approvals (approver_id);
create index approvals_by_group on askback.approvals (group_id);

alter table askback.approvals enable row level security;
grant all on askback.approvals to service_role;

create index open_items_to_approve on askback.open_items (tool_name) where closed_at is null and kind = 'approval';

-- The rule of a tool for an agent; all null: its user decides alone.
create function askback_private.approver_rule(p_agent_id uuid, p_tool_name text) returns askback.tool_approvers
language plpgsql stable set search_path = '' as $$
declare
  v_rule askback.tool_approvers;
begin
  select * into v_rule from askback.tool_approvers
  where tool_name = p_tool_name and (agent_id = p_agent_id or agent_id is null)
  order by agent_id nulls last limit 1;
  if v_rule.who = 'user' then
    return null;
  end if;
  return v_rule;
end
$$;

-- Whether a group decides about calls of a tool, for all agents or one of the user's: nobody makes one besides.
create function askback_private.is_for_approvers(p_user_id uuid, p_tool_name text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from askback.tool_approvers t
    where t.tool_name = p_tool_name and t.who <> 'user'
      and (t.agent_id is null or t.agent_id in (select id from askback.agents where user_id = p_user_id))
  );
end
$$;

-- The rule of an item. p_entry: its question. Whoever deletes an agent does not decide in place of its group by that.
create function askback_private.item_rule(
  p_agent_id uuid, p_tool_name text, p_entry json default null
) returns askback.tool_approvers
language plpgsql stable set search_path = '' as $$
declare
  v_rule askback.tool_approvers := askback_private.approver_rule(p_agent_id, p_tool_name);
begin
  if v_rule.who is null and p_agent_id is null and p_entry -> 'approvers' is not null then
    select p_entry #>> '{approvers,who}', g.id into v_rule.who, v_rule.group_id
    from askback.groups g where g.id = (p_entry #>> '{approvers,groupId}')::uuid;
  end if;
  return v_rule;
end
$$;

-- As people call a user: by name, else by address.
create function askback_private.name_of(p_user_id uuid) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_facts json := askback.user_facts(p_user_id);
begin
  return left(coalesce(v_facts ->> 'name', v_facts ->> 'email', p_user_id::text), 200);
end
$$;

create function askback_private.is_member(p_group_id uuid, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from askback.group_members where group_id = p_group_id and user_id = p_user_id);
end
$$;

-- How often people are told again that an item waits; null: never, or nobody can decide it any more. It goes with the row
-- that says who decides.
create function askback_private.remind_every(p_item askback.open_items) returns interval
language plpgsql stable set search_path = '' as $$
begin
  if p_item.kind <> 'approval' or p_item.closed_at is not null or p_item.expires_at <= clock_timestamp() then
    return null;
  end if;
  return (
    select remind_every from askback.tool_approvers
    where tool_name = p_item.tool_name and (agent_id = p_item.agent_id or agent_id is null)
    order by agent_id nulls last limit 1
  );
end
$$;

-- For whom a person says yes to an item of p_owner: user | group; null: they have no say. Nobody is two of four eyes.
create function askback_private.part_of(
  p_rule askback.tool_approvers, p_owner uuid, p_person uuid
) returns text
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_rule.who = 'both' and p_person = p_owner then 'user'
    when askback_private.is_member(p_rule.group_id, p_person) then 'group'
  end;
end
$$;

-- Whether a yes still counts: whoever has left the group since, or may no longer act, does not decide.
create function askback_private.still_counts(
  p_approval askback.approvals, p_rule askback.tool_approvers
) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return p_approval.approver_id is not null
    and coalesce(
      askback_private.part_of(p_rule, p_approval.user_id, p_approval.approver_id) = p_approval.part, false
    )
    and (p_approval.part = 'user' or p_approval.group_id = p_rule.group_id)
    and askback.account_refusal(p_approval.approver_id) is null;
end
$$;

-- Whether everybody has said yes whom the rule names.
create function askback_private.is_approved(
  p_owner uuid, p_conversation_id text, p_item_id text, p_rule askback.tool_approvers
) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (
    select count(*) from askback.approvals a
    where a.user_id = p_owner and a.conversation_id = p_conversation_id and a.item_id = p_item_id
      and askback_private.still_counts(a, p_rule)
  ) = case p_rule.who when 'both' then 2 else 1 end;
end
$$;

-- The rule of an open item, whatever has become of its agent.
create function askback_private.rule_of(p_item askback.open_items) returns askback.tool_approvers
language plpgsql stable set search_path = '' as $$
begin
  if p_item.kind <> 'approval' then
    return null;
  end if;
  return askback_private.item_rule(
    p_item.agent_id,
    p_item.tool_name,
    case when p_item.agent_id is null then
      askback_private.question_of(p_item.user_id, p_item.conversation_id, p_item.message_id, p_item.id)
    end
  );
end
$$;

-- Who has not said yes to an item: of user and group, those whom its rule asks.
create function askback_private.missing_parts(p_item askback.open_items, p_rule askback.tool_approvers) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select asked.part
    from unnest(
      case p_rule.who when 'both' then array['user', 'group'] when 'group' then array['group'] else array['user'] end
    ) asked (part)
    where not exists (
      select from askback.approvals a
      where a.user_id = p_item.user_id and a.conversation_id = p_item.conversation_id and a.item_id = p_item.id
        and a.part = asked.part and askback_private.still_counts(a, p_rule)
    )
  );
end
$$;

-- Whether a run may claim a call of a tool: there is no rule, or it is kept by people whose yes still counts, however long
-- ago they said it.
create function askback_private.is_approved_call(
  p_run askback.runs, p_tool_name text, p_tool_call_id text
) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_rule askback.tool_approvers := askback_private.approver_rule(p_run.agent_id, p_tool_name);
begin
  return v_rule.who is null or exists (
    select from askback.approvals a
    where a.user_id = p_run.user_id and a.conversation_id = p_run.conversation_id
      and a.tool_call_id = p_tool_call_id and a.part = 'group' and askback_private.still_counts(a, v_rule)
      and (v_rule.who = 'group' or exists (
        select from askback.approvals own
        where own.user_id = a.user_id and own.conversation_id = a.conversation_id and own.item_id = a.item_id
          and own.part = 'user' and askback_private.still_counts(own, v_rule)
      ))
  );
end
$$;

-- Takes what somebody says to an item that its user does not decide alone. p_item: as of list_items, p_made: as of
-- make_decision, p_person: null for whoever has a link. The caller holds the conversation's lock.
--
-- out  null: it is decided by this; kept: it waits for the other one; else why it is refused: not_an_approver |
--      not_as_asked
create function askback_private.take_approval(
  p_conversation askback.conversations, p_item json, p_made json, p_person uuid
) returns text
language plpgsql set search_path = '' as $$
declare
  v_item_id text := p_item ->> 'itemId';
  v_rule askback.tool_approvers := askback_private.item_rule(
    (p_item ->> 'agentId')::uuid,
    coalesce(p_item #>> '{entry,toolName}', p_item #>> '{write,toolName}'),
    p_item -> 'entry'
  );
  v_part text;
begin
  -- Anybody whom it concerns may say no, and one that has expired is only asked anew.
  if v_rule.who is null or p_made ->> 'as' not in ('approve', 'draft') or p_item ->> 'expired' is not null then
    return null;
  end if;
  if p_made ->> 'as' = 'draft' or p_made -> 'input' is not null or p_item ->> 'type' <> 'approval' then
    return 'not_as_asked';
  end if;
  if askback_private.is_approved(p_conversation.user_id, p_conversation.id, v_item_id, v_rule) then
    return null;
  end if;
  -- Whoever is being removed from the group either was before this, or is after it.
  perform from askback.group_members where group_id = v_rule.group_id for key share;
  v_part := askback_private.part_of(v_rule, p_conversation.user_id, p_person);
  if v_part is null then
    return 'not_an_approver';
  end if;
  insert into askback.approvals as before (
    user_id, conversation_id, item_id, part, tool_call_id, approver_id, name, group_id, group_name
  )
  select
    p_conversation.user_id, p_conversation.id, v_item_id, v_part, p_item ->> 'toolCallId', p_person,
    askback_private.name_of(p_person), g.id, g.name
  from (select) one
  left join askback.groups g on v_part = 'group' and g.id = v_rule.group_id
  on conflict (user_id, conversation_id, item_id, part) do update set
    approver_id = excluded.approver_id, name = excluded.name, group_id = excluded.group_id,
    group_name = excluded.group_name, approved_at = excluded.approved_at
  where not askback_private.still_counts(before, v_rule);
  if askback_private.is_approved(p_conversation.user_id, p_conversation.id, v_item_id, v_rule) then
    return null;
  end if;
  return 'kept';
end
$$;

-- Who has approved an item: [{ part, name, group? }], in their order; null if its user decided alone.
create function askback_private.approvals_json(
  p_owner uuid, p_conversation_id text, p_item_id text
) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_agg(
      json_strip_nulls(json_build_object('part', a.part, 'name', a.name, 'group', a.group_name)) order by a.approved_at
    )
    from askback.approvals a
    where a.user_id = p_owner and a.conversation_id = p_conversation_id and a.item_id = p_item_id
  );
end
$$;

-- Who decides an open approval, as p_reader sees it: { who: group | both, group: its name, part: for whom the reader may
-- say yes, else null, approved: [{ part, name, isReader }] }. Null if its user decides alone.
create function askback_private.approvers_json(
  p_owner uuid, p_conversation_id text, p_item_id text, p_rule askback.tool_approvers, p_reader uuid
) returns json
language plpgsql stable set search_path = '' as $$
begin
  if p_rule.who is null then
    return null;
  end if;
  return json_build_object(
    'who', p_rule.who,
    'groupId', p_rule.group_id,
    'group', (select name from askback.groups where id = p_rule.group_id),
    'part', askback_private.part_of(p_rule, p_owner, p_reader),
    'approved', (
      select coalesce(
        json_agg(
          json_build_object('part', a.part, 'name', a.name, 'isReader', a.approver_id = p_reader)
          order by a.approved_at
        ),
        '[]'
      )
      from askback.approvals a
      where a.user_id = p_owner and a.conversation_id = p_conversation_id and a.item_id = p_item_id
        and askback_private.still_counts(a, p_rule)
    )
  );
end
$$;

-- What waits for a user as one of a group, oldest first, at most 200. Their own items are among their own.
--
-- out  [{ userId, conversationId, itemId }]
create function askback_private.items_to_approve(p_user_id uuid) returns table (
  user_id uuid, conversation_id text, item_id text
)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with ruled as (
    -- A rule for one agent may name another group than that for all.
    select t.tool_name from askback.tool_approvers t
    join askback.group_members m on m.group_id = t.group_id and m.user_id = p_user_id
  ),
  places as (
    select i.user_id, i.conversation_id from askback.open_items i
    where i.closed_at is null and i.kind = 'approval' and i.tool_name in (select tool_name from ruled)
    union
    -- The rule of an agent was deleted with it.
    select i.user_id, i.conversation_id from askback.open_items i
    where i.closed_at is null and i.kind = 'approval' and i.agent_id is null
      and exists (select from askback.group_members where user_id = p_user_id)
    union
    select e.user_id, e.conversation_id from askback.tool_executions e
    where e.status in ('running', 'unknown') and e.conversation_id is not null
      and e.tool_name in (select tool_name from ruled)
  )
  select p.user_id, p.conversation_id, i.id
  from places p
  cross join lateral askback_private.items_of(p.user_id, array[p.conversation_id]) i
  cross join lateral askback_private.item_rule(
    i.agent_id, i.tool_name, askback_private.question_of(p.user_id, i.conversation_id, i.message_id, i.id)
  ) rule
  where p.user_id <> p_user_id and i.kind = 'approval'
    and askback_private.part_of(rule, p.user_id, p_user_id) = 'group'
    and askback.account_refusal(p.user_id) is null
  order by i.asked_at, i.id
  limit 200;
end
$$;

-- How many items wait for the calling user: their own, and those that a group of theirs approves. It reads what others
-- are asked, with its owner's rights, and tells only the number. Null for whoever may read nothing.
create function askback.count_waiting() returns integer
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
begin
  if ((select auth.jwt() ->> 'client_id') is null and askback_private.may_use_data()) is not true then
    return null;
  end if;
  return (
    select coalesce(sum(open_count), 0) from askback.conversations where user_id = v_user_id and open_count > 0
  ) + case
    when exists (select from askback.group_members where user_id = v_user_id)
    then (select count(*) from askback_private.items_to_approve(v_user_id))
    else 0
  end;
end
$$;
