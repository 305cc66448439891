import type { AgentResponse } from '../run/agent-response.ts'
import { append, type Run } from '../run/run.ts'
import { failRun, waitUntil } from './end-run.ts'

/**
 * Asks the app before each request to a model. If a budget is used up, the run waits until it may go on, or ends, because
 * its client cannot wait; undefined if the model may be asked.
 */
export async function endForBudget(run: Run): Promise<AgentResponse | undefined> {
  if (!run.budget) return undefined
  const { throttle, notices } = await run.budget()
  for (const told of notices) append(run, { type: 'notice', notice: 'budget', told })
  if (!throttle) return undefined
  const { said, until, heldBy, canWait } = throttle
  if (canWait) return waitUntil(run, until, said, heldBy)
  return failRun(run, said)
}
