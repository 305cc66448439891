import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { UnapprovedValue } from '../../provenance/check-provenance.ts'
import { earlierPart, fileNameOf, programNameOf, quotedSource } from '../../provenance/evidence.ts'
import { toolValues } from '../../wording/question-values.ts'

/** Where values come from that need the user's approval. */
export function originValues(
  values: readonly UnapprovedValue[],
  tools: ReadonlyMap<string, ToolSpecification>,
): { origins?: { value: unknown; from: Source }[] } {
  const origins = values.flatMap((one) =>
    'from' in one ? [{ value: one.value, from: sourceOf(one.from, tools) }] : [],
  )
  return origins.length > 0 ? { origins } : {}
}

/** Where a value comes from. */
type Source =
  | 'message'
  | 'earlier'
  | { file: string }
  | { program: string }
  | { tool: string; toolName: string }

export function sourceOf(from: string, tools: ReadonlyMap<string, ToolSpecification>): Source {
  if (from === quotedSource) return 'message'
  if (from === earlierPart) return 'earlier'
  const program = programNameOf(from)
  if (program !== undefined) return { program }
  const file = fileNameOf(from)
  return file === undefined ? toolValues(tools.get(from) ?? { name: from }) : { file }
}
