import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Of a function that has just begun to serve. */
export interface Start {
  /** Milliseconds since its process was started. */
  ms: number
  /** Milliseconds of processor time, of all threads. */
  cpu: number
  /** MB of heap and external memory. */
  memory: number
}

/** Words of `deno` before the script. */
export const denoWords = [
  'run',
  '--quiet',
  '--allow-all',
  '--no-check',
  '--no-lock',
  '--no-config',
  '--cached-only',
]

/** Starts the bundle of a program on this Deno and ends it as soon as it serves. */
export async function measureStart(deno: string, probe: string, program: string): Promise<Start> {
  const begun = performance.now()
  const child = spawn(deno, [...denoWords, probe, program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = await once(createInterface(child.stdout), 'line')
  const start = {
    ms: performance.now() - begun,
    cpu: processorTime(child.pid ?? 0),
    memory: Number(line) / 1_000_000,
  }
  child.kill('SIGKILL')
  await ended
  return start
}

/** In nanoseconds per thread (https://docs.kernel.org/scheduler/sched-stats.html). */
function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1_000_000
}
