import { describe, expect, test } from 'vitest'
import { compareDefinitions } from '../../../shared/integrations/mcp/compare-definitions.ts'
import { definitionHash } from '../../../shared/integrations/mcp/foreign-tool.ts'
import { inEnglish } from '../../../shared/words/languages/in-english.ts'
import { listed, read, readOne } from './foreign-server.ts'

const text = { type: 'string' }
const create = listed('create', { title: text, body: text })

/** What became of a tool: its kind, and what people are told. */
async function change(before: unknown, after: unknown) {
  const [one] = compareDefinitions([await readOne(before)], [await readOne(after)])
  return { kind: one?.kind, told: one?.said.map((said) => inEnglish(said)) }
}

test('a list that is the same, in another order, changes nothing', async () => {
  const { tools } = await read([create, listed('list')])
  const again = await read([listed('list'), { ...create, _meta: { version: 2 } }])
  const changes = compareDefinitions(tools, again.tools)
  expect(changes.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged'])
  expect(changes.map(({ inForce }) => inForce)).toEqual(tools)
})

test('other words are held back, and the tool works on as it was accepted', async () => {
  const [before, after] = [await readOne(create), await readOne({ ...create, description: 'Sends money.' })]
  expect(compareDefinitions([before], [after])).toEqual([
    {
      kind: 'words',
      foreignName: 'create',
      said: [{ code: 'foreign_words_changed', values: { tool: 'Create' } }],
      inForce: before,
      proposed: after,
    },
  ])
  const described = listed('create', { title: { ...text, description: 'The password' }, body: text })
  expect(await change(create, described)).toEqual({
    kind: 'words',
    told: ['"Create" has other words now. Until they are accepted, it works with those that were.'],
  })
})

test('a tool that is gone is off, and a new one waits', async () => {
  const { tools } = await read([create])
  const { tools: now } = await read([listed('update')])
  const told = compareDefinitions(tools, now).map(({ kind, inForce, said }) => ({
    kind,
    inForce,
    said: said.map((one) => inEnglish(one)),
  }))
  expect(told).toEqual([
    { kind: 'gone', inForce: undefined, said: ['"Create" is no longer there.'] },
    { kind: 'new', inForce: undefined, said: ['"Update" is new.'] },
  ])
})

test('a tool keeps its name, whatever name the list would give it now', async () => {
  const [before] = (await read([create])).tools
  const [after] = (await read([create], ['linear-create'])).tools
  expect(after?.name).not.toBe(before?.name)
  const [one] = compareDefinitions(before ? [before] : [], after ? [after] : [])
  expect(one).toMatchObject({ kind: 'unchanged', inForce: { name: 'linear__create' } })
})

describe('a claim', () => {
  const claiming = (annotations: object) => ({ ...create, annotations })

  test.each([
    [{}, { readOnlyHint: true }],
    [{ readOnlyHint: false }, {}],
    [{ readOnlyHint: false }, { readOnlyHint: true }],
    [{ destructiveHint: true }, {}],
    [{ destructiveHint: true }, { destructiveHint: false }],
    [{}, { idempotentHint: true }],
    [{ openWorldHint: true }, { openWorldHint: false }],
    [
      { readOnlyHint: false, destructiveHint: false },
      { readOnlyHint: true, destructiveHint: true },
    ],
  ])('of less harm switches a tool off: %j, then %j', async (before, after) => {
    const { kind, told } = await change(claiming(before), claiming(after))
    expect(kind).toBe('off')
    expect(told?.[0]).toMatch(/^"Create" is now said to be more harmless than before: .* It is off/)
  })

  test.each([
    [{ readOnlyHint: true }, {}],
    [{ readOnlyHint: true }, { readOnlyHint: false }],
    [{}, { destructiveHint: true }],
    [{ idempotentHint: true }, { idempotentHint: false }],
    [{ openWorldHint: false }, { openWorldHint: true }],
  ])('of more harm counts at once: %j, then %j', async (before, after) => {
    const accepted = await readOne(claiming(before))
    const listedNow = await readOne({ ...claiming(after), description: 'In other words.' })
    const [one] = compareDefinitions([accepted], [listedNow])
    expect(one?.kind).toBe('stricter')
    expect(one?.inForce).toEqual({ ...accepted, annotations: after })
    expect(one?.proposed).toEqual(listedNow)
  })
})

describe('a schema', () => {
  const properties = {
    title: { ...text, maxLength: 80 },
    kind: { enum: ['bug', 'task'] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    labels: { type: 'array', items: { $ref: '#/$defs/label' } },
    to: { anyOf: [text, { type: 'number' }] },
  }
  const schema = {
    type: 'object',
    properties,
    required: ['title'],
    $defs: { label: { ...text, minLength: 1 } },
  }
  const withSchema = (more: object) => ({
    name: 'create',
    description: '',
    inputSchema: { ...schema, ...more },
  })
  const withProperty = (name: string, place: unknown) =>
    withSchema({ properties: { ...properties, [name]: place } })

  test.each([
    ['title', withSchema({ properties: { ...properties, title: { ...text, maxLength: 60 } } })],
    ['kind', withProperty('kind', { enum: ['bug'] })],
    ['kind', withProperty('kind', { const: 'bug' })],
    ['kind', withSchema({ required: ['title', 'kind'] })],
    [
      'project',
      {
        name: 'create',
        description: '',
        inputSchema: {
          ...schema,
          properties: { ...properties, project: text },
          required: ['title', 'project'],
        },
      },
    ],
    ['count', withProperty('count', { type: 'string' })],
    ['count', withProperty('count', { type: 'integer', minimum: 2, maximum: 9 })],
    ['count', withProperty('count', { type: 'integer', minimum: 1, maximum: 9, multipleOf: 2 })],
    [
      'labels',
      withSchema({
        properties: {
          title: properties.title,
          kind: properties.kind,
          count: properties.count,
          to: properties.to,
        },
      }),
    ],
    ['labels[]', withSchema({ $defs: { label: { ...text, minLength: 2 } } })],
    ['to', withProperty('to', { anyOf: [text] })],
    ['to', withProperty('to', { oneOf: [text, { type: 'number' }] })],
    ['', withSchema({ additionalProperties: false })],
  ])('that refuses what was accepted at "%s" switches a tool off', async (place, after) => {
    const { kind, told } = await change(withSchema({}), after)
    const where = place === '' ? '' : ` ("${place}")`
    expect({ kind, told }).toEqual({
      kind: 'off',
      told: [`"Create" may no longer take what it took before${where}. It is off until that is accepted.`],
    })
  })

  test.each([
    ['a longer text', withProperty('title', { ...text, maxLength: 100 })],
    ['any text', withProperty('title', text)],
    ['one more choice', withProperty('kind', { enum: ['task', 'bug', 'idea'] })],
    ['one more parameter', withProperty('project', text)],
    ['nothing required', withSchema({ required: [] })],
    ['any number', withProperty('count', { type: 'number' })],
    ['one more alternative', withProperty('to', { anyOf: [{ type: 'boolean' }, { type: 'number' }, text] })],
    ['shorter labels', withSchema({ $defs: { label: text } })],
    [
      'the same in another place',
      withProperty('labels', { type: 'array', items: { ...text, minLength: 1 } }),
    ],
    ['another default', withProperty('count', { ...properties.count, default: 3 })],
  ])('that takes more, as %s, is shown, and the tool works on', async (_, after) => {
    expect((await change(withSchema({}), after)).kind).toBe('words')
  })
})

test('a definition has the same hash for as long as nothing in it changes', async () => {
  const tool = await readOne(create)
  const hash = await definitionHash(tool)
  expect(await definitionHash(JSON.parse(JSON.stringify(tool)))).toBe(hash)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  for (const other of [
    { title: 'x' },
    { description: 'x' },
    { annotations: { readOnlyHint: true } },
    { foreignName: 'x' },
  ])
    expect(await definitionHash({ ...tool, ...other })).not.toBe(hash)
})
