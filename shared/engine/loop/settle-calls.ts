import { parsePath, setAt } from '../core/json-path.ts'
import { type ToolError, toolError } from '../core/tool-error.ts'
import { markFine } from '../models/protocol/wire-messages.ts'
import { formatToolError } from '../wording/format-tool-error.ts'
import { questionForPeople } from '../wording/question-for-people.ts'
import { canBeAnswered, endingOf } from './endings.ts'
import type { Intent } from './intent.ts'
import { isSpent } from './limits.ts'
import { parkCall, parkForInput } from './park-call.ts'
import type { Outcome, RoundCall } from './round-call.ts'
import type { ParkedCall, Run } from './run.ts'
import { slotsOf } from './slots.ts'
import { outputText, toolMessage } from './transcript.ts'

/** Notes how the calls of a round ended: intents, whom the run waits for, and one tool message for each call. */
export function settleCalls(
  run: Run,
  calls: readonly RoundCall[],
  outcomes: ReadonlyMap<RoundCall, Outcome>,
): void {
  for (const call of calls) {
    const outcome = outcomes.get(call)
    const parked = outcome && !call.duplicateOf && settleCall(run, call, outcome)
    if (parked) run.memory.parked.push(parked)
  }
  // Only now: how many intents are open decides what the texts may leave out.
  for (const call of calls) {
    const outcome = outcomes.get(call)
    if (outcome)
      run.memory.conversation.push(markFine(toolMessage(call.transcriptId, textOf(run, call, outcome))))
  }
}

/** The last moment a `Date` can hold. */
const latestDate = 8.64e15

/** What an outcome means for the call's intent, and whether the run waits for somebody because of it. */
function settleCall(run: Run, call: RoundCall, outcome: Outcome): ParkedCall | undefined {
  if (outcome.status === 'parked') return outcome.parked
  if (outcome.status === 'succeeded') {
    closeIntent(run, call)
    return undefined
  }
  const error = outcome.result
  if (error.errorType === 'cancelled') return undefined
  if (outcome.retryAt !== undefined) {
    const resumeAt = new Date(Math.min(outcome.retryAt, latestDate)).toISOString()
    return parkCall('wait', call, error.error, { resumeAt })
  }
  switch (endingOf(error, call.specification)) {
    case 'sentence':
      closeIntent(run, call)
      if (call.args) run.memory.settled[call.key] = error
      return undefined
    case 'connection': {
      const href = error.details.action?.href
      return parkCall('connection', call, questionForPeople(error), href === undefined ? {} : { href })
    }
    case 'approval':
      return parkCall('approval', { ...call, repetition: call.repetition + 1 }, questionForPeople(error), {
        uncertain: true,
      })
    case 'input':
      return parkForInput(countAttempt(run, call, error), error)
    case 'feedback': {
      const intent = countAttempt(run, call, error)
      return isSpent(run.limits, intent) && canBeAnswered(error) ? parkForInput(intent, error) : undefined
    }
  }
}

/** A failed attempt: the intent learns what was right, so that the next call may leave it out. */
function countAttempt(run: Run, call: RoundCall, error: ToolError): Intent {
  const intent = call.intent ?? openIntent(run, call)
  intent.attempts = call.attempt
  intent.errors.push(error)
  intent.toolCallId = call.toolCallId
  intent.lastKey = call.key
  const correction = error.details.correction
  if (correction) {
    intent.kept = structuredClone(correction.arguments)
    for (const path of correction.open) setAt(intent.kept, parsePath(path) ?? [], undefined)
    for (const slot of slotsOf(correction)) run.slots.add(slot)
  } else if (call.args) {
    intent.kept = call.args
  }
  return intent
}

function openIntent(run: Run, call: RoundCall): Intent {
  const intent: Intent = {
    number: call.intentNumber,
    tool: call.intendedTool,
    attempts: 0,
    kept: {},
    lastKey: '',
    errors: [],
    toolCallId: call.toolCallId,
  }
  call.intent = intent
  run.memory.intents.push(intent)
  return intent
}

function closeIntent(run: Run, { intent }: RoundCall): void {
  run.memory.intents = run.memory.intents.filter((open) => open !== intent)
}

const notRunAgain = 'This exact call already succeeded in this turn; it was not run again.'

function textOf(run: Run, call: RoundCall, outcome: Outcome): string {
  if (outcome.status === 'succeeded') {
    const { data } = outcome.result
    return outputText(outcome.repeated ? { note: notRunAgain, result: data ?? null } : data)
  }
  const tool = call.specification ? { ...call.specification, name: call.toolName } : call.toolName
  if (outcome.status === 'parked') {
    const waits = toolError('cancelled', 'Not carried out yet: it waits for the approval of the user.', {
      resolver: 'user',
    })
    return formatToolError(waits, { attempt: call.attempt, maxAttempts: run.limits.maxAttempts, tool })
  }
  const { intent } = call.duplicateOf ?? call
  return formatToolError(outcome.result, {
    attempt: call.attempt,
    maxAttempts: run.limits.maxAttempts,
    tool,
    history: intent?.errors.slice(0, -1) ?? [],
    ...(call.repeated ? { level: 3 } : {}),
    openIntents: run.memory.intents.filter(({ tool: name }) => name === intent?.tool).length,
  })
}
