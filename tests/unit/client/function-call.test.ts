import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FunctionsClient } from '@supabase/functions-js'
import { expect, test } from 'vitest'
import { createAskback } from '../../../client/askback.ts'
import { createFunctionFetch, type FunctionNames } from '../../../client/function-call.ts'
import { project } from '../../../support/stack.ts'

/** The unmodified functions client of supabase-js, in front of a server that answers like this. */
const supabaseWith = (answer: (url: string, init: RequestInit) => Response | Promise<Response>) => ({
  functions: new FunctionsClient('https://project.example/functions/v1', {
    customFetch: async (url, init) => await answer(String(url), init ?? {}),
  }),
  schema: () => ({}) as never,
})
const sse = (body: BodyInit) => new Response(body, { headers: { 'content-type': 'text/event-stream' } })

test('a stream is handed on as it is, nothing to resume is 204, and JSON stays JSON', async () => {
  const answers: Record<string, () => Response> = {
    stream: () => sse('data: {}\n\n'),
    none: () => new Response(null, { status: 204 }),
    json: () => Response.json({ a: 1 }),
  }
  const fetch = createFunctionFetch(
    supabaseWith((url) => answers[url.split('/').at(-1) ?? '']?.() as Response),
  )
  expect(await (await fetch('chat/stream')).text()).toBe('data: {}\n\n')
  expect((await fetch('chat/none')).status).toBe(204)
  expect(await (await fetch('chat/json')).json()).toEqual({ a: 1 })
})

test('a stream that breaks off ends with a sentence', async () => {
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('data: {"type":"start","messageId":"m"}\n\n'))
    },
    pull(controller) {
      controller.error(new TypeError('terminated'))
    },
  })
  const reader = (await createAskback(supabaseWith(() => sse(cut))).stream({ message: 'Hello' })).getReader()
  expect((await reader.read()).value).toMatchObject({ type: 'start' })
  await expect(reader.read()).rejects.toMatchObject({
    name: 'AskbackError',
    code: 'disconnected',
    message: expect.stringMatching(/^Connection lost\. .*\.$/),
  })
})

test('a stream that is left is cancelled, and one that is refused rejects with a sentence', async () => {
  let cancelled = false
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(': keep-alive\n\n')),
    cancel() {
      cancelled = true
    },
  })
  const stream = await createAskback(supabaseWith(() => sse(endless))).stream({ message: 'Hello' })
  await stream.cancel()
  await expect.poll(() => cancelled).toBe(true)
  const refused = createAskback(
    supabaseWith(
      () =>
        new Response('Write something first.', {
          status: 400,
          headers: { 'content-type': 'text/plain', 'x-askback-error': 'empty_message' },
        }),
    ),
  )
  await expect(refused.stream({ message: '' })).rejects.toMatchObject({
    name: 'AskbackError',
    code: 'empty_message',
    message: 'Write something first.',
  })
})

test('nobody there is a sentence, whatever is called', async () => {
  const askback = createAskback(
    supabaseWith(() => {
      throw new TypeError('fetch failed')
    }),
  )
  const calls = [
    askback.send({ message: 'Hello' }),
    askback.stream({ message: 'Hello' }),
    askback.answer('c', 't', {}),
    askback.approve('c', 't', { approvalId: 'a', decision: 'deny' }),
    askback.resume('c'),
    askback.stop('c'),
    askback.conversations.list(),
    askback.connections.list(),
  ]
  for (const call of calls) {
    await expect(call).rejects.toMatchObject({
      code: 'unreachable',
      status: 0,
      message: 'Can’t reach the server. Check your connection and try again.',
    })
  }
})

test('a file is uploaded as it is, by its own type and name, and becomes a part of a message', async () => {
  const file = {
    id: 'f',
    url: 'https://project.example/f',
    mediaType: 'text/plain',
    filename: 'a b.txt',
    size: 5,
  }
  const askback = createAskback(
    supabaseWith(async (url, init) => {
      expect(url).toBe('https://project.example/functions/v1/chat/files?name=a+b.txt')
      expect(new Headers(init.headers).get('content-type')).toBe('text/plain')
      expect(await new Response(init.body).text()).toBe('Hello')
      return Response.json({ file }, { status: 201 })
    }),
  )
  expect(await askback.upload(new File(['Hello'], 'a b.txt', { type: 'text/plain' }))).toEqual({
    type: 'file',
    ...file,
  })
})

test('functions are called by the names that they have in the project', async () => {
  const asked: string[] = []
  const supabase = supabaseWith((url) => {
    asked.push(new URL(url).pathname)
    return Response.json({ items: [], providers: [] })
  })
  const askback = createAskback(supabase, { functions: { chat: 'assistant' } })
  await askback.open()
  await askback.connections.list()
  await askback.fetch('chat/x/stream')
  expect(asked).toEqual([
    '/functions/v1/assistant/open',
    '/functions/v1/integration-settings',
    '/functions/v1/assistant/x/stream',
  ])
})

test('the answer of another function is refused, and its name is what may have to be passed', async () => {
  const supabase = supabaseWith((url) =>
    url.endsWith('/plain') ? new Response('Hi') : Response.json({ text: 'Hi' }),
  )
  const sentence =
    'The function "chat" isn’t Askback’s. If you gave it another name, pass it: createAskback(supabase, { functions: { chat: \'NAME\' } }).'
  const { send, stream, tools } = createAskback(supabase)
  for (const call of [send({ message: 'Hello' }), stream({ message: 'Hello' }), tools()]) {
    await expect(call).rejects.toMatchObject({ name: 'AskbackError', code: 'not_askback', message: sentence })
  }
  const renamed = createAskback(supabase, { functions: { chat: 'plain', 'integration-settings': 'set' } })
  await expect(renamed.send({ message: 'Hello' })).rejects.toThrow('The function "plain" isn’t Askback’s.')
  await expect(renamed.connections.list()).rejects.toThrow(
    "{ functions: { 'integration-settings': 'NAME' } }",
  )
})

test('so is the refusal of another function, or of a gateway that knows none of this name', async () => {
  const answers = [
    Response.json({ code: 'NOT_FOUND', message: 'Requested function was not found' }, { status: 404 }),
    new Response('Method Not Allowed', { status: 405 }),
  ]
  for (const answer of answers) {
    const askback = createAskback(supabaseWith(() => answer.clone()))
    for (const call of [askback.tools(), askback.stream({ message: 'Hello' })]) {
      await expect(call).rejects.toMatchObject({ code: 'not_askback', status: answer.status })
    }
  }
  const own = { error: { code: 'conversation_not_found', message: 'There is no such conversation.' } }
  const { conversations } = createAskback(supabaseWith(() => Response.json(own, { status: 404 })))
  await expect(conversations.get('x')).rejects.toMatchObject({ code: 'conversation_not_found' })
})

test('a function that Askback does not have is named, in TypeScript and at run time', () => {
  // @ts-expect-error The name is misspelled.
  const functions: FunctionNames = { chta: 'assistant' }
  expect(() =>
    createAskback(
      supabaseWith(() => Response.json({})),
      { functions },
    ),
  ).toThrow(/^Askback has no function "chta"\. It has: chat, /)
})

test('every function of Askback can have another name', () => {
  const folder = join(project, 'supabase/functions')
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'index.ts')))
  const functions = Object.fromEntries(names.map((name) => [name, 'other']))
  expect(names).toContain('chat')
  expect(() =>
    createAskback(
      supabaseWith(() => Response.json({})),
      { functions },
    ),
  ).not.toThrow()
})
