import { existsSync, rmSync } from 'node:fs'
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

/** Makes the file when it is first written, and removes it when it is closed. */
export function openStackFile(directory: string): { write(content: StackFile): void; close(): void } {
  const path = join(directory, 'stack.json')
  let open = true
  return {
    write(content) {
      // The directory may have been deleted under a running stack.
      if (open && existsSync(directory)) writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`)
    },
    close() {
      open = false
      rmSync(path, { force: true })
    },
  }
}
