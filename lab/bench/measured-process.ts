import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readKeys } from '../../local/data-directory/keys.ts'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { makeFunctionEnvironment } from '../../local/functions/environment.ts'
import type { TestStack } from '../../support/stack.ts'

/** A function in a process of its own, with the memory of a hosted one, on a stack's database. Linux only. */
export interface MeasuredProcess {
  /** Base URL: its paths begin with the function's name. */
  url: string
  pid: number
  /** CPU time so far, in ms. */
  cpu(): number
  /** Bytes of heap and external memory: the highest since the last call, and now. */
  memory(): Promise<{ peak: number; now: number }>
  stop(): void
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const script = fileURLToPath(new URL('measured-function.ts', import.meta.url))
/** MB of an isolate on Supabase. */
const hostedMemory = 256

/** Starts the function at `entry`, beside which its deno.json is. `model`: the settings of its model. */
export async function startMeasured(
  stack: TestStack,
  entry: string,
  model: Readonly<Record<string, string>>,
  { flags = [] }: { flags?: readonly string[] } = {},
): Promise<MeasuredProcess> {
  const child = spawn(
    findDeno(),
    [
      'run',
      '--quiet',
      '--no-prompt',
      '--no-lock',
      '--cached-only',
      '--node-modules-dir=manual',
      `--v8-flags=--max-heap-size=${hostedMemory}`,
      `--config=${join(dirname(entry), 'deno.json')}`,
      '--allow-all',
      ...flags,
      script,
      pathToFileURL(entry).href,
    ],
    {
      env: {
        PATH: process.env.PATH,
        ...makeFunctionEnvironment({
          environment: {},
          model,
          url: stack.url,
          databaseUrl: stack.databaseUrl,
          keys: readKeys(stack.dataDirectory),
          authorityFile: join(stack.dataDirectory, 'inbox-authority.pem'),
          denoDirectory: join(tmpdir(), 'deno-measured'),
        }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (/^\d+$/.test(line)) resolve(Number(line))
    })
    child.once('close', (code) => reject(new Error(`${entry} ended with ${code}.`)))
  })
  const url = `http://127.0.0.1:${port}`
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    cpu() {
      const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
      const [user, system] = fields.split(' ').slice(11, 13).map(Number)
      return (((user ?? 0) + (system ?? 0)) / ticksPerSecond) * 1000
    },
    memory: async () => await (await fetch(`${url}/measured`)).json(),
    stop: () => void child.kill('SIGTERM'),
  }
}
