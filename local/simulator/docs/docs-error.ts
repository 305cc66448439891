/** An error response of Google's APIs. */
export class GoogleFailure extends Error {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`Google answers ${status}`)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

const codes: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** How the Docs API writes an error (google.rpc.Status; cloud.google.com/apis/design/errors). */
export function docsError(status: number, message: string, details?: object[]): GoogleFailure {
  const error = { code: status, message, status: codes[status], details }
  return new GoogleFailure(status, { error })
}

/** How the Drive API writes one (developers.google.com/workspace/drive/api/guides/handle-errors). */
export function driveError(
  status: number,
  reason: string,
  message: string,
  more: { domain?: string; location?: string; locationType?: string; details?: object[] } = {},
): GoogleFailure {
  const { details, domain = 'global', ...place } = more
  const errors = [{ message, domain, reason, ...place }]
  return new GoogleFailure(status, {
    error: { code: status, message, errors, ...(details ? { status: codes[status], details } : {}) },
  })
}

/** google.rpc.ErrorInfo. */
export function errorInfo(reason: string, metadata: Record<string, string>): object {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata }
}

/** The access token is missing, expired or invalid. */
export function unauthenticated(): GoogleFailure {
  const message =
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'
  const errors = [
    {
      message: 'Invalid Credentials',
      domain: 'global',
      reason: 'authError',
      location: 'Authorization',
      locationType: 'header',
    },
  ]
  return new GoogleFailure(
    401,
    { error: { code: 401, message, errors, status: 'UNAUTHENTICATED' } },
    { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  )
}

/** The token lacks the scopes that this method needs. */
export function scopeInsufficient(service: string): GoogleFailure {
  const message = 'Request had insufficient authentication scopes.'
  const errors = [{ message: 'Insufficient Permission', domain: 'global', reason: 'insufficientPermissions' }]
  const details = [errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT', { service })]
  return new GoogleFailure(403, {
    error: { code: 403, message, errors, status: 'PERMISSION_DENIED', details },
  })
}

/** The file does not exist or this app may not see it: with `drive.file` both look the same. */
export function fileNotFound(id: string): GoogleFailure {
  return driveError(404, 'notFound', `File not found: ${id}.`, {
    location: 'fileId',
    locationType: 'parameter',
  })
}
