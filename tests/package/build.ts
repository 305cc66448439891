import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildAskback } from '../../scripts/build/askback.ts'
import { buildAskbackLocal } from '../../scripts/build/askback-local.ts'
import { project } from '../../support/stack.ts'

/** What a package is made from, besides `sources` of its own. */
const ofBoth = ['client', 'scripts/build', 'shared', 'web', 'package-lock.json', 'LICENSE']

/** Set-up of vitest: builds the packages, for tests that find them in `ASKBACK_TEST_PACKAGE` and `ASKBACK_TEST_LOCAL_PACKAGE`. */
export default async function build(): Promise<void> {
  process.env.ASKBACK_TEST_PACKAGE = await built(
    'askback-package',
    [
      'cli',
      'supabase',
      'local/integrations',
      'scripts/new-integration',
      'support/integration-database.ts',
      'support/integration-faults.ts',
      'support/integration-suite.ts',
      'support/quiet-port.ts',
      'support/scripted-provider.ts',
      'CHANGELOG.md',
    ],
    buildAskback,
  )
  process.env.ASKBACK_TEST_LOCAL_PACKAGE = await built('askback-local-package', ['local'], buildAskbackLocal)
}

/** The folder of a package, made anew only if its sources have changed. Its dependencies are those of this repository. */
async function built(
  name: string,
  sources: readonly string[],
  make: (target: string) => Promise<void>,
): Promise<string> {
  const cache = join(project, 'node_modules/.cache', name)
  const hash = createHash('sha256')
  for (const source of [...sources, ...ofBoth]) addToHash(hash, join(project, source))
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  rmSync(cache, { recursive: true, force: true })
  const draft = `${folder}.${process.pid}`
  await make(draft)
  renameSync(draft, folder)
  return folder
}

function addToHash(hash: ReturnType<typeof createHash>, path: string): void {
  hash.update(path)
  if (!statSync(path).isDirectory()) {
    hash.update(readFileSync(path))
    return
  }
  for (const name of readdirSync(path).sort()) addToHash(hash, join(path, name))
}
