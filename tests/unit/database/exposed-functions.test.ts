import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../support/use-database.ts'

const { database } = useDatabase()

const root = join(import.meta.dirname, '../../..')

/** What calls the database from outside, or tells people what to call. */
const callers = ['shared/server', 'supabase/functions', 'client', 'web', 'cli', 'local/stack', 'docs']

/** How a caller names a function. */
const calls = [
  /\brpc\(\s*'(\w+)'/g,
  /\/rest\/v1\/rpc\/(\w+)/g,
  /\bschema: 'askback', name: '(\w+)'/g,
  /\baskback\.(\w+)\(/g,
]

function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|md)$/.test(file) && !file.includes('node_modules'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .flatMap((text) => calls.flatMap((call) => [...text.matchAll(call)].map(([, name = '']) => name)))
}

test('the exposed schema has exactly the functions that something outside the database calls', async () => {
  const functions = await database.sql<{ name: string; schema: string }[]>`
    select distinct p.proname as name, n.nspname as schema
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('askback', 'askback_private') order by 1`
  const called = new Set(callers.flatMap(namesIn))
  expect(functions.filter(({ schema }) => schema === 'askback').map(({ name }) => name)).toEqual(
    functions.filter(({ name }) => called.has(name)).map(({ name }) => name),
  )
})
