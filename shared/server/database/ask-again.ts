import { systemClock } from '../../engine/core/clock.ts'
import { DatabaseError } from './call-rpc.ts'

/** Milliseconds between two tries; the client has tried for 5 s by then. */
const pauseMs = 1000
/** Milliseconds after which nothing is tried again: two tries that ran into a hosted project's limit of 8 s, and one more. */
const patienceMs = 20_000

/**
 * For what a run cannot do without: while the database is busy or away it is asked again for 20 s, until `deadline` (milliseconds
 * since 1970) at most. `ask` is told the number of the try, from 1. Rejects like the last one.
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
