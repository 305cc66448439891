import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from './data-directory.ts'

/** `stack.json`: what a test or a script needs to know about a running stack. */
export interface StackFile {
  url: string
  publishableKey: string
  secretKey: string
  databaseUrl: string
  demoUser: { email: string; password: string }
  smtp: { host: string; port: number; user: string; password: string }
  /** Processes by name: `stack` (the one to signal), `postgres` if it is ours, and each running function. */
  pids: Record<string, number>
}

export function writeStackFile(directory: string, content: StackFile): void {
  writePrivateFile(join(directory, 'stack.json'), `${JSON.stringify(content, null, 2)}\n`)
}

export function removeStackFile(directory: string): void {
  rmSync(join(directory, 'stack.json'), { force: true })
}
