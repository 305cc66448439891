import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { request } from 'undici'
import { createCheckedAgent } from '../../shared/integrations/network/public-connection.ts'
import { FailedPage, fetchPublicPage } from '../../shared/integrations/network/public-fetch.ts'
import { RefusedPage } from '../../shared/integrations/network/refused-page.ts'
import type { Resolve } from '../../shared/integrations/network/resolve.ts'

const { signal } = new AbortController()

/** A web server on one loopback address, with the requests that reached it. */
async function serve(listener: RequestListener, host = '127.0.0.1', port = 0) {
  const hosts: string[] = []
  const server: Server = createServer((request, response) => {
    hosts.push(request.headers.host ?? '')
    listener(request, response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    hosts,
    port: address.port,
    url: `http://${host}:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const html = (text: string | Uint8Array, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(text)
}
const read = (url: string, resolve?: Resolve) =>
  fetchPublicPage(url, { allowLoopback: true, signal, ...(resolve ? { resolve } : {}) })
const refusalOf = async (reading: Promise<unknown>) => {
  const error = await reading.then(
    () => undefined,
    (cause) => cause,
  )
  assert.ok(error instanceof RefusedPage, String(error))
  return error.refusal
}

test('a page is read with its type, and a name is connected to at the address that was checked', async () => {
  await using site = await serve(html('<p>Grüße', { 'content-type': 'text/html; charset=utf-8' }))
  const asked: string[] = []
  const page = await read(`http://pages.example:${site.port}/a`, async (host) => {
    asked.push(host)
    return ['127.0.0.1']
  })
  assert.equal(new TextDecoder().decode(page.bytes), '<p>Grüße')
  assert.equal(page.contentType, 'text/html; charset=utf-8')
  assert.deepEqual(asked, ['pages.example'])
  assert.deepEqual(site.hosts, [`pages.example:${site.port}`])
})

test('a name that stands for another address the second time does not lead there', async () => {
  await using site = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end('public'),
  )
  // In this order: much listens on 127.0.0.1, nothing else on 127.0.0.2.
  await using secret = await serve(html('the secret'), '127.0.0.2', site.port)
  let asked = 0
  const rebinding: Resolve = async () => [++asked === 1 ? '127.0.0.1' : '127.0.0.2']
  const agent = createCheckedAgent((address) => address !== '127.0.0.2', rebinding)
  const first = await request(`http://rebind.example:${site.port}/`, { dispatcher: agent })
  assert.equal(await first.body.text(), 'public')
  const second = request(`http://rebind.example:${site.port}/`, { dispatcher: agent })
  assert.equal(await refusalOf(second), 'private')
  await agent.destroy()
  assert.equal(asked, 2)
  assert.deepEqual(secret.hosts, [])
  assert.equal(site.hosts.length, 1)
})

test('a name with one private address among public ones is refused before anything is connected to', async () => {
  const names: Record<string, string[]> = {
    'mixed.example.com': ['93.184.216.34', '10.0.0.5'],
    'mapped.example.com': ['::ffff:127.0.0.1'],
    'nat64.example.com': ['64:ff9b::7f00:1'],
    'metadata.example.com': ['169.254.169.254'],
    'azure.example.com': ['168.63.129.16'],
    'cgnat.example.com': ['100.64.1.1'],
    'nothing.example.com': [],
    '127.0.0.1.nip.example': ['127.0.0.1'],
  }
  for (const [name, addresses] of Object.entries(names)) {
    const reading = fetchPublicPage(`http://${name}/`, {
      allowLoopback: false,
      signal,
      resolve: async () => addresses,
    })
    assert.equal(await refusalOf(reading), 'private', name)
  }
})

