/**
 * `npm run lab -- bench:stream`: what the chat function adds to each token on its way from a model to a client, as Markdown
 * tables. The local stack with a model server that sends the time as its words; the delay of a token is what lies
 * between that time and the moment in which the client reads it. Linux only, because CPU time is read from /proc.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startStack, type TestStack } from '../../support/stack.ts'
import { writeMeasured } from '../measured.ts'
import { now, startStampingModel } from './stamping-model.ts'
import { signIn, streamTurn } from './streamed-turn.ts'

const tokens = 2000
const everyMs = 2
const runs = 12
const together = [1, 4]

/** What one streamed run came to. Delays in ms. */
interface StreamedRun {
  /** Deltas that came. */
  deltas: number
  first: number
  last: number
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

const table = await measureDelays()
console.log(table.join('\n'))
await writeMeasured('npm run lab -- bench:stream', table.join('\n'))

async function measureDelays(): Promise<string[]> {
  const model = await startStampingModel(tokens, everyMs)
  const stack = await startStack({
    env: {
      LLM_PROVIDER: 'any',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'any',
      OPENAI_MODEL: 'stamping-model',
    },
  })
  try {
    const token = await signIn(stack)
    // The first of each opens connections and starts the function.
    await readDirectly(model.url)
    await readStream(stack, token)
    const direct = [
      await readDirectly(model.url),
      await readDirectly(model.url),
      await readDirectly(model.url),
    ]
    const rows = [row('the model server itself', direct)]
    for (const atOnce of together) {
      const cpuBefore = readCpu(stack)
      const measured: StreamedRun[] = []
      for (let done = 0; done < runs; done += atOnce) {
        measured.push(...(await Promise.all(Array.from({ length: atOnce }, () => readStream(stack, token)))))
      }
      const cpu = (readCpu(stack) - cpuBefore) / measured.length
      rows.push(row(`a chat stream, ${atOnce} at a time`, measured, cpu))
    }
    return [
      `${tokens} tokens, one every ${everyMs} ms, ${runs} runs`,
      '',
      '| what | delay of the first token, p50 / p95 | of the last | deltas in | out | CPU of the function per run |',
      '|---|---|---|---|---|---|',
      ...rows,
    ]
  } finally {
    await stack.stop()
    await model.close()
  }
}

function row(name: string, measured: readonly StreamedRun[], cpu?: number): string {
  const pair = (values: number[]) => `${quantile(values, 0.5)} / ${quantile(values, 0.95)} ms`
  const out = new Set(measured.map(({ deltas }) => deltas))
  const cells = [
    name,
    pair(measured.map(({ first }) => first)),
    pair(measured.map(({ last }) => last)),
    tokens,
    [...out].join(', '),
    cpu === undefined ? '' : `${cpu.toFixed(0)} ms`,
  ]
  return `| ${cells.join(' | ')} |`
}

/** A streamed turn as AI SDK clients have it. */
async function readStream(stack: TestStack, token: string): Promise<StreamedRun> {
  const response = await streamTurn(stack, token, 'Count')
  return await readDelays(response, (part) => (part.type === 'text-delta' ? part.delta : undefined))
}

async function readDirectly(url: string): Promise<StreamedRun> {
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: '{}' })
  return await readDelays(response, (part) => part.choices[0].delta.content || undefined)
}

// biome-ignore lint/suspicious/noExplicitAny: parts of two protocols
async function readDelays(response: Response, wordsOf: (part: any) => string | undefined) {
  const delays: number[] = []
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const arrived = now()
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (!event.startsWith('data: {')) continue
      const words = wordsOf(JSON.parse(event.slice('data: '.length)))
      // Several tokens in one delta would be late by the first of them.
      if (words !== undefined) delays.push(arrived - Number.parseFloat(words))
    }
  }
  if (delays.length === 0) throw new Error('The stream held no words.')
  return { deltas: delays.length, first: delays[0] ?? 0, last: delays.at(-1) ?? 0 }
}

/** CPU time of the chat function so far, in ms. */
function readCpu(stack: TestStack): number {
  const fields = readFileSync(`/proc/${stack.pids().chat}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000
}

function quantile(values: number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1)
}
