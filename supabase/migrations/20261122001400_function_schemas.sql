-- Functions of the application as tools, 1 of 3: the JSON Schema of a function's arguments.

-- The parts of a condition that must all hold, without the parentheses around them.
create function askback_private.split_condition(p_condition text) returns setof text
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
      -- Where the first parenthesis closes: if that is at the end, it encloses everything.
      if v_depth = 0 and v_closed is null then
        v_closed := v_place;
      end if;
    elsif v_depth = 0 and substr(p_condition, v_place, 5) = ' AND ' then
      return query select askback_private.split_condition(substr(p_condition, v_start, v_place - v_start));
      v_start := v_place + 5;
    end if;
  end loop;
  if v_start > 1 then
    return query select askback_private.split_condition(substr(p_condition, v_start));
  elsif p_condition like '(%' and v_closed = length(p_condition) then
    return query select askback_private.split_condition(substr(p_condition, 2, length(p_condition) - 2));
  else
    return next p_condition;
  end if;
end
$$;

-- What a check constraint says about one value, as JSON Schema: limits, lengths, choices, a pattern. Only what is
-- certain; everything else is left to the database. p_subject: VALUE, or the name of the column.
create function askback_private.check_schema(p_definition text, p_subject text) returns jsonb
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
    select askback_private.split_condition(substring(p_definition from '^CHECK (\(.*\))(?: NOT VALID)?$'))
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

    -- Only a simple pattern means the same everywhere; a dot, for example, matches a line break only in PostgreSQL.
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

-- The JSON Schema of a type; null for one that no call can pass (anyelement, record, trigger).
create function askback_private.type_schema(p_type oid, p_typmod integer default -1) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_type pg_catalog.pg_type;
  v_schema jsonb;
  v_check text;
begin
  select * into v_type from pg_catalog.pg_type where oid = p_type;
  case
    when v_type.typtype = 'd' then
      v_schema := askback_private.type_schema(v_type.typbasetype, v_type.typtypmod);
      for v_check in
        select pg_get_constraintdef(c.oid) from pg_catalog.pg_constraint c
        where c.contypid = p_type and c.contype = 'c' order by c.conname
      loop
        v_schema := v_schema || askback_private.check_schema(v_check, 'VALUE');
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
            askback_private.type_schema(a.atttypid, a.atttypmod)
              || jsonb_strip_nulls(jsonb_build_object('description', col_description(v_type.typrelid, a.attnum))) as member
          from pg_catalog.pg_attribute a
          where a.attrelid = v_type.typrelid and a.attnum > 0 and not a.attisdropped
          order by a.attnum
        ) attributes
      );
    when v_type.typtype = 'p' then
      return null;
    when v_type.typcategory = 'A' and v_type.typelem <> 0 then
      return case when askback_private.type_schema(v_type.typelem, p_typmod) is not null then
        -- The type does not say how many dimensions: integer[][] is integer[].
        jsonb_build_object('type', 'array', 'items', askback_private.type_schema(v_type.typelem, p_typmod), 'anyDepth', true)
      end;
    else null;
  end case;

  return case v_type.typname
    when 'bool' then '{"type":"boolean"}'
    when 'int2' then '{"type":"integer"}'
    when 'int4' then '{"type":"integer"}'
    -- With the text of their digits, because a double keeps 15 of them.
    when 'int8' then '{"type":["integer","string"],"format":"int64"}'
    when 'numeric' then '{"type":["number","string"],"format":"decimal"}'
    when 'json' then '{"json":true}'
    when 'jsonb' then '{"json":true}'
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

-- The name of an argument for people and models: p_title and _title become title.
create function askback_private.plain_name(p_argument text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce(nullif(regexp_replace(p_argument, '^(p|in|arg)?_+', ''), ''), p_argument);
end
$$;

-- The arguments that a call passes, in order. A comment on the function describes one with a line `@param title What it
-- is about.`; `@param email (from the user) …` marks a value that only the user can give.
create function askback_private.function_arguments(p_function oid)
returns table (number integer, name text, type oid, mode text, has_default boolean, default_text text, description text, of_user boolean)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
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
    select * from described where described.name in (c.name, askback_private.plain_name(c.name)) limit 1
  ) d on true
  order by c.number;
end
$$;

-- A default that is a plain value of the type in p_schema, as pg_get_expr writes it: 5, '-1'::integer, ('a'::text)::title;
-- null for any other default.
create function askback_private.default_value(p_default text, p_schema jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v_text text := p_default;
  v_inner text;
begin
  -- Without the types it is cast to, and the parentheses around it.
  loop
    v_inner := coalesce(
      substring(v_text from '^\((.*)\)$'),
      substring(v_text from '^(.*['')\d])::[^''()]+(?:\([\d,]+\))?$')
    );
    exit when v_inner is null;
    v_text := v_inner;
  end loop;
  if v_text ~ '^''([^'']|'''')*''$' then
    v_text := replace(substring(v_text from 2 for length(v_text) - 2), '''''', '''');
    if p_schema ->> 'type' = 'string' then
      return to_jsonb(v_text);
    end if;
  end if;
  return case
    when p_schema -> 'type' ?| array['integer', 'number'] and v_text ~ '^-?\d+(\.\d+)?$' then v_text::numeric::text::jsonb
    when p_schema ->> 'type' = 'boolean' and v_text in ('true', 'false') then v_text::jsonb
  end;
end
$$;

-- The JSON Schema of a function's arguments, in their order.
create function askback_private.function_parameters(p_function oid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object(
      'type', 'object',
      'properties', coalesce(json_object_agg(a.name, (
        askback_private.type_schema(a.type) || jsonb_strip_nulls(jsonb_build_object(
          'title', case when askback_private.plain_name(a.name) <> a.name then replace(askback_private.plain_name(a.name), '_', ' ') end,
          'aliases', case when not exists (
            select from askback_private.function_arguments(p_function) b where b.name = askback_private.plain_name(a.name)
          ) then jsonb_build_array(askback_private.plain_name(a.name)) end,
          'description', a.description,
          'default', askback_private.default_value(a.default_text, askback_private.type_schema(a.type)),
          'source', case when a.of_user then 'conversation' end
        ))
      ) order by a.number) filter (where a.name is not null), '{}'),
      'required', coalesce(json_agg(a.name order by a.number) filter (where not a.has_default), '[]'),
      'additionalProperties', false
    )
    from askback_private.function_arguments(p_function) a
  );
end
$$;

-- A text that stays equal as long as the same calls fit: names, types and which arguments may be omitted.
create function askback_private.function_shape(p_function oid) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(
      string_agg(
        format('%I %s%s', name, format_type(type, null), case when has_default then ' default' else '' end), ', ' order by number
      ),
      ''
    )
    from askback_private.function_arguments(p_function)
  );
end
$$;
