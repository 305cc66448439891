import { callTool, fail, say, sayNothing } from '../../../support/model-reply.ts'
import type { FaultScript } from '../fault.ts'
import { mail, search } from './calls.ts'

const { to: _to, ...withoutTo } = mail
const searched = ['web_search', search] as const

export const silentModels: readonly FaultScript[] = [
  {
    name: 'empty first answer',
    script: [sayNothing(), callTool('web_search', search), say('Found.')],
    expect: { ends: 'completed', ran: [searched], requests: 3, saw: ['Your last answer was empty'] },
  },
  {
    name: 'empty answer after a tool',
    script: [callTool('web_search', search), sayNothing(), say('Found.')],
    expect: { ends: 'completed', ran: [searched], requests: 3, says: ['Found.'] },
  },
  {
    name: 'no choices',
    script: [{ noChoices: true }, say('Hello.')],
    expect: { ends: 'completed', ran: [], requests: 2, says: ['Hello.'] },
  },
  {
    name: 'always empty',
    script: [callTool('send_email', mail), sayNothing()],
    expect: { ends: 'failed', ran: [['send_email', mail]], requests: 5, says: ['Done: Send email'] },
  },
  {
    name: 'never corrects a missing parameter',
    script: [callTool('send_email', withoutTo)],
    expect: {
      ends: 'needs_input',
      ran: [],
      requests: 3,
      errors: ['missing_parameter', 'missing_parameter', 'missing_parameter'],
      says: ['Who should I send this email to?'],
    },
  },
  {
    name: 'never corrects unreadable text',
    script: [callTool('send_email', '{"to": "ada@exam')],
    lastWords: 'I could not write the email.',
    expect: {
      ends: 'failed',
      ran: [],
      requests: 4,
      errors: ['malformed_arguments', 'malformed_arguments', 'malformed_arguments'],
      says: ['I could not write the email.'],
    },
  },
  {
    name: 'never stops',
    script: Array.from({ length: 10 }, (_, number) => callTool('web_search', { query: `q${number}` })),
    lastWords: 'I searched ten times and stop here.',
    expect: {
      ends: 'failed',
      ran: Array.from({ length: 10 }, (_, number) => ['web_search', { query: `q${number}` }] as const),
      requests: 11,
      says: ['I searched ten times'],
    },
  },
  {
    name: 'calls written as text',
    script: [
      say('<tool_call>{"name": "web_search", "arguments": {"query": "deno"}}</tool_call>'),
      say('Found.'),
    ],
    expect: { ends: 'completed', ran: [searched], requests: 2, says: ['Found.'] },
  },
  {
    name: 'model answers 500 once',
    script: [fail(500), say('Hello.')],
    expect: { ends: 'completed', ran: [], requests: 2, says: ['Hello.'] },
  },
  {
    name: 'model answers 429 once',
    script: [fail(429, { headers: { 'retry-after': '1' } }), say('Hello.')],
    expect: { ends: 'completed', ran: [], requests: 2, says: ['Hello.'] },
  },
  {
    name: 'model answers 401',
    script: [fail(401)],
    expect: { ends: { rejects: 'llm_api' }, ran: [], requests: 1 },
  },
  {
    name: 'model answers 401 after a tool',
    script: [callTool('send_email', mail), fail(401)],
    expect: { ends: 'failed', ran: [['send_email', mail]], requests: 2, says: ['Done: Send email'] },
  },
  {
    name: 'model is down',
    script: [fail(500)],
    expect: { ends: 'failed', ran: [], requests: 3, says: ['Nothing was carried out'] },
  },
  {
    name: 'answer cut in the middle',
    script: [callTool('send_email', mail, { cut: 'mid-stream' }), callTool('send_email', mail), say('Sent.')],
    expect: { ends: 'completed', ran: [['send_email', mail]], requests: 3, errors: [] },
  },
]
