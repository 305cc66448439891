import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../process/start-error.ts'

/** The Deno binary that npm installed for this platform; its `bin` script would be one more process to end. */
export function findDeno(): string {
  const libc = process.platform === 'linux' ? '-glibc' : ''
  const name = `@deno/${process.platform}-${process.arch}${libc}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const path = join(folder, process.platform === 'win32' ? 'deno.exe' : 'deno')
    if (existsSync(path)) return path
  } catch {
    // Reported below.
  }
  throw new StartError(
    `npm has not installed Deno for ${process.platform} on ${process.arch} (${name} is missing). Run npm ci again without --omit=optional.`,
  )
}
