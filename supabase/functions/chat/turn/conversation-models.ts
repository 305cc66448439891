import { z } from 'zod'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ModelPreference } from '../../../../shared/engine/models/model-settings.ts'
import { requireAccount } from '../../../../shared/server/authentication/account.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import {
  canAsk,
  listModelChoices,
  type ModelChoice,
  mayAnswer,
  readModelId,
} from '../../../../shared/server/model-keys/model-choices.ts'
import { openModelKeys, sealedModelKeySchema } from '../../../../shared/server/model-keys/open-model-keys.ts'
import type { ChatDependencies } from './dependencies.ts'

type ModelSources = Pick<ChatDependencies, 'rpc' | 'modelSettings' | 'credentialsKeys'>

const choiceSchema = z.object({
  preference: z.custom<ModelPreference>(isObject).nullable(),
  chosen: z.string().nullable(),
  modelKeys: z.array(sealedModelKeySchema),
})

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The models that can answer a conversation: an existing one, or a new one with an agent. */
export interface ModelList {
  models: ModelChoice[]
  /** The id of the conversation's chosen model; null if there is none, or it may no longer answer. */
  chosen: string | null
}

/** Without an agent, the server's default. Throws ApiError. */
export async function listModels(
  dependencies: ModelSources,
  userId: string,
  place: { agentId?: string | undefined; conversationId?: string | undefined },
): Promise<ModelList> {
  const { modelSettings } = dependencies
  const { preference, chosen, keys } = await loadChoice(dependencies, userId, place)
  const choice = readModelId(chosen ?? '')
  const isKept = choice && mayAnswer(modelSettings, preference, keys, choice)
  return { models: listModelChoices(modelSettings, preference, keys), chosen: isKept ? chosen : null }
}

/** Throws ApiError 400 for a model that may not answer there: `id` was already parsed. */
export async function requireModel(
  dependencies: ModelSources,
  userId: string,
  id: string,
  place: { agentId?: string | undefined; conversationId?: string | undefined },
): Promise<void> {
  const { preference, keys } = await loadChoice(dependencies, userId, place)
  const choice = readModelId(id)
  const { modelSettings } = dependencies
  if (choice && mayAnswer(modelSettings, preference, keys, choice)) return
  await requireAccount(dependencies.rpc, userId)
  const choices = listModelChoices(modelSettings, preference, keys).map(({ id }) => id)
  const why = choice && canAsk(modelSettings, choice.provider, keys) ? 'unlisted' : 'no_key'
  throw new ApiError('model_not_available', { why, model: id, choices })
}

async function loadChoice(
  { rpc, credentialsKeys }: ModelSources,
  userId: string,
  { agentId, conversationId }: { agentId?: string | undefined; conversationId?: string | undefined },
) {
  const args = {
    p_user_id: userId,
    p_agent_id: agentId && uuid.test(agentId) ? agentId : undefined,
    p_conversation_id: conversationId || undefined,
  }
  const asked = rpc('load_model_choice', args)
  const loaded = await askDatabase(asked, choiceSchema, 'models_not_listed')
  return { ...loaded, keys: await openModelKeys(loaded.modelKeys, userId, credentialsKeys) }
}
