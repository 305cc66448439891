import type { RefusalCode } from '../../../../shared/api/refusals.ts'
import { runTimeouts, timeouts } from '../../../../shared/engine/core/timeouts.ts'
import { summarize } from '../../../../shared/engine/loop/ending/summary.ts'
import { resumeAgent } from '../../../../shared/engine/loop/resume-agent.ts'
import type { AgentResponse } from '../../../../shared/engine/loop/run/agent-response.ts'
import type { ResumeAgentOptions, RunSettings } from '../../../../shared/engine/loop/run/run-options.ts'
import { projectAnswer, projectToolUses } from '../../../../shared/engine/transcript/answer.ts'
import { briefEntry } from '../../../../shared/engine/transcript/brief-entry.ts'
import type { Entry, RunEnd, RunStatus } from '../../../../shared/engine/transcript/entry.ts'
import { beginsTurn } from '../../../../shared/engine/transcript/turn-start.ts'
import { askAgain } from '../../../../shared/server/database/ask-again.ts'
import { asUnavailable } from '../../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { preferChosen } from '../../../../shared/server/model-keys/model-choices.ts'
import { openModelKeys } from '../../../../shared/server/model-keys/open-model-keys.ts'
import { findKeyInUse } from '../../../../shared/server/model-keys/own-model-keys.ts'
import { readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { english } from '../../../../shared/words/languages/english.ts'
import { type EndedRun, projectChatAnswer } from '../answer/chat-answer.ts'
import type { OpenItemRow } from '../answer/open-item.ts'
import { createFindTool } from '../entries/tool-of-call.ts'
import { type LoadedFiles, loadFileContents } from '../files/load-file-contents.ts'
import { type RunTrace, startTrace } from '../tracing/run-trace.ts'
import type { ActiveRuns, StopRun } from './active-runs.ts'
import type { Turn } from './begin-turn.ts'
import { type BudgetReservation, createBudgetReservation } from './budget-reservation.ts'
import { type Caller, createCallerHeaders } from './caller-headers.ts'
import type { ChatDependencies } from './dependencies.ts'
import { createEarlyStorage } from './early-storage.ts'
import { createEntryBuffer, type EntryBuffer } from './entry-buffer.ts'
import { findSenders } from './find-senders.ts'
import { findValue } from './find-value.ts'
import { finishRun, releaseRun } from './finish-run.ts'
import { type Heartbeat, keepHeartbeat } from './heartbeat.ts'
import { collectLateUsage } from './late-usage.ts'
import { logEvent } from './log-event.ts'
import { nameConversation } from './name-conversation.ts'
import { noModel } from './no-model.ts'
import { explainOwnKeyErrors, isKeyRefused, ownKeyUnused, refuseOwnKey } from './own-key-refused.ts'
import { applyDecisions } from './resumption.ts'
import { type ReplacedRun, RunFeed } from './run-feed.ts'
import { createRunLedger, type RunLedger } from './run-ledger.ts'
import { cannotGoOn, describeRefusal, isRefusal } from './run-refused.ts'
import { createToolExecutors } from './tool-executor.ts'
import { readPriorWrites, readTranscript } from './transcript.ts'
import { findUnasked } from './unasked.ts'

/** How the model should answer. */
export interface AnswerOptions {
  /** As a stream. */
  stream: boolean
  /** The client's limit of tokens per answer. */
  maxAnswerTokens?: number | undefined
  /** For a client of the OpenAI protocol, which keeps its own history: nothing waits for it. */
  beside?: boolean
}

/**
 * Runs a turn that the database has started, until it ends or waits for somebody, and stores the result; or until it hears
 * that another run has taken its place. It continues when the client leaves. Throws ApiError only if nothing has happened:
 * the same request may then be sent again.
 */
export function runTurn(
  loaded: Turn,
  caller: Caller,
  dependencies: ChatDependencies,
  active: ActiveRuns,
  { stream, maxAnswerTokens, beside = false }: AnswerOptions,
): Promise<EndedRun | ReplacedRun> {
  const turn = { ...loaded, tools: loaded.tools.filter(dependencies.isInstalled) }
  const { runId, conversationId } = turn
  const stopping = new AbortController()
  const stop: StopRun = (reason = new DOMException('The run was stopped.', 'AbortError')) =>
    stopping.abort(reason)
  // By what the database says, never by what arrives: this reply may be older than that of a run which has stopped this one.
  for (const earlier of turn.overtaken) active.overtake(earlier)
  const feed = new RunFeed(turn.entries, listSpecifications(turn), () => storeEarly())
  const findTool = createFindTool(turn.tools)
  const buffer = createEntryBuffer(
    (count) => feed.release(count),
    (entry, entries) => briefEntry(entry, (id) => findTool(id, entries) ?? findTool(id, turn.entries)),
  )
  // A client of the OpenAI protocol keeps its own history: nothing waits for it.
  const budget = createBudgetReservation(turn.reserved, !beside)
  const heartbeat = keepHeartbeat(runId, dependencies.rpc, buffer, budget, stop)
  const storeEarly = createEarlyStorage(feed, buffer, heartbeat.beat)
  const { spans } = dependencies
  const trace = spans && startTrace(turn, caller.traceparent, buffer, spans, stream)
  const parts = {
    stream,
    maxAnswerTokens,
    beside,
    signal: stopping.signal,
    feed,
    budget,
    heartbeat,
    trace,
  }
  const work = perform(turn, caller, dependencies, buffer, parts).finally(heartbeat.end)
  dependencies.keepAlive(work.catch(() => {}))
  const name = async (ended: EndedRun | ReplacedRun) => {
    if ('replacedBy' in ended || ended.status === 'failed') return
    const keys = await openKeys(turn, caller, dependencies)
    const { provider } = buffer.entries.findLast((entry) => entry.type === 'step-end') ?? {}
    const answer = { text: ended.answerIn(english).text, provider, keys }
    await nameConversation(turn, caller.userId, readTranscript(turn), answer, dependencies)
  }
  work.then(
    (performed) => {
      if ('replacedBy' in performed) return feed.end(performed)
      const { run, failure } = performed
      const stopped = stopping.signal.aborted && run.status === 'failed'
      feed.end({ run, stopped, failure })
    },
    (error) => feed.end({ refusal: describeBroken(error) }),
  )
  if (trace) {
    work.then(
      (performed) =>
        trace.end({
          isStopped: stopping.signal.aborted && !('run' in performed && performed.run.status !== 'failed'),
        }),
      (refusal) => trace.end({ isStopped: false, refusal }),
    )
  }
  const ended = work.then((performed) => ('replacedBy' in performed ? performed : performed.run))
  // Only for apps: users do not look here for what OpenAI clients ask.
  if (turn.created && caller.token !== undefined) dependencies.keepAlive(ended.then(name, () => {}))
  return active.track({ runId, conversationId, userId: caller.userId }, stop, feed, ended)
}

/** `failure`: what went wrong on the server, if the words of the answer say it or are not stored. */
interface Performed {
  run: EndedRun
  failure?: RefusalCode
}

interface RunParts {
  signal: AbortSignal
  feed: RunFeed
  budget: BudgetReservation
  heartbeat: Heartbeat
  /** Undefined if nobody watches: then it costs nothing. */
  trace: RunTrace | undefined
}

function describeBroken(cause: unknown): ApiError {
  const error = asUnavailable(cause)
  return error instanceof ApiError ? error : new ApiError('internal_error', { why: 'run' })
}

async function perform(
  turn: Turn,
  caller: Caller,
  dependencies: ChatDependencies,
  buffer: EntryBuffer,
  {
    stream,
    maxAnswerTokens,
    beside = false,
    signal,
    feed,
    budget,
    heartbeat,
    trace,
  }: AnswerOptions & RunParts,
): Promise<Performed | ReplacedRun> {
  const startedAt = Date.now()
  const deadline = startedAt + runTimeouts.workMs
  const ledger = createRunLedger(
    { runId: turn.runId, userId: caller.userId, deadline, canWait: !beside, permissions: turn.permissions },
    dependencies.rpc,
    buffer,
  )
  const lateUsages = collectLateUsage(turn.runId, buffer, dependencies)
  let broken: ApiError | undefined
  const keys = await openKeys(turn, caller, dependencies)
  const preference = preferChosen(dependencies.modelSettings, turn.preference, turn.chosenModel, keys)
  const key = findKeyInUse(preference, keys)
  const transcript = readTranscript(turn)
  const reader = await readerOf(turn, caller, dependencies)
  const files = await openFiles(transcript, turn, caller, dependencies)
  try {
    await respond(turn, transcript, {
      findValue: findValue(turn, dependencies.rpc, deadline),
      ...makeSettings(turn, caller, dependencies, ledger, maxAnswerTokens, trace),
      files: files.contents,
      reader,
      model: isClientCall(transcript)
        ? noModel
        : explainOwnKeyErrors(dependencies.createModel(preference, keys), key),
      signal,
      stream,
      onLateUsage: lateUsages.add,
      budget: () => budget.ask(() => askAgain(heartbeat.beat, deadline)),
      onEvent: (event) => {
        buffer.add(event)
        budget.draw(event)
        trace?.note()
        logEvent(turn, buffer.entries, event)
        feed.push(event)
      },
    })
  } catch (error) {
    if (isRefusal(error)) {
      await releaseRun(turn.runId, dependencies.rpc)
      if (key && isKeyRefused(error)) throw await refuseOwnKey(error, key, caller.userId, dependencies.rpc)
      const unused = key && ownKeyUnused(error)
      if (unused) throw unused
      throw turn.kind === 'continue' && error.kind === 'validation'
        ? cannotGoOn(error)
        : describeRefusal(error, turn.runId)
    }
    writeLog('run-fault', { runId: turn.runId, conversationId: turn.conversationId }, error)
    buffer.add(endByFault(turn, buffer.entries))
    broken = describeBroken(error)
  } finally {
    files.memory?.free()
  }
  const refused = ledger.refusal ?? heartbeat.refusal
  if (refused) {
    await releaseRun(turn.runId, dependencies.rpc)
    throw refused
  }
  const performed = await store(turn, buffer, ledger, startedAt, dependencies)
  lateUsages.correct()
  if ('replacedBy' in performed) return performed
  return broken ? { failure: broken.code, ...performed } : performed
}

/** The same for all: a new message, a run that waited, and one whose process died. */
function respond(
  turn: Turn,
  transcript: readonly Entry[],
  settings: RunSettings & Pick<ResumeAgentOptions, 'reader'>,
): Promise<AgentResponse> {
  const { name: agentName, instructions } = turn.agent
  const { name, email, accounts, timezone } = turn.user
  return resumeAgent({
    ...settings,
    transcript,
    agent: { name: agentName, instructions, tools: listSpecifications(turn) },
    context: {
      user: {
        name: name || undefined,
        email: email || undefined,
        accounts,
        ...(timezone ? { timezone } : {}),
      },
      senders: findSenders(turn.tools),
    },
    priorWrites: readPriorWrites(turn),
    openLater: turn.openLater,
    nextIntent: turn.nextIntent,
    unasked: findUnasked(turn, transcript),
    privateBefore: turn.privateBefore,
    ...applyDecisions(turn.decisions),
  })
}

/** Whether a program has made the call of this turn: no model is asked. */
function isClientCall(transcript: readonly Entry[]): boolean {
  const begun = transcript.findLast(beginsTurn)
  return begun?.type === 'client-call' && begun.message === undefined
}

/** The user's own keys for models. */
function openKeys({ modelKeys }: Turn, { userId }: Caller, { credentialsKeys }: ChatDependencies) {
  return openModelKeys(modelKeys, userId, credentialsKeys)
}

/** The language of whoever decides; undefined if nobody does. */
async function readerOf(
  turn: Turn,
  { userId, reader }: Caller,
  { rpc }: ChatDependencies,
): Promise<Language | undefined> {
  if (turn.decisions.every(({ type }) => type === 'wait')) return undefined
  return await readersLanguage(rpc, userId, reader, turn)
}

/** A message is answered even if its files cannot be read. */
async function openFiles(
  transcript: readonly Entry[],
  { runId }: Turn,
  caller: Caller,
  { files, functionUrl, functionSecret, fetch }: ChatDependencies,
): Promise<LoadedFiles> {
  const headersFor = createCallerHeaders(caller, { runId }, functionSecret)
  try {
    return await loadFileContents(transcript, caller.userId, files, { functionUrl, headersFor, fetch })
  } catch (error) {
    writeLog('files-not-read', { runId }, error)
    return { contents: new Map() }
  }
}

function makeSettings(
  turn: Turn,
  caller: Caller,
  { functionUrl, functionSecret, appUrls, approvalMs, fetch }: ChatDependencies,
  ledger: RunLedger,
  maxAnswerTokens: number | undefined,
  trace: RunTrace | undefined,
): Omit<RunSettings, 'model'> {
  return {
    library: createToolExecutors(turn.tools, {
      functionUrl,
      agentId: turn.agent.id,
      scope: turn.scope ?? undefined,
      headersFor: createCallerHeaders(
        caller,
        { runId: turn.runId, agentId: turn.agent.id, clientId: turn.clientId ?? undefined },
        functionSecret,
      ),
      serverCalls: {
        userId: caller.userId,
        clientId: turn.clientId ?? undefined,
        functionSecret,
      },
      findOutcome: ledger.findOutcome,
      appUrls,
      traceparentOf: trace?.traceparentOf,
      fetch,
    }),
    ledger,
    // The executor's own limit comes first: it can still look up the outcome of the call.
    limits: {
      maxDurationMs: runTimeouts.workMs,
      toolTimeoutMs: timeouts.toolMs,
      lookTimeoutMs: timeouts.lookCallMs,
      approvalMs,
      maxAnswerTokens,
    },
  }
}

function listSpecifications({ tools }: Turn) {
  return tools.map(({ specification }) => specification)
}

async function store(
  turn: Turn,
  buffer: EntryBuffer,
  ledger: RunLedger,
  startedAt: number,
  dependencies: ChatDependencies,
): Promise<Performed | ReplacedRun> {
  const entries = [...turn.entries, ...buffer.entries]
  const tools = listSpecifications(turn)
  const { status, usage, toolsUsed } = projectAnswer(entries, new Map(tools.map((tool) => [tool.name, tool])))
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
  const result = { status, invocations: ledger.recorded }
  const stored = await finishRun(turn.runId, result, buffer, startedAt + runTimeouts.joinMs, dependencies)
  if (stored?.replacedBy && !stored.isStored) {
    writeLog('run-lost', { runId, conversationId, replacedBy: stored.replacedBy })
    return { replacedBy: stored.replacedBy }
  }
  // A run that has changed nothing, as for an account that is still missing, has nothing to store.
  if (stored && (stored.isStored || buffer.entries.length === 0))
    return { run: describeRun(turn, status, entries, stored.pending) }
  // What this run has done or asked is not shown: only what is stored is certain.
  const end: RunEnd = {
    type: 'run-end',
    status: 'failed',
    text: '',
    ours: [{ code: 'not_stored' }],
  }
  return {
    run: describeRun(turn, 'failed', [...turn.entries, end], stored?.pending ?? []),
    failure: 'database_unavailable',
  }
}

function describeRun(
  turn: Turn,
  status: RunStatus,
  entries: readonly Entry[],
  open: readonly OpenItemRow[],
): EndedRun {
  const tools = listSpecifications(turn)
  return { status, answerIn: (language) => projectChatAnswer(turn, entries, tools, open, language) }
}

/** The end of a run after an error of ours: what was done stays done. */
function endByFault(turn: Turn, entries: readonly Entry[]): RunEnd {
  const tools = new Map(listSpecifications(turn).map((tool) => [tool.name, tool]))
  return {
    type: 'run-end',
    status: 'failed',
    text: '',
    ours: summarize({ code: 'server_fault' }, projectToolUses(entries), tools),
  }
}
