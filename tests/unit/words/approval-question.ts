import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { callValues } from '../../../shared/engine/wording/call-values.ts'
import type { FindRecord } from '../../../shared/words/fill-template.ts'
import { sayInEnglish } from '../../../shared/words/languages/in-english.ts'

/** The question that asks a person to approve a call. */
export function approvalQuestion(
  tool: Pick<ToolSpecification, 'name' | 'title' | 'confirm'> & { parameters?: object },
  input: Record<string, unknown>,
  sourced: readonly string[],
  find?: FindRecord,
): string | undefined {
  const values = callValues(tool, input, sourced, find)
  return sayInEnglish({ code: 'approve', values }, { tool, input })?.asked
}
