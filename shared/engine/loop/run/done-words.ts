import { fillTemplate, recordsIn } from '../../../words/fill-template.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { findRecords } from '../../transcript/known-records.ts'
import type { Run } from './run.ts'

/** What a call has done, in its tool's words. Undefined if it has none. */
export function describeDone(
  run: Run,
  tool: ToolSpecification | undefined,
  args: Record<string, unknown>,
  output: unknown,
): string | undefined {
  if (tool?.summary === undefined) return undefined
  const find = findRecords(run.entries, run.specifications, tool)
  return fillTemplate(tool.summary, { args, output, known: recordsIn(tool.summary, args, find) })
}
