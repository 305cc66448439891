import type { SearchParameters } from './search-parameters.ts'

export type SearchKind = 'web' | 'news'

/** A search with every default filled in. */
export type Search = SearchParameters & { num_results: number }

/** One result, the same whichever provider found it. */
export interface FoundPage {
  title: string
  url: string
  /** Plain text. */
  snippet: string
  /** The site or newspaper, as the provider names it. */
  source?: string
  /** As the provider says it: a date, or `2 hours ago`. */
  published?: string
}

/** How one provider is asked, and how it answers. */
export interface SearchProvider {
  /** Without the base URL: `/search?q=…`. */
  request(kind: SearchKind, search: Search, key: string): { path: string; init: RequestInit }
  /** The results of a successful answer, in order; undefined when it is not such an answer. */
  read(kind: SearchKind, body: Record<string, unknown>): unknown[] | undefined
  /** Names of the members of one result. */
  members: { url: string; snippet: string; source: string; published: string[] }
  /** Failures for which it uses a status of HTTP as no other does: words of the body, and the status they deserve. */
  failures: readonly [words: RegExp, httpStatus: number][]
}
