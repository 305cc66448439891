import type { ModelClient } from '../../../shared/engine/models/protocol/model-client.ts'

/** A row of `llm_usage`. */
export interface ModelCallUsage {
  provider: string
  model: string
  inputTokens: number
  outputTokens: number
  costUsd?: number
  temperature?: number
  durationMs: number
}

/** The same model client, which notes what each answered call has used. */
export function recordUsage(model: ModelClient): { model: ModelClient; calls: ModelCallUsage[] } {
  const calls: ModelCallUsage[] = []
  const recording: ModelClient = {
    model: model.model,
    models: model.models,
    ...(model.sampling === undefined ? {} : { sampling: model.sampling }),
    async complete(request, options) {
      const begun = performance.now()
      const reply = await model.complete(request, options)
      calls.push({
        provider: reply.provider,
        model: reply.model,
        ...reply.usage,
        ...(reply.cost === undefined ? {} : { costUsd: reply.cost }),
        ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
        durationMs: Math.round(performance.now() - begun),
      })
      return reply
    },
  }
  return { model: recording, calls }
}
