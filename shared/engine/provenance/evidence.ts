import { isObject, readJsonText } from '../core/json-value.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { extractToolError } from '../failures/extract-tool-error.ts'
import { readMessageText } from '../models/protocol/message-text.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { spellNumber } from './amount.ts'
import {
  type AnsweredParties,
  answeredId,
  isBareList,
  isOfMailbox,
  listMails,
  onlyMailIn,
  type ReadMails,
  type ShownMail,
} from './answered-mail.ts'
import { namesAddress, readAddress } from './email-address.ts'
import { type SplitText, splitQuoted } from './quoted-text.ts'
import { asText, readable } from './readable-text.ts'
import { namesPlaces, sourcedValues, valuesOf } from './sourced-values.ts'
import { trustedValues } from './trusted-output.ts'
import { isOfWeb, namesWebAddress, readPlace, readWebAddress } from './web-address.ts'
import { withoutLinks } from './without-links.ts'

/** A value as good as said, sent successfully or found at a trusted place; nothing inside it counts. */
export interface Fact {
  value: string | number
  text: string
  /** Everything the model had written anywhere by then: found there, it is the model's own. */
  writtenBefore: string
}

/** Words of the user. */
export interface Words {
  text: string
  /** The same for mail addresses: without those inside a link. */
  forAddresses: string
  /** What the model had written there before they did. */
  except: string
  /** Values of a call that a person has approved, as JSON: each counts as theirs, nothing inside it. */
  approved?: ReadonlySet<string>
}

/** Used in place of a tool name for quoted text: no tool is called that. */
export const quotedSource = 'quoted text'

/** Used in place of a tool name for an attached file: tool names have no spaces. */
const filePrefix = 'attached file '

function fileSource(name: string): string {
  return filePrefix + name
}

/** The name of the file that is meant; undefined for a tool. */
export function fileNameOf(source: string): string | undefined {
  return source.startsWith(filePrefix) ? source.slice(filePrefix.length) : undefined
}

const programPrefix = 'program '

/** What a program over MCP calls itself that is meant; undefined for a tool. */
export function programNameOf(source: string): string | undefined {
  return source.startsWith(programPrefix) ? source.slice(programPrefix.length) : undefined
}

/** Used in place of a tool name for what was read before the transcript begins. */
export const earlierPart = 'earlier part of this conversation'

/** What a tool returned, or the text of an attached file. */
interface Output {
  toolName: string
  text: string
  sentBefore: string
}

/** Web addresses that a person has allowed to be read. */
export interface Opened {
  addresses: string[]
  /** Something private had been read by then: it covers only these addresses, not their sites. */
  afterPrivate: boolean
}

/** Something private that the model has read. */
interface PrivateRead extends ReadMails {
  tool: ToolSpecification | undefined
}

/** A conversation's contents, split by their origin. Texts are NFKC-folded. */
export class Evidence {
  /** Written by the user: values are searched inside. */
  readonly said: Words[] = []
  /** Whole texts that the user typed into forms. */
  readonly typed = new Set<string>()
  readonly facts: Fact[] = []
  /** Output of tools, each with the arguments that the model had sent by then. */
  readonly outputs: Output[] = []
  /** Tools that have shown the model something private. Deleted tools count, since they may have. */
  readonly privateReads: string[] = []
  private readonly reads: PrivateRead[] = []
  private readsBeforeTurn = 0
  private readonly mails: (ShownMail & { reader: ToolSpecification })[] = []
  /** Ids of mails and files: a call with one of them may pass on contents that nobody has read. */
  private readonly privateIds = new Set<string>()
  /** The addresses that each search has found. */
  readonly searches: string[][] = []
  readonly opened: Opened[] = []
  /** How much the user had said when their last message came, and when something from outside last did. */
  private saidBeforeTurn = 0
  private saidBeforeOutside = 0
  private sentBefore = ''
  private writtenBefore = ''
  private readonly tools: ReadonlyMap<string, ToolSpecification>

