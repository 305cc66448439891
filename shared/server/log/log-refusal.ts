import { ApiError } from '../http/api-error.ts'
import { writeLog } from './log-line.ts'

/** Writes a line for a request that was refused, and for one that failed by a fault of ours. */
export function logRefusal(error: unknown, { method, path }: { method: string; path: string }): void {
  if (error instanceof ApiError) writeLog('refused', { method, path, status: error.status, code: error.code })
  else writeLog('request-fault', { method, path }, error)
}
