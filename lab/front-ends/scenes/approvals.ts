import type { Scene } from '../scene.ts'

const toAda = 'Send an email about lunch to {ada}'
const next = 'Then regenerate this answer.'

/** What people see of questions and their outcomes. */
export const approvals: readonly Scene[] = [
  {
    name: 'an approval holds what would be sent',
    approval: 'always',
    mails: [],
    questions: 1,
    steps: [
      {
        do: 'say',
        text: toAda,
        says: ['{ada}', 'sender@example.com', 'Lunch', 'Lunch is at noon', /\/chat\/openai-/, next],
      },
    ],
  },
  {
    name: 'an approval, plain, by the SDK',
    client: { kind: 'openai', stream: false },
    approval: 'always',
    mails: [],
    questions: 1,
    steps: [{ do: 'say', text: toAda, says: ['{ada}', 'sender@example.com', 'Lunch is at noon', next] }],
  },
  {
    name: 'approved in the app, then regenerated, unnamed',
    approval: 'always',
    mails: ['ada'],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      { do: 'decide', decision: 'approve' },
      { do: 'again', says: [/sent|done/i], saysNot: [next] },
    ],
  },
  {
    name: 'approved in the app, then any message, named: the outcome comes first',
    client: { headers: 'named' },
    approval: 'always',
    mails: ['ada'],
    questions: 2,
    steps: [
      { do: 'say', text: toAda },
      { do: 'decide', decision: 'approve' },
      { do: 'say', text: 'And?', says: [/^[^\n]*sent/i] },
    ],
  },
  {
    name: 'denied in the app, then any message, named: the outcome comes first',
    client: { headers: 'named' },
    approval: 'always',
    mails: [],
    questions: 2,
    steps: [
      { do: 'say', text: toAda },
      { do: 'decide', decision: 'deny' },
      { do: 'say', text: 'And?', says: [/^[^\n]*(not sent|denied|did not|declined)/i] },
    ],
  },
  {
    name: 'approved in the app, then regenerated, named',
    client: { headers: 'named' },
    approval: 'always',
    mails: ['ada'],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      { do: 'tasks', tasks: ['tags', 'follow-ups'] },
      { do: 'decide', decision: 'approve' },
      { do: 'again', says: [/sent|done/i], saysNot: [next] },
    ],
  },
  {
    name: 'a yes in the chat approves nothing',
    approval: 'always',
    client: { headers: 'named' },
    mails: [],
    questions: 2,
    steps: [
      { do: 'say', text: toAda },
      { do: 'say', text: 'Yes, do it', says: [/approve/i] },
    ],
  },
  {
    name: 'a correction is one line',
    model: { kind: 'corrects' },
    mails: ['ada'],
    steps: [
      {
        do: 'say',
        text: toAda,
        says: [/^Corrected: \S.*$/m, 'Done.'],
        saysNot: [/Corrected: .*Corrected: /s],
      },
    ],
  },
  {
    name: 'a slow write: a line, and never three seconds of silence',
    mailMs: 9_000,
    mails: ['ada'],
    steps: [{ do: 'say', text: toAda, says: [/…|\.\.\./, 'Done.'], silenceMs: 4_000 }],
  },
  {
    name: 'a slow model: something is heard before it answers',
    model: { thinksMs: 6_000 },
    mails: ['ada'],
    steps: [{ do: 'say', text: toAda, says: ['Done.'], silenceMs: 5_000 }],
  },
  {
    name: 'a question is said once, without a prefix',
    model: { kind: 'forgets the recipient' },
    mails: [],
    questions: 1,
    steps: [
      {
        do: 'say',
        text: 'Send an email about lunch',
        system: 'You help {somebody}.',
        says: [/Who should/],
        saysNot: [/Question:/, /Who should.*Who should/s],
      },
    ],
  },
  {
    name: 'the demo model holds a conversation',
    client: { headers: 'named' },
    model: { kind: 'demo' },
    mails: ['ada'],
    questions: 2,
    steps: [
      { do: 'say', text: 'Send an email about lunch', system: 'You help {somebody}.' },
      { do: 'say', text: '{ada}', saysNot: [/I only know a few things/i] },
    ],
  },
]
