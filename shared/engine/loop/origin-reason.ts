import type { ToolSpecification } from '../core/tool-specification.ts'
import type { UnapprovedValue } from '../provenance/check-provenance.ts'
import { fileNameOf, quotedSource } from '../provenance/conversation.ts'
import { titleOf } from '../wording/tool-title.ts'

/** Why values need the user's approval: which tool they come from, or what they may give away. Ends with a blank. */
export function originReason(
  values: readonly UnapprovedValue[],
  tools: ReadonlyMap<string, ToolSpecification>,
): string {
  const composed = values.filter((value) => value.composed)
  const found = values.filter((value) => !value.composed)
  const list = (some: typeof values) => some.map(({ value }) => JSON.stringify(value)).join(', ')
  const titles = (some: typeof values) => [...new Set(some.map(({ from }) => nameOf(from, tools)))].join(', ')
  const origin = `${list(found)} comes from ${titles(found)}, not from you. `
  const risk = `Nobody has named ${list(composed)}: it was put together after ${titles(composed)} showed private data, and whoever runs that site sees all of it. `
  return (found.length > 0 ? origin : '') + (composed.length > 0 ? risk : '')
}

function nameOf(from: string, tools: ReadonlyMap<string, ToolSpecification>): string {
  if (from === quotedSource) return 'what your message quotes or links to'
  const file = fileNameOf(from)
  return file === undefined
    ? `"${titleOf(tools.get(from) ?? { name: from })}"`
    : `the file ${JSON.stringify(file)}`
}
