import type { Sql, TransactionSql } from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../../support/use-database.ts'
import { createWholeUser } from '../../../support/whole-user.ts'

// PostgreSQL 15 and 17 run the triggers of a cascade as whoever deletes the first row, 18 as whoever queued the event. So
// each row is deleted as each role that may, and everything that follows from it has to work.

const { database, db } = useDatabase()
let user: string

/** Supabase has these in the same database; nothing of a user may be left in them either. */
const beside = `
  create schema storage authorization supabase_storage_admin;
  create table storage.buckets (id text primary key, name text);
  create table storage.objects (id uuid primary key default gen_random_uuid(), bucket_id text, name text, owner_id text);
  alter table storage.objects owner to supabase_storage_admin;
  create schema vault; create table vault.secrets (name text, secret text);
  create schema cron; create table cron.job (jobid bigint, command text);
  create table cron.job_run_details (runid bigint, command text, return_message text);
  create schema net; create table net.http_request_queue (id bigint, url text, headers jsonb, body bytea);
  create table net._http_response (id bigint, content text);
`

beforeAll(async () => {
  await database.sql.unsafe(beside)
  user = await createWholeUser(db)
})

interface Table {
  name: string
  /** How the rows of the user are found. */
  where: string
}

/** Every table of ours with rows of users: by its own column, or by the table that it refers to. */
async function tablesOfUsers(): Promise<Table[]> {
  const columns = await database.sql`
    select c.relname as name, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'askback'::regnamespace and c.relkind = 'r' and a.attname = 'user_id'`
  const references = await database.sql`
    select conrelid::regclass::text as name, confrelid::regclass::text as parent, a.attname as column
    from pg_constraint join pg_attribute a on a.attrelid = conrelid and a.attnum = conkey[1]
    where contype = 'f' and confdeltype = 'c' and cardinality(conkey) = 1 and connamespace = 'askback'::regnamespace`
  const tables = columns.map(({ name }): Table => ({ name: `askback.${name}`, where: `user_id = '${user}'` }))
  for (let found = true; found; ) {
    found = false
    for (const { name, parent, column } of references) {
      const of = tables.find((table) => table.name === parent)
      if (!of || tables.some((table) => table.name === name)) continue
      tables.push({ name, where: `${column} in (select id from ${parent} where ${of.where})` })
      found = true
    }
  }
  return tables
}

/** Every other table of ours. */
async function tablesOfAll(): Promise<Table[]> {
  const ofUsers = await tablesOfUsers()
  const all = await database.sql`
    select oid::regclass::text as name from pg_class where relnamespace = 'askback'::regnamespace and relkind = 'r'`
  return all
    .filter(({ name }) => !ofUsers.some((table) => table.name === name))
    .map(({ name }) => ({ name, where: 'true' }))
}

const count = async (sql: Sql | TransactionSql, { name, where }: Table): Promise<number> =>
  (await sql.unsafe(`select count(*)::int as count from ${name} where ${where}`))[0]?.count

/** Does something as a role, and undoes it. */
async function asRole<Result>(role: string, work: (sql: TransactionSql) => Promise<Result>): Promise<Result> {
  let result: Result | undefined
  const undone = new Error('undone')
  await database.sql
    .begin(async (sql) => {
      await sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: user, role: 'authenticated' })}, true)`
      await sql.unsafe(`set local role ${role}`)
      result = await work(sql)
      // Triggers that wait for the end of the transaction.
      await sql`set constraints all immediate`
      throw undone
    })
    .catch((error) => {
      if (error !== undone) throw error
    })
  return result as Result
}

it('the user has a row in every table that can have one', async () => {
  const empty: string[] = []
  for (const table of await tablesOfUsers())
    if ((await count(database.sql, table)) === 0) empty.push(table.name)
  expect(empty).toEqual([])
})

describe.each(['authenticated', 'service_role', 'postgres', 'supabase_auth_admin'])('as %s', (role) => {
  it('every row that the role may delete is deleted with all that depends on it', async () => {
    const tables = [
      ...(await tablesOfUsers()),
      ...(await tablesOfAll()),
      { name: 'auth.users', where: `id = '${user}'` },
    ]
    const faults: string[] = []
    let deleted = 0
    for (const table of tables) {
      const [may] = await database.sql`
        select has_schema_privilege(${role}, ${table.name.split('.')[0] ?? ''}, 'usage')
          and has_table_privilege(${role}, ${table.name}, 'delete') as may`
      if (!may?.may) continue
      deleted++
      await asRole(role, async (sql) => {
        await sql.unsafe(`delete from ${table.name} where ${table.where}`)
        await sql`reset role`
        if ((await count(sql, table)) > 0) faults.push(`${table.name}: still there`)
      }).catch((error) => {
        // An integration that somebody is connected to stays, and so does a group that decides something.
        const isKept =
          ['askback.integrations', 'askback.groups'].includes(table.name) && error.code === '23503'
        if (!isKept) faults.push(`${table.name}: ${error.message}`)
      })
    }
    expect(faults).toEqual([])
    expect(deleted).toBeGreaterThan(0)
  })
})

it('Supabase Auth deletes a user, and nothing of the user is left but the names of objects to remove', async () => {
  const sql = database.sql
  await sql.begin(async (auth) => {
    await auth`set local role supabase_auth_admin`
    await auth`delete from auth.users where id = ${user}`
  })
  const tables = await sql`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`
  const left: string[] = []
  for (const { schema, name } of tables) {
    const rows =
      await sql`select r::text as row from ${sql(schema)}.${sql(name)} r where r::text like ${`%${user}%`}`
    left.push(...rows.map(({ row }) => `${schema}.${name}: ${row}`))
  }
  expect(left).toEqual([expect.stringContaining(`askback.removed_objects: (${user}/b.txt,`)])
})
