import type { DocumentedAnswer, Search, SearchProvider } from './search-provider.ts'

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

/** https://api-dashboard.search.brave.com/documentation */
export const brave: SearchProvider = {
  id: 'brave',
  name: 'Brave',
  engine: 'Brave',
  keysFrom: 'api.search.brave.com',
  keysAt: 'https://api-dashboard.search.brave.com/app/keys',
  host: 'https://api.search.brave.com',
  endpoints: {
    web: {
      method: 'GET',
      path: '/res/v1/web/search',
      fixed: { text_decorations: 'false', result_filter: 'web' },
    },
    news: { method: 'GET', path: '/res/v1/news/search' },
  },
  key: { header: 'x-subscription-token', before: '' },
  names: { query: 'q', count: 'count' },
  narrow: braveWords,
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
  documented: {
    sent: {
      web: {
        q: 'tea',
        count: '5',
        country: 'GB',
        search_lang: 'jp',
        freshness: 'pw',
        text_decorations: 'false',
        result_filter: 'web',
      },
      news: { q: 'tea', count: '5', country: 'GB', search_lang: 'jp', freshness: 'pw' },
    },
    results(kind, original, pages) {
      const results = pages.map(({ title, url, snippet, source, date }) => ({
        title,
        url,
        description: snippet,
        age: date,
        page_age: '2026-11-20T08:00:00',
        meta_url: { scheme: 'https', netloc: source, hostname: source, path: '/' },
      }))
      const query = { original, spellcheck_off: false }
      return kind === 'news'
        ? { type: 'news', query, results }
        : { type: 'search', query, mixed: { type: 'mixed' }, web: { type: 'search', results } }
    },
    nothing: { type: 'search', query: { original: 'x' } },
    failures: {
      bad_key: failure(422, 'SUBSCRIPTION_TOKEN_INVALID', 'The provided subscription token is invalid.', {
        component: 'authentication',
      }),
      no_query: failure(422, 'VALIDATION', 'Unable to validate request parameter(s)', {
        errors: [{ type: 'missing', loc: ['query', 'q'], msg: 'Field required', input: null }],
      }),
      quota: failure(429, 'QUOTA_LIMITED', 'Request quota limit exceeded for plan.', {
        plan: 'Free',
        quota_limit: 2000,
        quota_current: 2000,
        component: 'rate_limiter',
      }),
      rate_limit: failure(
        429,
        'RATE_LIMITED',
        'Request rate limit exceeded for plan.',
        {
          plan: 'Free',
          rate_limit: 1,
          rate_current: 1,
          quota_limit: 2000,
          quota_current: 155,
          component: 'rate_limiter',
        },
        {
          'x-ratelimit-limit': '1, 2000',
          'x-ratelimit-policy': '1;w=1, 2000;w=2592000',
          'x-ratelimit-remaining': '0, 1845',
          'x-ratelimit-reset': '1, 1419704',
        },
      ),
      forbidden: failure(400, 'OPTION_NOT_IN_PLAN', 'The option is not in your plan.'),
      bad_parameter: failure(422, 'VALIDATION', 'Unable to validate request parameter(s)', {
        errors: [
          {
            type: 'enum',
            loc: ['query', 'country'],
            msg: "Input should be 'ALL', 'DE' or 'US'",
            input: 'XX',
          },
        ],
      }),
      broken: failure(500, 'INTERNAL', 'Internal Server Error'),
    },
  },
}

function failure(
  status: number,
  code: string,
  detail: string,
  meta: object = {},
  headers: Record<string, string> = {},
): DocumentedAnswer {
  const error = { id: '6d2b7b6f-2f0f-4b53-a6f0-3f4cbe2f2a55', status, code, detail, meta }
  return [status, { type: 'ErrorResponse', error, time: 1_763_800_000 }, headers]
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
