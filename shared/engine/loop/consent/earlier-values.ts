import { needsOutput } from '../../../words/fill-words.ts'
import { parameterAt } from '../../core/json-path.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { sourcedValues } from '../../provenance/sourced-values.ts'
import { callValues, namedInput } from '../../wording/call-values.ts'
import type { DoneBefore } from '../run/ledger.ts'

/** What is known about a write that was, or may have been, carried out. */
type Earlier = Pick<DoneBefore['write'], 'status' | 'isSecond'> & { at?: string | undefined }

/** The values of a sentence about an earlier write: what it was, when, and whether it was done. `timeZone`: the user's. */
export function earlierValues(
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
  { at, status, isSecond = false }: Earlier,
  timeZone?: string,
): Record<string, unknown> {
  const names = sourcedNames(tool, args)
  return {
    ...callValues(withSummary(tool, status), args, names),
    ...(at === undefined ? {} : { at, ...(timeZone === undefined ? {} : { timeZone }) }),
    isDone: status === 'succeeded',
    ...(isSecond && status !== 'succeeded' ? { isSecond } : {}),
    input: namedInput(tool, args, names),
  }
}

/** With the sentence that tells of it: its summary if that does without the output, else its question. */
function withSummary<Tool extends Partial<ToolSpecification>>(tool: Tool, status: Earlier['status']): Tool {
  const { summary } = tool
  const isSummed = status === 'succeeded' && summary !== undefined && !needsOutput(summary)
  return isSummed ? { ...tool, confirm: summary } : tool
}

function sourcedNames(
  { parameters, foreign }: Partial<ToolSpecification>,
  args: Record<string, unknown>,
): string[] {
  const sourced = parameters ? sourcedValues({ parameters, foreign }, args) : []
  return [...new Set(sourced.map(({ path }) => parameterAt(path)))]
}
