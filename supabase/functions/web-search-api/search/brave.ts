import type { Search, SearchProvider } from './search-provider.ts'

/** Brave's names for a time range: "past day" and so on. */
const freshness = { day: 'pd', week: 'pw', month: 'pm', year: 'py' }

/** The countries that Brave can search from; any other is left out, which means all. */
const countries = new Set(
  'AR AU AT BE BR CA CL CN DE DK ES FI FR GB GR HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE CH TR TW US ZA'.split(
    ' ',
  ),
)
/** Languages whose codes at Brave differ from ISO 639. */
const languages: Record<string, string> = {
  ja: 'jp',
  zh: 'zh-hans',
  'zh-cn': 'zh-hans',
  'zh-tw': 'zh-hant',
  'zh-hk': 'zh-hant',
  pt: 'pt-pt',
  no: 'nb',
}

/** api.search.brave.com: GET `/res/v1/web/search` and `/res/v1/news/search` with the key in `X-Subscription-Token`. */
export const brave: SearchProvider = {
  request(kind, search, key) {
    const words = new URLSearchParams({
      q: search.query,
      count: String(search.num_results),
      ...braveWords(search),
      ...(kind === 'web' ? { text_decorations: 'false', result_filter: 'web' } : {}),
    })
    return {
      path: `/res/v1/${kind}/search?${words}`,
      init: { headers: { 'x-subscription-token': key, accept: 'application/json' } },
    }
  },
  read(kind, { type, web, results }) {
    if (kind === 'news') return Array.isArray(results) ? results : undefined
    const { results: found } = (web ?? {}) as { results?: unknown }
    if (Array.isArray(found)) return found
    return type === 'search' ? [] : undefined
  },
  members: { url: 'url', snippet: 'description', source: 'meta_url', published: ['page_age', 'age'] },
  failures: [
    [/SUBSCRIPTION_TOKEN_INVALID|SUBSCRIPTION_NOT_FOUND|x-subscription-token/, 401],
    [/OPTION_NOT_IN_PLAN|RESOURCE_NOT_ALLOWED/, 403],
    [/QUOTA_LIMITED/, 402],
  ],
}

function braveWords({ country, language, time_range }: Search): Record<string, string> {
  const place = country?.toUpperCase().replace('UK', 'GB')
  const lang = language?.toLowerCase()
  return {
    ...(place && countries.has(place) ? { country: place } : {}),
    ...(lang ? { search_lang: languages[lang] ?? lang } : {}),
    ...(time_range ? { freshness: freshness[time_range] } : {}),
  }
}
