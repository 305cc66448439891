import { z } from 'zod'
import { sentenceOf } from '../../../../shared/engine/core/asked.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { approvalQuestion } from '../../../../shared/engine/wording/approval-question.ts'
import { askedOf } from '../../../../shared/engine/wording/question-for-people.ts'
import { resultSchema, specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { fillTemplate } from '../../../../shared/words/fill-template.ts'
import { questionSchema } from '../entries/stored-entry.ts'

/** The outcome of something that a named chat waits for, or that was in progress when it was stopped (SQL `outcomes_of`). */
export const outcomeSchema = z.object({
  id: z.string(),
  /** Null for a write that nobody was asked about. */
  closedAs: z.string().nullable(),
  question: questionSchema.nullable(),
  execution: z
    .object({ toolName: z.string(), arguments: z.unknown(), status: z.string(), result: resultSchema })
    .nullable(),
  summary: z.string().nullable(),
  tool: specificationSchema.nullable(),
})
export type Outcome = z.infer<typeof outcomeSchema>

/** Why something was not done. */
const reasons: Readonly<Record<string, string>> = {
  deny: 'you denied it',
  skip: 'you skipped it',
  expired: 'nobody approved it in time',
  stop: 'it was stopped',
}

/**
 * The outcome in a sentence that stays the same; undefined while it is not known yet.
 *
 * @example
 * const execution = { toolName: 'send_email', arguments: { to: 'ada@example.com' }, status: 'succeeded', result: null }
 * const outcome = { id: 'a', closedAs: 'approve', question: null, execution, summary: 'Sent "Hi" to "ada@example.com"', tool: null }
 * outcomeSentence(outcome) // => 'Sent "Hi" to "ada@example.com".'
 */
export function outcomeSentence({
  closedAs,
  question,
  execution,
  summary,
  tool,
}: Outcome): string | undefined {
  const called = execution?.arguments
  const args = isObject(called) ? called : (question?.arguments ?? {})
  const name = question?.toolName ?? execution?.toolName ?? ''
  const asked = question?.confirm ?? approvalQuestion(tool ?? { name }, args, [])
  const what = asked.replace(/[?.]$/, '')
  const reason = reasons[closedAs ?? '']
  // What may have been done the first time is only not done again.
  if (reason !== undefined)
    return `Not done${question?.outcomeUnknown ? ' again' : ''}, because ${reason}: ${what}.`
  switch (execution?.status) {
    case 'succeeded':
      return `${summary ?? summaryOf(tool, args) ?? `Done: ${what}`}.`
    case 'failed': {
      const { result } = execution
      const why = result && !result.ok ? askedOf(result) : undefined
      return `Not done: ${what}.${why ? ` ${sentenceOf(why)}` : ''}`
    }
    case 'cancelled':
    case 'rejected':
      return `Not done: ${what}.`
    default:
      return undefined
  }
}

/** The summary as it would have been, if the call is enough for it. */
function summaryOf(tool: Outcome['tool'], args: Record<string, unknown>): string | undefined {
  const { summary } = tool ?? {}
  return summary === undefined || summary.includes('{output') ? undefined : fillTemplate(summary, { args })
}
