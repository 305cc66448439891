import type { TaskName } from '../prompts.ts'
import type { Client, Cut, Headers, Model, Scene, Sending, Step } from '../scene.ts'

const toAda = 'Send an email about lunch to {ada}'
const toBob = 'And one to {bob}'
const news = 'Write to {ada} that the room is number 12 upstairs'
const rain = 'It is raining here all day'
const today = 'Send an email about lunch today to {ada}'
const asks = [/approve/i]

const say = (text: string, sending: Sending = {}): Step => ({ do: 'say', text, ...sending })
const later = (hours: number): Step => ({ do: 'hours pass', hours })
const fork: Step = { do: 'fork' }
const newFork: Step = { do: 'fork', newIds: true }
const again: Step = { do: 'again' }
const edit = (text: string, says: readonly RegExp[] = [], at?: number): Step => ({
  do: 'edit',
  text,
  says,
  at,
})
const yes: Step = { do: 'decide', decision: 'approve' }

/** What a user does, and what comes of it whatever the model. */
interface Plot {
  name: string
  client?: Client
  mailMs?: number
  mails: Scene['mails']
  orAsked?: Scene['orAsked']
  /** How many questions may be asked if the model obeys, and if it writes after every message. */
  questions: readonly [obeys: number, writes: number]
  steps: readonly Step[]
  /** What is different in a chat without a name, where an edit cannot be told from a new request. */
  unnamed?: Pick<Plot, 'orAsked' | 'steps'>
}

const models: readonly [string, Model][] = [
  ['obeys', { kind: 'obeys' }],
  ['repeats', { kind: 'repeats' }],
  ['rewords all', { kind: 'rewords' }],
]

