import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildAskback } from '../../scripts/build/askback.ts'
import { project } from '../support/stack.ts'

/** What the package is made from. */
const sources = [
  'cli',
  'client',
  'scripts/build',
  'shared',
  'supabase',
  'web',
  'package-lock.json',
  'LICENSE',
]

/**
 * Set-up of vitest: builds the package unless it has been built from the same sources, for tests that find it in
 * `ASKBACK_TEST_PACKAGE`.
 */
export default async function build(): Promise<void> {
  const cache = join(project, 'node_modules/.cache/askback-package')
  const hash = createHash('sha256')
  for (const source of sources) addToHash(hash, join(project, source))
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  process.env.ASKBACK_TEST_PACKAGE = folder
  if (existsSync(folder)) return
  rmSync(cache, { recursive: true, force: true })
  const draft = `${folder}.${process.pid}`
  await buildAskback(draft)
  renameSync(draft, folder)
}

function addToHash(hash: ReturnType<typeof createHash>, path: string): void {
  hash.update(path)
  if (!statSync(path).isDirectory()) {
    hash.update(readFileSync(path))
    return
  }
  for (const name of readdirSync(path).sort()) addToHash(hash, join(path, name))
}
