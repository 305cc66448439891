import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import OpenAI from 'openai'
import { gate } from '../../support/gate.ts'
import { agentId, apiToken, startOpenAiFunction } from '../../support/openai-function.ts'

// What a closed connection is, over HTTP with the server of whatever Deno runs this.

interface DenoServer {
  addr: { port: number }
  shutdown(): Promise<void>
}
declare const Deno: {
  version: { deno: string }
  serve(
    options: { hostname: string; port: number; onListen: () => void },
    handler: (request: Request) => Response | Promise<Response>,
  ): DenoServer
}

/** The function behind a real server. The model says what it has said so far, and then nothing until it is released. */
async function serveFunction(...pieces: string[]) {
  const { opened: released, open: release } = gate()
  const chat = await startOpenAiFunction(async (_, { onEvent }) => {
    for (const delta of pieces) onEvent?.({ type: 'text-delta', delta })
    await released
    return pieces.join('') || 'Hello.'
  })
  /** Each request, when its signal has aborted. */
  const over: Promise<void>[] = []
  const options = { hostname: '127.0.0.1', port: 0, onListen: () => {} }
  const server = Deno.serve(options, (request) => {
    over.push(new Promise((resolve) => request.signal.addEventListener('abort', () => resolve())))
    return chat.handle(request)
  })
  const { port } = server.addr
  return {
    ...chat,
    release,
    over,
    port,
    url: `http://127.0.0.1:${port}/chat/v1`,
    async close() {
      release()
      await chat.settled()
      await server.shutdown()
    },
  }
}
type Served = Awaited<ReturnType<typeof serveFunction>>

const body = (stream: boolean) =>
  JSON.stringify({ model: agentId, stream, messages: [{ role: 'user', content: 'Hello' }] })
const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' }
const sdk = ({ url }: Served) => new OpenAI({ apiKey: apiToken, baseURL: url, maxRetries: 0 })

/** Ways to close a connection: each waits until the run works, streamed until some of its answer is there. */
const ways: Record<string, (chat: Served, stream: boolean) => Promise<void>> = {
  'fetch is aborted': async (chat, stream) => {
    const leaving = new AbortController()
    const asked = fetch(`${chat.url}/chat/completions`, {
      method: 'POST',
      headers,
      body: body(stream),
      signal: leaving.signal,
    })
    if (stream) await (await asked).body?.getReader().read()
    else await chat.begun(1)
    leaving.abort()
    await asked.catch(() => {})
  },
  'the socket is destroyed': async (chat, stream) => {
    const text = body(stream)
    const head = Object.entries({ host: 'x', 'content-length': `${text.length}`, ...headers })
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const socket = connect(chat.port, '127.0.0.1')
    socket.write(`POST /chat/v1/chat/completions HTTP/1.1\r\n${lines}\r\n${text}`)
    if (stream) await new Promise<void>((resolve) => socket.once('data', () => resolve()))
    else await chat.begun(1)
    socket.destroy()
  },
  'the SDK aborts it': async (chat, stream) => {
    const { completions } = sdk(chat).chat
    const request = { model: agentId, messages: [{ role: 'user' as const, content: 'Hello' }] }
    if (stream) {
      const streamed = await completions.create({ ...request, stream: true })
      for await (const _ of streamed) streamed.controller.abort()
    } else {
      const leaving = new AbortController()
      const asked = completions.create(request, { signal: leaving.signal })
      await chat.begun(1)
      leaving.abort()
      await assert.rejects(asked)
    }
  },
}

/** Deno 2.9 hears of a closed plain request only where all of it came at once, which the SDK's is too long for. */
const hearsOfAll = Deno.version.deno.startsWith('2.1.')

for (const [way, close] of Object.entries(ways)) {
  for (const stream of [false, true]) {
    const skip = way.startsWith('the SDK') && !stream && !hearsOfAll
    test(`a connection is closed when ${way} (stream: ${stream})`, { skip }, async () => {
      const chat = await serveFunction('Hel', 'lo. ')
      await close(chat, stream)
      await chat.called('remove_follower', 1)
      await chat.close()
      assert.equal(chat.left.length, 1)
      assert.match(chat.left[0]?.runId ?? '', /^[0-9a-f-]{36}$/)
      // It has begun the run, so it is called like it.
      assert.equal(chat.left[0]?.connection, chat.left[0]?.runId)
    })
  }
}

test('a stream that has nothing to say yet is closed by its signal', async () => {
  const chat = await serveFunction()
  await ways['the socket is destroyed']?.(chat, false)
  await chat.called('remove_follower', 1)
  await chat.close()
  assert.equal(chat.left.length, 1)
})

for (const stream of [false, true]) {
  test(`an answer that was heard closes nothing, though its signal aborts (stream: ${stream})`, async () => {
    const chat = await serveFunction('Hel', 'lo. ')
    chat.release()
    const response = await fetch(`${chat.url}/chat/completions`, {
      method: 'POST',
      headers,
      body: body(stream),
    })
    await response.text()
    await chat.over[0]
    await chat.close()
    assert.equal(chat.calls.includes('begin_completion'), true)
    assert.deepEqual(chat.left, [])
  })
}

test('of two connections each is counted by itself', async () => {
  const chat = await serveFunction('Hel', 'lo. ')
  const first = new AbortController()
  const ask = (signal?: AbortSignal) =>
    fetch(`${chat.url}/chat/completions`, {
      method: 'POST',
      headers,
      body: body(true),
      ...(signal ? { signal } : {}),
    })
  const one = await ask(first.signal)
  const two = await ask()
  await one.body?.getReader().read()
  first.abort()
  await chat.called('remove_follower', 1)
  chat.release()
  assert.match(await two.text(), /\[DONE\]/)
  await chat.close()
  assert.equal(chat.left.length, 1)
})
