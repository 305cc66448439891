import { clipText } from '../../../shared/engine/core/clip-text.ts'
import { isObject } from '../../../shared/engine/core/json-value.ts'
import { type Change, type Compare, changesBetween, type Seen } from '../../../shared/engine/core/seen.ts'
import { sha256 } from '../../../shared/engine/core/sha256.ts'

/** Characters on both sides of a place. */
const around = 20
/** Characters of the text itself. */
const shown = 40

/**
 * Where a text stands, each place with 20 characters on both sides: what stands elsewhere in the document does not matter.
 *
 * @example
 * placesIn('Tea at ten.', 'ten') // => { places: ['Tea at ten.'] }
 */
export function placesIn(content: string, find: string): Seen {
  const places: string[] = []
  for (let at = content.indexOf(find); at >= 0; at = content.indexOf(find, at + find.length)) {
    // By characters: half of one could not be stored.
    const before = Array.from(content.slice(Math.max(0, at - 2 * around), at)).slice(-around)
    const end = at + find.length
    const after = Array.from(content.slice(end, end + 2 * around)).slice(0, around)
    places.push([...before, clipText(find, shown), ...after].join(''))
  }
  return { places }
}

/** The tab, the number of places, or else the first one that reads differently. */
export const comparePlaces: Compare = (seen, seenNow) => {
  const [before, now] = [seen.places, seenNow.places]
  const moved = changedTab(seen, seenNow)
  if (moved.length > 0 || !Array.isArray(before) || !Array.isArray(now)) return moved
  if (before.length !== now.length) return [{ what: 'places', before: before.length, now: now.length }]
  const index = before.findIndex((place, at) => place !== now[at])
  return index < 0 ? [] : [{ what: 'text', before: before[index], now: now[index] }]
}

/** The title of the document, or the tab at whose end text is added. */
export const compareEnd: Compare = (before, now) => [
  ...changesBetween({ title: before.title }, { title: now.title }),
  ...changedTab(before, now),
]

/** Another tab; a tab that only has another title is still the same. */
function changedTab({ tab: before }: Seen, { tab: now }: Seen): Change[] {
  const isOther = isObject(before) && isObject(now) && before.id !== now.id
  return isOther ? [{ what: 'tab', before: before.title, now: now.title }] : []
}

/** Paragraphs of a document that are compared. */
const mostParagraphs = 1000

/** A document as somebody who shares it knows it: its title, and which paragraphs stand in it. */
export async function seenWhole({ title, text }: { title: string; text: string }): Promise<Seen> {
  const paragraphs = text.split('\n').flatMap((line) => line.trim() || [])
  const hashes = await Promise.all(paragraphs.slice(0, mostParagraphs).map(sha256))
  return { title, paragraphs: hashes.map((hash) => hash.slice(0, 16)) }
}

/** Another title, or fewer than half of the paragraphs still there. */
export const compareWhole: Compare = (before, now) => {
  const renamed = changesBetween({ title: before.title }, { title: now.title })
  if (!Array.isArray(before.paragraphs) || !Array.isArray(now.paragraphs)) return renamed
  const there = new Set(now.paragraphs)
  const kept = before.paragraphs.filter((paragraph) => there.has(paragraph)).length
  const isRewritten = kept * 2 < before.paragraphs.length
  return isRewritten
    ? [...renamed, { what: 'paragraphs', before: before.paragraphs.length, now: kept }]
    : renamed
}
