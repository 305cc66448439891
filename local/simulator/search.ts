import { searchProviders } from '../../supabase/functions/web-search-api/search/providers.ts'
import type {
  DocumentedPage,
  SearchKind,
  SearchProvider,
} from '../../supabase/functions/web-search-api/search/search-provider.ts'
import { type SearchFault, searchFault } from './search-faults.ts'
import { makeResults, simulatedPage } from './search-results.ts'

/** A request that one of the providers received. */
export interface SearchRequest {
  provider: string
  kind: SearchKind
  /** `''` where none was sent. */
  key: string
  /** The parameters of the query or the body, by the provider's names: a number in a body is a number. */
  parameters: Record<string, unknown>
}

/** Stands for every search provider, each below its id. */
export interface SearchSimulator {
  requests: SearchRequest[]
  /** Plans failures for the next requests to a provider, after which it works again; `always`: for all requests. */
  fail(provider: string, fault: SearchFault, times?: number | 'always'): void
  /** Sets the results of every search from now on; by default they are made up from the query. */
  use(results: DocumentedPage[] | undefined): void
  /**
   * Answers a request below `/serper` and the like, and for the pages that are found, below `/pages`,
   * whatever stands before these; undefined for any other place.
   */
  answer(request: Request): Promise<Response | undefined>
}

/** A key that contains this text is refused as invalid; any other key works. */
const wrongKey = /wrong|expired|invalid/

/**
 * Answers as the providers document it: paths, parameters, where the key stands, results and the bodies of their
 * failures. `pages` is where the pages that it finds can be read, like
 * `http://127.0.0.1:54321/simulator/pages`; without it they are nowhere.
 */
export function createSearchSimulator({ pages }: { pages?: string } = {}): SearchSimulator {
  const requests: SearchRequest[] = []
  const faults = new Map<string, { fault: SearchFault; left: number }>()
  let results: DocumentedPage[] | undefined

  function nextFault(provider: string): SearchFault | undefined {
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
      const { provider, asked } = read
      const { key, parameters, kind } = asked
      requests.push(asked)
      const fault = key === '' || wrongKey.test(key) ? 'bad_key' : nextFault(provider.id)
      if (fault) return await searchFault(provider, fault)
      const query = textOf(parameters[provider.names.query] ?? '')
      if (query === '') return await searchFault(provider, 'no_query')
      const count = Number(parameters[provider.names.count] ?? 10)
      const found = (results ?? makeResults(query, kind, pages)).slice(0, count)
      return Response.json(provider.documented.results(kind, query, found))
    },
  }
}

/** The provider that a request is for, and what it asks; undefined for a path of no provider. */
async function readRequest(
  request: Request,
): Promise<{ provider: SearchProvider; asked: SearchRequest } | undefined> {
  const { pathname, searchParams } = new URL(request.url)
  for (const provider of searchProviders) {
    const start = pathname.indexOf(`/${provider.id}/`)
    if (start < 0) continue
    const path = pathname.slice(start + provider.id.length + 1)
    const sent =
      request.method === 'GET' ? Object.fromEntries(searchParams) : await request.json().catch(() => ({}))
    // The news first: where both have one path, what is fixed in a search for news tells them apart.
    const kind = (['news', 'web'] as const).find((one) => {
      const { method, path: documented, fixed = {} } = provider.endpoints[one]
      return method === request.method && path === documented && (one === 'web' || matches(sent, fixed))
    })
    if (kind)
      return { provider, asked: { provider: provider.id, kind, ...readParameters(provider, request, sent) } }
  }
  return undefined
}

function matches(sent: Record<string, unknown>, fixed: Record<string, unknown>): boolean {
  return Object.entries(fixed).every(([name, value]) => textOf(sent[name]) === textOf(value))
}

function readParameters({ key }: SearchProvider, request: Request, sent: Record<string, unknown>) {
  if ('header' in key) {
    const header = request.headers.get(key.header) ?? ''
    const { before = '' } = key
    return { key: header.startsWith(before) ? header.slice(before.length) : '', parameters: sent }
  }
  const { [key.parameter]: given = '', ...rest } = sent
  return { key: textOf(given), parameters: rest }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
