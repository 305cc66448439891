import { AgentError } from '../../core/agent-error.ts'
import { ModelError } from '../../models/protocol/model-client.ts'
import type { AgentResponse } from '../run/agent-response.ts'
import { append, type Run } from '../run/run.ts'
import { failRun, stopRun } from './end-run.ts'
import { endForTime, isOutOfTime } from './out-of-time.ts'

/**
 * How a run ends whose model could not be called: an `AgentError` while nothing has happened and nobody
 * would answer (bad key, no server), otherwise an honest response with what was done so far.
 */
export async function endOnFailure(run: Run, cause: unknown): Promise<AgentResponse> {
  if (run.stopping.signal.aborted) return stopRun(run)
  if (isOutOfTime(run)) return endForTime(run)
  const nothingHappened = run.state.events === 0
  if (cause instanceof ModelError) {
    if (nothingHappened && cause.refused) throw new AgentError('llm_api', cause.message, { cause })
    const { message: reason, failure, said } = cause
    append(run, { type: 'notice', notice: 'model-failed', reason, failure })
    return failRun(run, said)
  }
  if (nothingHappened) throw cause
  return failRun(run, { code: 'program_fault' })
}
