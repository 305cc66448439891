import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomUtils, parseDocument } from 'htmlparser2'
import { ParseTime } from '../../supabase/functions/web-search-api/reading/parse-time.ts'
import { readArticle } from '../../supabase/functions/web-search-api/reading/read-article.ts'

const { isTag, isText } = DomUtils
type Document = ReturnType<typeof parseDocument>
type ChildNode = Document['children'][number]
type Element = Extract<ChildNode, { attribs: object }>
type ParentNode = Document | Element

export interface MeasuredPage {
  name: string
  /** The share of the words of its main part that were read, from 0 to 1. */
  share: number
  /** Triples of words in its main part, and in what was read. */
  shown: number
  read: number
}

/** Reads each `source.html` in the folders of a folder, without network. */
export async function measurePages(folder: string): Promise<MeasuredPage[]> {
  const names = (await readdir(folder)).sort()
  const pages = await Promise.all(names.map((name) => measurePage(folder, name)))
  return pages.flatMap((page) => page ?? [])
}

async function measurePage(folder: string, name: string): Promise<MeasuredPage | undefined> {
  const html = await readFile(join(folder, name, 'source.html'), 'utf8').catch(() => undefined)
  if (html === undefined) return undefined
  const read = triplesOf(readArticle(html, new ParseTime()).text)
  const shown = triplesOf(visibleText(mainPartOf(parseDocument(html))))
  let found = 0
  for (const [triple, count] of shown) found += Math.min(count, read.get(triple) ?? 0)
  return { name, share: sum(shown) === 0 ? 1 : found / sum(shown), shown: sum(shown), read: sum(read) }
}

export function describePages(pages: readonly MeasuredPage[]): string {
  const total = (of: (page: MeasuredPage) => number) => pages.reduce((all, page) => all + of(page), 0)
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return [
    '| | measured | needed |',
    '|---|---|---|',
    `| pages | ${pages.length} | – |`,
    `| share of a page's main part that is read, on average | ${percent(meanOf(pages))} | >= 95 % |`,
    `| the same, of all words | ${percent(total(({ share, shown }) => share * shown) / total(({ shown }) => shown))} | – |`,
    `| pages of which less than half is read | ${pages.filter(({ share }) => share < 0.5).length} | – |`,
    `| words read for each 100 of the main parts | ${Math.round((total(({ read }) => read) * 100) / total(({ shown }) => shown))} | – |`,
  ].join('\n')
}

export function isRead(pages: readonly MeasuredPage[]): boolean {
  return pages.length > 0 && meanOf(pages) >= 0.95
}

function meanOf(pages: readonly MeasuredPage[]): number {
  return pages.reduce((all, { share }) => all + share, 0) / pages.length
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, count) => all + count, 0)
}

function triplesOf(text: string): Map<string, number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const counts = new Map<string, number>()
  for (let at = 0; at + 2 < words.length; at++) {
    const triple = words.slice(at, at + 3).join(' ')
    counts.set(triple, (counts.get(triple) ?? 0) + 1)
  }
  return counts
}

// Found in a tree and with other rules than those that are measured.

const unseen = new Set(
  'head title script style noscript template svg nav footer aside select textarea button iframe'.split(' '),
)

function mainPartOf(document: Document): ParentNode {
  const elements = elementsIn(document)
  const articles = elements.filter(({ name }) => name === 'article')
  return (
    elements.find(({ name, attribs }) => name === 'main' || attribs.role === 'main') ??
    (articles.length === 1 ? articles[0] : undefined) ??
    elements.find(({ name }) => name === 'body') ??
    document
  )
}

function elementsIn({ children }: ParentNode): Element[] {
  return children.flatMap((child) => (isTag(child) ? [child, ...elementsIn(child)] : []))
}

function visibleText({ children }: ParentNode): string {
  return children.map(textOf).join('')
}

function textOf(node: ChildNode): string {
  if (isText(node)) return node.data
  if (!isTag(node) || unseen.has(node.name) || isHidden(node)) return ''
  return inline.has(node.name) ? visibleText(node) : ` ${visibleText(node)} `
}

const inline = new Set('a b i em strong span sub sup small mark code font u abbr q cite'.split(' '))

function isHidden({ attribs }: Element): boolean {
  const isStyledAway = /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribs.style ?? '')
  return attribs.hidden !== undefined || attribs['aria-hidden'] === 'true' || isStyledAway
}
