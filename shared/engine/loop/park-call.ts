import type { ToolError } from '../core/tool-error.ts'
import { questionForPeople } from '../wording/question-for-people.ts'
import type { Intent } from './intent.ts'
import type { RoundCall } from './round-call.ts'
import type { ParkedCall } from './run.ts'

/** A prepared call that waits as it is. */
export function parkCall(
  type: ParkedCall['type'],
  call: RoundCall,
  question: string,
  more: Pick<ParkedCall, 'approves' | 'uncertain' | 'href' | 'resumeAt'> = {},
): ParkedCall {
  return {
    type,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    question,
    args: call.args ?? {},
    open: [],
    repairs: call.repairs,
    attempt: call.attempt,
    intent: call.intentNumber,
    repetition: call.repetition,
    ...more,
  }
}

/** A write that an earlier run of this turn carried out: the user decides about one more. */
export function parkRepetition(call: RoundCall, repetition: number): ParkedCall {
  const question = `Question: ${call.toolName} already ran for this message. Should it run again?`
  return parkCall('approval', { ...call, repetition }, question)
}

/** The failed call of an intent as a form: what is known, and the places a person has to fill. */
export function parkForInput(intent: Intent, error: ToolError): ParkedCall {
  const { correction } = error.details
  return {
    type: 'input',
    toolCallId: intent.toolCallId,
    toolName: correction?.name ?? intent.tool,
    question: questionForPeople(error),
    args: correction?.arguments ?? {},
    open: correction?.open ?? [],
    repairs: [],
    attempt: intent.attempts,
    intent: intent.number,
    repetition: 0,
  }
}
