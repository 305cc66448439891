import postgres from 'postgres'

/** What every secret has in it that a test plants in a stack, beside those that the stack makes itself. */
const planted = /[\w./-]*planted-[\w.-]+/g

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
  const places = findSecrets(output, secrets).map((secret) => `its output: ${secret}`)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const tables = await sql`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('askback', 'public')`
    for (const { name } of tables) {
      const rows = await sql.unsafe(`select t::text as row from ${name} t`)
      const found = findSecrets(rows.map(({ row }) => row).join('\n'), secrets)
      places.push(...found.map((secret) => `the table ${name}: ${secret}`))
    }
  } finally {
    await sql.end()
  }
  if (places.length > 0) throw new Error(`The stack keeps secrets in plain text, in ${places.join('; in ')}`)
}
