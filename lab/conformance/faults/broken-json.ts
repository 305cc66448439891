import { callTool, say } from '../../../support/model-reply.ts'
import type { FaultScript } from '../fault.ts'
import { longBody, mail, search } from './calls.ts'

const whole = JSON.stringify(mail)
const found = say('Found.')

/** Texts without exactly one reading: nothing runs, the model is asked again. */
const unreadable: readonly FaultScript[] = [
  { name: 'JSON truncated', text: '{"to": "ada@example.com", "subject": "Meeting", "body": "We meet' },
  { name: 'JSON truncated after a comma', text: '{"to": "ada@example.com", "subject": "Meeting",' },
  { name: 'arguments empty', text: '' },
  { name: 'arguments blank', text: '  \n' },
  { name: 'arguments are not an object', text: '["ada@example.com", "Meeting"]' },
  { name: 'arguments are prose', text: 'Send it to Ada, please.' },
].map(({ name, text }) => ({
  name,
  script: [callTool('send_email', text), callTool('send_email', mail), say('Sent.')],
  expect: {
    ends: 'completed',
    ran: [['send_email', mail]],
    requests: 3,
    errors: ['malformed_arguments'],
    saw: ['send_email, attempt 1 of 3: malformed_arguments'],
  },
}))

/** Texts with exactly one reading: repaired, said in `repairs`, run at once. */
const repaired: readonly FaultScript[] = [
  { name: 'trailing comma', text: '{"query": "deno",}' },
  { name: 'single quotes', text: "{'query': 'deno'}" },
  { name: 'code fence', text: '```json\n{"query": "deno"}\n```' },
  { name: 'prose around the object', text: 'Here you go: {"query": "deno"} Thanks.' },
  { name: 'keys without quotes', text: '{query: "deno"}' },
  { name: 'encoded twice', text: JSON.stringify('{"query": "deno"}') },
].map(({ name, text }) => ({
  name,
  script: [callTool('web_search', text), found],
  expect: { ends: 'completed', ran: [['web_search', search]], requests: 2, errors: [] },
}))

export const brokenJson: readonly FaultScript[] = [
  ...unreadable,
  ...repaired,
  {
    name: 'cut inside free text by the length limit',
    script: [
      callTool('send_email', JSON.stringify({ ...mail, body: longBody }).slice(0, -30), {
        finishReason: 'length',
      }),
      callTool('send_email', { ...mail, body: longBody }),
      say('Sent.'),
    ],
    expect: {
      ends: 'completed',
      ran: [['send_email', { ...mail, body: longBody }]],
      requests: 3,
      errors: ['malformed_arguments'],
    },
  },
  {
    name: 'cut inside free text without a word about it',
    script: [
      callTool('send_email', JSON.stringify({ ...mail, body: longBody }).slice(0, -30)),
      callTool('send_email', { ...mail, body: longBody }),
      say('Sent.'),
    ],
    expect: {
      ends: 'completed',
      ran: [['send_email', { ...mail, body: longBody }]],
      requests: 3,
      errors: ['malformed_arguments'],
    },
  },
  {
    name: 'broken JSON for a tool without required parameters',
    script: [
      callTool('archive_emails', '{"folder": "inbox", "older_than_da'),
      callTool('archive_emails', { folder: 'inbox', older_than_days: 30 }),
      say('Archived.'),
    ],
    expect: {
      ends: 'completed',
      ran: [['archive_emails', { folder: 'inbox', older_than_days: 30 }]],
      requests: 3,
      errors: ['malformed_arguments'],
    },
  },
  {
    name: 'empty arguments for a tool without required parameters',
    script: [
      callTool('archive_emails', ''),
      callTool('archive_emails', { folder: 'spam' }),
      say('Archived.'),
    ],
    expect: {
      ends: 'completed',
      ran: [['archive_emails', { folder: 'spam' }]],
      requests: 3,
      errors: ['malformed_arguments'],
    },
  },
  {
    name: 'malformed call reported by the provider',
    script: [
      say('', { finishReason: 'malformed_function_call' }),
      callTool('send_email', whole),
      say('Sent.'),
    ],
    expect: { ends: 'completed', ran: [['send_email', mail]], requests: 3, errors: [] },
  },
]
