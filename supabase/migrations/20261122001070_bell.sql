-- The bell: whoever should know that something waits for a person, and that it no longer does, is told by a signed request,
-- once for each item and state.

-- Where a project wants to be told, written by it: `insert into askback.on_open (url, secret) values (…)`.
create table askback.on_open (
  id uuid primary key default gen_random_uuid(),
  url text not null check (url ~ '^https?://' and length(url) <= 2000),
  -- What signs the requests. The chat function seals it the next time the clock calls, as it does secrets of connections.
  secret text not null check (secret <> ''),
  created_at timestamptz not null default clock_timestamp()
);

alter table askback.on_open enable row level security;
grant all on askback.on_open to service_role;

-- What is to be told, or was.
create table askback.rings (
  id uuid primary key default gen_random_uuid(),
  on_open_id uuid not null references askback.on_open (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id text not null,
  item_id text not null,
  type text not null check (type in ('opened', 'closed')),
  attempts integer not null default 0,
  -- When it is tried next; null once it was heard, or given up.
  next_at timestamptz default clock_timestamp(),
  heard_at timestamptz,
  -- The HTTP status of the last answer; null if there was none.
  status integer,
  created_at timestamptz not null default clock_timestamp(),
  unique (user_id, conversation_id, item_id, on_open_id, type),
  foreign key (user_id, conversation_id, item_id)
  references askback.open_items (user_id, conversation_id, id) on delete cascade
);

create index rings_due on askback.rings (next_at) where next_at is not null;
create index rings_by_destination on askback.rings (on_open_id);

alter table askback.rings enable row level security;
grant all on askback.rings to service_role;

-- Rings for items that people can decide. Runs in the transaction that opens them.
create function askback_private.ring_opened() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into askback.rings (on_open_id, user_id, conversation_id, item_id, type)
  select o.id, i.user_id, i.conversation_id, i.id, 'opened'
  from changed_items i
  cross join askback.on_open o
  where i.closed_at is null and i.kind <> 'wait'
  on conflict do nothing;
  return null;
end
$$;

create trigger ring_opened after insert on askback.open_items
referencing new table as changed_items for each statement execute function askback_private.ring_opened();

-- Whoever was told that something is open is told that it no longer is; whoever was not is told neither.
create function askback_private.ring_closed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from askback.on_open) then
    return null;
  end if;
  delete from askback.rings r using changed_items i
  where i.closed_at is not null and r.user_id = i.user_id and r.conversation_id = i.conversation_id
    and r.item_id = i.id and r.type = 'opened' and r.attempts = 0;
  insert into askback.rings (on_open_id, user_id, conversation_id, item_id, type)
  select r.on_open_id, r.user_id, r.conversation_id, r.item_id, 'closed'
  from changed_items i
  join askback.rings r
    on r.user_id = i.user_id and r.conversation_id = i.conversation_id and r.item_id = i.id and r.type = 'opened'
  where i.closed_at is not null
  on conflict do nothing;
  -- That it is open is no longer true.
  update askback.rings r set next_at = null from changed_items i
  where i.closed_at is not null and r.user_id = i.user_id and r.conversation_id = i.conversation_id
    and r.item_id = i.id and r.type = 'opened' and r.next_at is not null;
  return null;
end
$$;

create trigger ring_closed after update on askback.open_items
referencing new table as changed_items for each statement execute function askback_private.ring_closed();

-- Whether the clock has something to ring for, or a secret to seal.
create function askback_private.is_ring_due() returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from askback.rings where next_at <= now())
    or exists (select from askback.on_open where secret not like 'sealed:%');
end
$$;

-- How long after so many attempts the next one is made; null: none is.
create function askback_private.ring_again_after(p_attempts integer) returns interval
language plpgsql immutable set search_path = '' as $$
begin
  return (array[
    '30 seconds', '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours'
  ]::interval[])[p_attempts];
end
$$;

-- Hands out what is to be told now, at most p_limit, no destination more than its share: one that is slow does not keep the
-- others waiting. What was handed out and not noted is due again later.
--
-- out  { unsealed: [{ id, secret }], due: [{ id, onOpenId, url, secret, type, userId, itemId, kind, agent, item: as of
--      kept_item, attempts, outcome: { as, by: as of decider_json, else null }, null while it is open }] }
create function askback.take_rings(p_limit integer default 20) returns json
language plpgsql set search_path = '' as $$
declare
  v_ids uuid[];
begin
  with ranked as (
    select id, row_number() over (partition by on_open_id order by next_at, created_at) as turn, next_at
    from askback.rings where next_at <= now()
  ),
  chosen as (
    select id from ranked order by turn, next_at limit p_limit
  ),
  taken as (
    update askback.rings r set
      attempts = r.attempts + 1,
      next_at = clock_timestamp() + askback_private.ring_again_after(r.attempts + 1),
      status = null
    where r.id in (
      select due.id from askback.rings due
      where due.id in (select id from chosen) and due.next_at <= now()
      for update skip locked
    )
    returning r.id
  )
  select array_agg(id) into v_ids from taken;
  return json_build_object(
    'unsealed', (
      select coalesce(json_agg(json_build_object('id', id, 'secret', secret)), '[]')
      from askback.on_open where secret not like 'sealed:%'
    ),
    'due', (
      select coalesce(
        json_agg(
          json_build_object(
            'id', r.id, 'onOpenId', o.id, 'url', o.url, 'secret', o.secret, 'type', r.type, 'userId', r.user_id,
            'itemId', r.item_id, 'kind', i.kind, 'attempts', r.attempts,
            'agent', (select a.name from askback.agents a where a.id = i.agent_id),
            'item', askback_private.kept_item(i),
            'outcome', case
              when r.type = 'closed' then json_build_object(
                'as', i.closed_as,
                'by', (
                  select askback_private.decider_json(askback_private.decision_of(run, i.id))
                  from askback.runs run where run.id = i.closed_by
                )
              )
            end
          )
          order by r.created_at
        ),
        '[]'
      )
      from askback.rings r
      join askback.on_open o on o.id = r.on_open_id
      join askback.open_items i
        on i.user_id = r.user_id and i.conversation_id = r.conversation_id and i.id = r.item_id
      where r.id = any (v_ids)
    )
  );
end
$$;

-- Notes what came of a ring. p_status: the HTTP status of the answer; null if there was none.
create function askback.note_ring(p_ring_id uuid, p_status integer default null) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.rings set
    status = p_status,
    heard_at = case when p_status between 200 and 299 then coalesce(heard_at, clock_timestamp()) end,
    next_at = case when p_status between 200 and 299 then null else next_at end
  where id = p_ring_id and heard_at is null;
end
$$;

-- Puts the sealed secret of a destination in the place of what stood there, unless that has changed.
create function askback.seal_on_open(p_id uuid, p_before text, p_sealed text) returns boolean
language plpgsql set search_path = '' as $$
begin
  update askback.on_open set secret = p_sealed where id = p_id and secret = p_before;
  return found;
end
$$;
