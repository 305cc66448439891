import { clipText } from '../../engine/core/clip-text.ts'
import { maskSecrets } from '../../engine/core/mask-secrets.ts'
import { LogCap } from './log-cap.ts'

/** The contents of a log line: ids, names, types, numbers; never what somebody wrote or a tool returned. */
export type LogFacts = Record<string, string | number | boolean | null | undefined>

const longestCause = 4000

const cap = new LogCap((summary) => console.log(JSON.stringify(summary)))

/**
 * Writes one line of JSON, `{ "event": …, … }`, for the operator. With a `cause` it is an error: its stack
 * is included, masked. `once`: lines that say the same are counted, not written, for 10 s.
 */
export function writeLog(event: string, facts: LogFacts, cause?: unknown, once?: string): void {
  if (!cap.admits(event, once)) return
  if (cause === undefined) console.log(JSON.stringify({ event, ...facts }))
  else console.error(JSON.stringify({ event, ...facts, cause: describeCause(cause) }))
}

/** The stack of an error with those of its causes, without secrets. */
export function describeCause(cause: unknown): string {
  const parts: string[] = []
  for (let next = cause; next !== undefined && parts.length < 5; ) {
    parts.push(next instanceof Error ? (next.stack ?? `${next.name}: ${next.message}`) : String(next))
    next = next instanceof Error ? next.cause : undefined
  }
  return clipText(maskSecrets(parts.join('\ncaused by ')), longestCause)
}
