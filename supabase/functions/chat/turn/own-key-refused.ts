import type { AgentError } from '../../../../shared/engine/core/agent-error.ts'
import { ModelError } from '../../../../shared/engine/models/protocol/model-client.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import type { OwnModelKey } from '../../../../shared/server/model-keys/own-model-keys.ts'

/** True where the model's server did not take the key. */
export function isKeyRefused({ cause }: AgentError): boolean {
  return cause instanceof ModelError && (cause.httpStatus === 401 || cause.httpStatus === 403)
}

/**
 * The user's own key was refused: only they can correct it. It is marked, so that their next message is answered with
 * the server's key.
 */
export async function refuseOwnKey(
  error: AgentError,
  { provider, connectionId }: OwnModelKey,
  userId: string,
  rpc: CallRpc,
): Promise<ApiError> {
  const sentence = `Your own API key for ${provider} was refused. Correct or remove it in the integration settings. Until then your messages are answered without it: send this one again.`
  await rpc('mark_connection', {
    p_user_id: userId,
    p_connection_id: connectionId,
    p_status: 'failed',
    p_error: sentence,
  }).catch((cause) => writeLog('connection-not-marked', { connectionId }, cause))
  return new ApiError(502, 'own_key_refused', sentence, { cause: error })
}
