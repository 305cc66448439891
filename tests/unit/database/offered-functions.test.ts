import { beforeAll, describe, expect, test } from 'vitest'
import { compileSchema } from '../../../shared/engine/schema/compile-schema.ts'
import { connectAs } from '../../../support/database-calls.ts'
import { offeredNames } from '../../../support/offered-tools.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()

/** Statements of the team, as whoever owns the database. */
const run = (statements: string) => database.sql.unsafe(statements)

/** Offers a function as an operator does, and gives back its tool. */
async function offer(call: string) {
  const [offered] = await db.service.unsafe(`select askback.offer_function(${call}) as name`)
  const [tool] = await db.service`select * from tools where name = ${offered?.name}`
  return tool as { specification: Specification; [column: string]: unknown }
}

interface Specification {
  name: string
  title: string
  description: string
  effect: string
  confirm?: string
  private?: true
  parameters: { properties: Record<string, object>; required: string[]; additionalProperties: boolean }
}

/** Why an offer is refused; undefined when it is not. */
const refusal = (call: string): Promise<string | undefined> =>
  db.service.unsafe(`select askback.offer_function(${call})`).then(
    () => undefined,
    (error) => (error.code === '22023' ? error.message : `${error.code}: ${error.message}`),
  )

beforeAll(() =>
  run(`
    create schema api;
    grant usage on schema api to authenticated;
    create table public.tickets (id bigint primary key, title text);
    create function public.create_ticket(p_title text, urgent boolean default false) returns void language sql as $$ $$;
    comment on function public.create_ticket is E'Opens a ticket.\\nOnly for the user.\\n@param title What it is about.\\n@param urgent (from the user) Whether it cannot wait.\\r\\n';
    create function public.list_tickets() returns setof tickets language sql stable as $$ select * from public.tickets $$;
  `),
)

describe('the tool of a function', () => {
  test('has its name, its comment, its arguments, and is a write that is approved', async () => {
    const tool = await offer(`'public.create_ticket', confirm => 'Open "{p_title}"?'`)
    expect(tool).toMatchObject({
      source: 'application',
      function: 'database-api',
      action: 'create_ticket',
      approval: 'always',
      providers: [],
    })
    expect(tool.specification).toEqual({
      name: 'create_ticket',
      title: 'Create ticket',
      description: 'Opens a ticket.\nOnly for the user.',
      effect: 'write',
      confirm: 'Open "{p_title}"?',
      private: true,
      emptyText: true,
      parameters: {
        type: 'object',
        properties: {
          p_title: { type: 'string', title: 'title', aliases: ['title'], description: 'What it is about.' },
          urgent: {
            type: 'boolean',
            default: false,
            description: 'Whether it cannot wait.',
            source: 'conversation',
          },
        },
        required: ['p_title'],
        additionalProperties: false,
      },
    })
  })

  test('is a read without approval when it is stable', async () => {
    const { specification, approval } = await offer(`'list_tickets'`)
    expect(approval).toBe('never')
    expect(specification).toMatchObject({
      effect: 'read',
      private: true,
      description: 'List tickets.',
      parameters: { properties: {}, required: [] },
    })
  })

  test('is what the operator says', async () => {
    const said = `'Tickets', 'All that are open.', 'write', 'Look?', 'never'`
    const { specification, approval } = await offer(`'public.list_tickets()'::regprocedure, ${said}`)
    expect(approval).toBe('never')
    expect(specification).toMatchObject({
      title: 'Tickets',
      description: 'All that are open.',
      effect: 'write',
      confirm: 'Look?',
    })
  })

  test('is named with its types, by its name alone, or as the function itself', async () => {
    for (const named of [
      `'list_tickets'`,
      `'list_tickets()'`,
      `'public.list_tickets'`,
      `'public.list_tickets()'`,
      `'"public"."list_tickets"'`,
      `procedure => 'public.list_tickets()'::regprocedure`,
      `function => 'public.list_tickets'`,
    ]) {
      expect((await offer(named)).name).toBe('list_tickets')
    }
  })

  test('is what agents may use who may use every tool', async () => {
    const user = await db.createUser()
    const turn = await db.postText(user, { text: 'Hello' })
    expect(await offeredNames(db, turn)).toContain('list_tickets')
    const catalogue = (await db.call('load_catalogue')) as { tools: object[] }
    expect(catalogue.tools).toContainEqual(
      expect.objectContaining({ source: 'application', function: 'database-api', action: 'list_tickets' }),
    )
  })
})

