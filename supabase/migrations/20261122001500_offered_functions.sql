-- Functions of the application as tools, 2 of 3: `select askback.offer_function('public.create_ticket')` makes a tool
-- of one. It runs as the user, with the user's rights.

-- The schemas whose functions can be called: those that the data API serves. `askback` itself is never one of them.
create table askback.exposed_schemas (
  name text primary key check (name not in ('askback', 'askback_private', 'auth', 'storage', 'pg_catalog', 'information_schema'))
);

alter table askback.exposed_schemas enable row level security;
grant all on askback.exposed_schemas to service_role;
insert into askback.exposed_schemas values ('public');


create table askback.offered_functions (
  tool_id uuid primary key references askback.tools (id) on delete cascade,
  schema_name text not null,
  function_name text not null,
  -- What the operator chose when offering it; a null member is taken from the function.
  options json not null,
  -- The function that is called with the same arguments when its approval is asked and right before it, or null.
  looks_schema text,
  looks_name text,
  -- Its arguments at that time, as of function_shape.
  shape text not null,
  offered_at timestamptz not null default now(),
  unique (schema_name, function_name)
);

alter table askback.offered_functions enable row level security;
grant all on askback.offered_functions to service_role;


-- Why a function is not offered: the code and the values of the sentence for people ("NotOffered" in
-- shared/words/refused/server.ts), and its English words, which SQL itself shows.
create function askback_private.offer_refusal(p_why text, p_words text, p_values jsonb default '{}') returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return jsonb_build_object('why', p_why, 'words', p_words) || p_values;
end
$$;

