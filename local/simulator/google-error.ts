/** An error as Google's APIs write it, with its HTTP status. */
export interface GoogleError {
  status: number
  body: {
    error: {
      code: number
      message: string
      status: string
      errors: { message: string; domain: string; reason: string; location?: string; locationType?: string }[]
      details?: { '@type': string; [member: string]: unknown }[]
    }
  }
  headers?: Record<string, string>
}

/** Thrown while serving a request. */
export class GoogleApiError extends Error {
  readonly error: GoogleError
  constructor(error: GoogleError) {
    super(error.body.error.message)
    this.error = error
  }
}

/** google.rpc.Code of an HTTP status. */
const statusNames: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  412: 'FAILED_PRECONDITION',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

function errorInfo(reason: string, metadata: Record<string, string>) {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata }
}

/** One error in Google's form. */
export function googleError(
  status: number,
  reason: string,
  message: string,
  more: {
    domain?: string
    details?: GoogleError['body']['error']['details']
    headers?: Record<string, string>
  } = {},
): GoogleError {
  const { domain = 'global', details, headers } = more
  return {
    status,
    headers,
    body: {
      error: {
        code: status,
        message,
        errors: [{ message, domain, reason }],
        status: statusNames[status] ?? 'UNKNOWN',
        details,
      },
    },
  }
}

const limits = 'usageLimits'

/**
 * Failures that a test or a person switches on, by the reason Google gives
 * (https://developers.google.com/workspace/gmail/api/guides/handle-errors and .../error-messages of each API).
 */
export const googleFailures: Record<string, (service: string) => GoogleError> = {
  authError: (service) => ({
    ...googleError(
      401,
      'authError',
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
      {
        details: [errorInfo('ACCESS_TOKEN_EXPIRED', { service })],
        headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
      },
    ),
  }),
  insufficientPermissions: (service) =>
    googleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', {
      details: [errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT', { service })],
      headers: {
        'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="insufficient_scope"',
      },
    }),
  accessNotConfigured: (service) =>
    googleError(
      403,
      'accessNotConfigured',
      `The API has not been used in project 407408718192 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/${service}/overview?project=407408718192 then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`,
      {
        domain: limits,
        details: [errorInfo('SERVICE_DISABLED', { service, consumer: 'projects/407408718192' })],
      },
    ),
  rateLimitExceeded: () => googleError(403, 'rateLimitExceeded', 'Rate Limit Exceeded', { domain: limits }),
  userRateLimitExceeded: () =>
    googleError(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', { domain: limits }),
  dailyLimitExceeded: () =>
    googleError(403, 'dailyLimitExceeded', 'Daily Limit Exceeded', { domain: limits }),
  domainPolicy: () => googleError(403, 'domainPolicy', 'The domain administrators have disabled Gmail apps.'),
  delegationDenied: () => googleError(403, 'forbidden', 'Delegation denied for ada@example.com'),
  tooManyRequests: () =>
    googleError(429, 'rateLimitExceeded', 'Too many concurrent requests for user', { domain: limits }),
  retryAfter: () =>
    googleError(429, 'userRateLimitExceeded', 'User-rate limit exceeded.  Retry later.', {
      domain: limits,
      headers: { 'retry-after': '7' },
    }),
  sendingLimit: () =>
    googleError(429, 'userRateLimitExceeded', 'User-rate limit exceeded (Mail sending)', { domain: limits }),
  failedPrecondition: () => googleError(400, 'failedPrecondition', 'Precondition check failed.'),
  badRequest: () => googleError(400, 'badRequest', 'Bad Request'),
  uploadTooLarge: () =>
    googleError(413, 'uploadTooLarge', 'Request payload size exceeds the limit: 36700160 bytes.'),
  backendError: () => googleError(500, 'backendError', 'Backend Error'),
  internalError: () => googleError(500, 'internalError', 'Internal error encountered.'),
  unavailable: () => googleError(503, 'backendError', 'The service is currently unavailable.'),
}

/** The requested item does not exist. */
export const notFound = () =>
  new GoogleApiError(googleError(404, 'notFound', 'Requested entity was not found.'))

/** The request holds something invalid. */
export const invalidArgument = (message: string) =>
  new GoogleApiError(googleError(400, 'invalidArgument', message))
