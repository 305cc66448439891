import { isObject, readJsonText } from '../../../../shared/engine/core/json-value.ts'
import { BodyLimitReached, bodyLimits, readText } from '../../../../shared/engine/core/outside-body.ts'
import { withoutTrailingSlash } from '../../../../shared/engine/core/without-trailing-slash.ts'
import { SilenceWatch } from '../../../../shared/engine/models/protocol/silence-watch.ts'
import type { Environment } from '../../../../shared/server/authentication/project-settings.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { version } from '../../../../shared/server/version.ts'
import { nextTask } from './next-task.ts'
import { encodeAttributes, encodeSpan, type Span } from './span.ts'

/** Sends spans to a collector of OpenTelemetry. It never throws, and nobody waits for it. */
export interface SpanExporter {
  /** Spans hold what was said, without secrets. */
  readonly withContent: boolean
  /** They are made only if they are sent. */
  add(makeSpans: () => Span[]): void
}

interface Tools {
  fetch: typeof fetch
  keepAlive: (work: Promise<unknown>) => void
}

/** Milliseconds that a collector has to answer, and for which one that failed is left alone. */
const patienceMs = 5000
const pauseMs = 30_000
/** Runs that wait while a request is under way; more are dropped. */
const mostWaiting = 64

/**
 * The exporter of `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_EXPORTER_OTLP_HEADERS`; undefined without an endpoint, or if one of
 * them cannot be used, which is logged. One request at a time: what ends meanwhile goes with the next one.
 */
export function createSpanExporter(env: Environment, { fetch, keepAlive }: Tools): SpanExporter | undefined {
  const target = readTarget(env)
  if (!target) return undefined
  let waiting: (() => Span[])[] = []
  let isSending = false
  let restsUntil = 0
  let isDown = false

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      // The answer goes first.
      await nextTask()
      const batch = waiting
      waiting = []
      const problem = await send(batch, target as Target, fetch)
      if (problem === undefined) isDown = false
      else {
        restsUntil = Date.now() + pauseMs
        waiting = []
        if (!isDown) writeLog('spans-not-sent', { host: (target as Target).host, why: problem })
        isDown = true
      }
    }
  }

  return {
    withContent: env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() === 'true',
    add(makeSpans) {
      if (waiting.length >= mostWaiting || Date.now() < restsUntil) return
      waiting.push(makeSpans)
      if (isSending) return
      isSending = true
      keepAlive(
        sendAll().finally(() => {
          isSending = false
        }),
      )
    },
  }
}

interface Target {
  url: string
  host: string
  headers: Headers
}

function readTarget(env: Environment): Target | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()
  if (!endpoint) return undefined
  try {
    const url = new URL(endpoint)
    if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') throw new TypeError()
    url.pathname = `${withoutTrailingSlash(url.pathname)}/v1/traces`
    return { url: url.href, host: url.host, headers: readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS ?? '') }
  } catch {
    // Not quoted: they may hold a key.
    const why =
      'OTEL_EXPORTER_OTLP_ENDPOINT has to be an http URL without a password, and OTEL_EXPORTER_OTLP_HEADERS a list like "name=value,name=value".'
    writeLog('spans-off', { why })
    return undefined
  }
}

/** `name=value,…` with percent-encoded values (https://opentelemetry.io/docs/specs/otel/protocol/exporter). */
function readHeaders(list: string): Headers {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const one of list.split(',').filter((text) => text.trim() !== '')) {
    const [name = '', ...value] = one.split('=')
    headers.set(name.trim(), decodeURIComponent(value.join('=').trim()))
  }
  return headers
}

/** Sends spans once; returns why that failed. */
async function send(
  batch: readonly (() => Span[])[],
  { url, headers }: Target,
  post: typeof fetch,
): Promise<string | undefined> {
  const body = encodeSpans(batch.flatMap(makeQuietly))
  // A signal of AbortSignal.timeout would be kept for 5 s, however soon the answer comes.
  const watch = new SilenceWatch(patienceMs)
  const { signal } = watch
  try {
    const response = await post(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    if (response.ok) return problemIn(await readText(response, bodyLimits.collector))
    await response.body?.cancel()
    return `it answered ${response.status}`
  } catch (cause) {
    if (cause instanceof BodyLimitReached) return notOfCollector
    return signal.aborted ? `it did not answer within ${patienceMs / 1000} s` : 'it cannot be reached'
  } finally {
    watch.stop()
  }
}

/** A bug of ours in one run must not cost the others their spans. */
function makeQuietly(makeSpans: () => Span[]): Span[] {
  try {
    return makeSpans()
  } catch (error) {
    writeLog('spans-not-made', {}, error)
    return []
  }
}

/** The request of OTLP/HTTP in JSON, for https://opentelemetry.io/docs/specs/otlp/#otlphttp. */
function encodeSpans(spans: readonly Span[]): string {
  const resource = { attributes: encodeAttributes({ 'service.name': 'askback', 'service.version': version }) }
  const scopeSpans = [{ scope: { name: 'askback', version }, spans: spans.map(encodeSpan) }]
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] })
}

const notOfCollector = 'its answer is not that of a collector'

/** A 200 may still refuse spans, or come from something that is no collector. */
function problemIn(said: string): string | undefined {
  if (said.trim() === '') return undefined
  const answer = readJsonText(said)
  if (!isObject(answer)) return notOfCollector
  const { rejectedSpans } = isObject(answer.partialSuccess) ? answer.partialSuccess : {}
  return Number(rejectedSpans) > 0 ? `it refused ${Number(rejectedSpans)} spans` : undefined
}
