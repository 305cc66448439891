import { z } from 'zod'
import { operatorRun } from '../../../../shared/api/operator.ts'
import type { JsonSchema } from '../../../../shared/engine/core/json-schema.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { executionFactsSchema } from '../../../../shared/server/database/write-schema.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { entrySchema } from '../entries/stored-entry.ts'
import type { Act } from './act.ts'
import { projectTimeline } from './timeline.ts'

/** With the id that its client chose for the conversation, in which something may be said. */
const storedRunSchema = z.object({ ...operatorRun().shape, conversationId: z.string() })
/** Without it. */
const runSchema = z.object(operatorRun().shape)
const runsSchema = z.array(runSchema)

const recordSchema = z.object({
  run: runSchema,
  entries: z.array(
    z.object({ runId: z.string(), startedAt: z.string(), storedAt: z.string(), entry: entrySchema }),
  ),
  executions: z.array(executionFactsSchema),
  tools: z.array(z.object({ name: z.string(), parameters: z.custom<JsonSchema>(isObject) })),
})

const stuckSchema = z.object({
  runs: runsSchema,
  /** Writes whose outcome is unknown. */
  writes: z.array(
    executionFactsSchema.transform(({ runId, userId, toolName, attempt, at: startedAt }) => ({
      ...{ runId, userId, toolName, attempt, startedAt },
    })),
  ),
})

/** The runs with this id, or of a conversation with this id, newest first. */
export async function findRuns(rpc: CallRpc, act: Act, sought: string) {
  const asked = rpc('find_runs', { p_act: act, p_id: sought })
  return { runs: await askDatabase(asked, runsSchema, 'not_looked_up') }
}

/** A run with those that it continues, and what happened in them. Throws ApiError 404. */
export async function readRun(rpc: CallRpc, act: Act, runId: string) {
  const asked = rpc('read_run', { p_act: act, p_run_id: runId })
  const found = await askDatabase(asked, recordSchema.nullable(), 'not_looked_up')
  if (found === null) throw new ApiError('run_not_found')
  return { run: found.run, timeline: projectTimeline(found.entries, found.executions, found.tools) }
}

/** Whatever does not continue by itself. */
export function listStuck(rpc: CallRpc, act: Act) {
  return askDatabase(rpc('stuck_runs', { p_act: act }), stuckSchema, 'not_looked_up')
}

/** Stops a conversation's work, like its user would. */
export type StopRun = (userId: string, conversationId: string) => Promise<unknown>

/** Stops a run like its user would. Throws ApiError 404, or 409 if nothing of it is running. */
export async function stopRunOf(
  rpc: CallRpc,
  act: Act,
  runId: string,
  stop: StopRun,
): Promise<{ runId: string; userId: string }> {
  const asked = rpc('note_stop', { p_act: act, p_run_id: runId })
  const run = await askDatabase(asked, storedRunSchema.nullable(), 'not_stopped')
  if (run === null) throw new ApiError('run_not_found')
  if (!run.stoppable) throw new ApiError('not_running', { status: run.status })
  await stop(run.userId, run.conversationId)
  return { runId, userId: run.userId }
}
