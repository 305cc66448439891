import { describe, expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import type { ToolError } from '../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { asSent } from '../../../shared/engine/wording/corrected-call.ts'
import { formatToolError } from '../../../shared/engine/wording/format-tool-error.ts'

const secret = 'Tr0ub4dor&3'

function toolWith(name: string, schema: JsonSchema): ToolSpecification {
  const properties = { [name]: schema, port: { type: 'integer' } }
  return {
    name: 'connect',
    description: '',
    effect: 'write',
    parameters: { type: 'object', properties, required: [name, 'port'], additionalProperties: false },
  }
}

function errorOf(tool: ToolSpecification, args: unknown): ToolError {
  const prepared = prepareToolCall({ name: tool.name, rawArguments: JSON.stringify(args), tools: [tool] })
  if (prepared.ok) throw new Error('This call is valid.')
  return prepared.error
}

/** Everything that anybody reads of an error; the correction itself is the call, kept as it is. */
function shown(error: ToolError, tool: ToolSpecification): string {
  const { correction: _, ...details } = error.details
  const options = { attempt: 3, maxAttempts: 3, tool, history: [error, error] }
  const texts = [1, 2, 3].map((level) => formatToolError(error, { ...options, level }))
  const alone = formatToolError(error, { ...options, openIntents: 2 })
  return JSON.stringify([error.error, details, texts, alone])
}

const text: JsonSchema = { type: 'string' }
const secretPlaces: [string, JsonSchema][] = [
  ['password', text],
  ['smtpPassword', text],
  ['pwd', text],
  ['api_key', text],
  ['openaiApiKey', text],
  ['X-API-Key', text],
  ['access_token', text],
  ['token', text],
  ['Authorization', text],
  ['client_secret', text],
  ['private-key', text],
  ['db_credentials', text],
  ['key', { ...text, description: 'Your OpenWeatherMap API key' }],
  ['login', { ...text, format: 'password' }],
  ['answer', { ...text, writeOnly: true }],
  ['code', { anyOf: [{ type: 'string', format: 'password' }, { type: 'null' }] }],
]

describe('a secret is never shown', () => {
  test.each(secretPlaces)('%s %j, kept beside another fault', (name, schema) => {
    const tool = toolWith(name, schema)
    const error = errorOf(tool, { [name]: secret, port: 'smtp' })
    expect(shown(error, tool)).not.toContain(secret)
    expect(formatToolError(error, { attempt: 1, maxAttempts: 3, tool })).toContain(asSent)
  })

  test.each(secretPlaces)('%s %j, at fault itself', (name, schema) => {
    const tool = toolWith(name, { ...schema, maxLength: 3 })
    const error = errorOf(tool, { [name]: secret, port: 25 })
    expect(shown(error, tool)).not.toContain(secret)
  })

  test.each(secretPlaces)('%s %j, inside what is at fault', (name, schema) => {
    const login = {
      type: 'object',
      properties: { [name]: schema, user: { type: 'string' } },
      maxProperties: 1,
    }
    const tool = toolWith('login_data', login)
    const error = errorOf(tool, { login_data: { user: 'ada', [name]: secret }, port: 25 })
    expect(shown(error, tool)).not.toContain(secret)
  })

  test('in a text that could not be read', () => {
    const tool = toolWith('password', text)
    const rawArguments = `{"port": 25, "password": "${secret}", "x": `
    const prepared = prepareToolCall({ name: tool.name, rawArguments, tools: [tool] })
    if (prepared.ok) throw new Error('This call is valid.')
    expect(shown(prepared.error, tool)).not.toContain(secret)
  })
})

test.each(['page_token', 'max_tokens', 'nextPageToken', 'key', 'compass', 'author'])(
  '%s is no secret',
  (name) => {
    const tool = toolWith(name, text)
    const error = errorOf(tool, { [name]: 'CAUQAA', port: 'smtp' })
    expect(formatToolError(error, { attempt: 1, maxAttempts: 3, tool })).toContain('CAUQAA')
  },
)

test('a secret sent back as it was shown is the secret, and missing where it does not resolve', () => {
  const tool = toolWith('password', text)
  const rawArguments = JSON.stringify({ password: asSent, port: 25 })
  const call = { name: tool.name, rawArguments, tools: [tool] }
  const slots = { shown: new Set<string>(), kept: { password: secret } }
  expect(prepareToolCall({ ...call, slots })).toMatchObject({
    ok: true,
    args: { password: secret, port: 25 },
  })
  expect(prepareToolCall(call)).toMatchObject({ ok: false, error: { errorType: 'missing_parameter' } })
})
