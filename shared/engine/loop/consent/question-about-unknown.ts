import type { ToolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { wordQuestion } from '../../transcript/question-words.ts'
import { askedOf } from '../../wording/question-for-people.ts'
import { tellWhen } from '../../wording/tell-when.ts'
import type { QuestionDraft } from '../run/ask.ts'
import type { Run } from '../run/run.ts'
import { confirmationOf, describeEarlier, earlierValues, secondTry } from './earlier-words.ts'
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
 * questionAboutUnknown(write, { user: undefined, senders: {} }).asked // => 'Do it again: Send "Meeting" to "ada@example.com"?'
 */
export function questionAboutUnknown(
  { toolCallId, tool, arguments: args, repetition, at, error, isSecond = false }: UnknownWrite,
  run: Pick<Run, 'user' | 'senders'>,
): QuestionDraft {
  const words = ownWords(error)
  const timeZone = run.user?.timezone
  const confirm = confirmationOf(tool, args)
  const account = senderAccount(run, tool, args)
  return {
    type: 'question',
    kind: 'approval',
    toolCallId,
    toolName: tool.name,
    ...wordQuestion({
      code: 'outcome_unknown',
      values: {
        ...earlierValues(tool, args, { at, status: 'unknown', isSecond }, timeZone),
        ...(words === undefined ? {} : { words }),
      },
      because:
        words === undefined
          ? `This may have been done${tellWhen(at, timeZone)}, but no confirmation arrived.${isSecond ? secondTry : ''}`
          : describeEarlier(tool, args, { at, status: 'unknown', isSecond }, timeZone),
      asked: words ?? `Do it again: ${confirm}`,
    }),
    arguments: args,
    open: [],
    confirm,
    ...(account === undefined ? {} : { account }),
    reason: 'unknown',
    outcomeUnknown: true,
    repetition: repetition + 1,
  }
}

/** What the tool itself says of a write with unknown outcome; undefined if it says no more than we do. */
export function ownWords(error: ToolError | undefined): string | undefined {
  const isOurs = error === undefined || error.details.asked?.code === 'outcome_unknown'
  return isOurs ? undefined : askedOf(error).asked
}
