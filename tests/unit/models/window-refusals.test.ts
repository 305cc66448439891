import { describe, expect, test } from 'vitest'
import { readErrorObject, readErrorResponse } from '../../../shared/engine/models/protocol/call-failure.ts'

/** `{ error: … }`, as OpenAI sends it. */
const openai = (message: string, rest: object = {}) => ({ error: { message, ...rest } })

/**
 * Refusals of requests that are too long, in their servers' words. Sources: the documentation and the code of the servers
 * where they are open (llama.cpp tools/server, vllm/renderers/params.py, sglang's tokenizer manager, Ollama's routes), else
 * issues that quote them: badlogic/pi-mono packages/ai/src/utils/overflow.ts and its tests, UKGovernmentBEIS/inspect_ai,
 * openclaw's and strands-agents' tests, sst/opencode, RooCodeInc/Roo-Code.
 */
const refusals: [who: string, status: number, body: unknown, limit?: number, sent?: number][] = [
  [
    'OpenAI',
    400,
    openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.",
      { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    ),
    128_000,
    130_000,
  ],
  [
    'OpenAI, with tools',
    400,
    openai(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9480 tokens (1234 in the messages, 8246 in the functions). Please reduce the length of the messages or functions.",
      { code: 'context_length_exceeded' },
    ),
    8192,
    9480,
  ],
  [
    'OpenAI, a configured limit',
    400,
    openai(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens. Please reduce the length of the messages.',
      { code: 'context_length_exceeded' },
    ),
    272_000,
    300_123,
  ],
  [
    'OpenAI, newer',
    400,
    openai('Your input exceeds the context window of this model. Please adjust your input and try again.', {
      type: 'invalid_request_error',
      param: 'input',
    }),
  ],
  [
    'Azure',
    400,
    openai(
      "This model's maximum context length is 16385 tokens, however you requested 17450 tokens (16450 in your prompt; 1000 for the completion). Please reduce your prompt; or completion length.",
      { type: 'invalid_request_error' },
    ),
    16_385,
    16_450,
  ],
  [
    'Anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 208310 tokens > 200000 maximum',
      },
    },
    200_000,
    208_310,
  ],
  [
    'Anthropic, with room for the answer',
    400,
    openai(
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    ),
    200_000,
    188_240,
  ],
  [
    'Anthropic, in bytes',
    413,
    {
      type: 'error',
      error: {
        type: 'request_too_large',
        message: 'Request exceeds the maximum allowed number of bytes.',
      },
    },
  ],
  [
    'Gemini',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1054016) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    1_048_576,
    1_054_016,
  ],
  [
    'Gemini, without its count',
    400,
    [openai('The input token count exceeds the maximum number of tokens allowed 1048576.')],
    1_048_576,
  ],
  [
    'OpenRouter',
    400,
    openai(
      'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 141607 tokens (140535 of text input, 1072 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
      { code: 400, metadata: { provider_name: 'Chutes' } },
    ),
    131_072,
    140_535,
  ],
  [
    'OpenRouter, in its provider’s words',
    400,
    openai('Provider returned error', {
      code: 400,
      metadata: {
        raw: '{"error":{"message":"The input (265330 tokens) is longer than the model\'s context length (262144 tokens).","type":"invalid_request_error"}}',
        provider_name: 'Together',
      },
    }),
    262_144,
    265_330,
  ],
  [
    'OpenRouter, Poolside',
    400,
    openai('Input length 265330 exceeds the maximum allowed input length of 262144 tokens.'),
    262_144,
    265_330,
  ],
  [
    'Groq',
    400,
    openai('Please reduce the length of the messages or completion.', {
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    }),
  ],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message:
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_invalid_args',
      param: null,
      code: '3051',
    },
    32_768,
    40_000,
  ],
  [
    'DeepSeek',
    400,
    openai(
      "This model's maximum context length is 131072 tokens. However, you requested 135956 tokens (127764 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
      { type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
    ),
    131_072,
    127_764,
  ],
  [
    'Moonshot',
    400,
    openai('Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)', {
      type: 'invalid_request_error',
    }),
    262_144,
    291_351,
  ],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14429,
        n_ctx: 8192,
      },
    },
    8192,
    14_429,
  ],
  [
    'llama.cpp, older',
    400,
    openai('the request exceeds the available context size, try increasing it', {
      code: 400,
      type: 'invalid_request_error',
    }),
  ],
  [
    'llama.cpp as a fault of the server',
    500,
    openai(
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      {
        code: 500,
        type: 'server_error',
      },
    ),
  ],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    16_384,
    112_946,
  ],
  [
    'vLLM 0.12',
    400,
    openai(
      "This model's maximum context length is 16384 tokens. However, your request has 20123 input tokens. Please reduce the length of the input messages.",
      { type: 'BadRequestError', code: 400 },
    ),
    16_384,
    20_123,
  ],
  [
    'vLLM 0.16',
    400,
    openai(
      "You passed 10243 input tokens and requested 6142 output tokens. However, the model's context length is only 16384 tokens, resulting in a maximum input length of 10242 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=10243)",
      { type: 'BadRequestError', param: 'input_tokens', code: 400 },
    ),
    16_384,
    10_243,
  ],
  [
    'vLLM, the engine',
    400,
    openai(
      'The decoder prompt (length 5321) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    ),
    4096,
    5321,
  ],
  [
    'SGLang',
    400,
    {
      object: 'error',
      message:
        "Requested token count exceeds the model's maximum context length of 163840 tokens. You requested a total of 163977 tokens: 147593 tokens from the input messages and 16384 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
      code: 400,
    },
    163_840,
    147_593,
  ],
  [
    'LiteLLM as a fault of the server',
    503,
    openai(
      "litellm.ServiceUnavailableError: litellm.MidStreamFallbackError: OpenAIException - Requested token count exceeds the model's maximum context length of 131072 tokens. Try again later.",
    ),
    131_072,
  ],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 9480 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
    },
    4096,
    9480,
  ],
  [
    'LM Studio, newer',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9480, n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    },
    4096,
    9480,
  ],
  ['Ollama', 400, openai('prompt too long; exceeded max context length by 4021 tokens')],
  [
    'Ollama’s cloud',
    400,
    openai('The prompt is too long: 208863, model maximum context length: 202752'),
    202_752,
    208_863,
  ],
  ['Ollama, errors of its documentation', 400, openai('context length exceeded')],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    131_072,
    537_812,
  ],
  [
    'GitHub Copilot',
    400,
    openai('prompt token count of 145000 exceeds the limit of 128000', {
      code: 'model_max_prompt_tokens_exceeded',
    }),
    128_000,
    145_000,
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
  ['MiniMax', 400, openai('invalid params, context window exceeds limit (2013)')],
  ['Zhipu', 400, openai('Prompt 超长', { code: '1261' })],
  ['DashScope', 400, openai('Range of input length should be [1, 129024]'), 129_024],
  [
    'TGI',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5200 `inputs` tokens and 100 `max_new_tokens`',
      error_type: 'validation',
    },
    4096,
    5200,
  ],
  [
    'Cerebras',
    400,
    openai(
      'Please reduce the length of the messages or completion. Current length is 9331 while limit is 8192',
      { code: 'context_length_exceeded' },
    ),
    8192,
    9331,
  ],
  [
    'DS4',
    400,
    openai('Prompt has 300,000 tokens, but the configured context size is 131,072 tokens'),
    131_072,
    300_000,
  ],
  ['nginx', 413, '<html><head><title>413 Request Entity Too Large</title></head><body>413</body></html>'],
]

