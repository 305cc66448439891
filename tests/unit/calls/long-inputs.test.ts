import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { checkProvenance } from '../../../shared/engine/provenance/check-provenance.ts'
import { readArguments } from '../../../shared/engine/reading/read-arguments.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'
import { titleField } from '../../../shared/engine/wording/describe-parameter.ts'
import { errorOf, prepare, tool } from './fixture.ts'

/** What expressions are slow on: a long run that nearly matches, before a sign that ends it. */
const worst = [
  ' ',
  '\n',
  'a',
  '1',
  '"',
  '\\',
  '{',
  '<a',
  'a@',
  '12 ',
  '\u200b',
  '// ',
  '# a\n',
  '"a":1,',
  'https://a.b/',
]
/** Signs of the same kinds: tried with `npm run test:all`. */
const others = [
  '\t',
  'A',
  '0',
  '.',
  ',',
  '-',
  '_',
  '=',
  ':',
  ';',
  '#',
  '/',
  '*',
  "'",
  '`',
  '(',
  ')',
  '[',
  ']',
  '}',
  '<',
  '>',
  '[a](',
  '@',
  '@a.',
  '+',
  '+1 ',
  '1 ',
  '1,',
  '1.',
  'a ',
  'A1 ',
  'é',
  '\u00a0',
  'default ',
  ' (',
  '/*',
  'a: ',
  '"a": ',
  '<think>',
  '```',
  'null,',
  '%41',
  'AA11 ',
]
const pumps = process.env.ASKBACK_TEST_ALL === '1' ? [...worst, ...others] : worst
const longText = 300_000

function pump(part: string, length = longText): string {
  return part.repeat(Math.ceil(length / part.length))
}

/** Far more than a linear reader takes, far less than a quadratic one. */
const timeout = 60_000

const fields: Record<string, JsonSchema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  list: { type: 'array', items: { type: 'integer' } },
  object: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  choice: { type: 'string', enum: ['red', 'green'] },
  code: { type: 'string', pattern: '^#W[0-9]{7}$' },
  email: { type: 'string', format: 'email' },
  date: { type: 'string', format: 'date' },
  moment: { type: 'string', format: 'date-time' },
  uri: { type: 'string', format: 'uri' },
  uuid: { type: 'string', format: 'uuid' },
}
const everything = tool('everything', fields, { required: ['text', 'number'] })

/** In every field together less than arguments may have. */
const inEach = 120_000

describe('a very long text of one sign is answered, whatever reads it', () => {
  test.each(pumps)('raw arguments of %j', { timeout }, (part) => {
    const long = pump(part)
    const texts = [
      long,
      `{${long}`,
      `{${long}}`,
      `${long}{"text": "x"}`,
      `{"text": "x"}${long}`,
      `{"text": ${long}`,
      `{"text": '${long}`,
      `{"text": 1 /*${long}*/}`,
      `{"text": 1 // ${long}\n}`,
      `{"text": 1 // 1${long}x\n}`,
      `{"number": 1${long}x}`,
      `<think>${long}`,
    ]
    for (const text of texts) expect(prepare(everything, text)).toHaveProperty('ok')
  })

  test.each(pumps)('values of %j', { timeout }, (part) => {
    for (const value of [pump(part, inEach), `${pump(part, inEach)}!`, `1${pump(part, inEach)}x`]) {
      const args = Object.fromEntries(Object.keys(fields).map((name) => [name, value]))
      const { problems } = errorOf(prepare(everything, args)).details
      expect(problems?.map((problem) => problem.parameter)).toContain('number')
      expect(validate(everything.parameters, args).map(({ parameter }) => parameter)).toContain('number')
    }
  })

  test.each(pumps)('names of %j', { timeout }, (part) => {
    const error = errorOf(prepare(everything, { [`${pump(part)}!`]: 1 }))
    expect(error.error.length).toBeLessThan(1000)
    const inside = { [`${pump(part)}!`]: 1 }
    expect(
      errorOf(prepare(everything, { text: inside, number: 1, object: inside })).details.problems,
    ).toHaveLength(2)
    expect(errorOf(prepare(everything, {}, { name: pump(part) })).errorType).toBe('tool_not_found')
  })

  test.each(pumps)('words of a schema of %j', { timeout }, (part) => {
    const words = { title: pump(part), description: pump(part), question: pump(part), hint: pump(part) }
    for (const said of Object.values(words)) {
      const place: JsonSchema = { type: 'string', title: said, description: said, hint: said }
      const described = tool(
        'described',
        { place, flag: { type: 'boolean', description: said } },
        { required: ['place', 'flag'] },
      )
      const error = errorOf(prepare(described, { place: true }))
      expect(error.details.correction?.open).toHaveLength(2)
      expect(errorOf(prepare(described, {})).error.length).toBeGreaterThan(0)
      expect(titleField(described.parameters, ['flag']).length).toBeLessThan(100)
    }
  })

  test.each(pumps)('a conversation of %j', { timeout }, (part) => {
    const long = pump(part, 500_000)
    const args = {
      to: 'ann@example.com',
      amount: 1500,
      phone: '+49 30 1234567',
      iban: 'DE89370400440532013000',
      url: 'https://a.example/x',
      id: 'a1 b2',
      name: 'Ann Lee',
    }
    const sourced = Object.keys(args).map((name) => [
      name,
      { source: 'conversation', description: `The ${name}.` },
    ])
    const pay = tool('pay', Object.fromEntries(sourced))
    for (const content of [
      long,
      `${long}${Object.values(args)}`,
      `1500${long}ann@example.com${long}DE89 3704`,
    ]) {
      const messages = [{ role: 'user' as const, content }]
      const { verdict } = checkProvenance({ tool: pay, args, tools: [pay], turnStart: 0, messages })
      expect(['ask', 'run']).toContain(verdict)
    }
  })
})

test('four megabytes of arguments are read or refused at once', { timeout }, () => {
  for (const part of ['x', ' ', '\\n', '1', '",', '{', '"a":1,', '//\n']) {
    expect(readArguments(`{"text": "x", "rest": ${pump(part, 4_100_000)}`).ok).toBe(false)
  }
})
