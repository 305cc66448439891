import type { Context } from 'hono'
import { clockState } from '../../../../shared/api/run.ts'
import { authenticateUser } from '../../../../shared/server/authentication/authenticate.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { isOperator } from './require-operator.ts'

/** How the clock is, for operators; undefined for anybody else, whatever they send: the service works without them. */
export async function readClock({ verify, rpc }: Pick<ChatDependencies, 'verify' | 'rpc'>, c: Context) {
  if (!c.req.header('authorization')) return undefined
  try {
    const { userId } = await authenticateUser(c.req.raw, verify)
    if (!(await isOperator(rpc, userId))) return undefined
    return await askDatabase(rpc('clock_state', {}), clockState(), 'so it is not known how the clock is.')
  } catch {
    return undefined
  }
}
