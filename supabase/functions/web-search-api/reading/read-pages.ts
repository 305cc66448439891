import { countCharacters, sliceCharacters } from '../../../../shared/engine/core/characters.ts'
import { timeouts } from '../../../../shared/engine/core/timeouts.ts'
import type { FreePlaces, ToolModelUse } from '../../../../shared/engine/core/tool-specification.ts'
import { upToGap } from '../../../../shared/engine/core/up-to-gap.ts'
import type { ModelClient } from '../../../../shared/engine/models/protocol/model-client.ts'
import { siteOf } from '../../../../shared/engine/provenance/web-site.ts'
import { describePart, type TextPart } from '../../../../shared/engine/tools/text-part.ts'
import { fetchPublicPage, type PublicPage } from '../../../../shared/integrations/network/public-fetch.ts'
import { RefusedPage } from '../../../../shared/integrations/network/refused-page.ts'
import { decodePage } from '../../../../shared/integrations/text/page-text.ts'
import { extractSummary, longestExtract } from './extract-summary.ts'
import { askForSummary, longestForModel, type SummaryRequest } from './model-summary.ts'
import { explainPageFailure } from './page-failure.ts'
import { OutOfTime, ParseTime } from './parse-time.ts'
import { type Article, readArticle } from './read-article.ts'
import { createRobots } from './robots.ts'

/** The result for one URL: a summary, or an error. */
export interface ReadPage {
  url: string
  title?: string
  summary?: string
  /** What of it was not read, and how to read on. */
  note?: string
  error?: string
}

export interface ReadingRequest extends SummaryRequest {
  /** Where to begin in each page, in characters. */
  from: number
}

export interface ReadingSettings {
  allowLoopback: boolean
  signal: AbortSignal
  /** Undefined if there is no model: sentences of the page are used. */
  model: ModelClient | undefined
  usedModel(use: ToolModelUse): void
  /** Where a page may redirect to besides its own site; nowhere if absent. */
  freePlaces?: FreePlaces | undefined
}

/** Reads pages in parallel, and summarizes each. Never rejects because of a page: each has its own result or error. */
export async function readPages(
  urls: readonly string[],
  request: ReadingRequest,
  settings: ReadingSettings,
): Promise<ReadPage[]> {
  const { allowLoopback } = settings
  const signal = AbortSignal.any([settings.signal, AbortSignal.timeout(timeouts.providerMs)])
  const time = new ParseTime()
  const mayFollow = followWithin(settings.freePlaces)
  const mayRead = createRobots({ allowLoopback, signal, mayFollow }, time)

  async function read(url: string): Promise<ReadPage> {
    try {
      const article = await fetchArticle(new URL(url))
      const about = { url, ...titled(article) }
      if (article.text === '') return { ...about, error: nothingToRead }
      const { from } = request
      const text = time.spend(() => sliceCharacters(article.text, from))
      const total = time.spend(() => countCharacters(article.text))
      if (text === '')
        return { ...about, note: `This page has ${total} characters: nothing follows from ${from} on.` }
      const { summary, characters } = await summarize({ ...article, text }, request, { ...settings, signal })
      const note = describeRest({ from, to: from + characters, total }, article)
      return { ...about, summary, note }
    } catch (cause) {
      settings.signal.throwIfAborted()
      if (cause instanceof OutOfTime) return { url, error: outOfTime }
      return { url, error: signal.aborted ? noTime : explainPageFailure(cause) }
    }
  }

  /** Follows a page that only leads on (`meta refresh`), as browsers do, like any other redirect. */
  async function fetchArticle(url: URL, hops = 0): Promise<Article> {
    const page = await fetchPublicPage(url.href, { allowLoopback, signal, mayRead, mayFollow })
    const article = parse(page, time)
    const next =
      article.leadsTo !== undefined && hops < mostHops ? linkFrom(page.url, article.leadsTo) : undefined
    if (!next || next.href === page.url.href) return article
    if (!mayFollow(next, page.url)) throw new RefusedPage('elsewhere', next.href)
    return await fetchArticle(next, hops + 1)
  }

  const reading = new Map([...new Set(urls)].map((url) => [url, read(url)]))
  return await Promise.all(urls.map((url) => reading.get(url) as Promise<ReadPage>))
}

/** Pages in a row that only lead on. */
const mostHops = 3

function linkFrom(page: URL, link: string): URL | undefined {
  return URL.canParse(link, page.href) ? new URL(link, page) : undefined
}

/** Follows redirects on the page's own site and to permitted places only: a redirect must not lead anywhere else unasked. */
function followWithin({ sites, addresses }: FreePlaces = { sites: [], addresses: [] }) {
  const free = new Set(addresses)
  return (to: URL, from: URL) => {
    const site = siteOf(to)
    return site === siteOf(from) || sites.includes(site) || free.has(to.href)
  }
}

const outOfTime =
  'This page was not read, because the others used all the time of this call. Please read it in a separate call.'
const noTime = 'This page was not read in time. Please read it in a separate call.'
const nothingToRead = 'This page has no readable text; it may need a browser.'
const littleToRead = 'Hardly any text was found in this page: it may need a browser to show the rest.'

/** What follows the part that was read, or is missing; undefined after the last one. */
function describeRest(part: TextPart, { isWhole, isShell }: Article): string | undefined {
  if (part.to < part.total) return describePart(part, 'from', 'read')
  if (isShell) return littleToRead
  return isWhole ? undefined : 'What follows in this page cannot be read: the page is too large.'
}

function titled({ title }: Article): { title?: string } {
  return title === '' ? {} : { title }
}

function parse({ bytes, contentType }: PublicPage, time: ParseTime): Article {
  const text = time.spend(() => decodePage(bytes, contentType))
  return /html/i.test(contentType)
    ? readArticle(text, time)
    : { title: '', text: text.trim(), isWhole: true, isShell: false }
}

/** What is read of a text at once. */
function beginningOf(text: string, characters: number): string {
  const read = sliceCharacters(text, 0, characters)
  return read.length < text.length ? upToGap(read) : read
}

/** A summary of the beginning of a text, and how many characters that is. If a model fails, the text is still read. */
async function summarize(
  { title, text }: Article,
  request: SummaryRequest,
  settings: ReadingSettings,
): Promise<{ summary: string; characters: number }> {
  const { model, signal, usedModel } = settings
  if (model) {
    try {
      const read = beginningOf(text, longestForModel)
      const { summary, use } = await askForSummary({ title, text: read }, request, model, signal)
      usedModel(use)
      if (summary) return { summary, characters: countCharacters(read) }
    } catch {
      // The sentences of the page are used.
    }
  }
  const read = beginningOf(text, longestExtract)
  const summary = extractSummary(read, request.keywords, request.length)
  return { summary, characters: countCharacters(read) }
}
