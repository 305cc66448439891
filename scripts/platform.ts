import { spawn } from 'node:child_process'
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

/** Deno as hosted Supabase has it (2.1.14); npm has it here for Linux on x64 alone. */
export const hostedDeno = join(root, 'node_modules/deno-hosted/deno')
