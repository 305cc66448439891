import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The Deno of the package askback-local in a project, else the one that is installed on the machine, if there is one. */
export function findDeno(project: string): string {
  const libc = process.platform === 'linux' ? '-glibc' : ''
  try {
    const local = createRequire(join(project, 'package.json')).resolve('askback-local/package.json')
    const require = createRequire(realpathSync(local))
    const folder = dirname(require.resolve(`@deno/${process.platform}-${process.arch}${libc}/package.json`))
    return join(folder, process.platform === 'win32' ? 'deno.exe' : 'deno')
  } catch {
    return 'deno'
  }
}

export const howToInstall = 'It comes with the package askback-local, or from https://deno.com.'
