-- The bell: whoever should know that something waits for a person, and that it no longer does, is told by a signed request,
-- once for each item and state.

-- What seals the secrets of destinations as they are written: one RSA key, which the chat function makes. The database has
-- its public half alone, and cannot open what it has sealed.
create table askback.bell_key (
  only_row boolean primary key default true check (only_row),
  -- The modulus, 2048 bits in lower-case hex; the exponent is 65537.
  modulus text not null check (modulus ~ '^[89a-f][0-9a-f]*$' and length(modulus) = 512),
  -- The private half, sealed as secrets of connections are.
  sealed text not null
);

alter table askback.bell_key enable row level security;
grant all on askback.bell_key to service_role;

-- Where a project wants to be told, written by it: `insert into askback.on_open (url, secret) values (…)`.
create table askback.on_open (
  id uuid primary key default gen_random_uuid(),
  -- Each once: nobody is told twice because a row was written twice.
  url text not null unique check (url ~ '^https?://' and length(url) <= 2000),
  -- What signs the requests. Sealed before it is stored, by the trigger below.
  secret text not null check (secret <> ''),
  -- Whether it mails users what has waited for them: of all that are told, one at most, so that nobody gets two mails.
  digests boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);

create unique index on_open_digests on askback.on_open (digests) where digests;

alter table askback.on_open enable row level security;
grant all on askback.on_open to service_role;

-- Two texts of bytes of the same length, combined by exclusive or.
create function askback_private.xor_bytes(p_one bytea, p_other bytea) returns bytea
language plpgsql immutable set search_path = '' as $$
declare
  v_bytes bytea := p_one;
