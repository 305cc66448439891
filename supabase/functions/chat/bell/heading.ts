import type { Language } from '../../../../shared/words/language.ts'
import { type OpenItemRow, showItem } from '../answer/open-item.ts'

/** The heading of an item's card: what is asked, with none of the call's other values. */
export function headingOf(item: OpenItemRow, language: Language): string {
  const shown = showItem(item, [item], language)[0]
  return shown?.confirm ?? shown?.asked ?? ''
}
