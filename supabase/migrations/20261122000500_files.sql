-- Files that users attach to their messages. Each is stored once per user, and messages refer to it.

create table askback.files (
  -- Derived from the user, the name, the type and the bytes: the same file has the same id.
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  filename text not null check (length(filename) between 1 and 255),
  media_type text not null check (length(media_type) between 3 and 127),
  size integer not null check (size between 1 and 5242880),
  -- SHA-256 of the bytes in lower-case hex.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- The bytes, or their object name in the bucket.
  content bytea,
  object text unique,
  -- What a model is told about its content; null until it was read.
  reading json,
  created_at timestamptz not null default clock_timestamp(),
  -- When it was last uploaded; null as soon as a message refers to it.
  unused_since timestamptz default clock_timestamp(),
  unique (user_id, sha256, filename, media_type),
  check ((content is null) <> (object is null))
);

-- Pictures and PDFs are already compressed.
alter table askback.files alter column content set storage external;

create index files_unused on askback.files (unused_since) where unused_since is not null;

alter table askback.files enable row level security;

grant all on askback.files to service_role;
grant select (id, user_id, filename, media_type, size, sha256, created_at) on askback.files to authenticated;

create policy "owners see their files" on askback.files
for select to authenticated using (user_id = (select auth.uid()));


-- The messages that contain a file. No policy and no grant: no client role can read it.
create table askback.message_files (
  user_id uuid not null,
  conversation_id text not null,
  message_id text not null,
  file_id uuid not null references askback.files (id) on delete cascade,
  primary key (user_id, conversation_id, message_id, file_id),
  foreign key (user_id, conversation_id, message_id)
  references askback.messages (user_id, conversation_id, id) on delete cascade
);

create index message_files_by_file on askback.message_files (file_id);

alter table askback.message_files enable row level security;

grant all on askback.message_files to service_role;


-- Bucket names of deleted files whose bytes still have to be removed.
create table askback.removed_objects (
  object text primary key,
  removed_at timestamptz not null default clock_timestamp()
);

alter table askback.removed_objects enable row level security;

grant all on askback.removed_objects to service_role;


create function askback_private.note_removed_object() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into askback.removed_objects (object) values (old.object) on conflict do nothing;
  return null;
end
$$;

-- Also fires when the user is deleted.
create trigger note_removed_object after delete on askback.files
for each row when (old.object is not null) execute function askback_private.note_removed_object();

-- A private bucket for the bytes if there is Storage, which only the service role can use. Otherwise they are kept in
-- the table.
do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit)
    values ('askback-files', 'askback-files', false, 5242880)
    on conflict (id) do nothing;
  end if;
exception
  when others then
    raise warning 'The bucket askback-files could not be created: %', sqlerrm;
end
$$;

create function askback_private.file_json(p_file askback.files) returns json
language plpgsql immutable set search_path = '' as $$
begin
  return json_build_object(
    'id', p_file.id, 'filename', p_file.filename, 'mediaType', p_file.media_type, 'size', p_file.size,
    'reading', p_file.reading
  );
end
$$;

-- Those of the given files that the user has stored.
--
-- out  { inStorage: whether bytes are kept in Storage here, files: [{ id, filename, mediaType, size, reading }] }
create function askback.find_files(p_user_id uuid, p_ids uuid[]) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'inStorage', exists (
        select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'storage' and c.relname = 'buckets'
      ),
      'files', (
        select coalesce(json_agg(askback_private.file_json(f)), '[]')
        from askback.files f
        where f.user_id = p_user_id and f.id = any (p_ids)
      )
    )
  );
end
$$;

-- Stores a file. Repeated, or sent twice at once, it is stored once.
--
-- in   p_file: { id, filename, mediaType, size, sha256, object?: its name in the bucket }; p_content: its bytes in
--      base64, unless they are in the bucket; p_limit: bytes of all files of the user together
-- out  stored | elsewhere: already stored, with its bytes in another place | full: it would exceed p_limit | too_many:
--      the user keeps as many files as they may | too_fast: they have stored as many in this minute as they may
create function askback.store_file(p_user_id uuid, p_file json, p_limit bigint, p_content text default null)
returns text
language plpgsql set search_path = '' as $$
declare
  v_id uuid := (p_file ->> 'id')::uuid;
begin
  perform askback_private.require_account(p_user_id);
  -- One at a time, so that concurrent uploads cannot exceed the limit together.
  perform pg_advisory_xact_lock(hashtextextended(p_user_id || ' files', 0));
  if not exists (select 1 from askback.files where id = v_id) and (
    select coalesce(sum(size), 0) + (p_file ->> 'size')::integer > p_limit
    from askback.files where user_id = p_user_id
  ) then
    return 'full';
  end if;
  if not exists (select 1 from askback.files where id = v_id) then
    if (select count(*) from askback.files where user_id = p_user_id) >= askback_private.limit_of('user', p_user_id, 'files') then
      return 'too_many';
    end if;
    if (
      select count(*) from askback.files
      where user_id = p_user_id and created_at >= askback_private.window_start('minute')
    ) >= askback_private.limit_of('user', p_user_id, 'files', 'minute') then
      return 'too_fast';
    end if;
  end if;
  insert into askback.files (id, user_id, filename, media_type, size, sha256, content, object)
  values (
    v_id, p_user_id, p_file ->> 'filename', p_file ->> 'mediaType', (p_file ->> 'size')::integer,
    p_file ->> 'sha256', decode(p_content, 'base64'), p_file ->> 'object'
  )
  -- Uploaded again, it stays for another day.
  on conflict (id) do update set unused_since = clock_timestamp();
  return (
    select case when count(*) > 0 then 'stored' else 'elsewhere' end from askback.files
    where id = v_id and user_id = p_user_id and object is not distinct from (p_file ->> 'object')
  );