begin
  for i in 0..length(p_one) - 1 loop
    v_bytes := set_byte(v_bytes, i, get_byte(p_one, i) # get_byte(p_other, i));
  end loop;
  return v_bytes;
end
$$;

-- The mask generation function MGF1 with SHA-256 (RFC 8017, B.2.1).
create function askback_private.mask_of(p_seed bytea, p_length integer) returns bytea
language plpgsql immutable set search_path = '' as $$
declare
  v_mask bytea := '';
begin
  for i in 0..(p_length - 1) / 32 loop
    v_mask := v_mask || sha256(p_seed || int4send(i));
  end loop;
  return substr(v_mask, 1, p_length);
end
$$;

-- Encrypts a text of up to 190 bytes with a public key of 2048 bits: RSAES-OAEP with SHA-256 and no label (RFC 8017, 7.1.1).
-- PostgreSQL has this only in extensions, which are not everywhere. In lower-case hex.
create function askback_private.encrypt_rsa(p_modulus text, p_text text) returns text
language plpgsql set search_path = '' as $$
declare
  v_text bytea := convert_to(p_text, 'UTF8');
  -- 122 random bits in each.
  v_seed bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
  v_data bytea := sha256('') || decode(repeat('00', 190 - length(v_text)) || '01', 'hex') || v_text;
  v_masked bytea := askback_private.xor_bytes(v_data, askback_private.mask_of(v_seed, 223));
  v_message numeric := askback_private.number_of(
    encode(askback_private.xor_bytes(v_seed, askback_private.mask_of(v_masked, 32)) || v_masked, 'hex')
  );
  v_modulus numeric := askback_private.number_of(p_modulus);
  v_power numeric := v_message;
  v_hex text := '';
begin
  for i in 1..16 loop
    v_power := mod(v_power * v_power, v_modulus);
  end loop;
  v_power := mod(v_power * v_message, v_modulus);
  for i in 1..64 loop
    v_hex := lpad(to_hex(mod(v_power, 4294967296)::bigint), 8, '0') || v_hex;
    v_power := div(v_power, 4294967296);
  end loop;
  return v_hex;
end
$$;

-- The number that hex digits stand for.
create function askback_private.number_of(p_hex text) returns numeric
language plpgsql immutable set search_path = '' as $$
declare
  v_hex text := lpad(p_hex, (length(p_hex) + 7) / 8 * 8, '0');
  v_number numeric := 0;
begin
  for i in 0..length(v_hex) / 8 - 1 loop
    v_number := v_number * 4294967296 + ('x' || substr(v_hex, i * 8 + 1, 8))::bit(32)::bigint;
  end loop;
  return v_number;
end
$$;

-- A secret never reaches its column as it was written. One that is sealed stays: of an upsert, both the row to insert and
-- the update come here.
create function askback_private.seal_secret() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_modulus text := (select modulus from askback.bell_key);
begin
  if new.secret ~ '^sealed:[0-9a-f]*$' and length(new.secret) = 519 then
    return new;
  elsif octet_length(convert_to(new.secret, 'UTF8')) > 190 then
    raise exception 'The secret is longer than 190 bytes. Use a shorter one, such as the output of: openssl rand -hex 32'
    using errcode = '22001';
  elsif v_modulus is null then
    raise exception 'The secret cannot be sealed yet, because the clock has not called the chat function. Set up the clock, wait a minute for its first call, and write the row again.'
    using errcode = '55000';
  end if;
  new.secret := 'sealed:' || askback_private.encrypt_rsa(v_modulus, new.secret);
  return new;
end
$$;

create trigger seal_secret before insert or update of secret on askback.on_open
for each row execute function askback_private.seal_secret();

-- The sealed private half of the key of the bell; the one that is given, if there was none.
--
-- in   p_made: { modulus, sealed }
create function askback.bell_key(p_made json default null) returns text
language plpgsql set search_path = '' as $$
begin
  if p_made is not null then
    insert into askback.bell_key (modulus, sealed) values (p_made ->> 'modulus', p_made ->> 'sealed')
    on conflict do nothing;
  end if;
  return (select sealed from askback.bell_key);
end
$$;

-- What is to be told, or was.
create table askback.rings (
  id uuid primary key default gen_random_uuid(),
  on_open_id uuid not null references askback.on_open (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id text not null,
  item_id text not null,
  type text not null check (type in ('opened', 'closed')),
  -- How often whoever was told that it is open was told again. Each time the row begins anew, with another id.
  reminders integer not null default 0,
  attempts integer not null default 0,
  tried_at timestamptz,
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
    and r.item_id = i.id and r.type = 'opened' and r.attempts = 0 and r.reminders = 0;
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

-- Rings of those who are to be told again that something waits, at most p_limit. Without reading whole tables: a connection
-- plans this once, maybe while they are empty.
create function askback_private.due_reminders(p_limit integer) returns setof uuid
language plpgsql stable set search_path = '' set enable_seqscan = off as $$
begin
  return query
  with reminding as (
    select tool_name, min(remind_every) as least from askback.tool_approvers
    where remind_every is not null
    group by tool_name
  ),
  told as (
    select r.id, greatest(r.created_at, r.tried_at, r.heard_at) as told_at, i as item
    from reminding m
    join askback.open_items i on i.tool_name = m.tool_name and i.closed_at is null and i.kind = 'approval'
    join askback.rings r
      on r.user_id = i.user_id and r.conversation_id = i.conversation_id and r.item_id = i.id
    where r.type = 'opened' and r.next_at is null
      and greatest(r.created_at, r.tried_at, r.heard_at) + m.least <= now()
    -- What follows is asked of no more than these.
    offset 0
  )
  select t.id from told t
  where t.told_at + askback_private.remind_every(t.item) <= now()
    and askback.account_refusal((t.item).user_id) is null
  limit p_limit;
end
$$;

-- Whether the clock has somebody to tell.
create function askback_private.is_bell_due() returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from askback.rings where next_at <= now())
    or exists (select from askback_private.due_reminders(1))
    or askback_private.is_digest_due();
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
-- out  [{ id, onOpenId, url, secret, type: opened | reminder | closed, userId, itemId, kind, askedAt, agent,
--      item: as of kept_item, attempts, outcome: { as, by: as of decider_json, else null }, null while it is open }]
create function askback.take_rings(p_limit integer default 20) returns json
language plpgsql set search_path = '' as $$
declare
  v_ids uuid[];
begin
  update askback.rings set
    id = gen_random_uuid(), reminders = reminders + 1, attempts = 0, next_at = now(), heard_at = null
  where id in (
    select due.id from askback.rings due
    where due.id in (select askback_private.due_reminders(p_limit))
    -- Another clock has given it another id.
    for update skip locked
  );
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
      tried_at = clock_timestamp(),
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
  return (
    select coalesce(
      json_agg(
        json_build_object(
          'id', r.id, 'onOpenId', o.id, 'url', o.url, 'secret', o.secret,
          'type', case when r.reminders > 0 then 'reminder' else r.type end,
          'userId', r.user_id, 'itemId', r.item_id, 'kind', i.kind, 'askedAt', i.asked_at, 'attempts', r.attempts,
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
  );
end
$$;

-- Begins the request of a reminder, at the last moment. One of something that has closed meanwhile, or that nobody is to be
-- reminded of any more, is dropped.
--
-- out  [user | group]: who has not said yes; null: it is not to be told
create function askback.begin_reminder(p_ring_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_item askback.open_items;
  v_missing text[];
begin
  select i.* into v_item
  from askback.rings r
  join askback.open_items i
    on i.user_id = r.user_id and i.conversation_id = r.conversation_id and i.id = r.item_id
  where r.id = p_ring_id and r.reminders > 0;
  if askback_private.remind_every(v_item) is not null and askback.account_refusal(v_item.user_id) is null then
    v_missing := askback_private.missing_parts(v_item, askback_private.rule_of(v_item));
  end if;
  if cardinality(v_missing) > 0 then
    return to_json(v_missing);
  end if;
  update askback.rings set next_at = null where id = p_ring_id and reminders > 0;
  return null;
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
