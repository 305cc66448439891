import { type SearchFault, searchFault } from './search-faults.ts'
import { makeResults, type SimulatedResult, simulatedPage } from './search-results.ts'

export type SimulatedProvider = 'serper' | 'serpapi' | 'brave'

/** A request as one of the providers got it. */
export interface SearchRequest {
  provider: SimulatedProvider
  kind: 'web' | 'news'
  /** `''` where none was sent. */
  key: string
  /** The parameters of the query or the body, by the provider's names. */
  parameters: Record<string, string>
}

/** Stands for the three search providers, each below a path of its own. */
export interface SearchSimulator {
  requests: SearchRequest[]
  /** What the next requests to a provider are answered with, then it works again; `always` for all of them. */
  fail(provider: SimulatedProvider, fault: SearchFault, times?: number | 'always'): void
  /** The results of every search from now on, instead of some that are made of the query. */
  use(results: SimulatedResult[] | undefined): void
  /**
   * Answers a request below `/serper`, `/serpapi` or `/brave`, and for the pages that are found, below `/pages`,
   * whatever stands before these; undefined for any other place.
   */
  answer(request: Request): Promise<Response | undefined>
}

/** A key with this text in it is refused, as a wrong one is; any other is good. */
const wrongKey = /wrong|expired|invalid/

/**
 * Answers as google.serper.dev, serpapi.com and api.search.brave.com document it: paths, parameters, where the key
 * stands, results and the bodies of their failures. `pages` is where the pages that it finds can be read, like
 * `http://127.0.0.1:54321/simulator/pages`; without it they are nowhere.
 */
export function createSearchSimulator({ pages }: { pages?: string } = {}): SearchSimulator {
  const requests: SearchRequest[] = []
  const faults = new Map<SimulatedProvider, { fault: SearchFault; left: number }>()
  let results: SimulatedResult[] | undefined

  function nextFault(provider: SimulatedProvider): SearchFault | undefined {
    const planned = faults.get(provider)
    if (!planned || planned.left <= 0) return undefined
    planned.left--
    return planned.fault
  }

  return {
    requests,
    fail(provider, fault, times = 1) {
      faults.set(provider, { fault, left: times === 'always' ? Number.POSITIVE_INFINITY : times })
    },
    use(next) {
      results = next
    },
    async answer(request) {
      const read = await readRequest(request)
      if (!read) return simulatedPage(request)
      requests.push(read)
      const { provider, key, parameters, kind } = read
      const fault = key === '' || wrongKey.test(key) ? 'bad_key' : nextFault(provider)
      if (fault) return await searchFault(provider, fault)
      const query = parameters.q ?? ''
      if (query === '') return await searchFault(provider, 'no_query')
      const count = Number(parameters.num ?? parameters.count ?? 10)
      return Response.json(
        wrap(provider, kind, query, (results ?? makeResults(query, kind, pages)).slice(0, count)),
      )
    },
  }
}

/** Which provider a request is for, and what it asks; undefined for a path that no provider has. */
async function readRequest(request: Request): Promise<SearchRequest | undefined> {
  const { pathname: whole, searchParams } = new URL(request.url)
  const start = whole.search(/\/(?:serper|serpapi|brave)\//)
  const pathname = start < 0 ? '' : whole.slice(start)
  const parameters = Object.fromEntries(searchParams)
  switch (`${request.method} ${pathname}`) {
    case 'POST /serper/search':
    case 'POST /serper/news': {
      const body = (await request.json().catch(() => ({}))) as Record<string, unknown>
      return {
        provider: 'serper',
        kind: pathname.endsWith('/news') ? 'news' : 'web',
        key: request.headers.get('x-api-key') ?? '',
        parameters: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
      }
    }
    case 'GET /serpapi/search.json':
    case 'GET /serpapi/search': {
      const { api_key: key = '', ...rest } = parameters
      return { provider: 'serpapi', kind: rest.tbm === 'nws' ? 'news' : 'web', key, parameters: rest }
    }
    case 'GET /brave/res/v1/web/search':
    case 'GET /brave/res/v1/news/search': {
      const key = request.headers.get('x-subscription-token') ?? ''
      return { provider: 'brave', kind: pathname.includes('/news/') ? 'news' : 'web', key, parameters }
    }
    default:
      return undefined
  }
}

/** Results in the words of the provider. */
function wrap(
  provider: SimulatedProvider,
  kind: SearchRequest['kind'],
  q: string,
  found: SimulatedResult[],
): object {
  if (provider === 'brave') {
    const results = found.map(({ title, url, snippet, source, date }) => ({
      title,
      url,
      description: snippet,
      age: date,
      page_age: '2026-11-20T08:00:00',
      meta_url: { scheme: 'https', netloc: source, hostname: source, path: '/' },
    }))
    const query = { original: q, spellcheck_off: false }
    return kind === 'news'
      ? { type: 'news', query, results }
      : { type: 'search', query, mixed: { type: 'mixed' }, web: { type: 'search', results } }
  }
  const results = found.map(({ title, url, snippet, source, date }, index) => ({
    title,
    link: url,
    snippet,
    ...(kind === 'news' ? { source } : {}),
    date,
    position: index + 1,
  }))
  if (provider === 'serper') {
    return {
      searchParameters: { q, type: kind === 'news' ? 'news' : 'search', engine: 'google' },
      [kind === 'news' ? 'news' : 'organic']: results,
      credits: 1,
    }
  }
  return {
    search_metadata: { id: 'simulated', status: 'Success' },
    search_parameters: { engine: 'google', q },
    search_information: { organic_results_state: 'Results for exact spelling' },
    [kind === 'news' ? 'news_results' : 'organic_results']: results,
  }
}
