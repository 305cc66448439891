/** How a server refuses a request that its model cannot read. */
export interface Words {
  status: number
  /** `sent`: tokens of the request. */
  body(window: number, sent: number): unknown
}

/** In the words of each provider, as its documentation or public reports quote them. */
export const refusals: Readonly<Record<string, Words>> = {
  openai: {
    status: 400,
    body: (window, sent) => ({
      error: {
        message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${sent} tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    }),
  },
  anthropic: {
    status: 400,
    body: (window, sent) => ({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: `prompt is too long: ${sent} tokens > ${window} maximum`,
      },
    }),
  },
  'llama.cpp': {
    status: 400,
    body: (window, sent) => ({
      error: {
        code: 400,
        message: `request (${sent} tokens) exceeds the available context size (${window} tokens), try increasing it`,
        type: 'exceed_context_size_error',
        n_prompt_tokens: sent,
        n_ctx: window,
      },
    }),
  },
  vllm: {
    status: 400,
    body: (window, sent) => ({
      object: 'error',
      message: `This model's maximum context length is ${window} tokens. However, you requested ${sent} tokens (${sent} in the messages, 0 in the completion). Please reduce the length of the messages or completion.`,
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
  },
  mistral: {
    status: 400,
    body: (window, sent) => ({
      object: 'error',
      message: `Prompt contains ${sent} tokens and 0 draft tokens, too large for model with ${window} maximum context length`,
      type: 'invalid_request_invalid_args',
      param: null,
      code: '3051',
    }),
  },
  'LM Studio': {
    status: 400,
    body: (window, sent) => ({
      error: `Trying to keep the first ${sent} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`,
    }),
  },
}
