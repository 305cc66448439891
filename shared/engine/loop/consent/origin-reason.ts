import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { UnapprovedValue } from '../../provenance/check-provenance.ts'
import { earlierPart, fileNameOf, quotedSource } from '../../provenance/evidence.ts'
import { toolValues } from '../../wording/question-values.ts'
import { titleOf } from '../../wording/tool-title.ts'

/** Why values need the user's approval: where they come from. Ends with a space. */
export function originReason(
  values: readonly UnapprovedValue[],
  tools: ReadonlyMap<string, ToolSpecification>,
): string {
  const found = values.filter((value) => 'from' in value)
  if (found.length === 0) return ''
  const list = found.map(({ value }) => JSON.stringify(value)).join(', ')
  const titles = [...new Set(found.map(({ from }) => nameOf(from, tools)))].join(', ')
  return `${list} ${found.length === 1 ? 'comes' : 'come'} from ${titles}, not from you. `
}

/** The same as values, for clients that translate it. */
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
type Source = 'message' | 'earlier' | { file: string } | { tool: string; toolName: string }

export function sourceOf(from: string, tools: ReadonlyMap<string, ToolSpecification>): Source {
  if (from === quotedSource) return 'message'
  if (from === earlierPart) return 'earlier'
  const file = fileNameOf(from)
  return file === undefined ? toolValues(tools.get(from) ?? { name: from }) : { file }
}

/** A tool by its title, or the name of whatever else was read. */
export function nameOf(from: string, tools: ReadonlyMap<string, ToolSpecification>): string {
  if (from === quotedSource) return 'what your message quotes or links to'
  if (from === earlierPart) return `an ${earlierPart}`
  const file = fileNameOf(from)
  return file === undefined
    ? `"${titleOf(tools.get(from) ?? { name: from })}"`
    : `the file ${JSON.stringify(file)}`
}
