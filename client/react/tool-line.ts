import { withoutHidden } from '../hidden-marks.ts'
import { asObject } from '../json-object.ts'
import { shorten, showValue, withoutMark } from '../sentence.ts'
import { type CallView, listChanges } from './call-view.ts'
import { countFailed, hasFailed } from './failed-parts.ts'
import { describeRepairs } from './repair-words.ts'
import type { ToolNames } from './tool-names.tsx'

/** Characters of a value, and of what was asked, in a line. */
const longestValue = 60
const longestQuestion = 120

const stateWords: Record<CallView['state'], string> = {
  running: 'working',
  done: 'done',
  failed: 'did not work',
  asks: 'waits for you',
  denied: 'You denied this',
  waiting: 'waits',
  over: 'not done',
}

/** One call in one line. */
export function describeCall({ state, errorText, repairs, summary, output }: CallView): string {
  if ((state === 'failed' || state === 'over') && errorText) return withoutMark(errorText)
  const words = state === 'done' ? describeDone(summary, output) : stateWords[state]
  const count = describeRepairs(repairs).length
  if (count === 0) return words
  return `${words}, ${count === 1 ? 'one thing' : `${count} things`} repaired`
}

/** What it did, and what of it did not work. */
function describeDone(summary: string | undefined, output: unknown): string {
  const { failed, total } = countFailed(output)
  const { warning } = asObject(output)
  const done = summary && withoutHidden(summary)
  const problem = failed > 0 && (failed === total ? stateWords.failed : `${failed} of ${total} failed`)
  const words = [done, problem, typeof warning === 'string' && withoutMark(warning)]
  return words.filter(Boolean).join(' · ') || stateWords.done
}

/** Calls of one tool in one line. */
export function describeRun(calls: readonly CallView[]): string {
  const failed = calls.filter(({ state }) => state !== 'done').length
  const partly = calls.filter(({ state, output }) => state === 'done' && hasFailed(output)).length
  const words = [
    `${calls.length - failed - partly} done`,
    partly > 0 && `${partly} in part`,
    failed > 0 && `${failed} failed`,
  ]
  return words.filter(Boolean).join(' · ')
}

/** A call that was corrected: what it did; else what was asked about the first attempt, and what is different now. */
export function describeCorrection(attempts: readonly CallView[], names: ToolNames): string {
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (!first || !last) return ''
  if (last.state === 'over') return describeCall(last)
  if (last.state !== 'done') return stateWords[last.state]
  if (last.summary !== undefined) return describeDone(last.summary, last.output)
  const asked = shorten(inOneLine(withoutMark(first.errorText ?? '')), longestQuestion)
  const changes = listChanges(first.input, last.input).map(
    ({ name, after }) =>
      `${names.parameter(last.toolName, name)}: ${shorten(inOneLine(withoutHidden(showValue(after))), longestValue)}`,
  )
  return [asked && `“${asked}”`, changes.join(', ')].filter(Boolean).join(' → ')
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
