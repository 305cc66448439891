import * as z from 'zod'
import { type Finding, fail, ok } from '../finding.ts'
import type { Database } from './database.ts'

const versionSchema = z.object({ schema: z.number(), accepts: z.array(z.number()) })

/** Whether the database accepts the code of this version. */
export async function checkVersion({ query, code }: Database): Promise<Finding[]> {
  const [row] = await query('select askback.version() as version')
  const { schema, accepts } = versionSchema.parse(row?.version)
  if (accepts.includes(code)) {
    return [ok(`The database is of version ${schema} and accepts the code of version ${code}`)]
  }
  const what =
    schema < code
      ? 'Push the migrations: supabase db push'
      : 'Upgrade the functions: npx askback upgrade, then supabase functions deploy'
  return [
    fail(`The database is of version ${schema} and does not accept the code of version ${code}. ${what}`),
  ]
}
