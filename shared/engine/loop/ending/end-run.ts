import type { Said } from '../../core/asked.ts'
import { lost } from '../../core/lost.ts'
import { once } from '../../core/once.ts'
import { overtaken } from '../../core/overtaken.ts'
import { withoutNothing } from '../../core/without-nothing.ts'
import { projectAnswer, projectToolUses, sinceRunEnd } from '../../transcript/answer.ts'
import type { OwnSaid, QuestionEntry, RunStatus } from '../../transcript/entry.ts'
import { canBeAnswered } from '../../transcript/error-consequence.ts'
import { projectMessages } from '../../transcript/model-messages.ts'
import { inputsIn } from '../../transcript/own-words.ts'
import { changedValues, storeQuestion } from '../../transcript/question-words.ts'
import { askAboutUnknown, askAgainAfterFailure, askPeople, questionForIntent } from '../consent/ask-people.ts'
import type { AgentResponse } from '../run/agent-response.ts'
import { ask } from '../run/ask.ts'
import { keepLedger } from '../run/memory-ledger.ts'
import { append, openOfTurn, type Run } from '../run/run.ts'
import { awaitOutcomes } from './await-outcomes.ts'
import { eachOnce, listNotDone, summarize } from './summary.ts'

/**
 * The model replied in words: the run is complete, unless a person could still complete a failed call, or must decide
 * about a write that may have happened.
 */
export async function completeRun(run: Run): Promise<AgentResponse> {
  const { state } = run
  for (const intent of state.intents) {
    const error = intent.errors.at(-1)
    if (error && canBeAnswered(error)) ask(run, questionForIntent(run, intent, error), intent.number)
  }
  return endWithWords(run, 'completed')
}

/** Ends with the result of the call that a program made, which is all it gets. A person is asked as ever. */
export async function endClientCall(run: Run): Promise<AgentResponse> {
  const isDone = run.state.round.every(({ result }) => result?.result.ok !== false)
  return endWithWords(run, isDone ? 'completed' : 'failed', { text: '', ours: calledBy(run) })
}

/** Who has called, if it was a program: nobody has written anything that says so. */
function calledBy({ state: { clientCall } }: Run): OwnSaid[] {
  return clientCall ? [{ code: 'called_by_program', values: { program: clientCall.client.name } }] : []
}

/** The model gets to say its last words; if they lead nowhere, we write the account ourselves. */
export async function endWithLastWords(
  run: Run,
  status: 'completed' | 'failed',
  hasWords: boolean,
): Promise<AgentResponse> {
  const { reply, cutText } = run.state
  if (hasWords) return status === 'completed' ? completeRun(run) : endWithWords(run, status)
  const text = longestOf(cutText, reply?.text ?? '')
  return text === ''
    ? failRun(run, { code: 'model_silent' })
    : endWithWords(run, status, { text, ours: [cutOff] })
}

/** The caller's token limit is so small that the answer was cut before it said anything. */
export function endWithNothing(run: Run, status: 'completed' | 'failed'): Promise<AgentResponse> {
  return endWithWords(run, status, { text: '', ours: [cutOff] })
}

/**
 * Ends with the model's words, or the given ones. Whatever they say, our own words tell what was not done and what may have
 * been done.
 */
async function endWithWords(
  run: Run,
  status: RunStatus,
  { text, ours = [] }: EndWords = {},
): Promise<AgentResponse> {
  const { entries, specifications, state } = run
  const runsElsewhere = new Set<string>()
  let hasFailed = false
  for (const [id, { result }] of state.calls) {
    if (result?.runsAs) runsElsewhere.add(id)
    hasFailed ||= result?.result.ok === false
  }
  const uses = hasFailed ? projectToolUses(sinceRunEnd(entries)) : []
  const done = await awaitOutcomes(run)
  const unknown = askAboutUnknown(run)
  askAgainAfterFailure(run)
  const open = new Set([...state.items.values()].map(({ question }) => question.intent))
  const notDone = listNotDone(
    uses,
    specifications,
    (use) => open.has(use.intent) || runsElsewhere.has(use.toolCallId),
  )
  const said = [...ours, ...done, ...notDone, ...unknown.flatMap(saidOfItem)]
  return endRun(run, waitsFor(run) ?? status, { text, ours: said })
}

const cutOff: OwnSaid = { code: 'cut_off' }

/** The longest of the answers that were cut off; empty if there was none. */
function longestOf(...texts: readonly string[]): string {
  return texts.map((text) => text.trim()).reduce((a, b) => (b.length > a.length ? b : a))
}

