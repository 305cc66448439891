-- Functions of the application as tools, 3 of 3: calling one as a user, and explaining its refusals.

-- The function behind a tool, as it is now.
--
-- out  { specification, action, schema, function, volatile, hasResult, problem: why it cannot be called as it was
--      offered (gone | changed | refused | off), or null, reason: a sentence, or null, looks: { schema, function,
--      arguments: [names] } of the function that its approval relies on, or null }; null: nothing is offered under that
--      name
create function askback.load_offered_function(p_tool_name text) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_tool askback.tools;
  v_offered askback.offered_functions;
  v_proc pg_catalog.pg_proc;
  v_refusal jsonb;
  v_looks oid;
begin
  select * into v_tool from askback.tools where source = 'application' and name = p_tool_name;
  select * into v_offered from askback.offered_functions where tool_id = v_tool.id;
  if not found then
    return null;
  end if;
  select p.* into v_proc from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = v_offered.schema_name and p.proname = v_offered.function_name;
  select p.oid into v_looks from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = v_offered.looks_schema and p.proname = v_offered.looks_name;
  v_refusal := askback_private.function_refusal(v_proc.oid, (v_offered.options ->> 'allowDefiner')::boolean);
  return json_build_object(
    'specification', v_tool.specification,
    'action', v_tool.action,
    'schema', v_offered.schema_name,
    'function', v_offered.function_name,
    -- The data API runs all others in a read-only transaction by itself.
    'volatile', v_proc.provolatile = 'v',
    'hasResult', v_proc.prorettype <> 'void'::regtype,
    'problem', case
      when not v_tool.enabled then 'off'
      when v_proc.oid is null then 'gone'
      when v_refusal is not null then 'refused'
      when askback_private.function_shape(v_proc.oid) <> v_offered.shape then 'changed'
    end,
    'reason', coalesce(v_tool.off_reason, v_refusal ->> 'words'),
    'looks', case
      when v_looks is not null
        and askback_private.look_refusal(v_looks, v_proc.oid, (v_offered.options ->> 'allowDefiner')::boolean) is null
      then json_build_object(
        'schema', v_offered.looks_schema,
        'function', v_offered.looks_name,
        'arguments', (select coalesce(json_agg(a.name), '[]') from askback_private.function_arguments(v_looks) a)
      )
    end
  );
end
$$;

-- The claims of a user's token, for calls without one: null if the user does not exist or is banned. Runs with its
-- owner's rights, since service_role may not read auth.users, and reads the row as JSON, because the columns differ.
create function askback_private.user_claims(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_strip_nulls(jsonb_build_object(
      'sub', p_user_id,
      'aud', 'authenticated',
      'role', 'authenticated',
      'aal', 'aal1',
      'email', facts ->> 'email',
      'phone', facts ->> 'phone',
      'app_metadata', facts -> 'raw_app_meta_data',
      'user_metadata', facts -> 'raw_user_meta_data',
      'is_anonymous', facts -> 'is_anonymous'
    ))
    from (select to_jsonb(users) as facts from auth.users where id = p_user_id) u
    where askback.account_refusal(p_user_id) is null
  );
end
$$;

