import type { ClientCall } from '../../../../shared/engine/transcript/entry.ts'
import type { CallRequest } from '../../../../shared/server/client-calls/client-call.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import { type BegunTurn, readTurnReply, runTerms } from '../turn/begin-turn.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { turnReplySchema } from '../turn/loaded-turn.ts'
import { rateOfRuns } from '../turn/recent-refusals.ts'
import type { ReadCall } from './load-tools.ts'

/** Starts the run of a call, or finds what an equal one has come to (SQL `begin_client_call`). Throws ApiError. */
export async function beginCall(
  { rpc, refusals }: Pick<ChatDependencies, 'rpc' | 'refusals'>,
  { userId, grantId, grantKey, program, tool }: CallRequest,
  { agentId, title, rawArguments, failed, key, print, asked }: ReadCall,
  runId: string,
): Promise<BegunTurn> {
  const entry: ClientCall = {
    type: 'client-call',
    client: program,
    name: tool,
    rawArguments,
    ...(asked && { message: asked.message }),
    ...(failed > 0 && { failed }),
  }
  const p_request = {
    runId,
    ...runTerms,
    agentId,
    grantId,
    grantKey,
    client: program,
    tool,
    title: `${title} (${program.name})`,
    key,
    print,
    conversationId: asked?.conversation,
    entry,
  }
  const begun = await refusals.unlessRefused(rateOfRuns(userId, undefined), () =>
    askDatabase(
      rpc('begin_client_call', { p_user_id: userId, p_request }),
      turnReplySchema,
      'message_not_stored',
    ),
  )
  return await readTurnReply(rpc, userId, begun)
}
