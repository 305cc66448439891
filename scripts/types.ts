/**
 * Writes `shared/server/database/rpcs.ts` from the migrations, on a temporary database of its own.
 * With `--check` it writes nothing and fails if the file is stale.
 */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { startTestDatabase } from '../support/database.ts'
import { environment, installed, root } from './platform.ts'

const name = 'shared/server/database/rpcs.ts'
const path = join(root, name)

const database = await startTestDatabase()
let types: string
try {
  types = format(await describe(database.sql))
} finally {
  await database.close()
}

if (!process.argv.includes('--check')) {
  await writeFile(path, types)
} else if (types !== (await readFile(path, 'utf8').catch(() => ''))) {
  console.error(`${name} does not fit the migrations: run \`npx tsx scripts/types.ts\`.`)
  process.exitCode = 1
}

/** Functions whose arguments lack the prefix are called by people. */
async function describe(sql: Sql): Promise<string> {
  const functions = await sql<{ name: string; takes: string[]; defaults: number }[]>`
    select p.proname as name, coalesce(p.proargnames[1:p.pronargs], '{}') as takes, p.pronargdefaults as defaults
    from pg_proc p
    where p.pronamespace = 'askback'::regnamespace
      and has_function_privilege('service_role', p.oid, 'execute')
      and not exists (select from unnest(p.proargnames) argument where not starts_with(argument, 'p_'))
    order by p.proname`
  const members = functions.map(({ name, takes, defaults }) => {
    const required = takes.length - defaults
    const args = takes.map((argument, index) => `${argument}${index < required ? '' : '?'}: unknown`)
    return `${name}: ${args.length === 0 ? 'Record<string, never>' : `{ ${args.join('; ')} }`}`
  })
  return `/** The functions of the schema \`askback\` and their arguments. Made by \`npx tsx scripts/types.ts\`. */
export interface Rpcs {
${members.join('\n')}
}
`
}

function format(text: string): string {
  return execFileSync(installed('biome'), ['format', '--stdin-file-path=rpcs.ts'], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    env: environment,
  })
}