-- Calls an offered function as a user if the data API cannot: without a token of the user, or if a function only reads
-- although it is volatile. The transaction has the role and the claims of the user, and is read-only for functions that
-- read.
--
-- in   p_arguments: { name: value }; p_claims: of the user's verified token, or null; p_looks: calls the function that its
--      approval relies on instead; p_scope: what the conversation belongs to, for `current_setting('askback.scope', true)`;
--      p_client_id: the program over MCP for which it is called, for the claim `client_id`
-- out  what the data API would return
create function askback.call_offered_function(
  p_user_id uuid, p_tool_name text, p_arguments json, p_claims json default null, p_looks boolean default false,
  p_scope text default null, p_client_id text default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_offered json := askback.load_offered_function(p_tool_name);
  v_named json := case when p_looks then v_offered -> 'looks' else v_offered end;
  v_claims jsonb := coalesce(p_claims::jsonb, askback_private.user_claims(p_user_id))
    || jsonb_strip_nulls(jsonb_build_object('client_id', p_client_id));
  v_role text := current_setting('role');
  v_proc pg_catalog.pg_proc;
  v_call text;
  v_given text;
  v_value text;
  v_result json;
begin
  if v_offered is null or v_offered ->> 'problem' is not null or v_named ->> 'function' is null then
    raise exception 'The function % cannot be called.', p_tool_name using errcode = 'undefined_function';
  end if;
  if v_claims ->> 'sub' is distinct from p_user_id::text or v_claims ->> 'role' is distinct from 'authenticated' then
    raise exception 'There is no such user.' using errcode = 'invalid_authorization_specification';
  end if;
  select p.* into v_proc from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = v_named ->> 'schema' and p.proname = v_named ->> 'function';

  select
    string_agg(format('%s%I => given.%I', case a.mode when 'v' then 'variadic ' end, a.name, a.name), ', ' order by a.number),
    -- character and bit alone are of length 1; as arguments they are of any.
    string_agg(
      format('%I %s', a.name, regexp_replace(format_type(a.type, null), '^(character|bit)(\[\])?$', '\1 varying\2')), ', ' order by a.number
    )
  into v_call, v_given
  from askback_private.function_arguments(v_proc.oid) a
  where a.name in (select json_object_keys(p_arguments));
  v_call := format('%I.%I(%s) as askback_result', v_named ->> 'schema', v_named ->> 'function', v_call);
  if v_given is not null then
    v_call := format('json_to_record($1) as given (%s), lateral %s', v_given, v_call);
  end if;

  if p_looks or v_offered #>> '{specification,effect}' = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  perform
    set_config('request.jwt.claims', v_claims::text, true),
    set_config('request.jwt.claim.sub', p_user_id::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claim.email', coalesce(v_claims ->> 'email', ''), true),
    set_config('askback.scope', coalesce(p_scope, ''), true),
    -- The same as for a request to the data API.
    set_config('search_path', format('%I, public, extensions', v_named ->> 'schema'), true),
    set_config('role', 'authenticated', true);
  if v_proc.prorettype = 'void'::regtype then
    execute 'select from ' || v_call using p_arguments;
  else
    -- A single column that has a name becomes an object, too.
    select format('json_build_object(%L, askback_result)', v_proc.proargnames[mode.place]) into v_value
    from unnest(v_proc.proargmodes) with ordinality as mode (letter, place)
    where mode.letter in ('o', 'b', 't') and v_proc.prorettype <> 'record'::regtype;
    v_value := coalesce(v_value, 'to_json(askback_result)');
    execute format(
      'select %s from %s', case when v_proc.proretset then format('coalesce(json_agg(%s), ''[]'')', v_value) else v_value end, v_call
    ) into v_result using p_arguments;
  end if;
  perform set_config('role', v_role, true);
  return v_result;
end
$$;

-- The subject of a violated constraint.
--
-- out  { relation, columns: [text], arguments: those of the function that have its domain, schema: what a check says
--      about them }; null: it is not certain which constraint is meant
create function askback.describe_constraint(p_tool_name text, p_constraint text, p_relation text default null) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_offered askback.offered_functions;
  v_constraint record;
  v_columns text[];
  v_arguments text[] := '{}';
begin
  select f.* into v_offered from askback.offered_functions f join askback.tools t on t.id = f.tool_id
  where t.name = p_tool_name;
  if not found then
    return null;
  end if;
  -- By its name alone, which may also be that of a unique index. If there are several, it is not certain which is
  -- meant.
  with named as (
    select c.conrelid as relation, c.conkey as columns, c.contypid as domain, pg_get_constraintdef(c.oid) as definition, c.contype::text as kind
    from pg_catalog.pg_constraint c left join pg_catalog.pg_class r on r.oid = c.conrelid
    where c.conname = p_constraint and (p_relation is null or c.conrelid = 0 or r.relname = p_relation)
    union
    select i.indrelid, i.indkey::int2[], 0::oid, null, 'u'
    from pg_catalog.pg_index i join pg_catalog.pg_class n on n.oid = i.indexrelid
    where n.relname = p_constraint
      and not exists (select from pg_catalog.pg_constraint c where c.conindid = i.indexrelid)
  )
  select min(relation::bigint)::oid as relation, min(domain::bigint)::oid as domain, min(columns) as columns,
    min(definition) as definition, min(kind) as kind, count(*) as number
  into v_constraint from named;
  if v_constraint.number <> 1 then
    return null;
  end if;
  v_columns := array(
    select a.attname from unnest(v_constraint.columns) with ordinality as k (attnum, place)
    join pg_catalog.pg_attribute a on a.attrelid = v_constraint.relation and a.attnum = k.attnum
    order by k.place
  );
  if v_constraint.domain <> 0 then
    v_arguments := array(
      select a.name from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      cross join lateral askback_private.function_arguments(p.oid) a
      where n.nspname = v_offered.schema_name and p.proname = v_offered.function_name and a.type = v_constraint.domain
    );
  end if;
  return json_build_object(
    'relation', (select relname from pg_catalog.pg_class where oid = v_constraint.relation),
    'columns', v_columns,
    'arguments', v_arguments,
    'schema', case
      when v_constraint.kind <> 'c' then '{}'
      when v_constraint.domain <> 0 then askback_private.check_schema(v_constraint.definition, 'VALUE')
      when cardinality(v_columns) = 1 then askback_private.check_schema(v_constraint.definition, v_columns[1])
      else '{}'
    end
  );
end
$$;

-- The JSON Schema of a type that a PostgreSQL message names, like date, priority or shop.priority. Null if it is not
-- certain which one is meant.
create function askback.describe_type(p_type_name text) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select case when count(*) = 1 then askback_private.type_schema(min(t.oid::bigint)::oid) end
    from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    where t.oid = to_regtype(p_type_name)
      or (to_regtype(p_type_name) is null and t.typtype = 'e' and p_type_name in (t.typname, quote_ident(t.typname)))
  );
end
$$;

-- Whether a message under one of PostgreSQL's own codes was raised by the application: PostgREST passes on neither the
-- statement nor the place. The words of a message stand in the function that raises it, in whatever language.
--
-- out  { raised: true if they stand in a function of the application that raises under a code, false if in one of ours,
--      else null; english: whether PostgreSQL's own messages are }
create function askback.find_raise(p_message text) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    with raising as (
      select p.prosrc as source, p.pronamespace in ('askback'::regnamespace, 'askback_private'::regnamespace) as is_ours
      from pg_catalog.pg_proc p
      join pg_catalog.pg_language l on l.oid = p.prolang
      where l.lanname not in ('internal', 'c', 'sql')
        and p.pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        and p.prosrc ~* 'errcode|sqlstate|\mraise\s+\w+\s+using\M'
        and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    ),
    -- The parts of a text between its places for values; not of one with which a message is compared.
    texts as (
      select is_ours, regexp_split_to_array(replace(quoted[1], '''''', ''''), '%(?:\d+\$)?[sIL]?') as parts
      from raising, regexp_matches(source, '(?<!like\s)''((?:[^'']|'''')+)''', 'gi') quoted
    ),
    told as (
      select is_ours from texts
      where length(array_to_string(parts, '')) >= case cardinality(parts) when 1 then least(8, length(p_message)) else 4 end
        and case cardinality(parts)
          when 1 then starts_with(p_message, parts[1]) or right(p_message, length(parts[1])) = parts[1]
          else starts_with(p_message, parts[1]) and right(p_message, length(parts[cardinality(parts)])) = parts[cardinality(parts)]
        end
        and (select bool_and(position(part in p_message) > 0) from unnest(parts) part)
    )
    select json_build_object(
      'raised', (select bool_or(not is_ours) from told),
      'english', current_setting('lc_messages') ~* '^(?:en|c$|c\.|posix$)'
    )
  );
end
$$;
