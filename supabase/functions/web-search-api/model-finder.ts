import { z } from 'zod'
import { createModelMemory } from '../../../shared/engine/models/model-memory.ts'
import {
  createModelFromSettings,
  type ModelPreference,
} from '../../../shared/engine/models/model-settings.ts'
import type { ModelClient } from '../../../shared/engine/models/protocol/model-client.ts'
import {
  type Environment,
  readProjectAccess,
} from '../../../shared/server/authentication/project-settings.ts'
import { type CallRpc, createRpc } from '../../../shared/server/database/call-rpc.ts'
import type { ActionContext } from '../../../shared/server/integration-function/integration-action.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { openModelKeys, sealedModelKeySchema } from '../../../shared/server/model-keys/open-model-keys.ts'
import { withOwnKeys } from '../../../shared/server/model-keys/own-model-keys.ts'

/** The model of the caller's agent, for up to this many calls; undefined if there is none, or no budget for it. */
export type FindModel = (
  caller: Pick<ActionContext, 'userId' | 'agentId'>,
  calls: number,
) => Promise<ModelClient | undefined>

const choiceSchema = z.object({
  preference: z.custom<ModelPreference>((value) => typeof value === 'object').nullable(),
  modelKeys: z.array(sealedModelKeySchema),
})

/** Finds it like the chat does: the agent's preference, and the user's own keys before the server's. */
export function createModelFinder(env: Environment): FindModel {
  // Shared by the process, so that a model that asked for a pause gets it from every call.
  const shared = createModelMemory()
  let rpc: CallRpc | undefined
  return async ({ userId, agentId }, calls) => {
    try {
      rpc ??= createRpc(readProjectAccess(env))
      const args = { p_user_id: userId, p_agent_id: agentId || undefined }
      const { preference, modelKeys } = choiceSchema.parse(await rpc('load_model_choice', args))
      const keys = await openModelKeys(modelKeys, userId, env.ASKBACK_CREDENTIALS_KEYS)
      const settings = withOwnKeys(env, preference, keys)
      // The demo model plays conversations; it cannot summarize.
      if (settings.OPENAI_MODEL === 'demo' && env.ASKBACK_DEMO_MODEL === 'true') return undefined
      const memory = keys.length > 0 ? createModelMemory(shared) : shared
      const drawn = await rpc('draw_model_calls', {
        p_user_id: userId,
        p_agent_id: agentId ?? null,
        p_calls: calls,
      })
      const model = createModelFromSettings(settings, preference, { memory })
      return limitCalls(model, z.number().parse(drawn))
    } catch (cause) {
      writeLog('no-model-for-summaries', {}, cause)
      return undefined
    }
  }
}

/** The same model, which refuses further calls once its budget is used up. */
function limitCalls(model: ModelClient, calls: number): ModelClient | undefined {
  let left = calls
  if (left <= 0) return undefined
  return {
    ...model,
    async complete(request, options) {
      if (left-- <= 0) throw new Error('The budget for model calls is used up.')
      return await model.complete(request, options)
    },
  }
}
