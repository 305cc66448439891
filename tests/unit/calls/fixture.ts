import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { PreparedCall } from '../../../shared/engine/calls/prepared-call.ts'
import type { Slots } from '../../../shared/engine/calls/repair/resolve-slots.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'

export function tool(
  name: string,
  properties: Record<string, JsonSchema>,
  more: Partial<JsonSchema> = {},
): ToolSpecification {
  const parameters: JsonSchema = { type: 'object', properties, additionalProperties: false, ...more }
  return { name, description: `The tool ${name}.`, effect: 'write', parameters }
}

export const sendEmail = tool(
  'gmail_send_email',
  {
    to: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', format: 'email' },
      question: 'Who should I send this email to?',
      hint: 'Please provide the recipient email address.',
      source: 'conversation',
    },
    subject: {
      type: 'string',
      question: 'What should the subject be?',
      hint: 'Please provide the subject of the email.',
    },
    body: {
      type: 'string',
      question: 'What should the email say?',
      hint: 'Please provide the text of the email.',
    },
    cc: { type: 'array', items: { type: 'string', format: 'email' } },
    importance: { type: 'string', enum: ['low', 'normal', 'high'] },
  },
  { required: ['to', 'subject', 'body'] },
)

export const webSearch = tool(
  'web_search',
  {
    query: {
      type: 'string',
      description: 'The search query.',
      question: 'What should I search for?',
      hint: 'Please provide the search query.',
      aliases: ['q', 'search'],
    },
    count: { type: 'integer', description: 'Number of results.', minimum: 1, maximum: 20 },
    fresh: { type: 'boolean' },
  },
  { required: ['query'] },
)

export function prepare(
  specification: ToolSpecification,
  args: unknown,
  more: { name?: string; slots?: Slots; finishReason?: string; tools?: ToolSpecification[] } = {},
): PreparedCall {
  const rawArguments = typeof args === 'string' ? args : JSON.stringify(args)
  return prepareToolCall({ name: specification.name, rawArguments, tools: [specification], ...more })
}

export function errorOf(prepared: PreparedCall) {
  if (prepared.ok) throw new Error(`The call was prepared: ${JSON.stringify(prepared.args)}`)
  return prepared.error
}

export function argsOf(prepared: PreparedCall) {
  if (!prepared.ok) throw new Error(`The call was refused: ${prepared.error.error}`)
  return prepared.args
}

/** Type and path of every problem. */
export function problemsOf(prepared: PreparedCall): string[] {
  return (errorOf(prepared).details.problems ?? []).map(({ errorType, parameter }) =>
    `${errorType} ${parameter ?? ''}`.trim(),
  )
}
