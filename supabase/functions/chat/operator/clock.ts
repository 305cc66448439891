import type { Context } from 'hono'
import { clockState } from '../../../../shared/api/run.ts'
import { authenticateUser } from '../../../../shared/server/authentication/authenticate.ts'
import { isOperator } from '../../../../shared/server/authentication/operator.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'

/**
 * The state of the clock, for operators; undefined for anybody else, whatever they send, so that a bad token
 * fails no uptime check.
 */
export async function readClock({ verify, rpc }: Pick<ChatDependencies, 'verify' | 'rpc'>, c: Context) {
  if (!c.req.header('authorization')) return undefined
  try {
    const { userId } = await authenticateUser(c.req.raw, verify)
    if (!(await isOperator(rpc, userId))) return undefined
    return await askDatabase(rpc('clock_state', {}), clockState())
  } catch {
    return undefined
  }
}
