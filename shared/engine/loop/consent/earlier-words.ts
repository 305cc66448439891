import { parameterAt } from '../../core/json-path.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { sourcedValues } from '../../provenance/sourced-values.ts'
import { approvalQuestion } from '../../wording/approval-question.ts'
import { callValues, namedInput } from '../../wording/call-values.ts'
import { tellWhen } from '../../wording/tell-when.ts'
import type { DoneBefore } from '../run/ledger.ts'

/** What is known about a write that was, or may have been, carried out. */
type Earlier = Pick<DoneBefore, 'status' | 'isSecond'> & { at?: string | undefined }

/** Of a write that was made again although nobody knew what had become of the first try. Begins with a space. */
export const secondTry = ' That was the second try, so doing it again may do it twice.'

/**
 * What was done before, and when, in the user's time zone if known.
 *
 * @example
 * const send = { name: 'send_email', confirm: 'Send "{subject}" to {to}?' }
 * const args = { to: 'ada@example.com', subject: 'Meeting' }
 * describeEarlier(send, args, { at: '2026-11-22T07:05:10Z', status: 'succeeded' }) // => 'You already did this on 22 Nov at 07:05 UTC: Send "Meeting" to "ada@example.com".'
 */
export function describeEarlier(
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
  { at, status, isSecond = false }: Earlier,
  timeZone = 'UTC',
): string {
  const what = statementOf(tool, args, status)
  const when = tellWhen(at, timeZone)
  if (status === 'succeeded') return `You already did this${when}: ${what}.`
  return `This may have been done${when}: ${what}.${isSecond ? secondTry : ''}`
}

/**
 * What was done before, and when, if it may be something else.
 *
 * @example
 * const send = { name: 'send_email', confirm: 'Send "{subject}" to {to}?', summary: 'Sent "{subject}" to {to}' }
 * const args = { to: 'ada@example.com', subject: 'Meeting' }
 * describeBeside(send, args, '2026-11-22T07:05:10Z') // => 'This was done on 22 Nov at 07:05 UTC: Sent "Meeting" to "ada@example.com".'
 */
export function describeBeside(
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
  at: string | undefined,
  timeZone = 'UTC',
): string {
  return `This was done${tellWhen(at, timeZone)}: ${statementOf(tool, args, 'succeeded')}.`
}

/** What a write does, as a statement: its tool's summary or question, with its values. */
export function statementOf(
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
  status: Earlier['status'],
): string {
  const confirm = sentenceOf(tool, status)
  const { name, title = '', parameters } = tool
  const about = { name, title, parameters, ...(confirm === undefined ? {} : { confirm }) }
  return approvalQuestion(about, args, sourcedNames(tool, args)).replace(/\?$/, '')
}

/** The question whether to do it, with its values. */
export function confirmationOf(
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
): string {
  return approvalQuestion({ parameters: undefined, ...tool }, args, sourcedNames(tool, args))
}

/** The same as values, for clients that translate it. */
export function earlierValues(
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
  { at, status, isSecond = false }: Earlier,
  timeZone?: string,
): Record<string, unknown> {
  const names = sourcedNames(tool, args)
  return {
    ...callValues(tool, args, names),
    ...(at === undefined ? {} : { at, when: tellWhen(at, timeZone).trim() }),
    isDone: status === 'succeeded',
    ...(isSecond && status !== 'succeeded' ? { isSecond } : {}),
    input: namedInput(tool, args, names),
  }
}

function sourcedNames({ parameters }: Partial<ToolSpecification>, args: Record<string, unknown>): string[] {
  const sourced = parameters ? sourcedValues(parameters, args) : []
  return [...new Set(sourced.map(({ path }) => parameterAt(path)))]
}

/** The tool's own summary, if the call is enough for it; else its question, as a statement. */
function sentenceOf({ summary, confirm }: Partial<ToolSpecification>, status: Earlier['status']) {
  if (status === 'succeeded' && summary && !summary.includes('{output')) return summary
  return confirm?.replace(/\?\s*$/, '')
}
