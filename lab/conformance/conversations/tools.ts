import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import type { Tool } from '../../../shared/engine/core/tool-specification.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'

const text = (description: string): JsonSchema => ({ type: 'string', description })
const choice = (description: string, ...values: string[]): JsonSchema => ({
  type: 'string',
  enum: values,
  description,
})
const whole = (description: string, minimum: number, maximum: number): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
})
const address: JsonSchema = { type: 'string', format: 'email', description: 'E-mail address' }
const people = (description: string): JsonSchema => ({
  type: 'array',
  items: address,
  minItems: 1,
  description,
  source: 'conversation',
})
const moment = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description })
const currency = (description: string): JsonSchema => ({ type: 'string', pattern: '^[A-Z]{3}$', description })

function tool(
  name: string,
  effect: 'read' | 'write',
  description: string,
  properties: Record<string, JsonSchema>,
  required: string[],
): Tool {
  const parameters: JsonSchema = { type: 'object', properties, required, additionalProperties: false }
  return defineTool({ name, effect, description, parameters, execute: () => ({ done: true }) })
}

/** Everyday tools with the strictness of real ones; they do nothing but say that they did it. */
export const everydayTools: readonly Tool[] = [
  tool(
    'send_email',
    'write',
    'Sends an e-mail.',
    {
      to: people('Recipients'),
      cc: people('Further recipients'),
      subject: text('Subject line'),
      body: text('Plain text'),
    },
    ['to', 'subject', 'body'],
  ),
  tool(
    'create_event',
    'write',
    'Puts an event into the calendar.',
    {
      title: text('Title'),
      start: moment('Start with time zone'),
      duration_minutes: whole('Length in minutes', 5, 480),
      attendees: people('Who is invited'),
    },
    ['title', 'start', 'duration_minutes'],
  ),
  tool(
    'web_search',
    'read',
    'Searches the web.',
    {
      query: text('What to look for'),
      count: whole('Number of results', 1, 10),
      period: choice('How recent', 'day', 'week', 'month', 'year'),
    },
    ['query'],
  ),
  tool(
    'get_weather',
    'read',
    'Weather forecast of a city.',
    { city: text('City'), unit: choice('Unit', 'celsius', 'fahrenheit'), days: whole('Days ahead', 1, 7) },
    ['city', 'unit'],
  ),
  tool(
    'convert_currency',
    'read',
    'Converts an amount.',
    {
      amount: { type: 'number', exclusiveMinimum: 0, description: 'Amount' },
      from: currency('ISO 4217 code'),
      to: currency('ISO 4217 code'),
    },
    ['amount', 'from', 'to'],
  ),
  tool(
    'create_ticket',
    'write',
    'Opens a support ticket.',
    {
      title: text('One line'),
      priority: choice('Priority', 'low', 'normal', 'high', 'urgent'),
      labels: { type: 'array', items: { type: 'string' }, description: 'Labels' },
      due: { type: 'string', format: 'date', description: 'Due date' },
    },
    ['title', 'priority'],
  ),
  tool(
    'set_reminder',
    'write',
    'Sets a reminder.',
    {
      text: text('What to remember'),
      at: moment('When, with time zone'),
      repeat: choice('Repetition', 'none', 'daily', 'weekly'),
    },
    ['text', 'at', 'repeat'],
  ),
  tool(
    'update_contact',
    'write',
    'Changes a contact.',
    {
      name: text('Whose contact'),
      email: address,
      address: {
        type: 'object',
        properties: {
          street: text('Street and number'),
          city: text('City'),
          zip: text('Postcode'),
          country: text('Country'),
        },
        required: ['street', 'city', 'zip'],
        additionalProperties: false,
      },
    },
    ['name'],
  ),
]