/** The same message once more where the front end has made another chat of it. */
const forks: readonly Plot[] = [
  {
    name: 'fork, Regenerate',
    mails: ['ada'],
    questions: [0, 0],
    steps: [say(toAda), fork, { do: 'again', says: ['Done.'] }],
  },
  {
    name: 'fork, Regenerate while the mail is on its way',
    mailMs: 2_000,
    mails: ['ada'],
    questions: [0, 0],
    steps: [
      say(toAda, { stop: 'mail at the server' }),
      fork,
      { do: 'together', ms: 50, steps: [{ do: 'again', says: ['Done.'] }, again] },
    ],
  },
  {
    name: 'fork, Regenerate an hour later',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), later(1), fork, { do: 'again', says: asks }],
  },
  {
    name: 'fork, Regenerate an hour later, approved',
    mails: ['ada', 'ada'],
    questions: [1, 1],
    steps: [say(toAda), later(1), fork, { do: 'again', says: asks }, yes],
  },
  {
    name: 'fork of a fork, Regenerate in each',
    mails: ['ada'],
    questions: [0, 0],
    steps: [say(toAda), fork, again, fork, again],
  },
  {
    name: 'fork, Thanks',
    mails: ['ada'],
    questions: [0, 1],
    steps: [say(toAda), fork, say('Thanks!')],
  },
  {
    name: 'fork with new ids, Thanks',
    mails: ['ada'],
    questions: [0, 1],
    steps: [say(toAda), newFork, say('Thanks!')],
  },
  {
    name: 'Thanks, fork with new ids, Regenerate',
    mails: ['ada'],
    questions: [0, 2],
    steps: [say(toAda), say('Thanks!'), newFork, again],
  },
  {
    name: 'fork, both go on with another recipient',
    mails: ['ada', 'bob', 'carol'],
    questions: [0, 0],
    steps: [say(toAda), fork, say(toBob), { do: 'other chat' }, say('And one to {carol}')],
  },
  {
    name: 'fork, both go on with Thanks',
    mails: ['ada'],
    questions: [0, 2],
    steps: [say(toAda), fork, say('Thanks!'), { do: 'other chat' }, say('Thank you!')],
  },
  {
    name: 'fork, something new',
    mails: ['ada'],
    orAsked: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), fork, say(news)],
  },
  {
    name: 'fork, something new, Thanks in both',
    mails: ['ada'],
    orAsked: ['ada'],
    questions: [1, 3],
    steps: [say(toAda), fork, say(news), say('Thanks!'), { do: 'other chat' }, say('Thank you!')],
  },
  {
    name: 'small talk, fork, Edit, Send',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(rain), say(toAda), fork, edit(today, asks)],
  },
  {
    name: 'small talk, fork, Edit, Send an hour later',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(rain), say(toAda), later(1), fork, edit(today, asks)],
    unnamed: { orAsked: ['ada'], steps: [say(rain), say(toAda), later(1), fork, edit(today)] },
  },
  {
    name: 'small talk, fork with new ids, Edit, Send, Thanks',
    mails: ['ada'],
    questions: [2, 2],
    steps: [say(rain), say(toAda), newFork, edit(today, asks), say('Thanks!')],
  },
  {
    name: 'small talk, fork, Edit, Send, approved, Edit, Send in the original',
    mails: ['ada', 'ada'],
    questions: [2, 2],
    steps: [
      say(rain),
      say(toAda),
      fork,
      edit(today, asks),
      yes,
      { do: 'other chat' },
      edit('Send an email about lunch at noon to {ada}', asks),
    ],
  },
  {
    name: 'small talk, two forks, Edit, Send in the first one, then in the other',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(rain), fork, say(toAda), { do: 'other chat' }, newFork, say(today, { says: asks })],
  },
  {
    name: 'small talk, fork of a fork, Edit, Send',
    mails: ['ada'],
    questions: [1, 2],
    steps: [say(rain), say(toAda), newFork, say('It is still raining'), newFork, edit(today, asks, 1)],
  },
  {
    name: 'small talk, fork, Edit with something new, Thanks',
    mails: ['ada'],
    orAsked: ['ada'],
    questions: [2, 2],
    steps: [say(rain), say(toAda), fork, edit(news), say('Thanks!')],
  },
  {
    name: 'small talk, fork, Edit with another recipient, Thanks',
    mails: ['ada', 'bob'],
    questions: [0, 1],
    steps: [say(rain), say(toAda), fork, edit('Send an email about lunch to {bob}'), say('Thanks!')],
  },
  {
    name: 'fork, Edit, Save, Regenerate of the first message',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), fork, { do: 'edit', text: today, keepsId: true, says: asks }],
  },
  {
    name: 'fork, Regenerate, Edit, Send of the first message',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), fork, again, edit(today, asks)],
  },
  {
    name: 'fork, Thanks, Edit, Send of the first message',
    mails: ['ada'],
    questions: [1, 2],
    steps: [say(toAda), newFork, say('Thanks!'), edit(today, asks, 0)],
  },
  {
    // Nothing tells this fork from a new chat.
    name: 'fork, Edit, Send of the first message',
    mails: ['ada'],
    orAsked: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), fork, edit(today)],
  },
]

