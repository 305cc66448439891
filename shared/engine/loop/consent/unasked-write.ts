import type { Said } from '../../core/asked.ts'
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
): Said | undefined {
  const evidence = evidenceOf(run)
  const addresses = foreignLinks(tool, args, evidence)
  if (addresses.length > 0) {
    return { code: 'approve_outside_addresses', values: { addresses } }
  }
  if (hasFilledIn) return undefined
  const { clientCall } = run.state
  // What the user has typed there before asks for nothing of what a program asks for now.
  if (!clientCall && hasChosenValue(tool, args, evidence, { user: run.user, today: datesOfToday(run) })) {
    return undefined
  }
  return { code: 'approve_outside', ...(clientCall && { values: { program: clientCall.client.name } }) }
}
