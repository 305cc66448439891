import type { AgentResponse } from './agent-response.ts'
import { askModel } from './ask-model.ts'
import { answerRun, endRun, failRun } from './end-run.ts'
import { isOutOfTokens } from './limits.ts'
import { placeholder, stallOf } from './nudges.ts'
import type { Run } from './run.ts'

const lastWords =
  'No more tool calls are possible now. Tell the user honestly and briefly what was done, what was not done, and why.'

/**
 * One model call without tools, and the run ends. `completed`: the model has heard what it cannot change and says
 * so; `failed`: it ran out of attempts or rounds. Where it says nothing, the account is our own.
 */
export async function giveLastAnswer(run: Run, status: 'completed' | 'failed'): Promise<AgentResponse> {
  if (isOutOfTokens(run)) return failRun(run, 'The token budget of this run is used up.')
  run.nudge = placeholder('(no more tool calls)', lastWords)
  const { reply } = await askModel(run, { tools: false })
  const text = stallOf(reply) === undefined ? reply.text : longestPart(run.cutText, reply.text)
  if (text === '') return failRun(run, 'I could not finish this.')
  return status === 'completed' ? answerRun(run, text) : endRun(run, 'failed', text)
}

/** The most there is of an answer that was cut off each time; empty when there never was one. */
function longestPart(...texts: readonly string[]): string {
  const longest = texts.map((text) => text.trim()).reduce((a, b) => (b.length > a.length ? b : a))
  return longest === '' ? '' : `${longest}\n(This answer was cut off at the length limit.)`
}
