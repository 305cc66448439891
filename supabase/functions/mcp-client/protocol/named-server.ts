import type { Resolve } from '../../../../shared/integrations/network/resolve.ts'

/** A server of MCP that somebody named. */
export interface NamedServer {
  url: string
  /** Its own headers, such as a key: they go to its origin only. */
  headers?: Readonly<Record<string, string>>
  /** An access token of the user for it: goes to its origin only, too. */
  token?: string
}

/** What may be reached, and until when. */
export interface Reach {
  /** Allows this machine itself, on any port and without TLS: only on a laptop (`ASKBACK_ALLOW_PRIVATE_HOSTS`). */
  allowLoopback: boolean
  /** Ends everything. */
  signal: AbortSignal
  /** Resolves names; uses the system if absent. */
  resolve?: Resolve
  /** Milliseconds for each answer, if fewer than usual. */
  answerMs?: number
}

/** The host of a server, as people know it; of what is no URL, its beginning. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 100)
}
