import { type MainText, mainText } from './main-text.ts'
import type { ParseTime } from './parse-time.ts'
import { scanPage } from './scan-page.ts'

/** The content of a page. */
export interface Article extends MainText {
  title: string
  /** False if the page is too large to be read to its end. */
  isWhole: boolean
}

/** The text of a page, as a visitor sees it. Throws OutOfTime. */
export function readArticle(html: string, time: ParseTime): Article {
  const scanned = scanPage(html, time)
  const { title, isWhole } = scanned
  return { title, isWhole, ...time.spend(() => mainText(scanned)) }
}
