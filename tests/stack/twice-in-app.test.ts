import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { countQuestions, letHoursPass } from '../../lab/front-ends/database.ts'
import { ScriptedModel } from '../../lab/front-ends/model.ts'
import type { Model } from '../../lab/front-ends/scene.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatReply,
  type ChatUser,
  connectSmtp,
  giveAgent,
  signUp,
  withDatabase,
} from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { pause } from '../../support/slow-mail-server.ts'
import { useStarted } from '../../support/use-started.ts'

// The same thing twice by other words, in the app itself. Clients of the OpenAI endpoint: lab/front-ends/scenes/twice.ts.

type Step =
  | { do: 'say'; text: string; asks?: true }
  /** "Regenerate". */
  | { do: 'again'; asks?: true }
  /** The message of the user with this number, from 0, in other words. */
  | { do: 'edit'; at: number; text: string; asks?: true }
  /** The same words in two tabs, so many milliseconds apart. */
  | { do: 'two tabs'; text: string; ms: number }
  | { do: 'approve' }
  | { do: 'hours pass'; hours: number }

/** What a user does. `mails`: the recipients; `orAsked`: mails that are either sent or asked about. */
interface Plot {
  name: string
  mails: readonly string[]
  orAsked?: readonly string[]
  /** How many questions may be asked if the model obeys, and if it writes after every message. */
  questions: readonly [obeys: number, writes: number]
  steps: readonly Step[]
}

const ada = 'ada@example.com'
const bob = 'bob@example.com'
const carol = 'carol@example.com'
const toAda = `Send an email about lunch to ${ada}`
const toBob = `And one to ${bob}`
const news = `Write to ${ada} that the room is number 12 upstairs`
const say = (text: string): Step => ({ do: 'say', text })
const later = (hours: number): Step => ({ do: 'hours pass', hours })

const plots: readonly Plot[] = [
  ...['Thanks!', 'What happened?', 'ありがとう'].map(
    (text): Plot => ({ name: text, mails: [ada], questions: [0, 1], steps: [say(toAda), say(text)] }),
  ),
  {
    name: 'Thanks, eleven hours later',
    mails: [ada],
    questions: [0, 1],
    steps: [say(toAda), later(11), say('Thanks!')],
  },
  {
    name: 'small talk, and Thanks twice',
    mails: [ada],
    questions: [0, 3],
    steps: [say(toAda), say('It is raining here all day'), say('Thanks!'), later(1), say('Thanks!')],
  },
  {
    name: 'two recipients, Thanks',
    mails: [ada, bob],
    questions: [0, 1],
    steps: [say(toAda), say(toBob), say('Thanks!')],
  },
  {
    name: 'the same words again',
    mails: [ada],
    questions: [1, 1],
    steps: [say(toAda), { do: 'say', text: toAda, asks: true }],
  },
  {
    name: 'the same words again, approved, Thanks',
    mails: [ada, ada],
    questions: [1, 2],
    steps: [say(toAda), { do: 'say', text: toAda, asks: true }, { do: 'approve' }, say('Thanks!')],
  },
  {
    name: 'the same words in two tabs at once',
    mails: [ada],
    questions: [1, 1],
    steps: [{ do: 'two tabs', text: toAda, ms: 0 }],
  },
  {
    name: 'the same words in two tabs, 300 ms apart',
    mails: [ada],
    questions: [1, 1],
    steps: [{ do: 'two tabs', text: toAda, ms: 300 }],
  },
  {
    name: 'Regenerate',
    mails: [ada],
    questions: [1, 1],
    steps: [say(toAda), { do: 'again', asks: true }],
  },
  {
    name: 'Thanks, Regenerate',
    mails: [ada],
    questions: [0, 2],
    steps: [say(toAda), say('Thanks!'), { do: 'again' }],
  },
  {
    name: 'an edit',
    mails: [ada],
    questions: [1, 1],
    steps: [say(toAda), { do: 'edit', at: 0, text: `Send an email about lunch today to ${ada}`, asks: true }],
  },
  {
    name: 'an edit with something new',
    mails: [ada],
    questions: [1, 1],
    steps: [say(toAda), { do: 'edit', at: 0, text: news, asks: true }],
  },
  {
    name: 'an edit with another recipient, Thanks',
    mails: [ada, bob],
    questions: [0, 1],
    steps: [say(toAda), { do: 'edit', at: 0, text: `Send an email about lunch to ${bob}` }, say('Thanks!')],
  },
  {
    name: 'an edit with another recipient, then the first one',
    mails: [ada, bob],
    questions: [1, 1],
    steps: [
      say(toAda),
      { do: 'edit', at: 0, text: `Send an email about lunch to ${bob}` },
      { do: 'say', text: `What about ${ada}?`, asks: true },
    ],
  },
  {
    name: 'an edit with another recipient, then something new for the first one',
    mails: [ada, bob],
    orAsked: [ada],
    questions: [0, 1],
    steps: [say(toAda), { do: 'edit', at: 0, text: `Send an email about lunch to ${bob}` }, say(news)],
  },
  {
    name: 'an edit of the first of two messages, Thanks',
    mails: [ada, bob, carol],
    questions: [0, 1],
    steps: [
      say(toAda),
      say(toBob),
      { do: 'edit', at: 0, text: `Send an email about lunch to ${carol}` },
      say('Thanks!'),
    ],
  },
  {
    name: 'an edit there and back',
    mails: [ada],
    questions: [2, 2],
    steps: [
      say(toAda),
      { do: 'edit', at: 0, text: `Please be kind. ${toAda}, and thank you`, asks: true },
      { do: 'edit', at: 0, text: toAda, asks: true },
    ],
  },
  {
    name: 'something new',
    mails: [ada],
    orAsked: [ada],
    questions: [0, 1],
    steps: [say(toAda), say(news)],
  },
  {
    name: 'something new, Thanks',
    mails: [ada],
    orAsked: [ada],
    questions: [0, 2],
    steps: [say(toAda), say(news), say('Thanks!')],
  },
  {
    name: 'something new, thirteen hours later',
    mails: [ada],
    orAsked: [ada],
    questions: [0, 1],
    steps: [say(toAda), later(13), say(news)],
  },
]

