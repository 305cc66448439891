import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APIError } from 'openai'
import { ModelError } from '../../shared/engine/models/protocol/model-client.ts'
import { chatHeaders, titlePrompt } from '../../support/open-webui.ts'
import { agentId, apiToken, startOpenAiFunction } from '../../support/openai-function.ts'

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
/** A request as any client may send it. */
const post = (path: string, body: unknown, key = apiToken) =>
  new Request(`http://chat.example/chat/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
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

test('a request that came to words alone is answered anew, whatever count its client sends', async () => {
  let said = 0
  const { client } = await startOpenAiFunction(() => `Answer ${++said}.`)
  const content = async (count: string) => {
    const headers = { 'x-stainless-retry-count': count }
    return (await client().chat.completions.create(ask(), { headers })).choices[0]?.message.content
  }
  assert.equal(await content('0'), 'Answer 1.')
  assert.equal(await content('1'), 'Answer 2.')
})

test('headers of ours pass the preflight of a browser, and what was ignored can be read there', async () => {
  const { client, fetch } = await startOpenAiFunction(() => 'Hello!')
  const names =
    'authorization, x-askback-conversation, x-askback-message, x-askback-task, x-openwebui-chat-id'
  const preflight = await fetch('http://chat.example/chat/v1/chat/completions', {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': names,
    },
  })
  const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').split(/, ?/)
  assert.deepEqual(allowed, names.split(', '))
  const literal = { headers: { origin: 'https://app.example', 'x-askback-conversation': '{{CHAT_ID}}' } }
  for (const stream of [false, true]) {
    const { response } = await client()
      .chat.completions.create({ ...ask(), stream }, literal)
      .withResponse()
    assert.equal(response.headers.get('x-askback-ignored'), 'headers')
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /x-askback-ignored/)
  }
  const { response } = await client().chat.completions.create(ask()).withResponse()
  assert.equal(response.headers.get('x-askback-ignored'), null)
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
      /\n\nApprove or deny it here: https:\/\/app\.example\.com\/chat\/openai-[0-9a-f]{40}\n/,
    )
    assert.equal(message?.tool_calls, undefined)
  }
})

test('what a front end asks for itself has no tools and leaves nothing', async () => {
  const { client, asked, calls, settled } = await startOpenAiFunction(() => '{"title":"Mail"}')
  const quoted = [{ role: 'user' as const, content: 'Write to ada@example.com' }]
  await client().chat.completions.create(ask(titlePrompt(quoted)))
  const headers = chatHeaders('c1', 'm1', 'emoji_generation')
  await client().chat.completions.create(ask('Write to ada@example.com'), { headers })
  assert.deepEqual(
    asked.map(({ tools }) => tools.length),
    [0, 0],
  )
  await settled()
  assert.equal(calls.filter((name) => name === 'delete_conversation').length, 2)
})

test('a model that refuses until somebody changes the set-up is not asked again by clients', async () => {
  const facts = { refused: true, httpStatus: 402 }
  const { client } = await startOpenAiFunction(() => {
    throw new ModelError('No credit', facts)
  })
  for (const stream of [false, true]) {
    const error = await refusal(client().chat.completions.create({ ...ask(`Hello ${stream}`), stream }))
    assert.deepEqual([error.status, error.code], [502, 'model_unavailable'])
    assert.equal(error.headers?.get('x-should-retry'), 'false')
  }
})

test('a message that no model can read is refused with OpenAI’s own code, and not sent again', async () => {
  const { client, counts } = await startOpenAiFunction(() => {
    throw new ModelError('No language model answered.', { tooLong: 'message' })
  })
  for (const stream of [false, true]) {
    counts.length = 0
    const error = await refusal(client().chat.completions.create({ ...ask(`Hello ${stream}`), stream }))
    assert.deepEqual(
      [error.status, error.code, error.type, error.param],
      [400, 'context_length_exceeded', 'invalid_request_error', 'messages'],
    )
    assert.match(error.message, /This message is too long for the language model\./)
    assert.deepEqual(counts, ['0'])
  }
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

test('a part that no agent can read is refused in words, and nothing of the message is dropped', async () => {
  const { fetch, asked } = await startOpenAiFunction(() => 'Hello!')
  const text = { type: 'text', text: 'What does she say?' }
  for (const [part, sentence] of [
    [
      { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
      /no "input_audio": .* write what it says/,
    ],
    [{ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }, /no "video_url": /],
    [{ type: 'file', file: { file_id: 'file-1' } }, /"file" .* has no content/],
    [{ type: 'image_url', image_url: {} }, /"image_url" .* has no content/],
  ] as const) {
    const body = { model: agentId, messages: [{ role: 'user', content: [text, part] }] }
    const response = await fetch(post('/chat/completions', body))
    assert.equal(response.status, 400, part.type)
    const { error } = await response.json()
    assert.deepEqual([error.code, error.param], ['bad_request', 'messages'])
    assert.match(error.message, sentence)
  }
  // A chat that began with another model goes on.
  const earlier = [
    { role: 'user', content: [{ type: 'input_audio', input_audio: {} }] },
    { role: 'assistant', content: 'Hi!' },
  ]
  const response = await fetch(
    post('/chat/completions', { model: agentId, messages: [...earlier, { role: 'user', content: [text] }] }),
  )
  assert.equal(response.status, 200)
  assert.match(JSON.stringify(asked.at(-1)?.messages), /\[input_audio\]/)
})

test('a path that is not served says what is, and for /responses how each library is told', async () => {
  const { fetch } = await startOpenAiFunction(() => '')
  const message = async (path: string) => {
    const response = await fetch(post(path, {}))
    assert.equal(response.status, 404)
    return (await response.json()).error.message as string
  }
  const responses = await message('/responses')
  for (const setting of [
    'set_default_openai_api("chat_completions")',
    '.chat(',
    '"openai-chat:',
    'use_responses_api=False',
  ])
    assert.ok(responses.includes(setting), setting)
  assert.equal(
    await message('/responses/input_tokens'),
    responses.replace('/responses', '/responses/input_tokens'),
  )
  assert.match(
    await message('/embeddings'),
    /POST \/embeddings is not served here\. Agents answer POST \/chat\/completions/,
  )
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

test('a key of somebody else is told from one of ours, and where to make one is said', async () => {
  const { client } = await startOpenAiFunction(() => '')
  for (const key of ['sk-proj-abc', 'sk-1', 'none', 'ollama']) {
    const error = await refusal(client(key).chat.completions.create(ask()))
    assert.deepEqual([error.status, error.code], [401, 'invalid_api_key'])
    assert.match(
      error.message,
      /This is not an Askback token\. Create one under Integrations, OpenAI clients\.$/,
    )
  }
})

test('paths that others serve are 404 in the shape of OpenAI, and name the one that is served', async () => {
  const { client, fetch, counts } = await startOpenAiFunction(() => '')
  const error = await refusal(client().responses.create({ model: agentId, input: 'Hello' }))
  // With this type, and another code than that of a missing model, litellm keeps the model in use.
  assert.deepEqual([error.status, error.type, error.code], [404, 'invalid_request_error', 'unknown_path'])
  assert.match(error.message, /^404 POST \/responses is not served here\. .*POST \/chat\/completions/)
  await refusal(client().embeddings.create({ model: agentId, input: 'Hello' }))
  await refusal(client().completions.create({ model: agentId, prompt: 'Hello' }))
  assert.deepEqual(counts, ['0', '0', '0'])
  for (const path of ['/messages', '/responses/resp_1', '/nothing', '/', '']) {
    const response = await fetch(post(path, {}))
    assert.equal(response.status, 404, path)
    const { error: said } = await response.json()
    assert.equal(said.type, 'invalid_request_error')
    assert.match(said.message, /\/chat\/completions/)
  }
})

test('what an agent cannot do is refused with one sentence, and begins nothing', async () => {
  const { fetch, calls } = await startOpenAiFunction(() => 'Hello.')
  const audio = { voice: 'alloy', format: 'wav' }
  const named = { type: 'function', function: { name: 'extract' } }
  for (const [param, more] of [
    ['n', { n: 2 }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tool_choice: named, tools: [named] }],
    ['function_call', { function_call: { name: 'extract' } }],
    ['audio', { audio, modalities: ['text', 'audio'] }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['response_format', { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_completion_tokens', { max_completion_tokens: '5' }],
    [
      'messages',
      {
        messages: [
          ...user('Hello'),
          { role: 'assistant', content: null, tool_calls: [] },
          { role: 'tool', tool_call_id: 'c1', content: '{}' },
        ],
      },
    ],
  ] as const) {
    const response = await fetch(post('/chat/completions', { ...ask(), ...more }))
    assert.equal(response.status, 400, JSON.stringify(more))
    const { error } = await response.json()
    assert.deepEqual([error.param, error.type], [param, 'invalid_request_error'])
    assert.match(error.message, /^["A-Z][^\n]+[.]$/)
  }
  assert.equal(calls.includes('begin_turn'), false)
})

test('what asks for nothing else is heard', async () => {
  const { fetch } = await startOpenAiFunction(() => 'Hello.')
  for (const more of [
    { n: 1, tool_choice: 'auto', modalities: ['text'], response_format: { type: 'text' } },
    { n: null, tool_choice: null, audio: null, response_format: null, max_tokens: null, metadata: null },
    { tool_choice: 'none', max_tokens: -1, temperature: 2, stop: ['x'], seed: 1, logprobs: true },
    { messages: [{ role: 'tool', tool_call_id: 'c1', content: '{}' }, ...user('Hello')] },
  ]) {
    const response = await fetch(post('/chat/completions', { ...ask(), ...more }))
    assert.equal(response.status, 200, JSON.stringify(more))
    assert.equal(response.headers.get('x-askback-ignored'), null)
    await response.text()
  }
})

test('tools of the client are not called, which the answer says in a header', async () => {
  const { client, asked } = await startOpenAiFunction(() => 'Hello.')
  const tools = [
    { type: 'function' as const, function: { name: 'get_weather', parameters: { type: 'object' } } },
  ]
  const plain = await client()
    .chat.completions.create({ ...ask('One'), tools })
    .withResponse()
  const streamed = await client()
    .chat.completions.create({ ...ask('Two'), tools, stream: true })
    .withResponse()
  for await (const _ of streamed.data);
  for (const { response } of [plain, streamed]) {
    assert.equal(response.headers.get('x-askback-ignored'), 'tools')
  }
  assert.deepEqual(
    asked.map(({ tools: [own] }) => own?.name),
    ['send_mail', 'send_mail'],
  )
})

test('an answer is as long as its client takes it, and says where it was cut', async () => {
  const { client, asked } = await startOpenAiFunction(({ maxOutputTokens }) =>
    maxOutputTokens === undefined ? 'Once upon a time.' : { text: 'Once upon', finishReason: 'length' },
  )
  const plain = await client().chat.completions.create({ ...ask('One'), max_tokens: 7 })
  const streamed = await client()
    .chat.completions.stream({ ...ask('Two'), max_completion_tokens: 5, max_tokens: 9 })
    .finalChatCompletion()
  for (const { choices } of [plain, streamed]) {
    assert.deepEqual([choices[0]?.message.content, choices[0]?.finish_reason], ['Once upon', 'length'])
  }
  const whole = await client().chat.completions.create(ask('Three'))
  assert.equal(whole.choices[0]?.finish_reason, 'stop')
  assert.deepEqual(
    asked.map(({ maxOutputTokens }) => maxOutputTokens),
    [7, 5, undefined],
  )
})

test('whom a client asks for is kept with the run, as far as it is short', async () => {
  const { client, clients } = await startOpenAiFunction(() => 'Hello.')
  const metadata = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`${index} ${'k'.repeat(100)}`, 'v'.repeat(1000)]),
  )
  await client().chat.completions.create({ ...ask('One'), user: 'ada', metadata: { team: 'mail' } })
  await client().chat.completions.create({ ...ask('Two'), user: 'u'.repeat(5000), metadata })
  await client().chat.completions.create(ask('Three'))
  const [first, second, third] = clients
  assert.deepEqual([first, third], [{ user: 'ada', metadata: { team: 'mail' } }, undefined])
  assert.ok(JSON.stringify(second).length < 16 * 700)
  assert.equal(Object.keys((second as { metadata: object }).metadata).length, 16)
})

test('an approval holds what would be done, where it is decided, and what to do then', async () => {
  const text = `Hello Ada,\n${'a long story. '.repeat(60)}`
  const mail = {
    to: 'ada@example.com',
    bcc: ['eve@example.com'],
    subject: 'Meeting ![x](https://e.example/p)',
    text,
  }
  const { client } = await startOpenAiFunction(() => `send_mail ${JSON.stringify(mail)}`)
  const { choices } = await client().chat.completions.create(ask('Write to ada@example.com'))
  const content = choices[0]?.message.content ?? ''
  assert.match(content, /\n- To: ada@example\.com\n- Bcc: eve@example\.com\n- Subject: Meeting ! \[x\]/)
  assert.match(content, /\n\nText:\n\n> Hello Ada,\n> a long story\. [^\n]+…\n\nApprove or deny it here: /)
  assert.ok(content.includes(text.slice('Hello Ada,\n'.length, 500)))
  assert.ok(!content.includes(text.slice('Hello Ada,\n'.length, 503)))
  assert.match(content, /\/chat\/openai-[0-9a-f]{40}\n\nThen regenerate this answer\.$/)
})

test('a stream begins within 4 s and is never silent for more than 3, whatever its model does', async () => {
  let release = (_: string) => {}
  const { fetch } = await startOpenAiFunction(
    () =>
      new Promise<string>((resolve) => {
        release = resolve
      }),
  )
  // Tenths of a second, but for those in which the machine is busy with something else.
  let now = 0
  const clock = setInterval(() => now++, 100)
  let heard = now
  const waits: number[] = []
  const note = () => {
    waits.push(now - heard)
    heard = now
  }
  const response = await fetch(post('/chat/completions', { ...ask(), stream: true }))
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const pieces: string[] = []
  while (waits.length < 4) {
    const { value } = await reader.read()
    pieces.push(new TextDecoder().decode(value))
    note()
  }
  release('Done.')
  for (let end = false; !end; ) {
    const { value, done } = await reader.read()
    pieces.push(new TextDecoder().decode(value))
    end = done
  }
  clearInterval(clock)
  assert.ok((waits[0] ?? 0) < 40, String(waits))
  assert.ok(
    waits.slice(1).every((wait) => wait < 30),
    String(waits),
  )
  assert.ok(pieces.some((piece) => piece.startsWith(': ')))
  assert.match(pieces.join(''), /"content":"Done\.?"/)
})
