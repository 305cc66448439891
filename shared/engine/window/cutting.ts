import type { ChatMessage, ModelRequest } from '../models/protocol/model-client.ts'
import { estimateTokens, messageTokens } from './estimate-tokens.ts'
import { leftOutMessages } from './left-out-words.ts'
import { factsOf } from './message-facts.ts'
import { briefResult, cutResult, type ResultMessage, shortenResult, shortenText } from './shorter-message.ts'

/** What was cut from a request: how many of each. */
export interface Cut {
  /** Results of earlier turns that were shortened. */
  results: number
  /** Messages of earlier turns whose text was shortened. */
  texts: number
  /** Turns that were left out. */
  turns: number
  /** Results of this turn that were shortened. */
  ofThisTurn: number
}

/** In tokens, unscaled: with more than `most`, messages are cut to `goal`. */
interface Limits {
  most: number
  goal: number
}

/** Into so many steps the room is divided for tools, of which a search finds others all the time: within one all cut alike. */
const toolSteps = 16
/** Tokens that are left of each result of this turn, as long as that is enough, and if it is not. */
const [leastResult, leastMark] = [120, 24]

/**
 * Cuts the messages of a request as all the requests before it were cut, one after the other: each reply of the model
 * stands where one of them ended. So what is cut depends on the messages alone, and nothing that was cut comes back.
 */
export class Cutting {
  private readonly messages: readonly ChatMessage[]
  private readonly limits: Limits
  /** Every message as it is sent by now, also of the turns that are left out. */
  private readonly sent: ChatMessage[]
  /** Where the instructions end. */
  private readonly start: number
  /** The first message that is not left out. */
  private first: number
  /** The messages that begin a turn. */
  private readonly turns: number[] = []
  /** What stands in the place of the turns that are left out. */
  private note: ChatMessage[] = []
  /** What the writes in these have done. */
  private readonly lines: string[] = []
  /** Before these, results and texts are as short as they get. */
  private nextResult: number
  private nextText: number
  /** Tokens of what is sent by now. */
  private size: number

  constructor({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>, limits: Limits) {
    this.messages = messages
    this.limits = limits
    this.sent = [...messages]
    const start = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
    this.start = start < 0 ? messages.length : start
    this.first = this.start
    this.nextResult = this.start
    this.nextText = this.start
    const always = estimateTokens({ messages: messages.slice(0, this.start), tools })
    const step = limits.most / toolSteps
    this.size = Math.ceil(always / step) * step
  }

  /** The messages as they are sent in the end; `cut` is undefined if they are all of them. */
  end(): { messages: ChatMessage[]; cut: Cut | undefined } {
    const { messages, start, sent } = this
    for (let index = start; index < messages.length; index++) {
      const message = messages[index] as ChatMessage
      if (message.role === 'assistant') this.fit(index)
      if (message.role === 'user' && !factsOf(message).continues) this.turns.push(index)
      this.size += messageTokens(message)
    }
    this.fit(messages.length)
    const kept = [...messages.slice(0, start), ...this.note, ...sent.slice(this.first)]
    return { messages: kept, cut: this.count() }
  }

  /** Where the turn begins that has come so far. */
  private get turn(): number {
    return this.turns.at(-1) ?? this.start
  }

  private get isOver(): boolean {
    return this.size > this.limits.goal
  }

  /** As for a request that ended before this message. */
  private fit(end: number): void {
    if (this.size <= this.limits.most) return
    for (; this.isOver && this.nextResult < this.turn; this.nextResult++) {
      const result = this.resultAt(this.nextResult)
      if (result) this.send(this.nextResult, briefResult(result))
    }
    for (; this.isOver && this.nextText < this.turn; this.nextText++)
      this.send(this.nextText, shortenText(this.messages[this.nextText] as ChatMessage))
    while (this.isOver && this.first < this.turn) this.leaveOutTurn()
    if (this.size > this.limits.most) this.shortenTurn(end)
  }

  /** Sends a message instead of the one at this place, if that is shorter. */
  private send(index: number, message: ChatMessage): void {
    const saved = messageTokens(this.sent[index] as ChatMessage) - messageTokens(message)
    if (index < this.first || saved <= 0) return
    this.sent[index] = message
    this.size -= saved
  }

  /** Calls go with their results. */
  private leaveOutTurn(): void {
    const next = this.turns.find((index) => index > this.first) ?? this.turn
    for (let index = this.first; index < next; index++) {
      this.size -= messageTokens(this.sent[index] as ChatMessage)
      const { line } = factsOf(this.messages[index] as ChatMessage)
      if (line !== undefined) this.lines.push(line)
    }
    this.first = next
    for (const message of this.note) this.size -= messageTokens(message)
    this.note = leftOutMessages(this.turnsLeftOut, this.lines)
    for (const message of this.note) this.size += messageTokens(message)
  }

  private get turnsLeftOut(): number {
    return this.turns.filter((index) => index < this.first).length
  }

  /** The largest results of this turn, to the same size. */
  private shortenTurn(end: number): void {
    const results: number[] = []
    for (let index = this.turn; index < end; index++) if (this.resultAt(index)) results.push(index)
    for (const { least, shorten } of ways) {
      // What is left is only about as long as was asked for.
      for (let pass = 0; pass < 2 && this.isOver; pass++) {
        const sizes = results.map((index) => messageTokens(this.sent[index] as ChatMessage))
        const level = Math.max(least, levelTo(sizes, this.size - this.limits.goal))
        for (const [number, index] of results.entries()) {
          const result = this.resultAt(index) as ResultMessage
          const characters = Math.floor((lengthOf(result) * level) / messageTokens(result))
          if ((sizes[number] ?? 0) > level) this.send(index, shorten(result, characters))
        }
      }
      if (this.size <= this.limits.most) return
    }
  }

  private resultAt(index: number): ResultMessage | undefined {
    const message = this.messages[index]
    return message?.role === 'tool' && !factsOf(message).isWrite ? message : undefined
  }

  private count(): Cut | undefined {
    const cut: Cut = { results: 0, texts: 0, turns: this.turnsLeftOut, ofThisTurn: 0 }
    for (let index = this.first; index < this.sent.length; index++) {
      const message = this.messages[index] as ChatMessage
      if (this.sent[index] === message) continue
      if (index >= this.turn) cut.ofThisTurn++
      else if (message.role === 'tool') cut.results++
      else cut.texts++
    }
    return this.first > this.start || Object.values(cut).some((count) => count > 0) ? cut : undefined
  }
}

/** First with beginning and end of each long text in a result; if that is not enough, of the result. */
const ways = [
  { least: leastResult, shorten: shortenResult },
  { least: leastMark, shorten: cutResult },
]

/** The size above which together as much lies as has to go. */
function levelTo(sizes: readonly number[], excess: number): number {
  const largestFirst = sizes.toSorted((a, b) => b - a)
  let above = 0
  for (const [index, size] of largestFirst.entries()) {
    above += size
    const level = (above - excess) / (index + 1)
    if (level >= (largestFirst[index + 1] ?? 0)) return Math.floor(level)
  }
  return 0
}

function lengthOf({ content }: ResultMessage): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content).length
}
