import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { BodyLimitReached, readText } from '../../shared/engine/core/outside-body.ts'
import {
  createPinnedFetch,
  type PinnedFetchSettings,
} from '../../shared/integrations/network/pinned-fetch.ts'
import { RefusedPage } from '../../shared/integrations/network/refused-page.ts'

const limit = { bytes: 256 * 1024, ms: 60_000 }

/** A server on one loopback address, with the requests that reached it. */
async function serve(listener: RequestListener, host = '127.0.0.1') {
  const received: { request: IncomingMessage; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    if (request.method === 'POST') for await (const chunk of request) chunks.push(chunk)
    received.push({ request, body: Buffer.concat(chunks).toString() })
    listener(request, response)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    received,
    port,
    url: `http://${host}:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function pinned(settings: Partial<PinnedFetchSettings> = {}) {
  const { signal } = new AbortController()
  const { fetch, close } = createPinnedFetch({ allowLoopback: true, limit, signal, ...settings })
  return { fetch, [Symbol.dispose]: close }
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => assert.fail('It was not refused.'),
    (cause) => cause,
  )
const refusalOf = async (work: Promise<unknown>) => {
  const error = await failureOf(work)
  assert.ok(error instanceof RefusedPage, String(error))
  return error.refusal
}
const text = (response: Response) => readText(response, { bytes: Number.POSITIVE_INFINITY, ms: 60_000 })

test('a message is posted with its headers, and the answer has status, headers and text', async () => {
  await using server = await serve((_, response) =>
    response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': 'a=b' }).end('{"ü":1}'),
  )
  using web = pinned()
  const response = await web.fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  assert.equal(response.status, 201)
  assert.equal(response.url, `${server.url}/mcp`)
  assert.equal(response.headers.get('content-type'), 'application/json')
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal(await text(response), '{"ü":1}')
  const [received] = server.received
  assert.equal(received?.request.method, 'POST')
  assert.equal(received?.request.headers.authorization, 'Bearer t')
  assert.equal(received?.body, '{"a":1}')
})

test('a form is posted as a form, and an answer without a body is none', async () => {
  await using server = await serve((_, response) => response.writeHead(204).end())
  using web = pinned()
  const response = await web.fetch(server.url, { method: 'POST', body: new URLSearchParams({ code: 'ü &' }) })
  assert.equal(response.body, null)
  const [received] = server.received
  assert.equal(received?.request.headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(received?.body, 'code=%C3%BC+%26')
})

test('each part of a stream is there before the next one is sent, also compressed', async () => {
  const parts = Promise.withResolvers<void>()
  await using server = await serve(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
    await parts.promise
    response.end('data: 2\n\n')
  })
  using web = pinned()
  const response = await web.fetch(server.url)
  const reader = response.body?.getReader()
  const next = async () => new TextDecoder().decode((await reader?.read())?.value)
  assert.equal(await next(), 'data: 1\n\n')
  parts.resolve()
  assert.equal(await next(), 'data: 2\n\n')
  assert.equal((await reader?.read())?.done, true)
  await using packed = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('as it was')),
  )
  const unpacked = await web.fetch(packed.url)
  assert.equal(unpacked.headers.get('content-encoding'), null)
  assert.equal(await text(unpacked), 'as it was')
})

test('a redirect to another origin takes a GET along, without anything that may be a credential', async () => {
  await using other = await serve((_, response) => response.end('there'), '127.0.0.2')
  await using server = await serve((request, response) =>
    request.url === '/here'
      ? response.writeHead(307, { location: '/there' }).end()
      : response.writeHead(302, { location: `${other.url}/meta` }).end(),
  )
  using web = pinned()
  const headers = {
    authorization: 'Bearer canary-1',
    cookie: 'canary-2',
    'x-api-key': 'canary-3',
    'mcp-session-id': 'canary-4',
    accept: 'application/json',
    'mcp-protocol-version': '2026-07-28',
  }
  const response = await web.fetch(`${server.url}/here`, { headers })
  assert.equal(await text(response), 'there')
  assert.equal(response.url, `${other.url}/meta`)
  assert.deepEqual(
    server.received.map(({ request }) => request.headers.authorization),
    ['Bearer canary-1', 'Bearer canary-1'],
  )
  const [received] = other.received
  assert.equal(received?.request.headers.accept, 'application/json')
  assert.equal(received?.request.headers['mcp-protocol-version'], '2026-07-28')
  assert.doesNotMatch(JSON.stringify(received?.request.rawHeaders), /canary/)
})

test('what was posted goes to no other origin, and is never turned into a GET', async () => {
  await using other = await serve((_, response) => response.end('taken'), '127.0.0.2')
  await using server = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
    const status = Number(pathname.slice(1))
    if (Number.isNaN(status) || status === 0) return response.end('kept')
    return response.writeHead(status, { location: searchParams.get('to') ?? '' }).end()
  })
  using web = pinned()
  const post = (status: number, to: string, redirect?: RequestInit['redirect']) =>
    web.fetch(`${server.url}/${status}?to=${encodeURIComponent(to)}`, {
      method: 'POST',
      body: 'refresh_token=canary',
      ...(redirect && { redirect }),
    })
  for (const status of [301, 302, 303, 307, 308]) {
    assert.equal(await refusalOf(post(status, other.url)), 'elsewhere', String(status))
  }
  for (const status of [301, 302, 303]) assert.equal(await refusalOf(post(status, '/')), 'elsewhere')
  for (const status of [307, 308]) assert.equal(await text(await post(status, '/')), 'kept')
  assert.equal((await post(307, other.url, 'manual')).headers.get('location'), other.url)
  assert.equal(await refusalOf(post(307, '/', 'error')), 'redirects')
  assert.deepEqual(other.received, [])
  const last = server.received.filter(({ request }) => request.url === '/')
  assert.deepEqual(
    last.map(({ body }) => body),
    Array(2).fill('refresh_token=canary'),
  )
})

test('each redirect is checked like the first address, and the sixth is not followed', async () => {
  await using server = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
    if (pathname === '/to') return response.writeHead(302, { location: searchParams.get('url') ?? '' }).end()
    return response.writeHead(307, { location: '/' }).end()
  })
  using web = pinned()
  assert.equal(await refusalOf(web.fetch(server.url)), 'redirects')
  assert.equal(server.received.length, 6)
  const to = (url: string) => refusalOf(web.fetch(`${server.url}/to?url=${encodeURIComponent(url)}`))
  assert.equal(await to('file:///etc/passwd'), 'scheme')
  assert.equal(await to('javascript:alert(1)'), 'scheme')
  assert.equal(await to('http://example.com/'), 'scheme')
  assert.equal(await to('http://169.254.169.254/latest/meta-data/'), 'private')
  assert.equal(await to('https://10.0.0.1/'), 'private')
  assert.equal(await to(`http://a:b@127.0.0.1:${server.port}/`), 'userinfo')
  assert.equal(await to('http://[::1'), 'not_a_url')
})