-- Why a function cannot be a tool, as a refusal; null if it can.
create function askback_private.function_refusal(p_function oid, p_allow_definer boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_proc pg_catalog.pg_proc;
  v_schema text;
  v_name text;
  v_argument record;
begin
  select * into v_proc from pg_catalog.pg_proc where oid = p_function;
  if not found then
    return askback_private.offer_refusal('no_function', 'There is no such function.');
  end if;
  select nspname into v_schema from pg_catalog.pg_namespace where oid = v_proc.pronamespace;
  v_name := format('%I.%I', v_schema, v_proc.proname);

  if not exists (select from askback.exposed_schemas where name = v_schema) then
    return askback_private.offer_refusal(
      'not_exposed',
      format(
        'The schema %I is not exposed by the data API (%s). Move the function to one that is, or expose the schema in the API settings and then: insert into askback.exposed_schemas values (%L).',
        v_schema, (select string_agg(quote_ident(name), ', ' order by name) from askback.exposed_schemas), v_schema
      ),
      jsonb_build_object('schema', v_schema, 'exposed', (select jsonb_agg(name order by name) from askback.exposed_schemas))
    );
  end if;
  if v_proc.prokind <> 'f' then
    return askback_private.offer_refusal('not_plain', format('%s is %s, not a plain function. Offer a function that calls it.', v_name,
      case v_proc.prokind when 'p' then 'a procedure' when 'a' then 'an aggregate' else 'a window function' end),
      jsonb_build_object('function', v_name));
  end if;
  if v_proc.prorettype in ('trigger'::regtype, 'event_trigger'::regtype) then
    return askback_private.offer_refusal('trigger', format('%s is a trigger function: it cannot be called.', v_name),
      jsonb_build_object('function', v_name));
  end if;
  if v_proc.prorettype <> 'void'::regtype
    and not (v_proc.prorettype = 'record'::regtype and coalesce(v_proc.proargmodes && '{o,b,t}'::"char"[], false))
    and exists (select from pg_catalog.pg_type where oid = v_proc.prorettype and typtype = 'p')
  then
    return askback_private.offer_refusal('result_type',
      format('%s returns %s, which a call cannot return. Let it return columns: returns table (…).', v_name, format_type(v_proc.prorettype, null)),
      jsonb_build_object('function', v_name, 'type', format_type(v_proc.prorettype, null)));
  end if;
  if (select count(*) from pg_catalog.pg_proc where pronamespace = v_proc.pronamespace and proname = v_proc.proname) > 1 then
    return askback_private.offer_refusal('overloaded',
      format('%s is overloaded: several functions have that name, so a call by name is ambiguous. Give this one a name of its own.', v_name),
      jsonb_build_object('function', v_name));
  end if;
  if v_proc.proname !~ '^[A-Za-z0-9_-]{1,64}$' then
    return askback_private.offer_refusal('name_unfit', format('%s is not a valid name for a tool. Use 1 to 64 letters, digits, _ and -.', v_name),
      jsonb_build_object('function', v_name));
  end if;
  for v_argument in select * from askback_private.function_arguments(p_function) loop
    if v_argument.name = '' then
      return askback_private.offer_refusal('argument_unnamed',
        format('Argument %s of %s has no name, so a model cannot give it. Name every argument.', v_argument.number, v_name),
        jsonb_build_object('function', v_name, 'number', v_argument.number));
    end if;
    if askback_private.type_schema(v_argument.type) is null then
      return askback_private.offer_refusal('argument_type',
        format('Argument %I of %s has the type %s, which a call cannot give.', v_argument.name, v_name, format_type(v_argument.type, null)),
        jsonb_build_object('function', v_name, 'argument', v_argument.name, 'type', format_type(v_argument.type, null)));
    end if;
  end loop;
  if not has_schema_privilege('authenticated', v_schema, 'usage') then
    return askback_private.offer_refusal('schema_denied',
      format('Signed-in users may not use the schema %I: grant usage on schema %I to authenticated.', v_schema, v_schema),
      jsonb_build_object('schema', v_schema));
  end if;
  if not has_function_privilege('authenticated', p_function, 'execute') then
    return askback_private.offer_refusal('function_denied',
      format('Signed-in users may not execute %s: grant execute on function %s to authenticated.', v_name, p_function::regprocedure),
      jsonb_build_object('function', v_name, 'signature', p_function::regprocedure::text));
  end if;
  if v_proc.prosecdef and not p_allow_definer then
    return askback_private.offer_refusal(
      'definer',
      format(
        '%s is security definer: it runs with the rights of its owner and bypasses row level security for every caller. Make it security invoker, or, if it checks by itself what the user may do, offer it with allow_definer => true.',
        v_name
      ),
      jsonb_build_object('function', v_name)
    );
  end if;
  return null;
end
$$;

-- Why a function cannot be the one that another function's approval relies on, as a refusal; null if it can.
create function askback_private.look_refusal(p_looks oid, p_function oid, p_allow_definer boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_reason jsonb := askback_private.function_refusal(p_looks, p_allow_definer);
  v_proc pg_catalog.pg_proc;
  v_other text;
begin
  if v_reason is not null then
    return v_reason;
  end if;
  select * into v_proc from pg_catalog.pg_proc where oid = p_looks;
  if v_proc.provolatile = 'v' then
    return askback_private.offer_refusal('other',
      format('%s is volatile, so it may change things. If it only reads, declare it stable.', p_looks::regprocedure));
  end if;
  if v_proc.prorettype = 'void'::regtype then
    return askback_private.offer_refusal('other',
      format('%s returns nothing that could be compared. Let it return what the approval relies on.', p_looks::regprocedure));
  end if;
  select l.name into v_other
  from askback_private.function_arguments(p_looks) l
  where not exists (
    select from askback_private.function_arguments(p_function) a where a.name = l.name and a.type = l.type
  )
  limit 1;
  if v_other is not null then
    return askback_private.offer_refusal('other', format(
      '%s has the argument %I, but %s has none of that name and type. It gets the same arguments, so it can have no others.',
      p_looks::regprocedure, v_other, p_function::regprocedure
    ));
  end if;
  return null;
end
$$;

-- The fields of a tool's form by path, without list indexes, with their schemas: to, attachments.filename.
create function askback_private.form_fields(p_parameters jsonb) returns table (path text, field jsonb)
language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with recursive found (path, field) as (
    select key, value from jsonb_each(coalesce(p_parameters -> 'properties', '{}'))
    union all
    select found.path || '.' || inner_one.key, inner_one.value
    from found
    cross join lateral jsonb_each(coalesce(found.field -> 'properties', found.field #> '{items,properties}', '{}')) inner_one
  )
  select path, field from found;
end
$$;

-- Why a template for people (docs/tools.md) cannot be filled in, as the end of a sentence; null if it can.
create function askback_private.template_fault(p_template text, p_function regprocedure) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_unknown text;
begin
  if regexp_replace(p_template, '\{[^{}"]+\}', '', 'g') ~ '[{}]' then
    return 'has a { or } without its other half';
  end if;
  select place into v_unknown
  from regexp_matches(p_template, '\{([^{}:#=~]+)[^{}]*\}', 'g') part, regexp_split_to_table(part[1], ',') place
  where not exists (
    select from askback_private.function_arguments(p_function) a where substring(place from '^[^.[]+') in (a.name, 'output')
  )
  limit 1;
  if v_unknown is not null then
    return format('names {%s}, which is not an argument of %s', v_unknown, p_function);
  end if;
  return null;
end
$$;

-- What is wrong with words for arguments, as a sentence for the operator; null if nothing is. `p_of`: whose they are, such
-- as ` in 'de'`.
create function askback_private.fields_refusal(p_function regprocedure, p_paths text[], p_fields jsonb, p_of text) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_part text;
begin
  select key into v_part from jsonb_each(p_fields) where not key = any (p_paths) limit 1;
  if v_part is not null then
    return format('The words%s name %L, which is not an argument of %s.', p_of, v_part, p_function);
  end if;
  select key into v_part from jsonb_each(p_fields)
  where jsonb_typeof(value) <> 'object' or exists (
    select from jsonb_each(case jsonb_typeof(value) when 'object' then value else '{}' end) texts (name, text)
    where texts.name not in ('title', 'short', 'question', 'hint', 'unfit', 'choices')
      or jsonb_typeof(texts.text) <> case texts.name when 'choices' then 'object' else 'string' end
  )
  limit 1;
  return format(
    'The words%s for %L can be the texts title, short, question, hint and unfit, and choices: {"value": "text"}.',
    p_of, v_part
  ) where v_part is not null;
end
$$;

-- Parameters with words of their own for some of them.
create function askback_private.with_words(p_parameters json, p_fields jsonb) returns json
language plpgsql immutable set search_path = '' as $$
begin
  -- In their order, which jsonb would not keep.
  return (
    select json_object_agg(part.key, case part.key when 'properties' then (
      select coalesce(json_object_agg(field.key, case when p_fields ? field.key
        then (field.value::jsonb || (p_fields -> field.key))::json else field.value end order by field.place), '{}')
      from json_each(part.value) with ordinality field (key, value, place)
    ) else part.value end order by part.place)
    from json_each(p_parameters) with ordinality part (key, value, place)
  );
end
$$;

-- What is wrong with the words of a tool in other languages, as a sentence for the operator; null if nothing is.
--
-- in   p_words: { BCP 47 tag: ToolWords } of shared/words/tool-words.ts
create function askback_private.words_refusal(p_function regprocedure, p_specification jsonb, p_words jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_paths text[] := array(select path from askback_private.form_fields(p_specification -> 'parameters'));
  v_language text;
  v_said jsonb;
  v_part text;
begin
  if jsonb_typeof(p_words) <> 'object' then
    return 'The words must be an object with a language each, like {"de": {"title": …}}.';
  end if;
  for v_language, v_said in select key, value from jsonb_each(p_words) loop
    if v_language !~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$' then
      return format('%L is no language. Name it by its BCP 47 tag, like de or pt-BR.', v_language);
    end if;
    if lower(v_language) = 'en' then
      return 'English is what the tool says without other words. Leave out en.';
    end if;
    if jsonb_typeof(v_said) <> 'object' or jsonb_typeof(coalesce(v_said -> 'fields', '{}')) <> 'object' then
      return format('The words in %L must be an object like {"title": …, "fields": {…}}.', v_language);
    end if;
    select key into v_part from jsonb_each(v_said)
    where key not in ('title', 'fields', 'confirm', 'summary', 'button', 'past') limit 1;
    if v_part is not null then
      return format('The words in %L have %L. They can have title, fields, confirm, summary, button and past.', v_language, v_part);
    end if;
    select key into v_part from jsonb_each(v_said)
    where key <> 'fields' and (jsonb_typeof(value) <> 'string' or value #>> '{}' !~ '\S') limit 1;
    if v_part is not null then
      return format('The %s in %L must be a text.', v_part, v_language);
    end if;
    v_part := askback_private.fields_refusal(
      p_function, v_paths, coalesce(v_said -> 'fields', '{}'), format(' in %L', v_language)
    );
    if v_part is not null then
      return v_part;
    end if;
    select format('The %s in %L %s.', key, v_language, fault) into v_part
    from jsonb_each_text(v_said - '{title,fields}'::text[]),
      askback_private.template_fault(value, p_function) fault
    where fault is not null limit 1;
    if v_part is not null then
      return v_part;
    end if;
  end loop;
  return null;
end
$$;

-- What a language lacks of the texts that a tool has in English: {title, fields.priority.title}. If it lacks any, the tool
-- is English for its readers.
create function askback_private.missing_words(p_specification jsonb, p_said jsonb) returns text[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(
    select array_to_string(needed.place, '.')
    from (
      select array[name] as place, 0 as part, name from unnest(array['title', 'confirm', 'summary', 'button', 'past']) name
      where name = 'title' or p_specification ? name
      union all
      select array['fields', path, name], 1, path from askback_private.form_fields(p_specification -> 'parameters'),
        unnest(array['title', 'question', 'hint', 'unfit']) name
      where name = 'title' or field ? name
      union all
      select array['fields', path, 'choices', choice], 2, path from askback_private.form_fields(p_specification -> 'parameters'),
        jsonb_array_elements_text(case when jsonb_typeof(field -> 'enum') = 'array' then field -> 'enum' else '[]' end) choice
    ) needed
    where p_said #>> needed.place is null
    order by needed.part, needed.name, needed.place
  );
end
$$;

-- Refuses an offer. Its code and values are where `get stacked diagnostics` finds them, and no client prints them.
create function askback_private.refuse_offer(p_refusal jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  raise exception '%', p_refusal ->> 'words'
    using errcode = 'invalid_parameter_value', constraint = (p_refusal - 'words')::text;
end
$$;

create function askback_private.refuse_offer(p_why text, p_words text, p_values jsonb default '{}') returns void
language sql set search_path = '' as $$
  select askback_private.refuse_offer(askback_private.offer_refusal(p_why, p_words, p_values))
$$;

-- Makes a function a tool of every agent that may use all tools, or updates its tool. Returns the name of the tool;
-- raises invalid_parameter_value with the reason if the function cannot be one. Null parameters are taken from the
-- function: the description from its comment (lines with @param describe arguments), the effect from its volatility
-- (read for stable and immutable ones), the title from its name.
--
-- in   effect: read | write; confirm: like 'Create "{title}"?'; approval: always | never, by default always for writes;
--      trusted_output: paths of its answer that only the user writes, like '[*].email';
--      seen: a stable function with arguments of the same names, whose result must still be the same right before a write;
--      words: what it says in other languages, { BCP 47 tag: { title, fields: { argument: { title } }, confirm } }; a
--      language that lacks a text is left out, with a warning; summary: what a call did, like 'Created "{title}"'; button:
--      like 'Create'; past: what a call is once it is made, like 'created'; fields: what arguments and their values are
--      called, { argument: { title, short, question, hint, unfit, choices: { value: text } } }
create function askback.offer_function(
  procedure regprocedure,
  title text default null,
  description text default null,
  effect text default null,
  confirm text default null,
  approval text default null,
  allow_definer boolean default false,
  trusted_output text[] default null,
  seen text default null,
  words jsonb default null,
  summary text default null,
  button text default null,
  past text default null,
  fields jsonb default null,
  reversible boolean default false
) returns text
language plpgsql set search_path = '' as $$
declare
  v_proc pg_catalog.pg_proc;
  v_schema text;
  v_comment text := coalesce(obj_description(procedure, 'pg_proc'), '');
  v_name text;
  v_effect text;
  v_unknown text;
  v_specification json;
  v_words jsonb := '{}';
  v_language text;
  v_said jsonb;
  v_missing text[];
  v_tool askback.tools;
  v_looks regprocedure;
begin
  perform askback_private.refuse_offer(reason) from askback_private.function_refusal(procedure, allow_definer) reason where reason is not null;
  select * into v_proc from pg_catalog.pg_proc where oid = procedure;
  select nspname into v_schema from pg_catalog.pg_namespace where oid = v_proc.pronamespace;
  v_name := replace(trim(both '_' from v_proc.proname), '_', ' ');
  v_effect := coalesce(effect, case v_proc.provolatile when 'v' then 'write' else 'read' end);
  if v_effect not in ('read', 'write') then
    perform askback_private.refuse_offer('option_unfit', format('The effect must be read or write, not %L.', effect),
      jsonb_build_object('option', 'effect', 'value', effect, 'known', array['read', 'write']));
  end if;
  if seen is not null then
    v_looks := askback_private.find_function(seen);
    perform askback_private.refuse_offer(reason) from askback_private.look_refusal(v_looks, procedure, allow_definer) reason where reason is not null;
    if v_effect <> 'write' then
      perform askback_private.refuse_offer('other', format('%s only reads, so nothing has to be compared before it. Leave out seen.', procedure));
    end if;
  end if;
  if approval not in ('always', 'never') then
    perform askback_private.refuse_offer('option_unfit', format('The approval must be always or never, not %L.', approval),
      jsonb_build_object('option', 'approval', 'value', approval, 'known', array['always', 'never']));
  end if;

  select part[1] into v_unknown from regexp_matches(v_comment, '^[ \t]*@param[ \t]+(\S+)', 'gn') part
  where not exists (
    select from askback_private.function_arguments(procedure) a where part[1] in (a.name, askback_private.plain_name(a.name))
  );
  if v_unknown is not null then
    perform askback_private.refuse_offer('comment_unfit', format('The comment of %s describes %I, which is not one of its arguments.', procedure, v_unknown),
      jsonb_build_object('function', procedure::text, 'argument', v_unknown));
  end if;
  perform askback_private.refuse_offer('other', format('The %s %s.', said.name, fault))
  from (values ('confirmation', confirm), ('summary', summary), ('button', button), ('past', past)) said (name, template)
  cross join lateral askback_private.template_fault(coalesce(said.template, ''), procedure) fault
  where fault is not null;

  select * into v_tool from askback.tools t where t.name = v_proc.proname;
  if found and (v_tool.source <> 'application' or not exists (
    select from askback.offered_functions f
    where f.tool_id = v_tool.id and f.schema_name = v_schema and f.function_name = v_proc.proname
  )) then
    perform askback_private.refuse_offer('name_taken', format('There is already a tool %I. Rename the function: tools are called by name only.', v_proc.proname),
      jsonb_build_object('tool', v_proc.proname));
  end if;

  if jsonb_typeof(fields) <> 'object' then
    perform askback_private.refuse_offer('other', 'The fields must be an object like {"title": {"title": "Subject"}}.');
  end if;
  perform askback_private.refuse_offer('other', reason) from askback_private.fields_refusal(
    procedure, array(select a.name from askback_private.function_arguments(procedure) a), coalesce(fields, '{}'), ''
  ) reason where reason is not null;

  v_specification := json_strip_nulls(json_build_object(
    'name', v_proc.proname,
    'title', coalesce(title, upper(left(v_name, 1)) || substr(v_name, 2)),
    'description', coalesce(
      description,
      nullif(trim(both E' \t\r\n' from regexp_replace(v_comment, '^[ \t]*@param[ \t].*$\n?', '', 'gn')), ''),
      upper(left(v_name, 1)) || substr(v_name, 2) || '.'
    ),
    'effect', v_effect,
    'confirm', confirm,
    'summary', summary,
    'button', button,
    'past', past,
    -- Its answers are private to the user, so they must not leave in a URL.
    'private', true,
    'trustedOutput', trusted_output,
    'looks', case when v_looks is not null then true end,
    'reversible', case when reversible and v_effect = 'write' then true end,
    -- The database says what may not be empty.
    'emptyText', true,
    'parameters', askback_private.with_words(askback_private.function_parameters(procedure), coalesce(fields, '{}'))
  ));
  perform askback_private.refuse_offer('other', reason)
  from askback_private.words_refusal(procedure, v_specification::jsonb, coalesce(words, '{}')) reason where reason is not null;
  for v_language, v_said in select key, value from jsonb_each(coalesce(words, '{}')) loop
    v_missing := askback_private.missing_words(v_specification::jsonb, v_said);
    if v_missing = '{}' then
      v_words := v_words || jsonb_build_object(v_language, v_said);
    else
      raise warning 'The words of % in % lack %: until they have it, it is English there.',
        v_proc.proname, v_language, array_to_string(v_missing, ', ');
    end if;
  end loop;
  insert into askback.tools as known (name, source, function, action, approval, position, specification, words)
  values (
    v_proc.proname, 'application', 'database-api', v_proc.proname,
    coalesce(approval, case v_effect when 'write' then 'always' else 'never' end), 1000, v_specification,
    v_words
  )
  on conflict (name) do update
  set approval = excluded.approval, specification = excluded.specification, words = excluded.words
  returning * into v_tool;
  insert into askback.offered_functions (
    tool_id, schema_name, function_name, looks_schema, looks_name, options, shape
  )
  select
    v_tool.id, v_schema, v_proc.proname, l.nspname, l.proname,
    json_build_object(
      'title', title, 'description', description, 'effect', effect, 'confirm', confirm, 'approval', approval,
      'allowDefiner', allow_definer, 'trustedOutput', trusted_output, 'seen', seen, 'words', offer_function.words,
      'summary', summary, 'button', button, 'past', past, 'fields', offer_function.fields,
      'reversible', reversible
    ),
    askback_private.function_shape(procedure)
  from (values (v_looks::oid)) looks (oid)
  left join (
    select p.oid, n.nspname, p.proname from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  ) l on l.oid = looks.oid
  on conflict (tool_id) do update set
    options = excluded.options, shape = excluded.shape, looks_schema = excluded.looks_schema,
    looks_name = excluded.looks_name, offered_at = now();
  return v_proc.proname;
end
$$;

-- The function that a text names, with or without its schema, with or without its argument types.
create function askback_private.find_function(p_function text) returns regprocedure
language plpgsql stable set search_path = '' as $$
declare
  v_path text[] := parse_ident(split_part(p_function, '(', 1), false);
  v_found oid[];
begin
  if p_function like '%(%' then
    v_found := array[to_regprocedure(p_function)];
    -- Without a schema it is searched for in those that are exposed.
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
    perform askback_private.refuse_offer('schema_unclear', format('Several schemas have a function %s. Add its schema, like public.create_ticket.', p_function),
      jsonb_build_object('function', p_function));
  end if;
  if cardinality(v_found) = 0 then
    perform askback_private.refuse_offer('function_unknown', format('There is no function %s. Give its name with the schema, like public.create_ticket.', p_function),
      jsonb_build_object('function', p_function));
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
  allow_definer boolean default false,
  trusted_output text[] default null,
  seen text default null,
  words jsonb default null,
  summary text default null,
  button text default null,
  past text default null,
  fields jsonb default null,
  reversible boolean default false
) returns text
language plpgsql set search_path = '' as $$
begin
  return askback.offer_function(
    askback_private.find_function(function), title, description, effect, confirm, approval, allow_definer, trusted_output, seen,
    words, summary, button, past, fields, reversible
  );
end
$$;

-- Removes the tool of a function, even if the function is gone; false if it was not offered.
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

-- Offers every function again as it was offered, for the end of a migration that changes some of them. Returns for each
-- why it can no longer be offered; null if it can.
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
        (v_offered.options ->> 'allowDefiner')::boolean,
        case json_typeof(v_offered.options -> 'trustedOutput') when 'array' then
          array(select json_array_elements_text(v_offered.options -> 'trustedOutput'))
        end,
        v_offered.options ->> 'seen',
        (v_offered.options ->> 'words')::jsonb,
        v_offered.options ->> 'summary', v_offered.options ->> 'button', v_offered.options ->> 'past',
        (v_offered.options ->> 'fields')::jsonb,
        coalesce((v_offered.options ->> 'reversible')::boolean, false)
      );
    exception
      when invalid_parameter_value then refused := sqlerrm;
    end;
    return next;
  end loop;
end
$$;
