import { PostgresConnection } from '@supabase/lite/postgres'
import { type Kysely, sql } from 'kysely'
import postgres from 'postgres'
import { unmarkNumbers } from './exact-numbers.ts'
import { toPostgrestError } from './postgrest-error.ts'
import { nameArguments, writeArguments, writeStatement } from './rpc-arguments.ts'

type Config = ConstructorParameters<typeof PostgresConnection>[0]
type Ast = Parameters<PostgresConnection['onPostgrestAST']>[0]
type Options = Parameters<PostgresConnection['withContext']>[2]
// biome-ignore lint/suspicious/noExplicitAny: the type of its tables that `@supabase/lite` gives.
type Queries = Kysely<any>

/** The caller; `@supabase/lite` reads it from the token. */
type Caller = { auth?: { role?: string; uid?: string | null; jwt?: object | null } }

const poolSize = 10

/**
 * The connection of `@supabase/lite` with 5 round trips a call instead of 23 (`npm run lab -- patches`): each connection
 * prepares a statement once instead of at every use, and one statement instead of eleven sets the role and the settings of
 * a request. The driver is patched because nothing else stands between a statement and it: names of arguments and long
 * numbers get their text back there.
 */
export class LiteConnection extends PostgresConnection {
  private timeouts: Promise<Record<string, Settings>> | undefined

  constructor(url: string, postgresOptions: Config['postgresOptions']) {
    super({ url, postgresOptions: { ...postgresOptions, max: poolSize } })
    const { reserve } = this.driver
    this.driver.reserve = async () => {
      const connection = await reserve()
      const { unsafe } = connection
      connection.unsafe = (text, values, options) =>
        unsafe(writeStatement(unmarkNumbers(text)), values?.map(unmark), { prepare: true, ...options })
      return connection
    }
    // By default it grants everything to everybody at its first request; our migrations decide who may do what.
    Object.assign(this, { rlsState: 'active' })
  }

  /** Does the work in a transaction, as the caller's role and with the settings that PostgREST makes. */
  override async withContext<Result>(
    caller: Caller | undefined,
    work: (queries: Queries) => Promise<Result>,
    options?: Options,
  ): Promise<Result> {
    if (caller === undefined || options?.transaction || options?.forceRollback) {
      return super.withContext(caller, work, options)
    }
    const [readOnly, timeouts] = await Promise.all([this.isReadOnly(options), this.timeoutsOf(caller)])
    const settings = [...readSettings(caller, options, readOnly), ...timeouts]
    for (let stale = 0; ; stale++) {
      try {
        return await this.kysely.connection().execute((queries) => transact(queries, settings, work))
      } catch (error) {
        // Each connection of the pool may have one.
        if (stale === poolSize || !isStaleStatement(error)) throw error
      }
    }
  }

  /**
   * How long a statement and a lock may take: as `authenticator`, which PostgREST signs in as, unless the caller's role has
   * another setting (https://docs.postgrest.org/en/stable/references/transactions.html#impersonated-role-settings). Like
   * PostgREST, it reads them once.
   */
  private async timeoutsOf({ auth }: Caller): Promise<Settings> {
    this.timeouts ??= this.kysely.connection().execute(readTimeouts)
    // If the database was away, it is asked again.
    const all = await this.timeouts.catch((error) => {
      this.timeouts = undefined
      throw error
    })
    return ['authenticator', auth?.role || 'anon'].flatMap((role) => all[role] ?? [])
  }

  /** As in PostgREST, a GET is read-only, and so is a POST to a function declared stable or immutable. */
  private async isReadOnly(options: Options): Promise<boolean> {
    const rpc = options?.rpc
    if (rpc === undefined || rpc.readOnly) return rpc?.readOnly ?? false
    const schema = new Headers(rpc.requestHeaders).get('content-profile') ?? 'public'
    const { functions = [] } = await this.introspect({ useCache: true })
    const called = functions.filter((one) => one.schema === schema && rpc.path === `/rpc/${one.name}`)
    return called.length > 0 && called.every(({ volatility }) => volatility !== 'v')
  }

  /** The schema as `@supabase/lite` reads it, with tokens for the names of arguments. */
  override async introspect(options?: Parameters<PostgresConnection['introspect']>[0]) {
    return nameArguments(await super.introspect(options))
  }

  /** Called for every request before it is turned into a statement. */
  override async onPostgrestAST(ast: Ast): Promise<Ast> {
    const call: Ast = await super.onPostgrestAST(ast)
    if (call.type === 'rpc' && call.paramsType === 'named') {
      call.args = writeArguments(call, await this.introspect({ useCache: true })) as typeof call.args
    }
    return call
  }

  override normalizeDbError(error: unknown): unknown {
    return error instanceof postgres.PostgresError ? toPostgrestError(error) : error
  }
}

/** A parameter with the digits of the request. */
function unmark<Value>(value: Value): Value {
  return typeof value === 'string' ? (unmarkNumbers(value) as Value) : value
}

async function transact<Result>(
  queries: Queries,
  settings: Settings,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  const values = settings.map(([name, value]) => sql`set_config(${sql.lit(name)}, ${value}, true)`)
  try {
    // Both are sent together, and no work begins before both have returned. Of a setting that is named twice, the last counts.
    await Promise.all([sql`begin`.execute(queries), sql`select ${sql.join(values)}`.execute(queries)])
    const result = await work(queries)
    await sql`commit`.execute(queries)
    return result
  } catch (error) {
    // If the connection is lost, there is nothing to roll back.
    await sql`rollback`.execute(queries).catch(() => {})
    throw error
  }
}

type Settings = [name: string, value: string][]

/** By role. */
async function readTimeouts(queries: Queries): Promise<Record<string, Settings>> {
  const { rows } = await sql<{ role: string; name: string; value: string }>`
    select rolname as role, split_part(setting, '=', 1) as name, split_part(setting, '=', 2) as value
    from pg_catalog.pg_roles cross join unnest(rolconfig) as setting
    where split_part(setting, '=', 1) in ('statement_timeout', 'lock_timeout')`.execute(queries)
  const all: Record<string, Settings> = {}
  for (const { role, name, value } of rows) all[role] = [...(all[role] ?? []), [name, value]]
  return all
}

/** The settings by which policies and functions read the request. */
function readSettings({ auth }: Caller, options: Options, readOnly: boolean): Settings {
  const role = auth?.role || 'anon'
  const settings: Settings = [
    ['role', role],
    ['request.jwt.claim.sub', auth?.uid ?? ''],
    ['request.jwt.claim.role', role],
  ]
  if (auth?.jwt) settings.push(['request.jwt.claims', JSON.stringify(auth.jwt)])
  const rpc = options?.rpc
  if (rpc === undefined) return settings
  settings.push(
    ['response.status', ''],
    ['response.headers', ''],
    ['request.method', rpc.method],
    ['request.path', rpc.path],
    ['request.headers', JSON.stringify(rpc.requestHeaders ?? {})],
  )
  if (readOnly) settings.push(['transaction_read_only', 'on'])
  return settings
}

/**
 * A table or function has changed since the statement was prepared. PostgreSQL reports this before it does anything.
 */
function isStaleStatement(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.routine === 'RevalidateCachedQuery'
}
