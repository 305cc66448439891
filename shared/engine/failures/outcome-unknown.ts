import { type Asked, sentenceOf } from '../core/asked.ts'
import { type ToolError, toolError } from '../core/tool-error.ts'

/**
 * A write that may have happened: only the user may have it repeated. `happened` is a sentence on what is known.
 *
 * @example
 * outcomeUnknown('The email may have been sent.').error // => 'Question: The email may have been sent. Should it be done again?'
 */
export function outcomeUnknown(
  happened = 'It may have been carried out, but no confirmation arrived.',
): ToolError {
  const asked: Asked = { code: 'outcome_unknown', because: happened, asked: 'Should it be done again?' }
  return toolError('outcome_unknown', `Question: ${sentenceOf(asked)}`, { details: { asked } })
}

/** A write that another process is still carrying out. */
export function stillRunning(): ToolError {
  return toolError('timeout', 'This is still running; whether it succeeds is not known yet.')
}
