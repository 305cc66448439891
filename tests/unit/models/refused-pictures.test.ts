import { expect, test } from 'vitest'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import { ask } from './fixtures.ts'

type Body = { messages: ChatMessage[] }

/** A client of a server that answers the first requests with these, and the bodies it was sent. */
function client(errors: { status: number; body: unknown }[]) {
  const bodies: Body[] = []
  const model = createModelClient({
    baseURL: 'https://models.example/v1',
    model: 'text-only',
    fetch: async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)))
      const error = errors[bodies.length - 1]
      if (error !== undefined) return Response.json(error.body, { status: error.status })
      return Response.json({ choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }] })
    },
  })
  return { model, bodies }
}

const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
const named = { type: 'text' as const, text: '[The user attached "a.png" (image/png), file_id 1.]' }
const withPicture = {
  ...ask(''),
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Look' }, named, picture] }],
}

const said = (message: string, rest: object = {}) => ({ error: { message, ...rest } })
const refusals: [string, number, unknown][] = [
  [
    'OpenAI',
    400,
    said('Invalid content type. image_url is only supported by certain models.', {
      type: 'invalid_request_error',
      param: 'messages.[0].content.[1].type',
    }),
  ],
  ['OpenRouter', 404, said('No endpoints found that support image input', { code: 404 })],
  [
    'DeepSeek',
    400,
    said(
      'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1 column 395',
    ),
  ],
  [
    'Groq',
    400,
    said(
      "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]",
    ),
  ],
  ['Groq, older', 400, said('messages[0].content must be a string')],
  ['Mistral', 400, { object: 'error', message: 'Image input is not enabled for this model', code: '3051' }],
  ['Ollama', 400, said('this model does not support image input (ref: b8bd)')],
  [
    'Ollama, older',
    500,
    said('Failed to create new sequence: this model is missing data required for image input'),
  ],
  [
    'llama.cpp',
    500,
    said('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', {
      code: 500,
    }),
  ],
  ['vLLM', 400, { object: 'error', message: 'meta/llama is not a multimodal model', code: 400 }],
  ['vLLM, newer', 400, said('At most 0 image(s) may be provided in one prompt.')],
  ['a gateway', 400, said('Unsupported content part type for text-only server: image_url')],
  ['another gateway', 400, said('Model do not support image input.')],
]

test.each(refusals)(
  'a model that takes no pictures is asked without, now and later: %s',
  async (_, status, body) => {
    const { model, bodies } = client([{ status, body }])
    for (const _call of [1, 2]) expect((await model.complete(withPicture)).text).toBe('Hi.')
    expect(bodies).toHaveLength(3)
    expect(JSON.stringify(bodies[0])).toContain('base64')
    for (const { messages } of bodies.slice(1)) {
      expect(messages).toEqual([
        { role: 'user', content: `Look\n${named.text}\n[The picture itself cannot be shown to you.]` },
      ])
    }
  },
)

test('a picture that is refused for itself is left out of that request alone', async () => {
  const { model, bodies } = client([{ status: 400, body: said('Could not process image') }])
  expect((await model.complete(withPicture)).text).toBe('Hi.')
  expect(JSON.stringify(bodies[1])).not.toContain('base64')
  await model.complete(withPicture)
  expect(JSON.stringify(bodies[2])).toContain('base64')
})

test('a request that is refused without pictures, too, is refused', async () => {
  const refusal = { status: 400, body: said('Your request was rejected by our safety system.') }
  const { model, bodies } = client([refusal, refusal])
  await expect(model.complete(withPicture)).rejects.toThrow(/safety system/)
  expect(bodies).toHaveLength(2)
})

test('words about pictures in a refusal of a request without any mean something else', async () => {
  const refusal = { status: 400, body: said('The tool "draw" does not support image input.') }
  const { model, bodies } = client([refusal])
  await expect(model.complete(ask('Draw'))).rejects.toThrow()
  expect(bodies).toHaveLength(1)
  await model.complete(withPicture)
  expect(JSON.stringify(bodies[1])).toContain('base64')
})
