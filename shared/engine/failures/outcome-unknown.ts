import { askedInEnglish, sentenceOf } from '../core/asked.ts'
import { saidError, type ToolError, toolError } from '../core/tool-error.ts'

interface HowUnknown {
  /** It was begun, its tool asked after that, it failed, an earlier delivery is silent, or a mail server is. */
  how?: 'begun' | 'asked' | 'fault' | 'delivered' | 'mail'
  /** The tool's title. */
  tool?: string
  /** Of an email. */
  subject?: string
  people?: readonly string[]
  /** It was looked for at its provider and not found, which proves nothing. */
  isMissing?: boolean
}

/**
 * A write that may have happened: only the user may have it repeated.
 *
 * @example
 * outcomeUnknown({ how: 'begun', tool: 'Send email' }).error
 * // => 'Question: It may have been carried out: "Send email" was begun, but no confirmation arrived. Should it be done again?'
 */
export function outcomeUnknown(values: HowUnknown = {}): ToolError {
  const asked = { code: 'outcome_unknown', values: { ...values } } as const
  return toolError('outcome_unknown', `Question: ${sentenceOf(askedInEnglish(asked))}`, {
    details: { asked },
  })
}

/** The same, now that it was looked for and not found. What the tool itself says of it stays as it is. */
export function outcomeMissing(error: ToolError): ToolError {
  const { asked } = error.details
  return asked?.code === 'outcome_unknown' ? outcomeUnknown({ ...asked.values, isMissing: true }) : error
}

/** A write that another process is still carrying out. */
export function stillRunning(): ToolError {
  return saidError('timeout', { code: 'call_running' })
}