test('only https and public addresses are asked, whatever a name stands for', async () => {
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return names[host] ?? []
  }
  const names: Record<string, string[]> = {
    'mixed.example.com': ['93.184.216.34', '10.0.0.5'],
    'mapped.example.com': ['::ffff:127.0.0.1'],
    'metadata.example.com': ['169.254.169.254'],
    'nothing.example.com': [],
  }
  using web = pinned({ allowLoopback: false, resolve })
  for (const name of Object.keys(names)) {
    const work = web.fetch(`https://${name}/mcp`, { method: 'POST', body: '{}' })
    assert.equal(await refusalOf(work), 'private', name)
  }
  assert.deepEqual(asked, Object.keys(names))
  for (const [url, refusal] of [
    ['http://example.com/', 'scheme'],
    ['http://127.0.0.1/', 'private'],
    ['https://localhost/', 'private'],
    ['https://[::1]/', 'private'],
    ['https://0x7f.1/', 'private'],
    ['https://example.com:8443/', 'port'],
    ['https://a:b@example.com/', 'userinfo'],
    ['wss://example.com/', 'scheme'],
  ] as const) {
    assert.equal(await refusalOf(web.fetch(url)), refusal, url)
  }
  assert.equal(asked.length, 4)
})

test('a name that stands for another address later leads only to addresses that were checked', async () => {
  await using server = await serve((_, response) =>
    response.writeHead(200, { connection: 'close' }).end('public'),
  )
  let asked = 0
  const resolve = async () => [++asked === 1 ? '127.0.0.1' : '10.0.0.1']
  using web = pinned({ resolve })
  const url = `http://rebind.localhost:${server.port}/`
  assert.equal(await text(await web.fetch(url)), 'public')
  assert.equal(await refusalOf(web.fetch(url)), 'private')
  assert.equal(server.received.length, 1)
})

test('an answer that is too large ends, announced or not, packed or endless', async () => {
  let isRead = true
  const tooLarge = async (listener: RequestListener) => {
    isRead = true
    await using server = await serve(listener)
    using web = pinned()
    const error = await failureOf(web.fetch(server.url).then(text))
    isRead = false
    assert.ok(error instanceof BodyLimitReached, String(error))
    assert.equal(error.code, 'ERR_ANSWER_TOO_LARGE')
  }
  await tooLarge((_, response) => response.end('x'.repeat(10 * 1024 * 1024)))
  await tooLarge((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(new Uint8Array(16 * 1024 * 1024))),
  )
  await tooLarge(async (_, response) => {
    response.on('error', () => {})
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    while (isRead && !response.destroyed) {
      response.write(': and on\n'.repeat(1000))
      await setImmediate()
    }
  })
  await using twice = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x'),
  )
  using web = pinned()
  assert.equal(await refusalOf(web.fetch(twice.url)), 'kind')
})

test('a server that is silent is left when its time is over, before its answer and in the middle of it', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/begun')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n')
  })
  using web = pinned({ limit: { ...limit, ms: 200 } })
  for (const path of ['/', '/begun']) {
    const error = await failureOf(web.fetch(server.url + path).then(text))
    assert.ok(error instanceof BodyLimitReached, String(error))
    assert.equal(error.code, 'ERR_ANSWER_TOO_SLOW', path)
  }
})

test('a request ends with whoever sent it, and with all of them', async () => {
  await using server = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
  )
  const all = new AbortController()
  const one = new AbortController()
  using web = pinned({ signal: all.signal })
  const first = await web.fetch(server.url, { signal: one.signal })
  const second = await web.fetch(server.url)
  one.abort(new Error('one'))
  await assert.rejects(text(first))
  all.abort(new Error('all'))
  await assert.rejects(text(second))
})

test('a connection is told of before anything is sent, and one that is refused is not', async () => {
  await using server = await serve((_, response) => response.end())
  let connected = 0
  const onConnect = () => connected++
  using web = pinned({ onConnect })
  await text(await web.fetch(server.url))
  assert.equal(connected, 1)
  await refusalOf(web.fetch('https://10.0.0.1/'))
  await failureOf(web.fetch('http://127.0.0.1:1/'))
  assert.equal(connected, 1)
})
