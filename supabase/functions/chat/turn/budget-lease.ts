import { z } from 'zod'
import type { AgentEvent } from '../../../../shared/engine/loop/run/agent-response.ts'
import type { BudgetSays } from '../../../../shared/engine/loop/run/hold.ts'
import { holdSchema, nearSchema, sayHold, sayNear } from './budget-words.ts'

/** What a run may use before it asks again (SQL `lease_budget`). */
export const leaseSchema = z.object({
  modelCalls: z.number(),
  tokens: z.number(),
  costUsd: z.number(),
  hold: holdSchema.nullable(),
  near: z.array(nearSchema),
})
type Lease = z.infer<typeof leaseSchema>

/** The part of its user's budgets that a run holds: everything it uses is drawn from it. */
export interface BudgetLease {
  /** Draws what an event of the run has used. */
  draw(event: AgentEvent): void
  /** Called when what was drawn so far is sent to the database; the returned function takes the new lease. */
  renew(): (lease: Lease | null) => void
  /** Whether the model may be asked. `beat` reports what was used and renews the lease. */
  ask(beat: () => Promise<void>): Promise<BudgetSays>
}

export function createBudgetLease(first: Lease, canWait: boolean): BudgetLease {
  let lease = first
  let near = first.near
  const used = { modelCalls: 0, tokens: 0, costUsd: 0 }
  /** What of it the lease has already taken into account. */
  let counted = { ...used }
  const hasDrawn = () => used.modelCalls > counted.modelCalls || used.tokens > counted.tokens
  const isUsedUp = () =>
    lease.modelCalls <= used.modelCalls - counted.modelCalls ||
    lease.tokens <= used.tokens - counted.tokens ||
    lease.costUsd <= used.costUsd - counted.costUsd
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
        lease = renewed
        near = [...near, ...renewed.near]
        counted = reported
      }
    },
    async ask(beat) {
      if (isUsedUp() && hasDrawn()) await beat()
      const notices = near.map(sayNear)
      near = []
      return isUsedUp() && lease.hold ? { hold: sayHold(lease.hold, canWait), notices } : { notices }
    },
  }
}
