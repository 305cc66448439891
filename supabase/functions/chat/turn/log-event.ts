import type { AgentEvent } from '../../../../shared/engine/loop/agent-response.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'

/**
 * Logs what went wrong in a run: a failed tool call, a model that was called again or given up. The reason given by a
 * model's server is not logged: such servers quote what they were sent.
 */
export function logEvent(run: { runId: string; conversationId: string }, event: AgentEvent): void {
  const { runId, conversationId } = run
  if (event.type === 'notice') {
    const { type: _, notice, reason: __, ...facts } = event
    writeLog(notice, { runId, conversationId, ...facts })
  } else if (event.type === 'nudge') {
    writeLog('model-asked-again', { runId, conversationId, stall: event.stall })
  } else if (event.type === 'result' && !event.result.ok) {
    const { toolCallId, status, tries, durationMs, result } = event
    const { errorType, resolver } = result
    writeLog('tool-failure', {
      runId,
      conversationId,
      toolCallId,
      errorType,
      resolver,
      status,
      tries,
      durationMs: Math.round(durationMs),
    })
  }
}
