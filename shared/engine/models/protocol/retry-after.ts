import { readDuration, waitOfHeaders, waitOfWords } from '../../failures/facts/wait-time.ts'

/**
 * How long a provider asks to wait, in milliseconds: `retry-after-ms`, `retry-after` (seconds, or a date
 * measured from the answer's own `date`), the reset of a used-up rate limit, also in the headers that OpenRouter
 * quotes in its body, else Gemini's `retryDelay` and the "try again in 7.66s" of OpenAI and Groq. A time in the
 * past is 0.
 *
 * @example
 * retryAfter(new Headers({ 'retry-after': '2' }), '') // => 2000
 * retryAfter(new Headers(), '{"error":{"details":[{"retryDelay":"34s"}]}}') // => 34000
 * retryAfter(new Headers(), 'Slow down') // => undefined
 */
export function retryAfter(headers: Headers, body: string): number | undefined {
  const quoted = quotedHeaders(body)
  const wait =
    waitOfHeaders((name) => headers.get(name) ?? undefined) ??
    waitOfHeaders((name) => quoted?.get(name) ?? headers.get(name) ?? undefined)
  if (wait !== undefined) return wait
  const delay = /"retryDelay"\s*:\s*"([^"]+)"/.exec(body)?.[1]
  return (
    (delay === undefined ? undefined : readDuration(delay)) ??
    waitOfWords(body, (name) => headers.get(name) ?? undefined)
  )
}

function quotedHeaders(body: string): Headers | undefined {
  const text = /"headers"\s*:\s*(\{[^{}]*\})/.exec(body)?.[1]
  try {
    return text === undefined ? undefined : new Headers(JSON.parse(text))
  } catch {
    return undefined
  }
}
