import { googleWords } from './google-words.ts'
import type { SearchProvider } from './search-provider.ts'

/** https://serper.dev/playground */
export const serper: SearchProvider = {
  id: 'serper',
  name: 'Serper',
  engine: 'Google',
  keysFrom: 'serper.dev',
  keysAt: 'https://serper.dev/api-key',
  host: 'https://google.serper.dev',
  endpoints: { web: { method: 'POST', path: '/search' }, news: { method: 'POST', path: '/news' } },
  key: { header: 'x-api-key', before: '' },
  names: { query: 'q', count: 'num' },
  narrow: googleWords,
  read(kind, { organic, news, searchParameters }) {
    const results = kind === 'news' ? news : organic
    if (Array.isArray(results)) return results
    return searchParameters === undefined ? undefined : []
  },
  members: { url: 'link', snippet: 'snippet', source: 'source', published: ['date'] },
  failures: [[/not enough credits/i, 402]],
  documented: {
    sent: {
      web: { q: 'tea', num: 5, gl: 'uk', hl: 'ja', tbs: 'qdr:w' },
      news: { q: 'tea', num: 5, gl: 'uk', hl: 'ja', tbs: 'qdr:w' },
    },
    results: (kind, q, pages) => ({
      searchParameters: { q, type: kind === 'news' ? 'news' : 'search', engine: 'google' },
      [kind === 'news' ? 'news' : 'organic']: pages.map(({ url, source, ...page }, index) => ({
        ...page,
        link: url,
        source: kind === 'news' ? source : undefined,
        position: index + 1,
      })),
      credits: 1,
    }),
    nothing: { searchParameters: { q: 'x' }, organic: [], credits: 1 },
    failures: {
      bad_key: [403, { message: 'Unauthorized.', statusCode: 403 }],
      no_query: [400, { message: 'Missing query parameter', statusCode: 400 }],
      quota: [400, { message: 'Not enough credits', statusCode: 400 }],
      rate_limit: [429, { message: 'Rate limit exceeded', statusCode: 429 }, { 'retry-after': '1' }],
      forbidden: [400, { message: 'Query not allowed for free accounts.', statusCode: 400 }],
      bad_parameter: [400, { message: 'Invalid value for parameter `gl`', statusCode: 400 }],
      broken: [500, { message: 'Internal server error', statusCode: 500 }],
    },
  },
}
