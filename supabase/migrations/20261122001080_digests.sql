-- Digests: a mail to whoever wants one about what has waited for them for a while. Never two about one item, unless people
-- are to be reminded of it: what may have been sent is not sent again.

-- After how many minutes a user wants a mail about what waits for them. Without a row, they want none.
create table askback.digest_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  minutes integer not null check (minutes between 1 and 10080)
);

alter table askback.digest_settings enable row level security;
grant all on askback.digest_settings to service_role;

create table askback.digests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  attempts integer not null default 0,
  -- When it is tried next; null once it may have been sent, or is given up.
  next_at timestamptz default now(),
  -- When its request was begun whose answer is not known, or was good.
  begun_at timestamptz,
  -- When what came of it was stored, or that nobody will know.
  noted_at timestamptz,
  -- The HTTP status of the last answer; null if there was none.
  status integer,
  created_at timestamptz not null default clock_timestamp()
);

create index digests_due on askback.digests (next_at) where next_at is not null;
create index digests_begun on askback.digests (begun_at) where begun_at is not null and noted_at is null;
create index digests_of_user on askback.digests (user_id);

alter table askback.digests enable row level security;
grant all on askback.digests to service_role;

-- What a digest is about: each item is in the newest one of whoever it waits for.
create table askback.digest_items (
  -- The item's own user, or one of the group that approves it.
  reader_id uuid not null,
  user_id uuid not null,
  conversation_id text not null,
  item_id text not null,
  digest_id uuid not null references askback.digests (id) on delete cascade,
  -- In how many it was, with this one.
  times integer not null default 1,
  primary key (user_id, conversation_id, item_id, reader_id),
  foreign key (user_id, conversation_id, item_id)
  references askback.open_items (user_id, conversation_id, id) on delete cascade
);

create index digest_items_of_digest on askback.digest_items (digest_id);

alter table askback.digest_items enable row level security;
grant all on askback.digest_items to service_role;

-- Where a user is mailed: a confirmed address, since nobody else's is told anything, of an account that may act; null if
-- there is none.
create function askback_private.digest_address(p_user_id uuid) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_facts json;
begin
  if askback.account_refusal(p_user_id) is not null then
    return null;
  end if;
  v_facts := askback.user_facts(p_user_id);
  return case when (v_facts ->> 'isConfirmed')::boolean then v_facts ->> 'email' end;
end
$$;

-- Who wants digests and has confirmed an address: whoever has not costs nothing more. Runs with its owner's rights, since
-- service_role may not read auth.users.
create function askback_private.confirmed_readers() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select s.user_id from askback.digest_settings s
  join auth.users u on u.id = s.user_id
  where u.email_confirmed_at is not null;
end
$$;