describe('the words of a function in other languages', () => {
  const german = {
    title: 'Ticket anlegen',
    confirm: 'Das Ticket {p_title} anlegen?',
    fields: { p_title: { title: 'Titel' }, urgent: { title: 'Eilt' } },
  }
  const words = (said: object, language = 'de') =>
    `'public.create_ticket', confirm => 'Open "{p_title}"?', words => '${JSON.stringify({ [language]: said })}'`
  const load = async (language: string) => {
    const [row] = await db.service`select load_words(${language}) as words`
    return row?.words as { tools: Record<string, object> }
  }

  test('are read by those who have this language, or the one that it is a variant of', async () => {
    await offer(words(german))
    expect((await load('de')).tools.create_ticket).toEqual(german)
    expect((await load('de-AT')).tools.create_ticket).toEqual(german)
    expect((await load('fr')).tools).not.toHaveProperty('create_ticket')
    expect(await db.call('load_catalogue')).not.toHaveProperty('tools.0.words')
  })

  test('stay when the function is offered again, also by an operator', async () => {
    await offer(words(german))
    await db.service`select * from askback.offer_functions_again()`
    expect((await load('de')).tools.create_ticket).toEqual(german)
  })

  test('are left out of a language that lacks a text, until it has it', async () => {
    const { confirm, ...some } = german
    await offer(words(some))
    expect((await load('de')).tools).not.toHaveProperty('create_ticket')
    await offer(words({ ...some, confirm }))
    expect((await load('de')).tools.create_ticket).toEqual(german)
    const { urgent: _, ...fields } = german.fields
    await offer(words({ ...german, fields }))
    expect((await load('de')).tools).not.toHaveProperty('create_ticket')
  })

  test('say what a language lacks', async () => {
    const { specification } = await offer(words(german))
    const lacking = async (said: object) => {
      const [row] = await database.sql`
        select ${database.sql.unsafe('askback_private.missing_words')}(${specification as never}::jsonb, ${said as never}::jsonb) as missing`
      return row?.missing
    }
    expect(await lacking(german)).toEqual([])
    expect(await lacking({ fields: { urgent: {} } })).toEqual([
      'confirm',
      'title',
      'fields.p_title.title',
      'fields.urgent.title',
    ])
  })

  const of = 'public.create_ticket(text,boolean)'
  test.each([
    [
      'no object',
      `'public.create_ticket', words => '[]'`,
      'The words must be an object with a language each, like {"de": {"title": …}}.',
    ],
    [
      'a language that is none',
      words(german, 'deutsch!'),
      `'deutsch!' is no language. Name it by its BCP 47 tag, like de or pt-BR.`,
    ],
    ['English', words(german, 'en'), 'English is what the tool says without other words. Leave out en.'],
    [
      'an argument that it does not have',
      words({ ...german, fields: { titel: { title: 'Titel' } } }),
      `The words in 'de' name 'titel', which is not an argument of ${of}.`,
    ],
    [
      'a template that names no argument',
      words({ ...german, confirm: 'Das Ticket {titel} anlegen?' }),
      `The confirm in 'de' names {titel}, which is not an argument of ${of}.`,
    ],
    [
      'a template that cannot be read',
      words({ ...german, confirm: 'Das Ticket {p_title anlegen?' }),
      `The confirm in 'de' has a { or } without its other half.`,
    ],
    ['a text that is none', words({ ...german, title: '' }), `The title in 'de' must be a text.`],
    [
      'a member that there is not',
      words({ ...german, question: 'Wie?' }),
      `The words in 'de' have 'question'. They can have title, fields, confirm, summary, button and past.`,
    ],
    [
      'a field that is no object of texts',
      words({ ...german, fields: { urgent: 'Eilt' } }),
      `The words in 'de' for 'urgent' can be the texts title, short, question, hint and unfit, and choices: {"value": "text"}.`,
    ],
  ])('are refused with %s', async (_, call, reason) => {
    expect(await refusal(call)).toBe(reason)
  })
})

