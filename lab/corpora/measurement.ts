import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** One line of the table: what was aimed at, what was measured. Without a goal it is an observation. */
export interface Measurement {
  name: string
  /** `>= 98 %`, `0`, `< 20 µs`. */
  goal?: string
  /** As printed. */
  value: string
  hits: number
  total: number
  /** Cases that missed, for `--missed`. */
  missed?: string[]
}

/** How many of some cases did what they should. */
export class Tally {
  private readonly counts = new Map<string, { hits: number; total: number; missed: string[] }>()

  add(name: string, hit: boolean, label: string): void {
    const count = this.counts.get(name) ?? { hits: 0, total: 0, missed: [] }
    count.total++
    if (hit) count.hits++
    else count.missed.push(label)
    this.counts.set(name, count)
  }

  /** A share, as `99.1 %`; without a goal it is only observed. */
  share(name: string, goal?: string): Measurement {
    const { hits, total, missed } = this.counts.get(name) ?? { hits: 0, total: 0, missed: [] }
    const value = total === 0 ? 'no case' : `${((100 * hits) / total).toFixed(1)} %`
    return { name, goal, value, hits, total, missed }
  }

  /** The number of cases that missed, where none may. */
  failures(name: string): Measurement {
    const { hits, total, missed } = this.counts.get(name) ?? { hits: 0, total: 0, missed: [] }
    return { name, goal: '0', value: String(total - hits), hits, total, missed }
  }
}

/** True when the measured value reaches its goal, or has none. */
export function reaches({ goal, value }: Measurement): boolean {
  if (goal === undefined) return true
  const target = Number.parseFloat(goal.replace(/[^\d.]/g, ''))
  const measured = Number.parseFloat(value)
  if (Number.isNaN(measured)) return false
  if (goal.startsWith('>=')) return measured >= target
  if (goal.startsWith('<=')) return measured <= target
  if (goal.startsWith('<')) return measured < target
  return measured === target
}

/** The cases of a corpus: the first file in `dir` whose name begins so, JSON or JSON lines, gzipped or not. */
export async function readCases<T>(dir: string, name: string): Promise<T[]> {
  const folder = join(dir, name, '..')
  const prefix = name.split('/').at(-1) ?? name
  const file = (await readdir(folder)).sort().find((entry) => entry.startsWith(prefix))
  if (file === undefined) throw new Error(`There is no file ${name}* in ${dir}.`)
  const bytes = await readFile(join(folder, file))
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  if (!file.includes('.jsonl')) return JSON.parse(text) as T[]
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}
