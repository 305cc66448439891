/**
 * `npm run lab -- bench:engine`: a two-step run (tool call, then text) of each contender against the same stub model
 * server in a process of its own; p50 of 600 runs one after the other, and runs per second at 16 at once.
 * The peers are installed by `npm ci --prefix lab/bench`. Prints a Markdown table and the goals, for docs/measurements.md.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { root } from '../../scripts/platform.ts'
import { writeMeasured } from '../measured.ts'

interface Figures {
  p50: number
  perSecond: number
}

if (!existsSync(join(root, 'lab/bench/node_modules/ai'))) {
  console.error('The peers are not installed: run npm ci --prefix lab/bench first.')
  process.exit(1)
}

const server = spawn(process.execPath, ['--import', 'tsx', 'lab/bench/server.ts'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [port] = await once(server.stdout, 'data')
const baseURL = `http://127.0.0.1:${String(port).trim()}/v1`

const runtimes: Record<string, [command: string, args: string[]]> = {
  Deno: [
    findDeno(),
    [
      'run',
      '--allow-all',
      '--no-check',
      '--cached-only',
      '--node-modules-dir=manual',
      '--config=lab/bench/deno.json',
    ],
  ],
  Node: [process.execPath, ['--import', 'tsx']],
}
const contenders = ['bare', 'askback', 'ai']
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const figures = new Map<string, Figures[]>()

// Contenders take turns, so that a machine that slows down slows all of them.
for (let round = 0; round < rounds; round++) {
  for (const [runtime, [command, args]] of Object.entries(runtimes)) {
    for (const mode of ['plain', 'streamed']) {
      for (const name of contenders) {
        const { stdout } = await promisify(execFile)(
          command,
          [...args, 'lab/bench/worker.ts', name, mode, baseURL],
          { cwd: root },
        )
        const key = `${runtime} ${mode} ${name}`
        figures.set(key, [...(figures.get(key) ?? []), JSON.parse(stdout.trim().split('\n').at(-1) ?? '')])
      }
    }
  }
}
server.kill()

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const figure = (runtime: string, mode: string, name: string): Figures => {
  const runs = figures.get(`${runtime} ${mode} ${name}`) ?? []
  return { p50: median(runs.map((run) => run.p50)), perSecond: median(runs.map((run) => run.perSecond)) }
}

const lines = [
  `${rounds} rounds, medians: p50 in ms, runs per second at 16 at once. Goals compare within each round.`,
  '',
  '| | Deno plain | Deno streamed | Node plain | Node streamed |',
  '|---|---|---|---|---|',
]
for (const name of contenders) {
  const cells = Object.keys(runtimes).flatMap((runtime) =>
    ['plain', 'streamed'].map((mode) => {
      const { p50, perSecond } = figure(runtime, mode, name)
      return `${p50.toFixed(2)}, ${Math.round(perSecond)}`
    }),
  )
  lines.push(`| ${name} | ${cells.join(' | ')} |`)
}

/** Within each round, since the machine is not equally fast in all of them. */
const ratio = (runtime: string, mode: string, of: keyof Figures, peer: string) => {
  const peers = figures.get(`${runtime} ${mode} ${peer}`) ?? []
  const ours = figures.get(`${runtime} ${mode} askback`) ?? []
  return median(ours.map((round, index) => round[of] / (peers[index]?.[of] ?? Number.NaN)))
}
const goals: [text: string, value: number, isMet: (value: number) => boolean][] = [
  ['Deno plain p50 <= 2.5x bare', ratio('Deno', 'plain', 'p50', 'bare'), (value) => value <= 2.5],
  ['Deno streamed p50 <= 2.5x bare', ratio('Deno', 'streamed', 'p50', 'bare'), (value) => value <= 2.5],
  ['Deno plain p50 <= 0.6x ai', ratio('Deno', 'plain', 'p50', 'ai'), (value) => value <= 0.6],
  ['Deno streamed p50 <= 0.35x ai', ratio('Deno', 'streamed', 'p50', 'ai'), (value) => value <= 0.35],
  ['Deno plain throughput >= 1.8x ai', ratio('Deno', 'plain', 'perSecond', 'ai'), (value) => value >= 1.8],
  ['Deno streamed throughput >= 3x ai', ratio('Deno', 'streamed', 'perSecond', 'ai'), (value) => value >= 3],
  ['Node plain p50 <= 0.75x ai', ratio('Node', 'plain', 'p50', 'ai'), (value) => value <= 0.75],
  ['Node streamed p50 <= 0.75x ai', ratio('Node', 'streamed', 'p50', 'ai'), (value) => value <= 0.75],
]
lines.push('', '```')
for (const [text, value, isMet] of goals)
  lines.push(`${isMet(value) ? 'met   ' : 'missed'} ${text}: ${value.toFixed(2)}x`)
lines.push('```')
console.log(lines.join('\n'))
await writeMeasured('npm run lab -- bench:engine', lines.join('\n'))
