import { systemClock } from '../../engine/core/clock.ts'
import { DatabaseError } from './call-rpc.ts'

/** Milliseconds between two tries; each has already retried for 5 s. */
const pauseMs = 1000
/** Milliseconds after which nothing is tried again: two tries that ran into a hosted project's limit of 8 s, and one more. */
const patienceMs = 20_000

/**
 * For what a run cannot do without: asks a database that is busy or away again for up to 20 s, and not after `deadline`
 * (milliseconds since 1970). `ask` gets the number of the try, from 1. Rejects like the last one.
 */
export async function askAgain<Answer>(
  ask: (tries: number) => Promise<Answer>,
  deadline: number,
): Promise<Answer> {
  const end = Math.min(deadline, Date.now() + patienceMs)
  for (let tries = 1; ; tries++) {
    try {
      return await ask(tries)
    } catch (error) {
      if (!(error instanceof DatabaseError && error.transient) || Date.now() >= end) throw error
      await systemClock.sleep(pauseMs)
    }
  }
}
