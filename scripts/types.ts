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

/** The types in TypeScript of those of PostgreSQL, as JSON carries them. */
const typesOf: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  'timestamp with time zone': 'string',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  json: 'Json',
  jsonb: 'Json',
}

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

/** What a function takes, as PostgreSQL says it. */
interface Argument {
  name: string
  type: string
  isOptional: boolean
}

/** The functions that HTTP can reach. Those whose arguments lack the prefix are called by people. */
async function describe(sql: Sql): Promise<string> {
  const functions = await sql<{ name: string; takes: Argument[] }[]>`
    select p.proname as name, coalesce((
      select json_agg(json_build_object(
        'name', p.proargnames[number],
        'type', format_type(p.proargtypes[number - 1], null),
        'isOptional', number > p.pronargs - p.pronargdefaults
      ) order by number)
      from generate_series(1, p.pronargs) number
    ), '[]') as takes
    from pg_proc p
    where p.pronamespace = 'askback'::regnamespace
      and has_function_privilege('service_role', p.oid, 'execute')
      and not exists (select from unnest(p.proargnames) argument where not starts_with(argument, 'p_'))
    order by p.proname`
  const members = functions.map(({ name, takes }) => {
    const args = takes.map((argument) => describeArgument(name, argument))
    return `${name}: ${args.length === 0 ? 'Record<string, never>' : `{ ${args.join('; ')} }`}`
  })
  return `/** What JSON can say: an object of any type that has no functions. Undefined members are left out. */
export type Json = string | number | boolean | null | object

/** The functions of the schema \`askback\` and their arguments. Made by \`npx tsx scripts/types.ts\`. */
export interface Rpcs {
${members.join('\n')}
}
`
}

/** SQL says of no argument whether it may be null: those with a default may, and JSON is null where it holds nothing. */
function describeArgument(rpc: string, { name, type, isOptional }: Argument): string {
  const [, element, list] = /^(.*?)(\[\])?$/.exec(type) ?? []
  const known = typesOf[element ?? '']
  if (known === undefined) throw new Error(`${rpc} takes ${type}: say in scripts/types.ts what that is.`)
  const taken = list ? `readonly ${known}[]` : known
  return isOptional ? `${name}?: ${taken} | null | undefined` : `${name}: ${taken}`
}

function format(text: string): string {
  return execFileSync(installed('biome'), ['format', '--stdin-file-path=rpcs.ts'], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    env: environment,
  })
}
