import { runTimeouts } from '../../../../shared/engine/core/timeouts.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { BegunTurn } from './begin-turn.ts'

/** How often a request is started again after it waited for the run that answers it. */
const maxBeginnings = 4

export function interruptedAgain(): ApiError {
  return new ApiError('interrupted', { isRepeated: true })
}

/**
 * Begins what a request means, carries it out, and begins again if it only waited for a run that gave no answer: one that
 * was interrupted, or one that had nothing to do with it ("busy"). `first`: what has already begun. Throws ApiError 503.
 */
export async function untilDone<Outcome>(
  begin: () => Promise<BegunTurn>,
  carryOut: (turn: BegunTurn) => Promise<Outcome | 'interrupted'>,
  { first, isGone = () => false }: { first?: BegunTurn; isGone?: () => boolean } = {},
): Promise<Outcome | 'interrupted'> {
  const giveUp = Date.now() + runTimeouts.joinMs
  for (let beginnings = 0, turn = first; beginnings < maxBeginnings; turn = undefined) {
    turn ??= await begin()
    const outcome = await carryOut(turn)
    if (turn.kind !== 'busy') beginnings++
    // Nothing of the request has begun, so it can be sent again.
    else if (Date.now() >= giveUp) throw new ApiError('conversation_busy')
    const hasWaited = turn.kind === 'join' || turn.kind === 'busy'
    if (outcome !== 'interrupted' || !hasWaited || isGone()) return outcome
  }
  throw interruptedAgain()
}
