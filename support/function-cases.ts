/** A function of an application and what a call of it answers, wherever it is called. */
export interface FunctionCase {
  name: string
  /** Everything that has to be created, the function last. */
  sql: string
  call: [name: string, args: Record<string, unknown>]
  /** What it returns, or the code of its refusal. */
  answers: unknown
}

const define = (name: string, args: string, body: string) =>
  `create function public.${name}(${args}) returns text language sql stable as $$ select ${body} $$`

/** Arguments as PostgREST takes them: https://docs.postgrest.org/en/v14/references/api/functions.html */
export const functionCases: readonly FunctionCase[] = [
  {
    name: 'names with capitals and reserved words',
    sql: define('f_camel', '"userId" integer, "select" text', `"userId" || "select"`),
    call: ['f_camel', { userId: 1, select: 'x' }],
    answers: '1x',
  },
  {
    name: 'names beyond ASCII and with spaces',
    sql: define('f_size', '"größe" integer, "Straße und Nr" text', `"größe" || "Straße und Nr"`),
    call: ['f_size', { größe: 2, 'Straße und Nr': 'Am Bach 7' }],
    answers: '2Am Bach 7',
  },
  {
    name: 'names with marks and quotation marks',
    sql: define('f_marks', '"Kunden-Nr" text, "order" text, "a""b" text', `"Kunden-Nr" || "order" || "a""b"`),
    call: ['f_marks', { 'Kunden-Nr': 'K1', order: 'asc', 'a"b': '!' }],
    answers: 'K1asc!',
  },
  {
    name: 'some of several defaults, negative ones too',
    sql: define(
      'f_defaults',
      `"limit" integer default -1, "offset" bigint default 0, part numeric default -0.5, day date default current_date - 1`,
      `"limit" || '/' || "offset" || '/' || part`,
    ),
    call: ['f_defaults', { offset: 3 }],
    answers: '-1/3/-0.5',
  },
  {
    name: 'lists of lists',
    sql: define('f_matrix', 'm integer[][]', 'm::text'),
    call: [
      'f_matrix',
      {
        m: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    answers: '{{1,2},{3,4}}',
  },
  {
    name: 'lists of lists of texts, with marks of PostgreSQL in them and nothing',
    sql: define('f_texts', 't text[][]', 't::text'),
    call: [
      'f_texts',
      {
        t: [
          ['a,b', '{c}'],
          ['"d" \\', null],
        ],
      },
    ],
    answers: '{{"a,b","{c}"},{"\\"d\\" \\\\",NULL}}',
  },
  {
    name: 'a list for several values at the end',
    sql: define('f_variadic', 'first text, variadic tags text[]', `first || array_to_string(tags, '|')`),
    call: ['f_variadic', { first: '>', tags: ['a', 'b'] }],
    answers: '>a|b',
  },
  {
    name: 'an empty list for several values at the end',
    sql: define('f_none', 'variadic tags integer[]', 'cardinality(tags)::text'),
    call: ['f_none', { tags: [] }],
    answers: '0',
  },
  {
    name: 'JSON',
    sql: define('f_json', 'data jsonb', `jsonb_typeof(data) || data`),
    call: ['f_json', { data: { a: [1, null, 'x'] } }],
    answers: 'object{"a": [1, null, "x"]}',
  },
  {
    name: 'JSON that is a text',
    sql: define('f_json_text', 'data jsonb', `jsonb_typeof(data) || data`),
    call: ['f_json_text', { data: '{"a": 1}' }],
    answers: 'string"{\\"a\\": 1}"',
  },
  {
    name: 'a value that a domain refuses',
    sql: `create domain public.mail_address as text check (value like '%@%'); ${define('f_mail', 'mail mail_address', 'mail')}`,
    call: ['f_mail', { mail: 'nope' }],
    answers: { code: '23514' },
  },
  {
    name: 'a list of a domain',
    sql: `create domain public.tag_list as text[]; ${define('f_tags', 'tags tag_list', 'tags::text')}`,
    call: ['f_tags', { tags: ['a b', 'c'] }],
    answers: '{"a b",c}',
  },
  {
    name: 'an object of a domain',
    sql: `create domain public.payload as jsonb; ${define('f_payload', 'data payload', `data ->> 'a'`)}`,
    call: ['f_payload', { data: { a: 'x' } }],
    answers: 'x',
  },
  {
    name: 'a type with capitals',
    sql: `create type public."Colour" as enum ('red', 'light blue'); ${define('f_colour', 'c "Colour", all_of "Colour"[]', 'c || all_of::text')}`,
    call: ['f_colour', { c: 'light blue', all_of: ['red'] }],
    answers: 'light blue{red}',
  },
  {
    name: 'objects in a list',
    sql: `create type public.spot as (x integer, label text, tags text[]); ${define('f_spots', 'spots spot[]', 'spots::text')}`,
    call: ['f_spots', { spots: [{ x: 1, label: 'a "b"', tags: ['c'] }, { label: '' }] }],
    answers: '{"(1,\\"a \\"\\"b\\"\\"\\",{c})","(,\\"\\",)"}',
  },
  {
    name: 'true and false as texts',
    sql: define('f_flag', 'a boolean, b boolean', `a::text || b::text`),
    call: ['f_flag', { a: 'true', b: false }],
    answers: 'truefalse',
  },
  {
    name: 'a time without a zone, whatever the zone of the process',
    sql: define('f_at', 'at timestamp, day date', `at::text || ' ' || day`),
    call: ['f_at', { at: '2026-01-31T23:30', day: '2026-02-01' }],
    answers: '2026-01-31 23:30:00 2026-02-01',
  },
  {
    name: 'an object for a text',
    sql: define('f_text', 'a text, b text', `(a::jsonb ->> 'x') || b`),
    call: ['f_text', { a: { x: 1 }, b: 2.5 }],
    answers: '12.5',
  },
  {
    name: 'bytes',
    sql: define('f_bytes', 'b bytea', `encode(b, 'escape')`),
    call: ['f_bytes', { b: '\\x6869' }],
    answers: 'hi',
  },
  {
    name: 'a range, an amount, a length of time',
    sql: define('f_range', 'r daterange, m money, i interval', `upper(r) || ' ' || m::numeric || ' ' || i`),
    call: ['f_range', { r: '[2026-01-01,2026-02-01)', m: 12.5, i: 'P1D' }],
    answers: '2026-02-01 12.50 1 day',
  },
  {
    name: 'texts and bits whose length PostgreSQL does not keep',
    sql: define('f_char', 'c char(2), v varchar(2), b bit(4), cs char(2)[]', `c || v || b || cs::text`),
    call: ['f_char', { c: 'abc', v: '123456', b: '101011', cs: ['xyz'] }],
    answers: 'abc123456101011{xyz}',
  },
  {
    name: 'nothing',
    sql: define(
      'f_null',
      'a text, b integer[], c jsonb',
      `coalesce(a, 'none') || coalesce(b::text, ' none') || coalesce(c::text, ' none')`,
    ),
    call: ['f_null', { a: null, b: null, c: null }],
    answers: 'none none none',
  },
]
