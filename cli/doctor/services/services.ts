import { type Finding, patienceMs } from '../finding.ts'
import type { Target } from '../target.ts'

/** What a check of the services knows. */
export interface Services {
  url: string
  publishableKey: string | undefined
  kind: Target['kind']
  /** Names of the secrets of its functions, where they are known. */
  secrets: Target['secrets']
  /** What the function `chat` is called; undefined if it was not added. */
  chat: string | undefined
}

/** Finds out one thing by requests that change nothing. */
export type ServiceCheck = (services: Services) => Promise<Finding | readonly Finding[]>

/** Undefined if no response comes within 5 s. */
export async function get(url: string, headers: Record<string, string> = {}): Promise<Response | undefined> {
  return await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined)
}
