import { beforeAll, describe, expect, test } from 'vitest'
import { functionCases } from '../../../support/function-cases.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()

/** Statements of the team, as whoever owns the database. */
const run = (statements: string) => database.sql.unsafe(statements)

let user: string
beforeAll(async () => {
  user = await db.createUser()
})

const parametersOf = async (name: string) => {
  await db.service.unsafe(`select askback.offer_function('public.${name}')`)
  const [tool] =
    await db.service`select specification -> 'parameters' as parameters from tools where name = ${name}`
  return tool?.parameters as { properties: Record<string, { default?: unknown }>; required: string[] }
}

describe('a call for a user takes what a call of the data API takes', () => {
  test.each(functionCases)('$name', async ({ sql: statements, call: [name, args], answers }) => {
    await run(statements)
    const { properties } = await parametersOf(name)
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(args)))
    const called = db.call('call_offered_function', user, name, args)
    if (typeof answers === 'object') await expect(called).rejects.toMatchObject(answers as object)
    else expect(await called).toBe(answers)
  })
})

describe('a default is told as a value of its type', () => {
  test.each([
    ['integer', '-1', -1],
    ['smallint', '5', 5],
    ['numeric', '-0.50', -0.5],
    ['numeric', `'NaN'`, undefined],
    ['double precision', '1.5', 1.5],
    ['integer', '2 + 3', undefined],
    ['boolean', 'false', false],
    ['text', `'-1'`, '-1'],
    ['text', `'it''s'`, "it's"],
    ['text', `''`, ''],
    ['varchar', `'a::b'`, 'a::b'],
    ['date', `'2026-01-31'`, '2026-01-31'],
    ['date', 'current_date - 1', undefined],
    ['public.least', '-3', -3],
    ['public.named', `'x'`, 'x'],
    ['text[]', `'{}'`, undefined],
    ['jsonb', `'{}'`, undefined],
    ['text', 'null', undefined],
  ])('%s default %s', async (type, written, told) => {
    await run(`drop function if exists public.defaulted;
      drop domain if exists public.least; create domain public.least as integer check (value > -5);
      drop domain if exists public.named; create domain public.named as text;
      create function public.defaulted(value ${type} default ${written}) returns void language sql as $$ $$`)
    const { properties, required } = await parametersOf('defaulted')
    expect(properties.value?.default).toEqual(told)
    expect(required).toEqual([])
  })
})

describe('a message is known as the words of the application', () => {
  beforeAll(() =>
    run(`
      create function public.refuse(n integer) returns void language plpgsql as $f$ begin
        if n = 1 then raise exception 'only mondays are possible' using errcode = '22023'; end if;
        if n = 2 then raise exception 'Room % is taken until %', n, now() using errcode = 'unique_violation'; end if;
        if n = 3 then raise no_data_found using message = format('no ticket %s', n); end if;
        if n = 4 then raise exception using message = 'it''s closed: ' || n, errcode = '23514'; end if;
        if sqlerrm like 'duplicate key%' then null; end if;
      end $f$;
      create function public.words() returns text language sql as $f$ select 'division by zero' $f$;
    `),
  )

  test.each([
    ['only mondays are possible', true],
    ['Room 7 is taken until 2026-11-28 10:00', true],
    ['no ticket 12', true],
    ["it's closed: 9", true],
    ['There is no such user.', false],
    ['division by zero', null],
    ['duplicate key value violates unique constraint "tickets_pkey"', null],
    ['is taken until', null],
    ['', null],
  ])('%s', async (message, raised) => {
    expect(await db.call('find_raise', message)).toEqual({ raised, english: true })
  })
})
