import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const home = join(root, 'node_modules/.cache/home')

/** The environment of commands: what they would keep in the home folder stays in node_modules. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  HOME: home,
  USERPROFILE: home,
  XDG_CACHE_HOME: join(home, '.cache'),
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local/share'),
  XDG_STATE_HOME: join(home, '.local/state'),
  DENO_DIR: join(home, '.cache/deno'),
  npm_config_cache: join(home, '.npm'),
  // The npm registry stays the user's choice.
  npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
}

/**
 * Runs a command in the checkout, shows its output, and resolves to its exit code (1 if a signal ended it).
 * `env` is added to `environment`.
 */
export function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...environment, ...env } })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** The same for commands that run in parallel: the output is returned at the end. A command that hangs is killed. */
export function runAside(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, ...env },
      timeout: 12 * 60_000,
    })
    let output = ''
    const add = (chunk: string) => {
      output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', add)
    child.stderr.setEncoding('utf8').on('data', add)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** A command that `npm ci` installed. */
export function installed(command: string): string {
  return join(root, 'node_modules', '.bin', command)
}

/** The Deno version of hosted Supabase (2.1.14); package.json has it for Linux on x64 only. */
export const hostedDeno = join(root, 'node_modules/deno-hosted/deno')
