/**
 * `npm run lab -- dependencies`: what it costs a function to load `@supabase/supabase-js`, `openai` or Google's package
 * beside what it loads instead, on both Denos, and how often each sends one write whose answer is lost. `--rounds 15`, in
 * which all take turns. Prints two Markdown tables for docs/measurements.md. Linux only.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { hostedDeno } from '../../scripts/platform.ts'
import { writeMeasured } from '../measured.ts'
import { failures, startAnswering } from './answering-server.ts'
import { runProbe } from './probe-process.ts'
import { type Bundle, bundlePrograms } from './programs.ts'

const rounds = Number(parseArgs({ options: { rounds: { type: 'string', default: '15' } } }).values.rounds)
const denos = Object.entries({ '2.9': findDeno(), '2.1': hostedDeno }).filter(([, path]) => existsSync(path))
/** Requests of a process: what those beyond the first cost is what one costs that is compiled. */
const [few, many] = [200, 700]

/** Of one program on one Deno, a figure for each round. */
interface Figures {
  ms: number[]
  cpu: number[]
  /** MB. */
  memory: number[]
  /** Processor time of a request, ms. */
  request: number[]
}

const { bundles, discard } = await bundlePrograms()
try {
  const measured = [...(await costs(bundles)), '', ...(await requests(bundles))].join('\n')
  console.log(measured)
  await writeMeasured('npm run lab -- dependencies', measured)
} finally {
  await discard()
}

async function costs(of: readonly Bundle[]): Promise<string[]> {
  const lines = [
    `${rounds} rounds: medians, and where the middle half lies.`,
    '',
    '| a function that loads | bundle | Deno | until it serves | processor time of that | memory | processor time of a request |',
    '|---|---|---|---|---|---|---|',
  ]
  // Deleting is sent by the same package as sending.
  const loaded = of.filter(({ name }) => !name.endsWith('-delete'))
  const figures = new Map<string, Figures>()
  for (let round = 0; round < rounds; round++) {
    for (const [version, deno] of denos) {
      for (const { name, path } of loaded) {
        const key = `${name} ${version}`
        const found = figures.get(key) ?? { ms: [], cpu: [], memory: [], request: [] }
        figures.set(key, found)
        const { ms, cpu, line } = await runProbe(deno, path)
        found.ms.push(ms)
        found.cpu.push(cpu)
        found.memory.push(Number(line) / 1_000_000)
        found.request.push(await costOfRequest(deno, path))
      }
    }
  }
  for (const { name, bytes } of loaded) {
    for (const [version] of denos) {
      const found = figures.get(`${name} ${version}`)
      const cells = found && [
        `${spread(found.ms, 0)} ms`,
        `${spread(found.cpu, 0)} ms`,
        `${spread(found.memory, 1)} MB`,
        `${spread(found.request, 2)} ms`,
      ]
      lines.push(`| ${name} | ${Math.ceil(bytes / 1000)} kB | ${version} | ${cells?.join(' | ')} |`)
    }
  }
  return lines
}

async function costOfRequest(deno: string, program: string): Promise<number> {
  const server = await startAnswering()
  try {
    const less = await runProbe(deno, program, server.url, String(few))
    const more = await runProbe(deno, program, server.url, String(many))
    return (more.cpu - less.cpu) / (many - few)
  } finally {
    server.close()
  }
}

/**
 * How many requests a server reads of one write, if each of them fails. A connection is open already, because what is sent
 * on one may be sent again by Deno itself.
 */
async function requests(of: readonly Bundle[]): Promise<string[]> {
  const names = Object.keys(failures)
  const columns = names.flatMap((name) => denos.map(([version]) => `${name}, Deno ${version}`))
  const lines = [
    `| requests of one write, if the server | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
  ]
  for (const { name, path } of of) {
    const counts: string[] = []
    for (const fail of Object.values(failures)) {
      for (const [, deno] of denos) {
        const server = await startAnswering(fail)
        const { line } = await runProbe(deno, path, server.url, '2')
        counts.push(`${server.read() - 1}${line === 'silent' ? ', and no answer within 20 s' : ''}`)
        server.close()
      }
    }
    lines.push(`| ${name} | ${counts.join(' | ')} |`)
  }
  return lines
}

/** The median, and where the middle half lies. */
function spread(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(digits)
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`
}