  constructor(tools: ReadonlyMap<string, ToolSpecification>) {
    this.tools = tools
  }

  /** A user message: their own words, and quotations, which are trusted no more than tool output. */
  addMessage(text: string): void {
    const split = splitQuoted(text)
    this.beginTurn(split.quoted !== '')
    this.addSplit(text, split)
  }

  /** A long message that comes without its middle; of one that quotes anything, nobody can tell what is quoted. */
  addCutMessage(text: string, quotes: boolean): void {
    this.beginTurn(quotes)
    if (!quotes) this.addSplit(text, splitQuoted(text))
  }

  /** What was said too long ago to be in the transcript: known like all that was said, and nothing else. Comes first. */
  addSaidBefore(text: string): void {
    this.addSplit(text, splitQuoted(text))
  }

  /** Everything from here on is of the transcript. */
  beginTranscript(): void {
    this.saidBeforeOutside = this.said.length
  }

  private beginTurn(quotes: boolean): void {
    this.saidBeforeTurn = this.said.length
    this.readsBeforeTurn = this.reads.length
    if (!quotes) return
    // Front ends put documents there.
    this.privateReads.push(quotedSource)
    this.reads.push({ tool: undefined })
    this.noteOutside()
  }

  private addSplit(text: string, { own, quoted }: SplitText): void {
    this.addWords(own)
    const folded = text.normalize('NFKC')
    const links = withoutLinks(folded) === folded ? '' : text
    if (quoted + links !== '') this.addOther(quotedSource, `${readable(quoted)}\n${readable(links)}`, '')
  }

  /** What a person typed, without quotations. `except`: what was there before they changed it. */
  addWords(text: string, except = ''): void {
    const own = withUnescaped(text)
    this.said.push({
      text: readable(own),
      // Before folding, full-width marks still end a link; after it, full-width links are seen.
      forAddresses: readable(withoutLinks(withoutLinks(own).normalize('NFKC'))),
      except: readable(except),
    })
  }

  /** What a person typed into a form: known whole, too, whatever it looks like. */
  addTyped(values: Record<string, unknown>): void {
    this.addWords(JSON.stringify(values))
    for (const text of textsIn(Object.values(values))) this.typed.add(text)
  }

  /** A call as a person has approved it: its values are their choice. */
  addApproved(tool: ToolSpecification, args: Record<string, unknown>): void {
    const values = valuesOf(tool.parameters, args).map(({ value }) => JSON.stringify(value))
    this.said.push({ text: '', forAddresses: '', except: '', approved: new Set(values) })
  }

  /** What the user has typed or approved in this turn, or since something from outside came. */
  get saidLately(): readonly Words[] {
    return this.said.slice(Math.min(this.saidBeforeTurn, this.saidBeforeOutside))
  }

  /** The model has read something that the user did not write, nor a tool's author vouches for. */
  noteOutside(): void {
    this.saidBeforeOutside = this.said.length
  }

  /** A call as the model sent it: its arguments, or the text that could not be parsed. */
  addCall(input: Record<string, unknown> | string): void {
    this.sentBefore += `\n${readable(typeof input === 'string' ? input : wordsIn(input))}`
  }

