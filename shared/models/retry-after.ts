/**
 * How long a provider asks to wait, in milliseconds: `retry-after-ms`, `retry-after` (seconds, or a date
 * measured from the answer's own `date`), else Gemini's `retryDelay` and the "try again in 7.66s" of OpenAI
 * and Groq. A time in the past is 0.
 *
 * @example
 * retryAfter(new Headers({ 'retry-after': '2' }), '') // => 2000
 * retryAfter(new Headers(), '{"error":{"details":[{"retryDelay":"34s"}]}}') // => 34000
 * retryAfter(new Headers(), 'Slow down') // => undefined
 */
export function retryAfter(headers: Headers, body: string): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds)
  const value = headers.get('retry-after')?.trim()
  if (value) {
    const seconds = Number(value)
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
    const until = Date.parse(value)
    const sent = Date.parse(headers.get('date') ?? '')
    if (!Number.isNaN(until)) return Math.max(0, until - (Number.isNaN(sent) ? Date.now() : sent))
  }
  const delay = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1]
  if (delay !== undefined) return Number(delay) * 1000
  const words = /try again in (?:(\d+)m(?!s))?\s*([\d.]+)(ms|s)\b/i.exec(body)
  if (words === null) return undefined
  const [, minutes = '0', amount, unit] = words
  return Number(minutes) * 60_000 + Number(amount) * (unit === 'ms' ? 1 : 1000)
}
