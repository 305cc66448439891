/** Where a request stands in a trace (https://www.w3.org/TR/trace-context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** The span that asks, 16 hexadecimal digits. */
  spanId: string
  /** Whether its sender records the trace. */
  sampled: boolean
}

/**
 * Reads a `traceparent` header; undefined if there is none, or it is not valid.
 *
 * @example
 * readTraceparent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')?.spanId // => '00f067aa0ba902b7'
 * readTraceparent('00-00000000000000000000000000000000-00f067aa0ba902b7-01') // => undefined
 */
export function readTraceparent(header: string | undefined): TraceContext | undefined {
  const read = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
    header?.trim() ?? '',
  )
  if (!read) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = read
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId) || (version === '00' && more !== undefined))
    return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The header for a request that belongs to a span. */
export function writeTraceparent({ traceId, spanId }: Omit<TraceContext, 'sampled'>): string {
  return `00-${traceId}-${spanId}-01`
}

/** A new id of a span. */
export function createSpanId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(-16)
}
