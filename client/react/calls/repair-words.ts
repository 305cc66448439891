import type { Repair } from '../../api/message.ts'
import type { Labels } from '../../labels/en.ts'
import { capitalise } from '../../values/capitalise.ts'
import { labelOf } from '../../values/sentence.ts'

/** The repairs of a call, without repetition. `nameOf`: the label of the parameter at a path. */
export function describeRepairs(
  repairs: readonly Repair[],
  labels: Pick<Labels, 'repairs'>,
  nameOf: (path: string) => string = labelOf,
): string[] {
  const words: Partial<Record<string, string>> = labels.repairs
  const said = repairs.map(({ path, rule }) => {
    const what = words[rule] ?? rule.replace(/[-_]/g, ' ')
    return path ? `${nameOf(path)}: ${what}` : capitalise(what)
  })
  return [...new Set(said)]
}
