import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ReceivedMail, SmtpScript } from './smtp-server.ts'

/** A scripted mail server in another process. */
export interface RemoteSmtpServer {
  port: number
  /** PEM of the authority that signed its certificate. */
  authority: string
  inspect(): Promise<{ mails: ReceivedMail[]; commands: string[]; connections: number }>
}

export interface SmtpProcess {
  start(script?: SmtpScript): Promise<RemoteSmtpServer>
}

/**
 * Starts a Node process that runs scripted mail servers, for tests under Deno. It ends when its input does, that
 * is with the process that started it (Deno 2.1 has no `after` to stop it in).
 */
export function startSmtpProcess(): SmtpProcess {
  const program = fileURLToPath(new URL('./smtp-server-process.ts', import.meta.url))
  const loader = new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url).href
  const child = spawn('node', ['--import', loader, program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, (answer: never) => void>()
  let lastId = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line)
    waiting.get(answer.id)?.(answer as never)
    waiting.delete(answer.id)
  })
  const ask = <T>(question: object): Promise<T> =>
    new Promise((resolve) => {
      const id = ++lastId
      waiting.set(id, resolve as (answer: never) => void)
      child.stdin.write(`${JSON.stringify({ id, ...question })}\n`)
    })
  return {
    async start(script = {}) {
      const { port, authority } = await ask<{ port: number; authority: string }>({ start: script })
      return { port, authority, inspect: () => ask({ inspect: port }) }
    },
  }
}
