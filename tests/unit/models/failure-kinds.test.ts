import { describe, expect, test } from 'vitest'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { ModelError } from '../../../shared/engine/models/protocol/model-client.ts'
import { inEnglish } from '../../../shared/words/languages/in-english.ts'
import { testClock } from '../../../support/agent-scenario.ts'
import { ask } from './fixtures.ts'

const credit = 'the account has no credit left'
const key = 'the API key was refused'
const model = 'it has no such model or address'
const tools = 'it cannot use tools'

const openai = (message: string, rest: object = {}) => ({ error: { message, ...rest } })

/** Who says it, with which status, and what it means. */
const refusals: [string, number, unknown, string][] = [
  ['OpenAI', 429, openai('You exceeded your current quota.', { code: 'insufficient_quota' }), credit],
  ['Anthropic', 400, openai('Your credit balance is too low to access the Anthropic API.'), credit],
  ['xAI', 403, { code: 'x', error: "Your newly created team doesn't have any credits yet." }, credit],
  ['SiliconFlow', 403, { code: 30001, message: 'Sorry, your account balance is insufficient' }, credit],
  ['Volcengine', 403, openai('The request failed because your account has an overdue balance.'), credit],
  ['DashScope', 400, openai('Access denied.', { code: 'Arrearage' }), credit],
  ['Fireworks', 412, openai('Account x is suspended, possibly due to failure to pay past invoices.'), credit],
  ['Zhipu', 429, openai('余额不足或无可用资源包,请充值。', { code: '1113' }), credit],
  ['Gemini', 400, [openai('API key not valid. Please pass a valid API key.')], key],
  ['xAI', 400, { code: 'x', error: 'Incorrect API key provided: sk***.' }, key],
  ['DeepSeek', 400, openai('Model Not Exist', { code: 'invalid_request_error' }), model],
  ['Mistral', 400, { object: 'error', message: 'Invalid model: m', type: 'invalid_model' }, model],
  ['OpenRouter', 400, openai('foo/bar is not a valid model ID', { code: 400 }), model],
  ['SiliconFlow', 400, { code: 20012, message: 'Model does not exist. Please check it carefully.' }, model],
  ['Copilot', 400, openai('The requested model is not supported.', { param: 'model' }), model],
  ['LiteLLM', 400, openai('Invalid model name passed in model=foo. Call `/v1/models`.'), model],
  ['Perplexity', 400, openai("Invalid model 'foo'. Permitted models are listed."), model],
  ['Bedrock', 400, { message: 'The provided model identifier is invalid.' }, model],
  ['LM Studio', 400, { error: 'No models loaded. Please load a model.' }, model],
  ['Hugging Face', 400, openai("The requested model 'x' is not supported by any provider."), model],
  ['Ollama', 400, openai('registry.ollama.ai/library/gemma:latest does not support tools'), tools],
  ['llama.cpp', 500, openai('tools param requires --jinja flag', { code: 500 }), tools],
  ['vLLM', 400, { message: '"auto" tool choice requires --enable-auto-tool-choice' }, tools],
  ['OpenRouter', 404, openai('No endpoints found that support tool use.', { code: 404 }), tools],
  ['Groq', 400, openai('`tool calling` is not supported with this model'), tools],
  ['OpenAI', 400, openai('tools is not supported in this model.'), tools],
  ['OpenAI', 400, openai("Unsupported parameter: 'tools' is not supported.", { param: 'tools' }), tools],
  ['Azure', 400, openai('Unrecognized request argument supplied: tools'), tools],
  ['Novita', 400, { message: 'model features function calling not support' }, tools],
  ['Gemini', 400, [openai('Function calling is not enabled for models/gemma-3-27b-it')], tools],
  ['Bedrock', 400, { message: "This model doesn't support tool use." }, tools],
]

function client(answer: () => Response) {
  let asked = 0
  const model = createModelClient({
    baseURL: 'https://models.example/v1',
    model: 'some-model',
    clock: testClock(),
    fetch: async () => {
      asked++
      return answer()
    },
  })
  const fail = async (stream = true) => {
    const error = await model.complete(ask(), { stream }).catch((cause: unknown) => cause)
    if (!(error instanceof ModelError)) throw new Error('It did not fail.')
    return { error, asked }
  }
  return { fail }
}

/** The error object as servers put it into an answer with status 200. */
function inside(body: unknown): unknown {
  const first = Array.isArray(body) ? body[0] : body
  const { error } = first as { error?: unknown }
  return { error: error ?? first }
}

const shapes: [string, (status: number, body: unknown) => Response][] = [
  ['with its status', (status, body) => Response.json(body, { status })],
  ['with status 200', (_, body) => Response.json(inside(body))],
  [
    'in a stream',
    (_, body) =>
      new Response(`data: ${JSON.stringify(inside(body))}\n\ndata: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      }),
  ],
]

describe.each(shapes)('a failure that lasts is the operator’s, %s', (_shape, answer) => {
  test.each(refusals)('%s %d: %o', async (_who, status, body, why) => {
    const { error, asked } = await client(() => answer(status, body)).fail()
    expect(error.failure).toMatchObject({ why: expect.stringContaining(why) })
    expect(error).toMatchObject({ refused: true, isKeyRefused: why === key })
    expect(error.failure?.errorType).toMatch(/^4\d\d$|^500$/)
    expect(error.httpStatus).toBeTypeOf('number')
    expect(inEnglish(error.said)).toContain('Please tell whoever runs it.')
    expect(inEnglish(error.said).includes('its key was refused')).toBe(why === key)
    expect(asked).toBe(1)
  })
})

test.each([
  ['Zhipu', { code: '1113', message: '余额不足或无可用资源包,请充值。' }, credit, '402'],
  ['Zhipu', { code: 1001, message: '身份验证失败' }, key, '401'],
  ['Zhipu', { code: '1261', message: '' }, 'longer than what the model reads', '400'],
  ['MiniMax', { status_code: 1008, status_msg: '' }, credit, '402'],
  ['MiniMax', { status_code: 2049, status_msg: '' }, key, '401'],
])('documented numbers of %s count where its words are not read: %o', async (_who, error, why, errorType) => {
  const failed = await client(() => Response.json({ error })).fail()
  expect(failed.error.failure).toMatchObject({ errorType, why: expect.stringContaining(why) })
  expect(failed.asked).toBe(1)
})

test.each([
  ['Anthropic', { type: 'overloaded_error', message: 'Overloaded' }],
  ['Groq', { message: 'The server had an error processing your request.', type: 'invalid_request_error' }],
  ['a gateway', { message: 'Provider returned error' }],
  ['a pause', { message: 'Rate limit reached for requests', code: 'rate_limit_exceeded' }],
  ['Zhipu', { code: '1305', message: '该模型当前访问量过大，请您稍后再试' }],
  ['a model that is being loaded', { message: 'Loading model', code: 503 }],
])('what passes is still asked again: %s', async (_who, body) => {
  const { error, asked } = await client(() => Response.json({ error: body })).fail()
  expect(inEnglish(error.said)).toContain('Please try again in a few minutes.')
  expect(asked).toBe(3)
})
