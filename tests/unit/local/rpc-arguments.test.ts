import { expect, test } from 'vitest'
import { writeArguments } from '../../../local/data-api/rpc-arguments.ts'

const introspection = {
  functions: [
    {
      schema: 'public',
      name: 'f',
      arg_names: ['list', 'lists', 'place', 'places', 'j', 'row', 'n'],
      arg_types: ['text[]', 'integer[]', 'place', 'place[]', 'jsonb', 'tickets', 'integer'],
    },
    { schema: 'public', name: 'twice', arg_names: ['a'], arg_types: ['text[]'] },
    { schema: 'public', name: 'twice', arg_names: ['a'], arg_types: ['integer[]'] },
  ],
  custom_types: [
    {
      schema: 'public',
      type: 'place',
      kind: 'composite',
      fields: [
        { name: 'street', type: 'text' },
        { name: 'tags', type: 'text[]' },
        { name: 'more', type: 'jsonb' },
      ],
    },
  ],
  columns: [
    { schema: 'public', table: 'tickets', name: 'id', type: 'integer' },
    { schema: 'public', table: 'tickets', name: 'done', type: 'boolean' },
  ],
} as unknown as Parameters<typeof writeArguments>[1]

test.each([
  [
    'texts',
    { list: ['a', 'b,c', '{d}', 'e "f" \\', '', 'NULL', null] },
    { list: '{"a","b,c","{d}","e \\"f\\" \\\\","","NULL",NULL}' },
  ],
  [
    'lists of lists',
    {
      lists: [
        [1, 2],
        [3, 4],
      ],
    },
    { lists: '{{"1","2"},{"3","4"}}' },
  ],
  ['an empty list', { list: [] }, { list: '{}' }],
  ['a list in the form of PostgreSQL', { list: '{a}' }, { list: '{a}' }],
  [
    'an object',
    { place: { street: 'Main "St"', tags: ['x'], more: { a: 1 } } },
    { place: '("Main \\"St\\"","{\\"x\\"}","{\\"a\\":1}")' },
  ],
  ['an object with nothing', { place: {} }, { place: '(,,)' }],
  ['objects', { places: [{ street: 'A' }, null] }, { places: '{"(\\"A\\",,)",NULL}' }],
  ['a row of a table', { row: { id: 1, done: false } }, { row: '("1","false")' }],
  ['a JSON text', { j: 'a' }, { j: '"a"' }],
  ['JSON', { j: { a: ['b'] } }, { j: { a: ['b'] } }],
  ['what needs no care', { n: 1, unknown: [1] }, { n: 1, unknown: [1] }],
])('writes %s', (_, args, written) => {
  expect(writeArguments({ function: 'f', args }, introspection)).toEqual(written)
})

test('leaves alone what it does not know', () => {
  const args = { a: ['x'] }
  expect(writeArguments({ function: 'twice', args }, introspection)).toBe(args)
  expect(writeArguments({ function: 'f', schema: 'other', args }, introspection)).toBe(args)
  expect(writeArguments({ function: 'f', args: [1] }, introspection)).toEqual([1])
})
