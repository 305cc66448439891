import { callKey, canonicalJson, writtenArguments } from '../core/canonical-json.ts'
import { parsePath, setAt, valueAt } from '../core/json-path.ts'
import { type Correction, isWholeToolError, type ToolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import type { Call, Decision, Entry, Question, Result, RunStart, StepEnd, UserMessage } from './entry.ts'
import { decideEnding } from './error-ending.ts'
import type { Intent } from './intent.ts'
import {
  type CallState,
  emptyLoopState,
  emptyRun,
  emptyTurn,
  type LoopState,
  type Undone,
} from './loop-state.ts'

/** After so many nudges in a run another model is asked. */
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

/** Takes one more entry into the state, in place. */
export function applyEntry(state: LoopState, entry: Entry): void {
  const index = state.size++
  const take = steps[entry.type] as Step | undefined
  take?.(state, entry, index)
}

type Step = (state: LoopState, entry: Entry, index: number) => void

/** What each kind of entry means to the loop; the others mean nothing to it. */
const steps: {
  [Type in Entry['type']]?: (state: LoopState, entry: Extract<Entry, { type: Type }>, index: number) => void
} = {
  'user-message': beginTurn,
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
    state.questions.set(entry.toolCallId, entry)
    for (const id of [entry.toolCallId, ...(entry.together ?? [])]) {
      const asked = state.calls.get(id)
      if (!asked) continue
      asked.asked = true
      state.unknown.delete(asked)
    }
    endRoundIfOver(state)
  },
  decision: (state, entry) => {
    const question = openQuestion(state, entry.toolCallId)
    if (!question) return
    state.questions.delete(entry.toolCallId)
    state.olderQuestions.delete(entry.toolCallId)
    if (entry.decision !== 'time') state.rounds = 0
    if (entry.toolCallId === '') return
    state.undone.push({ decision: entry, question }, ...decideTogether(state, entry, question))
  },
  nudge: (state, entry) => {
    state.stalls++
    state.nudge = entry
    if (entry.stall === 'length' && state.answer && state.answer.text.length > state.cutText.length) {
      state.cutText = state.answer.text
    }
    if (entry.stall !== 'repetition') state.answer = undefined
    state.isRepetition = false
    if (state.stalls > nudgesBeforeOtherModel) state.avoid = [...state.answeredBy]
  },
  'run-end': (state, entry) => {
    state.isRunning = false
    state.lastEnd = entry
    state.silentRuns = entry.status === 'waiting' && state.events === 0 ? state.silentRuns + 1 : 0
    state.answer = undefined
  },
}

function beginTurn(state: LoopState, entry: UserMessage, index: number): void {
  Object.assign(state, emptyTurn(), { turnStart: index, run: undefined, lastEnd: undefined })
  state.isRunning = false
  for (const [id, question] of state.questions) state.olderQuestions.set(id, question)
  state.questions = new Map()
  for (const slot of slotsIn(entry.earlier ?? [])) state.slots.add(slot)
}

