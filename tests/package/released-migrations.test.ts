import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { packageMigrations } from '../../scripts/build/packaged-migrations.ts'
import { schemaVersion } from '../../shared/server/version.ts'
import { builtPackage } from '../../support/askback-command.ts'
import { copyCheckout } from '../../support/checkout-copy.ts'
import { supabaseDirectory } from '../../support/database.ts'

const migrations = 'supabase/migrations'
const versionOf = (schema: number) =>
  `create or replace function askback.version() returns jsonb language sql immutable set search_path = '' as $$
    select jsonb_build_object('schema', ${schema}, 'accepts', jsonb_build_array(${schema - 1}, ${schema}))
  $$;\n`

describe('migrations that were released', () => {
  let copy: string
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
      cwd: copy,
      encoding: 'utf8',
    })
  beforeAll(() => {
    copy = copyCheckout()
    git('init', '-q')
    git('add', migrations)
    git('commit', '-qm', 'Begin')
  })
  afterAll(() => rmSync(copy, { recursive: true }))
  beforeEach(() => {
    git('checkout', '-q', '--', migrations)
    git('clean', '-qf', migrations)
  })

  const write = (file: string, text: string) => writeFileSync(join(copy, migrations, file), text)
  const check = async () => {
    const tsx = join(copy, 'node_modules/.bin/tsx')
    // The prepared database of this run of tests is not that of the copy.
    const { ASKBACK_TEST_FOLDER: _, ...env } = process.env
    return await promisify(execFile)(tsx, ['scripts/upgrade-check.ts'], { cwd: copy, env }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stderr }) => ({ code, said: stderr }),
    )
  }

  it('are none before the first tag', async () => {
    expect(await check()).toEqual({
      code: 0,
      said: 'There is no tag v* yet, so there is nothing to upgrade from.\n',
    })
  })

  describe('with a tag', () => {
    beforeAll(() => git('tag', 'v0.1.0'))

    it('are as they were', async () => {
      expect(await check()).toEqual({ code: 0, said: '' })
    })

    it('may not change', async () => {
      const first = '20261122000100_connections.sql'
      write(first, `${readFileSync(join(copy, migrations, first), 'utf8')}-- A remark.\n`)
      const { code, said } = await check()
      expect(code).toBe(1)
      expect(said).toMatch(`${first} was released, and has changed since.`)
    })

    it('get no successor within their version of the schema', async () => {
      write('29990101000000_better.sql', 'select 1;\n')
      const { code, said } = await check()
      expect(code).toBe(1)
      expect(said).toMatch('The first new one has to define askback.version() anew, as version 2.')
    })

    it('get successors in the next version', async () => {
      write('29990101000000_version.sql', versionOf(schemaVersion + 1))
      write('29990102000000_better.sql', 'select 1;\n')
      expect(await check()).toEqual({ code: 0, said: '' })
      expect(packageMigrations(join(copy, migrations)).slice(schemaVersion)).toEqual([
        `${versionOf(schemaVersion + 1)}\nselect 1;\n`,
      ])
    })
  })

  it('are in the package, one file for each version', () => {
    const texts = packageMigrations(join(supabaseDirectory, 'migrations'))
    expect(texts).toHaveLength(schemaVersion)
    for (const [index, text] of texts.entries())
      expect(readFileSync(join(builtPackage(), `migrations/${index + 1}.sql`), 'utf8')).toBe(text)
  })
})
