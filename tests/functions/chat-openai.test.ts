import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APIError } from 'openai'
import { ModelError } from '../../shared/engine/models/protocol/model-client.ts'
import { agentId, apiToken, startOpenAiFunction } from '../support/openai-function.ts'

// The OpenAI protocol with the real client, on whatever Deno runs this: the function itself runs on 2.1 where it is hosted.

const user = (content: string) => [{ role: 'user' as const, content }]
const ask = (content = 'Hello') => ({ model: agentId, messages: user(content) })
const refusal = async (work: Promise<unknown>): Promise<APIError> => {
  const error = await work.then(
    () => undefined,
    (cause) => cause,
  )
  assert.ok(error instanceof APIError, String(error))
  return error
}
/** Writes pieces while it is asked, then is done. */
const inPieces =
  (...pieces: string[]) =>
  (_: unknown, { onEvent }: { onEvent?: (event: { type: 'text-delta'; delta: string }) => void }) => {
    for (const delta of pieces) onEvent?.({ type: 'text-delta', delta })
    return pieces.join('')
  }

test('models are agents, one by one too, whatever the case of the id', async () => {
  const { client } = await startOpenAiFunction(() => '')
  const model = { id: agentId, object: 'model', created: 1, owned_by: 'askback', name: 'Mail agent' }
  assert.deepEqual((await client().models.list()).data, [model])
  assert.equal((await client().models.retrieve(agentId.toUpperCase())).id, agentId)
  for (const id of ['gpt-5', 'a/b c', '__proto__', '..%2f', '💌']) {
    const error = await refusal(client().models.retrieve(id))
    assert.deepEqual([error.status, error.code], [404, 'model_not_found'], id)
  }
})

