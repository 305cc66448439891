import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How to run one edge function. */
export interface FunctionSource {
  /** Path of the file that serves requests. */
  entry: string
  /** Arguments of `deno run` for a new process, besides those of every function. */
  flags(): readonly string[]
  /** Requests need a valid token: the gateway checks it, as on Supabase. */
  verifiesJwt: boolean
}

/** The edge functions of a folder. */
export interface FunctionSources {
  names(): string[]
  /** Undefined: there is no such function. */
  find(name: string): FunctionSource | undefined
}

/**
 * The functions of this repository: `NAME/index.ts` with the `deno.json` that maps its imports beside it. Their packages
 * are those that npm installed, and they verify tokens themselves.
 */
export function ownFunctions(directory: string, readable: readonly string[]): FunctionSources {
  const entryOf = (name: string) => join(directory, name, 'index.ts')
  return {
    names: () =>
      existsSync(directory) ? readdirSync(directory).filter((name) => existsSync(entryOf(name))) : [],
    find(name) {
      const entry = entryOf(name)
      if (!existsSync(entry)) return undefined
      const flags = () => [
        '--cached-only',
        '--node-modules-dir=manual',
        `--config=${join(directory, name, 'deno.json')}`,
        `--allow-read=${[directory, ...readable].join(',')}`,
      ]
      return { entry, flags, verifiesJwt: false }
    },
  }
}
