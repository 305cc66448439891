import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Runs a command in the checkout with its output shown, and resolves to its exit code (1 when a signal ended it).
 * `env` is added to ours.
 */
export function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** A command that `npm ci` installed. */
export function installed(command: string): string {
  return join(root, 'node_modules', '.bin', command)
}

/**
 * The Deno binary of an installed package: `deno` (what we run locally) or `deno-hosted` (what hosted
 * Supabase is compatible with). The npm shim is passed by: it costs 60 ms and orphans its child.
 */
export function denoBinary(packageName: 'deno' | 'deno-hosted' = 'deno'): string {
  const folder = realpathSync(join(root, 'node_modules', packageName))
  const require = createRequire(join(folder, 'package.json'))
  const names = [process.arch, `${process.arch}-glibc`].map((arch) => `@deno/${process.platform}-${arch}`)
  for (const name of names) {
    try {
      const binary = join(
        dirname(require.resolve(`${name}/package.json`)),
        process.platform === 'win32' ? 'deno.exe' : 'deno',
      )
      if (existsSync(binary)) return binary
    } catch {}
  }
  throw new Error(`No Deno binary for ${process.platform}-${process.arch} was installed: run npm ci again.`)
}
