import { clipText } from '../core/clip-text.ts'
import type { PriorWrite, RunStart } from './entry.ts'

/**
 * What the model is told with the message that a run answers: the time, and what other runs have done for that message.
 * Here and not in the instructions, which stay the same, so that providers find the beginning of a request in their caches.
 *
 * @example
 * runLines({ type: 'run-start', runId: '…', now: '2026-11-28T09:54Z' }, undefined)
 * // => '(Not from the user: it is 2026-11-28T09:54Z.)'
 */
export function runLines({ now, priorWrites = [] }: RunStart, timeZone: string | undefined): string {
  const local = timeZone === undefined ? '' : localTime(now, timeZone)
  return `(Not from the user: ${[`it is ${now}${local}.`, ...describeWrites(priorWrites)].join('\n')})`
}

/** Characters that a model is shown of a call, and of its result. */
const longestValue = 4_000

/** What other runs of this turn did; empty if there was none. */
function describeWrites(writes: readonly PriorWrite[]): string[] {
  const ofThisTurn = writes.filter(({ isEarlier }) => !isEarlier)
  if (ofThisTurn.length === 0) return []
  const lines = ofThisTurn.map(({ toolName, arguments: args, status = 'succeeded', result }) => {
    const done = result === undefined ? '' : ` -> ${clipText(JSON.stringify(result), longestValue)}`
    const outcome = status === 'succeeded' ? done : ' (it is not known whether it succeeded)'
    return `- ${toolName} ${clipText(JSON.stringify(args), longestValue)}${outcome}`
  })
  return ['Already done for this message; do not repeat it unless the user wants it twice:', ...lines]
}

const localFields = {
  weekday: 'long',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

/** Each message of a conversation has its time, and making a formatter is slow. */
let last: { timeZone: string; format: Intl.DateTimeFormat } | undefined

/** The moment on the user's clock: models reckon badly from UTC. Empty if moment or zone is unknown here. */
function localTime(now: string, timeZone: string): string {
  try {
    if (last?.timeZone !== timeZone)
      last = { timeZone, format: new Intl.DateTimeFormat('en-GB', { ...localFields, timeZone }) }
    const { weekday, year, month, day, hour, minute } = Object.fromEntries(
      last.format.formatToParts(new Date(now)).map(({ type, value }) => [type, value]),
    )
    return `, for the user ${weekday}, ${year}-${month}-${day} ${hour}:${minute}, time zone ${timeZone}`
  } catch {
    return ''
  }
}
