import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a test reads it. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  isError: boolean
  attributes: Record<string, unknown>
  events: { name: string; attributes: Record<string, unknown> }[]
}

/** A collector of OpenTelemetry on loopback: OTLP in JSON over HTTP. */
export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[]
  spans(): CollectedSpan[]
  /** How it answers from now on, instead of `{}`. */
  use(answer: (response: ServerResponse) => void): void
  close(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const requests: Collector['requests'] = []
  let answer = (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => requests.flatMap(({ body }) => readSpans(JSON.parse(body))),
    use(next) {
      answer = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// The parts of the protocol that are sent (https://github.com/open-telemetry/opentelemetry-proto).
interface Value {
  stringValue?: string
  intValue?: string
  doubleValue?: number
  boolValue?: boolean
  arrayValue?: { values: Value[] }
}
type List = { key: string; value: Value }[]
interface Wire {
  resourceSpans: { scopeSpans: { spans: (Omit<CollectedSpan, 'attributes' | 'events'> & WireSpan)[] }[] }[]
}
interface WireSpan {
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: List
  events?: { name: string; attributes: List }[]
  status?: { code: number }
}

function readSpans({ resourceSpans }: Wire): CollectedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ startTimeUnixNano, endTimeUnixNano, attributes, events = [], status, ...span }) => ({
        ...span,
        startedAt: Number(BigInt(startTimeUnixNano) / 1_000_000n),
        endedAt: Number(BigInt(endTimeUnixNano) / 1_000_000n),
        isError: status?.code === 2,
        attributes: readList(attributes),
        events: events.map((event) => ({ name: event.name, attributes: readList(event.attributes) })),
      })),
    ),
  )
}

function readList(list: List): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, readValue(value)]))
}

function readValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (intValue !== undefined) return Number(intValue)
  return stringValue ?? doubleValue ?? boolValue ?? arrayValue?.values.map(readValue)
}
