import { type LogFacts, writeLog } from '../../../../shared/server/log/log-line.ts'

/** An operator's action, as the database logs it: a row for each id. */
export interface Act {
  id: string
  operatorId: string
  reason?: string
}

export function newAct(operatorId: string, reason?: string): Act {
  return { id: crypto.randomUUID(), operatorId, reason }
}

/** A log line besides the row. The reason is only in the row: somebody wrote it. */
export function logAct({ id, operatorId }: Act, action: string, facts: LogFacts = {}): void {
  writeLog('operator', { action, actId: id, operatorId, ...facts })
}
