import type {
  DocumentedFailure,
  SearchProvider,
} from '../../supabase/functions/web-search-api/search/search-provider.ts'

/** What stands before a provider fails like this. `silent`: it never answers; `cut`: the answer ends in the middle; `foreign`: JSON that is not the provider's. */
type FailureBefore = 'away' | 'proxy' | 'empty' | 'silent' | 'cut' | 'foreign'

/** How a search provider fails, or finds nothing. */
export type SearchFault = DocumentedFailure | FailureBefore | 'no_results'

type Answer = [status: number, body: object | string, headers?: Record<string, string>]

/** The same of whatever stands before them. */
const before: Record<Exclude<FailureBefore, 'silent'>, Answer> = {
  away: [
    503,
    '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>',
    { 'retry-after': '1' },
  ],
  proxy: [200, '<html><body>Please sign in to the hotel wireless network.</body></html>'],
  empty: [200, ''],
  cut: [200, '{"organic": [{"title": "Half a '],
  foreign: [200, { message: 'Welcome' }],
}

/** The answer of a provider that fails like this. */
export async function searchFault({ documented }: SearchProvider, fault: SearchFault): Promise<Response> {
  if (fault === 'silent') return await new Promise<Response>(() => {})
  const answers: Record<Exclude<SearchFault, 'silent'>, Answer> = {
    ...before,
    ...documented.failures,
    no_results: [200, documented.nothing],
  }
  const [status, body, headers = {}] = answers[fault]
  return typeof body === 'string'
    ? new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
    : Response.json(body, { status, headers })
}
