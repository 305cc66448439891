import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../process/start-error.ts'

/** The Deno that npm installed for this platform; not its `bin` script, which would be one more process to end. */
export function findDeno(): string {
  const libc = process.platform === 'linux' ? '-glibc' : ''
  const name = `@deno/${process.platform}-${process.arch}${libc}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const path = join(folder, process.platform === 'win32' ? 'deno.exe' : 'deno')
    if (existsSync(path)) return path
  } catch {
    // Told below.
  }
  throw new StartError(
    `npm has no Deno for ${process.platform} on ${process.arch} here (${name} is not installed). Run npm ci again without --omit=optional.`,
  )
}
