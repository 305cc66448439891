import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import type { ModelServerReply, ScriptedToolCall } from './model-reply.ts'

/** What a server remembers between answers: the number of its next tool call. */
export interface CompletionContext {
  nextCall: number
}

/** OpenAI's error body. */
export function errorBody(status: number, message: string, code: string | null = null): unknown {
  const type = status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error'
  return { error: { message, type, param: null, code } }
}

/** A `chat.completion` object. */
export function completionBody(
  request: ChatCompletionCreateParams,
  reply: ModelServerReply,
  context: CompletionContext,
): unknown {
  const calls = wireCalls(reply, context)
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? (reply.text ?? null) : (reply.text ?? ''),
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: request.model,
    choices: reply.noChoices ? [] : [{ index: 0, message, logprobs: null, ...finish(finishReasonOf(reply)) }],
    ...(reply.usage === null ? {} : { usage: usageOf(reply) }),
  }
}

/** The same completion as `chat.completion.chunk` objects, the usage chunk last when it was asked for. */
export function completionChunks(
  request: ChatCompletionCreateParams,
  reply: ModelServerReply,
  context: CompletionContext,
): unknown[] {
  const envelope = {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: request.model,
  }
  const wantsUsage = request.stream_options?.include_usage === true && reply.usage !== null
  const deltas = reply.noChoices ? [] : deltasOf(reply, wireCalls(reply, context))
  const chunks: unknown[] = deltas.map((delta) => ({
    ...envelope,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
    ...(wantsUsage ? { usage: null } : {}),
  }))
  const reason = finishReasonOf(reply)
  if (!reply.noChoices && reason !== null) {
    chunks.push({ ...envelope, choices: [{ index: 0, delta: {}, logprobs: null, ...finish(reason) }] })
  }
  if (wantsUsage) chunks.push({ ...envelope, choices: [], usage: usageOf(reply) })
  return chunks
}

function deltasOf(reply: ModelServerReply, calls: ReturnType<typeof wireCalls>): unknown[] {
  const style = reply.fragments ?? {}
  const size = style.size ?? 8
  const perCall = calls.map((call, position) => {
    const place = style.omitIndex ? {} : { index: style.sameIndex ? 0 : position }
    const { id, type } = call
    const head = { ...place, ...(style.omitIds || id === undefined ? {} : { id }), type }
    return [
      { tool_calls: [{ ...head, function: { name: call.function.name, arguments: '' } }] },
      ...pieces(call.function.arguments, size).map((piece) => ({
        tool_calls: [{ ...place, function: { arguments: piece } }],
      })),
    ]
  })
  return [
    { role: 'assistant', content: calls.length > 0 && !reply.text ? null : '' },
    ...pieces(reply.thoughts ?? '', size).map((reasoning_content) => ({ reasoning_content })),
    ...pieces(reply.text ?? '', size).map((content) => ({ content })),
    ...(style.interleave ? inTurns(perCall) : perCall.flat()),
  ]
}

function wireCalls(reply: ModelServerReply, context: CompletionContext) {
  return (reply.toolCalls ?? []).map((call: ScriptedToolCall) => {
    const id = call.id === undefined ? `call_${context.nextCall++}` : call.id
    return {
      ...(id === null ? {} : { id }),
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }
  })
}

function finishReasonOf(reply: ModelServerReply): string | null {
  if (reply.finishReason !== undefined) return reply.finishReason
  return (reply.toolCalls?.length ?? 0) > 0 ? 'tool_calls' : 'stop'
}

function finish(reason: string | null): { finish_reason?: string } {
  return reason === null ? {} : { finish_reason: reason }
}

function usageOf(reply: ModelServerReply) {
  const { prompt_tokens, completion_tokens } = reply.usage ?? { prompt_tokens: 20, completion_tokens: 10 }
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

function pieces(text: string, size: number): string[] {
  const result: string[] = []
  for (let start = 0; start < text.length; start += size) result.push(text.slice(start, start + size))
  return result
}

function inTurns<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const result: T[] = []
  for (let turn = 0; turn < longest; turn++) {
    for (const list of lists) {
      const item = list[turn]
      if (item !== undefined) result.push(item)
    }
  }
  return result
}