describe('the schema of an argument', () => {
  beforeAll(() =>
    run(`
      create type public.priority as enum ('low', 'normal', 'high');
      create domain public.title as text check (length(value) between 3 and 80);
      create domain public.stars as integer check (value >= 1 and value <= 5);
      create domain public.price as numeric(10, 2) check (value > 0.5 and value < 1000);
      create domain public.below as integer check (value > -5);
      create domain public.size as text check (value in ('S', 'M', 'it''s L'));
      create domain public.code as varchar(8) check (value ~ '^[A-Z]{3}[0-9]+$');
      create domain public.special as text check (value ~ '^[[:alpha:]]+$');
      create domain public.either as integer check (value = 1 or value > 5);
      create domain public.distance as integer check (abs(value) < 5);
      create domain public.wide as public.stars check (value <> 3);
      comment on domain public.code is 'Three letters and a number.';
      create type public.place as (street text, stars public.stars);
      comment on column public.place.street is 'With the number.';
    `),
  )

  test.each([
    ['text', { type: 'string' }],
    ['integer', { type: 'integer' }],
    ['bigint', { type: ['integer', 'string'], format: 'int64' }],
    ['numeric', { type: ['number', 'string'], format: 'decimal' }],
    ['double precision', { type: 'number' }],
    ['boolean', { type: 'boolean' }],
    ['uuid', { type: 'string', format: 'uuid' }],
    ['date', { type: 'string', format: 'date' }],
    ['timestamptz', { type: 'string', format: 'date-time' }],
    [
      'interval',
      { type: 'string', hint: 'Please provide a length of time like 2 hours.', examples: ['2 hours'] },
    ],
    ['jsonb', { json: true }],
    ['text[]', { type: 'array', items: { type: 'string' }, anyDepth: true }],
    ['integer[][]', { type: 'array', items: { type: 'integer' }, anyDepth: true }],
    ['priority', { type: 'string', enum: ['low', 'normal', 'high'] }],
    [
      'priority[]',
      { type: 'array', items: { type: 'string', enum: ['low', 'normal', 'high'] }, anyDepth: true },
    ],
    ['title', { type: 'string', minLength: 3, maxLength: 80 }],
    ['stars', { type: 'integer', minimum: 1, maximum: 5 }],
    [
      'price',
      { type: ['number', 'string'], format: 'decimal', exclusiveMinimum: 0.5, exclusiveMaximum: 1000 },
    ],
    ['below', { type: 'integer', exclusiveMinimum: -5 }],
    ['size', { type: 'string', enum: ['S', 'M', "it's L"] }],
    [
      'code',
      {
        type: 'string',
        maxLength: 8,
        pattern: '^[A-Z]{3}[0-9]+$',
        description: 'Three letters and a number.',
      },
    ],
    ['special', { type: 'string' }],
    ['either', { type: 'integer' }],
    ['distance', { type: 'integer' }],
    ['wide', { type: 'integer', minimum: 1, maximum: 5 }],
    [
      'place',
      {
        type: 'object',
        properties: {
          street: { type: 'string', description: 'With the number.' },
          stars: { type: 'integer', minimum: 1, maximum: 5 },
        },
        additionalProperties: false,
      },
    ],
  ])('of the type %s', async (type, schema) => {
    await run(`create or replace function public.typed(value ${type}) returns void language sql as $$ $$`)
    const { specification } = await offer(`'typed'`)
    expect(specification.parameters.properties.value).toEqual(schema)
    await run('drop function public.typed')
  })

  test('never refuses what the check of a domain accepts', async () => {
    const values = [
      '',
      'a',
      'ab',
      'abc',
      'A1',
      'low',
      "it's",
      ' x ',
      'é',
      'a\nb',
      ' AND ',
      '12',
      'x'.repeat(9),
    ]
    const numbers = [-5, -1, 0, 0.5, 1, 2, 3, 5, 7, 1000]
    const leaves = {
      text: [
        'length(value) > 1',
        'length(value) < 4',
        'char_length(value) = 3',
        'length(trim(value)) > 0',
        `value <> ''`,
        `value = 'low'`,
        `value in ('low', 'abc', 'it''s', ' AND ')`,
        `value ~ '^[a-z]+$'`,
        `value ~ '^[A-Z]\\d$'`,
        `value ~ '^.{3}$'`,
        `value ~ '^\\w+$'`,
        `value ~ '[[:alpha:]]'`,
        `value ~* '^A'`,
        `value !~ 'x'`,
        `value like 'a%'`,
        `upper(value) = 'ABC'`,
        `value > 'a'`,
        `value > '1'`,
        `value similar to 'a(b|c)'`,
        'coalesce(length(value) > 2, false)',
        `value ~ 't''s'`,
        `value::varchar in ('a', 'ab')`,
        `value ~ '^[^.]*$'`,
        `value = any (array['a', 'é']) is true`,
      ],
      numeric: [
        'value > 1',
        'value >= 0.5',
        'value < -1',
        'value > -1.5',
        'value <= 5',
        'value = 2',
        'value <> 2',
        'value in (1, 2, 3.5)',
        'value in (-1, -5)',
        'abs(value) < 3',
        'value between 0 and 5',
        '(value > 1) = false',
        '(value > 1) <> (value < 3)',
        '(value < 3) is not true',
        '-value < 3',
        'value * 2 > 3',
        '2 < value',
        'value % 2 = 1',
        'value is not null',
        'value::integer > 1',
        'coalesce(value > 3, true)',
      ],
    }
    let seed = 7
    const pick = <T>(list: readonly T[]): T => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return list[(seed >> 8) % list.length] as T
    }
    let told = 0
    for (const [type, conditions] of Object.entries(leaves)) {
      const grow = (depth: number): string => {
        const kind = depth > 1 ? 'leaf' : pick(['leaf', 'and', 'and', 'or', 'not', 'case'])
        if (kind === 'leaf') return pick(conditions)
        if (kind === 'not') return `not (${grow(depth + 1)})`
        if (kind === 'case') return `case when ${grow(depth + 1)} then true else ${grow(depth + 1)} end`
        return `(${grow(depth + 1)}) ${kind} (${grow(depth + 1)})`
      }
      for (const condition of [...conditions, ...Array.from({ length: 60 }, () => grow(0))]) {
        await run(`create domain public.tried as ${type} check (${condition})`)
        const [row] = await run(`select askback_private.type_schema('public.tried'::regtype) as schema`)
        const { isValid } = compileSchema(row?.schema)
        if (Object.keys(row?.schema).length > 1) told++
        for (const value of type === 'text' ? values : numbers) {
          const isAccepted = await database.sql
            .unsafe(`select $1::text::${type}::public.tried`, [String(value)])
            .then(
              () => true,
              () => false,
            )
          const said = `${condition}: ${JSON.stringify(value)} against ${JSON.stringify(row?.schema)}`
          if (isAccepted) expect(isValid(value), said).toBe(true)
        }
        await run('drop domain public.tried')
      }
    }
    expect(told).toBeGreaterThan(30)
  })

  test('keeps the order of the arguments, and defaults that are plain values', async () => {
    await run(`create function public.many(
      zebra text, b integer default 5, a text default 'it''s', d date default now(), t text[] default '{}',
      n text default null, out result text, x numeric default 0.5
    ) language sql as $$ select '' $$`)
    const { parameters } = (await offer(`'many'`)).specification
    expect(Object.keys(parameters.properties)).toEqual(['zebra', 'b', 'a', 'd', 't', 'n', 'x'])
    expect(parameters.required).toEqual(['zebra'])
    const defaults = Object.values(parameters.properties).map((one) => (one as { default?: unknown }).default)
    expect(defaults).toEqual([undefined, 5, "it's", undefined, undefined, undefined, 0.5])
  })
})

