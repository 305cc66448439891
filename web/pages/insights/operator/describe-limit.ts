import type { UsageLimit } from '../../../../client/api.ts'
import { labelOf } from '../../../../client/sentence.ts'
import { operatorWords } from './words.ts'

/** What a limit is about, in words: `Model calls of each user per hour`. */
export function describeLimit({ scope, measure, per, tool }: UsageLimit): string {
  const words = operatorWords()
  const measures: Record<string, string> = words.measures
  const spans: Record<string, string> = words.spans
  const what = measures[measure] ?? labelOf(measure)
  const span = per === null ? '' : (spans[per] ?? per)
  return [what, tool && `(${labelOf(tool)})`, words.scopes[scope], span].filter(Boolean).join(' ')
}