/** Ends a run whose model has nothing to say with an account of what was done and what was not. */
export async function failRun(run: Run, reason: Said): Promise<AgentResponse> {
  await awaitOutcomes(run)
  askAboutUnknown(run)
  askAgainAfterFailure(run)
  return endRun(run, waitsFor(run) ?? 'failed', { text: '', ours: giveAccount(run, reason) })
}

/**
 * Ends a run that was stopped: the part of an answer that they have seen stays. Nothing new is asked now: a stopped
 * run waits for nobody, and the user is asked about writes with an unknown outcome at the end of the next turn.
 */
export async function stopRun(run: Run): Promise<AgentResponse> {
  const { reason } = run.stopping.signal
  // Whoever has taken its place hears them.
  if (reason !== lost) await awaitOutcomes(run)
  askAgainAfterFailure(run)
  const ours = giveAccount(run, { code: reason === overtaken ? 'overtaken' : 'stopped' })
  return endRun(run, 'failed', { text: run.written.trim() === '' ? '' : run.written, ours })
}

function giveAccount(run: Run, reason: Said): OwnSaid[] {
  const { entries, specifications, state } = run
  const goesOn = state.lastEnd !== undefined
  return summarize(reason, projectToolUses(sinceRunEnd(entries)), specifications, { goesOn })
}

/** Ends a run that waits; our words say whom it waits for. */
export async function endWaiting(run: Run): Promise<AgentResponse> {
  const done = await awaitOutcomes(run)
  askPeople(run)
  askAgainAfterFailure(run)
  const said = [...calledBy(run), ...done, ...openOfTurn(run).flatMap(saidOfItem)]
  const ours = eachOnce(said, run.specifications, inputsIn(run.entries))
  return endRun(run, waitsFor(run) ?? 'waiting', { text: '', ours })
}

/** The whole run waits for the clock. `heldBy`: the limit that is reached. */
export function waitUntil(run: Run, until: number, said: Said, heldBy?: string): Promise<AgentResponse> {
  ask(run, {
    type: 'question',
    kind: 'wait',
    toolCallId: '',
    toolName: '',
    ...storeQuestion(said),
    arguments: {},
    open: [],
    resumeAt: new Date(until).toISOString(),
    heldBy,
  })
  return endWaiting(run)
}

/** `text`: the model's words, only if they are not its own last text. */
type EndWords = { text?: string | undefined; ours?: OwnSaid[] }

function endRun(run: Run, status: RunStatus, { text, ours = [] }: EndWords): AgentResponse {
  append(run, {
    type: 'run-end',
    status,
    text,
    ours: ours.length > 0 ? ours : undefined,
  })
  if (run.state.items.size > 0 && run.state.run) keepLedger(run.state.run.runId, run.ledger)
  const { entries, addedFrom, specifications, limits } = run
  const settings = { tools: specifications, maxAttempts: limits.maxAttempts }
  const answer = projectAnswer(entries, specifications)
  const messages = once(() => projectMessages(entries, settings, addedFrom))
  // Made on demand: callers that keep the transcript don't need them.
  return {
    status: answer.status,
    get text() {
      return answer.text
    },
    get toolsUsed() {
      return answer.toolsUsed
    },
    get usage() {
      return answer.usage
    },
    get pending() {
      return answer.pending
    },
    get messages() {
      return messages()
    },
    transcript: entries.slice(addedFrom),
  }
}

/** What is asked; before it, what has changed since it was asked before. */
function saidOfItem({ changed, code, codeValues: values, toolCallId, toolName }: QuestionEntry): OwnSaid[] {
  const asked: OwnSaid = { code, toolCallId, ...withoutNothing({ values }) }
  if (!changed) return [asked]
  return [{ code: 'changed', values: changedValues({ changed, toolName }), toolCallId }, asked]
}

const statuses: readonly (readonly [QuestionEntry['kind'], RunStatus])[] = [
  ['input', 'needs_input'],
  ['approval', 'needs_approval'],
  ['connection', 'needs_connection'],
  ['wait', 'waiting'],
]

/**
 * Whom the run waits for; undefined for nobody. If several calls wait, a person's answer comes before a decision, a
 * connection and the clock.
 */
function waitsFor(run: Run): RunStatus | undefined {
  const kinds = new Set(openOfTurn(run).map(({ kind }) => kind))
  return statuses.find(([kind]) => kinds.has(kind))?.[1]
}
