import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../process/start-error.ts'

const { platform, arch } = process
const binaryPackage = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`

/** The Deno binary that npm installed for this platform; its `bin` script would be one more process to end. */
export function findDeno(): string {
  const path = findDenoFrom(import.meta.url)
  if (path) return path
  throw new StartError(
    `npm has not installed Deno for ${platform} on ${arch} (${binaryPackage} is missing). Run npm ci again without --omit=optional.`,
  )
}

/** The same, of the package that a file is in. */
export function findDenoFrom(file: string): string | undefined {
  try {
    const folder = dirname(createRequire(file).resolve(`${binaryPackage}/package.json`))
    const path = join(folder, platform === 'win32' ? 'deno.exe' : 'deno')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
