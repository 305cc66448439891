import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from './data-directory.ts'

/** `stack.json`: what tests and scripts need to know about a running stack. */
export interface StackFile {
  url: string
  publishableKey: string
  secretKey: string
  databaseUrl: string
  demoUser: { email: string; password: string }
  smtp: { host: string; port: number; user: string; password: string }
  /** Process ids by name: `stack` (the one to signal), `postgres` if we started it, and each running function. */
  pids: Record<string, number>
}

/** The file is created by the first write and removed by `close`. */
export function openStackFile(directory: string): { write(content: StackFile): void; close(): void } {
  const path = join(directory, 'stack.json')
  let open = true
  return {
    write(content) {
      // The directory may have been deleted while the stack runs.
      if (open && existsSync(directory)) writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`)
    },
    close() {
      open = false
      rmSync(path, { force: true })
    },
  }
}