-- What is in no digest of whoever it may wait for: their own items, and those of tools that a group of theirs approves; again
-- what they are to be reminded of. Of p_readers all of it; null: of everybody, if it is due. Whether it waits for this reader,
-- waits_for says. Without reading whole tables: a connection plans this once, maybe while they are empty.
--
-- out  is_due: it has waited for as long as its reader has chosen, or is to be mentioned again
create function askback_private.untold_items(p_readers uuid[] default null) returns table (
  reader_id uuid, item askback.open_items, is_due boolean
)
language plpgsql stable set search_path = '' set enable_seqscan = off as $$
#variable_conflict use_column
begin
  return query
  with settings as (
    select user_id, minutes from askback.digest_settings
    where p_readers is null and user_id in (select askback_private.confirmed_readers())
    union all
    select s.user_id, s.minutes from unnest(p_readers) reader (id) join askback.digest_settings s on s.user_id = reader.id
  ),
  ruled as (
    select distinct m.user_id, t.tool_name
    from askback.group_members m
    join askback.tool_approvers t on t.group_id = m.group_id
  ),
  places as (
    select s.user_id as reader_id, s.minutes, i.user_id, i.conversation_id, i.id
    from settings s
    join askback.open_items i on i.user_id = s.user_id
    where i.closed_at is null and i.kind <> 'wait'
    union all
    select s.user_id, s.minutes, i.user_id, i.conversation_id, i.id
    from ruled r
    join settings s on s.user_id = r.user_id
    join askback.open_items i on i.tool_name = r.tool_name and i.user_id <> r.user_id
    where i.closed_at is null and i.kind = 'approval'
  ),
  untold as (
    select p.reader_id, i as item, i.asked_at <= now() - make_interval(mins => p.minutes) as is_due
    from places p
    join askback.open_items i
      on i.user_id = p.user_id and i.conversation_id = p.conversation_id and i.id = p.id
    where (p_readers is not null or i.asked_at <= now() - make_interval(mins => p.minutes))
      and (i.expires_at is null or i.expires_at > now())
      -- A subquery that is no join looks by the whole key.
      and (
        select d.digest_id from askback.digest_items d
        where d.user_id = i.user_id and d.conversation_id = i.conversation_id and d.item_id = i.id
          and d.reader_id = p.reader_id
        limit 1
      ) is null
  ),
  reminding as (
    select tool_name, min(remind_every) as least from askback.tool_approvers
    where remind_every is not null
    group by tool_name
  ),
  told as (
    select s.user_id as reader_id, i as item, coalesce(d.begun_at, d.created_at) as told_at
    from reminding r
    join askback.open_items i on i.tool_name = r.tool_name and i.closed_at is null and i.kind = 'approval'
    join askback.digest_items m on m.user_id = i.user_id and m.conversation_id = i.conversation_id and m.item_id = i.id
    join askback.digests d on d.id = m.digest_id
    join settings s on s.user_id = m.reader_id
    where d.next_at is null and coalesce(d.begun_at, d.created_at) + r.least <= now()
    -- What follows is asked of no more than these.
    offset 0
  )
  select found.reader_id, found.item, found.is_due
  from (
    select * from untold
    union all
    select t.reader_id, t.item, true from told t
    where t.told_at + askback_private.remind_every(t.item) <= now()
  ) found
  order by (found.item).asked_at, (found.item).id;
end
$$;

-- Whether an item waits for a reader: they have a say in it, and nobody has said yes in their part.
create function askback_private.waits_for(p_reader uuid, p_item askback.open_items) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_rule askback.tool_approvers := askback_private.rule_of(p_item);
begin
  if p_item.declined_in is not null and p_reader = p_item.user_id then
    return false;
  end if;
  if v_rule.who is null then
    return p_reader = p_item.user_id;
  end if;
  return coalesce(
    askback_private.part_of(v_rule, p_item.user_id, p_reader) = any (askback_private.missing_parts(p_item, v_rule)), false
  ) and (p_reader = p_item.user_id or askback.account_refusal(p_item.user_id) is null);
end
$$;

-- Who is to be mailed now, at most p_limit: whoever has waited longest comes first. What is asked of each is asked of no
-- more users than it takes.
create function askback_private.overdue_users(p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' as $$
declare
  v_overdue record;
  v_users uuid[] := '{}';
  v_seen uuid[] := '{}';
begin
  if not exists (select from askback.on_open where digests) then
    return;
  end if;
  for v_overdue in select reader_id, item from askback_private.untold_items() loop
    exit when cardinality(v_users) >= p_limit;
    continue when v_overdue.reader_id = any (v_seen)
      or not askback_private.waits_for(v_overdue.reader_id, v_overdue.item);
    v_seen := v_seen || v_overdue.reader_id;
    if askback_private.digest_address(v_overdue.reader_id) is not null then
      v_users := v_users || v_overdue.reader_id;
    end if;
  end loop;
  return query select unnest(v_users);
end
$$;

-- Digests whose process died with their request: an answer takes ten seconds at most. They may have been sent, and are not
-- sent again.
create function askback_private.unknown_digests() returns setof askback.digests
language plpgsql stable set search_path = '' as $$
begin
  return query
  select * from askback.digests where noted_at is null and begun_at < now() - interval '1 minute';
end
$$;

-- Whether the clock has a digest to send, or one to give up.
create function askback_private.is_digest_due() returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from askback.digests where next_at <= now())
    or exists (select from askback_private.unknown_digests())
    or exists (select from askback_private.overdue_users(1));
