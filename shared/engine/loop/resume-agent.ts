import { AgentError } from '../core/agent-error.ts'
import { systemClock } from '../core/clock.ts'
import type { AgentResponse } from './agent-response.ts'
import { applyDecisions } from './decisions.ts'
import { keptLedger } from './memory-ledger.ts'
import { promptTime } from './prompt-time.ts'
import { runCalls } from './round.ts'
import type { Run, RunMemory } from './run.ts'
import { walk } from './run-agent.ts'
import type { ResumeAgentOptions } from './run-options.ts'
import { createRun } from './start-run.ts'
import { withStop } from './stop-run.ts'
import { assistantCalls } from './transcript.ts'

/**
 * Goes on with a run that waited: with the user's `answer` to a form, `approval` of a call, a new `connection`,
 * or, with none of them, because the clock says so. The parked call goes on exactly as it was shown. Without a
 * decision that fits, the answer is the same pending response again.
 *
 * @example
 * const ping = defineTool({ name: 'ping', description: 'Pings.', parameters: {}, approval: 'always', execute: () => 'pong' })
 * const about = { finishReason: 'stop', hasChoice: true, usage: { inputTokens: 9, outputTokens: 2 }, provider: 'p', model: 'm' }
 * const replies = [{ text: '', toolCalls: [{ name: 'ping', rawArguments: '{}' }] }, { text: 'Done.', toolCalls: [] }]
 * const model = { model: 'm', models: ['m'], complete: async () => ({ ...about, ...replies.shift() }) }
 * const agent = { name: 'Mira', instructions: 'Help the user.', tools: [ping.specification] }
 * const settings = { library: createToolLibrary([ping]), model }
 * const waiting = await runAgent({ agent, input: 'Ping it.', ...settings })
 * waiting.status // => 'needs_approval'
 * const approval = { toolCallId: waiting.pending[0].toolCallId, decision: 'approve' }
 * const response = await resumeAgent({ state: waiting.state, approval, ...settings })
 * response.toolsUsed[0].output // => 'pong'
 */
export async function resumeAgent(options: ResumeAgentOptions): Promise<AgentResponse> {
  const memory = readState(options.state)
  if (options.agent) memory.agent = { ...options.agent, tools: [...options.agent.tools] }
  const now = promptTime((options.clock ?? systemClock).now())
  memory.context = { ...memory.context, now, ...options.context }
  memory.settled = Object.fromEntries(
    Object.entries(memory.settled).filter(([, error]) => error.errorType === 'approval_denied'),
  )
  const ledger = options.ledger ?? keptLedger(memory.id)
  const run = createRun(memory, { ...options, ...(ledger ? { ledger } : {}) })
  return withStop(run, options.signal, () => walk(run, () => goOn(run, options)))
}

/** What was decided goes into the conversation, and the decided calls run. */
async function goOn(run: Run, options: ResumeAgentOptions): Promise<void> {
  const decided = applyDecisions(run, options)
  if (!decided) return
  const { conversation } = run.memory
  conversation.push({ role: 'user', content: decided.message })
  if (decided.calls.length === 0) return
  conversation.push(assistantCalls('', decided.calls))
  await runCalls(run, decided.calls)
}

const partsOfState: Record<Exclude<keyof RunMemory, 'version'>, 'string' | 'number' | 'object' | 'array'> = {
  id: 'string',
  agent: 'object',
  context: 'object',
  notes: 'array',
  priorWrites: 'array',
  conversation: 'array',
  turnStart: 'number',
  intents: 'array',
  nextIntent: 'number',
  slots: 'array',
  done: 'object',
  settled: 'object',
  parked: 'array',
  rounds: 'number',
  tokens: 'number',
  silentRuns: 'number',
}

/** A copy of the state: the same one may be resumed twice, and only the ledger decides what runs. */
function readState(state: unknown): RunMemory {
  const candidate = state as Partial<RunMemory> | null | undefined
  const isWhole = Object.entries(partsOfState).every(
    ([part, kind]) => kindOf(candidate?.[part as keyof RunMemory]) === kind,
  )
  if (candidate?.version !== 1 || !isWhole) {
    throw new AgentError(
      'validation',
      'This is not the state of a pending run. Pass AgentResponse.state unchanged.',
    )
  }
  return structuredClone(candidate) as RunMemory
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
