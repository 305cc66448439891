import type { AgentResponse } from './agent-response.ts'
import { parkRun } from './end-run.ts'
import type { Run } from './run.ts'

export function isOutOfTime(run: Run): boolean {
  return run.clock.now() >= run.deadline
}

/** What is left goes on in another run, at once: the clock resumes it. */
export function parkForTime(run: Run): AgentResponse {
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
