import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type postgres from 'postgres'
import type { Sql, TransactionSql } from 'postgres'
import { StartError } from '../process/start-error.ts'
import { adviceOn } from './migration-advice.ts'

/** The tables in which the Supabase CLI keeps its history, so that both agree on what was applied. */
const history = `
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null);
`

/**
 * Applies each migration of `supabase/migrations` once, in order, and `supabase/seed.sql` whenever it has changed (so
 * it must be repeatable). With `seeds`, the files of a project, only these are run, once.
 * @throws {StartError} when a migration fails, or one was changed after it had been applied
 */
export async function migrate(sql: Sql, supabaseDirectory: string, seeds?: readonly string[]): Promise<void> {
  await sql.unsafe(history)
  const applied = new Map<string, string[]>()
  for (const row of await sql`select version, statements from supabase_migrations.schema_migrations`) {
    applied.set(row.version, row.statements ?? [])
  }
  for (const file of listMigrations(join(supabaseDirectory, 'migrations'))) {
    const statements = applied.get(file.version)
    if (statements === undefined) await applyMigration(sql, file)
    else refuseChange(file, statements, seeds ? 'run `npx askback dev --reset`' : 'delete the data directory')
  }
  if (seeds) await applySeedsOnce(sql, supabaseDirectory, seeds)
  else await applySeed(sql, join(supabaseDirectory, 'seed.sql'))
}

/** @throws {StartError} when the migrations of a project do not bring Askback along */
export async function requireAskback(sql: Sql): Promise<void> {
  const [found] = await sql`select to_regclass('askback.agents') is not null as "isThere"`
  if (found?.isThere) return
  throw new StartError('This project has no migration of Askback. Add it first: npx askback add')
}

interface Migration {
  path: string
  version: string
  name: string
  text: string
}

function listMigrations(directory: string): Migration[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .sort()
    .flatMap((file) => {
      const [, version, name] = /^(\d+)_(.*)\.sql$/.exec(file) ?? []
      if (version === undefined || name === undefined) return []
      const path = join(directory, file)
      return [{ path, version, name, text: readFileSync(path, 'utf8') }]
    })
}

async function applyMigration(sql: Sql, { path, version, name, text }: Migration): Promise<void> {
  await runFile(sql, path, text, async (transaction) => {
    await transaction`insert into supabase_migrations.schema_migrations (version, statements, name) values (${version}, ${[text]}, ${name})`
  })
}

/** We record a file as one statement; the CLI splits it, so what the CLI applied cannot be compared. */
function refuseChange({ path, text }: Migration, statements: string[], toStartOver: string): void {
  if (statements.length !== 1 || statements[0] === text) return
  throw new StartError(
    `The migration ${basename(path)} was changed after it was applied to this database. Undo the change and put it in a new migration, or ${toStartOver} to start with an empty database.`,
  )
}

async function applySeed(sql: Sql, path: string): Promise<void> {
  if (!existsSync(path)) return
  const text = readFileSync(path, 'utf8')
  const hash = createHash('sha256').update(text).digest('hex')
  const [known] =
    await sql`select from supabase_migrations.seed_files where path = 'supabase/seed.sql' and hash = ${hash}`
  if (known) return
  await runFile(sql, path, text, async (transaction) => {
    await transaction`insert into supabase_migrations.seed_files (path, hash) values ('supabase/seed.sql', ${hash})
      on conflict (path) do update set hash = excluded.hash`
  })
}

/** In one transaction: if one of them fails, all of them run again at the next start. */
async function applySeedsOnce(sql: Sql, supabaseDirectory: string, seeds: readonly string[]): Promise<void> {
  const [known] = await sql`select from supabase_migrations.seed_files limit 1`
  if (known) return
  await sql.begin(async (transaction) => {
    for (const path of seeds) await runText(transaction, path, readFileSync(path, 'utf8'))
    // Also without any, so that a seed which is added later does not run on data that is there.
    for (const path of [...seeds, '']) {
      const name = path && relative(supabaseDirectory, path)
      await transaction`insert into supabase_migrations.seed_files (path, hash) values (${name}, '')`
    }
  })
}

/** Runs the file and records it in one transaction. */
async function runFile(
  sql: Sql,
  path: string,
  text: string,
  record: (transaction: TransactionSql) => Promise<void>,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await runText(transaction, path, text)
    await record(transaction)
  })
}

/** @throws {StartError} with the line that fails */
async function runText(transaction: TransactionSql, path: string, text: string): Promise<void> {
  try {
    await transaction.unsafe(text)
    await transaction.unsafe('reset search_path')
  } catch (error) {
    const refusal = error as postgres.PostgresError
    const { message, position, where } = refusal
    const line = position ? lineOf(text, Number(position)) : lineThatNames(text, message)
    const place = line ? ` at line ${line}` : ''
    throw new StartError(
      `${basename(path)} failed${place}: ${message}${where ? ` (${where})` : ''}${adviceOn(refusal)}`,
    )
  }
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** For what PostgreSQL gives no position: the first line, but for comments, that has the name in its message. */
function lineThatNames(text: string, message: string): number | undefined {
  const name = /"([^"]+)"/.exec(message)?.[1]
  const index = name ? text.replace(/--.*/g, (comment) => ' '.repeat(comment.length)).indexOf(name) : -1
  return index === -1 ? undefined : lineOf(text, index)
}
