import { expect, test } from 'vitest'
import {
  nameArguments,
  writeArguments,
  writeNames,
  writeStatement,
} from '../../../local/data-api/rpc-arguments.ts'

const introspection = nameArguments({
  functions: [
    { schema: 'public', name: 'f', arg_names: ['userId', 'tags'], arg_types: ['integer', 'text[]'] },
    { schema: 'public', name: 'v', arg_names: ['rest'], arg_types: ['"Colour"[]'], has_variadic: true },
    { schema: 'public', name: 'twice', arg_names: ['myId'], arg_types: ['text[]'] },
    { schema: 'public', name: 'twice', arg_names: ['myId'], arg_types: ['integer[]'] },
    { schema: 'public', name: 'one', arg_names: [], arg_types: ['jsonb'] },
  ],
} as unknown as Parameters<typeof nameArguments>[0])

/** The arguments as they are written into a statement, and the values of its parameters. */
function write(name: string, args: object, cast = '') {
  const given = writeArguments({ function: name, args }, introspection) as Record<string, unknown>
  const tokens = Object.keys(given).map((token, index) => `${token} := $${index + 1}${cast}`)
  return [writeStatement(`select ${name}(${tokens.join(', ')}) as x`), ...Object.values(given)]
}

test('a plain value is passed as it is, under its name', () => {
  expect(write('f', { userId: 5 }, '::integer')).toEqual(['select f("userId" := $1::integer) as x', '5'])
})

test('PostgreSQL reads any other from JSON', () => {
  expect(write('f', { tags: ['a,b', null] }, '::text[]')).toEqual([
    'select f("tags" := (select value from json_to_record($1::json) as _(value text[]))) as x',
    '{"value":["a,b",null]}',
  ])
  expect(write('v', { rest: ['red'] })).toEqual([
    'select v(VARIADIC "rest" := (select value from json_to_record($1::json) as _(value "Colour"[]))) as x',
    '{"value":["red"]}',
  ])
})

test('of functions with one name the value is left alone', () => {
  expect(write('twice', { myId: ['x'] })).toEqual(['select twice("myId" := $1) as x', ['x']])
})

test('what is not declared is left alone', () => {
  expect(writeArguments({ function: 'f', args: { other: [1] } }, introspection)).toEqual({ other: [1] })
  expect(writeArguments({ function: 'f', args: [1] }, introspection)).toEqual([1])
  expect(introspection.functions?.at(-1)?.arg_names).toEqual([])
})

test('nobody reads a token', () => {
  const [names] = introspection.functions?.map(({ arg_names }) => arg_names) ?? []
  expect(writeNames(`No function f(${names?.join(', ')}).`)).toBe('No function f(userId, tags).')
})
