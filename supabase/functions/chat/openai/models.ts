import { z } from 'zod'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { OpenAiCaller } from './openai-caller.ts'

/** An agent as OpenAI clients list it: as a model. Some of them show `name` instead of the id. */
export interface Model {
  id: string
  object: 'model'
  /** Seconds since 1970. */
  created: number
  owned_by: 'askback'
  name: string
}

const agentsSchema = z.array(z.object({ id: z.string(), name: z.string(), createdAt: z.number() }))

/** The agents that the caller may use. Throws ApiError. */
export async function listModels(rpc: CallRpc, { userId, agents }: OpenAiCaller): Promise<Model[]> {
  const asked = rpc('list_agents', { p_user_id: userId })
  const list = await askDatabase(asked, agentsSchema, 'agents_not_listed')
  return list
    .filter(({ id }) => agents === null || agents.includes(id))
    .map(({ id, name, createdAt }) => ({
      id,
      object: 'model',
      created: createdAt,
      owned_by: 'askback',
      name,
    }))
}

/** Throws ApiError 404 for an agent that the caller does not have, or may not use. */
export async function findModel(rpc: CallRpc, caller: OpenAiCaller, id: string): Promise<Model> {
  const model = (await listModels(rpc, caller)).find((one) => one.id === id.toLowerCase())
  if (model) return model
  throw modelNotFound(id)
}

/** Throws ApiError 404 for an agent that the caller's token does not cover; whether it exists is checked later. */
export function requireModel({ agents }: OpenAiCaller, id: string): void {
  if (agents !== null && !agents.includes(id.toLowerCase())) throw modelNotFound(id)
}

export function modelNotFound(id: string): ApiError {
  return new ApiError('model_not_found', { model: id.slice(0, 100) })
}
