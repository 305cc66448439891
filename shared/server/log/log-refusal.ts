import { ApiError } from '../http/api-error.ts'
import { writeLog } from './log-line.ts'

/** Logs a refused request, or one that failed because of a bug of ours. */
export function logRefusal(error: unknown, { method, path }: { method: string; path: string }): void {
  if (error instanceof ApiError) writeLog('refused', { method, path, status: error.status, code: error.code })
  else writeLog('request-fault', { method, path }, error)
}
