import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import {
  callTool,
  callTools,
  fail,
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  type ModelServerReply,
  say,
  sayNothing,
  startModelServer,
} from '../../../support/model-server.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(script: ModelScript, options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(script, options)
  servers.push(server)
  return server
}

const hello = [{ role: 'user', content: 'Hello' }]

function post(server: ModelServer, body: object = {}, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: JSON.stringify({ model: 'scripted-model', messages: hello, ...body }),
    ...init,
  })
}

// biome-ignore lint/suspicious/noExplicitAny: wire data of a test
async function events(response: Response): Promise<any[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => (line === 'data: [DONE]' ? 'DONE' : JSON.parse(line.slice(6))))
}

describe('plain answers', () => {
  test('the script is answered in order and every request is recorded', async () => {
    const server = await start([callTool('search', { query: 'deno' }), say('Done.')])
    const first = await (await post(server, { temperature: 0.5 })).json()
    const second = await (await post(server)).json()
    expect(first.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"query":"deno"}' } },
        ],
      },
    })
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Done.' } })
    expect(second.usage).toEqual({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 })
    expect(server.requests.map(({ number, body }) => [number, body.temperature])).toEqual([
      [1, 0.5],
      [2, undefined],
    ])
    expect(server.requests[0]?.headers.authorization).toBe('Bearer any')
  })

  test('arguments given as text go out as they are, broken or not', async () => {
    const server = await start([callTool('search', '{"query": ')])
    const body = await (await post(server)).json()
    expect(body.choices[0].message.tool_calls[0].function.arguments).toBe('{"query": ')
  })

  test('a function chooses by the request', async () => {
    const server = await start(({ number, body }) => say(`${number} ${body.model}`))
    expect((await (await post(server, { model: 'm' })).json()).choices[0].message.content).toBe('1 m')
  })

  test('answers without choices, without content, without usage, without a finish reason', async () => {
    const server = await start([
      say('', { noChoices: true }),
      sayNothing({ usage: null, finishReason: null }),
    ])
    expect((await (await post(server)).json()).choices).toEqual([])
    const empty = await (await post(server)).json()
    expect(empty.choices[0].message.content).toBe('')
    expect(empty.choices[0]).not.toHaveProperty('finish_reason')
    expect(empty).not.toHaveProperty('usage')
  })

  test('a used up script says so', async () => {
    const server = await start([])
    const response = await post(server)
    expect(response.status).toBe(400)
    expect((await response.json()).error.message).toBe('The script has 0 replies; this is request 1.')
  })

  test('a script that throws says so', async () => {
    const server = await start(() => {
      throw new Error('no idea')
    })
    const response = await post(server)
    expect(response.status).toBe(400)
    expect((await response.json()).error.message).toContain('no idea')
  })
})

