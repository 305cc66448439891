import { readJsonText } from '../core/json-value.ts'
import { defaultResolver, type Resolver } from '../core/tool-error.ts'

/** What a model is told to do about an error that another call does not resolve. */
export const advice: Record<Resolver, string> = {
  model: 'Decide again.',
  time: 'It may work later. Do not call it again now; tell the user.',
  user: 'Only the user can resolve this. Do not call it again; tell the user.',
  nobody: 'Calling it again does not help; tell the user.',
}

const types = Object.keys(defaultResolver).join('|')
const lineOfFacts = new RegExp(
  `^[^\\n]{1,100}?(?:, attempt \\d+ of \\d+: (?:${types})\\b|: (?:${types})\\. (?:${Object.values(advice).join('|')})$)`,
  'm',
)

/** True for a tool message that `formatToolError` wrote: that call did not do what it was meant to do. */
export function isFeedback(text: string): boolean {
  return lineOfFacts.test(text)
}

const correctedCall = /^Call [^\n]*? like this[^\n:]*: (\{[^\n]*\})$/m

/** The corrected call inside a feedback text, as the model read it. */
export function readCorrectedCall(text: string): unknown {
  const json = isFeedback(text) ? correctedCall.exec(text)?.[1] : undefined
  return json === undefined ? undefined : readJsonText(json)
}
