import { googleWords } from './google-words.ts'
import type { SearchProvider } from './search-provider.ts'

/** serpapi.com: GET `/search.json` with the key in the URL; an empty result is an `error` beside a success. */
export const serpapi: SearchProvider = {
  request(kind, search, key) {
    const words = new URLSearchParams({
      engine: 'google',
      ...(kind === 'news' ? { tbm: 'nws' } : {}),
      q: search.query,
      num: String(search.num_results),
      ...googleWords(search),
      output: 'json',
      api_key: key,
    })
    return { path: `/search.json?${words}`, init: {} }
  },
  read(kind, { organic_results, news_results, error }) {
    const results = kind === 'news' ? news_results : organic_results
    if (Array.isArray(results)) return results
    return typeof error === 'string' && !noResults.test(error) ? undefined : []
  },
  members: { url: 'link', snippet: 'snippet', source: 'source', published: ['date'] },
  failures: [[/run out of searches/i, 402]],
}

const noResults = /hasn't returned any results/i
