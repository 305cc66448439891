-- Functions of the application that an operator offers to agents: `select askback.offer_function('public.create_ticket')`
-- makes a tool of one. It runs as the user, with the user's rights.

-- The schemas whose functions can be called: what the data API serves. `askback` itself is never one of them.
create table askback.exposed_schemas (
  name text primary key check (name not in ('askback', 'auth', 'storage', 'pg_catalog', 'information_schema'))
);

alter table askback.exposed_schemas enable row level security;
grant all on askback.exposed_schemas to service_role;
insert into askback.exposed_schemas values ('public');


create table askback.offered_functions (
  tool_id uuid primary key references askback.tools (id) on delete cascade,
  schema_name text not null,
  function_name text not null,
  -- What the operator said when it was offered; null: as the function itself says.
  options json not null,
  -- Its arguments at that time, see function_shape.
  shape text not null,
  offered_at timestamptz not null default now(),
  unique (schema_name, function_name)
);

alter table askback.offered_functions enable row level security;
grant all on askback.offered_functions to service_role;


-- The parts of a condition that all must hold, without the parentheses around them.
create function askback.split_condition(p_condition text) returns setof text
language plpgsql immutable set search_path = '' as $$
declare
  v_depth integer := 0;
  v_start integer := 1;
  v_closed integer;
  v_quoted boolean := false;
  v_letter text;
