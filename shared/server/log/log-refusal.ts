import { ApiError } from '../http/api-error.ts'
import { writeLog } from './log-line.ts'

/** Logs a refused request, or one that failed because of a bug of ours. Refusals with the same code are summed. */
export function logRefusal(error: unknown, { method, path }: { method: string; path: string }): void {
  if (error instanceof ApiError) {
    const { status, code } = error
    writeLog('refused', { method, path, status, code }, undefined, `refused ${code}`)
  } else writeLog('request-fault', { method, path }, error)
}
