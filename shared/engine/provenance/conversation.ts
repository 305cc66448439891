import { isObject, readJsonText } from '../core/json-value.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { extractToolError } from '../failures/extract-tool-error.ts'
import { readMessageText } from '../models/protocol/message-text.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { spellNumber } from './amount.ts'
import { asText, readable } from './readable-text.ts'
import { sourcedValues } from './sourced-values.ts'
import { trustedValues } from './trusted-output.ts'

/** A value as good as said, sent successfully or found at a trusted place; nothing inside it counts. */
export interface Fact {
  value: string | number
  text: string
  /** What writes of the model had put anywhere by then: found again, it is the model's own. */
  writtenBefore: string
}

/** What stands for an attached file where a tool is named: no tool has a blank in its name. */
const filePrefix = 'attached file '

export function fileSource(name: string): string {
  return filePrefix + name
}

/** The name of the file that is meant; undefined for a tool. */
export function fileNameOf(source: string): string | undefined {
  return source.startsWith(filePrefix) ? source.slice(filePrefix.length) : undefined
}

/** What a tool returned, or what an attached file says. */
interface Output {
  toolName: string
  text: string
  sentBefore: string
  /** The model may have put it together: it comes from where the model can write to, after it wrote something. */
  mayBeComposed: boolean
}

/** What a conversation holds, split by who is behind it. Texts are NFKC-folded. */
export class Evidence {
  /** Written by the user: values are looked for inside. */
  readonly said: string[] = []
  readonly facts: Fact[] = []
  /** Output of tools, each with the arguments that the model had sent by then. */
  readonly outputs: Output[] = []
  /** Tools that have shown the model something private. One that is not known any more may have. */
  readonly privateReads: string[] = []
  private sentBefore = ''
  private writtenBefore = ''
  private readonly tools: ReadonlyMap<string, ToolSpecification>

  constructor(tools: ReadonlyMap<string, ToolSpecification>) {
    this.tools = tools
  }

  /** Words that a person typed. */
  addWords(text: string): void {
    this.said.push(asSaid(text))
  }

  /** A call as the model sent it: its arguments, or the text that could not be read. */
  addCall(input: Record<string, unknown> | string): void {
    this.sentBefore += `\n${readable(typeof input === 'string' ? input : wordsIn(input))}`
  }

  /**
   * What came back from a call that did what it was meant to do. `isEarlier`: in an earlier turn; only then do
   * trusted places of a listing count.
   */
  addOutput(toolName: string, args: Record<string, unknown>, output: unknown, isEarlier: boolean): void {
    const tool = this.tools.get(toolName)
    for (const value of tool?.trustedOutput ? trustedValues(output, tool.trustedOutput, isEarlier) : []) {
      this.facts.push({ value, text: asText(value), writtenBefore: this.writtenBefore })
    }
    if (tool?.effect !== 'read') {
      for (const { value, source } of tool ? sourcedValues(tool.parameters, args) : []) {
        if (source !== 'conversation') continue
        this.facts.push({ value, text: asText(value), writtenBefore: '' })
      }
      this.writtenBefore += `\n${readable(wordsIn(args))}`
    }
    this.addText(toolName, readable(wordsIn(output)))
  }

  /** Output of which nothing can be trusted: of a failed call, or of one that nobody knows. */
  addText(toolName: string, text: string): void {
    const isPrivate = this.notePrivacy(toolName)
    const mayBeComposed = isPrivate && this.writtenBefore !== ''
    this.outputs.push({ toolName, text, sentBefore: this.sentBefore, mayBeComposed })
  }

  /** What stands in a file that the user attached: others may have written it, and nobody else may learn it. */
  addFile(name: string, content: string): void {
    const toolName = fileSource(name)
    this.privateReads.push(toolName)
    this.outputs.push({
      toolName,
      text: readable(content),
      sentBefore: this.sentBefore,
      mayBeComposed: false,
    })
  }

  /** Something that a tool said was read: its output, or why it failed. */
  notePrivacy(toolName: string): boolean {
    const tool = this.tools.get(toolName)
    const isPrivate = !tool || tool.private === true
    if (isPrivate) this.privateReads.push(toolName)
    return isPrivate
  }
}

/** Splits a conversation in OpenAI's form. `turnStart` is the index of the user message that began this turn. */
export function readMessages(messages: readonly ChatMessage[], evidence: Evidence, turnStart: number): void {
  const calls = new Map<string, { name: string; args: Record<string, unknown> }>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') evidence.addWords(readMessageText(message.content))
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        if (call.type !== 'function') continue
        const { name, arguments: written } = call.function
        const args = readJsonText(written)
        calls.set(call.id, { name, args: isObject(args) ? args : {} })
        evidence.addCall(isObject(args) ? args : written)
      }
    }
    if (message.role !== 'tool') continue
    const content = readMessageText(message.content)
    const call = calls.get(message.tool_call_id)
    const output = readJsonText(content) ?? content
    if (call && succeeded(output)) evidence.addOutput(call.name, call.args, output, index < turnStart)
    else evidence.addText(call?.name ?? '', readable(wordsIn(output)))
  }
}

/** What the user wrote, with the texts that stand in it escaped as JSON (a filled-in form). */
function asSaid(text: string): string {
  if (!text.includes('\\')) return readable(text)
  // An end always matches: a quote that is never closed is read once.
  const escaped = (text.match(/"(?:[^"\\]|\\.?)*(?:"|$)/gs) ?? []).map(readJsonText)
  return readable([text, ...escaped.filter((one) => typeof one === 'string')].join('\n'))
}

/** Whether an answer says that what was asked for was done. */
function succeeded(output: unknown): boolean {
  return extractToolError(output) === undefined
}

/** All texts, numbers and keys of a value, a line each, also those of JSON inside a text; without recursion, for any depth. */
function wordsIn(value: unknown): string {
  const words: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') {
      words.push(next)
      if (/^\s*[[{]/.test(next)) open.push(readJsonText(next))
    } else if (typeof next === 'number') words.push(spellNumber(next))
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) open.push(next[at])
    else if (isObject(next))
      for (const [key, member] of Object.entries(next).reverse()) open.push(member, key)
  }
  return words.join('\n')
}
