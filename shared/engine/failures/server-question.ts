import { plainLine } from '../../words/quoted-value.ts'
import { clipText } from '../core/clip-text.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import type { ParkedQuestion, ServerRequest } from '../core/server-question.ts'
import { storableJson } from '../core/storable-json.ts'
import { saidError, type ToolError } from '../core/tool-error.ts'
import { withoutNothing } from '../core/without-nothing.ts'
import { isSecretPlace } from '../schema/secret-place.ts'
import { withoutLinks } from '../wording/question-for-people.ts'

/** What a server may have stored with a question. */
const limits = {
  /** Bytes, and so is `requests`: its questions as it has sent them. */
  state: 32 * 1024,
  requests: 64 * 1024,
  questions: 5,
  fields: 30,
  choices: 100,
  /** Characters of names, and of texts that a field begins with. */
  name: 200,
  text: 4000,
}
/** Characters that people read of its words. */
const shown = { message: 1000, title: 100, description: 300, choice: 100 }
/** Characters of its words in a sentence, which the model reads, too. */
const inSentence = 300

/** Why a question of a server is not asked. */
type Unfit = 'size' | 'fields' | 'secret' | 'shape'

/** Formats that forms of MCP know. */
const formats: readonly unknown[] = ['email', 'uri', 'date', 'date-time']

/**
 * An error whose server asks the user something, and what it asks; or the error that says why that is not asked. Any other
 * error is returned as it is.
 */
export function readServerQuestion(error: ToolError): { error: ToolError; parked?: ParkedQuestion } {
  const { parked: asked, ...details } = error.details
  if (!asked) return { error }
  const server = hostOf(details.asked?.values?.server)
  const requests = readRequests(asked)
  if (typeof requests === 'string') {
    const said = { code: 'server_question_unfit', values: { server, why: requests } } as const
    return { error: saidError('execution_error', said) }
  }
  const [first] = requests
  const values = withoutNothing({
    server,
    message: clipText(first?.message ?? '', inSentence) || undefined,
    page: first?.url && new URL(first.url).host,
  })
  const said = { code: 'server_asks', values } as const
  return {
    error: saidError('missing_parameter', said, { resolver: 'user' }),
    parked: {
      question: { host: server, requests },
      ...withoutNothing({ state: asked.state }),
    },
  }
}

function hostOf(server: unknown): string {
  return typeof server === 'string' ? plainLine(server).slice(0, limits.name) : ''
}

function readRequests({
  state,
  requests,
}: NonNullable<ToolError['details']['parked']>): ServerRequest[] | Unfit {
  const isSmall = bytesOf(state ?? '') <= limits.state && bytesOf(JSON.stringify(requests)) <= limits.requests
  if (!isSmall) return 'size'
  // What goes back has to be what has come.
  const kept = JSON.stringify([state, Object.keys(requests)])
  if (storableJson(kept) !== kept) return 'shape'
  const asked = Object.entries(requests)
  if (asked.length === 0 || asked.length > limits.questions) return 'shape'
  const read = asked.map(([key, request]) => readRequest(key, request))
  const unfit = read.find((one) => typeof one === 'string')
  if (unfit !== undefined) return unfit
  const known = read.filter((one) => typeof one !== 'string')
  const fields = known.flatMap(({ form }) => Object.keys(form?.properties ?? {}))
  return fields.length > limits.fields ? 'fields' : known
}

function readRequest(key: string, request: unknown): ServerRequest | Unfit {
  if (!isObject(request) || request.method !== 'elicitation/create' || !isObject(request.params))
    return 'shape'
  const { mode = 'form', message, url, requestedSchema } = request.params
  const about = { key, message: words(message, shown.message) ?? '' }
  if (mode === 'url') return isPage(url) ? { ...about, url } : 'shape'
  if (mode !== 'form' || !isObject(requestedSchema)) return 'shape'
  const form = readForm(requestedSchema)
  return typeof form === 'string' ? form : { ...about, form }
}

