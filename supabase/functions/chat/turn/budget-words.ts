import { z } from 'zod'
import type { Hold } from '../../../../shared/engine/loop/run/hold.ts'
import type { OwnText } from '../../../../shared/engine/transcript/entry.ts'

const limitSchema = z.object({
  scope: z.enum(['user', 'agent', 'project']),
  measure: z.string(),
  per: z.enum(['hour', 'day']),
  limit: z.number(),
  /** Of writes: the only tool that it is about. */
  tool: z.string().nullish(),
})

/** A limit that is reached (SQL `reserve_budget`, `write_hold`). */
export const holdSchema = limitSchema.extend({
  /** ISO 8601. */
  resumeAt: z.string(),
  /** Other runs may give some back. */
  isReserved: z.boolean(),
})
export type ReachedLimit = z.infer<typeof holdSchema>

/** A limit of which most is used. */
export const nearSchema = limitSchema.extend({ share: z.number() })

/** Our sentence about a limit that is reached. `canWait`: the run goes on when its time has come. */
export function sayHold(
  { isReserved, ...reached }: ReachedLimit,
  canWait: boolean,
): Pick<Hold, 'asked' | 'until' | 'heldBy' | 'canWait'> {
  const { scope, measure, per, tool, resumeAt } = reached
  const heldBy = [scope, measure, per, tool].filter(Boolean).join(' ')
  const values = { ...reached, resumeAt: new Date(resumeAt).toISOString() }
  const asked = isReserved
    ? {
        code: 'wait_budget_reserved' as const,
        because: 'The rest of the budget is reserved for answers that are still being written.',
        asked: canWait ? 'This continues in a few seconds.' : 'Try again in a few seconds.',
        values,
      }
    : {
        code: 'wait_budget' as const,
        because: sayReached(reached),
        asked: sayWhen(resumeAt, canWait),
        values,
      }
  return { asked, until: Date.parse(resumeAt), heldBy, canWait }
}

/** Our sentence about a limit that is nearly reached. */
export function sayNear({ share, ...limit }: z.infer<typeof nearSchema>): OwnText {
  const percent = Math.floor(share * 100)
  const values = { ...limit, share: percent }
  return {
    code: 'budget_near',
    values,
    text: `${sayWhose(limit)} used ${percent}% of ${window[limit.per]} budget.`,
  }
}

function sayReached(limit: Pick<ReachedLimit, 'scope' | 'measure' | 'per' | 'limit' | 'tool'>): string {
  const { measure, per, limit: most, tool } = limit
  if (measure === 'writes') {
    return `You’ve reached your limit for changes${tool ? ' with this tool' : ''} (${most} per ${per}).`
  }
  return `${sayWhose(limit)} used ${window[per]} budget.`
}

function sayWhose({ scope }: Pick<ReachedLimit, 'scope'>): string {
  return { user: 'You’ve', agent: 'This agent has', project: 'This app has' }[scope]
}

/** The user's own zone is known to clients only: they word it anew from `resumeAt`. */
function sayWhen(resumeAt: string, canWait: boolean): string {
  const time = `${new Date(resumeAt).toISOString().slice(11, 16)} UTC`
  return canWait
    ? `It continues at ${time}. To continue sooner, ask your administrator.`
    : `Try again at ${time}, or ask your administrator.`
}

const window = { hour: 'this hour’s', day: 'today’s' }
