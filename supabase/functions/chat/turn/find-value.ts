import { z } from 'zod'
import type { FindValue } from '../../../../shared/engine/loop/run/run-options.ts'
import { askAgain } from '../../../../shared/server/database/ask-again.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { entrySchema } from '../entries/stored-entry.ts'
import type { LoadedTurn } from './loaded-turn.ts'

/** Looks for a value in what a run has not loaded. Rejects if the database does not answer. */
export function findValue({ runId }: LoadedTurn, rpc: CallRpc, deadline: number): FindValue {
  return async (pattern) => {
    try {
      const found = await askAgain(() => rpc('find_value', { p_run_id: runId, p_pattern: pattern }), deadline)
      return z.array(entrySchema).parse(found)
    } catch (error) {
      writeLog('value-not-looked-for', { runId }, error)
      throw error
    }
  }
}
