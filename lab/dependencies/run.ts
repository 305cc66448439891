/**
 * `npm run lab -- dependencies`: what it costs a function to load `@supabase/supabase-js`, `openai` or Google's package beside
 * what it loads instead, on both Denos, and how often each sends one write whose answer is lost. `--starts 15` of each,
 * in turns. Prints two Markdown tables for docs/measurements.md. Linux only.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { hostedDeno, root } from '../../scripts/platform.ts'
import { writeMeasured } from '../measured.ts'
import { type Bundle, bundlePrograms } from './programs.ts'
import { countRequests, failures } from './requests.ts'
import { measureStart, type Start } from './start.ts'

const { starts } = parseArgs({ options: { starts: { type: 'string', default: '15' } } }).values
const denos = Object.entries({ 'Deno 2.9': findDeno(), 'Deno 2.1': hostedDeno }).filter(([, path]) =>
  existsSync(path),
)
const probe = join(root, 'lab/dependencies/probe.ts')

const { bundles, discard } = await bundlePrograms()
try {
  const measured = [...(await startTable(bundles)), '', ...(await requestTable(bundles))].join('\n')
  console.log(measured)
  await writeMeasured('npm run lab -- dependencies', measured)
} finally {
  await discard()
}

async function startTable(of: readonly Bundle[]): Promise<string[]> {
  const lines = [
    `Medians of ${starts} starts, and the middle half of them.`,
    '',
    '| a function that loads | on | bundle | until it serves | processor time | memory |',
    '|---|---|---|---|---|---|',
  ]
  for (const [name, deno] of denos) {
    const found = of.map((): Start[] => [])
    for (let round = 0; round < Number(starts); round++) {
      for (const [index, { path }] of of.entries()) {
        const start = await measureStart(deno, probe, path)
        // The first one of each fills Deno's caches.
        if (round > 0) found[index]?.push(start)
      }
    }
    for (const [index, bundle] of of.entries()) {
      const [ms, cpu, memory] = (['ms', 'cpu', 'memory'] as const).map((figure) =>
        spread((found[index] ?? []).map((start) => start[figure])),
      )
      lines.push(
        `| ${bundle.name} | ${name} | ${Math.round(bundle.bytes / 1000)} kB | ${ms} ms | ${cpu} ms | ${memory} MB |`,
      )
    }
  }
  return lines
}

async function requestTable(of: readonly Bundle[]): Promise<string[]> {
  const lines = [
    `| requests for one write | on | ${Object.keys(failures).join(' | ')} |`,
    '|---|---|---|---|',
  ]
  for (const { name, path } of of) {
    for (const [on, deno] of denos) {
      const counts: number[] = []
      for (const fail of Object.values(failures)) counts.push(await countRequests(deno, probe, path, fail))
      lines.push(`| ${name} | ${on} | ${counts.join(' | ')} |`)
    }
  }
  return lines
}

/** The median, and where the middle half lies. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`
}