test('each redirect is checked like the first address, and the sixth is not followed', async () => {
  await using site = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site')
    const left = Number(searchParams.get('left') ?? 0)
    if (pathname === '/to') return response.writeHead(302, { location: searchParams.get('url') ?? '' }).end()
    if (left > 0) return response.writeHead(307, { location: `/?left=${left - 1}` }).end()
    return response.writeHead(200, { 'content-type': 'text/html' }).end('arrived')
  })
  const page = await read(`${site.url}/?left=5`)
  assert.equal(new TextDecoder().decode(page.bytes), 'arrived')
  assert.equal(page.url.search, '?left=0')
  assert.equal(await refusalOf(read(`${site.url}/?left=6`)), 'redirects')
  const to = (url: string) => refusalOf(read(`${site.url}/to?url=${encodeURIComponent(url)}`))
  assert.equal(await to('file:///etc/passwd'), 'scheme')
  assert.equal(await to('gopher://127.0.0.1:11211/_x'), 'scheme')
  assert.equal(await to(`http://a:b@127.0.0.1:${site.port}/`), 'userinfo')
  assert.equal(await to('http://[::1'), 'not_a_url')
})

test('a redirect from a public name to a private address is refused', async () => {
  const { readPublicUrl } = await import('../../shared/integrations/network/public-url.ts')
  for (const location of [
    'http://169.254.169.254/latest/meta-data/',
    '\\\\127.0.0.1\\x',
    '//0x7f.1/',
    '//[::]/',
  ]) {
    assert.throws(() => readPublicUrl(new URL(location, 'https://example.com/r'), false), RefusedPage)
  }
})

test('a bomb is stopped at 2 MB, whatever it is packed into', async () => {
  const bomb = gzipSync(new Uint8Array(64 * 1024 * 1024))
  const packed: [string, Uint8Array][] = [
    ['gzip', bomb],
    ['br', brotliCompressSync(new Uint8Array(16 * 1024 * 1024))],
  ]
  for (const [encoding, bytes] of packed) {
    await using site = await serve(html(bytes, { 'content-encoding': encoding }))
    assert.equal(await refusalOf(read(site.url)), 'size', encoding)
  }
  await using twice = await serve(html(gzipSync(bomb), { 'content-encoding': 'gzip, gzip' }))
  assert.equal(await refusalOf(read(twice.url)), 'kind')
  await using honest = await serve(html('x'.repeat(3 * 1024 * 1024)))
  assert.equal(await refusalOf(read(honest.url)), 'size')
  await using endless = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write('x'.repeat(3 * 1024 * 1024))
  })
  assert.equal(await refusalOf(read(endless.url)), 'size')
  const large = 'x'.repeat(1024 * 1024)
  await using fitting = await serve(html(large))
  assert.equal((await read(fitting.url)).bytes.length, large.length)
  await using small = await serve(html(gzipSync('<p>small'), { 'content-encoding': 'gzip' }))
  assert.equal(new TextDecoder().decode((await read(small.url)).bytes), '<p>small')
})

test('only text is taken', async () => {
  for (const type of [
    'application/pdf',
    'image/png',
    'application/octet-stream',
    'application/json',
    'text/htmlx',
  ]) {
    await using site = await serve(html('data', { 'content-type': type }))
    assert.equal(await refusalOf(read(site.url)), 'kind', type)
  }
  for (const type of ['text/html', 'TEXT/HTML;charset=x', 'text/plain', 'application/xhtml+xml']) {
    await using site = await serve(html('data', { 'content-type': type }))
    assert.equal((await read(site.url)).contentType, type)
  }
})

test('a failure of the server is handed on as facts', async () => {
  await using site = await serve((_, response) =>
    response.writeHead(429, { 'retry-after': '7' }).end('slow down'),
  )
  const error = await read(site.url).catch((cause) => cause)
  assert.ok(error instanceof FailedPage)
  assert.equal(error.httpStatus, 429)
  assert.equal(error.headers['retry-after'], '7')
})

test('a server that falls silent is left when the caller has no more time', async () => {
  await using site = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
  )
  const leaving = new AbortController()
  const reading = fetchPublicPage(site.url, { allowLoopback: true, signal: leaving.signal })
  leaving.abort(new DOMException('over', 'TimeoutError'))
  await assert.rejects(reading)
})
