import type { Scene, Sending } from '../scene.ts'

const toAda = 'Send an email about lunch to {ada}'
const report = 'Send the weekly report to {ada}'

/** The same message again, as clients resend it. It gets the existing answer. */
const same: readonly [string, Sending][] = [
  ['as it was', {}],
  ['with another clock in the system prompt', { system: 'It is 10:01:07.' }],
  ['as parts', { inParts: true }],
  ['with a sampling parameter', { body: { temperature: 0.3 } }],
  ['by a proxy that drops x-stainless-retry-count', { as: { isProxied: true } }],
  ['plain', { as: { stream: false } }],
]

/** Requests for something that was already done. */
export const repeats: readonly Scene[] = [
  ...same.map(
    ([how, sending]): Scene => ({
      name: `the same request again, ${how}`,
      client: { kind: 'openai' },
      mails: ['ada'],
      steps: [
        { do: 'say', text: toAda, system: 'It is 10:01:05.' },
        { do: 'again', says: ['Done.'], saysNot: [/approve/i], ...sending },
      ],
    }),
  ),
  {
    name: 'the same request again, with a trailing blank',
    client: { kind: 'openai' },
    mails: ['ada'],
    steps: [
      { do: 'say', text: toAda },
      { do: 'edit', text: `${toAda} \n`, keepsId: true, says: ['Done.'] },
    ],
  },
  {
    name: 'the same request again, an hour later',
    client: { kind: 'openai' },
    mails: ['ada'],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      { do: 'hours pass', hours: 1 },
      { do: 'again', says: [/approve/i] },
    ],
  },
  {
    name: 'the same request twice at once',
    client: { kind: 'openai' },
    mailMs: 2_000,
    mails: ['ada'],
    steps: [
      { do: 'say', text: toAda, mayFail: true, stop: 'mail at the server' },
      {
        do: 'together',
        ms: 50,
        steps: [
          { do: 'again', says: ['Done.'] },
          { do: 'again', says: ['Done.'] },
        ],
      },
    ],
  },
  {
    name: 'a question is asked once, also by a proxy that drops x-stainless-retry-count',
    client: { kind: 'openai', isProxied: true },
    approval: 'always',
    mails: [],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      { do: 'again', says: [/approve/i] },
      { do: 'again', says: [/approve/i], as: { stream: false } },
    ],
  },
  {
    name: 'instructor asks again for JSON',
    client: { kind: 'openai', stream: false },
    mails: ['ada'],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      {
        do: 'say',
        text: 'Correct your JSON ONLY RESPONSE, based on the following errors:\n1 validation error for Receipt\nrecipient\n  Field required [type=missing]',
      },
    ],
  },
  {
    name: 'pydantic-ai retries an output',
    client: { kind: 'openai', stream: false },
    mails: ['ada'],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      {
        do: 'say',
        text: 'Validation feedback:\nPlease include the address {ada}.\n\nFix the errors and try again.',
      },
    ],
  },
  {
    name: 'a model that words its mail anew in the next request',
    model: { kind: 'rewords' },
    mails: ['ada'],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      { do: 'say', text: 'Hello? Did it go out?' },
    ],
  },
  {
    name: 'two mails to two people, one request each',
    client: { kind: 'openai', stream: false },
    mails: ['ada', 'bob'],
    steps: [
      { do: 'say', text: toAda },
      { do: 'say', text: 'The same to {bob}, please' },
    ],
  },
  {
    name: 'somebody who wants it twice says so in the app',
    client: { kind: 'openai', stream: false },
    mails: ['ada', 'ada'],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      { do: 'say', text: 'Once more to {ada}, please' },
      { do: 'decide', decision: 'approve' },
    ],
  },
  {
    name: 'the weekly report, without a name, 13 hours later',
    client: { kind: 'openai', stream: false },
    mails: ['ada', 'ada'],
    steps: [
      { do: 'say', text: report },
      { do: 'hours pass', hours: 13 },
      { do: 'new chat' },
      { do: 'say', text: report, says: ['Done.'] },
    ],
  },
  {
    name: 'the weekly report, in a named chat, next week',
    client: { kind: 'openai', stream: false, headers: 'named' },
    mails: ['ada', 'ada'],
    steps: [
      { do: 'say', text: report },
      { do: 'hours pass', hours: 168 },
      { do: 'say', text: report, says: ['Done.'] },
    ],
  },
  {
    name: 'the weekly report, without a name, 11 hours later',
    client: { kind: 'openai', stream: false },
    mails: ['ada'],
    questions: 1,
    steps: [
      { do: 'say', text: report },
      { do: 'hours pass', hours: 11 },
      { do: 'new chat' },
      { do: 'say', text: report, says: [/approve/i] },
    ],
  },
]
