import { type Asked, sentenceOf } from '../../core/asked.ts'
import { wordQuestion } from '../../transcript/question-words.ts'
import type { AgentResponse } from '../run/agent-response.ts'
import { ask } from '../run/ask.ts'
import { append, type Run } from '../run/run.ts'
import { failRun, parkRun } from './end-run.ts'

export function isOutOfTime(run: Run): boolean {
  return run.clock.now() >= run.deadline
}

/** A model that has used up the whole time of this many runs will not answer in the next one either. */
const mostSilentRuns = 2

/** The rest continues in another run, immediately: the clock resumes it. A model that never answers ends it. */
export async function endForTime(run: Run): Promise<AgentResponse> {
  const { silentRuns, events } = run.state
  if (events === 0 && silentRuns + 1 >= mostSilentRuns) {
    return failRun(run, { code: 'model_late', text: 'The language model did not answer in time.' })
  }
  const asked = {
    code: 'wait_time',
    asked: 'This takes longer than one run may take; it goes on by itself.',
  } as const
  return parkUntil(run, asked, run.clock.now())
}

/** The run waits, or ends, if the app's budget does not allow it to ask a model now; undefined if it may. */
export async function keepBudget(run: Run): Promise<AgentResponse | undefined> {
  if (!run.budget) return undefined
  const { hold, notices } = await run.budget()
  for (const told of notices) append(run, { type: 'notice', notice: 'budget', told })
  if (!hold) return undefined
  const { asked, until, heldBy, canWait } = hold
  if (canWait) return parkUntil(run, asked, until, heldBy)
  const { code, values } = asked
  return failRun(run, { code, ...(values ? { values } : {}), text: sentenceOf(asked) })
}

function parkUntil(run: Run, asked: Asked, until: number, heldBy?: string): Promise<AgentResponse> {
  ask(run, {
    type: 'question',
    kind: 'wait',
    toolCallId: '',
    toolName: '',
    ...wordQuestion(asked, 'wait'),
    arguments: {},
    open: [],
    resumeAt: new Date(until).toISOString(),
    ...(heldBy === undefined ? {} : { heldBy }),
  })
  return parkRun(run)
}