/** A later message that asks for nothing, or for what was done. */
const laterMessages: readonly Plot[] = [
  ...['Thanks!', 'What happened?', 'ありがとう'].flatMap((text): Plot[] => [
    {
      name: `"${text}"`,
      mails: ['ada'],
      questions: [0, 1],
      steps: [say(toAda), say(text)],
    },
    {
      name: `"${text}" an hour later`,
      mails: ['ada'],
      questions: [0, 1],
      steps: [say(toAda), later(1), say(text)],
    },
  ]),
  {
    name: '"Thanks!" eleven hours later',
    mails: ['ada'],
    questions: [0, 1],
    steps: [say(toAda), later(11), say('Thanks!')],
  },
  {
    name: 'small talk and three times "Thanks!"',
    mails: ['ada'],
    questions: [0, 4],
    steps: [
      say(toAda),
      say('It is raining here all day'),
      say('Thanks!'),
      later(1),
      say('Thanks!'),
      say('Bye'),
    ],
  },
  {
    name: 'two recipients, "Thanks!"',
    mails: ['ada', 'bob'],
    questions: [0, 1],
    steps: [say(toAda), say(toBob), say('Thanks!')],
  },
  {
    name: 'the same words again',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), say(toAda, { says: asks })],
  },
  {
    name: 'the same words again, five hours later',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), later(5), say(toAda, { says: asks })],
  },
  {
    name: 'the same words again, approved, "Thanks!"',
    mails: ['ada', 'ada'],
    questions: [1, 2],
    steps: [say(toAda), say(toAda, { says: asks }), yes, say('Thanks!')],
  },
  {
    name: 'the same words in another tab',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), { do: 'other tab', shows: 0 }, say(toAda)],
  },
  {
    name: 'the same words in another tab, an hour later',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), later(1), { do: 'other tab', shows: 0 }, say(toAda, { says: asks })],
  },
  {
    name: 'the same words in two tabs while the mail is on its way',
    mailMs: 1_500,
    mails: ['ada'],
    questions: [1, 1],
    steps: [{ do: 'together', ms: 700, steps: [say(toAda), say(toAda, { history: 'one' })] }],
  },
  {
    name: 'something new',
    mails: ['ada'],
    orAsked: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), say(news)],
  },
  {
    name: 'something new an hour later',
    mails: ['ada'],
    orAsked: ['ada'],
    questions: [0, 1],
    steps: [say(toAda), later(1), say(news)],
  },
  {
    name: 'something new an hour later, "Thanks!"',
    mails: ['ada'],
    orAsked: ['ada'],
    questions: [0, 2],
    steps: [say(toAda), later(1), say(news), say('Thanks!')],
  },
]

/** Edits, of which each but "Save" makes another message. */
const edits: readonly Plot[] = [
  {
    name: 'Edit, Send',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), edit(today, asks)],
  },
  {
    name: 'Edit, Send an hour later',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), later(1), edit(today, asks)],
    unnamed: {
      orAsked: ['ada'],
      steps: [say(toAda), later(1), { do: 'edit', text: 'Send an email about lunch today to {ada}' }],
    },
  },
  {
    name: 'Edit, Send, approved',
    mails: ['ada', 'ada'],
    questions: [1, 1],
    steps: [say(toAda), edit(today, asks), yes],
  },
  {
    name: 'Edit, Send, three times',
    mails: ['ada'],
    questions: [3, 3],
    steps: [
      say(toAda),
      ...['today', 'at noon', 'with Tom'].map(
        (when): Step => ({ do: 'edit', text: `Send an email about lunch ${when} to {ada}`, says: asks }),
      ),
    ],
  },
  {
    name: 'Edit with something new, Send',
    mails: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), later(1), { do: 'edit', text: news, says: asks }],
    unnamed: { orAsked: ['ada'], steps: [say(toAda), later(1), { do: 'edit', text: news }] },
  },
  {
    name: 'Edit with another recipient, "Thanks!"',
    mails: ['ada', 'bob'],
    questions: [0, 1],
    steps: [say(toAda), { do: 'edit', text: 'Send an email about lunch to {bob}' }, say('Thanks!')],
  },
  {
    name: 'Edit with another recipient, then the first one',
    mails: ['ada', 'bob'],
    questions: [1, 1],
    steps: [
      say(toAda),
      { do: 'edit', text: 'Send an email about lunch to {bob}' },
      say('What about {ada}?', { says: asks }),
    ],
  },
  {
    name: 'Edit with another recipient, then something new for the first one',
    mails: ['ada', 'bob'],
    orAsked: ['ada'],
    questions: [1, 1],
    steps: [say(toAda), { do: 'edit', text: 'Send an email about lunch to {bob}' }, say(news)],
  },
  {
    name: 'Edit of the first of two messages, "Thanks!"',
    mails: ['ada', 'bob', 'carol'],
    questions: [0, 1],
    steps: [
      say(toAda),
      say(toBob),
      { do: 'edit', at: 0, text: 'Send an email about lunch to {carol}' },
      say('Thanks!'),
    ],
  },
  {
    name: 'Edit, Save, Regenerate, there and back',
    mails: ['ada'],
    questions: [2, 2],
    steps: [
      say(toAda),
      { do: 'edit', text: `Please be kind. ${toAda}, and thank you`, keepsId: true },
      { do: 'edit', text: toAda, keepsId: true },
      later(1),
      again,
    ],
  },
  {
    name: 'Edit, Save, Regenerate, there and back, with a quotation',
    mails: ['ada'],
    questions: [2, 2],
    steps: [
      say(toAda),
      { do: 'edit', text: `What does this mean?\n> ${toAda}`, keepsId: true },
      { do: 'edit', text: toAda, keepsId: true },
    ],
  },
  {
    name: 'small talk, edited there and back under one id',
    mails: [],
    questions: [0, 0],
    steps: [
      say('It is raining here all day'),
      { do: 'edit', text: 'Good morning. It is raining here all day, again', keepsId: true },
      { do: 'edit', text: 'It is raining here all day', keepsId: true },
    ],
  },
  {
    name: 'small talk after a mail, edited there and back under one id',
    mails: ['ada'],
    questions: [0, 3],
    steps: [
      say(toAda),
      say('It is raining here all day'),
      { do: 'edit', text: 'Good morning. It is raining here all day, again', keepsId: true },
      { do: 'edit', text: 'It is raining here all day', keepsId: true },
    ],
  },
  {
    name: 'all messages deleted, "Thanks!"',
    mails: ['ada'],
    questions: [0, 1],
    steps: [say(toAda), { do: 'other tab', shows: 0 }, say('Thanks!')],
  },
]

