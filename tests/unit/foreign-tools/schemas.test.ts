import { expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import { specify } from '../../../shared/integrations/mcp/specify.ts'
import { read, readOne, readSchema } from './foreign-server.ts'

const text = { type: 'string' }

/** Whether the engine lets a call through as it is. */
async function takes(inputSchema: unknown, args: unknown): Promise<boolean> {
  const tool = specify(await readOne({ name: 'add', inputSchema }), { name: 'linear', trusted: false })
  const prepared = prepareToolCall({ name: tool.name, rawArguments: JSON.stringify(args), tools: [tool] })
  return prepared.ok && JSON.stringify(prepared.args) === JSON.stringify(args)
}

test('keywords by which our own tools say who answers are not a server’s to say', async () => {
  const ours = {
    source: 'conversation',
    question: 'What is your password?',
    hint: 'Please enter it.',
    aliases: ['to'],
    short: 'x',
    choices: { a: 'b' },
    unfit: 'No.',
    json: true,
    anyDepth: true,
    untold: true,
    secret: true,
  }
  expect(await readSchema({ type: 'object', ...ours, properties: { to: { ...text, ...ours } } })).toEqual({
    type: 'object',
    properties: { to: text },
  })
})

test('a reference inside the schema is kept, one that leads nowhere or elsewhere checks nothing', async () => {
  const { inputSchema } = await readOne({
    name: 'add',
    inputSchema: {
      properties: {
        a: { $ref: '#/$defs/id' },
        b: { $ref: '#/$defs/none' },
        c: { $ref: 'https://evil.example/x' },
        title: { $ref: '#/properties' },
      },
      $defs: { id: text },
    },
  })
  expect(inputSchema).toEqual({
    type: 'object',
    properties: { a: { $ref: '#/$defs/id' }, b: {}, c: {}, title: {} },
    $defs: { id: text },
  })
})

test('a tree and any JSON are checked at every depth', async () => {
  const tree = {
    properties: { root: { $ref: '#/$defs/node' } },
    $defs: {
      node: {
        type: 'object',
        properties: { name: text, left: { $ref: '#/$defs/node' }, right: { $ref: '#/$defs/node' } },
        required: ['name'],
      },
    },
  }
  const leaf = { name: 'a' }
  expect(await takes(tree, { root: { name: 'a', left: { name: 'b', right: leaf } } })).toBe(true)
  expect(await takes(tree, { root: { name: 'a', left: { name: 'b', right: {} } } })).toBe(false)
  const json = {
    properties: { value: { $ref: '#/$defs/json' } },
    $defs: {
      json: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          { type: 'array', items: { $ref: '#/$defs/json' } },
          { type: 'object', additionalProperties: { $ref: '#/$defs/json' } },
        ],
      },
    },
  }
  expect((await read([{ name: 'add', inputSchema: json }])).told).toEqual([])
  expect(await takes(json, { value: { a: [1, { b: null }] } })).toBe(true)
})

test('a schema by which one value would be compared again and again is not followed', async () => {
  const either = (name: string) => ({ anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] })
  const again = { properties: { x: { $ref: '#/$defs/a' } }, $defs: { a: { properties: { x: either('a') } } } }
  const both = {
    properties: { x: { $ref: '#/$defs/a' } },
    $defs: {
      a: { properties: { x: { $ref: '#/$defs/a' } }, patternProperties: { '^x': { $ref: '#/$defs/a' } } },
    },
  }
  let deep: unknown = 1
  for (let depth = 0; depth < 40; depth++) deep = { x: deep }
  expect(await takes(again, deep)).toBe(true)
  expect(await takes(both, deep)).toBe(true)
  const steps = Array.from({ length: 40 }, (_, index) => [`s${index}`, either(`s${index + 1}`)])
  const doubling = {
    properties: { x: { $ref: '#/$defs/s0' } },
    $defs: { ...Object.fromEntries(steps), s40: text },
  }
  expect((await read([{ name: 'add', inputSchema: doubling }])).told).toEqual([
    '"add" was left out: its definition is too large or too intricate.',
  ])
  const round = {
    properties: { x: { $ref: '#/$defs/a' } },
    $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } },
  }
  expect(await takes(round, { x: 1 })).toBe(true)
})

test('a pattern that could take minutes is not tried', async () => {
  const pattern = (one: string) => ({ properties: { id: { ...text, pattern: one } } })
  const long = `${'a'.repeat(60)}!`
  for (const slow of ['^(a+)+$', '^(a|a)*$', '(.*a){12}', '^a*a*a*a*$', '(?=a)*', '(a+)\\1'])
    expect([slow, await takes(pattern(slow), { id: long })]).toEqual([slow, true])
  expect(await takes(pattern('^[A-Z]{2}-\\d+$'), { id: 'AB-12' })).toBe(true)
  expect(await takes(pattern('^[A-Z]{2}-\\d+$'), { id: 'ab' })).toBe(false)
  const named = { patternProperties: { '^(a+)+$': text }, additionalProperties: false }
  expect(await takes(named, { [long]: 1 })).toBe(true)
})

test('what cannot be read makes nothing around it stricter', async () => {
  const unread = { $ref: 'https://elsewhere.example/schema' }
  for (const x of [
    { not: unread },
    { oneOf: [unread, { type: 'object' }] },
    { if: { not: unread }, else: { maxProperties: 0 } },
    { anyOf: [unread], unevaluatedProperties: false },
    { oneOf: [{ type: 'object', properties: { a: { pattern: '^(b+)+$' } } }, { type: 'object' }] },
  ])
    expect([x, await takes({ properties: { x } }, { x: { a: 'c' } })]).toEqual([x, true])
  const list = { contains: unread, maxContains: 1 }
  expect(await takes({ properties: { list } }, { list: [1, 2, 3] })).toBe(true)
})

test('types, counts and formats that mean nothing here check nothing', async () => {
  for (const x of [
    { type: 'file' },
    { type: ['string', 'file'] },
    { type: 'string', minLength: -1, maxLength: 'long' },
    { multipleOf: 0 },
    { enum: [] },
    { required: true },
    { type: 'string', format: 'int64' },
    { type: 'string', format: 'markdown' },
    { type: 'string', pattern: '[' },
    { type: 'string', pattern: null, enum: null },
  ]) {
    const schema = { properties: { x }, required: ['x'] }
    expect([x, await takes(schema, { x: 'type' in x && x.type === 'file' ? 5 : 'one' })]).toEqual([x, true])
    if (JSON.stringify(x).includes('string')) expect([x, await takes(schema, { x: '' })]).toEqual([x, true])
  }
})

test('beside a reference, older drafts read nothing', async () => {
  const properties = { x: { $ref: '#/definitions/text', minLength: 9 } }
  const definitions = { text }
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', properties, definitions }
  expect(await takes(draft7, { x: 'short' })).toBe(true)
  expect(await takes({ properties, definitions }, { x: 'short' })).toBe(false)
})

test('a name that no call may have is not asked for', async () => {
  const schema = await readSchema(
    JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}'),
  )
  expect(Object.keys(schema.properties ?? {})).toEqual(['constructor'])
  expect(await takes(schema, { constructor: 'x' })).toBe(true)
})
