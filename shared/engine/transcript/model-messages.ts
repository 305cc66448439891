import { english } from '../../words/languages/english.ts'
import { isObject, readJsonText } from '../core/json-value.ts'
import { withoutMark } from '../core/question-mark.ts'
import { type ToolError, toolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { withContentFor } from '../models/protocol/content-for-keys.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import type { WireKeys } from '../models/protocol/wire-keys.ts'
import { wireName } from '../models/protocol/wire-names.ts'
import { type MessageFacts, withFacts } from '../window/message-facts.ts'
import { type FeedbackOptions, formatToolError } from '../wording/format-tool-error.ts'
import { briefEntry } from './brief-entry.ts'
import { cutOutput } from './cut-output.ts'
import { decisionWords } from './decision-words.ts'
import { textOfEnd } from './end-text.ts'
import type {
  Call,
  ClientCall,
  Entry,
  OwnSaid,
  OwnText,
  QuestionEntry,
  Result,
  RunStart,
  UserMessage,
} from './entry.ts'
import type { FileContents } from './file-content.ts'
import { applyEntry, isOver } from './fold-loop.ts'
import { healMessages, missingResult } from './heal-messages.ts'
import { type CallState, type DecidedCall, emptyLoopState, type LoopState } from './loop-state.ts'
import { lastWordsMessages, nudgeMessages, sameAsBefore } from './nudge-words.ts'
import { olderLine, openLines } from './open-lines.ts'
import { sayText } from './own-words.ts'
import { wordsOfQuestion } from './question-words.ts'
import { runLines } from './run-lines.ts'
import { beginsTurn } from './turn-start.ts'
import { messageContent } from './user-content.ts'
import { withKeys } from './with-keys.ts'
import { writeLine } from './write-line.ts'

export interface MessageSettings {
  /** By name, as the agent has them now. */
  tools: ReadonlyMap<string, ToolSpecification>
  /** Attempts per intent. */
  maxAttempts: number
  /** The contents of attached files. */
  files?: FileContents
}

type UserContent = ReturnType<typeof messageContent>

/** For whom the messages are. */
interface Reader {
  /** How a failed call is told: to a model as a question, to other programs as JSON. */
  formatFailure: (error: ToolError, options: FeedbackOptions) => string
  /** Whether they are told what a run begins with, like the time. */
  readsRunLines: boolean
}
const aModel: Reader = { formatFailure: formatToolError, readsRunLines: true }
const aProgram: Reader = { formatFailure: (error) => JSON.stringify(error), readsRunLines: false }

/**
 * What the model reads of a transcript: everything except the system message and one-time remarks. It contains only
 * complete things: a step once it has ended, the results of a round once all of them are there.
 */
export class ModelMessages {
  readonly list: ChatMessage[] = []
  /** The text of system messages in a foreign history. */
  readonly notes: string[] = []
  private decided: DecidedCall[] = []
  /** The model's words in the last completed step. */
  private stepText = ''
  /** How many calls that step asked for, if not all were run. */
  private asked: number | undefined
  /** The user's message is the last one, and the run that answers it has not begun. */
  private isNew = false
  /** What a run began with that continues a turn: told with the decision that it follows. */
  private begun = ''
  private readonly settings: MessageSettings
  private readonly reader: Reader

  constructor(settings: MessageSettings, reader = aModel) {
    this.settings = settings
    this.reader = reader
  }

  /** Takes one more entry; `state` is the loop's state including this entry, `before` what it was without. */
  add(entry: Entry, state: LoopState, before: Before): void {
    if (entry.type === 'decision') {
      if (before.question) this.decided.push({ decision: entry, question: before.question })
    } else if (entry.type === 'step-end') {
      this.stepText = before.step?.text ?? ''
      this.asked = entry.asked
    } else if (entry.type === 'step-start') this.addDecisions(state)
    if (!before.isRoundOver && state.isRoundOver) this.addRound(state, before.round)
    if (entry.type === 'user-message') this.addUserMessage(entry, state, before.waits)
    if (entry.type === 'client-call') this.addClientCall(entry, state)
    if (entry.type === 'run-start' && this.reader.readsRunLines) this.addRunLines(entry, state)
    if (entry.type === 'run-end') {
      this.addDecisions(state)
      // What others have changed is for people: it quotes what they wrote.
      const said = entry.ours?.filter(({ code }) => code !== 'changed')
      this.addFinalText(textOfEnd({ text: entry.text, ours: this.sayOwn(said, state) }, state.text))
    }
  }

  /** Said at the end of the next request and never again. */
  aside(state: LoopState): ChatMessage[] {
    if (state.step?.last !== undefined) return lastWordsMessages()
    if (!state.nudge) return []
    const text = state.nudge.stall === 'repetition' ? '' : this.stepText
    return nudgeMessages(state.nudge, text, state.stalls)
  }

  private addUserMessage(entry: UserMessage, state: LoopState, ended: readonly QuestionEntry[] = []): void {
    this.addDecisions(state)
    if (entry.replacesHistory) {
      this.list.length = 0
      this.notes.length = 0
    }
    const { system, turns } = healMessages(entry.earlier ?? [])
    // One by one: a client's history may be longer than a call can have arguments.
    for (const note of system) this.notes.push(note)
    const { files } = this.settings
    const older = olderLine(entry.older)
    for (const [index, turn] of this.withForeignWrites(turns).entries()) {
      const before = index === 0 ? older : ''
      this.list.push(
        turn.role === 'user'
          ? { ...turn, content: putBefore(before, messageContent(turn.content, files)) }
          : turn,
      )
    }
    const open = [...state.items.values()].map(({ question }) => question)
    const lines = [turns.length === 0 ? older : '', openLines(open, ended, this.settings.tools)]
      .filter((line) => line !== '')
      .join('\n')
    this.list.push({ role: 'user', content: putBefore(lines, messageContent(entry.content, files)) })
    this.isNew = true
  }

  /** What a program asks is no word of the user; no model answers its calls, but may read them later. */
  private addClientCall({ client, name, message }: ClientCall, state: LoopState): void {
    this.addDecisions(state)
    const program = `a program that calls itself ${JSON.stringify(client.name)}`
    const content =
      message === undefined
        ? `(Not from the user: ${program} called the tool ${name}.)`
        : `(Not from the user: ${program} asks this.)\n\n${message}`
    this.list.push({ role: 'user', content })
    this.isNew = true
  }

  /** What was told stays: the next request begins alike. */
  private addRunLines(entry: RunStart, { user }: LoopState): void {
    const lines = runLines(entry, user?.timezone)
    const message = this.list.at(-1)
    const isAnswer = this.isNew && message?.role === 'user'
    if (isAnswer) this.list[this.list.length - 1] = { ...message, content: putBefore(lines, message.content) }
    this.isNew = false
    this.begun = isAnswer ? '' : lines
  }

  /** Decisions made together become one message. */
  private addDecisions({ calls }: LoopState): void {
    if (this.decided.length === 0) return
    const words = this.decided.map(({ decision, question }) => {
      const call = calls.get(decision.toolCallId)?.call
      return decisionWords({ decision, question, call })
    })
    const content = putBefore(this.begun, [...new Set(words)].join('\n'))
    this.list.push(withFacts({ role: 'user', content }, { continues: true }))
    this.begun = ''
    this.decided = []
    this.stepText = ''
  }

  /** The calls of a round and their results. */
  private addRound(state: LoopState, round: readonly CallState[]): void {
    this.addDecisions(state)
    this.list.push(this.callMessage(round))
    for (const called of round) {
      const isLast = called === round.at(-1)
      const end = isLast ? this.leftOut(round) : ''
      const contentFor = this.contentOf(state, called)
      const content = (contentFor ? contentFor() : outputOf(called)) + end
      const message: ChatMessage = { role: 'tool', tool_call_id: chooseMessageId(called.call), content }
      withFacts(message, this.factsOf(called))
      this.list.push(contentFor ? withContentFor(message, (keys) => contentFor(keys) + end) : message)
    }
    this.asked = undefined
  }

  /** What has to be known of a result where a model cannot read all of the conversation. */
  private factsOf(called: CallState): MessageFacts {
    const { call, result } = called
    const tool = this.settings.tools.get(call.toolName)
    if (call.effect === 'write') {
      const line = writeLine(called, tool)
      return { isWrite: true, line }
    }
    if (!result?.result.ok) return {}
    return {
      brief: () => briefOutputOf(called, result, tool),
      shorten: (characters) => cutOutput(called, tool, outputOf(called), characters),
    }
  }

  /** Messages of a client, with what is known of the calls in them. */
  private withForeignWrites(turns: readonly ChatMessage[]): readonly ChatMessage[] {
    const writes = new Set<string>()
    for (const turn of turns) {
      if (turn.role === 'assistant')
        for (const call of turn.tool_calls ?? []) {
          const tool = call.type === 'function' && this.settings.tools.get(call.function.name)
          if (tool && tool.effect === 'write') writes.add(call.id)
        }
      if (turn.role === 'tool' && writes.has(turn.tool_call_id)) withFacts(turn, { isWrite: true })
    }
    return turns
  }

  /** Questions as they are asked, with the other fields that they need; all else by its values. */
  private sayOwn(said: readonly OwnSaid[] = [], { items, calls, user }: LoopState): OwnText[] {
    if (said.length === 0) return []
    const { tools } = this.settings
    const language = { ...english, timeZone: user?.timezone }
    const asked = new Map([...items.values()].map(({ question }) => [question.toolCallId, question]))
    return said.map((one) => {
      const item = one.toolCallId === undefined ? undefined : asked.get(one.toolCallId)
      if (item?.code === one.code) {
        const { question } = wordsOfQuestion({ ...item, changed: [] }, tools, language)
        return { ...one, text: withoutMark(question) }
      }
      return sayText(language, one, (id) => inputIn(calls.get(id)), tools)
    })
  }

  private leftOut({ length }: readonly CallState[]): string {
    if (this.asked === undefined) return ''
    return `\n\nOnly the first ${length} of ${this.asked.toLocaleString('en')} calls were run.`
  }

  /** Adds nothing if the list already ends with an answer, because a decision changed nothing: some providers refuse two in a row. */
  private addFinalText(text: string): void {
    const last = this.list.at(-1)
    if (last?.role !== 'assistant' || last.tool_calls) this.list.push({ role: 'assistant', content: text })
  }

  /**
   * The assistant's message for a round. Its arguments are always a JSON object, and a name that no tool has is
   * simplified: some providers parse them again and would refuse the whole conversation.
   */
  private callMessage(round: readonly CallState[]): ChatMessage {
    return {
      role: 'assistant',
      content: this.stepText.trim() === '' ? null : this.stepText,
      tool_calls: round.map((called) => ({
        id: chooseMessageId(called.call),
        type: 'function',
        function: { name: this.shownName(called.call), arguments: readableArguments(called) },
        extra_content: called.call.extraContent,
      })),
    }
  }

  /** The tool's own name, by which results are found again: its name on the wire depends on the other tools. */
  private shownName({ toolName }: Call): string {
    return this.settings.tools.has(toolName) ? toolName : wireName(toolName)
  }

  /** How to tell what went wrong with a call; `keys`: other names of its parameters. Undefined if it succeeded. */
  private contentOf(state: LoopState, called: CallState): ((keys?: WireKeys) => string) | undefined {
    const { call, result } = called
    const outcome = result?.result
    if (outcome?.ok) return undefined
    const { maxAttempts, tools } = this.settings
    const known = tools.get(call.intendedTool ?? call.toolName)
    const original = call.duplicateOf === undefined ? undefined : state.calls.get(call.duplicateOf)
    const intent = (original ?? state.calls.get(call.toolCallId))?.intent
    const error = outcome ?? (isOver(state, called) ? waitsForUser() : missingResult)
    const history = outcome ? (intent?.errors.slice(0, -1) ?? []) : []
    const openIntents = state.intents.filter(({ tool }) => tool === intent?.tool).length
    const options = {
      attempt: call.attempt,
      maxAttempts,
      level: outcome && call.repeated ? 3 : undefined,
      openIntents: outcome && openIntents,
    }
    return (keys) => {
      const renamed = (one: ToolError) => (keys ? withKeys(one, keys) : one)
      const parameters = keys ? { parameters: keys.schema } : {}
      const tool = known ? { ...known, ...parameters, name: call.toolName } : call.toolName
      return this.reader.formatFailure(renamed(error), { ...options, tool, history: history.map(renamed) })
    }
  }
}

/** The parts of the previous state that `add` needs. */
export type Before = Pick<LoopState, 'isRoundOver' | 'step' | 'round'> & {
  question?: DecidedCall['question'] | undefined
  /** What a user message ends. */
  waits?: readonly QuestionEntry[]
}

function putBefore(lines: string, content: UserContent): UserContent {
  if (lines === '') return content
  if (typeof content === 'string') return `${lines}\n\n${content}`
  return [{ type: 'text', text: `${lines}\n\n` }, ...content]
}

function inputIn(called: CallState | undefined): Record<string, unknown> | undefined {
  const input = called?.call.input
  return isObject(input) ? input : undefined
}

/**
 * Messages of a transcript for other programs: a failed call is JSON with `ok: false`. With `from`, only those that
 * the entries from that index on have added, without the user's message there: the caller passed it in.
 */
export function projectMessages(
  entries: readonly Entry[],
  settings: MessageSettings,
  from?: number,
): ChatMessage[] {
  return projectList(entries, settings, aProgram, from)
}

/** Messages of a whole transcript as the model reads them. */
export function projectModelMessages(entries: readonly Entry[], settings: MessageSettings): ChatMessage[] {
  return projectList(entries, settings, aModel)
}

function projectList(
  entries: readonly Entry[],
  settings: MessageSettings,
  reader: Reader,
  from?: number,
): ChatMessage[] {
  const state = emptyLoopState(settings.tools)
  const messages = new ModelMessages(settings, reader)
  let start = 0
  for (const [index, entry] of entries.entries()) {
    if (index === from) start = messages.list.length
    foldEntry(entry, state, messages)
    if (index === from && beginsTurn(entry)) start = messages.list.length
  }
  return messages.list.slice(start)
}

/** Applies one entry to the state of the loop and to the messages of the model. */
export function foldEntry(entry: Entry, state: LoopState, messages: ModelMessages): void {
  const before: Before = {
    isRoundOver: state.isRoundOver,
    round: state.round,
    step: state.step,
    question: entry.type === 'decision' ? state.items.get(entry.itemId)?.question : undefined,
    waits: beginsTurn(entry) ? listWaits(state) : [],
  }
  applyEntry(state, entry)
  messages.add(entry, state, before)
}

function listWaits({ items }: LoopState): QuestionEntry[] {
  return [...items.values()].map(({ question }) => question).filter(({ kind }) => kind === 'wait')
}

const notRunAgain =
  'This exact call already succeeded in this turn; it was not carried out a second time. If the user wants it twice, call it again, and the user is asked.'

function waitsForUser(): ToolError {
  return toolError('cancelled', 'Not carried out yet: it waits for the approval of the user.', {
    resolver: 'user',
  })
}

/** What a call that succeeded returned. */
function outputOf({ result, unchanged }: CallState): string {
  if (unchanged !== undefined) return sameAsBefore
  const data = result?.result.ok ? result.result.data : undefined
  const text = outputText(result?.again ? { note: notRunAgain, result: data ?? null } : data)
  return result?.note === undefined ? text : `${text}\n${result.note}`
}

/** The same as later turns read it; undefined if they read it whole. */
function briefOutputOf(
  called: CallState,
  result: Result,
  tool: ToolSpecification | undefined,
): string | undefined {
  const brief = briefEntry(result, () => tool)
  return brief?.type === 'result' ? outputOf({ ...called, result: brief }) : undefined
}

/** A tool's output, as the model reads it. */
function outputText(data: unknown): string {
  if (typeof data === 'string') return data === '' ? '(empty)' : data
  return JSON.stringify(data ?? null)
}

function chooseMessageId({ messageId, toolCallId }: Call): string {
  return messageId ?? toolCallId
}

function readableArguments({ call, result }: CallState): string {
  const { rawArguments = '', prepared, input } = call
  if (isObject(readJsonText(rawArguments))) return rawArguments
  if (prepared) return JSON.stringify(input)
  const correction = result?.result.ok === false ? result.result.details.correction : undefined
  const open = new Set(correction?.open)
  const kept = Object.entries(correction?.arguments ?? {}).filter(([name]) => !open.has(name))
  return JSON.stringify(Object.fromEntries(kept))
}
