import { expect, test } from 'vitest'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { ModelError } from '../../../shared/engine/models/protocol/model-client.ts'
import { ask } from './fixtures.ts'

type Body = Record<string, unknown>

/** A client of a server that refuses the first requests with these errors, and the bodies it was sent. */
function client(errors: object[], parameters: Body = {}) {
  const bodies: Body[] = []
  const model = createModelClient({
    baseURL: 'https://models.example/v1',
    model: 'deployment-1',
    parameters,
    fetch: async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)))
      const error = errors[bodies.length - 1]
      if (error !== undefined) return Response.json(error, { status: 400 })
      return Response.json({ choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }] })
    },
  })
  return { model, bodies }
}

const cases: [string, object, Body, Body][] = [
  [
    'OpenAI, a temperature',
    {
      error: {
        message: "Unsupported value: 'temperature' does not support 0.5 with this model.",
        param: 'temperature',
        code: 'unsupported_value',
      },
    },
    { temperature: 0.5 },
    { temperature: undefined },
  ],
  [
    'Anthropic, a temperature',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' },
    },
    { temperature: 0.5 },
    { temperature: undefined },
  ],
  [
    'Moonshot, a temperature',
    {
      error: {
        message: 'invalid temperature: only 1 is allowed for this model',
        type: 'invalid_request_error',
      },
    },
    { temperature: 0.5 },
    { temperature: undefined },
  ],
  [
    'Mistral, usage in streams',
    {
      object: 'error',
      message: {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
        ],
      },
    },
    { stream_options: { include_usage: true } },
    { stream_options: undefined },
  ],
  [
    'OpenAI, the old name of the limit',
    {
      error: {
        message: "Unsupported parameter: 'max_tokens' is not supported with this model.",
        param: 'max_tokens',
      },
    },
    { max_tokens: 100 },
    { max_tokens: undefined, max_completion_tokens: 100 },
  ],
  [
    'OpenAI, reasoning beside tools',
    {
      error: {
        message:
          "Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
        param: 'reasoning_effort',
      },
    },
    { reasoning_effort: 'high' },
    { reasoning_effort: 'none' },
  ],
  [
    'OpenAI, an effort that the model does not know',
    {
      error: {
        message: "Unsupported value: 'reasoning_effort' does not support 'high' with this model.",
        param: 'reasoning_effort',
      },
    },
    { reasoning_effort: 'high' },
    { reasoning_effort: undefined },
  ],
]

test.each(cases)('a parameter that is refused is not sent again: %s', async (_name, error, before, after) => {
  const { model, bodies } = client([error], { reasoning_effort: 'high' })
  const request = ask('Hi', { maxOutputTokens: 100 })
  for (const _call of [1, 2]) {
    const reply = await model.complete(request, { stream: true })
    expect(reply.text).toBe('Hi.')
  }
  expect(bodies).toHaveLength(3)
  expect(bodies[0]).toMatchObject(before)
  for (const body of bodies.slice(1)) {
    for (const [name, value] of Object.entries(after)) expect(body[name]).toEqual(value)
  }
})

test('several are refused one after the other', async () => {
  const { model, bodies } = client(
    cases
      .slice(0, 1)
      .concat(cases.slice(3, 5))
      .map(([, error]) => error),
  )
  await model.complete(ask('Hi', { maxOutputTokens: 100 }), { stream: true })
  expect(bodies).toHaveLength(4)
  for (const name of ['temperature', 'stream_options', 'max_tokens']) {
    expect(bodies[0]).toHaveProperty(name)
    expect(bodies[3]).not.toHaveProperty(name)
  }
})

test('a parameter that is refused although it was not sent is a failure', async () => {
  const refusal = cases[0]?.[1] ?? {}
  const { model, bodies } = client([refusal, refusal, refusal])
  await expect(model.complete(ask('Hi'))).rejects.toBeInstanceOf(ModelError)
  expect(bodies).toHaveLength(2)
})
