import { runTimeouts, timeouts } from '../../../shared/engine/core/timeouts.ts'
import type { AgentResponse, ToolUse } from '../../../shared/engine/loop/agent-response.ts'
import { resumeAgent } from '../../../shared/engine/loop/resume-agent.ts'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import type { RunSettings } from '../../../shared/engine/loop/run-options.ts'
import { summarize } from '../../../shared/engine/loop/summary.ts'
import type { ActiveRuns } from './active-runs.ts'
import { type ChatAnswer, chatAnswerOf, storedAnswerOf } from './answer.ts'
import { type Caller, createCallerHeaders } from './caller-headers.ts'
import type { ChatDependencies } from './dependencies.ts'
import { finishRun, releaseRun } from './finish-run.ts'
import { keepHeartbeat } from './heartbeat.ts'
import type { ContinuedTurn, NewTurn, PermittedTool } from './loaded-turn.ts'
import { doneMessages, modelHistoryOf } from './message-history.ts'
import { type ModelCallUsage, recordUsage } from './model-usage.ts'
import { parkedStateOf } from './parked-state.ts'
import { cannotGoOn, isRefusal, refusalOf } from './refusal.ts'
import { resumptionOf } from './resumption.ts'
import { createRunLedger, type RunLedger } from './run-ledger.ts'
import { createToolExecutors } from './tool-executor.ts'
import { assistantMessageOf } from './ui-message.ts'

type Turn = NewTurn | ContinuedTurn

/**
 * Runs a turn that the database has begun, to its end or until it waits for somebody, and stores what came of it.
 * It goes on when the client leaves. Throws ApiError only where nothing has happened: the same request may be
 * sent again then.
 */
export function runTurn(
  turn: Turn,
  caller: Caller,
  dependencies: ChatDependencies,
  active: ActiveRuns,
): Promise<ChatAnswer> {
  const { runId, conversationId } = turn
  const stopping = new AbortController()
  const stop = () => stopping.abort(new DOMException('The run was stopped.', 'AbortError'))
  active.stop(caller.userId, conversationId, runId)
  const endHeartbeat = keepHeartbeat(runId, dependencies.rpc, stop)
  const work = perform(turn, caller, dependencies, stopping.signal).finally(endHeartbeat)
  dependencies.keepAlive(work.catch(() => {}))
  return active.track({ runId, conversationId, userId: caller.userId }, stop, work)
}

async function perform(
  turn: Turn,
  caller: Caller,
  dependencies: ChatDependencies,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const ledger = createRunLedger({ runId: turn.runId, userId: caller.userId }, dependencies.rpc)
  const uses: ToolUse[] = []
  let response: AgentResponse
  let usage: readonly ModelCallUsage[] = []
  try {
    const { model, calls } = recordUsage(dependencies.createModel(turn.preference))
    usage = calls
    response = await respond(turn, {
      ...settingsOf(turn, caller, dependencies, ledger),
      model,
      signal,
      onEvent: (event) => event.type === 'tool-result' && uses.push(event.toolUse),
    })
  } catch (error) {
    if (isRefusal(error)) {
      await releaseRun(turn.runId, dependencies.rpc)
      throw turn.kind === 'continue' && error.kind === 'validation' ? cannotGoOn(error) : refusalOf(error)
    }
    console.error('a run failed by a fault of the server:', error)
    response = responseOfFault(uses)
  }
  return await store(turn, response, ledger, usage, dependencies)
}

function respond(turn: Turn, settings: RunSettings): Promise<AgentResponse> {
  const { name: agentName, instructions } = turn.agent
  const agent = {
    name: agentName,
    instructions,
    tools: boundTools(turn).map(({ specification }) => specification),
  }
  if (turn.kind === 'continue') {
    return resumeAgent({
      ...settings,
      agent,
      state: parkedStateOf(turn.state).engine,
      ...resumptionOf(turn.answers),
    })
  }
  const { name, email, accounts } = turn.user
  const { messages, input } = modelHistoryOf(turn.history, turn.lostWrites)
  return runAgent({
    ...settings,
    agent,
    input,
    messages,
    context: { user: { ...(name ? { name } : {}), ...(email ? { email } : {}), accounts } },
    ...(turn.recovered ? { progress: doneMessages(turn.priorWrites) } : { priorWrites: turn.priorWrites }),
  })
}

function settingsOf(
  turn: Turn,
  caller: Caller,
  { functionsUrl, functionSecret, fetch }: ChatDependencies,
  ledger: RunLedger,
): Omit<RunSettings, 'model'> {
  return {
    library: createToolExecutors(boundTools(turn), {
      functionsUrl,
      agentId: turn.agent.id,
      headersFor: createCallerHeaders(caller, turn.runId, functionSecret),
      findOutcome: ledger.findOutcome,
      fetch,
    }),
    ledger,
    // The executor's own limit comes first: it can still look up what became of the call.
    limits: { maxDurationMs: runTimeouts.workMs, toolTimeoutMs: timeouts.toolMs },
  }
}

/** What the agent's permissions say becomes part of the specification. */
function boundTools({ tools }: Turn): PermittedTool[] {
  return tools.map((tool) =>
    tool.approval === 'always'
      ? { ...tool, specification: { ...tool.specification, approval: 'always' } }
      : tool,
  )
}

async function store(
  turn: Turn,
  response: AgentResponse,
  ledger: RunLedger,
  usage: readonly ModelCallUsage[],
  dependencies: ChatDependencies,
): Promise<ChatAnswer> {
  const answer = storedAnswerOf(turn, response)
  const before = turn.kind === 'continue' ? turn.message : undefined
  const earlier = turn.kind === 'continue' ? parkedStateOf(turn.state).modelMessages : []
  const message = assistantMessageOf(turn, response, before)
  const stored = await finishRun(
    turn.runId,
    {
      answer,
      message,
      engine: response.state,
      modelMessages: [...earlier, ...response.messages],
      invocations: ledger.recorded,
      usage,
    },
    dependencies,
  )
  if (stored) return chatAnswerOf(answer, message)
  const text = `${answer.text}\n\n${notStored}`
  return chatAnswerOf(
    { ...answer, status: 'failed', text },
    assistantMessageOf(turn, { ...response, status: 'failed', text }, before),
  )
}

const notStored =
  'The database cannot be reached, so this answer is not stored. Your message is stored; send it again in a minute to go on.'

/** An account of a run that a fault of ours has ended: what was done stays done. */
function responseOfFault(uses: ToolUse[]): AgentResponse {
  const reason = 'Something went wrong on the server, so this was not finished. Your message is stored.'
  const text = summarize(reason, uses)
  return {
    status: 'failed',
    text,
    messages: [{ role: 'assistant', content: text }],
    toolsUsed: uses,
    usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 },
  }
}
