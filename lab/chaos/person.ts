import { timeouts } from '../../shared/engine/core/timeouts.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { decisionOn } from '../../support/decision.ts'
import { pause } from '../../support/slow-mail-server.ts'
import { addressOf } from './model.ts'
import type { Resident } from './resident.ts'
import { rungInTime } from './rung.ts'
import type { Scenario } from './scenario.ts'
import type { World } from './world.ts'

/** A person's request, which can be sent any number of times. */
export interface Ask {
  /** `POST` by default. */
  method?: 'PATCH'
  path: string
  body: object
  /** The token of the link that it decides by, which is all that it brings. */
  link?: string
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
  /** The item of which the bell and a digest have to tell. */
  mustRing: string | undefined
  /** The message with the card to decide on. */
  #card: { message: Page['messages'][number]; item: PendingItem } | undefined
  readonly #world: World
  readonly #resident: Resident
  readonly #scenario: Scenario
  readonly #begun = Date.now()
  /** Of the schedule that asks in the person's place. */
  #scheduleId: string | undefined

  constructor(world: World, resident: Resident, scenario: Scenario) {
    this.#world = world
    this.#resident = resident
    this.#scenario = scenario
  }

  get conversationId(): string {
    return this.#scheduleId ? `schedule-${this.#scheduleId}` : `c${this.#scenario.number}`
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
    const { method = 'POST', path, body, link } = ask
    const reply = await this.#fetch(method, path, body, abortAfterMs, link)
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

  async #fetch(method: string, path: string, body?: object, abortAfterMs?: number, link?: string) {
    await this.#world.gate.passed
    const begun = Date.now()
    try {
      const response = await fetch(`${this.#world.chat}${path}`, {
        method,
        headers: {
          ...(link ? { 'x-askback-link': link } : { authorization: `Bearer ${this.#resident.user.token}` }),
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
    const agentId = this.#resident.agents[flow === 'approval' || flow === 'bell' ? 'always' : 'never']
    if (flow === 'schedule') return await this.#plan(agentId, `Send the order to ${address}`)
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

  /** Makes a schedule, which is not due yet. Returns a change of it that changes nothing. */
  async #plan(agentId: string, message: string): Promise<Ask> {
    const body = { agentId, message, cron: '0 0 1 1 *', timeZone: 'UTC' }
    for (let tries = 1; tries <= 20; tries++) {
      const reply = await this.#fetch('POST', '/schedules', body)
      const made = reply?.status === 201 ? (reply.body as { schedule: { id: string } }).schedule : undefined
      if (made) {
        this.#scheduleId = made.id
        return { method: 'PATCH', path: `/schedules/${made.id}`, body: { message } }
      }
      await pause(300)
    }
    throw new Error(`Scenario ${this.#scenario.number} has no schedule:\n${this.diary.join('\n')}`)
  }

  /** The time of the schedule comes, if there is one. */
  async letCome(): Promise<void> {
    const id = this.#scheduleId
    if (!id) return
    this.note('its time comes')
    await this.#world.query(
      (sql) =>
        sql`update askback.schedules set next_at = date_trunc('second', now()) where id = ${id} and next_at > now()`,
    )
  }

  /** Resolves once the run of the schedule has come to its end, or the clock no longer tries. */
  async hasCome(): Promise<void> {
    const id = this.#scheduleId
    if (!id) return
    for (const giveUp = Date.now() + 120_000; Date.now() < giveUp; await pause(500)) {
      const [time] = await this.#world.query(
        (sql) => sql`
          select t.outcome, t.tries, r.status from askback.schedule_times t
          left join askback.runs r on r.id = t.run_id where t.schedule_id = ${id}`,
      )
      if (!time || time.status === 'running' || time.status === 'stopping') continue
      if (time.outcome !== 'begun' || time.status !== 'interrupted' || time.tries >= 3) return
    }
    this.note('its run never came to an end')
  }

  /** What waits has waited for so long that a digest is due, if the bell is to ring for it. Resolves once both were told. */
  async letRing(): Promise<void> {
    const { item } = this.#card ?? {}
    if (this.#scenario.flow !== 'bell' || !item) return
    this.note('nobody looks for two days')
    await this.#world.query(
      (sql) => sql`
        update askback.open_items set asked_at = asked_at - interval '2 days'
        where user_id = ${this.userId} and conversation_id = ${this.conversationId} and closed_at is null`,
    )
    this.mustRing = item.itemId
    await rungInTime(this.#world, this)
  }

  /** The same yes by others, each with a link of their own. */
  async links(names: readonly string[]): Promise<Ask[]> {
    const { item } = this.#card ?? {}
    if (!item) return []
    const { flow } = this.#scenario
    const decided =
      flow === 'form' ? { values: { to: [addressOf(this.#scenario.number)] } } : { decision: 'approve' }
    const made = await Promise.all(
      names.map((name) =>
        this.#fetch('POST', `/open/${encodeURIComponent(item.itemId)}/link`, { decides: true, name }),
      ),
    )
    return made.flatMap((reply) => {
      if (reply?.status !== 201) return []
      const { link } = reply.body as { link: { url: string } }
      return { path: '/open/linked', body: decided, link: new URL(link.url).hash.slice(1) }
    })
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
    const words = {
      approval: 'yes, send it please',
      form: `To ${address}`,
      allowed: 'Is it sent?',
      schedule: 'Is it sent?',
      bell: 'yes, send it please',
    }
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
