import type { SimulatedProvider } from './search.ts'

/** How a search provider fails. `silent`: it never answers; `cut`: the answer ends in the middle. */
export type SearchFault =
  | 'bad_key'
  | 'no_query'
  | 'quota'
  | 'rate_limit'
  | 'forbidden'
  | 'bad_parameter'
  | 'broken'
  | 'away'
  | 'proxy'
  | 'empty'
  | 'no_results'
  | 'silent'
  | 'cut'

type Answer = [status: number, body: object | string, headers?: Record<string, string>]

const braveError = (status: number, code: string, detail: string, meta: object = {}): Answer => [
  status,
  {
    type: 'ErrorResponse',
    error: { id: '6d2b7b6f-2f0f-4b53-a6f0-3f4cbe2f2a55', status, code, detail, meta },
    time: 1_763_800_000,
  },
]

/** The documented bodies, word for word. */
const documented: Record<SimulatedProvider, Partial<Record<SearchFault, Answer>>> = {
  serper: {
    bad_key: [403, { message: 'Unauthorized.', statusCode: 403 }],
    no_query: [400, { message: 'Missing query parameter', statusCode: 400 }],
    quota: [400, { message: 'Not enough credits', statusCode: 400 }],
    rate_limit: [429, { message: 'Rate limit exceeded', statusCode: 429 }, { 'retry-after': '1' }],
    forbidden: [400, { message: 'Query not allowed for free accounts.', statusCode: 400 }],
    bad_parameter: [400, { message: 'Invalid value for parameter `gl`', statusCode: 400 }],
    broken: [500, { message: 'Internal server error', statusCode: 500 }],
    no_results: [200, { searchParameters: { q: 'x' }, organic: [], credits: 1 }],
  },
  serpapi: {
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
    no_results: [
      200,
      {
        search_metadata: { status: 'Success' },
        error: "Google hasn't returned any results for this query.",
      },
    ],
  },
  brave: {
    bad_key: braveError(422, 'SUBSCRIPTION_TOKEN_INVALID', 'The provided subscription token is invalid.', {
      component: 'authentication',
    }),
    no_query: braveError(422, 'VALIDATION', 'Unable to validate request parameter(s)', {
      errors: [{ type: 'missing', loc: ['query', 'q'], msg: 'Field required', input: null }],
    }),
    quota: braveError(429, 'QUOTA_LIMITED', 'Request quota limit exceeded for plan.', {
      plan: 'Free',
      quota_limit: 2000,
      quota_current: 2000,
      component: 'rate_limiter',
    }),
    rate_limit: [
      ...(braveError(429, 'RATE_LIMITED', 'Request rate limit exceeded for plan.', {
        plan: 'Free',
        rate_limit: 1,
        rate_current: 1,
        quota_limit: 2000,
        quota_current: 155,
        component: 'rate_limiter',
      }).slice(0, 2) as [number, object]),
      {
        'x-ratelimit-limit': '1, 2000',
        'x-ratelimit-policy': '1;w=1, 2000;w=2592000',
        'x-ratelimit-remaining': '0, 1845',
        'x-ratelimit-reset': '1, 1419704',
      },
    ],
    forbidden: braveError(400, 'OPTION_NOT_IN_PLAN', 'The option is not in your plan.'),
    bad_parameter: braveError(422, 'VALIDATION', 'Unable to validate request parameter(s)', {
      errors: [
        { type: 'enum', loc: ['query', 'country'], msg: "Input should be 'ALL', 'DE' or 'US'", input: 'XX' },
      ],
    }),
    broken: braveError(500, 'INTERNAL', 'Internal Server Error'),
    no_results: [200, { type: 'search', query: { original: 'x' } }],
  },
}

/** The same of whatever stands before them. */
const ofEverybody: Partial<Record<SearchFault, Answer>> = {
  away: [
    503,
    '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>',
    { 'retry-after': '1' },
  ],
  proxy: [200, '<html><body>Please sign in to the hotel wireless network.</body></html>'],
  empty: [200, ''],
  cut: [200, '{"organic": [{"title": "Half a '],
}

/** The answer of a provider that fails like this. */
export async function searchFault(provider: SimulatedProvider, fault: SearchFault): Promise<Response> {
  if (fault === 'silent') return await new Promise<Response>(() => {})
  const answer = documented[provider][fault] ?? ofEverybody[fault]
  if (!answer) throw new Error(`${provider} has no failure "${fault}".`)
  const [status, body, headers = {}] = answer
  return typeof body === 'string'
    ? new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
    : Response.json(body, { status, headers })
}
