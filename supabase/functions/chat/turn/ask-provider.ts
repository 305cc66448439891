import { z } from 'zod'
import { timeouts } from '../../../../shared/engine/core/timeouts.ts'
import { writeSchema } from '../../../../shared/server/database/write-schema.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { createCallerHeaders } from './caller-headers.ts'
import type { ChatDependencies } from './dependencies.ts'

/** A write whose process died before it knew the outcome (SQL `due_runs`). */
export const unknownWriteSchema = z.object({
  write: writeSchema,
  runId: z.string(),
  agentId: z.string().nullable(),
  function: z.string(),
  action: z.string(),
})

/**
 * Has the function of a write ask its provider whether the write happened, while its user is away. The function records
 * the answer. Never rejects.
 */
export async function askProvider(
  userId: string,
  unknown: z.infer<typeof unknownWriteSchema>,
  { functionUrl, functionSecret, fetch }: Pick<ChatDependencies, 'functionUrl' | 'functionSecret' | 'fetch'>,
): Promise<void> {
  const { runId, action, agentId } = unknown
  const { toolName, arguments: params, idempotencyKey } = unknown.write
  const agent = agentId === null ? {} : { agentId }
  const headersFor = createCallerHeaders({ userId }, { runId, ...agent }, functionSecret)
  try {
    const response = await fetch(functionUrl(unknown.function), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(await headersFor(toolName, params, idempotencyKey)),
      },
      body: JSON.stringify({ action, ...agent, params, idempotencyKey, verify: true }),
      signal: AbortSignal.timeout(timeouts.functionMs),
    })
    await response.body?.cancel()
  } catch (cause) {
    writeLog('write-not-verified', { tool: toolName }, cause)
  }
}