test('an answer is one completion', async () => {
  const { client, asked } = await startOpenAiFunction(() => 'Hello!')
  const completion = await client().chat.completions.create(ask())
  assert.deepEqual(completion.choices, [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello!', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ])
  assert.deepEqual(completion.usage, { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 })
  assert.match(completion._request_id ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(completion.id, `chatcmpl-${completion._request_id}`)
  assert.equal(asked[0]?.tools.length, 1)
})

test('its pieces are those of the model, the role in the first, the reason in the last, then what it has cost', async () => {
  const { client } = await startOpenAiFunction(inPieces('Hel', 'lo!'))
  const stream = await client().chat.completions.create({
    ...ask(),
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  assert.deepEqual(
    chunks.map(({ choices: [choice] }) => choice && [choice.delta, choice.finish_reason]),
    [
      [{ role: 'assistant', content: '' }, null],
      [{ content: 'Hel' }, null],
      [{ content: 'lo' }, null],
      // It could have become a picture.
      [{ content: '!' }, null],
      [{}, 'stop'],
      undefined,
    ],
  )
  assert.equal(chunks.at(-1)?.usage?.total_tokens, 30)
  assert.equal(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size, 1)
  assert.ok(chunks.every(({ object }) => object === 'chat.completion.chunk'))
})

test('what a client accepts says nothing: its body does', async () => {
  const { fetch } = await startOpenAiFunction(() => 'Hello!')
  for (const [stream, accept] of [
    [false, 'text/event-stream'],
    [true, 'application/json'],
  ] as const) {
    const response = await fetch('http://chat.example/chat/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ ...ask(`Hello ${stream}`), stream }),
    })
    const type = stream ? 'text/event-stream; charset=utf-8' : 'application/json'
    assert.equal(response.headers.get('content-type'), type)
    await response.text()
  }
})

test('the stream helper of the SDK reads it', async () => {
  const { client } = await startOpenAiFunction(inPieces('Hel', 'lo.'))
  const stream = client().chat.completions.stream(ask())
  const heard: string[] = []
  stream.on('content', (delta) => heard.push(delta))
  const whole = await stream.finalChatCompletion()
  assert.equal(whole.choices[0]?.message.content, 'Hello.')
  assert.deepEqual(heard, ['Hel', 'lo.'])
})

test('a request that comes again while its run works joins it, also by itself', async () => {
  let release = (_: string) => {}
  const answer = new Promise<string>((resolve) => {
    release = resolve
  })
  const { client, asked, begun } = await startOpenAiFunction(() => answer)
  const first = client().chat.completions.create(ask())
  const second = client().chat.completions.create(ask())
  const repeated = client().chat.completions.create(ask(), { headers: { 'x-stainless-retry-count': '1' } })
  await begun(3)
  release('Once.')
  const answers = await Promise.all([first, second, repeated])
  assert.deepEqual(
    answers.map(({ choices }) => choices[0]?.message.content),
    ['Once.', 'Once.', 'Once.'],
  )
  assert.equal(asked.length, 1)
})

test('a run is read by twenty more at once, and one more is told so', async () => {
  let release = (_: string) => {}
  const answer = new Promise<string>((resolve) => {
    release = resolve
  })
  const { client, begun } = await startOpenAiFunction(() => answer)
  const create = () => client().chat.completions.create(ask(), { maxRetries: 0 })
  const readers = Array.from({ length: 21 }, create)
  await begun(21)
  const error = await refusal(create())
  assert.equal(error.status, 429)
  assert.match(
    error.message,
    /This answer is open in 20 places already\. Close one of them, then try again\./,
  )
  release('Once.')
  const answers = await Promise.all(readers)
  assert.equal(answers.filter(({ choices }) => choices[0]?.message.content === 'Once.').length, 21)
})

test('who repeats a request by itself gets the answer it has missed, anybody else a new one', async () => {
  let said = 0
  const { client } = await startOpenAiFunction(() => `Answer ${++said}.`)
  const content = async (count: string) => {
    const headers = { 'x-stainless-retry-count': count }
    return (await client().chat.completions.create(ask(), { headers })).choices[0]?.message.content
  }
  assert.equal(await content('0'), 'Answer 1.')
  assert.equal(await content('1'), 'Answer 1.')
  assert.equal(await content('nonsense'), 'Answer 2.')
})

test('a call that asks first is a question and a link, no tool call', async () => {
  const { client } = await startOpenAiFunction(() => 'send_mail {"to":"ada@example.com"}')
  for (const stream of [false, true]) {
    const request = ask(`Write to ada@example.com, ${stream}`)
    const completion = stream
      ? await client().chat.completions.stream(request).finalChatCompletion()
      : await client().chat.completions.create(request)
    const message = completion.choices[0]?.message
    assert.match(
      message?.content ?? '',
      /\n\nApprove or deny it here: https:\/\/app\.example\.com\/chat\/openai-[0-9a-f]{40}$/,
    )
    assert.equal(message?.tool_calls, undefined)
  }
})

test('what a front end asks for itself has no tools and leaves nothing', async () => {
  const { client, asked, calls, settled } = await startOpenAiFunction(() => '{"title":"Mail"}')
  const choosing =
    'Available Tools: []\n\nYour task is to choose and return the correct tool(s) from the list of available tools based on the query.'
  await client().chat.completions.create(
    ask('### Task:\nGenerate a concise title summarizing the chat history.'),
  )
  await client().chat.completions.create({
    model: agentId,
    messages: [{ role: 'system', content: choosing }, ...user('Query: Write to ada@example.com')],
  })
  assert.deepEqual(
    asked.map(({ tools }) => tools.length),
    [0, 0],
  )
  await settled()
  assert.equal(calls.filter((name) => name === 'delete_conversation').length, 2)
})

test('a model that stays down is said once, before and in the middle of a stream', async () => {
  const down = new ModelError('HTTP 500', { httpStatus: 500 })
  const { client, counts } = await startOpenAiFunction((_, { onEvent }) => {
    if (pieces > 0) onEvent?.({ type: 'text-delta', delta: 'Half an ' })
    throw down
  })
  let pieces = 0
  for (const stream of [false, true]) {
    counts.length = 0
    const error = await refusal(client().chat.completions.create({ ...ask(`Hello ${stream}`), stream }))
    assert.deepEqual([error.status, error.code], [502, 'model_unavailable'])
    assert.equal(error.headers?.get('x-should-retry'), 'false')
    assert.deepEqual(counts, ['0'])
  }
  pieces = 1
  counts.length = 0
  const begun = await client().chat.completions.create({ ...ask('Hello again'), stream: true })
  const error = await refusal(
    (async () => {
      for await (const _ of begun);
    })(),
  )
  assert.match(error.message, /not answering/)
  assert.deepEqual(counts, ['0'])
})

test('a refusal is never 409, which clients repeat', async () => {
  const { client, counts, refuseWith } = await startOpenAiFunction(() => '')
  refuseWith('message_id_taken')
  const error = await refusal(client().chat.completions.create(ask()))
  assert.deepEqual([error.status, error.type], [400, 'invalid_request_error'])
  assert.deepEqual(counts, ['0'])
})

test('a body that is no request is refused with the parameter that is wrong', async () => {
  const { client, fetch } = await startOpenAiFunction(() => '')
  const error = await refusal(client().chat.completions.create({ model: agentId, messages: [] }))
  assert.deepEqual([error.status, error.param], [400, 'messages'])
  for (const body of ['', 'x', '[]', '{}', '{"model":{},"messages":[{}]}']) {
    const response = await fetch('http://chat.example/chat/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
      body,
    })
    assert.equal(response.status, 400, body)
    assert.match((await response.json()).error.message, /^["A-Z].*\.$/)
  }
})

test('a key that is unknown is 401 in the shape of OpenAI', async () => {
  const { client } = await startOpenAiFunction(() => '')
  const error = await refusal(client('askb_unknown').models.list())
  assert.deepEqual([error.status, error.code, error.type], [401, 'invalid_api_key', 'authentication_error'])
})
