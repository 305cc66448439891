import { AgentError } from '../core/agent-error.ts'
import { systemClock } from '../core/clock.ts'
import type { Tool } from '../core/tool-specification.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { bindTools } from '../tools/bind-tools.ts'
import type { Agent, Limits } from './agent-response.ts'
import { healMessages } from './heal-messages.ts'
import { defaultLimits } from './limits.ts'
import { createMemoryLedger } from './memory-ledger.ts'
import { describePriorWrites, resultsIn } from './prior-writes.ts'
import { promptTime } from './prompt-time.ts'
import type { Run, RunMemory } from './run.ts'
import type { RunAgentOptions, RunSettings } from './run-options.ts'
import { slotsShown } from './slots.ts'
import { systemPrompt } from './system-prompt.ts'

/** The memory of a run that begins. Throws `AgentError` where something is missing. */
export function createMemory(options: RunAgentOptions): RunMemory {
  const { agent, input, messages = [], context = {}, priorWrites = [], progress = [] } = options
  if (typeof input === 'string' ? input.trim() === '' : input.length === 0) {
    throw new AgentError('validation', 'The input is empty. Pass what the user said.')
  }
  const clock = options.clock ?? systemClock
  const { system, turns } = healMessages([...messages, { role: 'user', content: input }])
  return {
    version: 1,
    id: crypto.randomUUID(),
    agent: { ...agent, tools: [...agent.tools] },
    context: { ...context, now: context.now ?? promptTime(clock.now()) },
    notes: [...system, ...describePriorWrites(priorWrites)],
    priorWrites: [...priorWrites],
    conversation: [...turns, ...healMessages(progress).turns],
    turnStart: turns.length - 1,
    intents: [],
    nextIntent: 1,
    slots: [...slotsShown(turns)],
    done: resultsIn(progress),
    settled: {},
    parked: [],
    rounds: 0,
    tokens: 0,
    silentRuns: 0,
  }
}

/** Puts a run together around its memory. Throws `AgentError` where agent, model or tools are not usable. */
export function createRun(memory: RunMemory, settings: RunSettings): Run {
  checkAgent(memory.agent)
  if (!settings.model?.model)
    throw new AgentError('validation', 'The model has no name. Pass a model client.')
  const clock = settings.clock ?? systemClock
  const given = Object.entries(settings.limits ?? {}).filter(([, limit]) => limit !== undefined)
  const limits: Limits = { ...defaultLimits, ...Object.fromEntries(given) }
  const system: ChatMessage = {
    role: 'system',
    content: systemPrompt(memory.agent, memory.context, memory.notes),
  }
  return {
    memory,
    tools: bind(memory.agent, settings),
    specifications: memory.agent.tools,
    system,
    addedFrom: memory.conversation.length,
    limits,
    model: settings.model,
    ledger: settings.ledger ?? createMemoryLedger(),
    clock,
    stream: settings.stream ?? false,
    emit: emitterOf(settings),
    hasListener: settings.onEvent !== undefined,
    stopping: new AbortController(),
    deadline:
      limits.maxDurationMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + limits.maxDurationMs,
    slots: new Set(memory.slots),
    toolsUsed: [],
    usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 },
    answeredBy: new Set(),
    stalls: 0,
    cutText: '',
    nudge: [],
    avoid: [],
    pastRounds: new Map(),
    lastAnswer: undefined,
  }
}

/** A listener that throws must not end a run in the middle of a write. */
function emitterOf({ onEvent }: RunSettings): Run['emit'] {
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
