import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { SimulatedFailure } from '../local/simulator/faults.ts'

/** The Gmail simulator in another process, with one account. */
export interface RemoteGmail {
  url: string
  plan(call: string, fault: SimulatedFailure): Promise<void>
  /** Puts a mail into the mailbox; answers its id. */
  deliver(raw: string): Promise<string>
  /** What was sent from there, as base64, the drafts that are there, and the calls since the last look. */
  inspect(): Promise<{ sent: { id: string; raw: string }[]; drafts: number; calls: string[] }>
}

/**
 * Starts a Node process that runs the simulator for `ada@example.com` with the token `token`, for tests under Deno. It
 * ends when its input does, that is with the process that started it (Deno 2.1 has no `after` to stop it in).
 */
export async function startGmailProcess(scopes: string[]): Promise<RemoteGmail> {
  const program = fileURLToPath(new URL('./gmail-server-process.ts', import.meta.url))
  const loader = new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url).href
  const child = spawn('node', ['--import', loader, program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: ((answer: never) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as never))
  const ask = <T>(question: object): Promise<T> =>
    new Promise((resolve) => {
      waiting.push(resolve as (answer: never) => void)
      child.stdin.write(`${JSON.stringify(question)}\n`)
    })
  const { url } = await ask<{ url: string }>({ scopes })
  return {
    url,
    plan: (call, fault) => ask({ plan: { call, fault } }),
    deliver: async (raw) => (await ask<{ id: string }>({ deliver: raw })).id,
    inspect: () => ask({ inspect: true }),
  }
}
