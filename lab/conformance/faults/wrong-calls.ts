import { callTool, say } from '../../../support/model-reply.ts'
import type { FaultScript } from '../fault.ts'
import { mail, search } from './calls.ts'

const { to: _to, ...withoutTo } = mail
const sent = say('Sent.')

export const wrongCalls: readonly FaultScript[] = [
  {
    name: 'unknown tool with a close name',
    script: [callTool('send_mail', mail), callTool('send_email', mail), sent],
    expect: {
      ends: 'completed',
      ran: [['send_email', mail]],
      requests: 3,
      errors: ['tool_not_found'],
      saw: ['There is no tool "send_mail"', 'Call send_email like this: {"to":"ada@example.com"'],
    },
  },
  {
    name: 'unknown tool that resembles nothing',
    script: [callTool('analyzeDom', {}), say('I cannot do that.')],
    expect: {
      ends: 'completed',
      ran: [],
      requests: 2,
      errors: ['tool_not_found'],
      saw: ['There is no tool "analyzeDom"', 'send_email', 'web_search', 'archive_emails'],
    },
  },
  {
    name: 'tool name in another spelling',
    script: [callTool('sendEmail', mail), sent],
    expect: { ends: 'completed', ran: [['send_email', mail]], requests: 2, errors: [] },
  },
  {
    name: 'missing parameter',
    script: [callTool('send_email', withoutTo), callTool('send_email', mail), sent],
    expect: {
      ends: 'completed',
      ran: [['send_email', mail]],
      requests: 3,
      errors: ['missing_parameter'],
      saw: [
        'Question: Who should I send this email to? Please provide the recipient email address.',
        'send_email, attempt 1 of 3: missing_parameter "to" (string, email).',
        '{"to":"<recipient email address>","subject":"Meeting","body":"We meet at ten."}',
      ],
    },
  },
  {
    name: 'all parameters missing',
    script: [callTool('web_search', {}), callTool('web_search', search), say('Found.')],
    expect: {
      ends: 'completed',
      ran: [['web_search', search]],
      requests: 3,
      errors: ['missing_parameter'],
      saw: ['missing_parameter "query"'],
    },
  },
  {
    name: 'blank required text',
    script: [callTool('web_search', { query: '  ' }), callTool('web_search', search), say('Found.')],
    expect: { ends: 'completed', ran: [['web_search', search]], requests: 3, errors: ['invalid_value'] },
  },
  {
    name: 'wrong type',
    script: [callTool('web_search', { query: 123 }), callTool('web_search', search), say('Found.')],
    expect: {
      ends: 'completed',
      ran: [['web_search', search]],
      requests: 3,
      errors: ['invalid_type'],
      saw: ['must be a string, got number', 'Parameter "query": expected string, received number'],
    },
  },
  {
    name: 'number written as text',
    script: [callTool('web_search', { query: 'deno', count: '5' }), say('Found.')],
    expect: {
      ends: 'completed',
      ran: [['web_search', { query: 'deno', count: 5 }]],
      requests: 2,
      errors: [],
    },
  },
  {
    name: 'value that is none of the choices',
    script: [
      callTool('web_search', { query: 'deno', period: 'decade' }),
      callTool('web_search', { query: 'deno', period: 'year' }),
      say('Found.'),
    ],
    expect: {
      ends: 'completed',
      ran: [['web_search', { query: 'deno', period: 'year' }]],
      requests: 3,
      errors: ['invalid_value'],
      saw: ['"day"', '"year"'],
    },
  },
  {
    name: 'no email address',
    script: [callTool('send_email', { ...mail, to: 'ada' }), callTool('send_email', mail), sent],
    expect: {
      ends: 'completed',
      ran: [['send_email', mail]],
      requests: 3,
      errors: ['invalid_value'],
      saw: ['email address format'],
    },
  },
  {
    name: 'unknown parameter instead of a required one',
    script: [callTool('send_email', { ...withoutTo, recipent: mail.to }), callTool('send_email', mail), sent],
    expect: { ends: 'completed', ran: [['send_email', mail]], requests: 3 },
  },
]
