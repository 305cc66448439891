import { callTool, callTools, say } from '../../../support/model-reply.ts'
import type { FaultScript } from '../fault.ts'
import { mail, search } from './calls.ts'

export const ordinary: readonly FaultScript[] = [
  {
    name: 'happy path',
    script: [callTool('web_search', search), say('Found it.')],
    expect: {
      ends: 'completed',
      ran: [['web_search', search]],
      requests: 2,
      errors: [],
      saw: ['About deno'],
      says: ['Found it.'],
    },
  },
  {
    name: 'no tool needed',
    script: [say('Hello.')],
    expect: { ends: 'completed', ran: [], requests: 1, says: ['Hello.'] },
  },
  {
    name: 'information is missing, the model asks',
    script: [say('Whom should I write to?')],
    expect: { ends: 'completed', ran: [], requests: 1, says: ['Whom should I write to?'] },
  },
  {
    name: 'information is missing, the model asks after a question',
    script: [
      callTool('send_email', { subject: mail.subject, body: mail.body }),
      say('Whom should I write to?'),
    ],
    expect: {
      ends: 'needs_input',
      ran: [],
      requests: 2,
      errors: ['missing_parameter'],
      says: ['Whom should I write to?'],
    },
  },
  {
    name: 'parallel calls',
    script: [
      callTools([
        ['web_search', search],
        ['send_email', mail],
      ]),
      say('Both done.'),
    ],
    expect: {
      ends: 'completed',
      ran: [
        ['web_search', search],
        ['send_email', mail],
      ],
      requests: 2,
      errors: [],
    },
  },
  {
    name: 'parallel calls, one of them bad',
    script: [
      callTools([
        ['send_email', mail],
        ['send_email', { subject: 'Lunch', body: 'At noon.' }],
      ]),
      callTool('send_email', { to: 'bob@example.com', subject: 'Lunch', body: 'At noon.' }),
      say('Both sent.'),
    ],
    expect: {
      ends: 'completed',
      ran: [
        ['send_email', mail],
        ['send_email', { to: 'bob@example.com', subject: 'Lunch', body: 'At noon.' }],
      ],
      requests: 3,
      errors: ['missing_parameter'],
    },
  },
  {
    name: 'parallel calls, a write beside a read that fails',
    script: [
      callTools([
        ['web_search', {}],
        ['send_email', mail],
      ]),
      callTools([
        ['web_search', search],
        ['send_email', mail],
      ]),
      say('Done.'),
    ],
    expect: {
      ends: 'completed',
      ran: [
        ['web_search', search],
        ['send_email', mail],
      ],
      requests: 3,
      errors: ['missing_parameter', 'cancelled'],
      saw: ['Not carried out, because "Web search"'],
    },
  },
]