const read = (status: number, body: unknown) =>
  readErrorResponse(status, new Headers(), typeof body === 'string' ? body : JSON.stringify(body))

describe('a request that is too long', () => {
  test.each(refusals)('%s, %d', (_who, status, body, limit, sent) => {
    const failure = read(status, body)
    expect(failure).toMatchObject({ kind: 'window', refusal: { isPerMinute: false } })
    expect([failure.refusal?.limit, failure.refusal?.sent]).toEqual([limit, sent])
  })

  test.each(refusals.filter(([, , body]) => typeof body !== 'string'))(
    '%s, in an answer with status 200',
    (_who, status, body, limit) => {
      const first = Array.isArray(body) ? body[0] : body
      const { error } = first as { error?: unknown }
      // Without a status a body that only names bytes is no sign.
      if (status === 413) return
      const failure = readErrorObject(error ?? first)
      expect(failure).toMatchObject({ kind: 'window' })
      expect(failure.refusal?.limit).toBe(limit)
    },
  )
})

describe('a request that is longer than a minute’s allowance', () => {
  test.each([
    [
      'OpenAI',
      429,
      'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully. Visit https://platform.openai.com/account/rate-limits to learn more.',
      30_000,
      45_000,
    ],
    [
      'Groq',
      413,
      'Request too large for model `llama-3.3-70b-versatile` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 15921, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
      12_000,
      15_921,
    ],
  ])('%s, %d, is no window', (_who, status, message, limit, sent) => {
    const failure = read(status, openai(message, { type: 'tokens', code: 'rate_limit_exceeded' }))
    expect(failure).toMatchObject({ kind: 'window', refusal: { isPerMinute: true, limit, sent } })
  })
})

describe('what speaks of tokens and lengths and is about something else', () => {
  test.each([
    [
      'a pause',
      429,
      'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 1443. Please try again in 4.77s.',
    ],
    [
      'Anthropic’s pause',
      429,
      "This request would exceed your organization's rate limit of 30,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.",
    ],
    ['Bedrock’s pause', 429, 'Too many tokens, please wait before trying again.'],
    ['the room for the answer', 400, 'max_tokens exceeds the limit of 8192'],
    [
      'the room for the answer',
      400,
      'max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.',
    ],
    ['a model', 404, 'The model `long-context-128k` does not exist'],
    ['a key', 401, 'Incorrect API key provided: context-length.'],
    ['a quotation', 400, 'Invalid value for \'messages[2].content\': "maximum context length is 10".'],
    ['a quotation', 400, "Content was refused: 'the maximum context length is 10'."],
    ['pictures', 400, 'Image input is too large: images may have at most 20971520 bytes.'],
    [
      'a tool',
      400,
      "Invalid 'tools[3].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 3000 instead.",
    ],
  ])('%s, %d: %s', (_who, status, message) => {
    expect(read(status, openai(message)).kind).not.toBe('window')
  })
})
