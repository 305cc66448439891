import type { AgentResponse, Pending, RunStatus } from './agent-response.ts'
import { canBeAnswered } from './endings.ts'
import { keepLedger } from './memory-ledger.ts'
import { openFields } from './open-fields.ts'
import { parkForInput } from './park-call.ts'
import type { ParkedCall, Run } from './run.ts'
import { summarize } from './summary.ts'

/** The model answered in words: the run is complete, unless a person could still fill in a failed call. */
export function answerRun(run: Run, text: string): AgentResponse {
  for (const intent of run.memory.intents) {
    const error = intent.errors.at(-1)
    if (error && canBeAnswered(error)) run.memory.parked.push(parkForInput(intent, error))
  }
  return run.memory.parked.length > 0 ? parkRun(run, text) : endRun(run, 'completed', text)
}

/** Ends a run whose model has nothing to say with an account of what was done and what was not. */
export function failRun(run: Run, reason: string): AgentResponse {
  const { conversation, turnStart } = run.memory
  const goesOn = Math.min(run.addedFrom, conversation.length) > turnStart + 1
  return endRun(run, 'failed', summarize(reason, run.toolsUsed, { goesOn }))
}

export function endRun(run: Run, status: RunStatus, text: string): AgentResponse {
  const { conversation } = run.memory
  const last = conversation.at(-1)
  // After a decision that changed nothing the last words are still the run's own: no provider wants them twice.
  if (last?.role !== 'assistant' || last.tool_calls) conversation.push({ role: 'assistant', content: text })
  return {
    status,
    text,
    messages: conversation.slice(run.addedFrom),
    toolsUsed: run.toolsUsed,
    usage: run.usage,
  }
}

/** Ends a run that waits: whom it waits for, and the state to resume it with. `text` defaults to the questions. */
export function parkRun(run: Run, text?: string): AgentResponse {
  const { parked } = run.memory
  const pending = parked.map((call) => pendingOf(run, call))
  for (const entry of pending) run.emit({ type: 'pending', pending: entry })
  const questions = new Set(parked.map(({ question }) => question.replace(/^Question: /, '')))
  const response = endRun(run, statusOf(parked), text ?? [...questions].join('\n'))
  keepLedger(run.memory.id, run.ledger)
  const state: unknown = JSON.parse(JSON.stringify({ ...run.memory, slots: [...run.slots] }))
  return { ...response, pending, state }
}

const statuses: readonly (readonly [Pending['type'], RunStatus])[] = [
  ['input', 'needs_input'],
  ['approval', 'needs_approval'],
  ['connection', 'needs_connection'],
  ['wait', 'waiting'],
]

/** With several calls waiting: what a person must say comes before a decision, a connection and the clock. */
function statusOf(parked: readonly ParkedCall[]): RunStatus {
  return statuses.find(([type]) => parked.some((call) => call.type === type))?.[1] ?? 'waiting'
}

function pendingOf(run: Run, call: ParkedCall): Pending {
  const { type, toolCallId, toolName, question, args, open, href, resumeAt } = call
  const parameters = run.tools.get(toolName)?.specification.parameters ?? {}
  return {
    type,
    toolCallId,
    toolName,
    question,
    ...(type === 'input' ? openFields(parameters, args, open) : { values: args }),
    ...(href === undefined ? {} : { href }),
    ...(resumeAt === undefined ? {} : { resumeAt }),
  }
}
