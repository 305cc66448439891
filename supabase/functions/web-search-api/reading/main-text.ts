import { isObject, readJsonText } from '../../../../shared/engine/core/json-value.ts'
import { withoutFillers } from '../../../../shared/integrations/email/visible-text.ts'
import type { PageLine, ScannedPage } from './scan-page.ts'

/** The text of a page, as a visitor sees it. */
export interface MainText {
  text: string
  /** Nearly nothing was found, and scripts or other documents in the page may show more. */
  isShell: boolean
  /** Where the page leads, if it has nothing else. */
  leadsTo?: string
}

/** Characters; less is taken for a page that only scripts fill. */
const shortest = 200
const shortestWithMore = 500
/** The share of a line, and the number of such lines in a row, that make a menu of it. */
const linkedShare = 0.8
const menuLength = 4
/** Characters of facts that are read instead of text. */
const longestFacts = 5_000
const deepestFact = 20
/** A name in a script, also as a selector. */
const quotedName = /(?<=["'`]#?)[\w:.-]{1,100}(?=["'`])/g
/** What React calls the parts of a page that it sends late, hidden, and moves to their place as soon as they are there. */
const streamed = /(?:^|[^A-Za-z])S:[\da-f]+$/

/**
 * Everything that a visitor sees, without what lies around it: menus, footers, banners. Where that is nearly nothing, what
 * the page has for such visitors: the rest of it, what a script reveals, what stands there for visitors without scripts,
 * its facts for programs, its description.
 */
export function mainText(page: ScannedPage): MainText {
  const own = page.lines.filter((line) => !line.isAround)
  const hasMain = sizeOf(own.filter(({ isMain }) => isMain)) >= shortest
  const withoutMenus = own.filter((_, index) => !isOfMenu(own, index, hasMain))
  // Where most of it would be missing, links are what the page is about.
  const shown = sizeOf(withoutMenus) * 2 < sizeOf(own) ? own : withoutMenus
  const seen = sizeOf(shown) >= shortest ? shown : page.lines
  const lines = [...seen, ...revealedIn(page, sizeOf(seen))]
  const { leadsTo } = page
  const fallbacks = [
    () => page.withoutScripts.map(({ text }) => text),
    () => factsOf(page.data),
    () => (leadsTo === undefined ? [] : [`This page has moved to ${leadsTo}`]),
    () => [page.description],
  ]
  const texts = lines.map(({ text }) => text)
  const isEmpty = lengthOf(texts) < shortest
  for (const more of fallbacks) {
    if (lengthOf(texts) >= shortest) break
    texts.push(...more())
  }
  return {
    text: withoutFillers(texts.join('\n')).trim(),
    isShell: page.hasMore && lengthOf(texts) < shortestWithMore,
    leadsTo: isEmpty && leadsTo !== undefined ? leadsTo : undefined,
  }
}

/** A line of nothing but links: outside of a page's main part, or among others of this kind. */
function isOfMenu(lines: readonly PageLine[], index: number, hasMain: boolean): boolean {
  const line = lines[index]
  if (!line || !isLinked(line) || line.isMain) return false
  if (hasMain) return true
  let [first, last] = [index, index]
  while (last - first + 1 < menuLength && isLinked(lines[last + 1])) last++
  while (last - first + 1 < menuLength && isLinked(lines[first - 1])) first--
  return last - first + 1 >= menuLength
}

function isLinked(line: PageLine | undefined): boolean {
  return line !== undefined && line.linked >= line.text.length * linkedShare
}

/**
 * What scripts of the page reveal by itself: parts that arrive late always; anything else only in place of a page that
 * shows less than that, since dialogs and menus are hidden, too. A script has to name the element, except a template, so
 * that what somebody else has hidden in the page stays hidden.
 */
function revealedIn({ held, scripts }: ScannedPage, seen: number): PageLine[] {
  if (held.length === 0) return []
  const named = new Set(scripts.match(quotedName))
  return held.flatMap(({ id, kind, lines }) => {
    const isLarger = sizeOf(lines) >= seen
    const isRevealed = kind === 'template' ? isLarger : named.has(id) && (isLarger || streamed.test(id))
    return isRevealed ? lines : []
  })
}

/** What JSON-LD says (schema.org), one fact for each line: `startDate: 2027-03-01`. */
function factsOf(data: readonly string[]): string[] {
  const facts: string[] = []
  const walk = (value: unknown, name: string, depth: number) => {
    if (depth > deepestFact) return
    if (Array.isArray(value)) for (const one of value) walk(one, name, depth + 1)
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) walk(one, key, depth + 1)
    else if (!name.startsWith('@') && value !== undefined && value !== null && value !== '')
      facts.push(`${name}: ${value}`)
  }
  for (const json of data) walk(readJsonText(json), 'value', 0)
  return [facts.join('\n').slice(0, longestFacts)]
}

function sizeOf(lines: readonly PageLine[]): number {
  return lengthOf(lines.map(({ text }) => text))
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}
