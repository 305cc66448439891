import { demoScript } from '../../tests/support/demo-script.ts'
import {
  callTool,
  type ModelServerReply,
  type ModelServerRequest,
  say,
} from '../../tests/support/model-server.ts'
import type { Model } from './scene.ts'

type Messages = ModelServerRequest['body']['messages']

const demo = demoScript({})

/** The model of a scene, which does what models should not do. */
export class ScriptedModel {
  /** The request bodies that it received. */
  readonly read: ModelServerRequest['body'][] = []
  readonly #settings: Model
  readonly #addresses: RegExp
  readonly #onAsked: () => void
  #calls = 0

  /** `addresses`: those of its scene; `onAsked`: called with each request. */
  constructor(settings: Model, addresses: RegExp, onAsked: () => void) {
    this.#settings = settings
    this.#addresses = addresses
    this.#onAsked = onAsked
  }

  async answer(request: ModelServerRequest): Promise<ModelServerReply> {
    this.read.push(request.body)
    this.#onAsked()
    const { kind, thinksMs = 0 } = this.#settings
    const reply = await (kind === 'demo' ? demo(request) : this.#reply(request.body))
    return { ...reply, delayMs: thinksMs }
  }

  #reply({ messages, tools = [] }: ModelServerRequest['body']): ModelServerReply {
    const { kind } = this.#settings
    if (tools.length === 0) return say('{ "text": "Nothing to do." }')
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const results = messages.slice(asked).filter(({ role }) => role === 'tool').length
    const to = this.#lastAddress(messages, asked)
    if (to === undefined) return say('What can I do for you?')
    if (kind === 'corrects' && results === 1) return this.#write(to)
    if (kind === 'forgets the recipient')
      return results > 0 ? say('Who should it go to?') : this.#write(undefined)
    if (results > 0) return say('Done.')
    return this.#write(kind === 'corrects' ? 'Ada' : to)
  }

  /** Of the newest message of the user, and where that names nobody of any other. */
  #lastAddress(messages: Messages, asked: number): string | undefined {
    const lastIn = (what: unknown) => JSON.stringify(what).match(this.#addresses)?.at(-1)
    return lastIn(messages[asked]) ?? lastIn(messages)
  }

  #write(to: string | undefined): ModelServerReply {
    const { rewordsSubject, saysFirst } = this.#settings
    this.#calls++
    const subject = rewordsSubject ? `Lunch, number ${this.#calls}` : 'Lunch'
    const mail = { subject, body: `Lunch is at noon (${this.#calls}).` }
    const reply = callTool('smtp_send_email', to === undefined ? mail : { to: [to], ...mail })
    return saysFirst === undefined ? reply : { ...reply, text: saysFirst, pauseMs: 150 }
  }
}
