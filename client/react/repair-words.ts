import type { Labels } from '../labels/en.ts'
import type { Repair } from '../message.ts'
import { capitalise, labelOf } from '../sentence.ts'

/** The repairs of a call, without repetition. */
export function describeRepairs(repairs: readonly Repair[], labels: Pick<Labels, 'repairs'>): string[] {
  const words: Partial<Record<string, string>> = labels.repairs
  const said = repairs.map(({ path, rule }) => {
    const what = words[rule] ?? rule.replace(/[-_]/g, ' ')
    return path ? `${labelOf(path)}: ${what}` : capitalise(what)
  })
  return [...new Set(said)]
}
