/** What an attribute may hold; null and undefined leave it out. */
export type AttributeValue = string | number | boolean | readonly string[] | null | undefined
export type Attributes = Readonly<Record<string, AttributeValue>>

/** A span of OpenTelemetry. Times are milliseconds since 1970. */
export interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string | undefined
  name: string
  kind: 'internal' | 'client'
  startedAt: number
  endedAt: number
  attributes: Attributes
  events?: { name: string; at: number; attributes: Attributes }[]
  /** What kind of failure it ended with: then its status is ERROR. */
  errorType?: string | undefined
}

/** Numbers of the protocol (https://github.com/open-telemetry/opentelemetry-proto, trace/v1). */
const kinds = { internal: 1, client: 3 }
const statusError = 2

/** A span as OTLP's JSON has it. */
export function encodeSpan(span: Span): object {
  const { traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, attributes, events, errorType } =
    span
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(Math.max(startedAt, endedAt)),
    attributes: encodeAttributes({ ...attributes, 'error.type': errorType }),
    events:
      events && events.length > 0
        ? events.map((event) => ({
            name: event.name,
            timeUnixNano: nanoseconds(event.at),
            attributes: encodeAttributes(event.attributes),
          }))
        : undefined,
    ...(errorType === undefined ? {} : { status: { code: statusError } }),
  }
}

/** Attributes as OTLP's JSON has them. */
export function encodeAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: encodeValue(value) }],
  )
}

function encodeValue(value: NonNullable<AttributeValue>): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') {
    // 64-bit integers are texts in protobuf's JSON.
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  }
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } }
}

/** Beyond what a number can hold, so made as text. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}
