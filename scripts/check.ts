/**
 * `npm run check`: the static checks. All of them run even if one fails; the exit code is 1 if any failed.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDeno } from '../local/functions/deno-binary.ts'
import { installed, root, runAside } from './platform.ts'

/** Only functions with their own pins: others that a team may have here are not ours to check. */
const functionNames = (await readdir(join(root, 'supabase/functions'))).filter((name) =>
  ['index.ts', 'deno.json'].every((file) => existsSync(join(root, 'supabase/functions', name, file))),
)

interface Outcome {
  code: number
  output: string
}

const command =
  (name: string, ...words: string[]) =>
  () =>
    runAside(installed(name), words)

const checks: [name: string, check: () => Promise<Outcome>][] = [
  ['regular expressions that meet outside text', checkExpressions],
  ['types as Deno sees them', checkTypesInDeno],
  ['types of the product', command('tsc', '-p', 'tsconfig.json')],
  ['types of the engine without any platform', command('tsc', '-p', 'shared/engine/tsconfig.json')],
  ['types of the web app and its client', command('tsc', '-p', 'web/tsconfig.json')],
  ['arguments of the RPCs are fresh', command('tsx', 'scripts/types.ts', '--check')],
  ['upgrade from the newest release', command('tsx', 'scripts/upgrade-check.ts')],
  ['biome', command('biome', 'ci', '.')],
  ['unused files, exports and dependencies', command('knip')],
  ['deploy dry run', command('tsx', 'scripts/deploy-check.ts')],
  ['types of the package askback', checkPackage],
  ['circles of folders', command('tsx', 'scripts/folder-circles.ts')],
  ['catalog is fresh', command('tsx', 'scripts/integrations.ts', '--check')],
  ['description of the API is fresh and valid', command('tsx', 'scripts/api.ts', '--check')],
  ['pins', checkPins],
  ['lockfile', checkLockfile],
]

const failed: string[] = []
/** Each worker takes the next check; the longest come first. */
async function work(): Promise<void> {
  for (const [name, check] of waiting) {
    const { code, output } = await check()
    console.log(`\n${name}\n${output}`.trimEnd())
    if (code !== 0) failed.push(name)
  }
}
const waiting = checks.values()
await Promise.all(Array.from({ length: availableParallelism() }, work))
console.log(failed.length === 0 ? `\n${checks.length} checks passed` : `\nfailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** All in one run, because they share most of their code. */
function checkTypesInDeno(): Promise<Outcome> {
  const entries = functionNames.map((name) => `supabase/functions/${name}/index.ts`)
  entries.push('scripts/new-integration/tasks-api/actions.ts')
  const words = ['check', '--node-modules-dir=manual', '--config=deno.json', ...entries]
  return runAside(findDeno(), words, { DENO_NO_UPDATE_CHECK: '1' })
}

/** Whether every way of loading the built package finds its types. */
async function checkPackage(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'askback-package-'))
  const built = await runAside(installed('tsx'), ['scripts/build.ts', folder])
  if (built.code !== 0) return built
  const words = ['--pack', join(folder, 'askback'), '--profile', 'esm-only', '--format', 'table-flipped']
  const outcome = await runAside(installed('attw'), words)
  await rm(folder, { recursive: true })
  return outcome
}

/** The same version of a package everywhere: package.json, the top-level deno.json, each function's deno.json. */
async function checkPins(): Promise<Outcome> {
  const pins: Record<string, string> = {}
  const packages = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  Object.assign(pins, packages.devDependencies, packages.dependencies)
  const faults: string[] = []
  for (const file of ['deno.json', ...functionNames.map((name) => `supabase/functions/${name}/deno.json`)]) {
    const imports: Record<string, string> = JSON.parse(await readFile(join(root, file), 'utf8')).imports
    for (const [name, target] of Object.entries(imports)) {
      const match = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)/.exec(target)
      if (match && pins[match[1] ?? ''] === match[2]) continue
      faults.push(
        `${file} maps ${name} to ${target}; package.json has ${match ? pins[match[1] ?? ''] : 'no such package'}.`,
      )
    }
  }
  return { code: faults.length > 0 ? 1 : 0, output: faults.join('\n') }
}

function checkExpressions(): Promise<Outcome> {
  return runAside(installed('tsx'), [
    'scripts/slow-expressions.ts',
    'local',
    'supabase',
    'shared/integrations',
  ])
}

/** The lockfile must name no registry, so that it works with any mirror. */
async function checkLockfile(): Promise<Outcome> {
  const text = await readFile(join(root, 'package-lock.json'), 'utf8')
  if (!/"resolved":\s*"http/.test(text)) return { code: 0, output: '' }
  const output = 'package-lock.json holds registry addresses: remove node_modules and run npm install again.'
  return { code: 1, output }
}
