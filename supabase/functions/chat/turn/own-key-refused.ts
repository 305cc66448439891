import type { AgentError } from '../../../../shared/engine/core/agent-error.ts'
import type { Said } from '../../../../shared/engine/core/asked.ts'
import { type ModelClient, ModelError } from '../../../../shared/engine/models/protocol/model-client.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import type { OwnModelKey } from '../../../../shared/server/model-keys/own-model-keys.ts'

/** True if the model's server did not accept the key. */
export function isKeyRefused({ cause }: AgentError): boolean {
  return cause instanceof ModelError && cause.isKeyRefused
}

/**
 * The user's own key was refused: only they can correct it. It is marked, so that their next message is answered with
 * the server's key.
 */
export async function refuseOwnKey(
  error: AgentError,
  { name, connectionId }: OwnModelKey,
  userId: string,
  rpc: CallRpc,
): Promise<ApiError> {
  const refusal = new ApiError('own_key_refused', { provider: name }, { cause: error })
  await rpc('mark_connection', {
    p_user_id: userId,
    p_connection_id: connectionId,
    p_status: 'failed',
    p_error: refusal.message,
    p_said: { code: 'key_refused', values: { provider: name } } satisfies Said,
  }).catch((cause) => writeLog('connection-not-marked', { connectionId }, cause))
  return refusal
}

/** The model, with errors that name the user's own key where it is used: only the user can do something about it. */
export function explainOwnKeyErrors(model: ModelClient, key: OwnModelKey | undefined): ModelClient {
  if (key === undefined) return model
  return {
    ...model,
    async complete(request, options) {
      try {
        return await model.complete(request, options)
      } catch (error) {
        if (!(error instanceof ModelError && error.refused)) throw error
        const { message, httpStatus, isKeyRefused, failure, cause } = error
        throw new ModelError(message, {
          httpStatus,
          refused: true,
          isKeyRefused,
          failure,
          said: notUsed(key, httpStatus),
          cause,
        })
      }
    },
  }
}

/** The same as an API error, if the run has not started. */
export function ownKeyUnused(error: AgentError): ApiError | undefined {
  const { cause } = error
  if (!(cause instanceof ModelError)) return undefined
  const status = cause.httpStatus === undefined ? 503 : 502
  return new ApiError('own_key_unused', { said: cause.said }, { status, cause: error })
}

function notUsed({ name: provider }: OwnModelKey, httpStatus: number | undefined): Said {
  const why = httpStatus === undefined ? 'own_key_silent' : 'own_key_unused'
  return { code: 'model_unavailable', values: { why, provider } }
}
