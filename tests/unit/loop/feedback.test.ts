import { expect, test } from 'vitest'
import { isFeedback } from '../../../shared/errors/feedback-text.ts'
import { formatToolError } from '../../../shared/errors/format-tool-error.ts'
import {
  defaultResolver,
  type ToolError,
  type ToolErrorType,
  toolError,
} from '../../../shared/errors/tool-error.ts'
import { prepareToolCall } from '../../../shared/prepare/prepare-tool-call.ts'
import type { ToolSpecification } from '../../../shared/tools/tool-specification.ts'

const gmail: ToolSpecification = {
  name: 'gmail_send_email',
  description: 'Sends an e-mail.',
  effect: 'write',
  parameters: {
    type: 'object',
    properties: {
      to: {
        type: 'string',
        format: 'email',
        source: 'conversation',
        description: 'Recipient email address',
        question: 'Who should I send this email to?',
        hint: 'Please provide the recipient email address.',
      },
      subject: { type: 'string', description: 'Subject line of the email' },
      body: { type: 'string', description: 'Plain text of the email' },
      cc: { type: 'array', items: { type: 'string', format: 'email' }, description: 'Further recipients' },
      priority: { type: 'string', enum: ['low', 'normal', 'high'], description: 'How urgent the email is' },
      send_at: { type: 'string', format: 'date-time', description: 'When to send it' },
    },
    required: ['to', 'subject', 'body'],
    additionalProperties: false,
  },
}

function errorOf(args: unknown, tool = gmail): ToolError {
  const rawArguments = typeof args === 'string' ? args : JSON.stringify(args)
  const prepared = prepareToolCall({ name: tool.name, rawArguments, tools: [tool] })
  if (prepared.ok) throw new Error('This call is valid.')
  return prepared.error
}

const first = { attempt: 1, maxAttempts: 3, tool: gmail }