  /**
   * The output of a successful call. `isEarlier`: in an earlier turn; only then do
   * trusted places of a listing count. `isApproved`: a person has approved that very call. `isOnlyItself`: whoever allowed it
   * has made nobody known.
   */
  addOutput(
    toolName: string,
    args: Record<string, unknown>,
    output: unknown,
    {
      isEarlier,
      isApproved = false,
      isOnlyItself = false,
    }: { isEarlier: boolean; isApproved?: boolean; isOnlyItself?: boolean },
  ): void {
    const tool = this.tools.get(toolName)
    for (const value of tool?.trustedOutput ? trustedValues(output, tool.trustedOutput, isEarlier) : []) {
      this.facts.push({ value, text: asText(value), writtenBefore: this.writtenBefore })
    }
    if (tool?.effect !== 'read') {
      // Receiving a reply makes nobody known, unless a person has approved the call.
      const sender = tool && !isApproved ? this.senderOf(tool, args) : undefined
      for (const { value, source } of tool ? sourcedValues(tool, args) : []) {
        if (source !== 'conversation' || isOnlyItself) continue
        if (sender !== undefined && isSameAddress(value, sender)) continue
        this.facts.push({ value, text: asText(value), writtenBefore: '' })
      }
      this.writtenBefore += `\n${readable(wordsIn(args))}`
    }
    if (tool && isSearch(tool)) this.searches.push(this.findResults(output))
    if (tool?.effect === 'read') this.addMails(tool, output)
    this.notePrivacy(toolName, { mail: onlyMailIn(output), isList: isBareList(output) })
    this.addOther(toolName, readable(wordsIn(output)), this.sentBefore)
  }

  /** What a program sends over MCP, as JSON: it may have read it anywhere. */
  addFromClient(name: string, json: string): void {
    const values = readJsonText(json)
    const text = values === undefined ? json : wordsIn(values)
    this.noteOutside()
    this.addOther(programPrefix + name, readable(text), '')
  }

  /** A person has allowed these addresses to be read. */
  addOpened(addresses: readonly string[]): void {
    const read = addresses.map(readPlace).filter((address) => address !== undefined)
    this.opened.push({ addresses: read, afterPrivate: this.privateReads.length > 0 })
  }

  /** Values that are an address as a whole; addresses in a snippet, or in the search itself, are not results. */
  private findResults(output: unknown): string[] {
    const values = textsIn(output).filter((text) => isOfWeb.test(text.trimStart()))
    const results = values.map(readWebAddress).filter((address) => address !== undefined)
    const isEcho = (result: string) => namesWebAddress(result, readWebAddress)(this.sentBefore)
    return [...new Set(results)].filter((result) => !isEcho(result))
  }

  /** Output of which nothing can be trusted: from a failed call, or from an unknown tool. */
  addText(toolName: string, text: string): void {
    this.notePrivacy(toolName)
    this.addOther(toolName, text, this.sentBefore)
  }

  /** The text of a file that the user attached: others may have written it, and nobody else may learn it. */
  addFile(id: string, name: string, content: string): void {
    const toolName = fileSource(name)
    this.privateIds.add(id)
    this.privateReads.push(toolName)
    this.reads.push({ tool: undefined })
    this.noteOutside()
    this.addOther(toolName, readable(content), this.sentBefore)
  }

  /** Something private was read before this transcript begins: with these tools, as far as that is known. */
  noteEarlier(readers: true | readonly string[]): void {
    const known = readers === true ? [] : readers.filter((name) => this.tools.get(name)?.foreign)
    this.privateReads.push(...known)
    if (readers === true || known.length < readers.length) this.privateReads.push(earlierPart)
    this.reads.push({ tool: undefined })
  }

  /** What has shown something private that the server of a foreign tool has not shown itself; undefined if nothing has. */
  privateBeside({ name }: ToolSpecification): string | undefined {
    const isElse = (reader: string) => !this.tools.get(reader)?.foreign || serverIn(reader) !== serverIn(name)
    return this.privateReads.find(isElse)
  }

  /** Something from a tool was read: its output, or why it failed. */
  notePrivacy(toolName: string, mails: ReadMails = {}): void {
    const tool = this.tools.get(toolName)
    if (tool && !tool.private) return
    this.privateReads.push(toolName)
    this.reads.push({ tool, ...mails })
  }

