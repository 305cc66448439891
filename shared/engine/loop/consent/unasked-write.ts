import type { Asked } from '../../core/asked.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { foreignLinks, hasChosenValue } from '../../provenance/chosen-value.ts'
import type { Run } from '../run/run.ts'
import { datesOfToday } from './dates-of-today.ts'
import { evidenceOf } from './evidence-of.ts'

/**
 * Why a write that would run unasked needs the user's word once something from outside was read: it would write links
 * that the user has not written, or nothing in it shows that it is theirs. Undefined if it may run. `hasFilledIn`: a person
 * has just filled in a value of it.
 */
export function whyAskUnasked(
  run: Run,
  tool: ToolSpecification,
  args: Record<string, unknown>,
  hasFilledIn: boolean,
): Pick<Asked, 'code' | 'because' | 'values'> | undefined {
  const evidence = evidenceOf(run)
  const addresses = foreignLinks(tool, args, evidence)
  if (addresses.length > 0) {
    const list = addresses.map((address) => JSON.stringify(address)).join(', ')
    const what = addresses.length === 1 ? 'a web address' : 'web addresses'
    return {
      code: 'approve_outside_addresses',
      because: `It contains ${what} that you did not write: ${list}.`,
      values: { addresses },
    }
  }
  if (hasFilledIn) return undefined
  if (hasChosenValue(tool, args, evidence, { user: run.user, today: datesOfToday(run) })) return undefined
  return {
    code: 'approve_outside',
    because: 'You typed none of this, and something was read that you did not write.',
  }
}
