import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Span } from '../../../supabase/functions/chat/tracing/span.ts'
import { createSpanExporter } from '../../../supabase/functions/chat/tracing/span-exporter.ts'
import { readTraceparent } from '../../../supabase/functions/chat/tracing/trace-context.ts'
import { type Collector, startCollector } from '../../../support/collector.ts'

const span: Span = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  name: 'invoke_agent',
  kind: 'internal',
  startedAt: 1_795_533_676_540.5,
  endedAt: 1_795_533_676_562,
  attributes: { text: 'a', whole: 2, half: 0.5, yes: true, list: ['b'], none: undefined },
}

/** An exporter to a collector, what it leaves in the log, and a promise for each time it has nothing left to send. */
async function setUp(environment: Record<string, string> = {}) {
  const collector: Collector = await startCollector()
  const lines: Record<string, unknown>[] = []
  const write = console.log
  console.log = (line) => lines.push(JSON.parse(line))
  const end = async () => {
    console.log = write
    await collector.close()
  }
  let work: Promise<unknown> = Promise.resolve()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment }
  const exporter = createSpanExporter(env, {
    fetch,
    keepAlive: (sending) => {
      work = sending
    },
  })
  const add = (made: Span[] = [span]) => exporter?.add(() => made)
  return { collector, exporter, add, lines, done: () => work, [Symbol.asyncDispose]: end }
}

test('values keep their types, and times their microseconds', async () => {
  await using tested = await setUp()
  const { collector, add, done, lines } = tested
  add()
  await done()
  const { resourceSpans } = JSON.parse(collector.requests[0]?.body ?? '')
  assert.deepEqual(resourceSpans[0].scopeSpans[0].spans, [
    {
      traceId: span.traceId,
      spanId: span.spanId,
      name: 'invoke_agent',
      kind: 1,
      startTimeUnixNano: '1795533676540500000',
      endTimeUnixNano: '1795533676562000000',
      attributes: [
        { key: 'text', value: { stringValue: 'a' } },
        { key: 'whole', value: { intValue: '2' } },
        { key: 'half', value: { doubleValue: 0.5 } },
        { key: 'yes', value: { boolValue: true } },
        { key: 'list', value: { arrayValue: { values: [{ stringValue: 'b' }] } } },
      ],
    },
  ])
  assert.deepEqual(lines, [])
})

test('an answer that is ready is not held up by making spans', async () => {
  await using tested = await setUp()
  const { exporter, done } = tested
  const order: string[] = []
  exporter?.add(() => {
    order.push('spans')
    return [span]
  })
  // An answer passes through many promises before it leaves the process.
  for (let step = 0; step < 100; step++) await undefined
  order.push('answer')
  await done()
  assert.deepEqual(order, ['answer', 'spans'])
})

test('what ends while a request is under way goes with the next one, and too much is dropped', async () => {
  await using tested = await setUp()
  const { collector, add, done } = tested
  for (let run = 0; run < 10; run++) add()
  await done()
  assert.deepEqual([collector.requests.length, collector.spans().length], [1, 10])
  for (let run = 0; run < 1000; run++) add()
  await done()
  assert.equal(collector.spans().length, 10 + 64)
})

for (const [what, answer, why] of [
  ['refuses', (r) => r.writeHead(401).end('{"message":"key sk-secret-123456"}'), 'it answered 401'],
  ['answers with a page', (r) => r.end('<html>Welcome</html>'), 'its answer is not that of a collector'],
  ['leads elsewhere', (r) => r.writeHead(302, { location: '/login' }).end(), 'it cannot be reached'],
  [
    'refuses some spans',
    (r) => r.end('{"partialSuccess":{"rejectedSpans":"3","errorMessage":"said"}}'),
    'it refused 3 spans',
  ],
] as [string, Parameters<Collector['use']>[0], string][]) {
  test(`a collector that ${what} is one line of the log, and left alone for a while`, async () => {
    await using tested = await setUp()
    const { collector, add, done, lines } = tested
    collector.use(answer)
    add()
    await done()
    add()
    await done()
    assert.deepEqual(lines, [{ event: 'spans-not-sent', host: new URL(collector.url).host, why }])
    assert.equal(collector.requests.length, 1)
  })
}

test('a collector that is not there is one line of the log', async () => {
  await using tested = await setUp()
  const { collector, add, done, lines } = tested
  await collector.close()
  add()
  await done()
  assert.deepEqual(lines, [
    { event: 'spans-not-sent', host: new URL(collector.url).host, why: 'it cannot be reached' },
  ])
})

test('a collector that hangs holds nobody up, and is given up after 5 s', async () => {
  await using tested = await setUp()
  const { collector, add, done, lines } = tested
  collector.use(() => {})
  add()
  const first = done()
  for (let run = 0; run < 100; run++) add()
  await first
  assert.deepEqual(lines, [
    {
      event: 'spans-not-sent',
      host: new URL(collector.url).host,
      why: 'it did not answer within 5 s',
    },
  ])
  assert.equal(collector.requests.length, 1)
})

test('an answer without end is not read to its end', async () => {
  await using tested = await setUp()
  const { collector, add, done, lines } = tested
  collector.use((response) => {
    // No test may run for ever: a server on Deno 2.1 does not hear that its client has left.
    let left = 100
    const more = () => {
      response.write(' '.repeat(64 * 1024))
      left--
      if (left > 0) setTimeout(more)
    }
    more()
  })
  add()
  await done()
  assert.deepEqual(
    lines.map(({ event, why }) => [event, why]),
    [['spans-not-sent', 'its answer is not that of a collector']],
  )
})

test('settings that cannot be used switch it off with one line that quotes none of them', async () => {
  const unusable: Record<string, string>[] = [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector.example' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:hidden@collector.example' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'bad name=hidden' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'x=%zz' },
  ]
  for (const environment of unusable) {
    await using tested = await setUp(environment)
    const { exporter, lines } = tested
    assert.equal(exporter, undefined)
    assert.deepEqual(
      lines.map(({ event }) => event),
      ['spans-off'],
    )
    assert.doesNotMatch(JSON.stringify(lines), /hidden|collector\.example/)
  }
  await using tested = await setUp({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  const { exporter, lines } = tested
  assert.deepEqual([exporter, lines], [undefined, []])
})

test('a bug in one run does not cost the others their spans', async () => {
  await using tested = await setUp()
  const { collector, exporter, add, done } = tested
  const error = console.error
  const faults: string[] = []
  console.error = (line) => faults.push(line)
  exporter?.add(() => {
    throw new Error('bug')
  })
  add()
  await done()
  console.error = error
  assert.equal(collector.spans().length, 1)
  assert.match(faults.join(), /spans-not-made/)
})

test('only a valid traceparent counts', () => {
  const ids = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'
  const [traceId, spanId] = ids.split('-')
  assert.deepEqual(readTraceparent(`00-${ids}-01`), { traceId, spanId, sampled: true })
  assert.deepEqual(readTraceparent(`00-${ids}-00`), { traceId, spanId, sampled: false })
  // A later version may have more after the flags.
  assert.deepEqual(readTraceparent(`cc-${ids}-01-more`), { traceId, spanId, sampled: true })
  for (const header of [
    undefined,
    '',
    'x',
    ids,
    `00-${ids}-01-more`,
    `ff-${ids}-01`,
    `00-${ids.toUpperCase()}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
  ]) {
    assert.equal(readTraceparent(header), undefined, header)
  }
})