describe('an offer is refused', () => {
  beforeAll(() =>
    run(`
      create function public.as_owner() returns void language sql security definer as $$ $$;
      create function public.twice(a text) returns void language sql as $$ $$;
      create function public.twice(a integer) returns void language sql as $$ $$;
      create function public.unnamed(text) returns void language sql as $$ $$;
      create function api.hidden() returns void language sql as $$ $$;
      create function public.not_granted() returns void language sql as $$ $$;
      revoke execute on function public.not_granted from public;
      create function public.anything(value anyelement) returns void language sql as $$ $$;
      create function public.rows_of_what() returns setof record language sql as $$ select 1 $$;
      create function public.on_change() returns trigger language plpgsql as $$ begin return new; end $$;
      create procedure public.proceed() language sql as $$ $$;
      create aggregate public.total(integer) (sfunc = int4pl, stype = integer);
      create function public."wie heißt"() returns void language sql as $$ $$;
      create function public.smtp_send_email(subject text) returns void language sql as $$ $$;
      create function public.commented(title text) returns void language sql as $$ $$;
      comment on function public.commented is '@param titel What it is about.';
    `),
  )

  test.each([
    [
      'as_owner',
      /^public\.as_owner is security definer: it runs with the rights of its owner.*allow_definer => true\.$/,
    ],
    ['twice', /^public\.twice is overloaded/],
    ['unnamed', /^Argument 1 of public\.unnamed has no name/],
    [
      'api.hidden',
      /^The schema api is not exposed by the data API \(public\).*insert into askback\.exposed_schemas values \('api'\)\.$/,
    ],
    ['pg_catalog.pg_sleep', /^The schema pg_catalog is not exposed/],
    ['askback.list_agents', /^The schema askback is not exposed/],
    [
      'not_granted',
      /^Signed-in users may not execute public\.not_granted: grant execute on function public\.not_granted\(\) to authenticated\.$/,
    ],
    ['anything', /^Argument value of public\.anything has the type anyelement/],
    ['rows_of_what', /^public\.rows_of_what returns record/],
    ['on_change', /^public\.on_change is a trigger function/],
    ['proceed', /^public\.proceed is a procedure, not a plain function/],
    ['total', /^public\.total is an aggregate, not a plain function/],
    ['"wie heißt"', /^public\."wie heißt" is not a valid name for a tool/],
    ['smtp_send_email', /^There is already a tool smtp_send_email\. Rename the function/],
    ['commented', /^The comment of .*commented.* describes titel, which is not one of its arguments\.$/],
    ['nowhere', /^There is no function nowhere\. Give its name with the schema/],
    ['public.list_tickets(integer)', /^There is no function public\.list_tickets\(integer\)/],
  ])('%s', async (name, reason) => {
    expect(await refusal(`'${name}'`)).toMatch(reason)
  })

  test('when it says what cannot be', async () => {
    expect(await refusal(`'list_tickets', effect => 'both'`)).toBe(
      "The effect must be read or write, not 'both'.",
    )
    expect(await refusal(`'list_tickets', approval => 'ask'`)).toBe(
      "The approval must be always or never, not 'ask'.",
    )
    expect(await refusal(`'create_ticket', confirm => 'Open {title}?'`)).toMatch(
      /^The confirmation names \{title\}/,
    )
  })

  test('but not when the operator says that it may run as its owner, or exposes the schema', async () => {
    expect(await refusal(`'as_owner', allow_definer => true`)).toBeUndefined()
    await db.service`insert into exposed_schemas values ('api')`
    expect(await refusal(`'api.hidden'`)).toBeUndefined()
    expect(await refusal(`'hidden'`)).toBeUndefined()
    await run(`create function api.list_tickets() returns void language sql as $$ $$`)
    expect(await refusal(`'list_tickets'`)).toMatch(/^Several schemas have a function list_tickets/)
    expect(await refusal(`'api.list_tickets'`)).toMatch(/^There is already a tool list_tickets/)
    await run(`drop function api.list_tickets()`)
    await expect(db.service`insert into exposed_schemas values ('askback')`).rejects.toThrow(/check/)
  })

  test.each(['anon', 'authenticated'] as const)(
    'to %s, who can neither offer nor call past it',
    async (role) => {
      const sql = connectAs(database.url, role, await db.createUser())
      for (const statement of [
        `select askback.offer_function('list_tickets')`,
        `select askback.offer_function('public.list_tickets()'::regprocedure)`,
        `select askback.withdraw_function('list_tickets')`,
        `select askback.offer_functions_again()`,
        `select askback.call_offered_function('${await db.createUser()}', 'list_tickets', '{}')`,
        `select askback.load_offered_function('list_tickets')`,
        `select askback_private.user_claims('${await db.createUser()}')`,
        `select askback.describe_constraint('list_tickets', 'x')`,
        `insert into askback.exposed_schemas values ('private')`,
        `select * from askback.offered_functions`,
        `update askback.tools set source = 'application'`,
      ]) {
        await expect(sql.unsafe(statement), statement).rejects.toMatchObject({ code: '42501' })
      }
      await sql.end()
    },
  )
})

