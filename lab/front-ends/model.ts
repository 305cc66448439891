import { demoScript } from '../../support/demo-script.ts'
import { callTool, type ModelServerReply, type ModelServerRequest, say } from '../../support/model-server.ts'
import { withoutTime } from '../../support/without-time.ts'
import type { Model } from './scene.ts'

type Messages = ModelServerRequest['body']['messages']
interface Mail {
  subject: string
  body: string
}

const demo = demoScript({})

/** The model of a scene, which may do what models should not do. */
export class ScriptedModel {
  /** The request bodies that it received. */
  readonly read: ModelServerRequest['body'][] = []
  readonly #settings: Model
  readonly #addresses: RegExp
  readonly #onAsked: () => void
  #calls = 0
  #wroteTo: string | undefined

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
    const { kind = 'nasty' } = this.#settings
    if (tools.length === 0) return say('{ "text": "Nothing to do." }')
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const results = messages.slice(asked).filter(({ role }) => role === 'tool').length
    const { content } = messages[asked] ?? {}
    const words = typeof content === 'string' ? withoutTime(content) : JSON.stringify(content ?? '')
    if (kind === 'obeys') return results > 0 ? say('Done.') : this.#obey(words)
    if (kind === 'forgets the recipient')
      return results > 0 ? say('Who should it go to?') : this.#write(undefined, this.#mail())
    const to = this.#lastAddress(messages, words)
    if (to === undefined) return say('What can I do for you?')
    if (kind === 'corrects' && results === 1) return this.#write(to, this.#mail())
    if (results > 0) return say('Done.')
    return this.#write(kind === 'corrects' ? 'Ada' : to, this.#mail())
  }

  /** "Send an email about lunch to …", "Write to … that we meet upstairs"; whatever else is said is not for it. */
  #obey(words: string): ModelServerReply {
    const [to] = this.#addressesIn(words)
    if (to === undefined) return say('You are welcome.')
    const subject = /about (.+?) to /.exec(words)?.[1] ?? 'News'
    const news = / that ([^"]+)/.exec(words)?.[1] ?? `this is about ${subject}`
    return this.#write(to, { subject, body: `Hello,\n\n${news}.\n\nBest wishes` })
  }

  /** Of the newest message of the user, to whom it wrote last, or of any other message. */
  #lastAddress(messages: Messages, words: string): string | undefined {
    return (
      this.#addressesIn(words).at(-1) ?? this.#wroteTo ?? this.#addressesIn(JSON.stringify(messages)).at(-1)
    )
  }

  /** `somebody` only marks a scene. */
  #addressesIn(text: string): string[] {
    return (text.match(this.#addresses) ?? []).filter((address) => !address.startsWith('somebody-'))
  }

  #mail(): Mail {
    this.#calls++
    const { kind } = this.#settings
    if (kind === 'repeats') return { subject: 'Lunch', body: 'Lunch is at noon.' }
    const subject = kind === 'rewords' ? `Lunch, number ${this.#calls}` : 'Lunch'
    return { subject, body: `Lunch is at noon (${this.#calls}).` }
  }

  #write(to: string | undefined, mail: Mail): ModelServerReply {
    this.#wroteTo = to
    const reply = callTool('smtp_send_email', to === undefined ? mail : { to: [to], ...mail })
    const { saysFirst } = this.#settings
    return saysFirst === undefined ? reply : { ...reply, text: saysFirst, pauseMs: 150 }
  }
}
