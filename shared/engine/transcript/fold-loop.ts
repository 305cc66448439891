import { callKey, canonicalJson, writtenArguments } from '../core/canonical-json.ts'
import { readPath, valueAt } from '../core/json-path.ts'
import type { Seen } from '../core/seen.ts'
import { type Correction, isWholeToolError, type ToolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import type {
  Call,
  ClientCall,
  DecisionEntry,
  Entry,
  QuestionEntry,
  Result,
  RunStart,
  StepEnd,
  UserMessage,
} from './entry.ts'
import { decideConsequence } from './error-consequence.ts'
import type { Intent } from './intent.ts'
import {
  type CallState,
  type DecidedCall,
  emptyLoopState,
  emptyRun,
  emptyTurn,
  type LoopState,
} from './loop-state.ts'
import { foldItem, keptArguments } from './open-items.ts'
import { beginsTurn } from './turn-start.ts'

/** After this many nudges in a run another model is used. */
export const nudgesBeforeOtherModel = 2

/** The state after all entries; `tools` by name, as the agent has them now. */
export function foldLoop(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
): LoopState {
  const state = emptyLoopState(tools)
  for (const entry of entries) applyEntry(state, entry)
  return state
}

/** Applies one more entry to the state, in place. */
export function applyEntry(state: LoopState, entry: Entry): void {
  const index = state.size++
  const item = 'itemId' in entry ? state.items.get(entry.itemId)?.question : undefined
  foldItem(state.items, entry, beginsTurn(entry) ? index : state.turnStart)
  if (item && entry.type === 'decision') noteDecision(state, entry, item)
  if (item && entry.type === 'closed') noteClosed(state, item)
  const apply = meanings[entry.type] as Apply | undefined
  apply?.(state, entry, index)
}

type Apply = (state: LoopState, entry: Entry, index: number) => void

/** What each type of entry means to the loop; the others mean nothing to it. */
const meanings: {
  [Type in Entry['type']]?: (state: LoopState, entry: Extract<Entry, { type: Type }>, index: number) => void
} = {
  'user-message': beginTurn,
  'client-call': (state, entry, index) => {
    beginTurn(state, entry, index)
    state.clientCall = entry
  },
  'run-start': beginRun,
  'step-start': (state, { last }) => {
    state.step = { text: '', calls: [], last }
  },
  'model-text': ({ step }, { text }) => {
    if (step) step.text += text
  },
  call: (state, entry) => {
    if (state.step) state.step.calls.push(entry)
    else makeDecidedCall(state, entry)
  },
  'step-end': endStep,
  'tool-model-call': (state, { usage }) => {
    state.tokens += usage.inputTokens + usage.outputTokens
  },
  result: noteResult,
  question: (state, entry) => {
    state.nextIntent = Math.max(state.nextIntent, entry.intent + 1)
    state.continuedItems.delete(entry.intent)
    for (const id of [entry.toolCallId, ...(entry.together ?? [])]) {
      const asked = state.calls.get(id)
      if (asked) asked.asked = true
      for (const called of state.unknown) {
        if (called === asked || called.call.intent === entry.intent) state.unknown.delete(called)
      }
    }
    endRoundIfOver(state)
  },
  nudge: (state, entry) => {
    state.stalls++
    state.nudge = entry
    if (entry.stall === 'length' && state.reply && state.reply.text.length > state.cutText.length) {
      state.cutText = state.reply.text
    }
    if (entry.stall !== 'repetition') state.reply = undefined
    state.isRepetition = false
    if (state.stalls > nudgesBeforeOtherModel) state.avoid = [...state.repliedBy]
  },
  'run-end': (state, entry) => {
    state.isRunning = false
    state.lastEnd = entry
    const ranOutOfTime = entry.ours?.some(({ code }) => code === 'wait_time') && state.events === 0
    state.silentRuns = ranOutOfTime ? state.silentRuns + 1 : 0
    state.reply = undefined
  },
}

function beginTurn(state: LoopState, entry: UserMessage | ClientCall, index: number): void {
  Object.assign(state, emptyTurn(), { turnStart: index, run: undefined, lastEnd: undefined })
  state.isRunning = false
  for (const { question: item } of state.items.values())
    state.intents.push({ ...earlierIntent(item, keptArguments(item)), item })
  for (const { call } of state.unknown)
    state.intents.push(earlierIntent(call, typeof call.input === 'object' ? call.input : {}))
  const { earlier = [] } = entry.type === 'user-message' ? entry : {}
  for (const slot of slotsIn(earlier)) state.slots.add(slot)
}

/**
 * The calls that wait together with another one. If a person has changed that one, they are judged again. What a tool has
 * seen was for that one, not for them.
 */
function decideTogether(
  { calls }: LoopState,
  { input, ...decision }: DecisionEntry,
  { together = [], addresses: _, approves: __, seen: ___, ...question }: QuestionEntry,
): DecidedCall[] {
  return together.flatMap((toolCallId) => {
    const call = calls.get(toolCallId)?.call
    if (typeof call?.input !== 'object') return []
    const decided = input && decision.decision === 'approve' ? 'time' : decision.decision
    return {
      decision: { ...decision, toolCallId, decision: decided },
      question: { ...question, toolCallId, toolName: call.toolName, arguments: call.input },
    }
  })
}

/** The reply of the model is complete: it counts from now on. */
function endStep(state: LoopState, entry: StepEnd): void {
  const { step } = state
  if (!step) return
  state.step = undefined
  state.steps++
  state.nudge = undefined
  state.isRepetition = false
  state.tokens += entry.usage.inputTokens + entry.usage.outputTokens
  state.repliedBy.add(entry.model)
  state.events++
  if (step.text.trim() !== '') state.text = step.text
  if (step.last === undefined) state.rounds++
  if (step.calls.length === 0) {
    state.reply = { text: step.text, finishReason: entry.finishReason, last: step.last }
    return
  }
  state.round = step.calls.map((call) => addCall(state, call))
  state.isRoundOver = false
}

/** What is open, and a write that may have happened, can be continued by a call, with attempts of its own. */
function earlierIntent(
  { intent: number, toolName: tool, toolCallId }: QuestionEntry | Call,
  kept: Intent['kept'],
): Intent {
  return { ...newIntent({ number, tool, toolCallId }), kept, isEarlier: true }
}

function newIntent(about: Pick<Intent, 'number' | 'tool' | 'toolCallId'>): Intent {
  return { ...about, attempts: 0, kept: {}, lastKey: '', errors: [] }
}

function noteDecision(state: LoopState, decision: DecisionEntry, question: QuestionEntry): void {
  state.intents = state.intents.filter(({ item }) => item?.itemId !== decision.itemId)
  if (decision.decision !== 'time') state.rounds = 0
  if (decision.toolCallId === '') return
  state.decidedCalls.push({ decision, question }, ...decideTogether(state, decision, question))
}

function noteClosed(state: LoopState, item: QuestionEntry): void {
  // From now on it is an intent like any other.
  for (const intent of state.intents) {
    if (intent.item?.itemId !== item.itemId) continue
    delete intent.item
    delete intent.isEarlier
  }
  const isContinued = state.round.some(({ call, result }) => call.continues === item.itemId && !result)
  if (isContinued) state.continuedItems.set(item.intent, item)
}

function beginRun(state: LoopState, entry: RunStart, index: number): void {
  const died = state.isRunning
  state.run = entry
  state.user = entry.user ?? state.user
  state.priorWrites = entry.priorWrites ?? state.priorWrites
  state.isRunning = true
  state.step = undefined
  if (died) {
    state.recoveredIndex = index
    return
  }
  Object.assign(state, emptyRun())
  const declined = [...state.settled].filter(([, { errorType }]) => declines.includes(errorType))
  state.settled = new Map(declined)
}

/** What a person has refused, until they write again. */
const declines: readonly string[] = ['approval_denied', 'cancelled']

function addCall(state: LoopState, call: Call): CallState {
  const step = state.calls.get(call.toolCallId)?.step ?? state.steps
  const added: CallState = { call, index: state.size, key: identifyCall(call), step }
  const intent = state.intents.find(({ number }) => number === call.intent)
  if (intent) added.intent = intent
  state.calls.set(call.toolCallId, added)
  state.nextIntent = Math.max(state.nextIntent, call.intent + 1)
  return added
}

/** A call that a decision allows to continue. */
function makeDecidedCall(state: LoopState, call: Call): void {
  if (state.isRoundOver) state.round = []
  state.isRoundOver = false
  const decided = state.decidedCalls.find(({ decision }) => decision.toolCallId === call.toolCallId)
  state.decidedCalls = state.decidedCalls.filter((other) => other !== decided)
  const before = state.calls.get(call.toolCallId)
  const added = addCall(state, call)
  if (before) added.before = before
  if (decided) added.decided = decided
  state.round.push(added)
}

/** Identifies a repeated call. */
export function identifyCall({ prepared, toolName, name, input, rawArguments }: Call): string {
  return prepared ? callKey(toolName, input) : `${name} ${writtenArguments(rawArguments ?? '')}`
}

function noteResult(state: LoopState, entry: Result): void {
  const called = state.calls.get(entry.toolCallId)
  if (!called) return
  state.events++
  called.result = entry
  for (const [itemId, seen] of Object.entries(entry.seen ?? {})) noteSeen(state, itemId, seen)
  if (entry.status === 'succeeded' || entry.status === 'unknown')
    state.continuedItems.delete(called.call.intent)
  if (entry.status === 'unknown') state.unknown.add(called)
  else state.unknown.delete(called)
  if (called.call.effect === 'write' && !called.call.duplicateOf) {
    if (entry.status === 'succeeded' || entry.status === 'unknown') {
      if (!state.writes.includes(called)) state.writes.push(called)
    }
    if (entry.result.ok && !entry.again) state.done.set(called.key, entry.result.data)
    if (entry.again) state.reportedDone.add(called.key)
  }
  endRoundIfOver(state)
}

/** What an open item, or a call that a decision about it allows, relies on from now on. */
function noteSeen({ items, round, decidedCalls }: LoopState, itemId: string, seen: Seen): void {
  const open = items.get(itemId)
  if (open) items.set(itemId, { ...open, question: { ...open.question, seen } })
  const decided = [...decidedCalls, ...round.flatMap((called) => called.decided ?? [])]
  for (const one of decided) {
    if (one.question.itemId === itemId) one.question = { ...one.question, seen }
  }
}

/** A round is over once each of its calls has ended or waits; only then are its intents settled, in order. */
function endRoundIfOver(state: LoopState): void {
  if (state.isRoundOver || !state.round.every((called) => isOver(state, called))) return
  state.isRoundOver = true
  for (const called of state.round) if (!called.call.duplicateOf) settle(state, called)
  for (const called of state.round) noticeSameResult(state, called)
  noticeRepetition(state)
}

/** A call identical to another one of its round shares its outcome. */
export function isOver({ calls }: Pick<LoopState, 'calls'>, { call, result, asked }: CallState): boolean {
  if (result || asked) return true
  return call.duplicateOf !== undefined && calls.get(call.duplicateOf)?.asked === true
}

function settle(state: LoopState, called: CallState): void {
  const { call, result } = called
  // A server that asks goes on with the same call.
  if (!result || result.parked) return
  if (called.decided?.decision.decision === 'skip' && !result.result.ok) skip(state, called, result.result)
  if (result.result.ok) {
    closeIntent(state, called)
    // Names that resemble no tool share a budget only until something works.
    state.intents = state.intents.filter(({ tool }) => tool !== '')
    return
  }
  const error = result.result
  if (error.errorType === 'cancelled' || result.retryAt !== undefined) return
  const consequence = decideConsequence(error, state.tools.get(call.toolName))
  if (consequence === 'sentence') {
    closeIntent(state, called)
    if (call.prepared) state.settled.set(called.key, error)
  } else if (consequence === 'input' || consequence === 'feedback') countAttempt(state, called, error)
  else if (consequence === 'once-more') countFailure(state, called, error)
}

/** A failure of unknown cause: after the first, one more call may follow; after the second it is over. */
function countFailure(state: LoopState, called: CallState, error: ToolError): void {
  const { intent } = called
  const before = intent?.errors.some(({ details }) => details.said === 'failure') ? intent.lastKey : undefined
  countAttempt(state, called, error)
  if (before === undefined) return
  for (const key of [before, called.key]) state.settled.set(key, error)
  closeIntent(state, called)
}

/** What the user has skipped is not asked again, as the call was written and as it was shown. */
function skip(state: LoopState, called: CallState, error: ToolError): void {
  for (const one of [called.key, called.before?.key]) if (one !== undefined) state.settled.set(one, error)
  closeIntent(state, called)
}

function closeIntent(state: LoopState, { intent }: CallState): void {
  state.intents = state.intents.filter((open) => open !== intent)
}

/** A failed attempt: the intent remembers what was right, so that the next call may omit it. */
function countAttempt(state: LoopState, called: CallState, error: ToolError): void {
  const { call, key } = called
  const intent = called.intent ?? openIntent(state, call)
  called.intent = intent
  intent.attempts = call.attempt
  intent.errors.push(error)
  intent.toolCallId = call.toolCallId
  intent.lastKey = key
  const { correction } = error.details
  if (correction) {
    intent.kept = keptArguments(correction)
    for (const slot of listSlots(correction)) state.slots.add(slot)
  } else if (typeof call.input === 'object' && call.prepared) {
    intent.kept = call.input
  }
}

function openIntent(state: LoopState, call: Call): Intent {
  const { intent: number, intendedTool, toolName, toolCallId } = call
  const intent = newIntent({ number, tool: intendedTool ?? toolName, toolCallId })
  state.intents.push(intent)
  return intent
}

/** A read may be polled: the same result is counted, and a different one begins anew. */
function noticeSameResult({ reads }: LoopState, called: CallState): void {
  if (called.call.effect !== 'read' || !called.result?.result.ok) return
  const before = reads.get(called.key)
  if (before && describeResults([before]) === describeResults([called])) {
    called.unchanged = (before.unchanged ?? 0) + (called.call.duplicateOf ? 0 : 1)
  }
  reads.set(called.key, called)
}

/** The same calls with the same results as in an earlier round lead nowhere; of reads alone, their results say so. */
function noticeRepetition(state: LoopState): void {
  const calls = state.round.map(({ key }) => key).join('\n')
  const before = state.pastRounds.get(calls)
  state.isRepetition =
    before !== undefined && !isUnchanged(state) && describeResults(before) === describeResults(state.round)
  state.pastRounds.set(calls, state.round)
}

/** True if the last round had reads alone, and each of them the same result as before. */
export function isUnchanged({ round }: Pick<LoopState, 'round'>): boolean {
  return round.length > 0 && round.every(({ unchanged }) => unchanged !== undefined)
}

/** A failure in a later attempt counts as a different one. */
function describeResults(round: readonly CallState[]): string {
  const results = round.map(({ call, result }) => {
    if (!result) return ''
    if (!result.result.ok) return `${call.attempt} ${result.result.error}`
    return `${canonicalJson(result.result.data)} ${result.note ?? ''}`
  })
  return results.join('\n')
}

/** The slot texts of one corrected call. */
function listSlots({ arguments: args, open }: Correction): string[] {
  return open
    .map(readPath)
    .map((path) => valueAt(args, path))
    .filter((slot) => typeof slot === 'string')
}

/** The slot texts shown by failed calls of a foreign history. */
function slotsIn(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'tool' || typeof content !== 'string' || !content.startsWith('{')) return []
    try {
      const error: unknown = JSON.parse(content)
      return isWholeToolError(error) && error.details.correction ? listSlots(error.details.correction) : []
    } catch {
      return []
    }
  })
}