  /**
   * Who may be written to because this call replies to their mail: the sender of that very mail, and only while the model
   * has read nothing else private and includes no other mail or file, so that nothing of it can reach them. A list of
   * mails without bodies counts only in the turn that asked for it.
   */
  answeredSender(tool: ToolSpecification, args: Record<string, unknown>): string | undefined {
    const id = answeredId(tool, args)
    const isElse = ({ tool: reader, mail, isList }: PrivateRead, index: number) =>
      mail !== id &&
      !(isList && index < this.readsBeforeTurn) &&
      !(reader?.effect === 'write' && tool.providers && isOfMailbox(tool, reader))
    const takesAlong = wordsIn(args)
      .split('\n')
      .some((word) => word !== id && this.privateIds.has(word))
    return takesAlong || this.reads.some(isElse) ? undefined : this.senderOf(tool, args)
  }

  /** Whom the mail that a call replies to comes from, and whom it wants to be answered, if that is somebody else. */
  answeredParties(tool: ToolSpecification, args: Record<string, unknown>): AnsweredParties | undefined {
    return this.answeredMails(tool, args).findLast(({ parties }) => parties)?.parties
  }

  /** The sender of the mail that a call replies to; undefined if it was shown with several. */
  private senderOf(tool: ToolSpecification, args: Record<string, unknown>): string | undefined {
    const [sender, ...others] = new Set(this.answeredMails(tool, args).map((mail) => mail.sender))
    return others.length > 0 ? undefined : sender
  }

  /** What was shown of the mail that a call replies to. */
  private answeredMails(tool: ToolSpecification, args: Record<string, unknown>): ShownMail[] {
    const id = answeredId(tool, args)
    return this.mails.filter((mail) => mail.id === id && isOfMailbox(tool, mail.reader))
  }

  private addMails(reader: ToolSpecification, output: unknown): void {
    for (const mail of listMails(output)) {
      this.privateIds.add(mail.id)
      // An address that the model had already written is the model's own.
      const isOwn = mail.sender !== undefined && namesAddress(this.writtenBefore, mail.sender)
      if (!isOwn) this.mails.push({ ...mail, reader })
    }
  }

  private addOther(toolName: string, text: string, sentBefore: string): void {
    this.outputs.push({ toolName, text, sentBefore })
  }
}

/** The server in the name of its tool. */
function serverIn(name: string): string {
  return name.split('__', 1)[0] ?? name
}

/** Whether a value is this folded address and nothing else. */
function isSameAddress(value: string | number, address: string): boolean {
  return typeof value === 'string' && readAddress(value) === address
}

/** A read that shows nothing private, and whose place nobody has chosen: its results may be opened. */
function isSearch({ effect, private: isPrivate, parameters }: ToolSpecification): boolean {
  return effect === 'read' && !isPrivate && !namesPlaces(parameters)
}

/** Splits a conversation in OpenAI's format. `turnStart` is the index of the user message that started this turn. */
export function readMessages(messages: readonly ChatMessage[], evidence: Evidence, turnStart: number): void {
  const calls = new Map<string, { name: string; args: Record<string, unknown> }>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') evidence.addMessage(readMessageText(message.content))
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
    evidence.noteOutside()
    if (call && succeeded(output))
      evidence.addOutput(call.name, call.args, output, { isEarlier: index < turnStart })
    else evidence.addText(call?.name ?? '', readable(wordsIn(output)))
  }
}

/** The user's text, including strings in it that are escaped as JSON (a completed form). */
function withUnescaped(text: string): string {
  if (!text.includes('\\')) return text
  // The end always matches: a quote that is never closed is read once.
  const escaped = (text.match(/"(?:[^"\\]|\\.?)*(?:"|$)/gs) ?? []).map(readJsonText)
  return [text, ...escaped.filter((one) => typeof one === 'string')].join('\n')
}

/** Whether an answer says that the request was carried out. */
function succeeded(output: unknown): boolean {
  return extractToolError(output) === undefined
}

/** The texts in a value, one per line. */
export function wordsIn(value: unknown): string {
  return textsIn(value).join('\n')
}

/** All strings, numbers and keys of a value, including JSON inside strings; without recursion, for any depth. */
function textsIn(value: unknown): string[] {
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
  return words
}
