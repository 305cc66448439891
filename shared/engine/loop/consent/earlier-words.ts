import type { ToolSpecification } from '../../core/tool-specification.ts'
import { sourcedValues } from '../../provenance/sourced-values.ts'
import { approvalQuestion } from '../../wording/approval-question.ts'
import { callValues, namedInput } from '../../wording/call-values.ts'
import type { EarlierWrite } from '../run/ledger.ts'

/**
 * What was done before, and when, in the user's time zone if known.
 *
 * @example
 * const send = { name: 'send_email', confirm: 'Send "{subject}" to {to}?' }
 * const args = { to: 'ada@example.com', subject: 'Meeting' }
 * describeEarlier(send, args, '2026-11-22T07:05:10Z', 'succeeded') // => 'You already did this on 22 Nov at 07:05 UTC: Send "Meeting" to "ada@example.com".'
 */
export function describeEarlier(
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
  at: string | undefined,
  status: EarlierWrite['status'],
  timeZone = 'UTC',
): string {
  const names = sourcedNames(tool, args)
  const sentence = sentenceOf(tool, status)
  const { name, title = '', parameters } = tool
  const about = { name, title, parameters, ...(sentence === undefined ? {} : { confirm: sentence }) }
  const what = approvalQuestion(about, args, names).replace(/\?$/, '')
  const when = at === undefined ? '' : ` ${tellTime(at, timeZone)}`
  const said = status === 'succeeded' ? `You already did this${when}` : `This may have been done${when}`
  return `${said}: ${what}.`
}

/** The same as values, for clients that translate it. */
export function earlierValues(
  tool: Pick<ToolSpecification, 'name'> & Partial<ToolSpecification>,
  args: Record<string, unknown>,
  at: string | undefined,
  status: EarlierWrite['status'],
): Record<string, unknown> {
  const names = sourcedNames(tool, args)
  return {
    ...callValues(tool, args, names),
    ...(at === undefined ? {} : { at }),
    isDone: status === 'succeeded',
    input: namedInput(tool, args, names),
  }
}

function sourcedNames({ parameters }: Partial<ToolSpecification>, args: Record<string, unknown>): string[] {
  const sourced = parameters ? sourcedValues(parameters, args).map(({ path }) => path) : []
  return [...new Set(sourced.map((path) => path.replace(/[[.].*/s, '')))]
}

/** The tool's own summary, if the call is enough for it; else its question, as a statement. */
function sentenceOf({ summary, confirm }: Partial<ToolSpecification>, status: EarlierWrite['status']) {
  if (status === 'succeeded' && summary && !summary.includes('{output')) return summary
  return confirm?.replace(/\?\s*$/, '')
}

function tellTime(at: string, timeZone: string): string {
  const moment = new Date(at)
  const show = (options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(moment)
    } catch {
      return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(moment)
    }
  }
  const time = show({ hour: '2-digit', minute: '2-digit', hour12: false })
  return `on ${show({ day: 'numeric', month: 'short' })} at ${time}${timeZone === 'UTC' ? ' UTC' : ''}`
}
