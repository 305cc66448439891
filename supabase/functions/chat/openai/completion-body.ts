import type { RunUsage } from '../../../../shared/engine/transcript/answer.ts'

/** Shared by all chunks of one completion. */
export interface CompletionHead {
  id: string
  /** Seconds since 1970. */
  created: number
  /** As the client named it. */
  model: string
}

/** `length`: it was cut there. */
export type FinishReason = 'stop' | 'length'

export function makeHead(runId: string, model: string): CompletionHead {
  return { id: `chatcmpl-${runId}`, created: Math.floor(Date.now() / 1000), model }
}

/** The complete answer. Our tools' calls are not part of it: clients would run a tool call themselves. */
export function completionBody(
  head: CompletionHead,
  content: string,
  finishReason: FinishReason,
  usage: RunUsage,
) {
  const message = { role: 'assistant', content, refusal: null }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReason }]
  return { ...head, object: 'chat.completion', choices, usage: openAiUsage(usage) }
}

/** A chunk of a streamed answer. Clients want the role in the first one, and a reason in the last. */
export function completionChunk(
  head: CompletionHead,
  delta: { role?: 'assistant'; content?: string },
  finishReason: FinishReason | null = null,
) {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
  return { ...head, object: 'chat.completion.chunk', choices }
}

/** The last chunk, if the client asked for it. */
export function usageChunk(head: CompletionHead, usage: RunUsage) {
  return { ...head, object: 'chat.completion.chunk', choices: [], usage: openAiUsage(usage) }
}

function openAiUsage({ inputTokens, outputTokens }: RunUsage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}
