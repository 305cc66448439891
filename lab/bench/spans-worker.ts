/** CPU that a traced run costs, in a process of its own: `spans-worker.ts COLLECTOR_URL`; prints its figures as JSON. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Entry } from '../../shared/engine/transcript/entry.ts'
import { startTrace } from '../../supabase/functions/chat/tracing/run-trace.ts'
import { createSpanExporter } from '../../supabase/functions/chat/tracing/span-exporter.ts'

const [url] = process.argv.slice(2)
const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url }
let sending: Promise<unknown> = Promise.resolve()
const exporter = createSpanExporter(env, {
  fetch,
  keepAlive: (work) => {
    sending = work
  },
})
if (!exporter) throw new Error('There is no collector to send to.')

const step = (finishReason: string): Entry => ({
  type: 'step-end',
  provider: 'openai',
  model: 'stub',
  finishReason,
  usage: { inputTokens: 100, outputTokens: 20 },
  cost: 0.0012,
  temperature: 0.5,
  durationMs: 400,
})

/** A turn with a tool, as `bench:engine` has it. */
const entries: Entry[] = [
  { type: 'run-start', runId: crypto.randomUUID(), now: '2026-11-24T12:00Z' },
  { type: 'step-start' },
  {
    type: 'call',
    toolCallId: 'call-1',
    name: 'get_weather',
    toolName: 'get_weather',
    effect: 'read',
    prepared: true,
    input: { city: 'Lisbon' },
    repairs: [],
    intent: 1,
    attempt: 1,
    startedAt: '2026-11-24T12:00:00Z',
  },
  step('tool_calls'),
  {
    type: 'result',
    toolCallId: 'call-1',
    status: 'succeeded',
    result: { ok: true, data: { degrees: 21 } },
    tries: 1,
    durationMs: 12.5,
  },
  { type: 'step-start' },
  { type: 'model-text', text: 'It is 21 degrees and sunny in Lisbon today.' },
  step('stop'),
  { type: 'run-end', status: 'completed' },
]
const parameters = { type: 'object', properties: { city: { type: 'string' } } } as const
const tools = Array.from({ length: 17 }, (_, index) => ({
  specification: { name: index === 0 ? 'get_weather' : `tool_${index}`, parameters },
}))

function traceRun(): void {
  if (!exporter) return
  const written: Entry[] = []
  const runId = crypto.randomUUID()
  const turn = {
    runId,
    conversationId: runId,
    agent: { id: runId, name: 'Agent' },
    tools,
    history: [],
    entries: [],
  }
  const trace = startTrace(turn, undefined, { entries: written }, exporter, false)
  for (const entry of entries) {
    written.push(entry)
    trace?.note()
  }
  trace?.traceparentOf('call-1')
  trace?.end({ isStopped: false })
}

/** Milliseconds of CPU of this process so far; in ticks of 10 ms. */
function cpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Milliseconds of CPU per run, with so many runs ending at once. */
async function measure(runs: number, atOnce: number): Promise<number> {
  const before = cpuMs()
  for (let done = 0; done < runs; done += atOnce) {
    for (let one = 0; one < atOnce; one++) traceRun()
    await sending
  }
  return (cpuMs() - before) / runs
}

await measure(1000, 1)
console.log(JSON.stringify({ alone: await measure(3000, 1), together: await measure(8000, 16) }))
process.exit(0)