const cuts: readonly [Cut, string][] = [
  ['front', 'without its beginning'],
  ['middle', 'without its middle'],
  ['summary', 'as a summary'],
  ['one', 'left out'],
]

/** Clients that send only part of the history. */
const cutHistories: readonly Plot[] = cuts.flatMap(([history, how]): Plot[] => [
  {
    name: `the history ${how}, "Thanks!"`,
    mails: ['ada'],
    questions: [0, 2],
    steps: [say(toAda), say('It is raining here all day'), later(1), say('Thanks!', { history })],
  },
  {
    name: `the history ${how}, the same words again`,
    mails: ['ada'],
    questions: [1, 2],
    steps: [say(toAda), say('It is raining here all day'), later(1), say(toAda, { history, says: asks })],
  },
  {
    name: `the history ${how}, something new`,
    mails: ['ada'],
    orAsked: ['ada'],
    questions: [1, 2],
    steps: [say(toAda), say('It is raining here all day'), later(1), say(news, { history })],
  },
  {
    name: `the history ${how}, Regenerate`,
    mails: ['ada'],
    questions: [0, 2],
    steps: [say(toAda), say('It is raining here all day'), later(1), { do: 'again', history }],
  },
  {
    name: `the history ${how} after an edit, "Thanks!"`,
    mails: ['ada', 'bob'],
    questions: [0, 2],
    steps: [
      say(toAda),
      { do: 'edit', text: 'Send an email about lunch to {bob}' },
      say('It is raining here all day'),
      later(1),
      say('Thanks!', { history }),
    ],
  },
  {
    name: `the history ${how} in a fork, "Thanks!"`,
    mails: ['ada'],
    questions: [0, 2],
    steps: [say(toAda), say('It is raining here all day'), fork, say('Thanks!', { history })],
  },
])

const temporary: Client = { headers: 'temporary' }
const ownRequests: readonly TaskName[] = ['LibreChat title', 'merge', 'emoji']

