import type { ToolError } from '../../engine/core/tool-error.ts'
import { networkCode } from '../../engine/failures/facts/network-code.ts'
import { type LogFacts, writeLog } from '../log/log-line.ts'

/** How a call ends whose service was not reached, or did not answer. */
const away: readonly string[] = ['unavailable', 'timeout', 'outcome_unknown']

const mostCauses = 5

/** Logs why a call did not reach its service: a status, a code or a name, and nothing that anybody wrote. */
export function logServiceAway(tool: string, { errorType }: ToolError, cause: unknown): void {
  if (!away.includes(errorType)) return
  const reason = reasonOf(cause)
  // The same may be tried several times in a row.
  const once = `service-away ${tool} ${Object.values(reason)}`
  writeLog('service-away', { tool, errorType, ...reason }, undefined, once)
}

function reasonOf(cause: unknown): LogFacts {
  const causes: Error[] = []
  for (let next = cause; next instanceof Error && causes.length < mostCauses; next = next.cause)
    causes.push(next)
  for (const error of causes) {
    const { status } = error as { status?: unknown }
    if (typeof status === 'number') return { status }
    const why = networkCode(error)
    if (why !== undefined) return { why }
  }
  return { why: causes[0]?.name ?? 'unknown' }
}
