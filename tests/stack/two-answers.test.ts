import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChatApp } from '../../support/chat-app.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-server.ts'
import { type PausingProxy, startPausingProxy } from '../../support/pausing-proxy.ts'
import { isTestAll } from '../../support/test-all.ts'

// Two tabs, or two devices, answer at once: one run goes on, and the other's words are in it or wait their turn.

let chat: ChatStack
let user: ChatUser
let proxy: PausingProxy
/** One that sends as soon as it knows to whom, and one that asks first. */
let agents: { form: string; approval: string }
/** Requests to the stack's own chat function, to another process of it, and to one whose database answers late. */
let tabs: Record<'own' | 'other' | 'late', (request: Request) => Response | Promise<Response>>

const functions = (request: Request) => {
  const { pathname } = new URL(request.url)
  return fetch(new Request(`${chat.stack.url}/functions/v1${pathname}`, request))
}

beforeAll(async () => {
  chat = await startChatStack()
  user = await signUp(chat.stack)
  agents = {
    form: await giveAgent(chat.stack, user.id, 'never'),
    approval: await giveAgent(chat.stack, user.id, 'always'),
  }
  await connectSmtp(chat.stack, user.id)
  proxy = await startPausingProxy(chat.stack.url)
  tabs = {
    own: functions,
    other: startChatApp(chat).fetch,
    late: startChatApp(chat, { url: proxy.url }).fetch,
  }
  answerByWords()
})
afterAll(async () => {
  await proxy?.close()
  await chat?.stop()
})

const heard = 'I hear you.'
const recipients = { form: '.', approval: ' to ada@example.com.' }

/** A mail is asked for by its subject, with or without a recipient; anything else is heard. */
function answerByWords(): void {
  chat.model.use(({ body }) => {
    const last = body.messages.at(-1)
    if (last?.role !== 'user') return say('That is all.')
    const [, kind, subject] = /(form|approval) about ([\w-]+)/.exec(JSON.stringify(last.content)) ?? []
    // Longer than the answers are apart, as any model: the first is still at work when the second comes.
    if (!subject) return say(heard, { delayMs: 250 })
    const to = kind === 'approval' ? { to: ['ada@example.com'] } : {}
    return callTool('smtp_send_email', { ...to, subject: `${kind} ${subject}`, body: 'Hello' })
  })
}

type Kind = 'form' | 'approval' | 'message' | 'edit'
type Tab = keyof typeof tabs

interface Reply {
  kind: Kind
  status: number
  text: string
  words?: string
  /** An edit that would have replaced what its tab has not seen. */
  isStale: boolean
}

/** A conversation in which something waits for each of the two answers, and what the tabs make of it. */
class Round {
  readonly id = randomUUID()
  private readonly asked = new Map<Kind, { itemId: string; toolCallId: string }>()
  /** The last answer that both tabs show. */
  private shown: string[] = []
  private lastMessage = ''
  private sent = 0
  private readonly firstRequest = chat.model.requests.length

  /** Everything that is asked in it, before the answers. */
  static async prepare(...kinds: Kind[]): Promise<Round> {
    const round = new Round()
    await round.ask('Good morning.')
    for (const kind of new Set(kinds)) {
      if (kind !== 'form' && kind !== 'approval') continue
      const pending = await round.ask(`Send the ${kind} about ${round.id}${recipients[kind]}`, agents[kind])
      const item = pending.find(({ type }) => type === (kind === 'form' ? 'input' : 'approval'))
      if (!item) throw new Error(`Nothing waits for the ${kind}: ${JSON.stringify(pending)}`)
      round.asked.set(kind, item)
    }
    return round
  }

  private async ask(message: string, agentId = agents.form) {
    this.lastMessage = randomUUID()
    const { answer } = await user.post({ id: this.id, message, messageId: this.lastMessage, agentId })
    this.shown = [answer.message.id]
    return (answer.pending ?? []) as unknown as { type: string; itemId: string; toolCallId: string }[]
  }