/** Chats that are not kept, and requests that no user has made. */
const besides: readonly Scene[] = [
  {
    name: 'temporary chats of one tab are two, and none is listed',
    client: temporary,
    mails: ['ada', 'bob'],
    steps: [
      say(toAda),
      { do: 'new chat' },
      say('Send an email about lunch to {bob}', { saysNot: ['{ada}'] }),
      { do: 'listed', chats: 0 },
    ],
  },
  {
    name: 'a temporary chat is listed while something is open',
    client: temporary,
    approval: 'always',
    mails: ['ada'],
    questions: 1,
    steps: [say(toAda), { do: 'listed', chats: 1 }, yes, { do: 'wait' }, { do: 'listed', chats: 0 }],
  },
  ...models.map(
    ([how, model]): Scene => ({
      name: `"Thanks!" in a temporary chat an hour later, ${how}`,
      client: temporary,
      system: 'You help {somebody}.',
      model,
      mails: ['ada'],
      questions: how === 'obeys' ? 0 : 1,
      steps: [say(toAda), later(1), say('Thanks!')],
    }),
  ),
  {
    name: 'small talk, LibreChat title under its id, Regenerate',
    client: { headers: 'no task' },
    mails: [],
    steps: [say('It is raining here all day'), { do: 'tasks', tasks: ['LibreChat title'] }, again],
  },
  {
    name: 'two chats begin alike, and each writes to the same person',
    client: { headers: 'named' },
    system: 'You help {somebody}.',
    model: { kind: 'obeys' },
    mails: ['ada', 'ada'],
    steps: [say(rain), say(toAda), { do: 'new chat' }, say(rain), say(today)],
  },
  {
    name: 'unnamed chats are listed if they wrote',
    mails: ['ada'],
    steps: [say(toAda), { do: 'new chat' }, say('It is raining here all day'), { do: 'listed', chats: 1 }],
  },
  ...ownRequests.flatMap((task) =>
    (['no task', 'none'] as const).flatMap((headers) =>
      models.map(
        ([how, model]): Scene => ({
          name: `${task} after the answer, ${headers === 'none' ? 'unnamed' : 'named without a task'}, ${how}`,
          client: { headers },
          system: 'You help {somebody}.',
          model,
          mails: ['ada'],
          // An emoji's request holds nothing that the user said.
          questions: task === 'emoji' && how !== 'obeys' ? 1 : 0,
          steps: [
            say(toAda),
            { do: 'tasks', tasks: [task] },
            ...(task === 'emoji' ? [] : [{ do: 'listed', chats: 1 } as const]),
            { do: 'again', says: ['Done.'] },
          ],
        }),
      ),
    ),
  ),
]

/** Plots with each of the models, in chats that the client tells apart in each of these ways. */
const withAll = (
  plots: readonly Plot[],
  chosen: typeof models,
  namings: readonly (readonly [string, Headers])[],
): Scene[] =>
  plots.flatMap(({ questions: [obeys, writes], client, unnamed, ...plot }) =>
    chosen.flatMap(([how, model]) =>
      namings.map(
        ([naming, headers]): Scene => ({
          ...plot,
          ...(headers === 'none' ? unnamed : {}),
          name: `${plot.name}, ${how}, ${naming}`,
          client: { ...client, headers },
          system: 'You help {somebody}.',
          model,
          questions: how === 'obeys' ? obeys : writes,
        }),
      ),
    ),
  )

const inOneChat = [...laterMessages, ...edits, ...cutHistories]

/** The same thing twice by other words. */
export const twice: readonly Scene[] = [
  ...withAll([...forks, ...inOneChat], models, [
    ['named', 'named'],
    ['unnamed', 'none'],
  ]),
  // The messages have no names.
  ...withAll(inOneChat, models.slice(-1), [['its chat named', 'chat']]),
  ...besides,
]
