import { z } from 'zod'
import { argumentHash } from '../../../../shared/engine/core/canonical-json.ts'
import { askAgain } from '../../../../shared/server/database/ask-again.ts'
import { DatabaseError } from '../../../../shared/server/database/call-rpc.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { openItemSchema } from '../answer/open-item.ts'
import type { ChatDependencies } from './dependencies.ts'
import type { EntryBuffer } from './entry-buffer.ts'
import type { RecordedInvocation } from './run-ledger.ts'

/** What is stored when a run ends or waits, besides its entries. */
export interface RunResult {
  status: string
  invocations: readonly RecordedInvocation[]
}

/** Milliseconds between further tries while the database is unavailable, and how many. */
const laterMs = 2000
const laterTries = 30

const finishedSchema = z.object({
  pending: z.array(openItemSchema),
  /** False if something else has taken the place of this run. */
  isStored: z.boolean(),
  /** The run that writes its message now, if one does. */
  replacedBy: z.string().nullable(),
})
export type FinishedRun = z.infer<typeof finishedSchema>

/**
 * Stores the end of a run in one round trip, and returns the conversation's open items. A busy or absent database is asked
 * again until `deadline` (milliseconds since 1970), for 20 s at most. Undefined if it has not answered by then: it is
 * retried in the background for a minute; after that an identical request runs the turn again.
 */
export async function finishRun(
  runId: string,
  result: RunResult,
  buffer: EntryBuffer,
  deadline: number,
  { rpc, keepAlive }: Pick<ChatDependencies, 'rpc' | 'keepAlive'>,
): Promise<FinishedRun | undefined> {
  const stored = await storedResult(result)
  const finish = () =>
    buffer.flush(
      async (entries) =>
        finishedSchema.parse(await rpc('finish_run', { p_run_id: runId, p_result: { ...stored, entries } })),
      ({ isStored }) => isStored,
    )
  try {
    return await askAgain(finish, deadline)
  } catch (error) {
    writeLog('run-not-stored', { runId }, error)
    if (!(error instanceof DatabaseError && error.transient)) return undefined
    const later = async () => {
      for (let tries = 0; tries < laterTries; tries++) {
        await new Promise((resolve) => setTimeout(resolve, laterMs))
        const isStored = await finish().then(
          () => true,
          () => false,
        )
        if (isStored) return
      }
    }
    keepAlive(later())
    return undefined
  }
}

/** Gives a run back in which nothing has happened, so that the same request may run it again. */
export async function releaseRun(runId: string, rpc: ChatDependencies['rpc']): Promise<void> {
  const result = { status: 'interrupted', entries: [], invocations: [] }
  await rpc('finish_run', { p_run_id: runId, p_result: result }).catch((error) => {
    // Its lease runs out in any case.
    writeLog('run-not-released', { runId }, error)
  })
}

async function storedResult({ status, invocations }: RunResult) {
  return {
    status,
    invocations: await Promise.all(
      invocations.map(async (entry) => ({ ...entry, argumentHash: await argumentHash(entry.arguments) })),
    ),
  }
}