end
$$;

-- A file with its bytes.
--
-- out  { id, filename, mediaType, size, object: its name in the bucket, or null, content: in base64, or null }; null:
--      the user has no such file
create function askback.read_file(p_user_id uuid, p_file_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'id', f.id, 'filename', f.filename, 'mediaType', f.media_type, 'size', f.size, 'object', f.object,
      'content', translate(encode(f.content, 'base64'), E'\n', '')
    )
    from askback.files f
    where f.id = p_file_id and f.user_id = p_user_id
  );
end
$$;

-- The same, for the holder of a link that the functions have signed.
create function askback.read_linked_file(p_file_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  perform askback_private.require_account(user_id) from askback.files where id = p_file_id;
  return (select askback.read_file(user_id, id) from askback.files where id = p_file_id);
end
$$;

-- Stores what was read from a file, so that it is read only once.
create function askback.keep_file_reading(p_user_id uuid, p_file_id uuid, p_reading json) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.files set reading = p_reading where id = p_file_id and user_id = p_user_id;
end
$$;

-- The files that messages refer to, in begin_turn's format; including those of earlier messages that clients keep
-- themselves.
create function askback_private.named_files(p_messages json) returns table (number bigint, file_id uuid)
language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  select distinct given.number, (part ->> 'file_id')::uuid
  from json_array_elements(p_messages) with ordinality as given (item, number)
  cross join lateral (
    select item #> '{entry,content}' as content
    union all
    select earlier -> 'content' from json_array_elements(coalesce(item #> '{entry,earlier}', '[]')) earlier
  ) said
  cross join lateral json_array_elements(
    case when json_typeof(said.content) = 'array' then said.content else '[]' end
  ) part
  where part ->> 'type' = 'file' and part ->> 'file_id' is not null;
end
$$;

-- Whether messages refer to a file that this user does not have. Existing files are kept until the end of the
-- transaction.
create function askback_private.lacks_files(p_user_id uuid, p_messages json) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_named uuid[] := array(select distinct file_id from askback_private.named_files(p_messages));
begin
  if cardinality(v_named) = 0 then
    return false;
  end if;
  perform 1 from askback.files where user_id = p_user_id and id = any (v_named) for key share;
  return (
    select count(*) < cardinality(v_named) from askback.files where user_id = p_user_id and id = any (v_named)
  );
end
$$;

-- Records that these files are in a message.
create function askback_private.use_files(p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform 1 from askback.files where id = any (p_ids) and unused_since is not null order by id for no key update;
  update askback.files set unused_since = null where id = any (p_ids) and unused_since is not null;
end
$$;

-- Deletes those of these files that are in no message and were not uploaded again since. Somebody who is about to put one
-- into a message has either done so already, or will find it gone.
create function askback_private.delete_unused_files(p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform 1 from askback.files where id = any (p_ids) order by id for update;
  delete from askback.files f
  where f.id = any (p_ids) and f.unused_since is null and not exists (select 1 from askback.message_files m where m.file_id = f.id);
end
$$;

-- Deletes those of these files of a user that are in no message. Does not wait for locks: a file that somebody else is
-- putting into a message stays.
create function askback_private.drop_files(p_user_id uuid, p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_free uuid[] := array(
    select id from askback.files where user_id = p_user_id and id = any (p_ids) for update skip locked
  );
begin
  -- A separate statement, which sees what was committed before the lock was taken.
  delete from askback.files f
  where f.id = any (v_free) and not exists (select 1 from askback.message_files m where m.file_id = f.id);
end
$$;

-- Deletes files that no message has used within a day of their upload.
create function askback_private.drop_abandoned_files() returns void
language plpgsql set search_path = '' as $$
declare
  v_owner record;
begin
  for v_owner in
    select user_id, array_agg(id) as ids from askback.files
    where unused_since < clock_timestamp() - interval '1 day' group by user_id
  loop
    perform askback_private.drop_files(v_owner.user_id, v_owner.ids);
  end loop;
end
$$;

-- The same for all files of a user that are in no message.
--
-- out  [text]: names in the bucket whose bytes can be removed, of any user
create function askback.sweep_files(p_user_id uuid default null) returns json
language plpgsql set search_path = '' as $$
begin
  perform askback_private.drop_files(p_user_id, array(
    select f.id from askback.files f
    where f.user_id = p_user_id and coalesce(f.unused_since, f.created_at) < clock_timestamp() - interval '1 day'
      and not exists (select 1 from askback.message_files m where m.file_id = f.id)
  ));
  return (
    select coalesce(json_agg(oldest.object), '[]')
    from (select object from askback.removed_objects order by removed_at limit 100) oldest
  );
end
$$;

-- Forgets these objects, whose bytes have been removed.
create function askback.forget_objects(p_objects text[]) returns void
language plpgsql set search_path = '' as $$
begin
  delete from askback.removed_objects where object = any (p_objects);
end
$$;