begin
  for v_place in 1 .. length(p_condition) loop
    v_letter := substr(p_condition, v_place, 1);
    if v_letter = '''' then
      v_quoted := not v_quoted;
    elsif v_quoted then
      null;
    elsif v_letter = '(' then
      v_depth := v_depth + 1;
    elsif v_letter = ')' then
      v_depth := v_depth - 1;
      -- Where the first parenthesis ends: at the end it is around all of it.
      if v_depth = 0 and v_closed is null then
        v_closed := v_place;
      end if;
    elsif v_depth = 0 and substr(p_condition, v_place, 5) = ' AND ' then
      return query select askback.split_condition(substr(p_condition, v_start, v_place - v_start));
      v_start := v_place + 5;
    end if;
  end loop;
  if v_start > 1 then
    return query select askback.split_condition(substr(p_condition, v_start));
  elsif p_condition like '(%' and v_closed = length(p_condition) then
    return query select askback.split_condition(substr(p_condition, 2, length(p_condition) - 2));
  else
    return next p_condition;
  end if;
end
$$;

-- What a check constraint says about one value, in the words of JSON Schema: limits, lengths, choices, a pattern. Only
-- what it says for certain; everything else is left to the database. p_subject: VALUE, or the name of the column.
create function askback.check_schema(p_definition text, p_subject text) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v_name text := case p_subject
    when 'VALUE' then p_subject
    else regexp_replace(quote_ident(p_subject), '([^\w])', '\\\1', 'g')
  end;
  -- As PostgreSQL writes it: VALUE, (VALUE)::text.
  v_value text := '\(?' || v_name || '\)?(?:::[a-z ]+)?';
  v_literal text := '''(?:[^'']|'''')*''(?:::(?!citext)[a-z_."]+(?: varying)?)?|-?\d+(?:\.\d+)?';
  v_schema jsonb := '{}';
  v_part text;
  v_said text[];
begin
  for v_part in
    select askback.split_condition(substring(p_definition from '^CHECK (\(.*\))(?: NOT VALID)?$'))
  loop
    v_said := regexp_match(
      v_part, '^' || v_value || ' (>=|<=|>|<) \(?''?(-?\d+(?:\.\d+)?)''?\)?(?:::(?:integer|bigint|smallint|numeric|real|double precision))?$'
    );
    if v_said is not null then
      v_schema := v_schema || jsonb_build_object(
        case v_said[1]
          when '>=' then 'minimum' when '<=' then 'maximum' when '>' then 'exclusiveMinimum' else 'exclusiveMaximum'
        end,
        v_said[2]::numeric
      );
    end if;

    v_said := regexp_match(v_part, '^(?:char_|character_)?length\(' || v_value || '\) (>=|<=|>|<|=) (\d+)$');
    if v_said is not null then
      v_schema := v_schema || case v_said[1]
        when '>=' then jsonb_build_object('minLength', v_said[2]::integer)
        when '>' then jsonb_build_object('minLength', v_said[2]::integer + 1)
        when '<=' then jsonb_build_object('maxLength', v_said[2]::integer)
        when '<' then jsonb_build_object('maxLength', greatest(v_said[2]::integer - 1, 0))
        else jsonb_build_object('minLength', v_said[2]::integer, 'maxLength', v_said[2]::integer)
      end;
    end if;

    v_said := coalesce(
      regexp_match(
        v_part,
        '^' || v_value || ' = ANY \(\(?ARRAY\[((?:(?:' || v_literal || ')(?:, )?)+)\]\)?(?:::[a-z ]+\[\])?\)$'
      ),
      regexp_match(v_part, '^' || v_value || ' = (' || v_literal || ')$')
    );
    if v_said is not null then
      v_schema := v_schema || jsonb_build_object('enum', (
        select jsonb_agg(
          case
            when item[1] like '''%' then
              to_jsonb(replace(substring(item[1] from '^''(.*)''(?:::[^'']*)?$'), '''''', ''''))
            else to_jsonb(item[1]::numeric)
          end
        )
        from regexp_matches(v_said[1], '(' || v_literal || ')', 'g') item
      ));
    end if;

    -- A pattern means the same to everybody only where it uses nothing special; a dot fits a line break here alone.
    v_said := regexp_match(v_part, '^' || v_value || ' ~ ''((?:[^'']|'''')*)''::text$');
    if v_said is not null
      and regexp_replace(v_said[1], '\\.|\[[^]]*\]', '', 'g') !~ '\.|\(\?|^\*\*\*'
      and v_said[1] !~ '\[[.:=]|\[\^?\]|\\[^ds.\\/+*?()\[\]{}|^$-]'
    then
      v_schema := v_schema || jsonb_build_object('pattern', replace(v_said[1], '''''', ''''));
    end if;
  end loop;
  return v_schema;
end
$$;

-- The JSON Schema of a type, null for one that no call can give (anyelement, record, trigger).
create function askback.type_schema(p_type oid, p_typmod integer default -1) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_type pg_catalog.pg_type;
  v_schema jsonb;
  v_check text;
begin
  select * into v_type from pg_catalog.pg_type where oid = p_type;
  case
    when v_type.typtype = 'd' then
      v_schema := askback.type_schema(v_type.typbasetype, v_type.typtypmod);
      for v_check in
        select pg_get_constraintdef(c.oid) from pg_catalog.pg_constraint c
        where c.contypid = p_type and c.contype = 'c' order by c.conname
      loop
        v_schema := v_schema || askback.check_schema(v_check, 'VALUE');
      end loop;
      return v_schema || jsonb_strip_nulls(jsonb_build_object('description', obj_description(p_type, 'pg_type')));
    when v_type.typtype = 'e' then
      return jsonb_build_object('type', 'string', 'enum', (
        select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = p_type
      ));
    when v_type.typtype = 'c' then
      return (
        select case when bool_and(member is not null) then
          jsonb_build_object('type', 'object', 'properties', jsonb_object_agg(attname, member), 'additionalProperties', false)
          || coalesce(jsonb_build_object('required', jsonb_agg(attname) filter (where needed)), '{}')
        end
        from (
          select a.attname, a.attnotnull and not a.atthasdef and a.attidentity = '' as needed,
            askback.type_schema(a.atttypid, a.atttypmod)
              || jsonb_strip_nulls(jsonb_build_object('description', col_description(v_type.typrelid, a.attnum))) as member
          from pg_catalog.pg_attribute a
          where a.attrelid = v_type.typrelid and a.attnum > 0 and not a.attisdropped
          order by a.attnum
        ) attributes
      );
    when v_type.typtype = 'p' then
      return null;
    when v_type.typcategory = 'A' and v_type.typelem <> 0 then
      return case when askback.type_schema(v_type.typelem, p_typmod) is not null then
        jsonb_build_object('type', 'array', 'items', askback.type_schema(v_type.typelem, p_typmod))
      end;
    else null;
  end case;

  return case v_type.typname
    when 'bool' then '{"type":"boolean"}'
    when 'int2' then '{"type":"integer"}'
    when 'int4' then '{"type":"integer"}'
    when 'int8' then '{"type":"integer"}'
    when 'json' then '{}'
    when 'jsonb' then '{}'
    when 'uuid' then '{"type":"string","format":"uuid"}'
    when 'date' then '{"type":"string","format":"date"}'
    when 'timestamptz' then '{"type":"string","format":"date-time"}'
    when 'timestamp' then '{"type":"string","hint":"Please provide a date and a time like 2026-01-31T09:30.","examples":["2026-01-31T09:30"]}'
    when 'time' then '{"type":"string","hint":"Please provide a time of day like 09:30.","examples":["09:30"]}'
    when 'timetz' then '{"type":"string","hint":"Please provide a time of day with its zone like 09:30+01:00.","examples":["09:30+01:00"]}'
    when 'interval' then '{"type":"string","hint":"Please provide a length of time like 2 hours.","examples":["2 hours"]}'
    else case
      when v_type.typcategory = 'N' and v_type.typname !~ '^reg|^money$' then '{"type":"number"}'
      when v_type.typname in ('varchar', 'bpchar') and p_typmod > 4 then
        format('{"type":"string","maxLength":%s}', p_typmod - 4)
      else '{"type":"string"}'
    end
  end::jsonb;
end
$$;

-- What an argument is called by people and models: p_title and _title are title.
create function askback.plain_name(p_argument text) returns text
language sql immutable set search_path = '' as $$
  select coalesce(nullif(regexp_replace(p_argument, '^(p|in|arg)?_+', ''), ''), p_argument)
$$;

-- The arguments that a call gives, in their order. A comment of the function describes one with a line
-- `@param title What it is about.`; `@param email (from the user) …` is a value that only the user can say.
create function askback.function_arguments(p_function oid)
returns table (number integer, name text, type oid, mode text, has_default boolean, default_text text, description text, of_user boolean)
language sql stable set search_path = '' as $$
  with given as (
    select
      p.oid, p.pronargs, p.pronargdefaults, a.ordinality::integer as place, a.type,
      coalesce(p.proargmodes[a.ordinality]::text, 'i') as mode,
      coalesce(p.proargnames[a.ordinality], '') as name
    from pg_catalog.pg_proc p
    cross join lateral unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as a (type, ordinality)
    where p.oid = p_function
  ),
  counted as (
    select *, row_number() over (order by place)::integer as number from given where mode in ('i', 'b', 'v')
  ),
  described as (
    select part[1] as name, part[2] is not null as of_user, trim(both E' \t\r' from part[3]) as description
    from regexp_matches(
      coalesce(obj_description(p_function, 'pg_proc'), ''), '^[ \t]*@param[ \t]+(\S+)[ \t]*(\(from the user\))?[ \t]*(.*)$', 'gn'
    ) part
  )
  select
    c.number, c.name, c.type, c.mode, c.number > c.pronargs - c.pronargdefaults,
    pg_get_function_arg_default(c.oid, c.place), nullif(d.description, ''), coalesce(d.of_user, false)
  from counted c
  left join lateral (
    select * from described where described.name in (c.name, askback.plain_name(c.name)) limit 1
  ) d on true
  order by c.number
$$;

-- A default that is written as a plain value; null for any other.
create function askback.default_value(p_default text) returns jsonb
language sql immutable set search_path = '' as $$
  select case
    when p_default ~ '^-?\d+(\.\d+)?$' then p_default::jsonb
    when p_default in ('true', 'false') then p_default::jsonb
    when p_default ~ '^''([^'']|'''')*''::' and p_default !~ '::(json|jsonb|.*\[\])$' then
      to_jsonb(replace(substring(p_default from '^''((?:[^'']|'''')*)''::'), '''''', ''''))
  end
$$;

-- The JSON Schema of a function's arguments, in their order.
create function askback.function_parameters(p_function oid) returns json
language sql stable set search_path = '' as $$
  select json_build_object(
    'type', 'object',
    'properties', coalesce(json_object_agg(a.name, (
      askback.type_schema(a.type) || jsonb_strip_nulls(jsonb_build_object(
        'title', case when askback.plain_name(a.name) <> a.name then replace(askback.plain_name(a.name), '_', ' ') end,
        'aliases', case when not exists (
          select from askback.function_arguments(p_function) b where b.name = askback.plain_name(a.name)
        ) then jsonb_build_array(askback.plain_name(a.name)) end,
        'description', a.description,
        'default', askback.default_value(a.default_text),
        'source', case when a.of_user then 'conversation' end
      ))
    ) order by a.number) filter (where a.name is not null), '{}'),
    'required', coalesce(json_agg(a.name order by a.number) filter (where not a.has_default), '[]'),
    'additionalProperties', false
  )
  from askback.function_arguments(p_function) a
$$;

-- Equal as long as the same calls fit: names, types and which arguments may be left out.
create function askback.function_shape(p_function oid) returns text
language sql stable set search_path = '' as $$
  select coalesce(
    string_agg(
      format('%I %s%s', name, format_type(type, null), case when has_default then ' default' else '' end), ', ' order by number
    ),
    ''
  )
  from askback.function_arguments(p_function)
$$;

-- Why a function cannot be a tool, in a sentence for the operator; null when it can.
create function askback.function_refusal(p_function oid, p_allow_definer boolean) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_proc pg_catalog.pg_proc;
  v_schema text;
  v_name text;
  v_argument record;
begin
  select * into v_proc from pg_catalog.pg_proc where oid = p_function;
  if not found then
    return 'There is no such function.';
  end if;
  select nspname into v_schema from pg_catalog.pg_namespace where oid = v_proc.pronamespace;
  v_name := format('%I.%I', v_schema, v_proc.proname);

  if not exists (select from askback.exposed_schemas where name = v_schema) then
    return format(
      'The schema %I is not exposed by the data API (%s). Move the function to one that is, or expose the schema in the API settings and then: insert into askback.exposed_schemas values (%L).',
      v_schema, (select string_agg(quote_ident(name), ', ' order by name) from askback.exposed_schemas), v_schema
    );
  end if;
  if v_proc.prokind <> 'f' then
    return format('%s is no plain function but %s. Offer a function that calls it.', v_name,
      case v_proc.prokind when 'p' then 'a procedure' when 'a' then 'an aggregate' else 'a window function' end);
  end if;
  if v_proc.prorettype in ('trigger'::regtype, 'event_trigger'::regtype) then
    return format('%s is a trigger function: it cannot be called.', v_name);
  end if;
  if v_proc.prorettype <> 'void'::regtype
    and not (v_proc.prorettype = 'record'::regtype and coalesce(v_proc.proargmodes && '{o,b,t}'::"char"[], false))
    and exists (select from pg_catalog.pg_type where oid = v_proc.prorettype and typtype = 'p')
  then
    return format('%s returns %s, which is no value that a call can answer. Let it return columns: returns table (…).', v_name, format_type(v_proc.prorettype, null));
  end if;
  if (select count(*) from pg_catalog.pg_proc where pronamespace = v_proc.pronamespace and proname = v_proc.proname) > 1 then
    return format('%s is overloaded: there are several functions of that name, so a call by name is ambiguous. Give this one a name of its own.', v_name);
  end if;
  if v_proc.proname !~ '^[A-Za-z0-9_-]{1,64}$' then
    return format('%s has a name that no tool can have. Use 1 to 64 letters, digits, _ and -.', v_name);
  end if;
  if v_proc.provariadic <> 0 then
    return format('%s takes a variadic argument. Offer a function with an array instead.', v_name);
  end if;
  for v_argument in select * from askback.function_arguments(p_function) loop
    if v_argument.name = '' then
      return format('Argument %s of %s has no name, so a model cannot give it. Name every argument.', v_argument.number, v_name);
    end if;
    if askback.type_schema(v_argument.type) is null then
      return format('Argument %I of %s has the type %s, which a call cannot give.', v_argument.name, v_name, format_type(v_argument.type, null));
    end if;
  end loop;
  if not has_schema_privilege('authenticated', v_schema, 'usage') then
    return format('Signed-in users may not use the schema %I: grant usage on schema %I to authenticated.', v_schema, v_schema);
  end if;
  if not has_function_privilege('authenticated', p_function, 'execute') then
    return format('Signed-in users may not execute %s: grant execute on function %s to authenticated.', v_name, p_function::regprocedure);
  end if;
  if v_proc.prosecdef and not p_allow_definer then
    return format(
      '%s is security definer: it runs with the rights of its owner, past row level security, whoever asks. Make it security invoker, or, where it checks itself what this user may do, offer it with allow_definer => true.',
      v_name
    );
  end if;
  return null;
end
$$;

-- Refuses an offer with its reason.
create function askback.refuse_offer(p_reason text) returns void
language plpgsql set search_path = '' as $$
begin
  raise exception '%', p_reason using errcode = 'invalid_parameter_value';
end
$$;

-- Makes a function a tool of every agent that may use all tools, or brings its tool up to date. What is null comes from the
-- function: the description from its comment (lines with @param describe arguments), the effect from its volatility
-- (read for stable and immutable ones), the title from its name. confirm: 'Create "{title}"?'. approval: always or
-- never, by default always for what writes. Refuses with the reason what cannot be a tool.
create function askback.offer_function(
  procedure regprocedure,
  title text default null,
  description text default null,
  effect text default null,
  confirm text default null,
  approval text default null,
  allow_definer boolean default false
) returns text
language plpgsql set search_path = '' as $$
declare
  v_proc pg_catalog.pg_proc;
  v_schema text;
  v_comment text := coalesce(obj_description(procedure, 'pg_proc'), '');
  v_words text;
  v_effect text;
  v_unknown text;
  v_specification json;
  v_tool askback.tools;
begin
  perform askback.refuse_offer(reason) from askback.function_refusal(procedure, allow_definer) reason where reason is not null;
  select * into v_proc from pg_catalog.pg_proc where oid = procedure;
  select nspname into v_schema from pg_catalog.pg_namespace where oid = v_proc.pronamespace;
  v_words := replace(trim(both '_' from v_proc.proname), '_', ' ');
  v_effect := coalesce(effect, case v_proc.provolatile when 'v' then 'write' else 'read' end);
  if v_effect not in ('read', 'write') then
    perform askback.refuse_offer(format('The effect %L is neither read nor write.', effect));
  end if;
  if approval not in ('always', 'never') then
    perform askback.refuse_offer(format('The approval %L is neither always nor never.', approval));
  end if;

  select part[1] into v_unknown from regexp_matches(v_comment, '^[ \t]*@param[ \t]+(\S+)', 'gn') part
  where not exists (
    select from askback.function_arguments(procedure) a where part[1] in (a.name, askback.plain_name(a.name))
  );
  if v_unknown is not null then
    perform askback.refuse_offer(format('The comment of %s describes %I, which is none of its arguments.', procedure, v_unknown));
  end if;
  select part[1] into v_unknown from regexp_matches(coalesce(confirm, ''), '\{([^{}]*)\}', 'g') part
  where not exists (select from askback.function_arguments(procedure) a where a.name = part[1]);
  if v_unknown is not null then
    perform askback.refuse_offer(format('The confirmation names {%s}, which is none of the arguments of %s.', v_unknown, procedure));
  end if;

  select * into v_tool from askback.tools t where t.user_id is null and t.name = v_proc.proname;
  if found and (v_tool.source <> 'application' or not exists (
    select from askback.offered_functions f
    where f.tool_id = v_tool.id and f.schema_name = v_schema and f.function_name = v_proc.proname
  )) then
    perform askback.refuse_offer(format('There is a tool %I already. Rename the function: a tool is called by its name alone.', v_proc.proname));
  end if;

  v_specification := json_strip_nulls(json_build_object(
    'name', v_proc.proname,
    'title', coalesce(title, upper(left(v_words, 1)) || substr(v_words, 2)),
    'description', coalesce(
      description,
      nullif(trim(both E' \t\r\n' from regexp_replace(v_comment, '^[ \t]*@param[ \t].*$\n?', '', 'gn')), ''),
      upper(left(v_words, 1)) || substr(v_words, 2) || '.'
    ),
    'effect', v_effect,
    'confirm', confirm,
    -- What it answers is the user's own: it is not carried away in a web address.
    'private', true,
    'parameters', askback.function_parameters(procedure)
  ));
  insert into askback.tools as known (name, source, function, action, approval, position, specification)
  values (
    v_proc.proname, 'application', 'database-api', v_proc.proname,
    coalesce(approval, case v_effect when 'write' then 'always' else 'never' end), 1000, v_specification
  )
  on conflict (user_id, name) do update
  set approval = excluded.approval, specification = excluded.specification
  returning * into v_tool;
  insert into askback.offered_functions (tool_id, schema_name, function_name, options, shape)
  values (
    v_tool.id, v_schema, v_proc.proname,
    json_build_object(
      'title', title, 'description', description, 'effect', effect, 'confirm', confirm, 'approval', approval,
      'allowDefiner', allow_definer
    ),
    askback.function_shape(procedure)
  )
  on conflict (tool_id) do update set options = excluded.options, shape = excluded.shape, offered_at = now();
  return v_proc.proname;
end
$$;

-- The function that a text names, with its schema or without, with its argument types or without.
create function askback.find_function(p_function text) returns regprocedure
language plpgsql stable set search_path = '' as $$
declare
  v_path text[] := parse_ident(split_part(p_function, '(', 1), false);
  v_found oid[];
begin
  if p_function like '%(%' then
    v_found := array[to_regprocedure(p_function)];
    -- Without a schema, among those that are exposed.
    if v_found[1] is null and cardinality(v_path) = 1 then
      v_found := array(
        select to_regprocedure(quote_ident(name) || '.' || p_function) from askback.exposed_schemas order by name
      );
    end if;
    v_found := array_remove(v_found, null);
  else
    v_found := array(
      select p.oid from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where p.proname = v_path[cardinality(v_path)]
        and case cardinality(v_path)
          when 1 then n.nspname in (select name from askback.exposed_schemas)
          else n.nspname = v_path[1]
        end
      order by p.oid
    );
  end if;
  if (select count(distinct pronamespace) from pg_catalog.pg_proc where oid = any (v_found)) > 1 then
    perform askback.refuse_offer(format('There is a function %s in several schemas. Name it with its schema, like public.create_ticket.', p_function));
  end if;
  if cardinality(v_found) = 0 then
    perform askback.refuse_offer(format('There is no function %s. Name it with its schema, like public.create_ticket.', p_function));
  end if;
  return v_found[1];
end
$$;

create function askback.offer_function(
  function text,
  title text default null,
  description text default null,
  effect text default null,
  confirm text default null,
  approval text default null,
  allow_definer boolean default false
) returns text
language sql set search_path = '' as $$
  select askback.offer_function(
    askback.find_function(function), title, description, effect, confirm, approval, allow_definer
  )
$$;

-- Takes the tool of a function away again, also of one that is gone; false when it was not offered.
create function askback.withdraw_function(function text) returns boolean
language sql set search_path = '' as $$
  with named as (
    select parse_ident(split_part(function, '(', 1), false) as path
  ),
  withdrawn as (
    delete from askback.tools t using askback.offered_functions f, named
    where f.tool_id = t.id and f.function_name = path[cardinality(path)]
      and (cardinality(path) = 1 or f.schema_name = path[1])
    returning 1
  )
  select exists (select 1 from withdrawn)
$$;

create function askback.withdraw_function(procedure regprocedure) returns boolean
language sql set search_path = '' as $$
  with withdrawn as (
    delete from askback.tools t using askback.offered_functions f, pg_catalog.pg_proc p, pg_catalog.pg_namespace n
    where f.tool_id = t.id and p.oid = procedure and n.oid = p.pronamespace
      and f.function_name = p.proname and f.schema_name = n.nspname
    returning 1
  )
  select exists (select 1 from withdrawn)
$$;

-- Offers every function anew as it was offered, for the end of a migration that changes some. Says of each what it
-- can now not be for; null when all is well.
create function askback.offer_functions_again() returns table (function text, refused text)
language plpgsql set search_path = '' as $$
declare
  v_offered askback.offered_functions;
begin
  for v_offered in select * from askback.offered_functions order by schema_name, function_name loop
    function := format('%I.%I', v_offered.schema_name, v_offered.function_name);
    refused := null;
    begin
      perform askback.offer_function(
        function,
        v_offered.options ->> 'title', v_offered.options ->> 'description', v_offered.options ->> 'effect',
        v_offered.options ->> 'confirm', v_offered.options ->> 'approval',
        (v_offered.options ->> 'allowDefiner')::boolean
      );
    exception
      when invalid_parameter_value then refused := sqlerrm;
    end;
    return next;
  end loop;
end
$$;

-- The function behind a tool, as it is now; null when nothing is offered by that name. problem: why it cannot be
-- called any more as it was offered: gone, changed or refused; or off, which an operator has switched it.
create function askback.load_offered_function(p_tool_name text) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_tool askback.tools;
  v_offered askback.offered_functions;
  v_proc pg_catalog.pg_proc;
  v_refusal text;
begin
  select * into v_tool from askback.tools where user_id is null and source = 'application' and name = p_tool_name;
  select * into v_offered from askback.offered_functions where tool_id = v_tool.id;
  if not found then
    return null;
  end if;
  select p.* into v_proc from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = v_offered.schema_name and p.proname = v_offered.function_name;
  v_refusal := askback.function_refusal(v_proc.oid, (v_offered.options ->> 'allowDefiner')::boolean);
  return json_build_object(
    'specification', v_tool.specification,
    'action', v_tool.action,
    'schema', v_offered.schema_name,
    'function', v_offered.function_name,
    -- The data API runs these in a read-only transaction by itself.
    'volatile', v_proc.provolatile = 'v',
    'hasResult', v_proc.prorettype <> 'void'::regtype,
    'problem', case
      when not v_tool.enabled then 'off'
      when v_proc.oid is null then 'gone'
      when v_refusal is not null then 'refused'
      when askback.function_shape(v_proc.oid) <> v_offered.shape then 'changed'
    end,
    'reason', coalesce(v_tool.off_reason, v_refusal)
  );
end
$$;

-- What the token of a user says, for calls without one: null when there is no such user, or one that is banned. Reads
-- the row as JSON, whatever columns it has; with its owner's rights, since service_role may not read auth.users.
create function askback.user_claims(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
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
  where facts ->> 'deleted_at' is null
    and coalesce((facts ->> 'banned_until')::timestamptz, '-infinity') < now()
$$;

-- Calls an offered function as a user, where the data API cannot: without a token of the user, or a function that
-- only reads although it is volatile. The transaction has the role and the claims of the user, and is read-only for
-- what reads. p_claims: of the user's verified token. Answers as the data API does.
create function askback.call_offered_function(
  p_user_id uuid, p_tool_name text, p_arguments json, p_claims json default null
) returns json
language plpgsql set search_path = '' as $$
declare
  v_offered json := askback.load_offered_function(p_tool_name);
  v_claims jsonb := coalesce(p_claims::jsonb, askback.user_claims(p_user_id));
  v_role text := current_setting('role');
  v_proc pg_catalog.pg_proc;
  v_call text;
  v_given text;
  v_value text;
  v_result json;
begin
  if v_offered is null or v_offered ->> 'problem' is not null then
    raise exception 'The function % cannot be called.', p_tool_name using errcode = 'undefined_function';
  end if;
  if v_claims ->> 'sub' is distinct from p_user_id::text or v_claims ->> 'role' is distinct from 'authenticated' then
    raise exception 'There is no such user.' using errcode = 'invalid_authorization_specification';
  end if;
  select p.* into v_proc from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = v_offered ->> 'schema' and p.proname = v_offered ->> 'function';

  select
    string_agg(format('%I => given.%I', a.name, a.name), ', ' order by a.number),
    string_agg(format('%I %s', a.name, format_type(a.type, null)), ', ' order by a.number)
  into v_call, v_given
  from askback.function_arguments(v_proc.oid) a
  where a.name in (select json_object_keys(p_arguments));
  v_call := format('%I.%I(%s) as askback_result', v_offered ->> 'schema', v_offered ->> 'function', v_call);
  if v_given is not null then
    v_call := format('json_to_record($1) as given (%s), lateral %s', v_given, v_call);
  end if;

  if v_offered #>> '{specification,effect}' = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  perform
    set_config('request.jwt.claims', v_claims::text, true),
    set_config('request.jwt.claim.sub', p_user_id::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claim.email', coalesce(v_claims ->> 'email', ''), true),
    -- As for a request to the data API.
    set_config('search_path', format('%I, public, extensions', v_offered ->> 'schema'), true),
    set_config('role', 'authenticated', true);
  if v_proc.prorettype = 'void'::regtype then
    execute 'select from ' || v_call using p_arguments;
  else
    -- A single column that has a name is an object too.
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

-- What a constraint that was violated is about: the columns it covers, or the arguments of the function that have its
-- domain, and what a check says of them. Null when it is not known which one is meant.
create function askback.describe_constraint(p_tool_name text, p_constraint text, p_relation text default null) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_offered askback.offered_functions;
  v_constraint record;
  v_columns text[];
  v_arguments text[] := '{}';
begin
  select f.* into v_offered from askback.offered_functions f join askback.tools t on t.id = f.tool_id
  where t.user_id is null and t.name = p_tool_name;
  if not found then
    return null;
  end if;
  -- By its name alone, which a unique index has too; of several in several schemas none is meant for certain.
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
      cross join lateral askback.function_arguments(p.oid) a
      where n.nspname = v_offered.schema_name and p.proname = v_offered.function_name and a.type = v_constraint.domain
    );
  end if;
  return json_build_object(
    'relation', (select relname from pg_catalog.pg_class where oid = v_constraint.relation),
    'columns', v_columns,
    'arguments', v_arguments,
    'schema', case
      when v_constraint.kind <> 'c' then '{}'
      when v_constraint.domain <> 0 then askback.check_schema(v_constraint.definition, 'VALUE')
      when cardinality(v_columns) = 1 then askback.check_schema(v_constraint.definition, v_columns[1])
      else '{}'
    end
  );
end
$$;

-- The JSON Schema of a type that a sentence of PostgreSQL names: date, priority, shop.priority. Null when it is not
-- known which one is meant.
create function askback.describe_type(p_type_name text) returns jsonb
language sql stable set search_path = '' as $$
  select case when count(*) = 1 then askback.type_schema(min(t.oid::bigint)::oid) end
  from pg_catalog.pg_type t
  join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  where t.oid = to_regtype(p_type_name)
    or (to_regtype(p_type_name) is null and t.typtype = 'e' and p_type_name in (t.typname, quote_ident(t.typname)))
$$;

revoke execute on all functions in schema askback from public;

grant execute on function
  askback.split_condition(text),
  askback.check_schema(text, text),
  askback.type_schema(oid, integer),
  askback.plain_name(text),
  askback.function_arguments(oid),
  askback.default_value(text),
  askback.function_parameters(oid),
  askback.function_shape(oid),
  askback.function_refusal(oid, boolean),
  askback.refuse_offer(text),
  askback.find_function(text),
  askback.offer_function(regprocedure, text, text, text, text, text, boolean),
  askback.offer_function(text, text, text, text, text, text, boolean),
  askback.withdraw_function(regprocedure),
  askback.withdraw_function(text),
  askback.offer_functions_again(),
  askback.load_offered_function(text),
  askback.user_claims(uuid),
  askback.call_offered_function(uuid, text, json, json),
  askback.describe_constraint(text, text, text),
  askback.describe_type(text)
to service_role;
