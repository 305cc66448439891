import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { Labels } from '../../labels/en.ts'
import { asObject } from '../../values/json-object.ts'
import { shorten, showValue, withoutMark } from '../../values/sentence.ts'
import type { ToolNames } from '../labels/tool-names.tsx'
import { type CallView, listChanges } from './call-view.ts'
import { countFailed, hasFailed } from './failed-parts.ts'
import { describeRepairs } from './repair-words.ts'

/** Characters of a value, and of a question, in a line. */
const longestValue = 60
const longestQuestion = 120

const stateLabels = {
  running: 'callRunning',
  done: 'callDone',
  failed: 'callFailed',
  unknown: 'callUnknown',
  asks: 'callAsks',
  waiting: 'callWaits',
  over: 'callNotDone',
} as const satisfies Record<Exclude<CallView['state'], 'denied'>, keyof Labels>

/** One call in one line. */
export function describeCall(
  { state, errorText, repairs, summary, output, past }: CallView,
  labels: Labels,
): string {
  if ((state === 'failed' || state === 'over') && errorText) return withoutMark(errorText)
  const words =
    state === 'done' ? describeDone(summary, output, labels) : describeState({ state, past }, labels)
  const count = describeRepairs(repairs, labels).length
  return count === 0 ? words : `${words} · ${labels.thingsRepaired(count)}`
}

function describeState({ state, past }: Pick<CallView, 'state' | 'past'>, labels: Labels): string {
  return state === 'denied' ? labels.notDone(past) : labels[stateLabels[state]]
}

/** What was not done, without what was said beside the question: that may be what was done before. */
export function describeDenied(
  { statement, past }: Pick<CallView, 'statement' | 'past'>,
  labels: Labels,
): string {
  return statement === undefined ? labels.notDone(past) : labels.deniedCall(withoutHidden(statement), past)
}

/** What it did, and which part of it failed. */
function describeDone(summary: string | undefined, output: unknown, labels: Labels): string {
  const { failed, total } = countFailed(output)
  const { warning } = asObject(output)
  const done = summary && withoutHidden(summary)
  const problem = failed > 0 && (failed === total ? labels.callFailed : labels.partsFailed(failed, total))
  const words = [done, problem, typeof warning === 'string' && withoutMark(warning)]
  return words.filter(Boolean).join(' · ') || labels.callDone
}

/** Calls of one tool in one line. */
export function describeRun(calls: readonly CallView[], labels: Labels): string {
  const failed = calls.filter(({ state }) => state !== 'done').length
  const partly = calls.filter(({ state, output }) => state === 'done' && hasFailed(output)).length
  const words = [
    labels.callsDone(calls.length - failed - partly),
    partly > 0 && labels.callsPartlyDone(partly),
    failed > 0 && labels.callsFailed(failed),
  ]
  return words.filter(Boolean).join(' · ')
}

/** A corrected call: what it did, or else what was asked about the first attempt and what has changed since. */
export function describeCorrection(attempts: readonly CallView[], names: ToolNames, labels: Labels): string {
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (!first || !last) return ''
  if (last.state === 'over') return describeCall(last, labels)
  if (last.state !== 'done') return describeState(last, labels)
  if (last.summary !== undefined) return describeDone(last.summary, last.output, labels)
  const asked = shorten(inOneLine(withoutMark(first.errorText ?? '')), longestQuestion)
  const changes = listChanges(first.input, last.input)
    .map(
      ({ name, after }) =>
        `${names.parameter(last.toolName, name)}: ${shorten(inOneLine(withoutHidden(names.value(last.toolName, name, after) ?? showValue(after))), longestValue)}`,
    )
    .join(', ')
  if (asked === '') return changes
  return changes === '' ? labels.asked(asked) : labels.askedThenChanged(asked, changes)
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
