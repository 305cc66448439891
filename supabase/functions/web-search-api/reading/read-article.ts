import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { ParseTime } from './parse-time.ts'
import { type ScannedPage, scanPage, tidy } from './scan-page.ts'

/** The content of a page. */
export interface Article {
  title: string
  text: string
  /** False if the page is too large to be read to its end. */
  isWhole: boolean
}

/** Beyond this, building a tree of the page would take too long: its bare text is used. */
const most = { elements: 8_000, nodes: 30_000, depth: 100 }
/** Milliseconds per element, twice what long articles take. */
const elementMs = 0.1
/** Characters; a shorter article means that the extraction went wrong. */
const shortest = 200

/** The main text of a page without its surroundings, or all of its text if that fails. Throws OutOfTime. */
export function readArticle(html: string, time: ParseTime): Article {
  const scanned = scanPage(html, time)
  const article = isReadable(scanned, time) ? time.spend(() => findArticle(html)) : undefined
  const text = article && article.text.length >= shortest ? article.text : scanned.text
  const { isWhole } = scanned
  return { title: article?.title || scanned.title, text: text || scanned.description, isWhole }
}

function isReadable({ isWhole, elements, nodes, depth }: ScannedPage, { leftMs }: ParseTime): boolean {
  const isSmall = isWhole && elements <= most.elements && nodes <= most.nodes && depth <= most.depth
  return isSmall && elements * elementMs < leftMs
}

function findArticle(html: string): Pick<Article, 'title' | 'text'> | undefined {
  try {
    // linkedom's document has what Readability uses; not every runtime has the browser types.
    const { document } = parseHTML(html) as unknown as { document: never }
    const article = new Readability(document, {
      maxElemsToParse: most.elements,
    }).parse()
    return article ? { title: tidy(article.title ?? ''), text: tidy(article.textContent ?? '') } : undefined
  } catch {
    // Readability was written for browser documents: if it fails, the page is read without it.
    return undefined
  }
}
