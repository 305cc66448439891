import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { bodyLimits, readBytes, readJson, readText } from '../../shared/engine/core/outside-body.ts'
import { startBombServer } from '../../support/bomb-server.ts'

const limit = { bytes: 1000, ms: 60_000 }
const tooLarge = { name: 'BodyLimitReached', code: 'ERR_ANSWER_TOO_LARGE' }

test('an answer is read to its last byte, up to its limit', async () => {
  const text = `${'ä'.repeat(400)}🙂`
  assert.equal(await readText(new Response(text), limit), text)
  assert.equal((await readBytes(new Response('x'.repeat(1000)), limit)).byteLength, 1000)
  await assert.rejects(readBytes(new Response('x'.repeat(1001)), limit), tooLarge)
  assert.equal(await readText(new Response(null), limit), '')
  const large = 'x'.repeat(1_000_000)
  assert.equal(await readText(new Response(large), bodyLimits.search), large)
})

test('JSON is parsed, and anything else is a SyntaxError', async () => {
  assert.deepEqual(await readJson(Response.json({ a: 1 }), limit), { a: 1 })
  await assert.rejects(readJson(new Response('<html>'), limit), SyntaxError)
})

test('an answer that says how long it is, is read within its limits, too', async () => {
  const answer = () => new Response('ä'.repeat(500), { headers: { 'content-length': '1000' } })
  assert.equal(await readText(answer(), limit), 'ä'.repeat(500))
  await assert.rejects(readText(answer(), { ...limit, bytes: 999 }), tooLarge)
})

test('an answer that stops before the length that it has announced is given up', async () => {
  await using server = await startAnswering((response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x')
  })
  const request = new AbortController()
  const answer = await fetch(server.url, { signal: request.signal })
  await assert.rejects(readText(answer, { ...limit, ms: 300 }), {
    name: 'TimeoutError',
    code: 'ERR_ANSWER_TOO_SLOW',
  })
  request.abort()
})

test('what counts is the size after decompression', async () => {
  await using server = await startBombServer('application/json')
  await assert.rejects(readText(await fetch(server.url), bodyLimits.search), tooLarge)
})

test('an answer that drips is given up, and its connection closed', async () => {
  let closed: Promise<unknown> | undefined
  await using server = await startAnswering((response) => {
    closed = once(response, 'close')
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(drip))
  })
  await assert.rejects(readText(await fetch(server.url), { bytes: 1_000_000, ms: 300 }), {
    name: 'TimeoutError',
    code: 'ERR_ANSWER_TOO_SLOW',
  })
  await closed
})

async function startAnswering(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
