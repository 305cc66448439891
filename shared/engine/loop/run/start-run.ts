import { AgentError } from '../../core/agent-error.ts'
import { systemClock } from '../../core/clock.ts'
import type { Tool } from '../../core/tool-specification.ts'
import type { ChatMessage } from '../../models/protocol/model-client.ts'
import type { Agent } from '../../tools/agent.ts'
import { bindTools } from '../../tools/bind-tools.ts'
import type { Entry, RunStart } from '../../transcript/entry.ts'
import { noFiles } from '../../transcript/file-content.ts'
import { emptyLoopState, type LoopState } from '../../transcript/loop-state.ts'
import { foldEntry, ModelMessages } from '../../transcript/model-messages.ts'
import { systemPrompt } from '../../transcript/system-prompt.ts'
import type { Limits } from './agent-response.ts'
import { addToolSearch } from './choose-tools.ts'
import { defaultLimits } from './limits.ts'
import { createMemoryLedger, keptLedger } from './memory-ledger.ts'
import { promptTime } from './prompt-time.ts'
import { append, type Run } from './run.ts'
import type { RunSettings } from './run-options.ts'
import { writesIn } from './transcript-writes.ts'

/**
 * Reads a transcript, appends `added` and the start of a run, and creates the run. Throws
 * `AgentError` if agent, model or tools are unusable: then no listener has received anything.
 */
export function startRun(
  transcript: readonly Entry[],
  added: readonly Entry[],
  settings: RunSettings,
  chosen?: Agent,
): Run {
  const named = chosen ?? findAgent(transcript)
  if (!named) {
    throw new AgentError('validation', 'No agent is known. Pass the agent, or a transcript that names it.')
  }
  checkAgent(named)
  if (!settings.model?.model)
    throw new AgentError('validation', 'The model has no name. Pass a model client.')
  const chosenTools = {
    agent: named,
    tools: bind(named, settings),
    specifications: new Map(named.tools.map((tool) => [tool.name, tool])),
    window: settings.model.window?.() ?? usualWindow,
    toFind: new Set<string>(),
  }
  addToolSearch(chosenTools)
  const { specifications } = chosenTools
  const given = Object.entries(settings.limits ?? {}).filter(([, limit]) => limit !== undefined)
  const limits: Limits = { ...defaultLimits, ...Object.fromEntries(given) }
  const state = emptyLoopState(specifications)
  const { files = noFiles } = settings
  const messageSettings = { tools: specifications, maxAttempts: limits.maxAttempts, files }
  const messages = new ModelMessages(messageSettings)
  const entries = [...transcript, ...added]
  readEntries(entries, state, messages)
  state.nextIntent = Math.max(state.nextIntent, settings.nextIntent ?? 1)

  const clock = settings.clock ?? systemClock
  const system: SystemMessage = { role: 'system', content: '' }
  const start = beginning(state, named, settings, promptTime(clock.now()))
  const run: Run = {
    entries,
    addedFrom: transcript.length,
    state,
    messages,
    refusals: new Map(),
    // Named one by one: a spread among so many members costs as much as the rest of the start.
    agent: chosenTools.agent,
    tools: chosenTools.tools,
    specifications,
    window: chosenTools.window,
    toFind: chosenTools.toFind,
    user: start.user,
    senders: settings.context?.senders ?? {},
    files,
    found: new Map(),
    findValue: settings.findValue,
    openLater: new Map((settings.openLater ?? []).map((item) => [item.itemId, item])),
    system,
    limits,
    model: settings.model,
    ledger:
      settings.ledger ??
      keptLedger(start.runId) ??
      createMemoryLedger(clock.now, { known: writesIn(transcript, specifications, start.user) }),
    budget: settings.budget,
    onLateUsage: settings.onLateUsage,
    clock,
    stream: settings.stream ?? false,
    emit: createEmitter(settings),
    hasListener: settings.onEvent !== undefined,
    written: '',
    stopping: new AbortController(),
    deadline:
      limits.maxDurationMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + limits.maxDurationMs,
  }
  for (const entry of added) run.emit(entry)
  append(run, start)
  system.content = systemPrompt(run.agent, start.user, messages.notes)
  return run
}

/** Tokens of a model's window, if nobody says it. */
const usualWindow = 128_000

type SystemMessage = Extract<ChatMessage, { role: 'system' }>

/** A run that continues a turn keeps the turn's id and what is known about the user. */
function beginning(
  { run: earlier, user: known }: LoopState,
  agent: Agent,
  { context, priorWrites, privateBefore }: RunSettings,
  now: string,
): RunStart {
  const user = context?.user ?? known
  return {
    type: 'run-start',
    runId: earlier?.runId ?? crypto.randomUUID(),
    now: context?.now ?? now,
    agent,
    user,
    privateBefore: privateBefore || undefined,
    priorWrites: priorWrites && priorWrites.length > 0 ? priorWrites : undefined,
  }
}

function readEntries(transcript: readonly Entry[], state: LoopState, messages: ModelMessages): void {
  const isList = Array.isArray(transcript) && transcript.every((entry) => typeof entry?.type === 'string')
  try {
    if (!isList) throw new TypeError('It is not a list of entries.')
    for (const entry of transcript) foldEntry(entry, state, messages)
  } catch (cause) {
    throw new AgentError(
      'validation',
      'This is not a transcript. Pass the entries of AgentResponse.transcript, all of them, unchanged.',
      { cause },
    )
  }
}

/** The agent named by a transcript. */
export function findAgent(transcript: unknown): Agent | undefined {
  if (!Array.isArray(transcript)) return undefined
  const start = transcript.findLast((entry) => entry?.type === 'run-start' && entry.agent)
  return start?.agent
}

/** A listener that throws must not end a run in the middle of a write. */
function createEmitter({ onEvent }: RunSettings): Run['emit'] {
  if (!onEvent) return () => {}
  return (event) => {
    try {
      onEvent(event)
    } catch {}
  }
}

function checkAgent(agent: Agent): void {
  for (const field of ['name', 'instructions'] as const) {
    if (typeof agent[field] !== 'string' || agent[field].trim() === '') {
      throw new AgentError('validation', `The agent's ${field} is empty. Give the agent a ${field}.`)
    }
  }
}

function bind(agent: Agent, { library }: RunSettings): Map<string, Tool> {
  try {
    return new Map(bindTools(agent.tools, library).map((tool) => [tool.specification.name, tool]))
  } catch (cause) {
    throw new AgentError('tool', cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
