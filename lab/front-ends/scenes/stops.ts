import type { Client, Headers, Scene, Sending } from '../scene.ts'

const toAda = 'Send an email about lunch to {ada}'

/** How clients disconnect. */
const forms: readonly [string, Client, Sending][] = [
  ['Stop in Open WebUI', {}, {}],
  ['an aborted stream of the SDK', { kind: 'openai' }, {}],
  ['an aborted plain request', { kind: 'openai', stream: false }, {}],
  ['a dropped socket', {}, { stopBy: 'socket' }],
  ['a dropped socket of a plain request', { stream: false }, { stopBy: 'socket' }],
  ['Stop through a proxy', { isProxied: true }, {}],
  ['a plain request aborted through a proxy', { isProxied: true, stream: false }, {}],
]
/** The same, after part of the answer has arrived. */
const writing: typeof forms = [
  ['Stop in Open WebUI', {}, {}],
  ['stream.close() of the SDK', { kind: 'openai' }, { stopBy: 'stream' }],
  ['a dropped socket', {}, { stopBy: 'socket' }],
]
const named: readonly Headers[] = ['none', 'named']
const how = (headers: Headers) => (headers === 'named' ? 'named' : 'unnamed')

/** A client that disconnects stops its run. */
export const stops: readonly Scene[] = [
  ...forms.flatMap(([form, client, sending]) =>
    named.map(
      (headers): Scene => ({
        name: `${form} before the mail, ${how(headers)}`,
        client: { ...client, headers },
        model: { thinksMs: 2_000 },
        mails: [],
        steps: [{ do: 'say', text: toAda, stop: 'model asked', ...sending }],
      }),
    ),
  ),
  ...writing.map(
    ([form, client, sending]): Scene => ({
      name: `${form} while the model writes`,
      client,
      model: { saysFirst: 'I am going to write this mail now, and you can read along while I do so.' },
      mails: [],
      steps: [{ do: 'say', text: toAda, stop: 'words', ...sending }],
    }),
  ),
  ...named.map(
    (headers): Scene => ({
      name: `Stop, and the same request within 10 s, ${how(headers)}: it goes on`,
      client: { headers },
      model: { thinksMs: 3_000 },
      mails: ['ada'],
      steps: [
        { do: 'say', text: toAda, stop: 'model asked' },
        { do: 'again', says: ['Done.'] },
      ],
    }),
  ),
  ...named.map(
    (headers): Scene => ({
      name: `Stop, and the same request after it has stopped, ${how(headers)}`,
      client: { headers },
      model: { thinksMs: 2_000 },
      mails: ['ada'],
      steps: [
        { do: 'say', text: toAda, stop: 'model asked' },
        { do: 'wait' },
        { do: 'again', says: ['Done.'] },
      ],
    }),
  ),
  {
    name: 'Stop, then another message of the named chat',
    client: { headers: 'named' },
    model: { thinksMs: 2_000 },
    mails: ['bob'],
    steps: [
      { do: 'say', text: toAda, stop: 'model asked' },
      { do: 'say', text: 'Forget it. Send an email about lunch to {bob}', says: ['Done.'] },
    ],
  },
  {
    name: 'Stop while a mail is on its way, named: the next answer tells of it',
    client: { headers: 'named' },
    mailMs: 4_000,
    mails: ['ada', 'bob'],
    steps: [
      { do: 'say', text: toAda, stop: 'mail at the server' },
      { do: 'wait' },
      { do: 'say', text: 'Send an email about lunch to {bob}', says: [/sent.*ada-/is, 'Done.'] },
    ],
  },
  {
    name: 'Stop while a mail is on its way, unnamed: the same request tells of it',
    mailMs: 4_000,
    mails: ['ada'],
    steps: [
      { do: 'say', text: toAda, stop: 'mail at the server' },
      { do: 'wait' },
      { do: 'again', says: [/sent|done/i], saysNot: [/approve/i] },
    ],
  },
]
