import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { ask } from './fixtures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const event = (chunk: unknown) => `data: ${JSON.stringify(chunk)}\n\n`
const said = { prompt_tokens: 1000, completion_tokens: 100 }
const answer =
  event({ choices: [{ index: 0, delta: { content: 'Hello.' } }] }) +
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })

/** A server whose connection stays open after the answer. */
function open() {
  let server: ReadableStreamDefaultController<Uint8Array> | undefined
  const cancelled = vi.fn()
  const shown: string[] = []
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      server = controller
    },
    cancel: cancelled,
  })
  const model = createModelClient({
    baseURL: 'https://models.example/v1',
    provider: 'openai',
    apiKey: 'sk-test-0123456789',
    model: 'gpt-4.1-mini',
    fetch: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  })
  const send = (text: string) => server?.enqueue(new TextEncoder().encode(text))
  const reply = model.complete(ask(), {
    stream: true,
    onEvent: (one) => {
      if (one.type === 'text-delta') shown.push(one.delta)
    },
  })
  return { send, reply, cancelled, shown, close: () => server?.close() }
}

async function answered({ send, reply }: ReturnType<typeof open>) {
  send(answer)
  await vi.advanceTimersByTimeAsync(2100)
  return await reply
}

test('usage that comes after the answer is complete is told later, with its cost', async () => {
  const server = open()
  const reply = await answered(server)
  expect(reply.text).toBe('Hello.')
  expect(reply.usage.inputTokens).toBeGreaterThan(0)
  await vi.advanceTimersByTimeAsync(5000)
  const last = event({ choices: [], usage: said })
  server.send(last.slice(0, 20))
  await vi.advanceTimersByTimeAsync(1000)
  server.send(last.slice(20))
  const late = await reply.lateUsage
  expect(late).toEqual({ usage: { inputTokens: 1000, outputTokens: 100 }, cost: expect.closeTo(0.00056, 8) })
  expect(server.cancelled).toHaveBeenCalledOnce()
})

test('what comes after the answer besides is no part of it', async () => {
  const server = open()
  const reply = await answered(server)
  server.send(event({ choices: [{ index: 0, delta: { content: 'More.' } }], usage: said }))
  expect((await reply.lateUsage)?.usage.inputTokens).toBe(1000)
  expect(reply.text).toBe('Hello.')
  expect(server.shown.join('')).toBe('Hello.')
})

test.each([
  ['nothing comes for 10 s', async () => void (await vi.advanceTimersByTimeAsync(10_000))],
  ['the connection ends', async (server: ReturnType<typeof open>) => server.close()],
  [
    'the stream says that it is over',
    async (server: ReturnType<typeof open>) => server.send('data: [DONE]\n\n'),
  ],
  [
    'an error comes',
    async (server: ReturnType<typeof open>) => server.send(event({ error: { message: 'x' } })),
  ],
])('the estimate stays if %s', async (_, then) => {
  const server = open()
  const reply = await answered(server)
  await then(server)
  expect(await reply.lateUsage).toBeUndefined()
  expect(reply.usage.inputTokens).toBeGreaterThan(0)
})

test('nothing is awaited where the usage came in time, and where it is zero it is estimated', async () => {
  const first = open()
  first.send(event({ choices: [], usage: said }))
  expect((await answered(first)).lateUsage).toBeUndefined()
  const second = open()
  second.send(event({ choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }))
  second.send(`${answer}data: [DONE]\n\n`)
  const { usage, lateUsage } = await second.reply
  expect(usage.inputTokens).toBeGreaterThan(0)
  expect(lateUsage).toBeUndefined()
})
