import { googleWords } from './google-words.ts'
import type { SearchProvider } from './search-provider.ts'

/** serper.dev: POST `/search` and `/news` with the key in `X-API-KEY`. */
export const serper: SearchProvider = {
  request(kind, search, key) {
    return {
      path: kind === 'news' ? '/news' : '/search',
      init: {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
        body: new Blob([
          JSON.stringify({ q: search.query, num: search.num_results, ...googleWords(search) }),
        ]),
      },
    }
  },
  read(kind, { organic, news, searchParameters }) {
    const results = kind === 'news' ? news : organic
    if (Array.isArray(results)) return results
    return searchParameters === undefined ? undefined : []
  },
  members: { url: 'link', snippet: 'snippet', source: 'source', published: ['date'] },
  failures: [[/not enough credits/i, 402]],
}
