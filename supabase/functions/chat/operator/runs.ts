import { z } from 'zod'
import type { JsonSchema } from '../../../../shared/engine/core/json-schema.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { entrySchema } from '../entries/stored-entry.ts'
import type { Act } from './act.ts'
import { runNotFound } from './requests.ts'
import { projectTimeline } from './timeline.ts'

/** A run without anything that was said in it. Times are ISO 8601. */
const storedRunSchema = z.object({
  runId: z.string(),
  userId: z.string(),
  conversationId: z.string(),
  status: z.string(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  /** Of a run that waits for the clock. */
  resumeAt: z.string().nullable(),
  /** A run at work that has not been heard of since then is dead. */
  leaseExpiresAt: z.string(),
  /** Whether stopping it would end something. */
  stoppable: z.boolean(),
})
/** Clients choose the id of a conversation: something may be said in it. */
const runSchema = storedRunSchema.omit({ conversationId: true })
const runsSchema = z.array(runSchema)

const recordSchema = z.object({
  run: runSchema,
  entries: z.array(
    z.object({ runId: z.string(), startedAt: z.string(), storedAt: z.string(), entry: entrySchema }),
  ),
  executions: z.array(
    z.object({
      toolCallId: z.string(),
      toolName: z.string(),
      attempt: z.number(),
      status: z.string(),
      errorType: z.string().nullable(),
      createdAt: z.string(),
      settledAt: z.string().nullable(),
    }),
  ),
  tools: z.array(z.object({ name: z.string(), parameters: z.custom<JsonSchema>(isObject) })),
})

const stuckSchema = z.object({
  runs: runsSchema,
  /** Writes of which nobody knows whether they happened. */
  writes: z.array(
    z.object({
      runId: z.string().nullable(),
      userId: z.string(),
      toolName: z.string(),
      attempt: z.number(),
      startedAt: z.string(),
    }),
  ),
})

const notRead = 'so nothing was looked up. Try again in a minute.'
const notStopped = 'so nothing was stopped. Try again in a minute.'

/** The runs of this id, or of a conversation of this id, the newest first. */
export async function findRuns(rpc: CallRpc, act: Act, sought: string) {
  const asked = rpc('find_runs', { p_act: act, p_id: sought })
  return { runs: await askDatabase(asked, runsSchema, notRead) }
}

/** A run with those that it goes on with, and what happened in them. Throws ApiError 404. */
export async function readRun(rpc: CallRpc, act: Act, runId: string) {
  const asked = rpc('read_run', { p_act: act, p_run_id: runId })
  const found = await askDatabase(asked, recordSchema.nullable(), notRead)
  if (found === null) throw runNotFound()
  return { run: found.run, timeline: projectTimeline(found.entries, found.executions, found.tools) }
}

/** What does not go on by itself. */
export function listStuck(rpc: CallRpc, act: Act) {
  return askDatabase(rpc('stuck_runs', { p_act: act }), stuckSchema, notRead)
}

/** Stops what is at work in a conversation, as its user would. */
export type StopRun = (userId: string, conversationId: string) => Promise<unknown>

/** Stops a run as its user would. Throws ApiError 404, and 409 where nothing of it is at work. */
export async function stopRunOf(
  rpc: CallRpc,
  act: Act,
  runId: string,
  stop: StopRun,
): Promise<{ runId: string; userId: string }> {
  const asked = rpc('note_stop', { p_act: act, p_run_id: runId })
  const run = await askDatabase(asked, storedRunSchema.nullable(), notStopped)
  if (run === null) throw runNotFound()
  if (!run.stoppable) {
    throw new ApiError(409, 'not_running', `This run is over (${run.status}): there is nothing to stop.`)
  }
  await stop(run.userId, run.conversationId)
  return { runId, userId: run.userId }
}