end
$$;

-- Hands out the digests that are to be sent now, at most p_limit, with at most p_named items of each. One takes along all that
-- waits for its reader by then. One that was handed out and not begun is due again later.
--
-- out  { digests: [{ id, attempt, onOpenId, url, secret, userId, to, minutes, items: [{ askedAt, userId, askedFor: its user's
--      name, null for the reader's own, isAgain: a digest of the reader named it before, agent, item: as of kept_item }],
--      oldest first }], unknown: [id] of those of which
--      nobody will know whether they were sent, each once }
create function askback.take_digests(p_limit integer default 20, p_named integer default 20) returns json
language plpgsql set search_path = '' as $$
declare
  v_user uuid;
  v_users uuid[] := '{}';
  v_ids uuid[];
  v_unknown json;
begin
  for v_user in select one from askback_private.overdue_users(p_limit) one loop
    perform askback_private.hold_account(v_user);
    -- Of two clocks at once, the second finds nothing left.
    perform from askback.digest_settings where user_id = v_user for update skip locked;
    if found then
      v_users := v_users || v_user;
    end if;
  end loop;
  with untold as (
    select o.reader_id, o.is_due, i.user_id, i.conversation_id, i.id
    from askback_private.untold_items(v_users) o
    join askback.open_items i
      on i.user_id = (o.item).user_id and i.conversation_id = (o.item).conversation_id and i.id = (o.item).id
    where askback_private.waits_for(o.reader_id, o.item)
    -- Somebody may be deleting one right now.
    for key share of i skip locked
  ),
  made as (
    insert into askback.digests (user_id) select distinct reader_id from untold where is_due returning id, user_id
  )
  insert into askback.digest_items as named (reader_id, user_id, conversation_id, item_id, digest_id)
  select u.reader_id, u.user_id, u.conversation_id, u.id, m.id from untold u join made m on m.user_id = u.reader_id
  on conflict (user_id, conversation_id, item_id, reader_id) do update set
    digest_id = excluded.digest_id, times = named.times + 1;
  with given_up as (
    update askback.digests d set noted_at = clock_timestamp()
    where d.id in (
      select silent.id from askback.digests silent
      where silent.id in (select id from askback_private.unknown_digests()) and silent.noted_at is null
      for update skip locked
    )
    returning d.id
  )
  select coalesce(json_agg(id), '[]') into v_unknown from given_up;
  with taken as (
    update askback.digests d set
      attempts = d.attempts + 1,
      next_at = clock_timestamp() + askback_private.ring_again_after(d.attempts + 1),
      status = null
    where d.id in (
      select due.id from askback.digests due
      where due.next_at <= now()
      order by due.next_at limit p_limit
      for update skip locked
    )
    returning d.id
  )
  select array_agg(id) into v_ids from taken;
  return json_build_object('unknown', v_unknown, 'digests', (
    select coalesce(
      json_agg(
        json_build_object(
          'id', d.id, 'attempt', d.attempts, 'onOpenId', o.id, 'url', o.url, 'secret', o.secret,
          'userId', d.user_id, 'to', askback_private.digest_address(d.user_id), 'minutes', s.minutes,
          'items', (
            select coalesce(
              json_agg(
                json_build_object(
                  'askedAt', i.asked_at,
                  'userId', i.user_id,
                  'askedFor', case when i.user_id <> d.user_id then askback_private.name_of(i.user_id) end,
                  'isAgain', named.times > 1,
                  'agent', (select a.name from askback.agents a where a.id = i.agent_id),
                  'item', askback_private.kept_item(i)
                )
                order by i.asked_at, i.id
              ),
              '[]'
            )
            from (
              select one.user_id, one.conversation_id, one.id, m.times
              from askback.digest_items m
              join askback.open_items one
                on one.user_id = m.user_id and one.conversation_id = m.conversation_id and one.id = m.item_id
              where m.digest_id = d.id
              order by one.asked_at, one.id limit p_named
            ) named
            join askback.open_items i
              on i.user_id = named.user_id and i.conversation_id = named.conversation_id and i.id = named.id
          )
        )
        order by d.created_at
      ),
      '[]'
    )
    from askback.digests d
    left join askback.digest_settings s on s.user_id = d.user_id
    join askback.on_open o on o.digests
    where d.id = any (v_ids)
  ));
end
$$;

-- Begins the request of a digest, at the last moment: from now on, it may have been sent. One that nobody wants any more, or
-- about which nothing waits for its reader, is dropped.
--
-- in   p_attempt: as it was handed out
-- out  [itemId] of what still waits for its reader; null: it is not to be sent
create function askback.begin_digest(p_digest_id uuid, p_attempt integer) returns json
language plpgsql set search_path = '' as $$
declare
  v_digest askback.digests;
  v_open json;
begin
  select * into v_digest from askback.digests
  where id = p_digest_id and attempts = p_attempt and begun_at is null for update;
  if not found then
    return null;
  end if;
  select json_agg(i.id order by i.asked_at, i.id) into v_open
  from askback.digest_items m
  join askback.open_items i
    on i.user_id = m.user_id and i.conversation_id = m.conversation_id and i.id = m.item_id
  where m.digest_id = v_digest.id and i.closed_at is null and (i.expires_at is null or i.expires_at > clock_timestamp())
    and askback_private.waits_for(v_digest.user_id, i);
  if v_open is null
    or not exists (select from askback.digest_settings where user_id = v_digest.user_id)
    or askback_private.digest_address(v_digest.user_id) is null
  then
    delete from askback.digests where id = v_digest.id;
    return null;
  end if;
  update askback.digests set begun_at = clock_timestamp(), next_at = null where id = v_digest.id;
  return v_open;
end
$$;

-- Notes what came of the request of a digest. p_status: the HTTP status of the answer; null if there was none. p_again:
-- whether it is certain that nothing was sent.
create function askback.note_digest(
  p_digest_id uuid, p_attempt integer, p_again boolean, p_status integer default null
) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.digests set
    status = p_status,
    begun_at = case when not p_again then begun_at end,
    noted_at = case when not p_again then clock_timestamp() end,
    next_at = case when p_again then clock_timestamp() + askback_private.ring_again_after(attempts) end
  where id = p_digest_id and attempts = p_attempt and begun_at is not null;
end
$$;

-- What a user has chosen.
--
-- out  { minutes: null for none, to: null without a confirmed address, isPossible: whether the project sends digests }
create function askback.digest_setting(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  perform askback_private.require_account(p_user_id);
  return (
    select json_build_object(
      'minutes', s.minutes,
      'to', askback_private.digest_address(p_user_id),
      'isPossible', exists (select from askback.on_open where digests)
    )
    from (select p_user_id as id) one
    left join askback.digest_settings s on s.user_id = one.id
  );
end
$$;

-- Chooses when a user is mailed. p_minutes: null for never.
--
-- out  as of digest_setting
create function askback.change_digest_setting(p_user_id uuid, p_minutes integer default null) returns json
language plpgsql set search_path = '' as $$
begin
  perform askback_private.hold_account(p_user_id);
  perform askback_private.require_account(p_user_id);
  if p_minutes is null then
    perform askback.end_digests(p_user_id);
  else
    insert into askback.digest_settings (user_id, minutes) values (p_user_id, p_minutes)
    on conflict (user_id) do update set minutes = excluded.minutes;
  end if;
  return askback.digest_setting(p_user_id);
end
$$;

-- Sends a user no more digests; whoever asks has shown that they may, and needs no account that may act.
create function askback.end_digests(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.digest_settings where user_id = p_user_id;
end
$$;
