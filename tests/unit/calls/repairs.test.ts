import { describe, expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { argsOf, prepare, sendEmail, tool, webSearch } from './fixture.ts'

describe('names', () => {
  for (const name of [
    'webSearch',
    'WEB_SEARCH',
    'web-search',
    'functions.web_search',
    'mcp__brave__web_search',
    'web/search',
    'tool/web_search',
  ]) {
    test(`${name} is web_search`, () => {
      const prepared = prepare(webSearch, { query: 'x' }, { name })
      expect(prepared.ok && [prepared.tool.name, prepared.repairs]).toEqual([
        'web_search',
        [{ path: '', rule: 'tool-name' }],
      ])
    })
  }

  test('a namespace is not taken off when another tool is about it', () => {
    const tools = [tool('delete', {}), tool('list_calendars', {})]
    expect(prepareToolCall({ name: 'calendar.delete', rawArguments: '{}', tools }).ok).toBe(false)
    expect(prepareToolCall({ name: 'functions.delete', rawArguments: '{}', tools }).ok).toBe(true)
    const clock = [tool('get_time', {}), tool('convert_time', {})]
    expect(prepareToolCall({ name: 'mcp__time__get_time', rawArguments: '{}', tools: clock }).ok).toBe(true)
  })

  test('a namespace that says nothing is taken off whatever the other tools are called', () => {
    const tools = [tool('delete', {}), tool('default_list', {}), tool('list_servers', {})]
    for (const name of ['default_api.delete', 'mcp__server__delete', 'namespace.delete'])
      expect(prepareToolCall({ name, rawArguments: '{}', tools }).ok, name).toBe(true)
    expect(prepareToolCall({ name: 'server.delete', rawArguments: '{}', tools }).ok).toBe(false)
  })

  test('two tools that fit are none', () => {
    const tools = [tool('get_user', {}), tool('getUser', {})]
    expect(prepareToolCall({ name: 'GetUser', rawArguments: '{}', tools }).ok).toBe(false)
  })

  for (const name of ['Query', 'QUERY', 'q', 'Search', 'params.query']) {
    test(`the parameter ${name} is query`, () => {
      expect(argsOf(prepare(webSearch, { [name]: 'x' }))).toEqual({ query: 'x' })
    })
  }

  test('a namespace that says something is part of the name', () => {
    const weather = tool('weather', { city: { type: 'string' } }, { required: ['city'] })
    expect(argsOf(prepare(weather, { 'args.city': 'Rome' }))).toEqual({ city: 'Rome' })
    expect(prepare(weather, { 'billing.city': 'Rome' }).ok).toBe(false)
    expect(prepare(weather, { not: { city: 'Rome' } }).ok).toBe(false)
  })

  test('two names for one parameter are no repair', () => {
    expect(prepare(webSearch, { Query: 'a', QUERY: 'b' }).ok).toBe(false)
    expect(prepare(webSearch, { query: 'a', QUERY: 'b' }).ok).toBe(false)
  })

  test('a slip in a name is proposed, not repaired', () => {
    const prepared = prepare(webSearch, { qeury: 'x' })
    expect(prepared.ok).toBe(false)
    expect(!prepared.ok && prepared.error.details.correction).toEqual({
      name: 'web_search',
      arguments: { query: 'x' },
      open: [],
    })
  })

  for (const spelling of ['HIGH', ' high', 'high\n', 'Importance.HIGH']) {
    test(`the enum value ${JSON.stringify(spelling)} is high`, () => {
      const prepared = prepare(sendEmail, {
        to: ['a@example.com'],
        subject: 's',
        body: 'b',
        importance: spelling,
      })
      expect(argsOf(prepared).importance).toBe('high')
    })
  }

  test('an enum value in two spellings is matched by the nearer one only', () => {
    const grade = tool('grade', { value: { type: 'string', enum: ['A', 'A-', 'a b', 'a-b'] } })
    expect(argsOf(prepare(grade, { value: 'a-' })).value).toBe('A-')
    expect(prepare(grade, { value: 'A B' }).ok && argsOf(prepare(grade, { value: 'A B' })).value).toBe('a b')
    expect(prepare(grade, { value: 'A_B' }).ok).toBe(false)
    const genotype = tool('genotype', { value: { type: 'string', enum: ['AA', 'Aa', 'aa'] } })
    expect(prepare(genotype, { value: 'aA' }).ok).toBe(false)
    expect(prepare(genotype, { value: 'AA.' }).ok).toBe(false)
    const size = tool('size', { value: { type: 'string', enum: ['5', '10'] } })
    expect(prepare(size, { value: '3.5' }).ok).toBe(false)
  })
})

const value = (schema: JsonSchema) => tool('set_value', { value: schema }, { required: ['value'] })

describe('values with one reading', () => {
  const cases: [JsonSchema, unknown, unknown][] = [
    [{ type: 'integer' }, '5', 5],
    [{ type: 'integer' }, ' -5 ', -5],
    [{ type: 'number' }, '0.50', 0.5],
    [{ type: 'number' }, '1e3', 1000],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'False', false],
    [{ type: 'object' }, '{"a":1}', { a: 1 }],
    [{ type: 'array', items: { type: 'integer' } }, '[1,2]', [1, 2]],
    [{ type: 'array', items: { type: 'integer' } }, ['1', 2], [1, 2]],
    [{ type: 'array', items: { type: 'string' } }, 'one', ['one']],
    [{ type: 'array', items: { type: 'integer' } }, '7', [7]],
    [{ type: 'array', items: { type: 'string', enum: ['Red', 'Blue'] } }, 'red', ['Red']],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '5', 5],
    [{ type: 'integer', enum: [1, 2] }, '2', 2],
  ]
  for (const [schema, sent, expected] of cases) {
    test(`${JSON.stringify(sent)} as ${JSON.stringify(schema)}`, () => {
      expect(argsOf(prepare(value(schema), { value: sent }))).toEqual({ value: expected })
    })
  }

  test('null for an optional parameter is removed, nested ones too', () => {
    const nested = tool('nested', {
      options: { type: 'object', properties: { unit: { type: 'string' } } },
      note: { type: 'string' },
    })
    const prepared = prepare(nested, { options: { unit: null }, note: null })
    expect(argsOf(prepared)).toEqual({ options: {} })
    expect(prepared.ok && prepared.repairs).toEqual([
      { path: 'options.unit', rule: 'null-removed' },
      { path: 'note', rule: 'null-removed' },
    ])
  })

  test('a name in another spelling belongs to the branch of anyOf that declares it', () => {
    const at = (place: string): JsonSchema => ({
      type: 'object',
      properties: { path: { type: 'string' }, [place]: { type: 'integer' } },
      required: ['path', place],
      additionalProperties: false,
    })
    const place = value({ anyOf: [at('position'), at('line')] })
    expect(argsOf(prepare(place, { value: { path: 'a', Line: 4 } }))).toEqual({
      value: { path: 'a', line: 4 },
    })
    const spot = value({
      anyOf: [
        {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { latitude: { type: 'number' }, longitude: { type: 'number' } },
          required: ['latitude', 'longitude'],
          additionalProperties: false,
        },
      ],
    })
    expect(argsOf(prepare(spot, { value: { Latitude: 41.9, Longitude: 12.5 } }))).toEqual({
      value: { latitude: 41.9, longitude: 12.5 },
    })
    const optional = (name: string): JsonSchema => ({ ...at(name), required: [] })
    const end = value({ anyOf: [optional('end_date'), optional('end_time')] })
    expect(argsOf(prepare(end, { value: { endTime: 5 } }))).toEqual({ value: { end_time: 5 } })
  })

  test('a repaired text may hold more to repair', () => {
    const schema: JsonSchema = { type: 'object', properties: { count: { type: 'integer' } } }
    expect(argsOf(prepare(value(schema), { value: '{"Count":"3"}' }))).toEqual({ value: { Count: '3' } })
    expect(
      argsOf(prepare(value({ ...schema, additionalProperties: false }), { value: '{"Count":"3"}' })),
    ).toEqual({
      value: { count: 3 },
    })
  })

  test('one needless object around everything is removed when only that validates', () => {
    const prepared = prepare(webSearch, { params: { query: 'x', count: '3' } })
    expect(argsOf(prepared)).toEqual({ query: 'x', count: 3 })
    expect(prepared.ok && prepared.repairs).toEqual([
      { path: 'params', rule: 'wrapper-removed' },
      { path: 'count', rule: 'number' },
    ])
    expect(prepare(webSearch, { params: { query: 'x' }, verbose: true }).ok).toBe(false)
    expect(prepare(tool('archive', { label: { type: 'string' } }), { filter: {} }).ok).toBe(false)
  })

  test('blank arguments are none for a tool that takes none', () => {
    expect(argsOf(prepare(tool('list_users', {}), '  '))).toEqual({})
    expect(prepare(tool('list_users', { limit: { type: 'integer' } }), '').ok).toBe(false)
  })

  test('the specification is not touched', () => {
    const before = structuredClone(webSearch)
    prepare(webSearch, { query: 'x', count: '5' })
    expect(webSearch).toEqual(before)
  })
})

