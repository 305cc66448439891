import type { ToolSpecification } from '../../core/tool-specification.ts'
import { doubtfulValues } from '../../provenance/check-provenance.ts'
import { foreignLinks } from '../../provenance/chosen-value.ts'
import { sourcedValues, type TypedValue } from '../../provenance/sourced-values.ts'
import { valuePattern } from '../../provenance/value-pattern.ts'
import type { RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'
import { evidenceOf } from './evidence-of.ts'

/**
 * Looks for the values of calls that nothing in the transcript knows in what it leaves out of the conversation. If that
 * fails they stay unknown, and the user is asked.
 */
export async function findValues(run: Run, calls: readonly RoundCall[]): Promise<void> {
  const { findValue, found } = run
  if (!findValue) return
  for (const { call, specification } of calls) {
    if (!specification || typeof call.input !== 'object' || call.approved) continue
    const patterns = unknownValues(run, specification, call.input).map(valuePattern)
    for (const pattern of new Set(patterns)) {
      if (pattern !== undefined && !found.has(pattern))
        found.set(pattern, await findValue(pattern).catch(() => []))
    }
  }
}

/** The values that nobody has said, and the links that a write would write and the user has not. */
function unknownValues(run: Run, tool: ToolSpecification, args: Record<string, unknown>): TypedValue[] {
  const mayLink = tool.effect === 'write' && JSON.stringify(args).includes('://')
  if (!mayLink && sourcedValues(tool, args).length === 0) return []
  const evidence = evidenceOf(run)
  const links = mayLink ? foreignLinks(tool, args, evidence) : []
  return [
    ...doubtfulValues(tool, args, evidence, run.user),
    ...links.map((value) => ({ name: '', value, schema: { format: 'uri' } })),
  ]
}
