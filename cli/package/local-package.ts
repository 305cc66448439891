import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { findDenoFrom } from '../../local/functions/deno-binary.ts'
import { Refusal } from '../command/refusal.ts'
import { version } from './package-folder.ts'

const name = 'askback-local'

/**
 * The folder of the package `askback-local`, of exactly the version of this one: from the project, else from the registry
 * in `ASKBACK_REGISTRY`. It is never taken from npm's own registry, where the name may belong to somebody else.
 * @throws {Refusal} when there is none
 */
export async function findLocalPackage(project: string): Promise<string> {
  const installed = findIn(project)
  if (installed) return requireVersion(installed)
  const registry = process.env.ASKBACK_REGISTRY
  if (registry) return installFrom(registry)
  throw new Refusal(
    `\`askback dev\` needs the package ${name} ${version} in the project: npm install --save-dev ./${name}-${version}.tgz. Or set ASKBACK_REGISTRY to the registry that has it.`,
  )
}

/** The Deno of `askback-local` in the project, else the one that is installed on the machine, if there is one. */
export function findProjectDeno(project: string): string {
  const local = findIn(project)
  return (local && findDenoFrom(join(local, 'package.json'))) ?? 'deno'
}

function findIn(folder: string): string | undefined {
  try {
    return dirname(createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

function requireVersion(folder: string): string {
  const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  if (found === version) return folder
  throw new Refusal(
    `The project has ${name} ${found}, and this is askback ${version}. Install the same version of both.`,
  )
}

/** Installed once for every version, in the user's cache. */
function installFrom(registry: string): string {
  if (!URL.canParse(registry))
    throw new Refusal(
      `ASKBACK_REGISTRY must be an address, such as https://registry.example.com, not "${registry}".`,
    )
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'askback', version)
  const installed = findIn(cache)
  if (installed) return requireVersion(installed)
  mkdirSync(cache, { recursive: true })
  if (!existsSync(join(cache, 'package.json')))
    writeFileSync(join(cache, 'package.json'), '{"private":true}\n')
  console.log(`Installing ${name} ${version} from ${registry} (about 160 MB, once)`)
  const words = [
    'install',
    `${name}@${version}`,
    '--registry',
    registry,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ]
  const { status } = spawnSync('npm', words, { cwd: cache, stdio: ['ignore', 'ignore', 'inherit'] })
  const folder = status === 0 ? findIn(cache) : undefined
  if (!folder)
    throw new Refusal(`${name} ${version} could not be installed from ${registry}; npm says why above.`)
  return requireVersion(folder)
}
