import { type Finding, note, ok } from '../finding.ts'
import type { Database } from './database.ts'

/** Mail accounts on ports that hosted functions cannot reach. */
export async function checkMailPorts({ query, kind }: Database): Promise<Finding[]> {
  const [row] = await query(
    "select count(*)::int as n from askback.connections where provider = 'smtp' and metadata ->> 'port' in ('25', '587')",
  )
  if (!row?.n)
    return kind === 'dev' ? [] : [ok('No mail account uses a port that hosted functions cannot reach')]
  const accounts = row.n === 1 ? 'One mail account uses' : `${row.n} mail accounts use`
  return [
    note(
      `${accounts} port 25 or 587, which hosted Supabase blocks. Their owners have to choose port 465 under "Integrations".`,
    ),
  ]
}
