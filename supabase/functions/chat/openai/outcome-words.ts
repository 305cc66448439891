import { z } from 'zod'
import { sentenceOf } from '../../../../shared/engine/core/asked.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { summaryOf } from '../../../../shared/engine/transcript/answer.ts'
import { showOpen } from '../../../../shared/engine/transcript/open-fields.ts'
import { keptArguments } from '../../../../shared/engine/transcript/open-items.ts'
import { callValues } from '../../../../shared/engine/wording/call-values.ts'
import { askedOf } from '../../../../shared/engine/wording/question-for-people.ts'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { executionSchema } from '../../../../shared/server/database/write-schema.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { stateFor } from '../../../../shared/words/languages/in-english.ts'
import { sayOwn } from '../../../../shared/words/say.ts'
import { doneSchema, questionSchema } from '../entries/stored-entry.ts'

/** The outcome of something that a named chat waits for, or that was in progress when it was stopped (SQL `outcomes_of`). */
export const outcomeSchema = z.object({
  id: z.string(),
  /** Null for a write that nobody was asked about. */
  closedAs: z.string().nullable(),
  question: questionSchema.nullable(),
  execution: executionSchema.nullable(),
  done: doneSchema.nullable(),
  tool: specificationSchema.nullable(),
})
export type Outcome = z.infer<typeof outcomeSchema>

/** Why something was not done, if somebody or the time has decided it. */
const reasonSchema = z.enum(['deny', 'skip', 'expired', 'stop']).optional().catch(undefined)

/**
 * The outcome in a sentence that stays the same in its language; undefined while it is not known yet.
 *
 * @example
 * const execution = { ...write, toolName: 'send_email', arguments: { to: 'ada@example.com' }, status: 'succeeded' }
 * const outcome = { id: 'a', closedAs: 'approve', question: null, execution, done: {}, tool: null }
 * outcomeSentence(outcome, english) // => 'Send email was carried out.'
 */
export function outcomeSentence(
  { closedAs, question, execution, done, tool }: Outcome,
  language: Language,
): string | undefined {
  const words = language.openai
  const called = execution?.arguments
  const args = isObject(called) ? called : (question?.arguments ?? {})
  const name = question?.toolName ?? execution?.toolName ?? ''
  const input = showOpen(question ? keptArguments(question) : args)
  const asked = question?.why?.values ?? question?.codeValues
  const values = { ...callValues(tool ?? { name }, input, []), ...asked, input }
  const what = stateFor(language, values, { tool: tool ?? undefined, input })
  const reason = reasonSchema.parse(closedAs ?? undefined)
  // What may have been done the first time is only not done again.
  if (reason !== undefined) return words.notDone(what, reason, question?.outcomeUnknown === true)
  switch (execution?.status) {
    case 'succeeded': {
      const { result } = execution
      const output = result?.ok ? result.data : undefined
      const use = { toolName: name, input: args, output, done: done ?? {} }
      return `${summaryOf(use, new Map(tool ? [[name, tool]] : []), language) ?? words.done(what)}.`
    }
    case 'failed': {
      const { result } = execution
      const why = result && !result.ok ? askedOf(result) : undefined
      const because = why && sayOwn(language, { ...why, text: sentenceOf(why) })
      return [words.notDone(what, undefined, false), because].filter(Boolean).join(' ')
    }
    case 'cancelled':
    case 'rejected':
      return words.notDone(what, undefined, false)
    default:
      return undefined
  }
}
