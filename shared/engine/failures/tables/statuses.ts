import type { Verdict } from './verdict.ts'

/** What an HTTP status alone means. Others: 4xx is a bad value, 5xx a server that is down. */
const verdicts: Readonly<Record<number, Verdict>> = {
  401: { type: 'authentication_error' },
  402: { type: 'quota_exceeded' },
  403: { type: 'permission_denied' },
  404: { type: 'not_found' },
  405: { type: 'execution_error' },
  407: { type: 'not_configured', resolver: 'nobody' },
  408: { type: 'timeout' },
  409: { type: 'conflict' },
  410: { type: 'not_found' },
  412: { type: 'conflict' },
  420: { type: 'rate_limit_exceeded' },
  421: { type: 'unavailable' },
  423: { type: 'conflict' },
  424: { type: 'unavailable' },
  425: { type: 'unavailable' },
  428: { type: 'conflict' },
  429: { type: 'rate_limit_exceeded' },
  // Tavily: the plan's limit, the pay-as-you-go limit.
  432: { type: 'quota_exceeded' },
  433: { type: 'quota_exceeded' },
  // Microsoft, nginx: the token has expired; the client went away.
  440: { type: 'authentication_error' },
  451: { type: 'permission_denied' },
  498: { type: 'authentication_error' },
  499: { type: 'cancelled' },
  501: { type: 'execution_error' },
  504: { type: 'timeout' },
  505: { type: 'execution_error' },
  507: { type: 'quota_exceeded' },
  509: { type: 'quota_exceeded' },
  // Cloudflare: no connection in time, no answer in time.
  522: { type: 'timeout' },
  524: { type: 'timeout' },
  598: { type: 'timeout' },
  599: { type: 'timeout' },
}

/** Whether a status says what went wrong, or only that the caller did something wrong. */
export function isVague(status: number): boolean {
  return status < 500 && verdicts[status] === undefined
}

export function verdictOfStatus(status: number): Verdict {
  return verdicts[status] ?? (status >= 500 ? { type: 'unavailable' } : { type: 'invalid_value' })
}
