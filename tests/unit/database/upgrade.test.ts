import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compareUpgrade, findChangedMigrations } from '../../../scripts/compare-upgrade.ts'
import { compareDatabases, describeDatabase } from '../../../scripts/describe-database.ts'
import { supabaseDirectory } from '../../../support/database.ts'
import { useDatabase } from '../../../support/use-database.ts'

describe('a database that was upgraded', () => {
  let released: string
  let current: string

  beforeEach(() => {
    released = makeRelease()
    current = makeRelease()
  })
  afterEach(() => {
    for (const folder of [released, current]) rmSync(folder, { recursive: true, force: true })
  })

  test('lacks what was changed in a released migration', async () => {
    write(current, releasedFile, greeting('Good morning'))
    expect(await compareUpgrade(released, current)).toEqual([
      `function askback.greeting() differs: "AS $function$select 'Hello'$function$" in the upgraded database, "AS $function$select 'Good morning'$function$" in a new one.`,
    ])
  })

  test('has what a new migration redefines', async () => {
    write(current, newFile, greeting('Good morning', 'create or replace'))
    expect(await compareUpgrade(released, current)).toEqual([])
  })

  test('keeps what a released migration made that was removed', async () => {
    rmSync(join(current, 'migrations', releasedFile))
    expect(await compareUpgrade(released, current)).toEqual([
      'function askback.greeting() is only in the upgraded database.',
    ])
  })
})

const releasedFile = '29990101000000_greeting.sql'
const newFile = '29990102000000_better_greeting.sql'

test('a released migration that is gone or changed, even in a comment, is named', () => {
  const released = makeRelease()
  const current = makeRelease()
  try {
    expect(findChangedMigrations(released, current)).toEqual([])
    write(current, releasedFile, `${greeting('Hello')}\n-- A remark.`)
    write(released, '29990103000000_more.sql', 'select 1')
    expect(findChangedMigrations(released, current)).toEqual([
      `${releasedFile} was released, and has changed since.`,
      '29990103000000_more.sql was released, and is missing.',
    ])
  } finally {
    for (const folder of [released, current]) rmSync(folder, { recursive: true, force: true })
  }
})

function makeRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'askback-release-'))
  cpSync(join(supabaseDirectory, 'migrations'), join(folder, 'migrations'), { recursive: true })
  write(folder, releasedFile, greeting('Hello'))
  return folder
}

function write(folder: string, file: string, text: string): void {
  writeFileSync(join(folder, 'migrations', file), text)
}

function greeting(words: string, create = 'create'): string {
  return `${create} function askback.greeting() returns text language sql as $$select '${words}'$$`
}

describe('the description of a database', () => {
  const { database } = useDatabase()

  test.each([
    ['a column', 'alter table askback.runs add column more text', 'column runs.more'],
    ['a default', "alter table askback.runs alter column status set default 'stopped'", 'column runs.status'],
    [
      'a constraint',
      'alter table askback.files drop constraint files_size_check',
      'constraint files_size_check',
    ],
    ['an index', 'drop index askback.runs_cut', 'index runs_cut'],
    [
      'a policy',
      'drop policy "owners read their runs" on askback.runs',
      'policy owners read their runs on runs',
    ],
    ['row level security', 'alter table askback.runs disable row level security', 'table runs'],
    ['a trigger', 'alter table askback.agents disable trigger touch_updated_at', 'trigger touch_updated_at'],
    ['rights on a table', 'grant insert on askback.runs to authenticated', 'table runs'],
    [
      'rights on a column',
      'grant select (content) on askback.files to authenticated',
      'column files.content',
    ],
    ['rights on the schema', 'grant usage on schema askback to anon', 'schema askback'],
    [
      'rights on a function',
      'grant execute on function askback_private.due_runs(integer) to public',
      'function askback_private.due_runs',
    ],
    [
      'a search path',
      'alter function askback_private.due_runs(integer) reset search_path',
      'function askback_private.due_runs',
    ],
    [
      'a definer',
      'alter function askback_private.due_runs(integer) security definer',
      'function askback_private.due_runs',
    ],
    [
      'a volatility',
      'alter function askback_private.due_runs(integer) stable',
      'function askback_private.due_runs',
    ],
    [
      'a view',
      'alter view askback.tool_execution_errors reset (security_invoker)',
      'view tool_execution_errors',
    ],
    [
      'default rights',
      'alter default privileges in schema askback grant select on tables to anon',
      'default rights',
    ],
    ['the catalogue', "delete from askback.tools where name = 'web_search'", 'row web_search of tools'],
  ])('tells of a change of %s', async (_, statement, name) => {
    const before = await describeDatabase(database.sql)
    const rolledBack = new Error('rolled back')
    let differences: string[] = []
    await database.sql
      .begin(async (transaction) => {
        await transaction.unsafe(statement)
        differences = compareDatabases(await describeDatabase(transaction), before)
        throw rolledBack
      })
      .catch((error) => expect(error).toBe(rolledBack))
    expect(differences).toHaveLength(1)
    expect(differences[0]).toContain(name)
    expect(compareDatabases(await describeDatabase(database.sql), before)).toEqual([])
  })
})
