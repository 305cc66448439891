import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { estimateTokens } from '../../../shared/engine/window/estimate-tokens.ts'
import { fail, type ModelServerReply, type ModelServerRequest, say } from '../../../support/model-server.ts'

/** A body as a server refuses a request with it: of so many tokens, where it reads so many. */
export type Refuse = (sent: number, window: number) => ModelServerReply

const openai = (message: string, rest: object = {}) => ({ error: { message, ...rest } })

/**
 * How servers refuse a request that is too long, each in its own words: their sources are in `window-refusals.test.ts`.
 */
export const refusals: Record<string, Refuse> = {
  OpenAI: (sent, window) =>
    fail(400, {
      body: openai(
        `This model's maximum context length is ${window} tokens. However, your messages resulted in ${sent} tokens. Please reduce the length of the messages.`,
        { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
      ),
    }),
  Anthropic: (sent, window) =>
    fail(400, { body: openai(`prompt is too long: ${sent} tokens > ${window} maximum`) }),
  Gemini: (sent, window) =>
    fail(400, {
      body: [
        openai(`The input token count (${sent}) exceeds the maximum number of tokens allowed (${window}).`, {
          code: 400,
          status: 'INVALID_ARGUMENT',
        }),
      ],
    }),
  OpenRouter: (sent, window) =>
    fail(400, {
      body: openai(
        `This endpoint's maximum context length is ${window} tokens. However, you requested about ${sent + 1072} tokens (${sent} of text input, 1072 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
        { code: 400 },
      ),
    }),
  Groq: () =>
    fail(400, {
      body: openai('Please reduce the length of the messages or completion.', {
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      }),
    }),
  Mistral: (sent, window) =>
    fail(400, {
      body: {
        object: 'error',
        message: `Prompt contains ${sent} tokens and 0 draft tokens, too large for model with ${window} maximum context length`,
        type: 'invalid_request_invalid_args',
        param: null,
        code: '3051',
      },
    }),
  DeepSeek: (sent, window) =>
    fail(400, {
      body: openai(
        `This model's maximum context length is ${window} tokens. However, you requested ${sent + 4096} tokens (${sent} in the messages, 4096 in the completion). Please reduce the length of the messages or completion.`,
        { type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
      ),
    }),
  Moonshot: (sent, window) =>
    fail(400, {
      body: openai(
        `Invalid request: Your request exceeded model token limit: ${window} (requested: ${sent})`,
        { type: 'invalid_request_error' },
      ),
    }),
  'llama.cpp': (sent, window) =>
    fail(400, {
      body: openai(
        `request (${sent} tokens) exceeds the available context size (${window} tokens), try increasing it`,
        { code: 400, type: 'exceed_context_size_error', n_prompt_tokens: sent, n_ctx: window },
      ),
    }),
  vLLM: (sent, window) =>
    fail(400, {
      body: openai(
        `This model's maximum context length is ${window} tokens. However, your request has ${sent} input tokens. Please reduce the length of the input messages.`,
        { type: 'BadRequestError', param: null, code: 400 },
      ),
    }),
  'LM Studio': (sent, window) =>
    fail(400, {
      body: {
        error: `Trying to keep the first ${sent} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`,
      },
    }),
  Ollama: (sent, window) =>
    fail(400, { body: openai(`prompt too long; exceeded max context length by ${sent - window} tokens`) }),
  'LiteLLM, as a fault of the server': (_sent, window) =>
    fail(503, {
      body: openai(
        `litellm.ServiceUnavailableError: OpenAIException - Requested token count exceeds the model's maximum context length of ${window} tokens.`,
      ),
    }),
}

/** How a refusal reaches its client. */
export const shapes: Record<string, (reply: ModelServerReply) => ModelServerReply> = {
  'with its status': (reply) => reply,
  'with status 200': (reply) => ({ status: 200, body: inside(reply.body) }),
  'in a stream': (reply) => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `data: ${JSON.stringify(inside(reply.body))}\n\ndata: [DONE]\n\n`,
  }),
}

function inside(body: unknown): unknown {
  const first = Array.isArray(body) ? body[0] : body
  return { error: (first as { error?: unknown }).error ?? first }
}

/** Tokens of a request, of a tokenizer that has `scale` of them where one is estimated. */
export function tokensOf({ messages, tools = [] }: ChatCompletionCreateParams, scale = 1): number {
  const defined = tools.flatMap((tool) => (tool.type === 'function' ? [tool.function] : []))
  const specifications = defined.map(({ name, description = '', parameters = {} }) => ({
    ...{ name, description, parameters },
    effect: 'read' as const,
  }))
  return Math.round(estimateTokens({ messages, tools: specifications }) * scale)
}

/** A server whose model reads so many tokens, and refuses more. */
export function refusing(
  window: number,
  { as = refusals.OpenAI, shape = (reply) => reply, scale = 1, usage = true }: RefusingOptions = {},
): (request: ModelServerRequest) => ModelServerReply {
  return ({ body }) => {
    const sent = tokensOf(body, scale)
    if (sent > window) return shape((as as Refuse)(sent, window))
    return say('Fine.', { usage: usage ? { prompt_tokens: sent, completion_tokens: 2 } : null })
  }
}

interface RefusingOptions {
  as?: Refuse | undefined
  shape?: (reply: ModelServerReply) => ModelServerReply
  scale?: number
  usage?: boolean
}

/** A server that cuts what its model does not read, without a word (Ollama). */
export function cutting(window: number): (request: ModelServerRequest) => ModelServerReply {
  return ({ body }) =>
    say('Fine.', { usage: { prompt_tokens: Math.min(window, tokensOf(body)), completion_tokens: 2 } })
}
