import type { ToolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { storeQuestion } from '../../transcript/question-words.ts'
import { saidOf } from '../../wording/question-for-people.ts'
import { whyValues } from '../../wording/why-values.ts'
import type { QuestionDraft } from '../run/ask.ts'
import type { Run } from '../run/run.ts'
import { earlierValues } from './earlier-values.ts'
import { senderAccount } from './sender-account.ts'

/** A write whose outcome is unknown. */
export interface UnknownWrite {
  toolCallId: string
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>
  arguments: Record<string, unknown>
  repetition: number
  /** ISO 8601: when it was called, if known. */
  at?: string
  /** How it ended, if it has. */
  error?: ToolError
  /** Nobody knows what became of an equal one before it, either. */
  isSecond?: boolean
}

/**
 * The question for the user: what may have been done, to whom, and when, and whether to do it again. If the tool has its
 * own words, they are the question.
 *
 * @example
 * const tool = { name: 'send_email', confirm: 'Send "{subject}" to {to}?' }
 * const write = { toolCallId: 'c1', tool, arguments: { to: 'ada@example.com', subject: 'Meeting' }, repetition: 0 }
 * questionAboutUnknown(write, { user: undefined, senders: {} }).codeValues?.input // => { to: 'ada@example.com', subject: 'Meeting' }
 */
export function questionAboutUnknown(
  { toolCallId, tool, arguments: args, repetition, at, error, isSecond = false }: UnknownWrite,
  run: Pick<Run, 'user' | 'senders'>,
): QuestionDraft {
  const timeZone = run.user?.timezone
  const account = senderAccount(run, tool, args)
  return {
    type: 'question',
    kind: 'approval',
    toolCallId,
    toolName: tool.name,
    ...storeQuestion({
      code: 'outcome_unknown',
      values: {
        ...earlierValues(tool, args, { at, status: 'unknown', isSecond }, timeZone),
        ...ownWhy(error),
        ...(error?.details.asked?.values?.isMissing === true ? { isMissing: true } : {}),
      },
    }),
    arguments: args,
    open: [],
    ...(account === undefined ? {} : { account }),
    reason: 'unknown',
    outcomeUnknown: true,
    repetition: repetition + 1,
  }
}

/** What the tool itself says of a write with unknown outcome, as values; none if it says no more than we do. */
export function ownWhy(error: ToolError | undefined): Record<string, unknown> {
  const isOurs = error === undefined || error.details.asked?.code === 'outcome_unknown'
  return isOurs ? {} : whyValues(saidOf(error))
}
