import postgres from 'postgres'

/** What every secret has in it that a test plants in a stack, beside those that the stack makes itself. */
const planted = /planted-[\w.-]+/g

/** Where a text holds a secret: the secrets, each once. */
export function findSecrets(text: string, own: readonly string[] = []): string[] {
  return [...new Set([...(text.match(planted) ?? []), ...own.filter((secret) => text.includes(secret))])]
}

/**
 * Looks through every table of the product, and through all that the stack has printed, for secrets. Throws an Error
 * that names the places. Each stack that a test starts is looked through when it ends.
 */
export async function refuseSecrets(stack: {
  databaseUrl: string
  output: string
  secrets: readonly string[]
}): Promise<void> {
  const { databaseUrl, output, secrets } = stack
  const printed = findSecrets(output, secrets).map((secret) => `its output: ${secret}`)
  const places = [...printed, ...(await findInTables(databaseUrl, secrets))]
  if (places.length > 0) throw new Error(`The stack keeps secrets in plain text, in ${places.join('; in ')}`)
}

/** Nothing where the test has ended the database before the stack. */
async function findInTables(databaseUrl: string, secrets: readonly string[]): Promise<string[]> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => {} })
  const isThere = await sql`select 1`.then(
    () => true,
    () => false,
  )
  try {
    const tables = isThere
      ? await sql`
          select format('%I.%I', schemaname, tablename) as name from pg_tables
          where schemaname in ('askback', 'public')`
      : []
    const places: string[] = []
    for (const { name } of tables) {
      const rows = await sql.unsafe(`select t::text as row from ${name} t`)
      const found = findSecrets(rows.map(({ row }) => row).join('\n'), secrets)
      places.push(...found.map((secret) => `the table ${name}: ${secret}`))
    }
    return places
  } finally {
    await sql.end({ timeout: 5 })
  }
}
