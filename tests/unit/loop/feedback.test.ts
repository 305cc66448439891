import { describe, expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { type ToolError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { countTokens } from '../../../shared/engine/wording/count-tokens.ts'
import { formatToolError } from '../../../shared/engine/wording/format-tool-error.ts'

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

test.each(['the recipient email address', 'Please provide the recipient email address.'])(
  'a hint like "%s" becomes a sentence',
  (hint) => {
    const { to } = gmail.parameters.properties ?? {}
    const properties = { to: { ...(to as JsonSchema), hint } }
    const tool = { ...gmail, parameters: { ...gmail.parameters, properties, required: ['to'] } }
    expect(errorOf({}, tool).error).toBe(
      'Question: Who should I send this email to? Please provide the recipient email address.',
    )
  },
)

test('what is wrong comes before what could be repaired', () => {
  const prepared = prepareToolCall({
    name: 'Gmail-Send-Email',
    rawArguments: "{'subject': 'Meeting', 'body': 5}",
    tools: [gmail],
  })
  if (prepared.ok) throw new Error('This call is valid.')
  expect(formatToolError(prepared.error, first).split('\n')[1]).toMatch(
    /^gmail_send_email, attempt 1 of 3: missing_parameter "to" \(string, email\); /,
  )
  const wrongType = {
    ...gmail,
    parameters: { type: 'object', properties: { count: { type: 'string' } } },
  } as const
  const typed = prepareToolCall({ name: 'gmailSendEmail', rawArguments: '{"count": 5}', tools: [wrongType] })
  if (typed.ok) throw new Error('This call is valid.')
  expect(formatToolError(typed.error, first)).toContain('Parameter "count": expected string, received number')
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

/** Six required parameters of any names and descriptions. */
function six(name: string, parameter: (index: number) => [string, JsonSchema]): ToolSpecification {
  const properties = Object.fromEntries(Array.from({ length: 6 }, (_, index) => parameter(index)))
  const required = Object.keys(properties)
  return {
    name,
    description: '',
    effect: 'write',
    parameters: { type: 'object', properties, required, additionalProperties: false },
  }
}

const chatty = `This parameter, which is always to be given, says which aspect of the record is meant ${'and so on '.repeat(60)}`
const toolsOfSix: ToolSpecification[] = [
  gmail,
  six('long_descriptions', (index) => [`value_${index}`, { type: 'string', description: chatty }]),
  six('a_name_of_the_sixty_four_characters_that_providers_let_a_tool_have', (index) => [
    `a_parameter_whose_name_is_a_sentence_number_${index}`,
    { type: index % 2 === 0 ? 'integer' : 'array', description: chatty },
  ]),
  six('choices', (index) => [
    `choice_${index}`,
    { enum: Array.from({ length: 90 }, (_, value) => `OPTION_${index}_${value}`) },
  ]),
  six('patterns', (index) => [
    `id_${index}`,
    { type: 'string', pattern: '^(?:[A-Za-z0-9]{4}-){3}[A-Z]{12}$' },
  ]),
  six('注文を作成する', (index) => [
    `項目${index}`,
    { type: 'string', description: '注文を行う顧客の正式な氏名。姓と名の間に空白を入れてください。' },
  ]),
  six('отправить', (index) => [
    `поле${index}`,
    { type: 'string', hint: `Полный текст сообщения для получателя. ${'Ещё слово. '.repeat(40)}` },
  ]),
]

const faults: [string, (names: string[]) => unknown][] = [
  ['everything missing', () => ({})],
  ['one of the wrong type', ([first = '']) => ({ [first]: { a: 'b' } })],
  ['everything of the wrong type', (names) => Object.fromEntries(names.map((name) => [name, { a: 1 }]))],
  ['an unknown name', ([first = '']) => ({ [first]: 'x', something_else: 'high', another: 'y' })],
  [
    'blanks and wrong values',
    (names) => Object.fromEntries(names.map((name, index) => [name, index < 3 ? ' ' : 'nothing that fits'])),
  ],
  ['a cut text', ([first = '']) => `{"${first}": "ada@example.com", "subject": "Mee`],
  ['no arguments at all', () => 'I would like to send an e-mail to Ada, please'],
]

describe.each(toolsOfSix.map((tool) => ({ tool, name: tool.name })))(
  'feedback stays small: $name',
  ({ tool }) => {
    test.each(faults)('%s', (_, argumentsOf) => {
      const error = errorOf(argumentsOf(Object.keys(tool.parameters.properties ?? {})), tool)
      const history = [error, error]
      for (const [attempt, limit] of [
        [1, 90],
        [2, 180],
        [3, 280],
      ] as const) {
        const text = formatToolError(error, {
          attempt,
          maxAttempts: 3,
          tool,
          history: history.slice(0, attempt - 1),
        })
        expect(countTokens(withoutCorrection(text))).toBeLessThanOrEqual(limit)
        expect(text).toMatch(/^Question: \S.*\n.+, attempt \d of 3: \w+/)
      }
    })
  },
)

test('a list of tools is cut only where a call is proposed', () => {
  const others = Array.from({ length: 20 }, (_, index) => ({
    ...gmail,
    name: `archive_the_old_documents_of_year_${index}`,
  }))
  const feedback = (name: string) => {
    const prepared = prepareToolCall({ name, rawArguments: '{}', tools: [gmail, ...others] })
    if (prepared.ok) throw new Error('The name was repaired.')
    return formatToolError(prepared.error, { ...first, tool: name })
  }
  expect(feedback('translate').match(/documents_of_year/g)?.length).toBeGreaterThan(13)
  expect(countTokens(withoutCorrection(feedback('gmail_send_mail')))).toBeLessThanOrEqual(90)
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

test('errors of the clock and of nobody are sentences, not questions', () => {
  const text = formatToolError(toolError('unavailable', 'The search is down.'), first)
  expect(text).toBe(
    'The search is down.\ngmail_send_email: unavailable. It may work later. Do not call it again now; tell the user.',
  )
})
