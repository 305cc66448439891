/**
 * `npm run lab -- bench:flat`: whether a streamed turn takes as long with many tools, messages or users as with few. The sizes take
 * turns, so that a slow minute of the machine is a slow minute of all. `BENCH_ROUNDS` (default 10). Exit code 1 if a size
 * takes more than 15 % longer than the smallest. Linux only.
 */
import { writeMeasured } from '../measured.ts'
import type { Growth, Size } from './flatness/growth.ts'
import { messages } from './flatness/messages.ts'
import { openPlace, type Place } from './flatness/place.ts'
import { tools } from './flatness/tools.ts'
import { users } from './flatness/users.ts'
import { median } from './median.ts'
import { startStubModel } from './stub-model.ts'

const goal = 1.15
const rounds = Number(process.env.BENCH_ROUNDS ?? 10)
/** Of each size, in each round. */
const turns = 20
/** Of each size, before the first round: the process compiles, and caches fill. */
const warmUp = 40

/** A round of one size. */
interface Figures {
  /** Milliseconds. */
  p50: number
  /** CPU milliseconds of the function per turn. */
  cpu: number
}

const model = await startStubModel()
const lines: string[] = []
let isFlat = true
try {
  for (const growth of [tools, messages, users]) await measure(growth)
} finally {
  model.stop()
}
const table = [
  `${rounds} rounds of ${turns} streamed turns in each size, medians. The goal for p50 is at most ${goal}x the smallest size.`,
  '',
  '| | p50 | | CPU of the function | | goal |',
  '|---|---|---|---|---|---|',
  ...lines,
].join('\n')
console.log(table)
await writeMeasured('npm run lab -- bench:flat', table)
process.exitCode = isFlat ? 0 : 1

async function measure(growth: Growth): Promise<void> {
  const places: Place[] = []
  try {
    const sizes = await growth.open(
      async (userCount) => {
        const place = await openPlace(model.settings, userCount)
        places.push(place)
        return place
      },
      warmUp + rounds * turns,
    )
    const found = sizes.map((): Figures[] => [])
    for (const size of sizes) await takeTurns(size, 0, warmUp)
    for (let round = 0; round < rounds; round++) {
      for (const [index, size] of sizes.entries()) {
        found[index]?.push(await takeTurns(size, warmUp + round * turns, turns))
      }
    }
    for (const [index, size] of sizes.entries()) report(growth, size, found[index] ?? [], found[0] ?? [])
  } finally {
    for (const place of places) await place.close()
  }
}

async function takeTurns(size: Size, first: number, count: number): Promise<Figures> {
  const times: number[] = []
  const before = size.chat.cpu()
  for (let turn = first; turn < first + count; turn++) {
    const began = performance.now()
    await size.takeTurn(turn)
    times.push(performance.now() - began)
  }
  return { p50: median(times), cpu: (size.chat.cpu() - before) / count }
}

function report(growth: Growth, size: Size, figures: Figures[], smallest: Figures[]): void {
  // Within each round, since the machine is not equally fast in all of them.
  const p50 = median(figures.map((one, round) => one.p50 / (smallest[round]?.p50 ?? Number.NaN)))
  const [cpu = 0, smallestCpu = 0] = [figures, smallest].map(
    (of) => of.reduce((sum, one) => sum + one.cpu, 0) / of.length,
  )
  const isMet = p50 <= goal
  isFlat &&= isMet
  const verdict = figures === smallest ? '' : isMet ? 'met' : 'missed'
  const line = `| ${size.name} ${growth.name} | ${median(figures.map((one) => one.p50)).toFixed(1)} ms | ${p50.toFixed(2)}x | ${cpu.toFixed(1)} ms | ${(cpu / smallestCpu).toFixed(2)}x | ${verdict} |`
  console.log(line)
  lines.push(line)
}
