import { z } from 'zod'
import { createModelMemory } from '../../../shared/engine/models/model-memory.ts'
import {
  createModelFromSettings,
  type ModelPreference,
} from '../../../shared/engine/models/model-settings.ts'
import type { ModelClient } from '../../../shared/engine/models/protocol/model-client.ts'
import {
  type Environment,
  readProjectSettings,
} from '../../../shared/server/authentication/project-settings.ts'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'
import type { ActionContext } from '../../../shared/server/integration-function/integration-action.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { openModelKeys, sealedModelKeySchema } from '../../../shared/server/model-keys/open-model-keys.ts'
import { withOwnKeys } from '../../../shared/server/model-keys/own-model-keys.ts'

/** The model of the caller's agent; undefined if there is none. */
export type FindModel = (
  caller: Pick<ActionContext, 'userId' | 'agentId'>,
) => Promise<ModelClient | undefined>

const choiceSchema = z.object({
  preference: z.custom<ModelPreference>((value) => typeof value === 'object').nullable(),
  modelKeys: z.array(sealedModelKeySchema),
})

/** Finds it like the chat does: the agent's preference, and the user's own keys before the server's. */
export function createModelFinder(env: Environment): FindModel {
  // Shared by the process, so that a model that asked for a pause gets it from every call.
  const shared = createModelMemory()
  return async ({ userId, agentId }) => {
    try {
      const rpc = createRpc(readProjectSettings(env))
      const args = { p_user_id: userId, ...(agentId ? { p_agent_id: agentId } : {}) }
      const { preference, modelKeys } = choiceSchema.parse(await rpc('load_model_choice', args))
      const keys = await openModelKeys(modelKeys, userId, env.ASKBACK_CREDENTIALS_KEYS)
      const settings = withOwnKeys(env, preference, keys)
      // The demo model plays conversations; it cannot summarize.
      if (settings.OPENAI_MODEL === 'demo' && env.ASKBACK_DEMO_MODEL === 'true') return undefined
      const memory = keys.length > 0 ? createModelMemory() : shared
      return createModelFromSettings(settings, preference, { memory })
    } catch (cause) {
      writeLog('no-model-for-summaries', {}, cause)
      return undefined
    }
  }
}
