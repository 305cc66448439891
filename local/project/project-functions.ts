import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join } from 'node:path'
import type { Keys } from '../data-directory/keys.ts'
import { ownBootstrap } from '../functions/function-process.ts'
import type { FunctionSources } from '../functions/function-source.ts'
import type { Project } from '../settings/project.ts'
import { type FunctionConfig, functionDefaults } from '../settings/project-config.ts'
import type { Environment } from '../settings/settings.ts'
import { findMapFile, makeImportMap } from './import-map.ts'

const scripts = new Set(['.ts', '.tsx', '.js', '.jsx', '.mjs', '.mts'])

/**
 * The functions of somebody's project, as the Supabase CLI finds them: the folders with an `index.ts`, and those that
 * `config.toml` names, except the ones it disables. Their packages come from npm into Deno's own cache.
 */
export function projectFunctions({ directory, config }: Project, dataDirectory: string): FunctionSources {
  const supabase = join(directory, 'supabase')
  const functions = join(supabase, 'functions')

  const settingsOf = (name: string): FunctionConfig => config.functions[name] ?? functionDefaults
  const entryOf = (name: string): string =>
    join(supabase, settingsOf(name).entrypoint ?? join('functions', name, 'index.ts'))
  const isServed = (name: string): boolean => settingsOf(name).enabled && existsSync(entryOf(name))

  const flagsOf = (name: string): string[] => {
    const { import_map } = settingsOf(name)
    const named = import_map === undefined ? undefined : join(supabase, import_map)
    const mapFile = findMapFile(functions, join(functions, name), named)
    const map = join(dataDirectory, 'import-maps', `${name}.json`)
    mkdirSync(dirname(map), { recursive: true })
    writeFileSync(map, JSON.stringify(makeImportMap(mapFile, readSources(functions))))
    const isConfig = mapFile !== undefined && basename(mapFile).startsWith('deno.')
    return [
      isConfig ? `--config=${mapFile}` : '--no-config',
      `--import-map=${map}`,
      '--node-modules-dir=none',
      // As on Supabase: their own files, and a place for temporary ones. The keys of the stack stay out of reach.
      `--allow-read=${directory},${tmpdir()}`,
      `--deny-read=${dataDirectory}`,
      `--allow-write=${tmpdir()}`,
    ]
  }

  return {
    names() {
      const folders = existsSync(functions) ? readdirSync(functions) : []
      return [...new Set([...folders, ...Object.keys(config.functions)])].filter(isServed).sort()
    },
    find(name) {
      if (name === '' || !isServed(name)) return undefined
      return { entry: entryOf(name), flags: () => flagsOf(name), verifiesJwt: settingsOf(name).verify_jwt }
    },
  }
}

/** The code of all functions but ours, which is bundled and imports nothing. */
function readSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return /^(_askback|node_modules|\..*)$/.test(entry.name) ? [] : readSources(path)
    return scripts.has(extname(entry.name)) ? [readFileSync(path, 'utf8')] : []
  })
}

/** The program that runs a function, outside of `node_modules`, where Deno would take it for a part of a package. */
export function copyBootstrap(dataDirectory: string): string {
  const path = join(dataDirectory, 'bootstrap.ts')
  copyFileSync(ownBootstrap, path)
  return path
}

/** The keys that a project has for its functions take the place of the stack's own. */
export function keysOf(environment: Environment): Partial<Pick<Keys, 'credentialsKeys' | 'functionSecret'>> {
  const { ASKBACK_CREDENTIALS_KEYS: credentialsKeys, ASKBACK_FUNCTION_SECRET: functionSecret } = environment
  return { ...(credentialsKeys ? { credentialsKeys } : {}), ...(functionSecret ? { functionSecret } : {}) }
}
