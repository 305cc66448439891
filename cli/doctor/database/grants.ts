import { type Finding, fail, ok } from '../finding.ts'
import type { Database } from './database.ts'

/** Whether users and functions have their rights. */
export async function checkGrants({ query }: Database): Promise<Finding[]> {
  const [rights] = await query(`select
    has_schema_privilege('authenticated', 'askback', 'usage')
      and has_table_privilege('authenticated', 'askback.agents', 'select') as users,
    has_schema_privilege('service_role', 'askback', 'usage')
      and coalesce(has_schema_privilege('service_role', to_regnamespace('askback_private')::oid, 'usage'), false)
      and has_function_privilege('service_role', 'askback.begin_turn(uuid, json)', 'execute') as functions`)
  if (rights?.users && rights.functions)
    return [ok('Users and functions have their rights in the schema "askback"')]
  const who = rights?.users ? 'the functions (service_role)' : 'users (authenticated)'
  return [
    fail(
      `The rights of ${who} in the schema "askback" are gone. Grant them again, as the migrations of Askback do.`,
    ),
  ]
}
