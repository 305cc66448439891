/**
 * `npm run check`: everything that is checked without running the product. Every check runs, so that one
 * fault does not hide another; the exit code is 1 when any failed.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findDeno } from '../local/functions/deno-binary.ts'
import { installed, root, run } from './platform.ts'

/** Those with pins of their own: what a team keeps beside them is not ours to check. */
const functionNames = (await readdir(join(root, 'supabase/functions'))).filter((name) =>
  ['index.ts', 'deno.json'].every((file) => existsSync(join(root, 'supabase/functions', name, file))),
)

const denoCheck = (path: string) => () =>
  run(findDeno(), ['check', '--node-modules-dir=manual', '--config=deno.json', path], {
    DENO_NO_UPDATE_CHECK: '1',
  })

const checks: [name: string, check: () => Promise<number>][] = [
  ['biome', () => run(installed('biome'), ['ci', '.'])],
  ['types of the product', () => run(installed('tsc'), ['-p', 'tsconfig.json'])],
  [
    'types of the engine without any platform',
    () => run(installed('tsc'), ['-p', 'shared/engine/tsconfig.json']),
  ],
  ['types of the web app and its client', () => run(installed('tsc'), ['-p', 'web/tsconfig.json'])],
  ...functionNames.map((name): [string, () => Promise<number>] => [
    `deno check of ${name}`,
    denoCheck(`supabase/functions/${name}/index.ts`),
  ]),
  ['deno check of a new integration', denoCheck('scripts/new-integration/weather-api/actions.ts')],
  ['circles of folders', () => run(installed('tsx'), ['scripts/folder-circles.ts'])],
  ['pins', checkPins],
  ['lockfile', checkLockfile],
  ['regular expressions that meet outside text', checkExpressions],
  ['deploy dry run', () => run(installed('tsx'), ['scripts/deploy-check.ts'])],
  ['catalogue is fresh', () => run(installed('tsx'), ['scripts/integrations.ts', '--check'])],
  ['database types are fresh', () => run(installed('tsx'), ['scripts/types.ts', '--check'])],
]

const failed: string[] = []
for (const [name, check] of checks) {
  console.log(`\n${name}`)
  if ((await check()) !== 0) failed.push(name)
}
console.log(failed.length === 0 ? `\n${checks.length} checks passed` : `\nfailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** The same version of a package everywhere: package.json, the top-level deno.json, each function's deno.json. */
async function checkPins(): Promise<number> {
  const pins: Record<string, string> = {}
  const packages = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  Object.assign(pins, packages.devDependencies, packages.dependencies)
  let code = 0
  for (const file of ['deno.json', ...functionNames.map((name) => `supabase/functions/${name}/deno.json`)]) {
    const imports: Record<string, string> = JSON.parse(await readFile(join(root, file), 'utf8')).imports
    for (const [name, target] of Object.entries(imports)) {
      const match = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)/.exec(target)
      if (match && pins[match[1] ?? ''] === match[2]) continue
      console.error(
        `${file} maps ${name} to ${target}; package.json has ${match ? pins[match[1] ?? ''] : 'no such package'}.`,
      )
      code = 1
    }
  }
  return code
}

function checkExpressions(): Promise<number> {
  return run(installed('tsx'), ['scripts/slow-expressions.ts', 'local', 'supabase', 'shared/integrations'])
}

/** The lockfile names no registry, so that it works behind any mirror. */
async function checkLockfile(): Promise<number> {
  const text = await readFile(join(root, 'package-lock.json'), 'utf8')
  if (!/"resolved":\s*"http/.test(text)) return 0
  console.error('package-lock.json holds registry addresses: remove node_modules and run npm install again.')
  return 1
}
