import { projectInsights } from '../../../../shared/api/operator.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { Act } from './act.ts'

/** How everybody's calls went, and what their models cost, in the last days. */
export function readInsights(rpc: CallRpc, act: Act, days = 30) {
  const asked = rpc('project_insights', { p_act: act, p_days: days })
  return askDatabase(asked, projectInsights(), 'not_looked_up')
}
