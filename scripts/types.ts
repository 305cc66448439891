/**
 * Writes `shared/server/database/database.types.ts` from the migrations, on a temporary database of its own.
 * With `--check` it writes nothing and fails if the file is stale.
 *
 * Only CLI 3 generates types without Docker; the CLI of package.json (2.117) does everything else. npx fetches
 * it from the npm registry at the first use.
 */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestDatabase } from '../tests/support/database.ts'
import { environment, installed, root } from './platform.ts'

const command = 'supabase@3.1.0'
const path = join(root, 'shared/server/database/database.types.ts')

const database = await startTestDatabase()
let types: string
try {
  types = format(generate(database.url))
} finally {
  await database.close()
}

if (!process.argv.includes('--check')) {
  await writeFile(path, types)
} else if (types !== (await readFile(path, 'utf8').catch(() => ''))) {
  console.error(
    'shared/server/database/database.types.ts does not fit the migrations: run `npx tsx scripts/types.ts`.',
  )
  process.exitCode = 1
}

function generate(url: string): string {
  const words = ['--yes', command, 'gen', 'types', `--remote=${url}`, '--schema=askback', '--lang=typescript']
  // Outside of the checkout, so that npx does not use the CLI version installed there.
  const output = execFileSync('npx', words, {
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, SUPABASE_TELEMETRY_DISABLED: '1' },
  })
  const start = output.indexOf('export type Json')
  if (start === -1) throw new Error(`${command} generated no types:\n${output}`)
  return output.slice(start)
}

/** Biome ignores the file itself, so the text is formatted under another name. */
function format(text: string): string {
  return execFileSync(installed('biome'), ['format', '--stdin-file-path=types.ts'], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    env: environment,
  })
}
