import { runTimeouts } from '../../../../shared/engine/core/timeouts.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { BegunTurn } from './begin-turn.ts'

/** How often a request is started again after it waited for the run that answers it. */
const maxBeginnings = 4

export function interruptedAgain(): ApiError {
  const sentence = 'The answer was interrupted several times. Send the message again in a minute.'
  return new ApiError('interrupted', sentence)
}

/** Nothing of the request has begun, so it can be sent again. */
function conversationBusy(): ApiError {
  const sentence =
    'Another answer is still being written here, so this has not been done yet. Try again in a minute.'
  return new ApiError('conversation_busy', sentence)
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
    else if (Date.now() >= giveUp) throw conversationBusy()
    const hasWaited = turn.kind === 'join' || turn.kind === 'busy'
    if (outcome !== 'interrupted' || !hasWaited || isGone()) return outcome
  }
  throw interruptedAgain()
}
