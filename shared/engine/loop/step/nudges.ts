import type { Nudge } from '../../transcript/entry.ts'
import { isUnchanged, nudgesBeforeOtherModel } from '../../transcript/fold-loop.ts'
import type { Run } from '../run/run.ts'

/** Why the model's words lead nowhere; undefined if they are an answer. */
export function findStall(text: string, finishReason: string): Nudge['stall'] | undefined {
  if (/malformed/i.test(finishReason)) return 'malformed'
  if (text.trim() === '') return 'empty'
  return finishReason === 'length' ? 'length' : undefined
}

/**
 * After an answer that led nowhere comes a nudge, a stronger one, then another configured model; once none is left, the
 * model may only say its last words.
 */
export function isOutOfModels({ state, model }: Run): boolean {
  if (!state.nudge || state.stalls <= nudgesBeforeOtherModel) return false
  return model.models.every((name) => state.repliedBy.has(name))
}

/** After so many equal results of one read the model may only say its last words: it polls what changes later, if at all. */
const mostUnchanged = 4

/** The last round brought nothing new, and one of its reads has had the same result too often. */
export function pollsInVain({ state }: Run): boolean {
  return isUnchanged(state) && state.round.some(({ unchanged = 0 }) => unchanged >= mostUnchanged)
}
