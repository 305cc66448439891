-- Built-in documents, without an account anywhere: the provider `askback-docs` of the tools for documents.
create table askback.documents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  title text not null check (title ~ '\S' and length(title) <= 500),
  -- Markdown, as it was written.
  content text not null default '' check (length(content) <= 1000000),
  -- The number of changes.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A tsvector holds 1 MB, so words after the first 100,000 characters are only found as text.
  words tsvector generated always as (
    to_tsvector('simple'::regconfig, title || ' ' || left(content, 100000))
  ) stored
);

create index documents_by_user on askback.documents (user_id, updated_at desc);
create index documents_by_words on askback.documents using gin (words);

create trigger touch_updated_at before update on askback.documents
for each row execute function askback_private.touch_updated_at();

alter table askback.documents enable row level security;

grant all on askback.documents to service_role;
grant select on askback.documents to authenticated;

create policy "owners read their documents" on askback.documents
for select to authenticated using (user_id = (select auth.uid()));


-- The result of each effect, by its key: a delivery that arrives twice or late changes nothing and gets the same answer.
-- No policy and no grant: no client role can read it.
create table askback.document_changes (
  user_id uuid not null references auth.users (id) on delete cascade,
  idempotency_key text not null,
  document_id uuid not null references askback.documents (id) on delete cascade,
  result json not null,
  created_at timestamptz not null default now(),
  primary key (user_id, idempotency_key)
);

create index document_changes_by_document on askback.document_changes (document_id);

alter table askback.document_changes enable row level security;

grant all on askback.document_changes to service_role;


-- A document before each of its changes; kept for 30 days. No policy and no grant, like the changes.
create table askback.document_versions (
  document_id uuid not null references askback.documents (id) on delete cascade,
  revision integer not null,
  content text not null,
  -- When it was changed.
  replaced_at timestamptz not null default now(),
  primary key (document_id, revision)
);

create index document_versions_by_age on askback.document_versions (replaced_at);

alter table askback.document_versions enable row level security;

grant all on askback.document_versions to service_role;


-- The result of the effect with this key; null if it has not happened. Deliveries with the same key wait here for each
-- other.
--
-- out  what create_document, change_document or restore_document returned
create function askback.earlier_change(p_user_id uuid, p_idempotency_key text) returns json
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_user_id || ' ' || p_idempotency_key, 0));
  return (
    select result from askback.document_changes
    where user_id = p_user_id and idempotency_key = p_idempotency_key
  );
end
$$;

-- Creates a document, once per key.
--
-- out  { documentId, title }
create function askback.create_document(
  p_user_id uuid, p_idempotency_key text, p_title text, p_content text
) returns json
language plpgsql set search_path = '' as $$
declare
  v_result json := askback.earlier_change(p_user_id, p_idempotency_key);
  v_id uuid := gen_random_uuid();
begin
  if v_result is null then
    insert into askback.documents (id, user_id, title, content) values (v_id, p_user_id, p_title, p_content);
    v_result := json_build_object('documentId', v_id, 'title', p_title);
    insert into askback.document_changes (user_id, idempotency_key, document_id, result)
    values (p_user_id, p_idempotency_key, v_id, v_result);
  end if;
  return v_result;
end
$$;

-- A document as it is now.
--
-- out  { documentId, title, content, revision }; null: the user has no such document
create function askback.read_document(p_user_id uuid, p_document_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object('documentId', id, 'title', title, 'content', content, 'revision', revision)
    from askback.documents
    where id = p_document_id and user_id = p_user_id
  );
end
$$;

-- Writes a document whose row is locked, and keeps its previous content. Versions of any document older than 30 days
-- are deleted.
create function askback_private.write_document(p_document_id uuid, p_content text) returns integer
language plpgsql set search_path = '' as $$
declare
  v_revision integer;
begin
  delete from askback.document_versions where replaced_at < now() - interval '30 days';
  insert into askback.document_versions (document_id, revision, content)
  select id, revision, content from askback.documents where id = p_document_id;
  update askback.documents set content = p_content, revision = revision + 1
  where id = p_document_id
  returning revision into v_revision;
  return v_revision;
end
$$;

-- Whether a document is no longer as its writer has just read it; null members are not compared.
--
-- in   p_as: { title?, revision? } | null
create function askback_private.has_moved(p_document askback.documents, p_as json) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select p_document.title is distinct from coalesce(p_as ->> 'title', p_document.title)
      or p_document.revision is distinct from coalesce((p_as ->> 'revision')::integer, p_document.revision)
  );
end
$$;

