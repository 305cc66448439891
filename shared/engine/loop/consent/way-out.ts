import type { Said } from '../../core/asked.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { isTyped } from '../../provenance/chosen-value.ts'
import { valuesOf } from '../../provenance/sourced-values.ts'
import { recognise } from '../../provenance/value-kind.ts'
import type { Run } from '../run/run.ts'
import { evidenceOf } from './evidence-of.ts'
import { sourceOf } from './origins.ts'

/**
 * Why a call of a server's tool asks although it may run otherwise: something private was read elsewhere, and it would send
 * that server values that the user has not said. Of a tool that only reads, the choices of its schema are none: its server is
 * trusted.
 */
export function whyAskToSend(
  run: Run,
  tool: ToolSpecification,
  args: Record<string, unknown>,
): Said | undefined {
  if (!tool.foreign || tool.mayHavePrivate) return undefined
  const evidence = evidenceOf(run)
  const reader = evidence.privateBeside(tool)
  if (reader === undefined) return undefined
  const withChoices = tool.effect === 'write'
  const unsaid = valuesOf(tool.parameters, args, { withChoices, withKeys: true }).filter(
    (value) => !evidence.typed.has(String(value.value)) && !isTyped(value, recognise(value), evidence.said),
  )
  if (unsaid.length === 0) return undefined
  const sent = [...new Set(unsaid.map(({ value }) => value))]
  return { code: 'approve_way_out', values: { sent, privateRead: sourceOf(reader, run.specifications) } }
}
