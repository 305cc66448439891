import { askedInEnglish, sentenceOf, type Told } from '../core/asked.ts'

/** Why something was not done, as values of another sentence; with its words if the catalogue has none. */
export function whyValues(told: Told | undefined): Record<string, unknown> {
  if (told === undefined) return {}
  const { code, values, asked } = told
  return {
    why: code,
    ...(values ? { whyValues: values } : {}),
    ...(asked === undefined ? {} : { whyText: sentenceOf(askedInEnglish(told)) }),
  }
}
