import { isDeepStrictEqual as same } from 'node:util'
import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import type { PreparedCall } from '../../shared/engine/calls/prepared-call.ts'
import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import { type Measurement, readCases, Tally } from './measurement.ts'

interface PollutionCase {
  id: string
  raw_arguments: string
  verdict: 'accept' | 'reject_or_strip' | 'reject_if_undeclared' | 'policy'
}

interface TextCase {
  id: string
  kind: string
  value?: string
  generate?: Record<string, unknown>
  verdict: string
}

const answered = 'hostile input answered in 50 ms without a throw'
const polluted = 'prototypes polluted or reached'
const verdict = 'right verdict on prototype keys'
const verbatim = 'free texts changed'
const milliseconds = 50
/** The best of this many runs counts, because other programs run on this machine too. */
const repetitions = 3

/** Prototype keys, and huge, deep and odd texts. */
export async function measureHostileInput(dir: string): Promise<Measurement[]> {
  const tally = new Tally()
  for (const one of await readCases<PollutionCase>(dir, 'bad-input/json-pollution'))
    measurePollution(one, tally)
  for (const one of await readCases<TextCase>(dir, 'bad-input/unicode-size')) measureText(one, tally)
  for (const [name, rawArguments] of hostileTexts) prepareTimed(name, { type: 'object' }, rawArguments, tally)
  return [
    tally.share(answered, '>= 100 %'),
    tally.failures(polluted),
    tally.share(verdict, '>= 100 %'),
    tally.failures(verbatim),
  ].map((measurement) => ({ ...measurement, name: `bad input: ${measurement.name}` }))
}

const keys = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"key${index}":${index}`).join(',')}}`

const hostileTexts: [name: string, rawArguments: string][] = [
  ['1 MB of [', '['.repeat(1_000_000)],
  ['1 MB of {"a":', '{"a":'.repeat(200_000)],
  ['10,000 keys', keys(10_000)],
  ['100,000 keys', keys(100_000)],
  ['__proto__', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
  ['lone surrogates', '{"\\ud800":"\\udfff","text":"\ud800"}'],
  ['duplicate keys', `{${'"a":1,'.repeat(10_000)}"a":2}`],
  ['1 MB of quotes', '"'.repeat(1_000_000)],
  ['1 MB of backslashes', `{"a":"${'\\'.repeat(1_000_000)}`],
  ['1 MB of blanks', ' '.repeat(1_000_000)],
  ['1 MB of text', 'a '.repeat(500_000)],
]

function prepareTimed(
  label: string,
  parameters: JsonSchema,
  rawArguments: string,
  tally: Tally,
): PreparedCall | undefined {
  const schemas = [parameters, { ...parameters, additionalProperties: false }]
  let prepared: PreparedCall | undefined
  for (const schema of schemas) {
    const tools = [{ name: 'tool', description: '', effect: 'write' as const, parameters: schema }]
    const times: number[] = []
    try {
      for (let run = 0; run < repetitions; run++) {
        const start = performance.now()
        const call = prepareToolCall({ name: 'tool', rawArguments, tools })
        times.push(performance.now() - start)
        prepared ??= call
      }
      const time = Math.min(...times)
      tally.add(answered, time < milliseconds, `${label}: ${time.toFixed(0)} ms`)
    } catch (error) {
      tally.add(answered, false, `${label}: ${String(error)}`)
    }
    tally.add(polluted, !('polluted' in {}) && !('x' in {}) && !('isAdmin' in {}), label)
  }
  return prepared
}

function measurePollution(one: PollutionCase, tally: Tally): void {
  const prepared = prepareTimed(one.id, { type: 'object' }, one.raw_arguments, tally)
  if (!prepared || one.verdict === 'policy') return
  const label = `${one.id} ${one.raw_arguments}`
  if (one.verdict === 'accept') {
    tally.add(verdict, prepared.ok && same(prepared.args, JSON.parse(one.raw_arguments)), label)
  } else if (one.verdict === 'reject_or_strip') {
    tally.add(verdict, !prepared.ok || !/__proto__|"prototype"/.test(JSON.stringify(prepared.args)), label)
  } else {
    const tools = [{ name: 'tool', description: '', effect: 'write' as const, parameters: closedTo(['to']) }]
    tally.add(verdict, !prepareToolCall({ name: 'tool', rawArguments: one.raw_arguments, tools }).ok, label)
  }
}

function closedTo(names: string[]): JsonSchema {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  return { type: 'object', properties, additionalProperties: false }
}

function measureText(one: TextCase, tally: Tally): void {
  const parameters: JsonSchema = {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  }
  if (one.value !== undefined) {
    const prepared = prepareTimed(one.id, parameters, JSON.stringify({ text: one.value }), tally)
    if (one.verdict.startsWith('accept'))
      tally.add(verbatim, !!prepared?.ok && prepared.args.text === one.value, one.id)
    return
  }
  const rawArguments = generated(one.generate ?? {})
  if (rawArguments === undefined) return
  prepareTimed(one.id, parameters, rawArguments, tally)
  const formats = ['uri', 'email', 'date'].map((format) => ({ type: 'string', format }))
  for (const text of formats) {
    prepareTimed(`${one.id} ${text.format}`, { ...parameters, properties: { text } }, rawArguments, tally)
  }
}

/** Builds the arguments that a recipe of the corpus describes. */
function generated(recipe: Record<string, unknown>): string | undefined {
  const count = (name: string) => Number(recipe[name] ?? 0)
  if (recipe.object_keys !== undefined) return keys(count('object_keys'))
  if (recipe.nest_array !== undefined)
    return `{"text":${'['.repeat(count('nest_array'))}${']'.repeat(count('nest_array'))}}`
  if (recipe.nest_object !== undefined)
    return `${'{"a":'.repeat(count('nest_object'))}1${'}'.repeat(count('nest_object'))}`
  if (recipe.array_items !== undefined) return `{"text":[${Array(count('array_items')).fill(1).join(',')}]}`
  if (typeof recipe.repeat !== 'string') return undefined
  const suffix =
    typeof recipe.suffix_repeat === 'string' ? recipe.suffix_repeat.repeat(count('suffix_times')) : ''
  return JSON.stringify({ text: recipe.repeat.repeat(count('times')) + suffix })
}
