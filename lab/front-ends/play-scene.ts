import { randomUUID } from 'node:crypto'
import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { decisionOn } from '../../support/decision.ts'
import { pause } from '../../support/slow-mail-server.ts'
import { type Cast, makeCast } from './cast.ts'
import { countFailedRuns, countQuestions, isAtWork, letHoursPass } from './database.ts'
import { findFaults } from './expected.ts'
import { headersOf } from './headers.ts'
import { ScriptedModel } from './model.ts'
import { type ClientMessage, promptOf, withoutMessage } from './prompts.ts'
import { type Answer, send } from './request.ts'
import type { Asking, Client, Cut, Expected, Scene, Sending, Step } from './scene.ts'
import { addressesOf, addressOf, markOf, type Stage } from './stage.ts'

/** The outcome of a scene. */
export interface Verdict {
  scene: Scene
  /** The recipients, one entry per mail. */
  mails: string[]
  questions: number
  problems: string[]
  diary: string[]
}

/** What a client knows of a chat. */
interface Chat {
  id: string
  said: ClientMessage[]
}

/** Longer than any run or write takes. */
const longestWorkMs = 180_000

export async function playScene(stage: Stage, scene: Scene, number: number): Promise<Verdict> {
  const player = new Player(stage, scene, number, await makeCast(stage, scene))
  try {
    for (const step of scene.steps) await player.play(step)
    await player.wait()
  } catch (error) {
    player.problems.push(String(error))
  }
  return await player.verdict()
}

class Player {
  readonly problems: string[] = []
  readonly #diary: string[] = []
  readonly #begun = Date.now()
  readonly #stage: Stage
  readonly #scene: Scene
  readonly #number: number
  readonly #cast: Cast
  readonly #model: ScriptedModel
  /** Who waits for the model to be asked, or for a mail to arrive. */
  readonly #onModel = new Set<() => void>()
  readonly #onMail = new Set<() => void>()
  #chat = newChat()
  /** The one that it was copied from, or that was copied from it. */
  #other: Chat | undefined
  readonly #tabId = randomUUID()
  /** Of the next message of the user. */
  #nextId = randomUUID()

