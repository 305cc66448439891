import { type LogFacts, writeLog } from '../../../../shared/server/log/log-line.ts'

/** What an operator does, as the database writes it down: a row for each id. */
export interface Act {
  id: string
  operatorId: string
  reason?: string
}

export function newAct(operatorId: string, reason?: string): Act {
  return { id: crypto.randomUUID(), operatorId, ...(reason === undefined ? {} : { reason }) }
}

/** A line for whoever runs the product, beside the row. The reason is in the row alone: somebody wrote it. */
export function logAct({ id, operatorId }: Act, action: string, facts: LogFacts = {}): void {
  writeLog('operator', { action, actId: id, operatorId, ...facts })
}
