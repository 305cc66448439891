import type { TaskName } from '../prompts.ts'
import type { Headers, Scene, Step } from '../scene.ts'

const toAda = 'Send an email about lunch to {ada}'
const toBob = 'And one to {bob}'
const say = (text: string): Step => ({ do: 'say', text })
const tasks = (...names: TaskName[]): Step => ({ do: 'tasks', tasks: names })

/** Its own requests after an answer, which nobody is asked about whatever the reply. */
const alone: readonly TaskName[] = [
  'title',
  'tags',
  'follow-ups',
  'query',
  'autocomplete',
  'picture',
  'merge',
  'follow-ups of tomorrow',
  'rewritten title',
]
const five: readonly TaskName[] = ['title', 'tags', 'follow-ups', 'query', 'autocomplete']

/** Two turns, and five of its own requests after each answer. */
const wholeChat: readonly Step[] = [
  { do: 'tasks', tasks: ['query'], before: toAda },
  { do: 'together', ms: 26, steps: [{ do: 'tasks', tasks: ['title'], before: toAda }, say(toAda)] },
  tasks(...five),
  say(toBob),
  tasks(...five),
]
const kinds: readonly [Headers, string][] = [
  ['none', 'as installed'],
  ['named', 'with its chats named'],
  ['chat', 'with X-OpenWebUI-Chat-Id alone'],
]

/** Open WebUI, as recorded from 0.12.4. */
export const openWebUi: readonly Scene[] = [
  ...alone.map((name) => ({
    name: `Open WebUI as installed: ${name} after the answer`,
    mails: ['ada'],
    steps: [say(toAda), tasks(name)],
  })),
  {
    // It quotes the answer alone: if that names somebody, nothing distinguishes it from a message.
    name: 'Open WebUI as installed: emoji after the answer',
    mails: ['ada'],
    questions: 1,
    steps: [say(toAda), tasks('emoji')],
  },
  ...kinds.map(([headers, how]) => ({
    name: `Open WebUI ${how}: two turns, five requests of its own after each`,
    client: { headers },
    mails: ['ada', 'bob'],
    steps: wholeChat,
  })),
  {
    name: 'Open WebUI with its chats named: tasks in words that nobody knows',
    client: { headers: 'named' },
    mails: ['ada'],
    steps: [say(toAda), tasks('merge', 'follow-ups of tomorrow', 'rewritten title')],
  },
  ...kinds.flatMap(([headers, how]): Scene[] => [
    {
      name: `Open WebUI ${how}: Regenerate`,
      client: { headers },
      mails: ['ada'],
      questions: 1,
      steps: [say(toAda), { do: 'again' }],
    },
    {
      name: `Open WebUI ${how}: Continue Response`,
      client: { headers },
      mails: ['ada'],
      questions: 1,
      steps: [say(toAda), { do: 'continue' }],
    },
    {
      name: `Open WebUI ${how}: More Concise`,
      client: { headers },
      mails: ['ada'],
      questions: 1,
      steps: [say(toAda), { do: 'add', text: 'More Concise' }],
    },
    {
      name: `Open WebUI ${how}: Edit, Save, Regenerate with another address`,
      client: { headers },
      mails: ['ada', 'bob', 'carol'],
      steps: [say(toAda), say(toBob), { do: 'edit', text: 'And one to {carol}', keepsId: true }],
    },
    {
      name: `Open WebUI ${how}: Edit, Save, Regenerate with other words`,
      client: { headers },
      mails: ['ada'],
      questions: 1,
      steps: [say(toAda), { do: 'edit', text: 'Please send a mail about lunch to {ada}', keepsId: true }],
    },
    {
      name: `Open WebUI ${how}: Edit, Send with another address`,
      client: { headers },
      mails: ['ada', 'bob', 'carol'],
      steps: [say(toAda), say(toBob), { do: 'edit', text: 'And one to {carol}' }],
    },
    {
      name: `Open WebUI ${how}: "Hello? Did it go out?"`,
      client: { headers },
      mails: ['ada'],
      questions: 1,
      steps: [say(toAda), say('Hello? Did it go out?')],
    },
  ]),
  {
    name: 'Open WebUI with placeholders unset: two chats are two',
    client: { headers: 'unset' },
    mails: ['ada', 'bob'],
    steps: [say(toAda), tasks(...five), { do: 'new chat' }, say('Send an email about lunch to {bob}')],
  },
  {
    name: 'Open WebUI with placeholders that it does not know: two chats are two',
    client: { headers: 'unknown' },
    mails: ['ada', 'bob'],
    steps: [
      { do: 'say', text: toAda, headers: { 'x-askback-ignored': /headers/ } },
      tasks(...five),
      { do: 'new chat' },
      { do: 'say', text: 'Send an email about lunch to {bob}', headers: { 'x-askback-ignored': /headers/ } },
    ],
  },
]
