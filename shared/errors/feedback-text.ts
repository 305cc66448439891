import { defaultResolver } from './tool-error.ts'

const lineOfFacts = new RegExp(
  `^[^\\n:]{1,200}(, attempt \\d+ of \\d+)?: (${Object.keys(defaultResolver).join('|')})\\b`,
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
  if (json === undefined) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
