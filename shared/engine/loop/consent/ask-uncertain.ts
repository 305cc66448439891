import type { Asked } from '../../core/asked.ts'
import type { ToolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { askedOf } from '../../wording/question-for-people.ts'
import { describeEarlier, earlierValues } from './earlier-words.ts'

/** A write whose outcome is unknown. */
export interface UncertainWrite {
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>
  arguments: Record<string, unknown>
  /** ISO 8601: when it was called, if known. */
  at?: string
  /** How it ended, if it has. */
  error?: ToolError
}

/**
 * The question for the user: what may have been done, to whom, and when. If the tool has its own words, they are
 * the question; ours say the same as the text before them.
 */
export function askUncertain({ tool, arguments: args, at, error }: UncertainWrite, timeZone?: string): Asked {
  const isOurs = error === undefined || error.details.asked?.code === 'outcome_unknown'
  const words = isOurs ? undefined : askedOf(error).asked
  return {
    code: 'outcome_unknown',
    values: { ...earlierValues(tool, args, at, 'unknown'), ...(words === undefined ? {} : { words }) },
    because: describeEarlier(tool, args, at, 'unknown', timeZone),
    asked: words ?? 'Should it be done again?',
  }
}
