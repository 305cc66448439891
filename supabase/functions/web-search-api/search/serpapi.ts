import { googleWords } from './google-words.ts'
import type { SearchProvider } from './search-provider.ts'

/** https://serpapi.com/search-api: an empty result is an `error` in a successful answer. */
export const serpapi: SearchProvider = {
  id: 'serpapi',
  name: 'SerpAPI',
  engine: 'Google',
  keysFrom: 'serpapi.com',
  keysAt: 'https://serpapi.com/manage-api-key',
  host: 'https://serpapi.com',
  endpoints: {
    web: { method: 'GET', path: '/search.json', fixed: { engine: 'google', output: 'json' } },
    news: { method: 'GET', path: '/search.json', fixed: { engine: 'google', output: 'json', tbm: 'nws' } },
  },
  key: { parameter: 'api_key' },
  names: { query: 'q', count: 'num' },
  narrow: googleWords,
  read(kind, { organic_results, news_results, error, search_metadata }) {
    const results = kind === 'news' ? news_results : organic_results
    if (Array.isArray(results)) return results
    if (typeof error === 'string') return noResults.test(error) ? [] : undefined
    return search_metadata === undefined ? undefined : []
  },
  members: { url: 'link', snippet: 'snippet', source: 'source', published: ['date'] },
  failures: [[/run out of searches/i, 402]],
  documented: {
    sent: {
      web: { engine: 'google', output: 'json', q: 'tea', num: '5', gl: 'uk', hl: 'ja', tbs: 'qdr:w' },
      news: {
        engine: 'google',
        output: 'json',
        tbm: 'nws',
        q: 'tea',
        num: '5',
        gl: 'uk',
        hl: 'ja',
        tbs: 'qdr:w',
      },
    },
    results: (kind, q, pages) => ({
      search_metadata: { id: 'simulated', status: 'Success' },
      search_parameters: { engine: 'google', q },
      search_information: { organic_results_state: 'Results for exact spelling' },
      [kind === 'news' ? 'news_results' : 'organic_results']: pages.map(
        ({ url, source, ...page }, index) => ({
          ...page,
          link: url,
          source: kind === 'news' ? source : undefined,
          position: index + 1,
        }),
      ),
    }),
    nothing: {
      search_metadata: { status: 'Success' },
      error: "Google hasn't returned any results for this query.",
    },
    failures: {
      bad_key: [
        401,
        { error: 'Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key' },
      ],
      no_query: [400, { error: 'Missing query `q` parameter.' }],
      quota: [429, { error: 'Your account has run out of searches.' }],
      rate_limit: [
        429,
        { error: 'Too many concurrent requests. Please try again later.' },
        { 'retry-after': '1' },
      ],
      forbidden: [403, { error: 'Your account has been deactivated. Please contact support.' }],
      bad_parameter: [400, { error: 'Unsupported `xx` country - gl parameter.' }],
      broken: [500, { error: 'Internal error.' }],
    },
  },
}

const noResults = /hasn't returned any results/i
