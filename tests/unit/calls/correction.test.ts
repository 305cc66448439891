import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { errorOf, prepare, sendEmail, tool, webSearch } from './fixture.ts'

const correctionOf = (...call: Parameters<typeof prepare>) => errorOf(prepare(...call)).details.correction

describe('the corrected call', () => {
  test('keeps what is right and opens what is missing', () => {
    expect(correctionOf(sendEmail, { subject: 'Meeting', body: 'At noon.' })).toEqual({
      name: 'gmail_send_email',
      arguments: { to: '<recipient email address>', subject: 'Meeting', body: 'At noon.' },
      open: ['to'],
    })
  })

  test('opens one item of a list and keeps the others', () => {
    const correction = correctionOf(sendEmail, { to: ['ann@example.com', 'bob'], subject: 's', body: 'b' })
    expect(correction?.open).toEqual(['to[1]'])
    expect(correction?.arguments.to).toEqual(['ann@example.com', expect.stringMatching(/^<.*>$/)])
  })

  test('leaves out an undeclared parameter that is close to none', () => {
    expect(correctionOf(webSearch, { query: 'x', thought: 'I should search.' })).toEqual({
      name: 'web_search',
      arguments: { query: 'x' },
      open: [],
    })
  })

  test('opens the parameter that an undeclared one may mean', () => {
    const correction = correctionOf(webSearch, { query: 'x', result_count: 5 })
    expect(correction).toEqual({
      name: 'web_search',
      arguments: { query: 'x', count: '<Number of results>' },
      open: ['count'],
    })
  })

  test.each(['Query', 'q'])('opens a parameter that came with another value as %s too', (name) => {
    expect(correctionOf(webSearch, { query: 'solar', [name]: 'wind' })?.open).toEqual(['query'])
    expect(correctionOf(webSearch, { query: 'solar', [name]: 'solar' })?.arguments).toEqual({
      query: 'solar',
    })
  })

  test('of a text that lost a quote leaves everything open', () => {
    const mix = tool('mix', { colour: { type: 'string' }, lightness: { type: 'integer' } })
    expect(correctionOf(mix, '{"colour": "red", lightness": 70}')?.open).toEqual(['colour', 'lightness'])
  })

  describe('of a text that cannot be read keeps what stood whole before the fault', () => {
    const words = { gene: { type: 'string' }, species: { type: 'string' } } satisfies Record<
      string,
      JsonSchema
    >
    const gene = tool('get_gene', words, { required: ['gene', 'species'] })
    const whole = '{"gene": "BRCA1", "species": "Homo sapiens"}'
    const quoted = '{"gene": "BRCA1", "species": "Homo "sapiens""}'

    test.each([
      ['quotes inside a value', quoted],
      ['a second value behind a value', '{"gene": "BRCA1", "species": "Homo sapiens" "Mus musculus"}'],
      ['a value without quotes', '{"gene": "BRCA1", "species": Homo sapiens}'],
      ['quotes inside a value, in a list', `[${quoted}]`],
      [
        'quotes inside a value, in a frame',
        `<tool_call>{"name": "get_gene", "arguments": ${quoted}}</tool_call>`,
      ],
      ['quotes inside a value, of a whole call', `{"name": "get_gene", "arguments": ${quoted}}`],
    ])('%s', (_, text) => {
      expect(correctionOf(gene, text)).toEqual({
        name: 'get_gene',
        arguments: { gene: 'BRCA1', species: '<the species>' },
        open: ['species'],
      })
    })

    test.each([
      ['a value glued on', `${whole}"TP53"`],
      ['a second object glued on', `${whole}{"gene": "TP53", "species": "Homo sapiens"}`],
      ['a list around it', `[${whole}]`],
      ['a list around it that is no JSON', `[${whole},]`],
      ['a frame around it', `<tool_call>\n{"name": "get_gene", "arguments": ${whole}}\n</tool_call>`],
    ])('%s', (_, text) => {
      expect(correctionOf(gene, text)).toEqual({ name: 'get_gene', arguments: JSON.parse(whole), open: [] })
    })

    test('and opens a value whose end may not be one', () => {
      expect(correctionOf(gene, '{"gene": "BRCA1", "species": "Homo", "sapiens"}')?.open).toEqual(['species'])
    })

    test.each([
      ['several objects in a list', `[${whole}, ${whole.replace('BRCA1', 'TP53')}]`],
      ['an object that is only a part', `"filter": ${whole}}`],
      ['a name given twice', '{"gene": "BRCA1", "gene": "TP53", "species": "Homo sapiens"}'],
      ['an object in thoughts that do not end', `<think>Maybe ${whole}`],
    ])('and nothing of %s', (_, text) => {
      expect(correctionOf(gene, text)?.open).toEqual(['gene', 'species'])
    })
  })

  test('puts the value under the one missing name that contains the name sent', () => {
    const flight = tool(
      'book',
      { travel_date: { type: 'string' }, travel_class: { type: 'string' } },
      { required: ['travel_date', 'travel_class'] },
    )
    expect(correctionOf(flight, { date: '2025-01-31', travel_class: 'first' })?.arguments).toEqual({
      travel_date: '2025-01-31',
      travel_class: 'first',
    })
  })

  test('does not choose between the names of two branches', () => {
    const by = (name: string): JsonSchema => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
      additionalProperties: false,
    })
    const read = tool(
      'read',
      { source: { anyOf: [by('file_id'), by('file_url')] } },
      { required: ['source'] },
    )
    expect(correctionOf(read, { source: { file: 'x' } })?.open).toHaveLength(1)
    expect(correctionOf(read, { source: { fil_url: 'x' } })?.arguments).toEqual({ source: { file_url: 'x' } })
  })

  test('does not choose between two missing names', () => {
    const trip = tool(
      'trip',
      { start_date: { type: 'string' }, end_date: { type: 'string' } },
      { required: ['start_date', 'end_date'] },
    )
    expect(correctionOf(trip, { date: '2025-01-31' })?.open).toEqual(['start_date', 'end_date'])
  })

  test('an unknown tool with one close name gets its call', () => {
    expect(correctionOf(webSearch, { query: 'x' }, { name: 'web_serch' })).toEqual({
      name: 'web_search',
      arguments: { query: 'x' },
      open: [],
    })
  })

  test('a value that no guess restores stays open, whatever its type', () => {
    const correction = correctionOf(webSearch, { query: 'x', count: 500, fresh: 'maybe' })
    expect(correction?.open).toEqual(['fresh', 'count'])
    expect(typeof correction?.arguments.count).toBe('string')
  })

  test('a call wrapped with its own name is unwrapped', () => {
    const correction = correctionOf(webSearch, { name: 'web_search', arguments: { query: 'x' } })
    expect(correction).toEqual({ name: 'web_search', arguments: { query: 'x' }, open: [] })
  })

  test('so is one inside another object, or whose tool declares a name', () => {
    const expected = { name: 'web_search', arguments: { query: 'x' }, open: [] }
    expect(correctionOf(webSearch, { function: { name: 'web_search', arguments: { query: 'x' } } })).toEqual(
      expected,
    )
    expect(correctionOf(webSearch, { arguments: { args: '{"query": "x"}' } })).toEqual(expected)
    const rename = tool('rename', { name: { type: 'string' } }, { required: ['name'] })
    const call = { name: 'rename', arguments: { name: 'x' } }
    expect(correctionOf(rename, call)?.arguments).toEqual({ name: 'x' })
  })

  test('an object that says what is not meant is no wrapper', () => {
    expect(correctionOf(webSearch, { not: { query: 'x' } })?.open).toEqual(['query'])
    expect(correctionOf(webSearch, { examples: { query: 'x' } })?.open).toEqual(['query'])
  })

  test('an everyday word is no slip of another, and a more special name is not the plain one', () => {
    const run = tool('run', { id: { type: 'string' }, mode: { type: 'string' } }, { required: ['id'] })
    expect(correctionOf(run, { id: '1', node: 'worker' })?.open).toEqual(['mode'])
    const weather = tool('weather', { date: { type: 'string' } }, { required: ['date'] })
    expect(correctionOf(weather, { end_date: '2025-01-31' })?.open).toEqual(['date'])
  })

  test('prototype keys are neither kept nor followed', () => {
    const prepared = prepare(webSearch, '{"query": 5, "__proto__": {"polluted": true}}')
    expect(prepared.ok).toBe(false)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

const value = (schema: JsonSchema) => tool('set_value', { value: schema }, { required: ['value'] })
const guessOf = (schema: JsonSchema, sent: unknown) => correctionOf(value(schema), { value: sent })

const guest = (name: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { name, phone: { type: 'string' } },
  required: ['name'],
})

describe('a careful guess', () => {
  const distance: JsonSchema = { type: 'number', description: 'The distance.' }
  const cases: [JsonSchema, unknown, unknown][] = [
    [distance, '5 km', 5],
    [distance, '$7', 7],
    [distance, '4,000', 4000],
    [distance, 'six', 6],
    [{ type: 'integer' }, '12 eggs', 12],
    [{ type: 'number', description: 'Length in m.' }, '5 m', 5],
    [distance, '5km', 5],
    [{ type: 'number', description: 'Width in pixels.' }, '800px', 800],
    [{ type: 'integer' }, '#12', 12],
    [{ type: 'integer' }, '14th', 14],
    [{ type: 'integer' }, [5], 5],
    [{ type: 'integer' }, { value: 5 }, 5],
    [{ type: 'integer' }, ['5'], 5],
    [{ type: 'boolean' }, 'yes', true],
    [{ type: 'boolean' }, 0, false],
    [{ type: 'string' }, 42, '42'],
    [{ type: 'string' }, ['x'], 'x'],
    [{ type: 'string' }, { text: 'x' }, 'x'],
    [{ type: 'string' }, { value: 'x' }, 'x'],
    [{ type: 'array', items: { type: 'integer' } }, '1, 2, 3', [1, 2, 3]],
    [{ type: 'array', items: { type: 'string', enum: ['A', 'B'] } }, 'A, b', ['A', 'B']],
    [{ type: 'array', items: { type: 'string', pattern: '^r\\d$' } }, 'r1,r2', ['r1', 'r2']],
    [{ type: 'array', items: { type: 'object' } }, { a: 1, b: 2 }, [{ a: 1, b: 2 }]],
    [{ type: 'object' }, [{ a: 1 }], { a: 1 }],
    [{ type: 'string', enum: ['pending', 'shipped'] }, 'shiped', 'shipped'],
  ]
  for (const [schema, sent, expected] of cases) {
    test(`${JSON.stringify(sent)} as ${JSON.stringify(schema)}`, () => {
      expect(guessOf(schema, sent)).toEqual({ name: 'set_value', arguments: { value: expected }, open: [] })
    })
  }
})

describe('no guess, the place stays open', () => {
  const cases: [JsonSchema, unknown][] = [
    [{ type: 'number', description: 'The distance in meters.' }, '5 km'],
    [{ type: 'number' }, '20%'],
    [{ type: 'number' }, 'about 5'],
    [{ type: 'number' }, '5-10'],
    [{ type: 'number' }, '5 pm'],
    [{ type: 'number' }, '5k'],
    [{ type: 'number' }, '5 m'],
    [{ type: 'number', description: 'The length in cm.' }, '5 in'],
    [{ type: 'number' }, '4.000 km'],
    [{ type: 'number' }, '3 million'],
    [{ type: 'number' }, '0xa'],
    [{ type: 'number' }, '12abc'],
    [{ type: 'integer' }, '3 dozen'],
    [{ type: 'integer' }, '12 Elm Street'],
    [{ type: 'integer' }, '5 days ago'],
    [{ type: 'integer' }, '5 degrees below zero'],
    [{ type: 'integer' }, 'one two'],
    [{ type: 'integer' }, 'twenty twenty-four'],
    [{ type: 'integer' }, 'nineteen ninety'],
    [{ type: 'integer' }, { $gt: 5 }],
    [{ type: 'integer' }, 'seven and a half'],
    [{ type: 'boolean' }, 'maybe'],
    [{ type: 'number', description: 'Width in pixels.' }, '12pt'],
    [guest({ type: 'string' }), 'Ann'],
    [guest({ type: 'string', format: 'email' }), 'Ann'],
    [{ type: 'string' }, true],
    [{ type: 'string' }, ['a', 'b']],
    [{ type: 'string' }, { a: 'x', b: 'y' }],
    [{ type: 'string' }, { not: 'x' }],
    [{ type: 'string' }, { type: 'string' }],
    [{ type: 'string' }, { lat: 5 }],
    [{ type: 'string' }, ['N/A']],
    [{ type: 'string' }, { value: '<city>' }],
    [{ type: 'string' }, 0],
    [{ type: 'string', description: 'The phone number.' }, 15551234567],
    [{ type: 'boolean', description: 'Disables the sound.' }, 'enabled'],
    [{ type: 'object' }, '{"__proto__": {"polluted": true}}'],
    [{ type: 'object' }, '{"a": 1, "a": 2}'],
    [{ type: 'string', description: "The zip code, such as '02134'." }, 2134],
    [{ type: 'array', items: { type: 'string' } }, 'burgers, chicken wings'],
    [{ type: 'array', items: { type: 'string', pattern: '^b' } }, 'burgers, bacon'],
    [{ type: 'array', items: { type: 'integer' } }, 'see above'],
    [{ type: 'string', format: 'date' }, '03/04/2025'],
    [{ type: 'string', pattern: '^[A-Z]{3}$' }, 'sfo'],
    [{ type: 'string', format: 'email' }, 'ann@example.com, bob@example.com'],
    [{ type: 'string', enum: ['cat', 'car'] }, 'caz'],
    [{ type: 'string', enum: ['Annually', 'Monthly'] }, 'every year'],
    [{ type: 'string', enum: ['activate', 'deactivate'] }, 'reactivate'],
    [{ type: 'integer', maximum: 10 }, 11],
  ]
  for (const [schema, sent] of cases) {
    test(`${JSON.stringify(sent)} as ${JSON.stringify(schema)}`, () => {
      expect(guessOf(schema, sent)?.open).toEqual(['value'])
    })
  }
})

describe('a text that was cut', () => {
  test('keeps what was surely complete and opens the rest, optional ones too', () => {
    const correction = correctionOf(
      sendEmail,
      '{"to": ["ann@example.com"], "subject": "Meeting", "body": "See you tom',
    )
    expect(correction?.arguments).toMatchObject({ to: ['ann@example.com'], subject: 'Meeting' })
    expect([...(correction?.open ?? [])].sort()).toEqual(['body', 'cc', 'importance'])
  })

  test('is never closed, even when every parameter was seen', () => {
    const one = tool('one', { a: { type: 'string' } })
    expect(correctionOf(one, '{"a": "x"')?.open).toEqual(['a'])
    expect(correctionOf(one, '{"a": "x",')?.open).toEqual(['a'])
  })

  test('opens a list that was cut as a whole', () => {
    expect(
      correctionOf(sendEmail, '{"subject": "s", "body": "b", "to": ["ann@example.com", "bo')?.arguments.to,
    ).toBe('<recipient email address>')
  })

  test('opens an object of undeclared members as a whole, and of declared ones those that were not seen', () => {
    const open = tool('open', { id: { type: 'string' }, labels: { type: 'object' } })
    expect(correctionOf(open, '{"id": "1", "labels": {"a": "x", ')).toMatchObject({
      arguments: { id: '1', labels: expect.stringMatching(/^<.*>$/) },
      open: ['labels'],
    })
    const place = {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string' } },
    } as const
    const declared = tool('declared', { id: { type: 'string' }, place })
    expect(correctionOf(declared, '{"id": "1", "place": {"city": "Oslo", ')).toMatchObject({
      arguments: { id: '1', place: { city: 'Oslo' } },
      open: ['place.zip'],
    })
  })

  test('at no place becomes a call or a correction without slots', () => {
    const text = JSON.stringify({
      to: ['ann@example.com'],
      subject: 'Meeting {1}',
      body: 'Dear "Ann",\nsee you.',
      cc: [],
    })
    for (let length = 0; length < text.length; length++) {
      const prepared = prepare(sendEmail, text.slice(0, length))
      expect(prepared.ok, text.slice(0, length)).toBe(false)
      expect(errorOf(prepared).details.correction?.open.length, text.slice(0, length)).toBeGreaterThan(0)
    }
  })
})