describe('values that are never repaired', () => {
  const cases: [JsonSchema, unknown][] = [
    [{ type: 'integer' }, '5.7'],
    [{ type: 'integer' }, '5.000'],
    [{ type: 'integer' }, '007'],
    [{ type: 'integer' }, '1,000'],
    [{ type: 'integer' }, '5 km'],
    [{ type: 'integer' }, '12345678901234567890'],
    [{ type: 'integer' }, ''],
    [{ type: 'integer' }, 5.5],
    [{ type: 'number' }, true],
    [{ type: 'string' }, 5],
    [{ type: 'string' }, true],
    [{ type: 'string' }, ['one']],
    [{ type: 'boolean' }, 'yes'],
    [{ type: 'boolean' }, 1],
    [{ type: 'array', items: { type: 'string' } }, 'one, two'],
    [{ type: 'array', items: { type: 'string' } }, 'one; two'],
    [{ type: 'array', items: { type: 'string' } }, 'one\ntwo'],
    [{ type: 'array', items: { type: 'string' } }, ' '],
    [{ type: 'array', items: { type: 'string' } }, 'one | two'],
    [{ type: 'array', items: { type: 'string' } }, '苹果，香蕉'],
    [{ type: 'array', items: { type: 'string' } }, 'YOUR_TAGS_HERE'],
    [{ type: 'object' }, '{"__proto__": {"polluted": true}}'],
    [{ type: 'object' }, '{"constructor": {"prototype": {"polluted": true}}}'],
    [{ type: 'object' }, '{"a": 1, "a": 2}'],
    [{ type: 'array' }, `${'['.repeat(9000)}${']'.repeat(9000)}`],
    [{ type: 'string', enum: ['A', 'B'] }, 'N.A'],
    [{ type: 'string', enum: ['active', 'closed'] }, 'not.active'],
    [{ type: 'array', items: { type: 'string' }, minItems: 2 }, 'one'],
    [{ type: 'object' }, 'a: 1'],
    [{ type: 'string', enum: ['low', 'high'] }, 'hihg'],
    [{ type: 'string', format: 'email' }, ' a@example.com'],
    [{ type: 'string', format: 'date' }, '2025-02-30'],
    [{ type: 'string' }, null],
  ]
  for (const [schema, sent] of cases) {
    test(`${JSON.stringify(sent).slice(0, 80)} as ${JSON.stringify(schema)}`, () => {
      expect(prepare(value(schema), { value: sent }).ok).toBe(false)
    })
  }

  test('free text passes as it is', () => {
    const text = '  “Hi” \u200b<b>5 km</b>\r\n\tnull true {"a":1} \ud83d\ude00 é '
    expect(argsOf(prepare(value({ type: 'string' }), { value: text }))).toEqual({ value: text })
  })
})