/** The calls that wait with another one. Where a person has changed that one, they are judged again. */
function decideTogether(
  { calls }: LoopState,
  { input, ...decision }: Decision,
  { together = [], addresses: _, approves: __, ...question }: Question,
): Undone[] {
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

/** An answer of the model is there: it counts from now on. */
function endStep(state: LoopState, entry: StepEnd): void {
  const { step } = state
  if (!step) return
  state.step = undefined
  state.nudge = undefined
  state.isRepetition = false
  state.tokens += entry.usage.inputTokens + entry.usage.outputTokens
  state.answeredBy.add(entry.model)
  state.events++
  if (step.text.trim() !== '') state.text = step.text
  if (step.last === undefined) state.rounds++
  if (step.calls.length === 0) {
    state.answer = { text: step.text, finishReason: entry.finishReason, last: step.last }
    return
  }
  state.round = step.calls.map((call) => addCall(state, call))
  state.isRoundOver = false
}

/** The question that waits for an answer about a call. */
export function openQuestion(
  { questions, olderQuestions }: Pick<LoopState, 'questions' | 'olderQuestions'>,
  toolCallId: string,
): Question | undefined {
  return questions.get(toolCallId) ?? olderQuestions.get(toolCallId)
}

function beginRun(state: LoopState, entry: RunStart, index: number): void {
  const died = state.isRunning
  state.run = entry
  state.user = entry.user ?? state.user
  state.priorWrites = entry.priorWrites ?? state.priorWrites
  state.isRunning = true
  state.step = undefined
  if (died) {
    state.recoveredAt = index
    return
  }
  Object.assign(state, emptyRun())
  const denied = [...state.settled].filter(([, error]) => error.errorType === 'approval_denied')
  state.settled = new Map(denied)
}

function addCall(state: LoopState, call: Call): CallState {
  const added: CallState = { call, at: state.size, key: identifyCall(call) }
  const intent = state.intents.find(({ number }) => number === call.intent)
  if (intent) added.intent = intent
  state.calls.set(call.toolCallId, added)
  state.nextIntent = Math.max(state.nextIntent, call.intent + 1)
  return added
}

/** A call that a decision lets go on. */
function makeDecidedCall(state: LoopState, call: Call): void {
  if (state.isRoundOver) state.round = []
  state.isRoundOver = false
  const decided = state.undone.find(({ decision }) => decision.toolCallId === call.toolCallId)
  state.undone = state.undone.filter((undone) => undone !== decided)
  const added = addCall(state, call)
  if (decided) added.decided = decided
  state.round.push(added)
}

/** How a call is recognised when it comes again. */
export function identifyCall({ prepared, toolName, name, input, rawArguments }: Call): string {
  return prepared ? callKey(toolName, input) : `${name} ${writtenArguments(rawArguments ?? '')}`
}

function noteResult(state: LoopState, entry: Result): void {
  const called = state.calls.get(entry.toolCallId)
  if (!called) return
  state.events++
  called.result = entry
  if (entry.status === 'unknown') state.unknown.add(called)
  else state.unknown.delete(called)
  if (called.call.effect === 'write' && !called.call.duplicateOf) {
    if (entry.status === 'succeeded' || entry.status === 'unknown') {
      if (!state.writes.includes(called)) state.writes.push(called)
    }
    if (entry.result.ok && !entry.again) state.done.set(called.key, entry.result.data)
  }
  endRoundIfOver(state)
}

/** A round is over when each of its calls has ended or waits; only then its intents are settled, in its order. */
function endRoundIfOver(state: LoopState): void {
  if (state.isRoundOver || !state.round.every((called) => isOver(state, called))) return
  state.isRoundOver = true
  for (const called of state.round) if (!called.call.duplicateOf) settle(state, called)
  noticeRepetition(state)
}

/** A call that says the same as another one of its round shares what becomes of that one. */
export function isOver({ calls }: Pick<LoopState, 'calls'>, { call, result, asked }: CallState): boolean {
  if (result || asked) return true
  return call.duplicateOf !== undefined && calls.get(call.duplicateOf)?.asked === true
}

function settle(state: LoopState, called: CallState): void {
  const { call, result } = called
  if (!result) return
  if (result.result.ok) {
    closeIntent(state, called)
    // Names that resemble no tool share a budget only until something works.
    state.intents = state.intents.filter(({ tool }) => tool !== '')
    return
  }
  const error = result.result
  if (error.errorType === 'cancelled' || result.retryAt !== undefined) return
  const ending = decideEnding(error, state.tools.get(call.toolName))
  if (ending === 'sentence') {
    closeIntent(state, called)
    if (call.prepared) state.settled.set(called.key, error)
  } else if (ending === 'input' || ending === 'feedback') countAttempt(state, called, error)
  else if (ending === 'once-more') countFailure(state, called, error)
}

/** A failure that nothing is known of: the first may be followed by one more call, after the second it is over. */
function countFailure(state: LoopState, called: CallState, error: ToolError): void {
  const { intent } = called
  const before = intent?.errors.some(({ details }) => details.said === 'failure') ? intent.lastKey : undefined
  countAttempt(state, called, error)
  if (before === undefined) return
  for (const key of [before, called.key]) state.settled.set(key, error)
  closeIntent(state, called)
}

function closeIntent(state: LoopState, { intent }: CallState): void {
  state.intents = state.intents.filter((open) => open !== intent)
}

/** A failed attempt: the intent learns what was right, so that the next call may leave it out. */
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
    intent.kept = structuredClone(correction.arguments)
    for (const path of correction.open) setAt(intent.kept, parsePath(path) ?? [], undefined)
    for (const slot of listSlots(correction)) state.slots.add(slot)
  } else if (typeof call.input === 'object' && call.prepared) {
    intent.kept = call.input
  }
}

function openIntent(state: LoopState, call: Call): Intent {
  const intent: Intent = {
    number: call.intent,
    tool: call.intendedTool ?? call.toolName,
    attempts: 0,
    kept: {},
    lastKey: '',
    errors: [],
    toolCallId: call.toolCallId,
  }
  state.intents.push(intent)
  return intent
}

/** The same calls with the same results as in an earlier round lead nowhere. */
function noticeRepetition(state: LoopState): void {
  const calls = state.round.map(({ key }) => key).join('\n')
  const before = state.pastRounds.get(calls)
  state.isRepetition = before !== undefined && describeResults(before) === describeResults(state.round)
  state.pastRounds.set(calls, state.round)
}

/** A failure of a later attempt is another one. */
function describeResults(round: readonly CallState[]): string {
  const results = round.map(({ call, result }) => {
    if (!result) return ''
    return result.result.ok ? canonicalJson(result.result.data) : `${call.attempt} ${result.result.error}`
  })
  return results.join('\n')
}

/** The slot texts of one corrected call. */
function listSlots({ arguments: args, open }: Correction): string[] {
  return open.map((path) => valueAt(args, parsePath(path) ?? [])).filter((slot) => typeof slot === 'string')
}

/** Those that failed calls of a foreign history have shown. */
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
