import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../scripts/platform.ts'

const words = ['run', '--quiet', '--allow-all', '--no-check', '--no-lock', '--no-config', '--no-code-cache']

/** What a probe had used up when it wrote its line. */
export interface Used {
  line: string
  /** Milliseconds since its process was started. */
  ms: number
  /** Milliseconds of processor time, of all threads. */
  cpu: number
}

/** Runs `probe.ts` on this Deno until it writes its line, and ends it. */
export async function runProbe(deno: string, ...args: string[]): Promise<Used> {
  const begun = performance.now()
  const probe = join(root, 'lab/dependencies/probe.ts')
  const child = spawn(deno, [...words, probe, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = await once(createInterface(child.stdout), 'line')
  const used = { line, ms: performance.now() - begun, cpu: processorTime(child) }
  child.kill('SIGKILL')
  await ended
  return used
}

/** In nanoseconds per thread (https://docs.kernel.org/scheduler/sched-stats.html). */
function processorTime({ pid }: ChildProcess): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1_000_000
}
