import { z } from 'zod'
import type { Said } from '../../../../shared/engine/core/asked.ts'
import type { Throttle } from '../../../../shared/engine/loop/run/throttle.ts'

const limitSchema = z.object({
  scope: z.enum(['user', 'agent', 'project']),
  measure: z.string(),
  per: z.enum(['hour', 'day']),
  limit: z.number(),
  /** Of writes: the only tool that it is about. */
  tool: z.string().nullish(),
})

/** A limit that is reached (SQL `reserve_budget`, `write_hold`). */
export const throttleSchema = limitSchema.extend({
  /** ISO 8601. */
  resumeAt: z.string(),
  /** Other runs may give some back. */
  isReserved: z.boolean(),
})
export type ReachedLimit = z.infer<typeof throttleSchema>

/** A limit of which most is used. */
export const nearSchema = limitSchema.extend({ share: z.number() })

/** What is said of a limit that is reached. `canWait`: the run goes on when its time has come. */
export function throttleOf({ isReserved, ...reached }: ReachedLimit, canWait: boolean): Throttle {
  const { scope, measure, per, tool, resumeAt } = reached
  const heldBy = [scope, measure, per, tool].filter(Boolean).join(' ')
  const values = { ...reached, resumeAt: new Date(resumeAt).toISOString(), canWait }
  const said: Said = { code: isReserved ? 'wait_budget_reserved' : 'wait_budget', values }
  return { said, until: Date.parse(resumeAt), heldBy, canWait }
}

/** What is said of a limit that is nearly reached. */
export function sayNear({ share, ...limit }: z.infer<typeof nearSchema>): Said {
  return { code: 'budget_near', values: { ...limit, share: Math.floor(share * 100) } }
}
