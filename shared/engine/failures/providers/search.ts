import type { CodeTable } from '../rules/verdict.ts'

/** Brave (`error.code`), Tavily and Serper (words and statuses 432, 433), SerpAPI (words), Bing. */
export const searchCodes: CodeTable = [
  [{ as: 429 }, 'RATE_LIMITED RateLimitExceeded'],
  [{ type: 'quota_exceeded' }, 'QUOTA_LIMITED QUOTA_EXCEEDED USAGE_LIMIT_EXCEEDED OPTION_NOT_IN_PLAN'],
  [
    { type: 'authentication_error' },
    'SUBSCRIPTION_TOKEN_INVALID SUBSCRIPTION_NOT_FOUND InvalidAuthorization AuthorizationMissing',
  ],
  [{ type: 'permission_denied' }, 'RESOURCE_NOT_ALLOWED InsufficientAuthorization'],
  [{ type: 'missing_parameter' }, 'ParameterMissing'],
  [{ as: 400 }, 'VALIDATION ParameterInvalidValue InvalidRequest'],
]
