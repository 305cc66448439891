import { z } from 'zod'
import type { AgentEvent } from '../../../../shared/engine/loop/run/agent-response.ts'
import type { BudgetSays } from '../../../../shared/engine/loop/run/throttle.ts'
import { nearSchema, sayNear, throttleOf, throttleSchema } from './reached-limit.ts'

/** What a run may use before it asks again (SQL `reserve_budget`). */
export const reservationSchema = z.object({
  modelCalls: z.number(),
  tokens: z.number(),
  costUsd: z.number(),
  hold: throttleSchema.nullable(),
  near: z.array(nearSchema),
})
type Reservation = z.infer<typeof reservationSchema>

/** The part of its user's budgets that a run has reserved: everything it uses is drawn from it. */
export interface BudgetReservation {
  /** Draws what an event of the run has used. */
  draw(event: AgentEvent): void
  /** Called when what was drawn so far is sent to the database; the returned function takes the new one. */
  renew(): (reservation: Reservation | null) => void
  /** Whether the model may be asked. `beat` reports what was used and renews the reservation. */
  ask(beat: () => Promise<void>): Promise<BudgetSays>
}

export function createBudgetReservation(first: Reservation, canWait: boolean): BudgetReservation {
  let reservation = first
  let near = first.near
  const used = { modelCalls: 0, tokens: 0, costUsd: 0 }
  /** The part of `used` that the reservation already takes into account. */
  let counted = { ...used }
  const hasDrawn = () => used.modelCalls > counted.modelCalls || used.tokens > counted.tokens
  const isUsedUp = () =>
    reservation.modelCalls <= used.modelCalls - counted.modelCalls ||
    reservation.tokens <= used.tokens - counted.tokens ||
    reservation.costUsd <= used.costUsd - counted.costUsd
  return {
    draw(event) {
      if (event.type !== 'step-end' && event.type !== 'tool-model-call') return
      // Those of tools were drawn by the tool.
      if (event.type === 'step-end') used.modelCalls++
      used.tokens += event.usage.inputTokens + event.usage.outputTokens
      used.costUsd += event.cost ?? 0
    },
    renew() {
      const reported = { ...used }
      return (renewed) => {
        if (!renewed) return
        reservation = renewed
        near = [...near, ...renewed.near]
        counted = reported
      }
    },
    async ask(beat) {
      if (isUsedUp() && hasDrawn()) await beat()
      const notices = near.map(sayNear)
      near = []
      return isUsedUp() && reservation.hold
        ? { throttle: throttleOf(reservation.hold, canWait), notices }
        : { notices }
    },
  }
}
