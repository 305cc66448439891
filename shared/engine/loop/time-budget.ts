import type { AgentResponse } from './agent-response.ts'
import { failRun, parkRun } from './end-run.ts'
import type { Run } from './run.ts'

export function isOutOfTime(run: Run): boolean {
  return run.clock.now() >= run.deadline
}

/** A model that used up the whole time of so many runs will not answer in the next one either. */
const mostSilentRuns = 2

/** What is left goes on in another run, at once: the clock resumes it. A model that never answers ends it. */
export function endForTime(run: Run): AgentResponse {
  const { memory } = run
  memory.silentRuns = run.usage.modelCalls === 0 && run.toolsUsed.length === 0 ? memory.silentRuns + 1 : 0
  if (memory.silentRuns < mostSilentRuns) return parkForTime(run)
  return failRun(run, 'The language model did not answer in time.')
}

function parkForTime(run: Run): AgentResponse {
  run.memory.parked.push({
    type: 'wait',
    toolCallId: '',
    toolName: '',
    question: 'This takes longer than one run may; it goes on by itself.',
    args: {},
    open: [],
    repairs: [],
    attempt: 0,
    intent: 0,
    repetition: 0,
    resumeAt: new Date(run.clock.now()).toISOString(),
  })
  return parkRun(run)
}