const models: readonly [string, Model][] = [
  ['obeys', { kind: 'obeys' }],
  ['repeats', { kind: 'repeats' }],
  ['rewords all', { kind: 'rewords' }],
]

const chat = useStarted(() => startChatStack())

interface Sent {
  id: string
  text: string
}

/** A user in front of one chat of the app. */
class Player {
  readonly #user: ChatUser
  readonly #agentId: string
  readonly #chatId = randomUUID()
  /** The messages of the user that the chat shows. */
  #sent: Sent[] = []

  private constructor(user: ChatUser, agentId: string) {
    this.#user = user
    this.#agentId = agentId
  }

  static async arrive(): Promise<Player> {
    const user = await signUp(chat.stack)
    const agentId = await giveAgent(chat.stack, user.id, 'never')
    await connectSmtp(chat.stack, user.id)
    return new Player(user, agentId)
  }

  async play(step: Step): Promise<void> {
    switch (step.do) {
      case 'say':
        return this.#check(step, await this.#say(step.text))
      case 'again':
        return this.#check(step, await this.#post({ trigger: 'regenerate-message' }))
      case 'edit': {
        const edited = { id: this.#sent[step.at]?.id ?? '', text: step.text }
        this.#sent = [...this.#sent.slice(0, step.at), edited]
        return this.#check(step, await this.#post({ trigger: 'submit-message', messageId: edited.id }))
      }
      case 'two tabs': {
        const replies = await Promise.all(
          [0, step.ms].map((ms) => pause(ms).then(() => this.#say(step.text))),
        )
        for (const reply of replies) this.#check(step, reply)
        return
      }
      case 'approve': {
        const { body } = await this.#user.get('/open')
        const { items } = body as { items: { toolCallId: string; approvalId: string }[] }
        expect(items).toHaveLength(1)
        const path = `/${this.#chatId}/approval`
        return this.#check(step, await this.#user.post(decisionOn(items[0], 'approve'), { path }))
      }
      case 'hours pass':
        await withDatabase(chat.stack, (sql) => letHoursPass(sql, this.#user.id, step.hours))
    }
  }

  questions(): Promise<number> {
    return withDatabase(chat.stack, (sql) => countQuestions(sql, this.#user.id))
  }

  async #say(text: string): Promise<ChatReply> {
    const message = { id: randomUUID(), text }
    this.#sent.push(message)
    return this.#user.post({ ...this.#chat, message: text, messageId: message.id })
  }

  /** Posts the messages up to the newest one as the AI SDK does. */
  #post(body: object): Promise<ChatReply> {
    const messages = this.#sent.map(({ id, text }) => ({ id, role: 'user', parts: [{ type: 'text', text }] }))
    return this.#user.post({ ...this.#chat, messages, ...body })
  }

  get #chat() {
    return { id: this.#chatId, agentId: this.#agentId }
  }

  /** Whatever was done, there is an answer. */
  #check(step: Step, { status, answer }: ChatReply): void {
    expect(status).toBe(200)
    expect(answer.text).toMatch(/\S/)
    // Of two messages at once, the second stops what the first one began.
    const stopped = step.do === 'two tabs' ? ['failed'] : []
    expect(['completed', 'needs_approval', ...stopped]).toContain(answer.status)
    if ('asks' in step) expect(answer.status).toBe('needs_approval')
  }
}

describe.each(models)('a model that %s', (how, model) => {
  it.each(plots)('$name', async ({ mails, orAsked = [], questions, steps }) => {
    await chat.stack.inbox.clear()
    const scripted = new ScriptedModel(model, /\w+@example\.com/g, () => {})
    chat.model.use((request) => scripted.answer(request))
    const player = await Player.arrive()
    for (const step of steps) await player.play(step)
    const sent = (await chat.stack.inbox.messages()).flatMap(({ to }) => to).sort()
    const asked = await player.questions()
    const all = [...mails, ...orAsked].sort()
    expect([[...mails].sort(), all]).toContainEqual(sent)
    expect(sent.length + asked).toBeGreaterThanOrEqual(all.length)
    expect(asked).toBeLessThanOrEqual(questions[how === 'obeys' ? 0 : 1])
  })
})
