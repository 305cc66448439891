import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import type { Call } from './fault-case.ts'

/** A call with one known fault. */
export interface Mutation {
  kind: string
  name: string
  rawArguments: string
  /** The schema allows only one reading: it must be repaired. */
  lossless: boolean
  /** A careful guess can restore it. */
  restorable: boolean
  suggestion?: string
}

type Random = () => number
type Arguments = Record<string, unknown>

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const caseForms = [
  (text: string) => text.toUpperCase(),
  (text: string) => text.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  (text: string) => text.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase(),
  (text: string) => text.replaceAll('_', '-'),
  (text: string) => text.replaceAll('_', ''),
  (text: string) => text.charAt(0).toUpperCase() + text.slice(1),
]

/** Makes one letter wrong, missing, doubled or swapped, but never the first. */
function misspell(text: string, random: Random): string {
  const letters = [...text]
  const places = letters
    .map((_, index) => index)
    .filter((index) => index > 0 && /[a-z]/i.test(letters[index] ?? ''))
  if (places.length < 3) return text
  const at = pick(random, places)
  const kind = Math.floor(random() * 4)
  if (kind === 0) letters.splice(at, 1)
  else if (kind === 1) letters.splice(at, 0, letters[at] ?? '')
  else if (kind === 2) letters[at] = pick(random, [...'abcdefghijklmnopqrstuvwxyz'])
  else [letters[at], letters[at - 1]] = [letters[at - 1] ?? '', letters[at] ?? '']
  return letters.join('')
}

const extras: [string, unknown][] = [
  ['thinking', 'The user wants this.'],
  ['max_retries', 3],
  ['verbose_output', true],
  ['session', 'abc'],
  ['confidence', 0.9],
  ['callback', null],
  ['async', false],
  ['tags', ['a']],
]

const numberWords = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** The call with each fault that can be made in it, one at a time. */
export function mutateCall(tool: ToolSpecification, call: Call, random: Random): Mutation[] {
  const schema = tool.parameters
  const required = schema.required ?? []
  const found: Mutation[] = []
  const add = (kind: string, args: unknown, facts: Partial<Mutation> = {}) =>
    found.push({
      kind,
      name: call.name,
      rawArguments: typeof args === 'string' ? args : JSON.stringify(args),
      lossless: false,
      restorable: false,
      ...facts,
    })
  const args = call.arguments
  const names = Object.keys(args).filter((name) => schema.properties?.[name])
  for (const name of names) {
    const member = schema.properties?.[name] as JsonSchema
    if (required.includes(name)) {
      add('drop', without(args, name))
      add('null', { ...args, [name]: null })
    }
    const renamed = pick(random, caseForms)(name)
    if (renamed !== name && !(renamed in args))
      add('name case', rename(args, name, renamed), { lossless: true, suggestion: name })
    const slip = misspell(name, random)
    if (slip !== name && !(slip in args))
      add('name slip', rename(args, name, slip), { restorable: name.length > 3, suggestion: name })
    for (const value of wrongValues(member, args[name], random)) {
      add(value.kind, { ...args, [name]: value.value }, value)
    }
  }
  for (const name of Object.keys(schema.properties ?? {})) {
    if (!(name in args)) add('optional null', { ...args, [name]: null }, { lossless: true })
  }
  const [extra, value] = pick(random, extras)
  if (!(extra in (schema.properties ?? {}))) add('extra', { ...args, [extra]: value }, { restorable: true })
  add('wrapper', { [pick(random, ['parameters', 'input', 'kwargs', 'payload'])]: args }, { restorable: true })
  for (const form of caseForms)
    if (form(call.name) !== call.name)
      add('tool case', args, { name: form(call.name), lossless: true, suggestion: call.name })
  add('tool namespace', args, {
    name: `${pick(random, ['functions.', 'default_api:', 'mcp__x__', 'tools/'])}${call.name}`,
    lossless: true,
    suggestion: call.name,
  })
  const toolSlip = misspell(call.name, random)
  if (toolSlip !== call.name)
    add('tool slip', args, { name: toolSlip, restorable: true, suggestion: call.name })
  const text = JSON.stringify(args)
  add('trailing comma', text.replace(/\}$/, ',}'), { lossless: text.length > 2 })
  add('code fence', `\`\`\`json\n${text}\n\`\`\``, { lossless: true })
  return found
}

interface WrongValue extends Partial<Mutation> {
  kind: string
  value: unknown
}

function wrongValues(schema: JsonSchema, value: unknown, random: Random): WrongValue[] {
  const wrong: WrongValue[] = []
  if (typeof value === 'number') {
    wrong.push({ kind: 'number text', value: String(value), lossless: true })
    wrong.push({
      kind: 'number unit',
      value: `${value} ${pick(random, ['units', 'pieces', 'px', 'items'])}`,
      restorable: true,
    })
    wrong.push({ kind: 'number list', value: [value], restorable: true })
    wrong.push({ kind: 'number object', value: { amount: value }, restorable: true })
    if (value >= 1000)
      wrong.push({
        kind: 'thousands',
        value: value.toLocaleString('en-US', { maximumFractionDigits: 20 }),
        restorable: true,
      })
    if (Number.isInteger(value) && numberWords[value])
      wrong.push({ kind: 'number word', value: numberWords[value], restorable: true })
    if (schema.type === 'integer') wrong.push({ kind: 'fraction', value: value + 0.5 })
    wrong.push({ kind: 'number placeholder', value: pick(random, ['N/A', 'unknown', '{{value}}', 'a few']) })
  }
  if (typeof value === 'boolean') {
    wrong.push({ kind: 'boolean text', value: value ? 'True' : 'false', lossless: true })
    wrong.push({ kind: 'yes or no', value: value ? 'yes' : 'no', restorable: true })
  }
  if (typeof value === 'string') {
    wrong.push({ kind: 'text list', value: [value], restorable: true })
    wrong.push({ kind: 'text object', value: { value }, restorable: true })
    if (schema.enum) wrong.push(...wrongChoices(value, random))
    if (/^\d{1,15}$/.test(value) && !value.startsWith('0'))
      wrong.push({ kind: 'text number', value: Number(value), restorable: true })
  }
  if (Array.isArray(value) && value.length > 0) {
    wrong.push({ kind: 'list text', value: JSON.stringify(value), lossless: true })
    if (value.length === 1 && !/[,;\n]/.test(String(value[0])))
      wrong.push({
        kind: 'one item',
        value: value[0],
        lossless: typeof value[0] !== 'object',
        restorable: true,
      })
    if (value.length > 1 && typeof value[0] === 'number')
      wrong.push({ kind: 'comma list', value: value.join(', '), restorable: true })
  }
  return wrong
}

function wrongChoices(value: string, random: Random): WrongValue[] {
  const wrong: WrongValue[] = []
  const cased = pick(random, [value.toUpperCase(), value.toLowerCase(), ` ${value}`, `${value}\n`])
  if (cased !== value) wrong.push({ kind: 'choice case', value: cased, lossless: true, suggestion: value })
  const slip = misspell(value, random)
  if (value.length > 4 && slip !== value)
    wrong.push({ kind: 'choice slip', value: slip, restorable: true, suggestion: value })
  wrong.push({ kind: 'no choice', value: pick(random, ['something else entirely', 'foo', '???']) })
  return wrong
}

function without(args: Arguments, name: string): Arguments {
  const { [name]: _removed, ...rest } = args
  return rest
}

function rename(args: Arguments, from: string, to: string): Arguments {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name === from ? to : name, value]))
}
