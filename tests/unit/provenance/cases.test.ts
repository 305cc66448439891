import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import { checkProvenance } from '../../../shared/engine/provenance/check-provenance.ts'
import { type ConversationCase, conversations, type Step } from './conversation-cases.ts'
import {
  accounts,
  addresses,
  amounts,
  ibans,
  identifiers,
  phones,
  urls,
  type ValueCase,
} from './value-cases.ts'

const source = 'conversation'
const email: JsonSchema = { type: 'string', format: 'email', source }
const emails: JsonSchema = { type: 'array', items: { type: 'string', format: 'email' }, source }

function tool(
  name: string,
  properties: Record<string, JsonSchema>,
  rest: Partial<ToolSpecification> & { $defs?: Record<string, JsonSchema>; else?: JsonSchema } = {},
): ToolSpecification {
  const { $defs, else: otherwise, ...facts } = rest
  const parameters: JsonSchema = {
    type: 'object',
    properties,
    ...($defs && { $defs }),
    ...(otherwise && { else: otherwise }),
  }
  return { name, description: name, effect: 'write', parameters, ...facts }
}

const text: JsonSchema = { type: 'string' }
const headers = ['from', 'to', 'cc']
const tools: ToolSpecification[] = [
  tool('send', { to: email, subject: text, body: text }),
  tool('mail', { to: emails, cc: emails, bcc: emails, body: text }),
  tool('report', { to: { ...emails, default: ['team@x.example'] } }),
  tool('sms', { phone: { type: 'string', description: 'E.164 number of the recipient', source }, text }),
  tool('pay', {
    amount: { type: 'number', source },
    iban: { type: 'string', description: 'IBAN of the payee', source },
  }),
  tool('wire', { account_number: { type: 'string', source } }),
  tool('round', { cents: { type: 'integer', description: 'price in cents', source } }),
  tool('call', { phone: { type: 'integer', source } }),
  tool('donate', { amount: { type: 'number', default: 25, source } }),
  tool('post', { url: { type: 'string', format: 'uri', source } }),
  tool('append', { document_id: { type: 'string', description: 'id of the document', source } }),
  tool('ticket', { contact: text }),
  tool('invite', {
    attendees: {
      type: 'array',
      items: { type: 'object', properties: { email, optional: { type: 'boolean' } } },
    },
  }),
  tool('payout', {
    payee: {
      type: 'object',
      source,
      properties: {
        name: text,
        email: { type: 'string', format: 'email' },
        urgent: { type: 'boolean' },
        kind: { type: 'string', enum: ['person', 'firm'] },
        lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } },
      },
    },
  }),
  tool(
    'referred',
    { to: { $ref: '#/$defs/person' } },
    { $defs: { person: { type: 'object', properties: { email, next: { $ref: '#/$defs/person' } } } } },
  ),
  tool('anchored', { to: { $ref: '#address' } }, { $defs: { address: { $anchor: 'address', ...email } } }),
  tool('unescaped', { to: { $ref: '#/$defs/100%' } }, { $defs: { '100%': email } }),
  tool('either', { to: { anyOf: [email, { type: 'array', items: email }] } }),
  tool('both', { to: { allOf: [{ type: 'string' }, { source }] } }),
  tool('map', { numbers: { type: 'object', source, additionalProperties: { type: 'string' } } }),
  tool('prefixed', { eur: { type: 'object', patternProperties: { '^eur_': { type: 'number', source } } } }),
  tool('conditional', { to: text }, { else: { properties: { to: { source } } } }),
  tool('shares', {
    of: { type: 'object', propertyNames: { source }, additionalProperties: { type: 'number' } },
  }),
  tool('contacts', {}, { effect: 'read', trustedOutput: ['contacts[*].phones[*]', 'contacts[*].note'] }),
  tool('draft', { to: text }),
  tool('write', { to: { type: 'string', source } }),
  tool('tuple', { pair: { type: 'array', prefixItems: [email, email] } }),
  tool('read', {}, { effect: 'read', trustedOutput: headers.map((path) => `messages[*].${path}`) }),
  tool('get', {}, { effect: 'read', trustedOutput: headers }),
  tool('threads', {}, { effect: 'read', trustedOutput: ['threads[*].messages[*].from'] }),
  tool('fetch', { url: text }, { effect: 'read' }),
  tool('lookup', { email }, { effect: 'read' }),
]

function named(name: string): ToolSpecification {
  const found = tools.find((one) => one.name === name)
  if (!found) throw new Error(`The cases know no tool "${name}"`)
  return found
}

let ids = 0

function messagesOf(step: Step): ChatMessage[] {
  if (typeof step === 'string') return [{ role: 'user', content: step }]
  if ('system' in step) return [{ role: 'system', content: step.system }]
  if ('assistant' in step) return [{ role: 'assistant', content: step.assistant }]
  if ('parts' in step) return [{ role: 'user', content: step.parts } as ChatMessage]
  const calls = ('together' in step ? step.together : [step]).map((call) => ({ ...call, id: `c${++ids}` }))
  const answers = calls.flatMap((call): ChatMessage[] => {
    if (call.gets === undefined) return []
    const isParts = Array.isArray(call.gets) && call.gets[0]?.type === 'text'
    const content = typeof call.gets === 'string' || isParts ? call.gets : JSON.stringify(call.gets)
    return [{ role: 'tool', tool_call_id: call.id, content } as ChatMessage]
  })
  const asked: ChatMessage = {
    role: 'assistant',
    content: null,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.does, arguments: JSON.stringify(call.with ?? {}) },
    })),
  }
  return [asked, ...answers]
}

const user = { name: 'Me Home', email: 'me@home.example', accounts: ['me@work.example', '+49 151 7654321'] }

function verdictOf({ steps, call: [name, args], confirmed }: Omit<ConversationCase, 'is' | 'expect'>) {
  const messages = steps.flatMap(messagesOf)
  const turnStart = messages.findLastIndex((message) => message.role === 'user')
  const found = checkProvenance({
    tool: named(name),
    args,
    messages,
    tools,
    turnStart,
    user,
    confirmed: confirmed?.flat() as string[],
  })
  if (found.verdict === 'run') return 'run'
  return { [found.verdict]: found.values.map((value) => value.path) }
}

describe.each([
  ['an e-mail address', addresses, 'send', 'to'],
  ['a phone number', phones, 'sms', 'phone'],
  ['an amount', amounts, 'pay', 'amount'],
  ['an IBAN', ibans, 'pay', 'iban'],
  ['an account number', accounts, 'wire', 'account_number'],
  ['a web address', urls, 'post', 'url'],
  ['an identifier', identifiers, 'append', 'document_id'],
] as [string, ValueCase[], string, string][])(
  '%s counts as said only when it is the same',
  (_, cases, name, parameter) => {
    test.each(cases)('%j: %j -> %s', (said, value, verdict) => {
      const found = verdictOf({ steps: [said], call: [name, { [parameter]: value }] })
      expect(found).toEqual(verdict === 'run' ? 'run' : { [verdict]: [parameter] })
    })
  },
)

describe('a conversation decides who is behind a value', () => {
  test.each(conversations)('$is', ({ expect: expected, ...rest }) => {
    expect(verdictOf(rest)).toEqual(expected)
  })
})
