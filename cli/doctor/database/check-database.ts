import { type Finding, fail, note } from '../finding.ts'
import { describeRefusal } from '../refused-query.ts'
import type { Target } from '../target.ts'
import { checkClock } from './clock.ts'
import type { DatabaseCheck } from './database.ts'
import { checkGrants } from './grants.ts'
import { checkMailPorts } from './mail-ports.ts'
import { checkOfferedFunctions } from './offered-functions.ts'
import { checkOtherApps } from './other-apps.ts'
import { checkOwnTables } from './own-tables.ts'
import { checkVersion } from './version.ts'

/** Each check, and what it finds out, for the case that the database refuses to say. */
const checks: readonly [what: string, check: DatabaseCheck][] = [
  ['which version the database has', checkVersion],
  ['who has which rights', checkGrants],
  ['which tables the Data API shows', checkOwnTables],
  ['what other apps can reach', checkOtherApps],
  ['which functions agents are offered', checkOfferedFunctions],
  ['whether something resumes waiting runs', checkClock],
  ['which ports mail accounts use', checkMailPorts],
]

/** What the database says, one check after the other; none stops the rest. */
export async function checkDatabase({ kind, query }: Target, code: number, chat: string): Promise<Finding[]> {
  if (!query) {
    return [note('No database was checked. Start `npx askback dev`, or name one with --db-url or --linked.')]
  }
  try {
    const [found] = await query("select to_regprocedure('askback.version()') is not null as there")
    if (!found?.there) {
      return [fail('The database has no schema "askback". Push the migrations: supabase db push')]
    }
  } catch (error) {
    return [fail(`The database cannot be checked. ${describeRefusal(error)}`)]
  }
  const findings: Finding[] = []
  for (const [what, check] of checks) {
    const found = await check({ query, kind, code, chat }).catch((error) =>
      fail(`Cannot tell ${what}. ${describeRefusal(error)}`),
    )
    findings.push(...[found].flat())
  }
  return findings
}
