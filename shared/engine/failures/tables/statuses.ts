import type { ToolErrorType } from '../../core/tool-error.ts'
import type { Verdict } from './verdict.ts'

/** The meaning of an HTTP status alone. Others: 4xx is an invalid value, 5xx a server that is down. */
const statuses: Partial<Record<ToolErrorType, readonly number[]>> = {
  authentication_error: [401, 440, 498],
  quota_exceeded: [402, 432, 433, 507, 509],
  permission_denied: [403, 451],
  not_found: [404, 410],
  execution_error: [405, 501, 505],
  timeout: [408, 504, 522, 524, 598, 599],
  conflict: [409, 412, 423, 428],
  rate_limit_exceeded: [420, 429],
  unavailable: [421, 424, 425],
  cancelled: [499],
}

const verdicts = new Map<number, Verdict>()
for (const [type, list] of Object.entries(statuses) as [ToolErrorType, readonly number[]][]) {
  for (const status of list) verdicts.set(status, { type })
}
// A proxy in front of this server.
verdicts.set(407, { type: 'not_configured', resolver: 'nobody' })

/** Whether a status only says that the caller did something wrong, but not what. */
export function isVague(status: number): boolean {
  return status < 500 && !verdicts.has(status)
}

export function verdictOfStatus(status: number): Verdict {
  return verdicts.get(status) ?? (status >= 500 ? { type: 'unavailable' } : { type: 'invalid_value' })
}
