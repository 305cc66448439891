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

/** Everything about one provider: how it is shown, its requests and answers, and what it answers when simulated. */
export interface SearchProvider {
  /** Like `serper`. The setting for another host is made of it: `SERPER_API_BASE_URL`. */
  id: string
  name: string
  /** What it searches with: "Google". */
  engine: string
  /** Where people get a key: "serper.dev". */
  keysFrom: string
  /** The page of their account with it. */
  keysAt: `https://${string}`
  host: `https://${string}`
  /**
   * The parameters of a GET go into the URL, those of a POST into a JSON body. `fixed`: parameters that every such search
   * has. They also tell the simulator a search for news from one for web pages, where both have the same path.
   */
  endpoints: Record<
    SearchKind,
    { method: 'GET' | 'POST'; path: `/${string}`; fixed?: Record<string, unknown> }
  >
  /** Where the key goes; `before`: what precedes it there, such as `Bearer `, or nothing. */
  key: { header: string; before: string } | { parameter: string }
  /** Its names for the search words and the number of results. */
  names: { query: string; count: string }
  /** Country, language and time in its own terms; what it does not support in such a search is left out. */
  narrow(search: Search, kind: SearchKind): Record<string, unknown>
  /** The results of a successful answer, in order; undefined if it is not a valid answer. */
  read(kind: SearchKind, body: Record<string, unknown>): unknown[] | undefined
  /**
   * Names of the members of one result; its title is always `title`. Without one for the source, it is the host of the
   * page. News needs at least one name for `published`.
   */
  members: { url: string; snippet: string; source?: string; published: string[] }
  /** Failures whose HTTP status misleads: what their body contains, and the status they should have. */
  failures: readonly [words: RegExp, httpStatus: number][]
  /** Its answers as documented, for the simulator and the tests. */
  documented: {
    /**
     * What it is sent for 5 results about "tea", from Great Britain, in Japanese and of the past week, without the key. In
     * a URL every value is text.
     */
    sent: Record<SearchKind, Record<string, unknown>>
    results(kind: SearchKind, query: string, pages: readonly DocumentedPage[]): object
    /** A web search without results. */
    nothing: object
    /** Where its documentation is silent: what it is most likely to answer. */
    failures: Record<DocumentedFailure, DocumentedAnswer>
  }
}

export type DocumentedFailure =
  | 'bad_key'
  | 'no_query'
  | 'quota'
  | 'rate_limit'
  | 'forbidden'
  | 'bad_parameter'
  | 'broken'

export type DocumentedAnswer = [status: number, body: object, headers?: Record<string, string>]

/** A page for it to find. */
export interface DocumentedPage {
  title: string
  url: string
  /** May contain HTML. */
  snippet: string
  source: string
  date: string
}
