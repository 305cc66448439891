import { type Done, outputIn, recordsIn } from '../../../words/fill-template.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { findRecords } from '../../transcript/known-records.ts'
import type { Run } from './run.ts'

/** What a call has done, as its tool's summary tells it. Undefined if it has none. */
export function describeDone(
  run: Run,
  tool: ToolSpecification | undefined,
  args: Record<string, unknown>,
  output: unknown,
): Done | undefined {
  if (tool?.summary === undefined) return undefined
  const find = findRecords(run.entries, run.specifications, tool)
  return doneIn(tool.summary, output, recordsIn(tool.summary, args, find))
}

/** The same without what the conversation knows of ids. */
export function doneIn(summary: string, output: unknown, known: Done['known'] = {}): Done {
  const shown = outputIn(summary, output)
  return {
    ...(Object.keys(shown).length > 0 ? { output: shown } : {}),
    known: Object.keys(known).length > 0 ? known : undefined,
  }
}
