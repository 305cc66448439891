import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPortMemory } from '../../local/data-directory/port-memory.ts'
import type { Database } from '../../local/database/database.ts'
import { startEmbeddedPostgres } from '../../local/database/embedded-postgres.ts'
import { migrate } from '../../local/database/migrations.ts'
import { testPostgres } from '../../support/test-postgres.ts'

let folder: string
let database: Database
let sql: postgres.Sql

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'askback-test-'))
  const ports = openPortMemory(folder)
  database = await startEmbeddedPostgres({
    binaries: testPostgres(),
    dataDirectory: folder,
    password: 'secret',
    ports,
    onChange: () => {},
  })
  sql = postgres(database.adminUrl, { max: 1, onnotice: () => {} })
})
afterAll(async () => {
  await sql?.end()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})

let supabase: string
beforeEach(async () => {
  supabase = mkdtempSync(join(folder, 'supabase-'))
  mkdirSync(join(supabase, 'migrations'))
  await sql`drop schema if exists supabase_migrations cascade`
  await sql`drop table if exists public.notes`
})

const write = (name: string, text: string) => writeFileSync(join(supabase, name), text)
const notes = async () => (await sql`select text from public.notes order by text`).map(({ text }) => text)

describe('migrate', () => {
  it('applies each file once, in order, and tells the CLI so', async () => {
    write('migrations/20260101000000_notes.sql', 'create table public.notes (text text); -- a comment')
    write('migrations/20260102000000_first.sql', "insert into public.notes values ('first')")
    write('migrations/README.md', 'not a migration')
    await migrate(sql, supabase)
    await migrate(sql, supabase)
    expect(await notes()).toEqual(['first'])
    expect(
      await sql`select version, name from supabase_migrations.schema_migrations order by version`,
    ).toEqual([
      { version: '20260101000000', name: 'notes' },
      { version: '20260102000000', name: 'first' },
    ])
    write('migrations/20260103000000_second.sql', "insert into public.notes values ('second')")
    await migrate(sql, supabase)
    expect(await notes()).toEqual(['first', 'second'])
  })

  it('refuses a file that was changed after it was applied, and says what to do', async () => {
    write('migrations/20260101000000_notes.sql', 'create table public.notes (text text)')
    await migrate(sql, supabase)
    write('migrations/20260101000000_notes.sql', 'create table public.notes (text text, more text)')
    await expect(migrate(sql, supabase)).rejects.toThrow(
      'The migration 20260101000000_notes.sql was changed after it was applied to this database. Undo the change and put it in a new migration',
    )
  })

  it('leaves nothing of a file that fails, and says where it failed', async () => {
    write(
      'migrations/20260101000000_notes.sql',
      'create table public.notes (text text);\nselect\n  nonsense;',
    )
    await expect(migrate(sql, supabase)).rejects.toThrow(
      '20260101000000_notes.sql failed at line 3: column "nonsense" does not exist',
    )
    expect(await sql`select to_regclass('public.notes') as found`).toEqual([{ found: null }])
    write('migrations/20260101000000_notes.sql', 'create table public.notes (text text)')
    await migrate(sql, supabase)
    expect(await notes()).toEqual([])
  })

  it.each([
    ['create extension vector;', 'at line 2: extension "vector" is not available\n`askback dev` has only'],
    [
      'insert into storage.buckets values (1);',
      'at line 2: relation "storage.buckets" does not exist\n`askback',
    ],
    ["select net.http_get('http://x');", 'at line 2: schema "net" does not exist\n`askback dev` has no'],
    [
      'create schema askback; create schema askback;',
      '"askback" already exists\nThis database has an Askback',
    ],
    [
      `create role nobody_special; set local role nobody_special;
       create function pg_temp.f() returns event_trigger language plpgsql as 'begin end';
       create event trigger note on ddl_command_end execute function pg_temp.f();`,
      'create event trigger "note"\nHosted, the extension supautils',
    ],
    [
      'create table public.notes (); create role nobody_here; set local role nobody_here; create policy p on public.notes;',
      'must be owner of table notes\nHosted, the extension supautils',
    ],
  ])('says what to do where a project runs: %s', async (statement, sentence) => {
    write('migrations/20260101000000_notes.sql', `-- For vector and storage.\n${statement}`)
    await expect(migrate(sql, supabase, [])).rejects.toThrow(sentence)
  })

  it.each([
    ['select from net;', 'at line 1: relation "net" does not exist'],
    ['create schema mine; create schema mine;', 'at line 1: schema "mine" already exists'],
    [
      'select from other.public.notes;',
      'cross-database references are not implemented: "other.public.notes"',
    ],
  ])('adds no advice where it would not help: %s', async (statement, sentence) => {
    write('migrations/20260101000000_notes.sql', statement)
    await expect(migrate(sql, supabase, [])).rejects.toThrow(new RegExp(`${sentence}$`))
  })

  it('says how to start over with a project', async () => {
    write('migrations/20260101000000_notes.sql', 'create table public.notes (text text)')
    await migrate(sql, supabase, [])
    write('migrations/20260101000000_notes.sql', 'create table public.notes (text text, more text)')
    await expect(migrate(sql, supabase, [])).rejects.toThrow('or run `npx askback dev --reset` to start with')
  })

  it('leaves a history that the CLI has written alone', async () => {
    write(
      'migrations/20260101000000_notes.sql',
      'create table public.notes (text text);\ncreate index on public.notes (text);',
    )
    await migrate(sql, supabase)
    const statements = ['create table public.notes (text text)', 'create index on public.notes (text)']
    await sql`update supabase_migrations.schema_migrations set statements = ${statements}`
    await migrate(sql, supabase)
    expect(await notes()).toEqual([])
  })

  it('runs seed.sql after the migrations, and again when it has changed', async () => {
    write('migrations/20260101000000_notes.sql', 'create table public.notes (text text)')
    write('seed.sql', "insert into public.notes values ('seed')")
    await migrate(sql, supabase)
    await migrate(sql, supabase)
    expect(await notes()).toEqual(['seed'])
    write('seed.sql', "insert into public.notes values ('new seed')")
    await migrate(sql, supabase)
    expect(await notes()).toEqual(['new seed', 'seed'])
  })
})