describe('a function that is not as it was', () => {
  const problem = async () => (await db.call('load_offered_function', 'moving'))?.problem

  beforeAll(async () => {
    await run(`create function public.moving(a text) returns text language sql as $$ select a $$`)
    await offer(`'moving', title => 'Move', approval => 'never', trusted_output => array['[*].a']`)
  })

  test('is called as long as the same calls fit', async () => {
    await run(
      `create or replace function public.moving(a text) returns text language sql stable as $$ select upper(a) $$`,
    )
    expect(await problem()).toBeNull()
  })

  test('is not called after its arguments or its rights have changed, or it is gone', async () => {
    await run(`create function public.moving(a integer) returns text language sql as $$ select '' $$`)
    expect(await problem()).toBe('refused')
    await run(`drop function public.moving(text)`)
    expect(await problem()).toBe('changed')
    await expect(db.call('call_offered_function', await db.createUser(), 'moving', { a: 1 })).rejects.toThrow(
      /cannot be called/,
    )
    await run(`drop function public.moving(integer)`)
    expect(await problem()).toBe('gone')
    await run(
      `create function public.moving(a text) returns text language sql security definer as $$ select a $$`,
    )
    expect(await problem()).toBe('refused')
  })

  test('is offered again as it was offered, and what cannot be is said', async () => {
    await run(`alter function public.moving security invoker;
      create or replace function public.moving(a text, b text default '') returns text language sql as $$ select a $$;
      drop function public.moving(text); drop function public.as_owner()`)
    const answers = await db.service`select * from offer_functions_again()`
    expect(answers).toContainEqual({ function: 'public.moving', refused: null })
    expect(answers).toContainEqual({
      function: 'public.as_owner',
      refused: expect.stringMatching(/^There is no function public\.as_owner/),
    })
    expect(await problem()).toBeNull()
    const [tool] = await db.service`select specification, approval from tools where name = 'moving'`
    expect(tool).toMatchObject({
      approval: 'never',
      specification: { title: 'Move', trustedOutput: ['[*].a'] },
    })
    expect(Object.keys(tool?.specification.parameters.properties)).toEqual(['a', 'b'])
  })

  test('is withdrawn with its tool, also when it is gone', async () => {
    await run('drop function public.moving')
    expect(await db.call('withdraw_function', 'public.moving')).toBe(true)
    expect(await db.call('withdraw_function', 'public.moving')).toBe(false)
    expect(await db.call('withdraw_function', 'smtp_send_email')).toBe(false)
    expect(await db.call('load_offered_function', 'moving')).toBeNull()
    const [row] =
      await db.service`select withdraw_function('public.list_tickets()'::regprocedure) as withdrawn`
    expect(row?.withdrawn).toBe(true)
    const names =
      await db.service`select name from tools where name in ('moving', 'list_tickets', 'smtp_send_email')`
    expect(names).toEqual([{ name: 'smtp_send_email' }])
  })
})