  constructor(stage: Stage, scene: Scene, number: number, cast: Cast) {
    this.#stage = stage
    this.#scene = scene
    this.#number = number
    this.#cast = cast
    this.#model = new ScriptedModel(scene.model ?? {}, addressesOf(number), () => tell(this.#onModel))
    const { mailMs = 0 } = scene
    stage.scenes.set(markOf(number), { model: this.#model, mailMs, onMail: () => tell(this.#onMail) })
  }

  async play(step: Step): Promise<void> {
    const { said } = this.#chat
    switch (step.do) {
      case 'say':
        said.push(this.#message(step.text))
        return await this.#complete(step)
      case 'again':
        if (said.at(-1)?.role === 'assistant') said.pop()
        return await this.#complete(step)
      case 'continue':
        return await this.#complete(step)
      case 'add': {
        const own: ClientMessage = { role: 'user', content: step.text }
        return await this.#complete(step, [...said, own])
      }
      case 'edit': {
        const places = [...said.keys()].filter((at) => said[at]?.role === 'user')
        const at = places.at(step.at ?? -1) ?? 0
        const { id } = said[at] ?? {}
        const edited = this.#message(step.text)
        said.splice(at, Number.POSITIVE_INFINITY, step.keepsId && id ? { ...edited, id } : edited)
        return await this.#complete(step)
      }
      case 'tasks':
        return await this.#askForItself(step)
      case 'recall':
        said.push(
          step.role === 'user'
            ? this.#message(step.text)
            : { role: step.role, content: this.#fill(step.text) },
        )
        return
      case 'post':
        return await this.#post(step)
      case 'together':
        await Promise.all(step.steps.map((one, at) => pause(at * (step.ms ?? 0)).then(() => this.play(one))))
        return
      case 'new chat':
        this.#chat = newChat()
        return
      case 'fork': {
        const copies = said.map((one) => (step.newIds && one.id ? { ...one, id: randomUUID() } : one))
        this.#other = this.#chat
        this.#chat = { id: randomUUID(), said: copies }
        return
      }
      case 'other chat':
        ;[this.#chat, this.#other] = [this.#other ?? newChat(), this.#chat]
        return
      case 'other tab':
        said.splice(step.shows)
        return
      case 'listed':
        return await this.#checkList(step.chats)
      case 'decide':
        return await this.#decide(step.decision)
      case 'hours pass':
        return await letHoursPass(this.#stage.sql, this.#cast.user.id, step.hours)
      case 'wait':
        return await this.wait()
    }
  }

  /** Waits until nothing of the user is being worked on. */
  async wait(): Promise<void> {
    const giveUp = Date.now() + longestWorkMs
    while (await isAtWork(this.#stage.sql, this.#cast.user.id)) {
      if (Date.now() > giveUp) throw new Error('A run or a write never ends.')
      await pause(200)
    }
  }

  async verdict(): Promise<Verdict> {
    const { mail, sql, scenes } = this.#stage
    const ownNames = (to: readonly string[]) =>
      to
        .flatMap((address) => address.match(addressesOf(this.#number)) ?? [])
        .map((one) => one.split('-')[0] ?? '')
    const mails = mail.mails.flatMap(({ to }) => ownNames(to)).sort()
    const questions = await countQuestions(sql, this.#cast.user.id)
    scenes.delete(markOf(this.#number))
    const { problems } = this
    const { mails: wished, orAsked = [], questions: most = 0 } = this.#scene
    const more = without(mails, wished)
    const notSent = without(orAsked, more)
    if (without(wished, mails).length > 0 || without(more, orAsked).length > 0 || notSent.length > questions)
      problems.unshift(`mails went to ${listOf(mails)}, not to ${listOf([...wished, ...orAsked])}`)
    if (questions > most) problems.unshift(`${questions} questions instead of ${most}`)
    const failed = await countFailedRuns(sql, this.#cast.user.id)
    if (failed > 0) problems.push(`${failed} runs have failed`)
    return { scene: this.#scene, mails, questions, problems, diary: this.#diary }
  }

  /** Requests an answer to the chat and adds it to the history. */
  async #complete(step: Asking, said: readonly ClientMessage[] = this.#chat.said): Promise<void> {
    const chat = this.#chat
    const client = this.#clientOf(step)
    const answer = await this.#send(step, client, cut(said, step.history), {
      task: '',
      stream: client.stream ?? true,
    })
    if (answer.status !== 200 || answer.text === '') return
    const last = chat.said.at(-1)
    if (last?.role === 'assistant') {
      const goesOn = step.do === 'continue' ? last.content : ''
      chat.said.splice(-1, 1, { role: 'assistant', content: goesOn + answer.text })
    } else chat.said.push({ role: 'assistant', content: answer.text })
  }

  async #checkList(expected: number): Promise<void> {
    const { body } = await this.#cast.user.get('/conversations')
    const { length } = (body as { conversations: unknown[] }).conversations
    if (length !== expected) this.problems.push(`${length} chats are listed in the app, not ${expected}`)
  }

  /** The next message of the user. */
  #message(text: string): ClientMessage {
    const id = this.#nextId
    this.#nextId = randomUUID()
    return { role: 'user', content: this.#fill(text), id }
  }

  async #askForItself(step: Extract<Step, { do: 'tasks' }>): Promise<void> {
    const about: ClientMessage[] = step.before
      ? [
          { role: 'user', content: this.#fill(step.before) },
          { role: 'assistant', content: '' },
        ]
      : this.#chat.said
    const newest = step.before ? this.#nextId : newestId(this.#chat.said)
    const client = this.#clientOf(step)
    await Promise.all(
      step.tasks.map((task) => {
        const said: ClientMessage[] = [{ role: 'user', content: promptOf(task, about) }]
        const messageId = withoutMessage.includes(task) ? '' : newest
        return this.#send(step, client, said, { task, stream: false, messageId })
      }),
    )
  }

  async #send(
    step: Asking,
    client: Client,
    said: readonly ClientMessage[],
    {
      task,
      stream,
      messageId = newestId(said),
    }: { task: Parameters<typeof headersOf>[1]['task']; stream: boolean; messageId?: string },
  ): Promise<Answer> {
    const { agent, token } = this.#cast
    const messages: ChatCompletionMessageParam[] = said.map(({ role, content }) =>
      step.inParts && role === 'user'
        ? { role, content: [{ type: 'text', text: content }] }
        : { role, content },
    )
    const { system = this.#scene.system } = step
    if (system !== undefined) messages.unshift({ role: 'system', content: this.#fill(system) })
    const isOpenWebUi = client.kind !== 'openai'
    const body = {
      model: agent,
      messages,
      stream,
      ...(isOpenWebUi && task === '' ? { tools: ownTools } : {}),
      ...step.body,
    } as ChatCompletionCreateParams
    const headers = headersOf(client.headers, {
      chatId: this.#chat.id,
      tabId: this.#tabId,
      messageId,
      task,
    })
    const leaving = this.#leavingOf(step)
    const request = { base: this.#baseOf(client), token, headers, body }
    const answer = await send(request, client, leaving)
    this.#note(`${step.do} ${JSON.stringify(said.at(-1)?.content.slice(0, 120))}`, answer)
    if (!step.stop && !(step.mayFail && answer.status === 0)) this.#check(step, answer)
    return answer
  }

  #leavingOf({ stop, stopBy = 'abort' }: Sending) {
    if (stop === undefined) return undefined
    const controller = new AbortController()
    const leave = () => controller.abort()
    if (stop === 'model asked') this.#onModel.add(leave)
    if (stop === 'mail at the server') this.#onMail.add(leave)
    return { signal: controller.signal, by: stopBy, onWords: () => stop === 'words' && leave() }
  }

  async #post(step: Extract<Step, { do: 'post' }>): Promise<void> {
    const response = await fetch(`${this.#baseOf({})}${step.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${step.token ?? this.#cast.token}`,
        'content-type': 'application/json',
      },
      body: this.#fill(JSON.stringify(step.body)),
    })
    const { status, headers } = response
    const answer = { status, headers, text: await response.text(), silenceMs: 0 }
    this.#note(`POST ${step.path}`, answer)
    this.#check(step, answer)
  }

  async #decide(decision: 'approve' | 'deny'): Promise<void> {
    const { user } = this.#cast
    const { body } = await user.get('/open')
    const { items } = body as { items: (PendingItem & { conversationId: string })[] }
    if (items.length === 0) this.problems.push('nothing is open in the app')
    for (const item of items) {
      const { status } = await user.post(decisionOn(item, decision), {
        path: `/${item.conversationId}/approval`,
      })
      this.#diary.push(`${this.#now()} in the app: ${decision} "${item.question}" ${status}`)
    }
  }

  #check(step: { do: string } & Expected, answer: Answer): void {
    const modelRead = JSON.stringify(this.#model.read.at(-1) ?? null)
    const faults = findFaults(step, { ...answer, modelRead }, (text) => this.#fill(text))
    // What continues an answer that is whole adds nothing.
    if (step.do !== 'continue' && answer.status === 200 && answer.text.trim() === '')
      faults.push('an empty answer')
    this.problems.push(...faults.map((fault) => `${step.do}: ${fault}`))
  }

  #clientOf(step: Sending): Client {
    return { ...this.#scene.client, ...step.as }
  }

  #baseOf({ isProxied }: Client): string {
    const { stack, proxy } = this.#stage
    return `${isProxied ? proxy.url : stack.url}/functions/v1/chat/v1`
  }

  /** Replaces names in braces with addresses of this scene. */
  #fill(text: string): string {
    return text
      .replaceAll('{agent}', this.#cast.agent)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => addressOf(name, this.#number))
  }

  #note(what: string, { status, text }: Answer): void {
    this.#diary.push(`${this.#now()} ${what} -> ${status} ${JSON.stringify(text.slice(0, 500))}`)
  }

  #now(): string {
    return `${((Date.now() - this.#begun) / 1000).toFixed(1)} s:`
  }
}

const newChat = (): Chat => ({ id: randomUUID(), said: [] })

const newestId = (said: readonly ClientMessage[]) => said.findLast(({ id }) => id !== undefined)?.id ?? ''

/** What a client sends of a chat. */
function cut(said: readonly ClientMessage[], how: Cut | undefined): readonly ClientMessage[] {
  const newest = said.slice(-1)
  switch (how) {
    case undefined:
      return said
    case 'front':
      return said.slice(-3)
    case 'middle':
      return [...said.slice(0, 2), ...newest]
    case 'summary':
      return [{ role: 'assistant', content: 'Until now: small talk, and an email about lunch.' }, ...newest]
    case 'one':
      return newest
  }
}

/** What is left of a list if each of the others is taken out once. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...list]
  for (const other of others) if (left.includes(other)) left.splice(left.indexOf(other), 1)
  return left
}

const listOf = (names: readonly string[]) => [...names].sort().join(', ') || 'nobody'

/** Calls each listener once. */
function tell(listeners: Set<() => void>): void {
  const all = [...listeners]
  listeners.clear()
  for (const listener of all) listener()
}

/** Open WebUI sends its own functions with every message. */
const ownTools = ['add_memory', 'search_notes'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: 'A function of the front end.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
}))
