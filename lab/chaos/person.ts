import { timeouts } from '../../shared/engine/core/timeouts.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { decisionOn } from '../../support/decision.ts'
import { pause } from '../../support/slow-mail-server.ts'
import { addressOf } from './model.ts'
import type { Resident } from './resident.ts'
import type { Scenario } from './scenario.ts'
import type { World } from './world.ts'

/** A person's request, which can be sent any number of times. */
export interface Ask {
  path: string
  body: object
}

export interface Page {
  status: string
  messages: { id: string; role: string; parts: Part[] }[]
  pending: PendingItem[]
}

export interface Part {
  type: string
  text?: string
  toolCallId?: string
  state?: string
  errorText?: string
}

/** A person who wants one mail sent, with what they have done and seen. */
export class Person {
  /** For each mail asked for: how many had arrived by then. */
  readonly wishes: { mailsBefore: number; told: boolean }[] = []
  /** Milliseconds of requests that took longer than a claim's lease, without those in which something stood still. */
  readonly blocked: number[] = []
  /** A log for reports of failures. */
  readonly diary: string[] = []
  /** The texts of answers that failed. */
  readonly heard: string[] = []
  /** The texts of all answers. */
  readonly told: string[] = []
  /** The request that got no usable answer and will be sent again. */
  readonly unanswered = new Set<Ask>()
  /** The message with the card to decide on. */
  #card: { message: Page['messages'][number]; item: PendingItem } | undefined
  readonly #world: World
  readonly #resident: Resident
  readonly #scenario: Scenario
  readonly #begun = Date.now()

  constructor(world: World, resident: Resident, scenario: Scenario) {
    this.#world = world
    this.#resident = resident
    this.#scenario = scenario
  }

  get conversationId(): string {
    return `c${this.#scenario.number}`
  }

  get userId(): string {
    return this.#resident.user.id
  }

  get mails(): number {
    return this.#world.mailsTo(addressOf(this.#scenario.number))
  }

  note(line: string): void {
    this.diary.push(`${((Date.now() - this.#begun) / 1000).toFixed(1)} s: ${line}`)
  }

  /** `ifNotDone`: the mails so far are enough, if that is told. */
  wish(what: string, ifNotDone = false): void {
    this.note(`wishes ${what}, ${this.mails} mails so far`)
    this.wishes.push({ mailsBefore: this.mails, told: ifNotDone && this.mails > 0 })
  }

  /** Undefined when no answer came. */
  async send(ask: Ask, abortAfterMs?: number): Promise<{ status: number; body: never } | undefined> {
    this.unanswered.add(ask)
    const reply = await this.#fetch('POST', ask.path, ask.body, abortAfterMs)
    if (reply && reply.status < 500) this.unanswered.delete(ask)
    return reply
  }

  async get<T>(path: string): Promise<T | undefined> {
    const reply = await this.#fetch('GET', path)
    return reply?.status === 200 ? (reply.body as T) : undefined
  }

  /** Nothing, where not even the first message has arrived. */
  async page(): Promise<Page | undefined> {
    const reply = await this.#fetch('GET', `/conversations/${this.conversationId}`)
    if (reply?.status === 404) return { status: 'completed', messages: [], pending: [] }
    return reply?.status === 200 ? reply.body : undefined
  }

  /** The conversation, once the server responds. */
  async certainPage(): Promise<Page> {
    for (let tries = 1; tries <= 60; tries++) {
      const page = await this.page()
      if (page) return page
      await pause(500)
    }
    throw new Error(`The conversation cannot be read:\n${this.diary.join('\n')}`)
  }

  async open(): Promise<PendingItem[] | undefined> {
    const all = await this.get<{ items: (PendingItem & { conversationId: string })[] }>('/open')
    return all?.items.filter(({ conversationId }) => conversationId === this.conversationId)
  }

  async #fetch(method: string, path: string, body?: object, abortAfterMs?: number) {
    await this.#world.gate.passed
    const begun = Date.now()
    try {
      const response = await fetch(`${this.#world.chat}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#resident.user.token}`,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(abortAfterMs ?? 150_000),
      })
      const answer = await response.json()
      if (method !== 'GET') {
        this.note(`${nameOf(path, body)} ${response.status} ${describe(answer)}`)
        if (answer.status === 'failed') this.heard.push(answer.text)
        if (answer.text) this.told.push(answer.text)
      }
      return { status: response.status, body: answer as never }
    } catch (error) {
      if (method !== 'GET') this.note(`${nameOf(path, body)} no answer: ${(error as Error).name}`)
      return undefined
    } finally {
      const took = Date.now() - begun - this.#world.freezer.frozenBetween(begun, Date.now())
      if (took > timeouts.claimLeaseMs) this.blocked.push(took)
    }
  }

  /** Writes the first message; again and again until what is waited for is there. */
  async begin(): Promise<Ask> {
    const address = addressOf(this.#scenario.number)
    const { flow } = this.#scenario
    const agentId = this.#resident.agents[flow === 'approval' ? 'always' : 'never']
    const named = flow === 'form' ? `the address of ${address.split('@')[0]}` : address
    const message = {
      path: '',
      body: { id: this.conversationId, agentId, message: `Send the order to ${named}`, messageId: 'm-1' },
    }
    if (flow === 'allowed') return message
    const kind = flow === 'form' ? 'input' : 'approval'
    for (let tries = 1; tries <= 20; tries++) {
      await this.send(message)
      const page = await this.page()
      const item = page?.pending.find(({ type }) => type === kind)
      const shown = page?.messages.find(({ id }) => id === item?.messageId)
      if (item && shown) {
        this.#card = { message: shown, item }
        return this.answerTo(item)
      }
      await pause(300)
    }
    throw new Error(`Scenario ${this.#scenario.number} never began:\n${this.diary.join('\n')}`)
  }

  answerTo(item: PendingItem): Ask {
    const { itemId, type } = item
    if (type === 'approval')
      return { path: `/${this.conversationId}/approval`, body: decisionOn(item, 'approve') }
    if (type === 'input')
      return {
        path: `/${this.conversationId}/answer`,
        body: { itemId, values: { to: [addressOf(this.#scenario.number)] } },
      }
    return { path: `/${this.conversationId}/resume`, body: { itemId } }
  }

  /** The same yes as an AI SDK client says it; in a form there is nothing to click but the form. */
  click(ask: Ask): Ask {
    const { message, item } = this.#card ?? {}
    if (!message || item?.type !== 'approval') return ask
    const parts = message.parts.map((part) =>
      part.toolCallId === item.toolCallId
        ? { ...part, state: 'approval-responded', approval: { id: item.approvalId, approved: true } }
        : part,
    )
    return {
      path: '',
      body: {
        id: this.conversationId,
        trigger: 'submit-message',
        messageId: message.id,
        messages: [{ ...message, parts }],
      },
    }
  }

  /** What is typed in the chat box in place of the card, or beside a mail that is under way. */
  typed(): Ask {
    const address = addressOf(this.#scenario.number)
    const words = { approval: 'yes, send it please', form: `To ${address}`, allowed: 'Is it sent?' }
    return {
      path: '',
      body: { id: this.conversationId, message: words[this.#scenario.flow], messageId: 'm-2' },
    }
  }
}

const nameOf = (path: string, body: object | undefined): string =>
  path || String((body as { messageId?: string }).messageId)

function describe(answer: { status?: string; text?: string; error?: { code?: string } }): string {
  return answer.error
    ? String(answer.error.code)
    : `${answer.status} ${JSON.stringify(answer.text?.slice(0, 150))}`
}
