import { z } from 'zod'
import type { Hold } from '../../../../shared/engine/loop/hold.ts'
import type { OwnText } from '../../../../shared/engine/transcript/entry.ts'

const limitSchema = z.object({
  scope: z.enum(['user', 'agent', 'project']),
  measure: z.string(),
  per: z.enum(['hour', 'day']),
  limit: z.number(),
  /** Of writes: the only tool that it is about. */
  tool: z.string().nullish(),
})

/** A limit that is reached (SQL `lease_budget`, `write_hold`). */
export const holdSchema = limitSchema.extend({
  /** ISO 8601. */
  resumeAt: z.string(),
  /** Other runs may give some back. */
  isLeased: z.boolean(),
})
export type ReachedLimit = z.infer<typeof holdSchema>

/** A limit of which most is used. */
export const nearSchema = limitSchema.extend({ share: z.number() })

/** Our sentence about a limit that is reached. `canWait`: the run goes on when its time has come. */
export function sayHold(
  { isLeased, ...reached }: ReachedLimit,
  canWait: boolean,
): Pick<Hold, 'asked' | 'until' | 'heldBy' | 'canWait'> {
  const { scope, measure, per, tool, resumeAt } = reached
  const heldBy = [scope, measure, per, tool].filter(Boolean).join(' ')
  const values = { ...reached, resumeAt: new Date(resumeAt).toISOString() }
  const asked = isLeased
    ? {
        code: 'wait_budget_leased' as const,
        because: 'The rest of the budget is set aside for answers that are being written.',
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
  return { code: 'budget_near', values, text: `${percent}% of ${sayBudget(limit)} is used.` }
}

function sayReached(limit: Pick<ReachedLimit, 'scope' | 'measure' | 'per' | 'limit' | 'tool'>): string {
  const { scope, measure, per, limit: most, tool } = limit
  if (measure === 'writes') {
    return `Your limit for changes ${tool ? 'with this tool ' : ''}per ${per} is ${most}.`
  }
  if (scope === 'user') return `You’ve used ${window[per]} budget.`
  return `This ${subjects[scope]} has used ${window[per]} budget.`
}

function sayBudget({ scope, per }: Pick<ReachedLimit, 'scope' | 'per'>): string {
  if (scope === 'user') return `your budget for ${spans[per]}`
  return `the budget of this ${subjects[scope]} for ${spans[per]}`
}

/** The user's own zone is known to clients only: they word it anew from `resumeAt`. */
function sayWhen(resumeAt: string, canWait: boolean): string {
  const time = `${new Date(resumeAt).toISOString().slice(11, 16)} UTC`
  return canWait
    ? `It continues at ${time}, or ask your administrator.`
    : `Try again at ${time}, or ask your administrator.`
}

const window = { hour: 'this hour’s', day: 'today’s' }
const spans = { hour: 'this hour', day: 'today' }
const subjects = { agent: 'agent', project: 'app' }