-- Appends to a document or replaces a text in it, once per key. Both apply to its content at that moment, and the row is
-- locked, so nobody's change is lost.
--
-- in   p_change: { append } | { find, replace }; p_as: only if it is still so, as of has_moved
-- out  { found: true, documentId, revision, replaced: number of replacements, null when appending }
--      { found: false } | { found: true, replaced: 0 } | { found: true, fits: false }: it would become too long
--      { found: true, moved: true }: it is no longer so
create function askback.change_document(
  p_user_id uuid, p_idempotency_key text, p_document_id uuid, p_change json, p_as json default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_result json := askback.earlier_change(p_user_id, p_idempotency_key);
  v_find text := p_change ->> 'find';
  v_document askback.documents;
  v_content text;
  v_revision integer;
  v_replaced integer;
begin
  if v_result is not null then
    return v_result;
  end if;
  select * into v_document from askback.documents
  where id = p_document_id and user_id = p_user_id
  for update;
  if not found then
    return json_build_object('found', false);
  end if;
  if askback_private.has_moved(v_document, p_as) then
    return json_build_object('found', true, 'moved', true);
  end if;
  v_content := v_document.content;
  if v_find is null then
    v_content := case when v_content ~ '\S' then rtrim(v_content, E' \t\r\n') || E'\n\n' else '' end
      || (p_change ->> 'append');
  else
    v_replaced := (length(v_content) - length(replace(v_content, v_find, ''))) / length(v_find);
    if v_replaced = 0 then
      return json_build_object('found', true, 'replaced', 0);
    end if;
    -- Checked before the text is built: replacing a short text many times could exhaust the memory.
    if length(v_content) + v_replaced::bigint * (length(p_change ->> 'replace') - length(v_find)) > 1000000 then
      return json_build_object('found', true, 'fits', false);
    end if;
    v_content := replace(v_content, v_find, p_change ->> 'replace');
  end if;
  if length(v_content) > 1000000 then
    return json_build_object('found', true, 'fits', false);
  end if;
  v_revision := askback_private.write_document(p_document_id, v_content);
  v_result := json_build_object(
    'found', true, 'documentId', p_document_id, 'revision', v_revision, 'replaced', v_replaced
  );
  insert into askback.document_changes (user_id, idempotency_key, document_id, result)
  values (p_user_id, p_idempotency_key, p_document_id, v_result);
  return v_result;
end
$$;

-- The newest 20 versions of a document that are kept, newest first: [{ revision, until, characters }].
create function askback_private.kept_versions(p_document_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(
      json_build_object('revision', kept.revision, 'until', kept.replaced_at, 'characters', length(kept.content))
      order by kept.revision desc
    ), '[]')
    from (
      select * from askback.document_versions
      where document_id = p_document_id and replaced_at > now() - interval '30 days'
      order by revision desc
      limit 20
    ) as kept
  );
end
$$;

-- What a document can be restored to: { revision: as it is now, versions: as of kept_versions }; null: the user has no
-- such document.
create function askback.document_versions_of(p_user_id uuid, p_document_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object('revision', revision, 'versions', askback_private.kept_versions(id))
    from askback.documents
    where id = p_document_id and user_id = p_user_id
  );
end
$$;

-- Restores a document as it was at a revision, or before its last change if none is given, once per key.
--
-- in   p_as: only if it is still so, as of has_moved
-- out  { found: true, revision, restored: the restored revision, versions: as of kept_versions, before it }
--      { found: true, versions }: there is no such version | { found: false } | { found: true, moved: true }
create function askback.restore_document(
  p_user_id uuid, p_idempotency_key text, p_document_id uuid, p_revision integer default null,
  p_as json default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_result json := askback.earlier_change(p_user_id, p_idempotency_key);
  v_document askback.documents;
  v_version askback.document_versions;
  v_versions json;
begin
  if v_result is not null then
    return v_result;
  end if;
  select * into v_document from askback.documents where id = p_document_id and user_id = p_user_id for update;
  if not found then
    return json_build_object('found', false);
  end if;
  if askback_private.has_moved(v_document, p_as) then
    return json_build_object('found', true, 'moved', true);
  end if;
  v_versions := askback_private.kept_versions(p_document_id);
  select * into v_version from askback.document_versions
  where document_id = p_document_id and replaced_at > now() - interval '30 days'
    and (p_revision is null or revision = p_revision)
  order by revision desc
  limit 1;
  if not found then
    return json_build_object('found', true, 'versions', v_versions);
  end if;
  v_result := json_build_object(
    'found', true,
    'revision', askback_private.write_document(p_document_id, v_version.content),
    'restored', v_version.revision, 'versions', v_versions
  );
  insert into askback.document_changes (user_id, idempotency_key, document_id, result)
  values (p_user_id, p_idempotency_key, p_document_id, v_result);
  return v_result;
end
$$;

-- Documents that contain all words of the query, or the query as text; last changed first.
--
-- out  [{ documentId, title, modified }]
create function askback.search_documents(p_user_id uuid, p_query text, p_limit integer, p_offset integer) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(
      json_build_object('documentId', found.id, 'title', found.title, 'modified', found.updated_at)
      order by found.updated_at desc, found.id
    ), '[]')
    from (
      select id, title, updated_at from askback.documents
      where user_id = p_user_id
        and (
          words @@ websearch_to_tsquery('simple'::regconfig, p_query)
          or strpos(lower(title), lower(p_query)) > 0
          or strpos(lower(content), lower(p_query)) > 0
        )
      order by updated_at desc, id
      limit p_limit offset p_offset
    ) as found
  );
end
$$;
