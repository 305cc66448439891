import type { Scene } from '../scene.ts'

const toAda = 'Send an email about lunch to {ada}'

/** What naming a chat changes, and what it does not. */
export const namedChats: readonly Scene[] = [
  {
    name: 'LibreChat names chat and message: its title comes without a task',
    client: { headers: 'no task' },
    mails: ['ada'],
    questions: 1,
    steps: [
      {
        do: 'together',
        ms: 26,
        steps: [
          { do: 'tasks', tasks: ['title'], before: toAda },
          { do: 'say', text: toAda },
        ],
      },
      { do: 'tasks', tasks: ['title'] },
    ],
  },
  {
    name: 'two named chats ask for the same mail',
    client: { headers: 'named' },
    mails: ['ada', 'ada'],
    steps: [{ do: 'say', text: toAda }, { do: 'new chat' }, { do: 'say', text: toAda }],
  },
  {
    name: 'a named chat, then the same words without a name',
    client: { headers: 'named' },
    mails: ['ada'],
    questions: 1,
    steps: [
      { do: 'say', text: toAda },
      { do: 'tasks', tasks: ['follow-ups of tomorrow'], as: { headers: 'none' } },
    ],
  },
  {
    name: 'a named chat is one conversation: what is open there is told of in the next turn',
    client: { headers: 'named' },
    approval: 'always',
    mails: [],
    questions: 2,
    steps: [
      { do: 'say', text: toAda },
      { do: 'say', text: 'What do you wait for?', modelReads: ['{ada}'] },
    ],
  },
  {
    name: 'by an SDK with default headers: the same message id again is the same request',
    client: { kind: 'openai', headers: 'named', stream: false },
    mails: ['ada'],
    questions: 0,
    steps: [
      { do: 'say', text: toAda },
      { do: 'again', says: [/\S/] },
    ],
  },
  ...(['named', 'none'] as const).map(
    (headers): Scene => ({
      name: `a second message while a mail is on its way, ${headers === 'named' ? 'named' : 'unnamed'}`,
      client: { headers },
      mailMs: 3_000,
      mails: ['ada', 'bob'],
      steps: [
        {
          do: 'together',
          ms: 1_500,
          steps: [
            { do: 'say', text: toAda },
            { do: 'say', text: 'And one to {bob}', says: ['Done.'] },
          ],
        },
      ],
    }),
  ),
  {
    name: 'a regenerate while a mail is on its way',
    client: { headers: 'named' },
    mailMs: 3_000,
    mails: ['ada'],
    steps: [
      {
        do: 'together',
        ms: 1_000,
        steps: [
          { do: 'say', text: toAda },
          { do: 'again', says: ['Done.'] },
          { do: 'again', says: ['Done.'], as: { stream: false } },
        ],
      },
    ],
  },
]
