import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isEnding } from '../process/running-process.ts'
import type { Environment } from '../settings/settings.ts'
import type { FunctionSource } from './function-source.ts'

/** A running edge function. */
export interface FunctionProcess {
  pid: number
  /** The loopback port it listens on. */
  port: number
  /** Resolves when it has ended, for whatever reason: to the signal, if it was one. */
  ended: Promise<NodeJS.Signals | null>
  /** It may still accept connections, but will not respond. */
  isEnding(): boolean
  kill(): void
  /** Ends it once all its work is done, background work included. It must get no more requests. */
  retire(): void
  /** Tells it that the client of an open request has disconnected. */
  tellGone(requestId: string): void
}

export interface FunctionOptions {
  name: string
  source: FunctionSource
  deno: string
  /** The program that runs it; the one of this folder by default. */
  bootstrap?: string | undefined
  environment: Environment
  /** Ends it. */
  signal: AbortSignal
}

export const ownBootstrap = fileURLToPath(new URL('bootstrap.ts', import.meta.url))
const startTimeoutMs = 30_000
/** A warning of Deno 2.9 for every function that uses `request.signal`; nothing can be done about it. */
const signalWarning = 'Deno.serve: request.signal aborts on successful responses'

/**
 * Starts it and waits until it listens.
 * @throws {Error} with its own message when it does not start
 */
export async function startFunction(options: FunctionOptions): Promise<FunctionProcess> {
  const { name, source, deno, bootstrap = ownBootstrap, environment, signal } = options
  const mark = `${randomUUID()} `
  const child = spawn(
    deno,
    [
      'run',
      '--quiet',
      '--no-prompt',
      '--no-lock',
      ...source.flags(),
      '--allow-net',
      '--allow-env',
      '--allow-sys',
      bootstrap,
      mark,
      pathToFileURL(source.entry).href,
    ],
    { env: environment, stdio: ['pipe', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' },
  )
  // It may end before it reads anything.
  child.stdin.on('error', () => {})
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_, signal) => resolve(signal)),
  )
  let firstError = ''
  createInterface(child.stderr).on('line', (line) => {
    if (line.startsWith(signalWarning)) return
    firstError ||= /^error: (.*)/.exec(line)?.[1] ?? ''
    console.error(`[${name}] ${line}`)
  })
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`it did not listen within ${startTimeoutMs / 1000} s`))
    }, startTimeoutMs)
    createInterface(child.stdout).on('line', (line) => {
      if (!line.startsWith(mark)) return console.log(`[${name}] ${line}`)
      clearTimeout(timer)
      resolve(Number(line.slice(mark.length)))
    })
    child.on('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(firstError || `it ended with ${signal ?? `exit code ${code}`}`))
    })
  })
  const pid = child.pid ?? 0
  return {
    pid,
    port,
    ended,
    isEnding: () => isEnding(pid),
    kill: () => child.kill('SIGKILL'),
    retire: () => child.stdin.write('\n'),
    tellGone: (requestId) => child.stdin.write(`${requestId}\n`),
  }
}
