import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { ModelError, type ModelEvent } from '../../../shared/engine/models/protocol/model-client.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'
import { inEnglish } from '../../../shared/words/languages/in-english.ts'
import { runSettings } from '../../../support/agent-scenario.ts'
import {
  callTool,
  fail,
  type ModelServerReply,
  say,
  startModelServer,
} from '../../../support/model-server.ts'
import { ask, textOf } from './fixtures.ts'
import { start } from './scripted-model.ts'

describe('failures', () => {
  for (const stream of [false, true]) {
    const kind = stream ? 'streamed' : 'plain'

    test(`500 and 429 are tried 3 times on the only model, ${kind}`, async () => {
      const { model, server, clock } = await start([fail(500), fail(429), say('There.')])
      const events: ModelEvent[] = []
      const reply = await model.complete(ask(), { stream, onEvent: (event) => events.push(event) })
      expect(reply.text).toBe('There.')
      expect(server.requests).toHaveLength(3)
      expect(clock.slept).toEqual([375, 750])
      expect(events.filter((event) => event.type === 'model-retry')).toEqual([
        {
          type: 'model-retry',
          model: 'scripted-model',
          attempt: 2,
          waitMs: 375,
          reason: 'it failed: Scripted error 500',
          failure: { errorType: '500', why: 'it failed' },
        },
        {
          type: 'model-retry',
          model: 'scripted-model',
          attempt: 3,
          waitMs: 750,
          reason: 'it asks for a pause: Scripted error 429',
          failure: { errorType: '429', why: 'it asks for a pause' },
        },
      ])
    })

    test(`a server that stays down ends in a ModelError that is no refusal, ${kind}`, async () => {
      const { model, server } = await start(() => fail(503))
      const error = await model.complete(ask(), { stream }).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(ModelError)
      expect(error).toMatchObject({ httpStatus: 503, refused: false })
      expect(server.requests).toHaveLength(3)
    })

    test(`a connection cut before the headers is tried again, ${kind}`, async () => {
      const { model } = await start([say('x', { cut: 'before-headers' }), say('Back.')])
      expect((await model.complete(ask(), { stream })).text).toBe('Back.')
    })

    test(`an answer cut in the middle is never a reply, ${kind}`, async () => {
      for (const cut of ['mid-stream', 'clean-mid-stream'] as const) {
        const { model, server } = await start([
          callTool('smtp_send_email', { to: 'ada@example.com', body: 'All of it' }, { cut }),
          callTool('smtp_send_email', { to: 'ada@example.com', body: 'All of it' }),
        ])
        const reply = await model.complete(ask(), { stream })
        expect(JSON.parse(reply.toolCalls[0]?.rawArguments ?? '')).toEqual({
          to: 'ada@example.com',
          body: 'All of it',
        })
        expect(server.requests).toHaveLength(2)
      }
    })

    test(`a wrong key is refused at once, without the key in the text, ${kind}`, async () => {
      const { model, server } = await start([
        fail(401, { errorMessage: 'Incorrect API key provided: sk-test-0123456789.' }),
      ])
      const error = await model.complete(ask(), { stream }).catch((cause: unknown) => cause)
      expect(error).toMatchObject({ name: 'ModelError', httpStatus: 401, refused: true })
      expect(String(error)).toContain('OPENAI_API_KEY')
      expect(String(error)).not.toContain('sk-test')
      expect(server.requests).toHaveLength(1)
    })

    test(`a server that falls silent is given up, ${kind}`, async () => {
      const { model, server } = await start(
        [say('Half of it', { hang: true, ...(stream ? { afterChunks: 2 } : {}) })],
        {
          timeoutMs: 500,
        },
      )
      await expect(model.complete(ask(), { stream })).rejects.toThrow(/was silent for 500 ms/)
      expect(await server.requests[0]?.ended).toEqual({ aborted: true })
      expect(server.requests).toHaveLength(1)
    })

    test(`the signal ends the request and is the reason, ${kind}`, async () => {
      const { model, server } = await start([
        say('Half of it', { hang: true, ...(stream ? { afterChunks: 2 } : {}) }),
      ])
      const controller = new AbortController()
      const reply = model.complete(ask(), { stream, signal: controller.signal })
      const request = await server.waitForRequest(1)
      controller.abort(new Error('stopped by the user'))
      await expect(reply).rejects.toThrow('stopped by the user')
      expect(await request.ended).toEqual({ aborted: true })
    })
  }

  test('an aborted signal sends nothing', async () => {
    const { model, server } = await start([say('Hi')])
    await expect(model.complete(ask(), { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    expect(server.requests).toHaveLength(0)
  })

  test('the signal ends a wait between tries', async () => {
    const controller = new AbortController()
    const server = await startModelServer([fail(500)])
    onTestFinished(() => server.close())
    const model = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
    const reply = model.complete(ask(), {
      signal: controller.signal,
      onEvent: (event) => event.type === 'model-retry' && controller.abort(new Error('stopped')),
    })
    await expect(reply).rejects.toThrow('stopped')
    expect(server.requests).toHaveLength(1)
  })

  test('no server at the address is a refusal', async () => {
    const server = await startModelServer([])
    await server.close()
    const model = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
    const error = await model.complete(ask()).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'ModelError', refused: true })
    expect(String(error)).toContain('no model server answers at 127.0.0.1:')
  })

  for (const status of [301, 307, 308]) {
    test(`a redirect ${status} is refused with what to do, and takes the key nowhere`, async () => {
      const { server: other } = await start([say('Never asked.')])
      const moved = await startRedirect(status, `${other.url}/chat/completions`)
      const model = createModelClient({ baseURL: moved, apiKey: 'sk-test-0123456789', model: 'm' })
      const error = await model.complete(ask()).catch((cause: unknown) => cause)
      expect(error).toMatchObject({ name: 'ModelError', refused: true })
      expect(String(error)).toMatch(/127\.0\.0\.1:\d+ leads to another address, set the base URL to that one/)
      expect(other.requests).toEqual([])
    })
  }

  for (const path of ['redirect', 'concert']) {
    test(`the words of an address say nothing about a failure: /${path}`, async () => {
      // Deno names the whole address.
      const words = `error sending request for url (http://models.example/${path}/v1): client error (SendRequest): connection closed before message completed`
      const { model, clock } = await start([], {
        fetch: () => Promise.reject(new TypeError(words)),
      })
      const error = await model.complete(ask()).catch((cause: unknown) => cause)
      expect(error).toMatchObject({ name: 'ModelError', refused: false })
      expect(String(error)).toMatch(/the connection to \S+ was lost/)
      expect(clock.slept).toHaveLength(2)
    })
  }

  test('a host that is not found is no redirect, whatever it is called', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND redirect.example'), { code: 'ENOTFOUND' })
    const { model } = await start([], {
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
    })
    await expect(model.complete(ask())).rejects.toThrow(/no model server answers at/)
  })

  test('Retry-After is waited for; one that is too long is handed on', async () => {
    const { model, clock, server } = await start([
      fail(429, { headers: { 'retry-after': '2' } }),
      say('Now.'),
      fail(429, { headers: { 'retry-after': '60' } }),
    ])
    expect((await model.complete(ask())).text).toBe('Now.')
    expect(clock.slept).toEqual([2000])
    const error = await model.complete(ask()).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'ModelError', httpStatus: 429, retryAfterMs: 60_000, refused: false })
    expect(server.requests).toHaveLength(3)
  })

  test('an account without credit is not asked again', async () => {
    // The header is there whatever the code is: waiting does not pay a bill.
    const headerSets: Record<string, string>[] = [{}, { 'retry-after': '2' }]
    for (const headers of headerSets) {
      const { model, server } = await start([fail(429, { errorCode: 'insufficient_quota', headers })])
      await expect(model.complete(ask())).rejects.toMatchObject({ refused: true })
      expect(server.requests).toHaveLength(1)
    }
  })

  test('a request the server does not take is not asked again', async () => {
    const { model, server } = await start([fail(400, { errorMessage: 'The context is too long.' })])
    await expect(model.complete(ask())).rejects.toMatchObject({ httpStatus: 400, refused: false })
    expect(server.requests).toHaveLength(1)
  })

  test('a page of a proxy is not quoted', async () => {
    const { model } = await start(() =>
      fail(502, { body: '<html>Bad</html>', headers: { 'content-type': 'text/html' } }),
    )
    await expect(model.complete(ask())).rejects.toThrow(/scripted-model: it failed\.$/)
  })

  test('an address that answers with a web page is said to be wrong, with the variable to check', async () => {
    const page = { body: '<!doctype html><title>Welcome</title>', headers: { 'content-type': 'text/html' } }
    for (const status of [200, 404]) {
      const { model, server } = await start(() => (status === 200 ? page : fail(status, page)))
      const host = new URL(server.url).host
      const error = await model.complete(ask()).catch((cause: unknown) => cause)
      expect(error).toMatchObject({
        refused: status === 404,
        message: `No language model answered. scripted-model: ${host} answers with a web page, check OPENAI_BASE_URL.`,
        failure: {
          model: 'scripted-model',
          errorType: 'web_page',
          why: `${host} answers with a web page, check OPENAI_BASE_URL`,
        },
        said: { code: 'model_unavailable', values: { why: 'web_page' } },
      })
      // A gateway may stand in for a server that is back in a moment.
      expect(server.requests).toHaveLength(status === 404 ? 1 : 3)
    }
  })

  test('the cause of a failure is a status, an errno or what was wrong with the answer, never what a server said', async () => {
    const causes: [ModelServerReply, string][] = [
      [fail(503, { errorMessage: 'Busy with "my secret plan"' }), '503'],
      [fail(401), '401'],
      [{ body: 'plainly wrong' }, 'not_json'],
      [say('Hello there', { cut: 'clean-mid-stream', afterChunks: 1 }), 'stream_cut'],
    ]
    for (const [reply, errorType] of causes) {
      const { model } = await start(() => reply)
      const error = await model.complete(ask(), { stream: true }).catch((cause: unknown) => cause)
      expect(error).toMatchObject({ failure: { errorType } })
      expect(JSON.stringify((error as ModelError).failure)).not.toMatch(/secret|Scripted/)
    }
    const { model, server } = await start([])
    await server.close()
    await expect(model.complete(ask())).rejects.toMatchObject({ failure: { errorType: 'ECONNREFUSED' } })
  })

  test('a stack, a path and a key in the words of a crashed server are not quoted', async () => {
    const words = {
      'Out of memory at /srv/app/serve.py:12\n    at run (/srv/app/run.js:3:1)':
        'it failed: Out of memory at ….',
      'Traceback (most recent call last):\n  File "/srv/x.py", line 1\nKeyError: 5': 'it failed.',
      'The key sk-live-0123456789abcdef is not known here': 'it failed: The key *** is not known here.',
    }
    for (const [body, sentence] of Object.entries(words)) {
      const { model } = await start(() => fail(500, { body }))
      const error = await model.complete(ask()).catch((cause: Error) => cause.message)
      expect(error).toBe(`No language model answered. scripted-model: ${sentence}`)
    }
  })

  test('what is no tool call in a list of tool calls is left out', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'search', arguments: '{}' } }
    const message = {
      role: 'assistant',
      content: [null, 5, { type: 'text', text: 'Hi' }],
      tool_calls: [null, 7, call],
    }
    const { model } = await start([{ body: { choices: [{ message, finish_reason: 'tool_calls' }] } }])
    expect(await model.complete(ask())).toMatchObject({
      text: 'Hi',
      toolCalls: [{ name: 'search', rawArguments: '{}' }],
    })
  })

  test('an error inside a 200 answer is an error', async () => {
    const body = { error: { message: 'Upstream is overloaded', code: 529 } }
    const { model } = await start([say('', { body }), say('Fine.')])
    expect((await model.complete(ask())).text).toBe('Fine.')
  })

  test('an error that says nothing of itself is an outage: the server is asked again', async () => {
    const body = { error: { message: 'Something went wrong' } }
    const { model } = await start([say('', { body }), say('Fine.')])
    expect((await model.complete(ask())).text).toBe('Fine.')
  })

  test('an error inside a stream before any text restarts silently, after it with an event', async () => {
    const broken = (afterChunks: number) =>
      say('Dear Ada, here it is', { errorInStream: { message: 'Overloaded' }, afterChunks })
    const { model } = await start([broken(1), say('Hello.'), broken(3), say('Hello.')])
    const types = async () => {
      const events: ModelEvent[] = []
      await model.complete(ask(), { stream: true, onEvent: (event) => events.push(event) })
      const restart = events.findIndex((event) => event.type === 'restart')
      return { restart: restart >= 0, text: textOf(events.slice(restart + 1)) }
    }
    expect(await types()).toEqual({ restart: false, text: 'Hello.' })
    expect(await types()).toEqual({ restart: true, text: 'Hello.' })
  })

  test('a shown tool call that breaks off is announced too', async () => {
    const { model } = await start([
      callTool('search', { query: 'deno' }, { cut: 'mid-stream', afterChunks: 3 }),
      callTool('search', { query: 'deno' }),
    ])
    const events: string[] = []
    await model.complete(ask(), { stream: true, onEvent: ({ type }) => events.push(type) })
    expect(events.filter((type) => type !== 'tool-input-delta')).toEqual([
      'tool-input-start',
      'model-retry',
      'restart',
      'tool-input-start',
    ])
  })
})

