import type { SearchParameters } from './search-parameters.ts'

export type SearchKind = 'web' | 'news'

/** A search with every default filled in. */
export type Search = SearchParameters & { num_results: number }

/** One result, in the same form for every provider. */
export interface FoundPage {
  title: string
  url: string
  /** Plain text. */
  snippet: string
  /** The site or newspaper, as the provider names it. */
  source?: string
  /** In the provider's words: a date, or `2 hours ago`. */
  published?: string
}

/** A provider's request and answer formats. */
export interface SearchProvider {
  /** Without the base URL: `/search?q=…`. */
  request(kind: SearchKind, search: Search, key: string): { path: string; init: RequestInit }
  /** The results of a successful answer, in order; undefined if it is not a valid answer. */
  read(kind: SearchKind, body: Record<string, unknown>): unknown[] | undefined
  /** Names of the members of one result. */
  members: { url: string; snippet: string; source: string; published: string[] }
  /** Failures with an unusual HTTP status: words of the body, and the status they should have. */
  failures: readonly [words: RegExp, httpStatus: number][]
}