describe('a call in the name of a user', () => {
  let user: string
  const call = (tool: string, args: object = {}, ...claims: object[]) =>
    db.call('call_offered_function', user, tool, args, ...claims)

  beforeAll(async () => {
    user = await db.createUser({ email: 'ada@example.com', name: 'Ada' })
    await run(`
      create table public.notes (id integer, owner uuid default auth.uid());
      alter table public.notes enable row level security;
      create policy own on public.notes to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
      grant all on public.notes to authenticated;
      insert into public.notes values (1, gen_random_uuid());
      create function public.whoami() returns json language sql stable as $$ select json_build_object(
        'role', current_user, 'id', auth.uid(), 'claims', auth.jwt(), 'read_only', current_setting('transaction_read_only'),
        'path', current_setting('search_path')) $$;
      create function public.add_note(id integer) returns setof notes language sql as
        $$ insert into notes (id) values (id) returning * $$;
      create function public.list_notes() returns setof notes language sql as $$ select * from notes $$;
      create function public.sneak() returns setof notes language sql stable as $$ select * from public.add_note(66) $$;
    `)
    for (const name of ['whoami', 'add_note', 'sneak']) await offer(`'${name}'`)
    await offer(`'list_notes', effect => 'read'`)
  })

  test('has the role and the claims of the user, and the schema of the function first', async () => {
    expect(await call('whoami')).toMatchObject({
      role: 'authenticated',
      id: user,
      read_only: 'on',
      path: 'public, public, extensions',
      claims: {
        sub: user,
        role: 'authenticated',
        email: 'ada@example.com',
        user_metadata: { full_name: 'Ada' },
      },
    })
  })

  test('has the claims of the token where there is one, and of this user alone', async () => {
    const claims = { sub: user, role: 'authenticated', app_metadata: { plan: 'pro' } }
    expect((await call('whoami', {}, claims)).claims).toEqual(claims)
    for (const others of [
      { ...claims, sub: await db.createUser() },
      { ...claims, role: 'service_role' },
      { sub: user },
    ]) {
      await expect(call('whoami', {}, others)).rejects.toThrow('There is no such user.')
    }
  })

  test('sees and writes what row level security lets it, and leaves no role behind', async () => {
    expect(await call('add_note', { id: 2 })).toEqual([{ id: 2, owner: user }])
    expect(await call('list_notes')).toEqual([{ id: 2, owner: user }])
    const [row] = await db.service.begin(async (sql) => {
      await sql`select askback.call_offered_function(${user}, 'whoami', '{}')`
      return sql`select current_user as role`
    })
    expect(row?.role).toBe('service_role')
  })

  test('only reads when it was offered as a read, volatile or not', async () => {
    await expect(call('sneak')).rejects.toMatchObject({ code: '25006' })
    await run(
      `create or replace function public.list_notes() returns setof notes language sql as $$ select * from public.add_note(67) $$`,
    )
    await expect(call('list_notes')).rejects.toMatchObject({ code: '25006' })
    expect(await run('select id from public.notes order by id')).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('is of an existing user who is not banned, and of an offered function', async () => {
    await expect(call('pg_sleep', { '': 1 })).rejects.toThrow(/cannot be called/)
    await expect(call('create_unoffered')).rejects.toThrow(/cannot be called/)
    await expect(
      db.call('call_offered_function', '00000000-0000-0000-0000-000000000000', 'whoami', {}),
    ).rejects.toThrow('There is no such user.')
    await run(`update auth.users set banned_until = now() + interval '1 hour' where id = '${user}'`)
    await expect(call('whoami')).rejects.toThrow('There is no such user.')
    await run(`update auth.users set banned_until = null where id = '${user}'`)
  })

  test('takes names of arguments as data', async () => {
    const hostile = `id => 1); drop table public.notes; --`
    await expect(call('add_note', { id: 3, [hostile]: 1 })).resolves.toEqual([{ id: 3, owner: user }])
  })
})

test('the catalogue takes over a name that it needs, and leaves other functions alone', async () => {
  await run(`create function public.later() returns void language sql as $$ $$`)
  await offer(`'later'`)
  await run(`insert into askback.tools (name, source, function, action, specification) values
    ('later', 'askback', 'x-api', 'later', '{"name":"later","effect":"read"}')
    on conflict (name) do update set source = excluded.source, function = excluded.function, specification = excluded.specification`)
  expect(await db.call('load_offered_function', 'later')).toBeNull()
  expect(await refusal(`'later'`)).toMatch(/^There is already a tool later/)
})