  /**
   * One of the answers, from a tab; messages and edits as the AI SDK sends them.
   *
   * @param options.tells Whether the tab says what it shows, as our own page does.
   */
  async answer(kind: Kind, tab: Tab, { isStream = false, tells = true } = {}): Promise<Reply> {
    const { itemId, toolCallId } = this.asked.get(kind) ?? {}
    const number = ++this.sent
    if (kind === 'form') {
      const values = { to: [`person-${number}@example.com`] }
      return await this.post(kind, tab, `/${this.id}/answer`, { itemId, values })
    }
    if (kind === 'approval') {
      const decided = { approvalId: itemId, toolCallId, decision: 'approve' }
      return await this.post(kind, tab, `/${this.id}/approval`, decided)
    }
    return await this.say(kind, tab, `${kind} number ${number} of ${this.id}`, { isStream, tells })
  }

  private async say(kind: Kind, tab: Tab, words: string, { isStream = false, tells = true } = {}) {
    const id = kind === 'edit' ? this.lastMessage : randomUUID()
    const message = { id, role: 'user', parts: [{ type: 'text', text: words }] }
    const edited = kind === 'edit' ? { messageId: id } : {}
    const seen = tells ? { seen: this.shown } : {}
    const body = { id: this.id, messages: [message], ...edited, ...seen }
    const accept = isStream ? 'text/event-stream' : 'application/json'
    return { ...(await this.post(kind, tab, '', body, accept)), words }
  }

  private async post(
    kind: Kind,
    tab: Tab,
    path: string,
    body: object,
    accept = 'application/json',
  ): Promise<Reply> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${user.token}`, accept }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await tabs[tab](new Request(`http://localhost/chat${path}`, init))
    const { status } = response
    const text = await response.text()
    const isStale =
      response.headers.get('x-askback-error') === 'newer_messages' || text.includes('"newer_messages"')
    return { kind, status, text, isStale }
  }

  /** What holds whatever came first. */
  async check(told: readonly Reply[], { tells = true } = {}): Promise<void> {
    const { status, body } = await user.get(`/conversations/${this.id}`)
    const stored = JSON.stringify(body)
    expect(status, stored).toBe(200)
    const accepted = told.filter(({ isStale }) => !isStale)
    const said = [...accepted.map(({ text }) => text), stored].join('\n')
    expect(said).not.toMatch(/Stopped\.|interrupted|"type":"error"/)
    for (const one of accepted) {
      const isDecision = one.kind === 'form' || one.kind === 'approval'
      // A decision that came too late says so.
      if (isDecision && one.status === 409) expect(one.text).toMatch(/already_decided/)
      else expect(one.status, `${one.kind}: ${one.text}`).toBe(200)
    }
    const { status: conversationStatus, pending } = body as { status: string; pending: unknown[] }
    expect([conversationStatus, pending], stored).toEqual(['completed', []])
    this.checkWords(accepted, stored, tells)
    const stale = told.find(({ isStale }) => isStale)
    if (stale?.words === undefined) return
    expect(tells && accepted.length > 0 && !stored.includes(stale.words), stored).toBe(true)
    // Its tab shows what is new, and its user sends it again.
    this.shown = (body as { messages: { id: string }[] }).messages.slice(-1).map(({ id }) => id)
    const again = await this.say('edit', 'own', stale.words)
    await this.check([{ ...again, words: stale.words }])
  }

  /** Each decision that was accepted has sent its mail, once. `mails`: all that were sent. */
  checkEffects(told: readonly Reply[], mails: readonly { subject: string }[]): void {
    for (const kind of ['form', 'approval'] as const) {
      const accepted = told.filter((one) => one.kind === kind && one.status === 200).length
      const sent = mails.filter(({ subject }) => subject === `${kind} ${this.id}`).length
      expect(sent, `${kind}: ${JSON.stringify(told)}`).toBe(Math.min(accepted, 1))
    }
  }

  /**
   * What was written stands in the conversation, and a model has read it. Where a tab does not say what it shows: of two
   * edits of one message the later one, and of a message that was answered before an edit came only the edit.
   */
  private checkWords(told: readonly Reply[], stored: string, tells: boolean): void {
    const words = told.flatMap((one) => one.words ?? [])
    const isKept = (text: string) => stored.includes(text)
    const edits = told.filter(({ kind }) => kind === 'edit').length
    const isOver = ({ kind, text }: Reply) =>
      !tells && kind === 'message' && edits > 0 && text.includes('"status":"completed"')
    if (edits > 1 && !tells) expect(words.some(isKept), stored).toBe(true)
    else expect(told.filter((one) => one.words && !isKept(one.words) && !isOver(one))).toEqual([])
    const kept = words.filter(isKept)
    const read = chat.model.requests.slice(this.firstRequest).map(({ body }) => JSON.stringify(body.messages))
    expect(read.some((messages) => kept.every((text) => messages.includes(text)))).toBe(true)
  }
}