/** Counts as OpenAI's o200k splits a text before it merges bytes; long words and runs of marks are several tokens. */
function tokens(text: string): number {
  const pieces = text.match(/[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+/gu) ?? []
  return pieces.reduce(
    (sum, piece) => sum + Math.ceil(piece.trim().length / (/\p{L}/u.test(piece) ? 9 : 3)),
    0,
  )
}

const withoutCorrection = (text: string) => text.replace(/(like this[^:]*:) \{.*\}$/m, '$1')

test('level 1 is the question, one line of facts and the corrected call', () => {
  expect(formatToolError(errorOf({ subject: 'Meeting', body: 'x'.repeat(300) }), first)).toBe(
    [
      'Question: Who should I send this email to? Please provide the recipient email address.',
      'gmail_send_email, attempt 1 of 3: missing_parameter "to" (string, email).',
      'Call it again like this, filled in from the conversation: {"to":"<recipient email address>","subject":"Meeting","body":"<as sent>"}',
      'If the conversation does not say it, ask the user; never invent it.',
    ].join('\n'),
  )
})

test('level 2 adds an excerpt of the schema and an example, level 3 the faults of earlier attempts', () => {
  const error = errorOf({ subject: 'Meeting', body: 'secret text', priority: 'huge' })
  const one = formatToolError(error, first)
  const two = formatToolError(error, { ...first, attempt: 2 })
  const three = formatToolError(error, { ...first, attempt: 3, history: [errorOf({}), errorOf({ to: 3 })] })
  expect(one).not.toContain('Parameters:')
  expect(two).toContain('to (string, email, required)')
  expect(two).toContain('Valid, as an example only: {')
  expect(three).toMatch(/Earlier attempts: 1\. missing_parameter "to".*; 2\. .*invalid_type "to"/)
  expect(three).toContain('attempt 3 of 3')
})

test('the history names paths and faults, never arguments', () => {
  const history = [errorOf({ to: 'somebody-wrong', subject: 'A subject', body: 'b' })]
  const text = formatToolError(errorOf({ subject: 'Meeting', body: 'b' }), { ...first, attempt: 3, history })
  expect(text).not.toContain('somebody-wrong')
})

test.each([
  ['missing', { subject: 'Meeting', body: 'At ten.' }],
  ['wrong format', { to: 'nobody', subject: 'Meeting', body: 'At ten.' }],
  ['wrong type', { to: 'ada@example.com', subject: 5, body: ['x'] }],
  ['wrong choice', { to: 'ada@example.com', subject: 'Meeting', body: 'b', priority: 'huge' }],
  ['unknown name', { to: 'ada@example.com', subject: 'Meeting', body: 'b', importance: 'high' }],
  ['everything missing', {}],
  ['nothing right', { to: 1, subject: 2, body: 3, cc: 4, priority: 5, send_at: 6 }],
  ['cut', '{"to": "ada@example.com", "subject": "Mee'],
])('%s: the feedback of a tool with six parameters stays small', (_, args) => {
  const error = errorOf(args)
  const history = [error, error]
  for (const [attempt, limit] of [
    [1, 90],
    [2, 180],
    [3, 280],
  ] as const) {
    const text = formatToolError(error, { ...first, attempt, history: history.slice(0, attempt - 1) })
    expect(tokens(withoutCorrection(text))).toBeLessThanOrEqual(limit)
  }
})

test('the wordings of the protocol stand in the line of facts', () => {
  const tool: ToolSpecification = {
    name: 'recent_posts',
    description: '',
    effect: 'read',
    parameters: { type: 'object', properties: { count: { type: 'string' } }, required: ['count'] },
  }
  const line = formatToolError(errorOf({ count: 5 }, tool), { ...first, tool }).split('\n')[1]
  expect(line).toContain('must be a string, got number')
  expect(line).toContain('Parameter "count": expected string, received number')
})

test('a correction without open slots is offered as it is, one for another tool by its name', () => {
  const prepared = prepareToolCall({
    name: 'gmail_send_mail',
    rawArguments: JSON.stringify({ to: 'ada@example.com', subject: 'a', body: 'b' }),
    tools: [gmail],
  })
  const error = prepared.ok ? undefined : prepared.error
  if (!error) throw new Error('The name was repaired.')
  const text = formatToolError(error, { ...first, tool: 'gmail_send_mail' })
  expect(text).toContain('Call gmail_send_email like this: {"to":"ada@example.com","subject":"a","body":"b"}')
  expect(text).not.toContain('never invent it')
})

test('a value that must come from the user and a text of 200 characters stay readable', () => {
  const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
  const error = toolError('missing_parameter', 'Question: What about?', {
    details: {
      correction: {
        name: gmail.name,
        arguments: { to: long, subject: '<subject>', body: 'x'.repeat(200) },
        open: ['subject'],
      },
    },
  })
  const text = formatToolError(error, first)
  expect(text).toContain(long)
  expect(text).toContain('x'.repeat(200))
  expect(formatToolError(error, { ...first, openIntents: 2 })).not.toContain('<as sent>')
})

test('long texts inside lists and members are shortened too', () => {
  const error = toolError('missing_parameter', 'Question: To whom?', {
    details: {
      correction: {
        name: 'send',
        arguments: { to: '<to>', parts: [{ text: 'y'.repeat(201) }, 'z'.repeat(300)] },
        open: ['to'],
      },
    },
  })
  const text = formatToolError(error, { ...first, tool: 'send' })
  expect(text).toContain('{"to":"<to>","parts":[{"text":"<as sent>"},"<as sent>"]}')
})

test.each(Object.keys(defaultResolver) as ToolErrorType[])(
  '%s is recognised as feedback afterwards',
  (errorType) => {
    expect(isFeedback(formatToolError(toolError(errorType, 'Something.'), first))).toBe(true)
  },
)

test.each([
  '{"id":"m-1","status":"sent"}',
  'Sent: timeout was 3 s',
  'Meeting notes\nRate: not_found here',
  '',
])('%s is no feedback', (output) => {
  expect(isFeedback(output)).toBe(false)
})

test('errors of the clock and of nobody are sentences, not questions', () => {
  const text = formatToolError(toolError('unavailable', 'The search is down.'), first)
  expect(text).toBe(
    'The search is down.\ngmail_send_email: unavailable. It may work later. Do not call it again now; tell the user.',
  )
})