describe('streamed answers', () => {
  test('chunks, usage when asked for, then [DONE]', async () => {
    const server = await start([say('Hello there, Ada')])
    const response = await post(server, { stream: true, stream_options: { include_usage: true } })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const all = await events(response)
    expect(all[0].choices[0].delta).toEqual({ role: 'assistant', content: '' })
    expect(all.flatMap((event) => event.choices?.[0]?.delta.content ?? []).join('')).toBe('Hello there, Ada')
    expect(all.at(-3).choices[0].finish_reason).toBe('stop')
    expect(all.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 30 } })
    expect(all.at(-1)).toBe('DONE')
  })

  test('no usage chunk when nobody asked for it', async () => {
    const server = await start([say('Hi')])
    const all = await events(await post(server, { stream: true }))
    expect(all.some((event) => event.usage)).toBe(false)
  })

  test('fragments of parallel calls come interleaved, without ids or indices, as the script says', async () => {
    const calls: [string, unknown][] = [
      ['a', '{"one":1}'],
      ['b', '{"two":2}'],
    ]
    const styled = (fragments: ModelServerReply['fragments']) => callTools(calls, { fragments })
    const server = await start([
      styled({ size: 5 }),
      styled({ size: 5, interleave: true }),
      styled({ omitIds: true, omitIndex: true }),
      styled({ sameIndex: true }),
    ])
    const read = async () =>
      (await events(await post(server, { stream: true }))).flatMap(
        (event) => event.choices?.[0]?.delta.tool_calls ?? [],
      )
    const indices = (calls: { index?: number }[]) => calls.map((call) => call.index)
    expect(indices(await read())).toEqual([0, 0, 0, 1, 1, 1])
    expect(indices(await read())).toEqual([0, 1, 0, 1, 0, 1])
    const bare = await read()
    expect(bare.every((call) => !('id' in call) && !('index' in call))).toBe(true)
    expect(indices(await read())).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('failures', () => {
  test('HTTP errors carry headers and the body of OpenAI', async () => {
    const server = await start([fail(429, { headers: { 'retry-after': '2' }, errorMessage: 'Slow down.' })])
    const response = await post(server)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toEqual({
      error: { message: 'Slow down.', type: 'requests', param: null, code: null },
    })
  })

  test('a body can be given whole, with its content type', async () => {
    const server = await start([
      fail(502, { body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }),
    ])
    const response = await post(server)
    expect(response.headers.get('content-type')).toBe('text/html')
    expect(await response.text()).toBe('<html>Bad gateway</html>')
  })

  test('a connection cut before the headers, in mid-stream and in the middle of a plain body', async () => {
    const server = await start([
      say('x', { cut: 'before-headers' }),
      say('A long text in many pieces', { cut: 'mid-stream' }),
      say('A long text in many pieces', { cut: 'mid-stream' }),
    ])
    await expect(post(server)).rejects.toThrow()
    const streamed = await post(server, { stream: true })
    await expect(streamed.text()).rejects.toThrow()
    const plain = await post(server)
    await expect(plain.text()).rejects.toThrow()
  })

  test('a stream that a proxy closed properly just ends, without a finish reason and [DONE]', async () => {
    const server = await start([
      say('A long text in many pieces', { cut: 'clean-mid-stream', afterChunks: 2 }),
    ])
    const all = await events(await post(server, { stream: true }))
    expect(all).toHaveLength(2)
    expect(all.every((event) => event.choices[0].finish_reason === null)).toBe(true)
  })

  test('an error inside a stream is an event; a plain request gets HTTP 500', async () => {
    const reply = say('Some text', { errorInStream: { message: 'Overloaded', code: 529 }, afterChunks: 1 })
    const server = await start([reply, reply])
    const all = await events(await post(server, { stream: true }))
    expect(all.at(-1)).toEqual({ error: { message: 'Overloaded', code: 529 } })
    expect((await post(server)).status).toBe(500)
  })

  test('hang keeps the connection until the client leaves, and says so', async () => {
    const server = await start([say('', { hang: true }), say('Half of it', { hang: true, afterChunks: 2 })])
    for (const stream of [false, true]) {
      const controller = new AbortController()
      const arrived = server.waitForRequest()
      const answer = post(server, { stream }, { signal: controller.signal }).then((response) =>
        response.text(),
      )
      const { ended } = await arrived
      controller.abort()
      await expect(answer).rejects.toThrow()
      expect(await ended).toEqual({ aborted: true })
    }
  })

  test('a complete answer is not an abort', async () => {
    const server = await start([say('Hi')])
    await (await post(server)).text()
    expect(await server.requests[0]?.ended).toEqual({ aborted: false })
  })
})

describe('as strict as the real one', () => {
  const refused = async (messages: unknown) => {
    const server = await start([say('never')])
    const response = await post(server, { messages })
    expect(response.status).toBe(400)
    return (await response.json()).error.message as string
  }
  const call = (id: string) => ({ id, type: 'function', function: { name: 'search', arguments: '{}' } })

  test('a tool call without a tool message', async () => {
    const messages = [...hello, { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] }]
    expect(await refused(messages)).toContain('did not have response messages: a, b')
    expect(
      await refused([...messages, { role: 'tool', tool_call_id: 'a', content: '{}' }, ...hello]),
    ).toContain('did not have response messages: b')
  })

  test('a tool message without a tool call, or a second one', async () => {
    expect(await refused([...hello, { role: 'tool', tool_call_id: 'a', content: '{}' }])).toContain(
      'preceding message',
    )
    const answered = { role: 'tool', tool_call_id: 'a', content: '{}' }
    expect(
      await refused([{ role: 'assistant', content: null, tool_calls: [call('a')] }, answered, answered]),
    ).toContain('preceding message')
  })

  test('no messages, messages without content, two calls with one id', async () => {
    expect(await refused([])).toContain('empty array')
    expect(await refused([{ role: 'user' }])).toContain('expected a string')
    expect(await refused([{ role: 'assistant', tool_calls: [call('a'), call('a')] }])).toContain('Duplicate')
  })

  test('a wrong key is 401, a body that is no JSON 400, an unknown path 404', async () => {
    const server = await start([say('Hi')], { apiKey: 'right', models: ['m1'] })
    expect((await post(server)).status).toBe(401)
    const headers = { authorization: 'Bearer right' }
    expect((await post(server, {}, { headers, body: '{' })).status).toBe(400)
    expect((await fetch(`${server.url}/embeddings`, { method: 'POST', headers })).status).toBe(404)
    const models = await (await fetch(`${server.url}/models`, { headers })).json()
    expect(models.data.map(({ id }: { id: string }) => id)).toEqual(['m1'])
    expect(server.requests).toHaveLength(0)
  })
})

test('waitForRequest resolves for requests that came and for those that come', async () => {
  const server = await start([say('1'), say('2')])
  const second = server.waitForRequest(2)
  await (await post(server)).text()
  expect((await server.waitForRequest(1)).number).toBe(1)
  await (await post(server)).text()
  expect((await second).number).toBe(2)
})

test('a new script takes over from the next request', async () => {
  const server = await start([say('old'), say('old')])
  await (await post(server)).text()
  server.use([say('new')])
  expect((await (await post(server)).json()).choices[0].message.content).toBe('new')
})

test('close ends open connections', async () => {
  const server = await startModelServer([say('', { hang: true })])
  const broken = new Promise((resolve) => {
    const request = httpRequest(`${server.url}/chat/completions`, { method: 'POST' })
    request.on('error', resolve)
    request.end(JSON.stringify({ model: 'm', messages: hello }))
  })
  await server.waitForRequest(1)
  await server.close()
  expect(await broken).toBeInstanceOf(Error)
})