const kinds = ['form', 'approval', 'message', 'edit'] as const
const pairs = kinds.flatMap((first, index) => kinds.slice(index).map((second) => [first, second] as const))
const rounds = isTestAll ? 200 : 4
const atOnce = 4
const places: readonly (readonly [Tab, Tab])[] = [
  ['own', 'own'],
  ['own', 'other'],
  ['other', 'own'],
  ['other', 'other'],
]

describe.each(pairs)('a %s and a %s at once, 0 to 200 ms apart', (first, second) => {
  it('one run goes on with both or after the other; nothing is lost, sent twice or stopped', {
    timeout: isTestAll ? 1_800_000 : 120_000,
  }, async () => {
    await chat.stack.inbox.clear()
    const numbers = Array.from({ length: rounds }, (_, number) => number)
    const done: { round: Round; told: Reply[] }[] = []
    const work = async () => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        const round = await Round.prepare(first, second)
        const [one, two] = places[number % places.length] ?? ['own', 'own']
        const apart = (200 * number) / rounds
        // Either may come first.
        const order = number % 8 < 4 ? [first, second] : [second, first]
        const options = { isStream: number % 3 === 0, tells: number % 5 !== 1 }
        const answers = [
          round.answer(order[0] ?? first, one, options),
          new Promise((resolve) => setTimeout(resolve, apart)).then(() =>
            round.answer(order[1] ?? second, two, options),
          ),
        ]
        const told = await Promise.all(answers)
        await round.check(told, options)
        done.push({ round, told })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const mails = await chat.stack.inbox.messages()
    for (const { round, told } of done) round.checkEffects(told, mails)
    expect(done).toHaveLength(rounds)
  })
})

describe('a process that stands still', () => {
  /** Resolves once the database has answered the next request of the late process that ends like this. */
  const answeredNext = (end: string) => {
    const { answered, release } = proxy.pauseNext(end)
    return answered.then(release)
  }

  it('as it begins one message stops no run of a later one', async () => {
    const round = await Round.prepare('message')
    const seen = chat.model.requests.length
    const held = proxy.pauseNext('/begin_turn')
    const first = round.answer('message', 'late')
    await held.answered
    const second = round.answer('message', 'late')
    await chat.model.waitForRequest(seen + 1)
    held.release()
    const told = await Promise.all([first, second])
    await round.check(told)
    expect(told[1].text).toContain(heard)
  })

  const steps = ['/begin_resume', '/claim_invocation', '/settle_invocation', '/finish_run']
  const frozen = (['form', 'approval'] as const).flatMap((decision) =>
    steps.flatMap((step) => (['message', 'edit'] as const).map((later) => [decision, step, later] as const)),
  )
  it.each(frozen)(
    'over a decision on the %s, at %s, loses neither it nor the %s that comes',
    async (...given) => {
      const [decision, step, later] = given
      const round = await Round.prepare(decision)
      const held = proxy.pauseNext(step)
      const first = round.answer(decision, 'late')
      await held.answered
      const begun = answeredNext('/begin_turn')
      const second = round.answer(later, 'late')
      await begun
      held.release()
      const told = await Promise.all([first, second])
      await round.check(told)
      round.checkEffects(told, await chat.stack.inbox.messages())
    },
  )
})