describe('what the user of an agent is told of a failure', () => {
  const down = 'The language model is not answering right now. Please try again in a few minutes.'
  test.each<[string, ModelServerReply, string]>([
    ['a server that is down', fail(503), down],
    ['a server that asks for a pause', fail(429), down],
    ['a wrong key', fail(401), 'its key was refused. Please tell whoever runs it.'],
    ['an account without credit', fail(402), 'cannot be used at the moment. Please tell whoever runs it.'],
    ['a conversation that is too long', fail(400), 'did not accept this conversation.'],
  ])('of %s neither status nor model nor key', async (_name, reply, sentence) => {
    const { model } = await start(() => reply)
    const error = await model.complete(ask()).catch((cause: unknown) => cause)
    const told = error instanceof ModelError ? inEnglish(error.said) : ''
    expect(told).toContain(sentence)
    expect(told).not.toMatch(/\d|scripted|OPENAI|HTTP/)
  })

  test('a run whose model goes down in the middle says it in these words', async () => {
    const { model } = await start([callTool('search', { query: 'deno' }), ...Array(3).fill(fail(503))])
    const search = defineTool({
      name: 'search',
      description: 'Searches.',
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
      effect: 'read',
      execute: () => 'found',
    })
    const response = await runAgent({
      ...runSettings({ tools: [search], model }),
      input: 'go',
    })
    expect(response.status).toBe('failed')
    expect(response.text).toContain(down)
    expect(response.text).not.toMatch(/503|HTTP/)
  })
})

/** A server that has moved: its base URL. */
async function startRedirect(status: number, location: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, { location }).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
