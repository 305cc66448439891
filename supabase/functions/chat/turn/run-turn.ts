import { runTimeouts, timeouts } from '../../../../shared/engine/core/timeouts.ts'
import type { AgentResponse } from '../../../../shared/engine/loop/agent-response.ts'
import { resumeAgent } from '../../../../shared/engine/loop/resume-agent.ts'
import type { RunSettings } from '../../../../shared/engine/loop/run-options.ts'
import { summarize } from '../../../../shared/engine/loop/summary.ts'
import { projectToolUses } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry, RunEnd } from '../../../../shared/engine/transcript/entry.ts'
import { titleOf } from '../../../../shared/engine/wording/tool-title.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { openModelKeys } from '../../../../shared/server/model-keys/open-model-keys.ts'
import { type ChatAnswer, projectChatAnswer } from '../answer/chat-answer.ts'
import type { ActiveRuns } from './active-runs.ts'
import type { Turn } from './begin-turn.ts'
import { type Caller, createCallerHeaders } from './caller-headers.ts'
import type { ChatDependencies } from './dependencies.ts'
import { finishRun, releaseRun } from './finish-run.ts'
import { keepHeartbeat } from './heartbeat.ts'
import type { PermittedTool } from './loaded-turn.ts'
import { logEvent } from './log-run.ts'
import { applyDecisions } from './resumption.ts'
import { createRunLedger, type RunLedger } from './run-ledger.ts'
import { createRunLog, type RunLog } from './run-log.ts'
import { cannotGoOn, describeRefusal, isRefusal } from './run-refused.ts'
import { createToolExecutors } from './tool-executor.ts'
import { readPriorWrites, readTranscript } from './transcript.ts'

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
  const log = createRunLog()
  const endHeartbeat = keepHeartbeat(runId, dependencies.rpc, log, stop)
  const work = perform(turn, caller, dependencies, log, stopping.signal).finally(endHeartbeat)
  dependencies.keepAlive(work.catch(() => {}))
  return active.track({ runId, conversationId, userId: caller.userId }, stop, work)
}

async function perform(
  turn: Turn,
  caller: Caller,
  dependencies: ChatDependencies,
  log: RunLog,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const startedAt = Date.now()
  const ledger = createRunLedger({ runId: turn.runId, userId: caller.userId }, dependencies.rpc, log)
  try {
    await respond(turn, {
      ...makeSettings(turn, caller, dependencies, ledger),
      model: dependencies.createModel(
        turn.preference,
        await openModelKeys(turn.modelKeys, caller.userId, dependencies.credentialsKeys),
      ),
      signal,
      onEvent: (event) => {
        log.hear(event)
        logEvent(turn, event)
      },
    })
  } catch (error) {
    if (isRefusal(error)) {
      await releaseRun(turn.runId, dependencies.rpc)
      throw turn.kind === 'continue' && error.kind === 'validation'
        ? cannotGoOn(error)
        : describeRefusal(error)
    }
    writeLog('run-fault', { runId: turn.runId, conversationId: turn.conversationId }, error)
    log.hear(endByFault(turn, log.entries))
  }
  return await store(turn, log, ledger, startedAt, dependencies)
}

/** One way for all: a new message, a run that waited, and one whose process died. */
function respond(turn: Turn, settings: RunSettings): Promise<AgentResponse> {
  const { name: agentName, instructions } = turn.agent
  const { name, email, accounts } = turn.user
  return resumeAgent({
    ...settings,
    transcript: readTranscript(turn),
    agent: { name: agentName, instructions, tools: listSpecifications(turn) },
    context: { user: { ...(name ? { name } : {}), ...(email ? { email } : {}), accounts } },
    priorWrites: readPriorWrites(turn),
    ...applyDecisions(turn.decisions),
  })
}

function makeSettings(
  turn: Turn,
  caller: Caller,
  { functionsUrl, functionSecret, appUrls, fetch }: ChatDependencies,
  ledger: RunLedger,
): Omit<RunSettings, 'model'> {
  return {
    library: createToolExecutors(bindPermissions(turn), {
      functionsUrl,
      agentId: turn.agent.id,
      headersFor: createCallerHeaders(caller, turn.runId, functionSecret),
      findOutcome: ledger.findOutcome,
      appUrls,
      fetch,
    }),
    ledger,
    // The executor's own limit comes first: it can still look up what became of the call.
    limits: { maxDurationMs: runTimeouts.workMs, toolTimeoutMs: timeouts.toolMs },
  }
}

/** What the agent's permissions say becomes part of the specification. */
function bindPermissions({ tools }: Turn): PermittedTool[] {
  return tools.map((tool) => {
    const { approval: own, ...specification } = tool.specification
    const approval = tool.approval === 'sometimes' ? own : tool.approval === 'always' ? 'always' : undefined
    return { ...tool, specification: approval ? { ...specification, approval } : specification }
  })
}

function listSpecifications(turn: Turn) {
  return bindPermissions(turn).map(({ specification }) => specification)
}

async function store(
  turn: Turn,
  log: RunLog,
  ledger: RunLedger,
  startedAt: number,
  dependencies: ChatDependencies,
): Promise<ChatAnswer> {
  const entries = [...turn.entries, ...log.entries]
  const answer = projectChatAnswer(turn, entries, listSpecifications(turn))
  const { status, pending = [], usage, toolsUsed } = answer
  const durationMs = Date.now() - startedAt
  const { runId, conversationId } = turn
  writeLog('run', {
    runId,
    conversationId,
    status,
    durationMs,
    modelCalls: usage.modelCalls,
    toolCalls: toolsUsed.length,
  })
  const result = { status, pending, invocations: ledger.recorded }
  if (await finishRun(turn.runId, result, log, dependencies)) return answer
  const told: RunEnd = { type: 'run-end', status: 'failed', text: `${answer.text}\n\n${notStored}` }
  const end = entries.findLastIndex(({ type }) => type === 'run-end')
  return projectChatAnswer(turn, entries.with(end, told), listSpecifications(turn))
}

const notStored =
  'The database cannot be reached, so this answer is not stored. Your message is stored; send it again in a minute to go on.'

/** An account of a run that a fault of ours has ended: what was done stays done. */
function endByFault(turn: Turn, entries: readonly Entry[]): RunEnd {
  const reason = 'Something went wrong on the server, so this was not finished. Your message is stored.'
  const tools = new Map(listSpecifications(turn).map((tool) => [tool.name, tool]))
  const title = (name: string) => titleOf(tools.get(name) ?? { name })
  return { type: 'run-end', status: 'failed', text: summarize(reason, projectToolUses(entries), title) }
}
