import { z } from 'zod'
import { saidError, type ToolError } from '../../../shared/engine/core/tool-error.ts'
import { toolValues } from '../../../shared/engine/wording/question-values.ts'
import { specificationSchema } from '../../../shared/server/database/answer-schemas.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { describeSwitchedOff } from '../../../shared/server/integration-function/switched-off.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'

const offeredFunctionSchema = z.object({
  specification: specificationSchema,
  action: z.string(),
  schema: z.string(),
  function: z.string(),
  /** Not declared stable or immutable: the data API lets it change things. */
  volatile: z.boolean().nullable(),
  /** False if it returns void. */
  hasResult: z.boolean().nullable(),
  /** Why it can no longer be called as it was offered. */
  problem: z.enum(['gone', 'changed', 'refused', 'off']).nullable(),
  /** The same as a sentence from, or for, the operator. */
  reason: z.string().nullable(),
  /** The function that its approval relies on, and which of the arguments it takes. */
  looks: z.object({ schema: z.string(), function: z.string(), arguments: z.array(z.string()) }).nullable(),
})

/** A function of the application that an operator has offered, as it is now. */
export type OfferedFunction = z.infer<typeof offeredFunctionSchema>

/** The function behind a tool; undefined if none is offered under that name. Throws ApiError 503 without a database. */
export async function loadOfferedFunction(rpc: CallRpc, tool: string): Promise<OfferedFunction | undefined> {
  const asked = rpc('load_offered_function', { p_tool_name: tool })
  return (await askDatabase(asked, offeredFunctionSchema.nullable(), 'not_done')) ?? undefined
}

/** Nobody in the conversation can fix it: the operator finds the reason, and what to do, in the log. */
export function cannotBeCalled({
  specification,
  schema,
  function: name,
  ...found
}: OfferedFunction): ToolError {
  if (found.problem === 'off') return describeSwitchedOff({ specification }, found.reason)
  const problem = found.problem ?? 'changed'
  writeLog('offered-function-unusable', {
    function: `${schema}.${name}`,
    problem,
    reason: found.reason,
    remedy: 'select * from askback.offer_functions_again()',
  })
  const values = { ...toolValues(specification), problem }
  return saidError('execution_error', { code: 'app_function_unusable', values })
}
