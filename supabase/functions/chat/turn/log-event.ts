import type { AgentEvent } from '../../../../shared/engine/loop/run/agent-response.ts'
import type { Call, Entry, Notice, StepEnd } from '../../../../shared/engine/transcript/entry.ts'
import { type LogFacts, writeLog } from '../../../../shared/server/log/log-line.ts'
import { createNaming } from '../entries/naming.ts'
import type { LoadedTurn } from './loaded-turn.ts'

/**
 * Logs what went wrong in a run: a failed tool call, a model that was called again or given up, a request that it could not
 * read whole, an answer that leads nowhere. `written`: the entries of the run so far. What a model's server has said is not logged: such servers quote what
 * they were sent.
 */
export function logEvent(turn: LoadedTurn, written: readonly Entry[], event: AgentEvent): void {
  const described = describeEvent(turn, written, event)
  if (!described) return
  const { runId, conversationId } = turn
  writeLog(described.name, { runId, conversationId, ...described.facts })
}

function describeEvent(
  turn: LoadedTurn,
  written: readonly Entry[],
  event: AgentEvent,
): { name: string; facts: LogFacts } | undefined {
  switch (event.type) {
    case 'notice':
      return { name: event.notice, facts: describeNotice(event) }
    case 'nudge':
      return { name: 'model-asked-again', facts: { stall: event.stall, ...lastAnswer(written) } }
    case 'run-end':
      return event.ours?.some(({ code }) => code === 'model_silent')
        ? { name: 'model-silent', facts: lastAnswer(written) }
        : undefined
    case 'step-end': {
      const { provider, model, cut } = event
      return cut && { name: 'request-cut', facts: { provider, model, ...cut } }
    }
    case 'result':
      return event.result.ok
        ? undefined
        : { name: 'tool-failure', facts: describeFailure(turn, written, event) }
    default:
      return undefined
  }
}

function describeNotice(notice: Notice): LogFacts {
  if (notice.notice === 'budget') {
    const { scope, measure, per } = (notice.told.values ?? {}) as Record<string, string>
    return { scope, measure, per }
  }
  if (notice.notice === 'tool-refused') {
    const { provider, model, tool, why } = notice
    return { provider, model, tool, why }
  }
  if (notice.notice === 'window-learned') {
    const { provider, model, window, sent, by } = notice
    return { provider, model, window, sent, by }
  }
  const { type: _, notice: __, reason: ___, failure, ...facts } = notice
  return { ...facts, ...failure }
}

/** The model's last answer: which one led nowhere. */
function lastAnswer(written: readonly Entry[]): LogFacts {
  const end = written.findLast((entry): entry is StepEnd => entry.type === 'step-end')
  return end ? { provider: end.provider, model: end.model, finishReason: end.finishReason } : {}
}

function describeFailure(
  turn: LoadedTurn,
  written: readonly Entry[],
  { toolCallId, status, tries, durationMs, result }: Extract<Entry, { type: 'result' }>,
): LogFacts {
  if (result.ok) return {}
  const { errorType, resolver, details } = result
  const entries = [...turn.entries, ...written]
  const call = entries.findLast(
    (entry): entry is Call => entry.type === 'call' && entry.toolCallId === toolCallId,
  )
  const naming = createNaming(
    turn.tools.map(({ specification }) => specification),
    entries,
  )
  const parameter = details.parameter ?? details.problems?.[0]?.parameter
  return {
    toolCallId,
    ...(call ? { tool: naming.tool(call.toolName), attempt: call.attempt } : {}),
    ...(parameter === undefined ? {} : { parameter: naming.parameter(toolCallId, parameter) }),
    errorType,
    resolver,
    status,
    tries,
    durationMs: Math.round(durationMs),
  }
}
