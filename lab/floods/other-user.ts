import { type ChatUser, withDatabase } from '../../support/chat-user.ts'
import type { TestStack } from '../../support/stack.ts'

/** How long answers took, in milliseconds. */
export interface Waited {
  p95: number
  answers: number
  /** Messages that were not answered. */
  failed: number
}

/** Somebody who writes short messages while others flood the service. */
export class OtherUser {
  readonly #user: ChatUser

  constructor(user: ChatUser) {
    this.#user = user
  }

  /** Waits until answers take about as long as usual again, a minute at most. */
  async settle(usualP95: number): Promise<void> {
    const until = performance.now() + 60_000
    while (performance.now() < until) {
      if ((await this.measure(1000)).p95 <= 1.5 * usualP95) return
    }
  }

  /** Sends messages one after the other for so long. */
  async measure(forMs: number): Promise<Waited> {
    const took: number[] = []
    let failed = 0
    const until = performance.now() + forMs
    while (performance.now() < until) {
      const started = performance.now()
      const { status, answer, error } = await this.#user.post({ message: 'Hello' })
      if (status !== 200 || answer.status !== 'completed') {
        failed++
        console.log(`The other user got ${status}: ${error?.message ?? answer.text}`)
      }
      took.push(performance.now() - started)
    }
    took.sort((one, other) => one - other)
    return { p95: took[Math.floor(took.length * 0.95)] ?? 0, answers: took.length, failed }
  }
}

/** Raises the limits of the user who is measured: their messages come faster than a person's. */
export async function liftFor(stack: TestStack, userId: string): Promise<void> {
  await withDatabase(
    stack,
    (sql) => sql`
      insert into askback.limits (scope, subject, measure, per, value)
      select 'user', ${userId}, measure, per, 1000000 from askback.limits
      where scope = 'user' and subject is null and measure in ('runs', 'model_calls', 'tokens', 'conversations')`,
  )
}
