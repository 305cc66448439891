import type { HeaderLookup } from './response-headers.ts'

/** A provider's duration: `17.5s`, `2m3.5s`, `1500ms`, `12`. */
const duration = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)(ms|s)?)?$/

/** The milliseconds of a duration; a bare number is in seconds. */
function readDuration(text: string): number | undefined {
  const match = text === '' ? null : duration.exec(text.trim())
  if (!match) return undefined
  const [, hours = 0, minutes = 0, rest = 0, unit = 's'] = match
  return (Number(hours) * 3600 + Number(minutes) * 60) * 1000 + Number(rest) * (unit === 'ms' ? 1 : 1000)
}

/** An absolute time is relative to when the response was sent, so that a wrong clock here does not matter. */
function untilTime(time: number, header: HeaderLookup): number | undefined {
  if (Number.isNaN(time)) return undefined
  const sent = Date.parse(header('date') ?? '')
  return Math.max(0, time - (Number.isNaN(sent) ? Date.now() : sent))
}

/** Larger numbers are seconds since 1970, not a wait. */
const epochSeconds = 1_000_000_000

/** A reset is seconds from now, seconds or milliseconds since 1970, a duration, or a date. */
function readReset(text: string, header: HeaderLookup): number | undefined {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) {
    if (number < epochSeconds) return Math.max(0, number * 1000)
    return untilTime(number < epochSeconds * 1000 ? number * 1000 : number, header)
  }
  return readDuration(text) ?? untilTime(Date.parse(text), header)
}

/** The remaining calls of a limit, and when it resets, by the names of the two headers. */
const windowHeaders: readonly (readonly [remaining: string, reset: string])[] = [
  ...[
    'x-ratelimit',
    'ratelimit',
    'x-rate-limit',
    'anthropic-ratelimit-requests',
    'anthropic-ratelimit-tokens',
    'anthropic-ratelimit-input-tokens',
    'anthropic-ratelimit-output-tokens',
  ].map((prefix) => [`${prefix}-remaining`, `${prefix}-reset`] as const),
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
]

/** `retry-after` in every form, else when an exhausted rate limit resets. Milliseconds. */
export function waitOfHeaders(header: HeaderLookup): number | undefined {
  const milliseconds = Number(header('retry-after-ms') || header('x-ms-retry-after-ms') || Number.NaN)
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds)
  const retryAfter = header('retry-after')
  if (retryAfter) return readReset(retryAfter, header)
  for (const [remaining, reset] of windowHeaders) {
    const wait = waitOfWindow(header(remaining), header(reset), header)
    if (wait !== undefined) return wait
  }
  return undefined
}

/** The longest wait among exhausted limits; Brave lists several: `0, 14000` and `1, 1419704`. */
function waitOfWindow(remaining = '', reset = '', header: HeaderLookup): number | undefined {
  if (reset === '') return undefined
  const isList = /^\s*\d+\s*,/.test(reset)
  const resets = isList ? reset.split(',') : [reset]
  const left = isList ? remaining.split(',') : [remaining]
  const waits = resets
    .filter((_, index) => Number(left[index] ?? '') === 0)
    .map((text) => readReset(text.trim(), header))
    .filter((wait) => wait !== undefined)
  return waits.length > 0 ? waits.reduce((longest, wait) => Math.max(longest, wait)) : undefined
}

/** `retryDelay` of Google, `retry_after` of Discord and Telegram, `retryAfterMs`, `retry_after_seconds`. */
const waitField = /^retry_?(?:delay|after)(?:_?(?:seconds|(ms)))?$/i

/** The wait in one object of a body; in seconds, unless its name has a unit. Milliseconds. */
export function waitOfFields(body: Record<string, unknown>): number | undefined {
  for (const [name, value] of Object.entries(body)) {
    const field = waitField.exec(name)
    if (!field) continue
    const number = typeof value === 'number' || /^[\d.]+$/.test(String(value)) ? Number(value) : Number.NaN
    if (Number.isFinite(number)) return Math.max(0, number * (field[1] ? 1 : 1000))
    const wait = typeof value === 'string' ? readDuration(value) : undefined
    if (wait !== undefined) return wait
  }
  return undefined
}

/** "Please try again in 7.66s", "retry after 30 seconds". Milliseconds. */
export function waitOfWords(text: string): number | undefined {
  const phrase =
    /\b(?:(?:again|retry|available|reset|resets|request this|allowed) (?:in|after)|wait(?: for)?)\s+((?:\d+h)?(?:\d+m(?!s))?\d+(?:\.\d+)?)\s*(?:(ms|milliseconds?)|(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hours?))\b/i
  const match = phrase.exec(text)
  if (!match) return undefined
  const [, amount = '', milliseconds, seconds, minutes] = match
  if (/[hm]/.test(amount)) return readDuration(`${amount}s`)
  return Number(amount) * (milliseconds ? 1 : seconds ? 1000 : minutes ? 60_000 : 3_600_000)
}
