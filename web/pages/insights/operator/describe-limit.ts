import type { UsageLimit } from '../../../../client/api/types.ts'
import { labelOf } from '../../../../client/values/sentence.ts'
import { operatorWords } from './words.ts'

/** What a limit is about, in words: `Model calls per user per hour`, `Model cost of all users, in US dollars per day`. */
export function describeLimit({ scope, measure, per, tool }: UsageLimit): string {
  const words = operatorWords()
  const measures: Record<string, string> = words.measures
  const spans: Record<string, string> = words.spans
  const what = measures[measure] ?? labelOf(measure)
  const span = per === null ? '' : (spans[per] ?? per)
  const whose = words.scopes[scope] + (measure === 'cost_usd' ? `, ${words.inDollars}` : '')
  return [what, tool && `(${labelOf(tool)})`, whose, span].filter(Boolean).join(' ')
}
