import { callTool, say } from '../../../support/model-reply.ts'
import type { FaultScript } from '../fault.ts'
import { mail, search } from './calls.ts'

const searched = ['web_search', search] as const
const sent = ['send_email', mail] as const
const token = 'sk-live-4f9d8c7b6a5e4d3c2b1a'
const looking = [callTool('web_search', search), say('That did not work.')]

export const toolFailures: readonly FaultScript[] = [
  {
    name: 'connection refused for good',
    script: looking,
    tools: {
      web_search: [{ throws: { message: 'connect ECONNREFUSED 10.0.0.7:443', code: 'ECONNREFUSED' } }],
    },
    expect: {
      ends: 'completed',
      ran: [searched, searched, searched],
      requests: 2,
      errors: ['unavailable'],
      never: ['10.0.0.7', 'ECONNREFUSED'],
    },
  },
  {
    name: 'connection refused once',
    script: [callTool('send_email', mail), say('Sent.')],
    tools: {
      send_email: [
        { throws: { message: 'connect ECONNREFUSED 127.0.0.1:465', code: 'ECONNREFUSED' } },
        { returns: { id: 'm-1' } },
      ],
    },
    expect: { ends: 'completed', ran: [sent, sent], requests: 2, errors: [] },
  },
  {
    name: '401',
    script: looking,
    tools: { web_search: [{ throws: { message: 'Request failed with status code 401', status: 401 } }] },
    expect: { ends: 'completed', ran: [searched], requests: 2, errors: ['authentication_error'] },
  },
  {
    name: '401 with a token in its message',
    script: looking,
    tools: { web_search: [{ throws: { message: `Invalid token ${token}`, status: 401 } }] },
    expect: {
      ends: 'completed',
      ran: [searched],
      requests: 2,
      errors: ['authentication_error'],
      never: [token],
    },
  },
  {
    name: '403',
    script: looking,
    tools: { web_search: [{ throws: { message: 'Forbidden', status: 403 } }] },
    expect: { ends: 'completed', ran: [searched], requests: 2, errors: ['permission_denied'] },
  },
  {
    name: '429 with Retry-After',
    script: [callTool('web_search', search), say('Found.')],
    tools: {
      web_search: [
        { throws: { message: 'Too many requests', status: 429, headers: { 'retry-after': '3' } } },
        { returns: { results: [] } },
      ],
    },
    expect: { ends: 'completed', ran: [searched, searched], requests: 2, errors: [] },
  },
  {
    name: '429 for longer than a run may wait',
    script: [callTool('send_email', mail), say('Sent.')],
    tools: {
      send_email: [
        { throws: { message: 'Too many requests', status: 429, headers: { 'retry-after': '60' } } },
      ],
    },
    expect: { ends: 'waiting', ran: [sent], requests: 1, errors: ['rate_limit_exceeded'] },
  },
  {
    name: '500 of a read',
    script: looking,
    tools: { web_search: [{ throws: { message: 'Internal Server Error', status: 500 } }] },
    expect: { ends: 'completed', ran: [searched, searched, searched], requests: 2, errors: ['unavailable'] },
  },
  {
    name: '500 of a write',
    script: [callTool('send_email', mail), say('Sent.')],
    tools: { send_email: [{ throws: { message: 'Internal Server Error', status: 500 } }] },
    expect: { ends: 'needs_approval', ran: [sent], requests: 1, errors: ['outcome_unknown'] },
  },
  {
    name: 'sent, then an error',
    script: [callTool('send_email', mail), callTool('send_email', mail), say('Sent.')],
    tools: { send_email: [{ actsThen: 'throws' }] },
    expect: { ends: 'needs_approval', ran: [sent], requests: 1, errors: ['outcome_unknown'] },
  },
  {
    name: 'sent, then silence',
    script: [callTool('send_email', mail), callTool('send_email', mail), say('Sent.')],
    tools: { send_email: [{ actsThen: 'hangs' }] },
    expect: { ends: 'needs_approval', ran: [sent], requests: 1, errors: ['outcome_unknown'] },
  },
  {
    name: 'a read that hangs',
    script: looking,
    tools: { web_search: [{ actsThen: 'hangs' }] },
    expect: { ends: 'completed', ran: [searched, searched, searched], requests: 2, errors: ['timeout'] },
  },
  {
    name: 'the same write again, keys in another order',
    script: [
      callTool('send_email', mail),
      callTool('send_email', { body: mail.body, subject: mail.subject, to: mail.to }),
      say('Sent.'),
    ],
    expect: { ends: 'completed', ran: [sent], requests: 3, errors: [] },
  },
  {
    name: 'a success that carries error: null',
    script: [callTool('web_search', search), say('Found.')],
    tools: { web_search: [{ returns: { ok: true, error: null, results: [] } }] },
    expect: { ends: 'completed', ran: [searched], requests: 2, errors: [] },
  },
  {
    name: 'a failure inside a success',
    script: [callTool('web_search', search), say('That is not there.')],
    tools: {
      web_search: [{ returns: { success: false, error: 'Validation errors: Query (query) is required' } }],
    },
    expect: { ends: 'needs_input', ran: [searched], requests: 2, errors: ['missing_parameter'] },
  },
  {
    name: 'a stack inside an exception',
    script: looking,
    tools: {
      web_search: [
        { throws: { message: 'boom', stack: 'Error: boom\n    at run (/srv/app/secret/search.js:10:5)' } },
      ],
    },
    expect: {
      ends: 'completed',
      ran: [searched],
      requests: 2,
      errors: ['execution_error'],
      never: ['/srv/app', 'search.js'],
    },
  },
]
