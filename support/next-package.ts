import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageMigrations } from '../scripts/build/packaged-migrations.ts'
import { schemaVersion } from '../shared/server/version.ts'
import { builtPackage } from './askback-command.ts'
import { copyCheckout } from './checkout-copy.ts'

/** The version of the package that follows this one. */
export const nextVersion = '99.0.0'
export const nextSchema = schemaVersion + 1

const migration = `
create or replace function askback.version() returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('schema', ${nextSchema}, 'accepts', jsonb_build_array(${schemaVersion}, ${nextSchema}))
$$;
alter table askback.conversations add column colour text not null default 'blue';
`

/** Makes the package as it will be with one more migration and code of that version, in a new folder. */
export async function makeNextPackage(): Promise<string> {
  const target = mkdtempSync(join(tmpdir(), 'askback-next-'))
  const sources = copyCheckout()
  cpSync(builtPackage(), target, { recursive: true })
  const manifest = join(target, 'package.json')
  const text = readFileSync(manifest, 'utf8').replace(/"version": "[^"]+"/, `"version": "${nextVersion}"`)
  writeFileSync(manifest, text)
  writeFileSync(
    join(target, 'CHANGELOG.md'),
    `# Changelog\n\n## ${nextVersion}\n\n- Conversations have colours.\n`,
  )
  writeFileSync(
    join(sources, 'shared/server/version.ts'),
    `export const version = '${nextVersion}'\nexport const schemaVersion = ${nextSchema}\n`,
  )
  writeFileSync(join(sources, 'supabase/migrations/29990101000000_colours.sql'), migration)
  const next = packageMigrations(join(sources, 'supabase/migrations')).at(-1) ?? ''
  writeFileSync(join(target, `migrations/${nextSchema}.sql`), next)
  const bundle = `import { bundleFunctions } from './scripts/build/functions.ts'
    await bundleFunctions(${JSON.stringify(join(target, 'functions'))}, new Set())`
  await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', bundle], {
    cwd: sources,
  })
  rmSync(sources, { recursive: true })
  return target
}
