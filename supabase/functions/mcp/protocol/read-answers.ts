import { inputResponse } from './sdk.ts'
import type { Answer, Exchange } from './service.ts'

/** The answers of a client by their names, without what is none. */
export function readAnswers(given: Record<string, unknown> | undefined): Exchange['answers'] {
  if (given === undefined) return undefined
  const answers: Record<string, Answer> = {}
  for (const name of Object.keys(given)) {
    const answer = inputResponse(given, name)
    if (answer.kind !== 'missing') answers[name] = answer
  }
  return answers
}
