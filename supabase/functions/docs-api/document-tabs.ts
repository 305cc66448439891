import { tabNotThere, tabUnclear } from './document-questions.ts'
import type { GoogleTab } from './google-document.ts'

/** What a tab is called: its title, with its id if another tab has the same title. */
export function tabName({ id, title }: GoogleTab, tabs: readonly GoogleTab[]): string {
  const isUnique = title !== '' && tabs.every((tab) => tab.title !== title || tab.id === id)
  return isUnique ? title : `${title} (${id})`.trim()
}

/**
 * The tab with an id or a title; upper and lower case count only if they tell tabs apart. Throws a question that names the
 * tabs if there is none, or more than one.
 *
 * @example
 * findTab([{ id: 't.0', title: 'Notes', content }], 'notes').id // => 't.0'
 */
export function findTab(tabs: readonly GoogleTab[], wanted: string): GoogleTab {
  const names = tabs.map((tab) => tabName(tab, tabs))
  const ways: ((tab: GoogleTab, index: number) => boolean)[] = [
    ({ id }, index) => id === wanted || names[index] === wanted,
    ({ title }) => title === wanted,
    ({ title }) => folded(title) === folded(wanted),
  ]
  for (const isMeant of ways) {
    const found = tabs.filter(isMeant)
    if (found.length > 1) throw tabUnclear({ tab: wanted }, namesOf(found, tabs))
    if (found[0]) return found[0]
  }
  throw tabNotThere(wanted, names)
}

export function namesOf(some: readonly GoogleTab[], tabs: readonly GoogleTab[]): string[] {
  return some.map((tab) => tabName(tab, tabs))
}

function folded(title: string): string {
  return title.normalize('NFKC').trim().toLowerCase()
}
