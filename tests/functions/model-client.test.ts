import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { createModelClient } from '../../shared/engine/models/create-model-client.ts'
import type { ModelEvent } from '../../shared/engine/models/protocol/model-client.ts'
import { callTools, fail, say, startModelServer } from '../../support/model-server.ts'

const request = {
  messages: [{ role: 'user' as const, content: 'Hello' }],
  tools: [
    { name: 'search', description: 'Searches.', parameters: { type: 'object' }, effect: 'read' as const },
  ],
}

/** A server that takes every connection and closes it after the given bytes. */
async function startCuttingServer(bytes: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      if (bytes === '') socket.destroy()
      else socket.write(bytes, () => socket.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => server.close(),
  }
}

test('plain and streamed answers are the same on the runtime of the functions', async () => {
  const calls = callTools([
    ['search', { query: 'one' }],
    ['search', { query: 'two' }],
  ])
  const numbered = {
    ...calls,
    toolCalls: calls.toolCalls?.map((call, index) => ({ ...call, id: `call_${index}` })),
  }
  const server = await startModelServer([numbered, { ...numbered, fragments: { size: 3, interleave: true } }])
  const model = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
  const plain = await model.complete(request)
  const events: ModelEvent[] = []
  const streamed = await model.complete(request, { stream: true, onEvent: (event) => events.push(event) })
  assert.deepEqual(streamed, plain)
  assert.equal(plain.toolCalls.length, 2)
  assert.equal(events.filter(({ type }) => type === 'tool-input-start').length, 2)
  await server.close()
})

test('a refused connection and an unknown host are refusals', async () => {
  const server = await startModelServer([])
  await server.close()
  for (const baseURL of [server.url, 'http://model.invalid/v1']) {
    const model = createModelClient({ baseURL, apiKey: 'key', model: 'm' })
    await assert.rejects(model.complete(request), { name: 'ModelError', refused: true })
  }
})

test('a server that has moved is not followed, and says so', async () => {
  const head = 'HTTP/1.1 307 Moved\r\nlocation: /v2\r\ncontent-length: 0\r\n\r\n'
  const server = await startCuttingServer(head)
  const model = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
  await assert.rejects(model.complete(request), /leads to another address, set the base URL to that one/)
  server.close()
})

test('a connection closed before the answer, or in the middle of a stream, is no refusal and no reply', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
  const event = 'data: {"choices":[{"delta":{"content":"Half"}}]}\n\n'
  for (const bytes of ['', `${head}${event.length.toString(16)}\r\n${event}\r\n`]) {
    const server = await startCuttingServer(bytes)
    const clock = { now: () => 0, random: () => 0, sleep: () => Promise.resolve() }
    // The runtime's own words hold the address, which must not be taken for the failure.
    const baseURL = `${server.url}/redirect/concert`
    const model = createModelClient({ baseURL, apiKey: 'key', model: 'm', clock })
    const events: string[] = []
    const reply = model.complete(request, { stream: true, onEvent: ({ type }) => events.push(type) })
    await assert.rejects(reply, { name: 'ModelError', refused: false })
    assert.equal(events.filter((type) => type === 'model-retry').length, 2)
    assert.equal(events.includes('restart'), bytes !== '')
    server.close()
  }
})

test('a silent server is given up, and the signal ends a request', async () => {
  const server = await startModelServer(() => say('', { hang: true }))
  const silent = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm', timeoutMs: 30 })
  await assert.rejects(silent.complete(request), /was silent for 30 ms/)
  const controller = new AbortController()
  const arrived = server.waitForRequest()
  const patient = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
  const reply = patient.complete(request, { signal: controller.signal })
  await arrived
  controller.abort(new Error('stopped'))
  await assert.rejects(reply, /stopped/)
  await server.close()
})

test('500 and then an answer', async () => {
  const server = await startModelServer([fail(500, { headers: { 'retry-after': '0' } }), say('There.')])
  const model = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
  assert.equal((await model.complete(request)).text, 'There.')
  await server.close()
})
