import type { AgentResponse } from '../run/agent-response.ts'
import type { Run } from '../run/run.ts'
import { failRun, waitUntil } from './end-run.ts'

export function isOutOfTime(run: Run): boolean {
  return run.clock.now() >= run.deadline
}

/** A model that has used up the whole time of this many runs will not answer in the next one either. */
const mostSilentRuns = 2

/** The rest continues in another run, immediately: the clock resumes it. A model that never answers ends it. */
export async function endForTime(run: Run): Promise<AgentResponse> {
  const { silentRuns, events } = run.state
  if (events === 0 && silentRuns + 1 >= mostSilentRuns) {
    return failRun(run, { code: 'model_late' })
  }
  return waitUntil(run, run.clock.now(), { code: 'wait_time' })
}
