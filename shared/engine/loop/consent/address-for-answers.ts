import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { AnsweredParties } from '../../provenance/answered-mail.ts'
import type { Run } from '../run/run.ts'
import { evidenceOf } from './evidence-of.ts'

/** What a person must know about the mail that a call replies to: answers are to go elsewhere than to its sender. */
export function addressForAnswers(
  run: Run,
  tool: ToolSpecification,
  args: Record<string, unknown>,
): { answered: AnsweredParties } | undefined {
  if (tool.repliesTo === undefined || args[tool.repliesTo] === undefined) return undefined
  const answered = evidenceOf(run).answeredParties(tool, args)
  if (!answered) return undefined
  return { answered }
}
