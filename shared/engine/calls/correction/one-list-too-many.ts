import { canonicalJson } from '../../core/canonical-json.ts'
import { valueAt } from '../../core/json-path.ts'
import type { Fault } from '../../schema/find-faults.ts'
import { placeAt } from '../repair/argument-place.ts'
import { type Draft, openSlot } from './correction-draft.ts'

/**
 * A list with one item may be one list too many: `[[[1], [2]]]` for `[[1], [2]]`. If the item fits the place as it is, and is
 * not what the list was corrected to, there are two readings, and the place is open.
 */
export function openDoubtfulLists(
  draft: Draft,
  sent: Record<string, unknown>,
  faults: readonly Fault[],
): void {
  const { compiled, args } = draft
  for (const { kind, path } of faults) {
    if (kind === 'missing' || kind === 'undeclared') continue
    for (const [index, key] of path.entries()) {
      if (typeof key !== 'number') continue
      const list = placeAt(compiled.root, sent, path.slice(0, index))
      if (!Array.isArray(list.value) || list.value.length !== 1) continue
      const [item] = list.value
      const isSame = canonicalJson(valueAt(args, list.path)) === canonicalJson(item)
      if (!isSame && compiled.isValidFor(list.schema, item)) openSlot(draft, list)
    }
  }
}
