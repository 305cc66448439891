import type { Entry } from './entry.ts'

/** Whether a person has said in it what becomes of a call: then the call was not made unasked. */
export function isAnswerTo(entry: Entry, toolCallId: string): boolean {
  return entry.type === 'decision' && entry.toolCallId === toolCallId && isPersons(entry.decision)
}

/** Whether it is somebody's word about the call itself: not the clock's, nor a connection. */
export function isPersons(decision: Extract<Entry, { type: 'decision' }>['decision']): boolean {
  return decision !== 'time' && decision !== 'connect'
}