/** A page that may be opened: which ones are, whoever talks to the server has found out. */
function isPage(url: unknown): url is string {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** Made anew, of nothing but what a form of MCP may have. */
function readForm({ properties = {}, required = [] }: Record<string, unknown>): JsonSchema | Unfit {
  if (!isObject(properties) || !Array.isArray(required)) return 'shape'
  const declared = Object.entries(properties)
  if (declared.length > limits.fields) return 'fields'
  const fields: [string, JsonSchema][] = []
  for (const [name, schema] of declared) {
    if (name === '' || name.length > limits.name || !isObject(schema)) return 'shape'
    if (isSecretPlace([name], schema) || isSecretPlace([String(schema.title ?? '')], schema)) return 'secret'
    const field = readField(schema)
    if (!field) return 'shape'
    fields.push([
      name,
      { title: words(schema.title, shown.title) ?? words(name, shown.title) ?? '?', ...field },
    ])
  }
  const names = new Set(fields.map(([name]) => name))
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: required.filter((name) => names.has(name)),
    additionalProperties: false,
  }
}

function readField(schema: Record<string, unknown>): JsonSchema | undefined {
  const field = readShape(schema)
  if (!field) return undefined
  const description = words(schema.description, shown.description)
  const usual = readDefault(schema.default, field)
  return { ...field, ...withoutNothing({ description, default: usual }) }
}

function readShape(schema: Record<string, unknown>): JsonSchema | undefined {
  const { type, format, items, minItems, maxItems, minLength, maxLength, minimum, maximum } = schema
  if (type === 'array') {
    const choices = isObject(items) ? readChoices(items) : undefined
    return choices && { type, items: { type: 'string', ...choices }, ...numbers({ minItems, maxItems }) }
  }
  if (type === 'string') {
    const hasChoices = schema.enum !== undefined || schema.oneOf !== undefined || schema.anyOf !== undefined
    if (hasChoices) {
      const choices = readChoices(schema)
      return choices && { type, ...choices }
    }
    const known = formats.includes(format) ? { format: String(format) } : {}
    // Empty text is a value for a server that does not say otherwise.
    return { type, minLength: 0, ...numbers({ minLength, maxLength }), ...known }
  }
  if (type === 'number' || type === 'integer') return { type, ...numbers({ minimum, maximum }) }
  return type === 'boolean' ? { type } : undefined
}

/** Choices as plain texts, or each with its title. */
function readChoices(schema: Record<string, unknown>): Pick<JsonSchema, 'enum' | 'choices'> | undefined {
  const { enum: plain, enumNames = [], oneOf, anyOf = oneOf } = schema
  const named: unknown[] | undefined = Array.isArray(plain)
    ? plain.map((value, index) => ({ const: value, title: (enumNames as unknown[])[index] }))
    : (anyOf as unknown[] | undefined)
  if (!Array.isArray(named) || named.length === 0 || named.length > limits.choices) return undefined
  const titles: Record<string, string> = {}
  const values: string[] = []
  for (const one of named) {
    const value = isObject(one) ? one.const : undefined
    if (!isObject(one) || typeof value !== 'string' || value.length > limits.name) return undefined
    values.push(value)
    Object.defineProperty(titles, value, {
      value: words(one.title, shown.choice) ?? words(value, shown.choice) ?? '–',
      ...{ enumerable: true, configurable: true, writable: true },
    })
  }
  return { enum: [...new Set(values)], choices: titles }
}

/** What a server proposes, if its field takes that. */
function readDefault(value: unknown, { type, enum: choices, items }: JsonSchema): unknown {
  if (choices) return choices.includes(value) ? value : undefined
  if (type === 'array') {
    const known = isObject(items) && Array.isArray(items.enum) ? items.enum : []
    return Array.isArray(value) && value.every((one) => known.includes(one)) ? value : undefined
  }
  if (type === 'string') return typeof value === 'string' && value.length <= limits.text ? value : undefined
  if (type === 'integer') return Number.isInteger(value) ? value : undefined
  return typeof value === type ? value : undefined
}

function numbers(given: Record<string, unknown>): Record<string, number> {
  const known = Object.entries(given).filter(([, value]) => Number.isFinite(value))
  return Object.fromEntries(known) as Record<string, number>
}

/** A server's words on one line, without links and hidden marks; undefined for none. */
function words(text: unknown, most: number): string | undefined {
  if (typeof text !== 'string') return undefined
  // What is far behind the end is not searched.
  const line = clipText(withoutLinks(plainLine(text.slice(0, 4 * most))), most)
  return line === '' ? undefined : line
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
