import { afterEach, describe, expect, it, vi } from 'vitest'
import { readJson, readStart } from '../../../shared/server/http/read-json.ts'

const mebibyte = 1024 * 1024

/** A request whose body arrives in chunks, without a length, and that tells how much of it was read. */
function streamed(chunks: Iterable<Uint8Array>) {
  const iterator = chunks[Symbol.iterator]()
  const progress = { bytes: 0, cancelled: false }
  const body = new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next()
      if (done) return controller.close()
      progress.bytes += value.byteLength
      controller.enqueue(value)
    },
    cancel() {
      progress.cancelled = true
    },
  })
  return {
    request: new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit),
    progress,
  }
}
const post = (body: BodyInit | null, headers = {}) =>
  new Request('http://localhost/', { method: 'POST', body, headers })

/** A body that has begun and is sent on, or ended, by hand. */
function begun(bytes: number, headers: Record<string, string> = {}) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
      if (bytes > 0) given.enqueue(new Uint8Array(bytes).fill(0x20))
    },
  })
  const request = new Request('http://localhost/', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)
  return {
    request,
    send: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  }
}
const limit = 32 * mebibyte

afterEach(() => void vi.useRealTimers())

describe('readJson', () => {
  it('reads a body that is exactly as large as allowed, and refuses one byte more', async () => {
    const text = JSON.stringify('x'.repeat(98))
    expect(await readJson(post(text), 100)).toBe('x'.repeat(98))
    await expect(readJson(post(` ${text}`), 100)).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
    })
  })

  it('counts bytes, not characters', async () => {
    await expect(readJson(post(JSON.stringify('ä'.repeat(50))), 100)).rejects.toMatchObject({ status: 413 })
  })

  it('refuses by what arrives, not by what content-length claims', async () => {
    await expect(readJson(post('"0123456789"', { 'content-length': '3' }), 10)).rejects.toMatchObject({
      status: 413,
    })
  })

  it('reads a large body to its end, so that the client reads the answer, but not an endless one', async () => {
    const chunk = new Uint8Array(mebibyte)
    const large = streamed(Array(9).fill(chunk))
    await expect(readJson(large.request, 8 * mebibyte)).rejects.toThrow('larger than 8 MiB')
    expect(large.progress.bytes).toBe(9 * mebibyte)
    const endless = streamed(
      (function* () {
        for (;;) yield chunk
      })(),
    )
    await expect(readJson(endless.request, 8 * mebibyte)).rejects.toMatchObject({ status: 413 })
    expect(endless.progress.cancelled).toBe(true)
  })

  it('refuses by content-length while the body is still on its way', async () => {
    const { request } = begun(10, { 'content-length': String(limit + 1) })
    await expect(readJson(request, limit)).rejects.toMatchObject({ status: 413, code: 'body_too_large' })
  })

  it.each([
    ['with its length', 0, { 'content-length': String(20 * mebibyte) }],
    ['in chunks without a length', 19 * mebibyte, {}],
  ])('reads two large bodies %s at once, and refuses a third one', async (_, bytes, headers) => {
    const [first, second, third, later] = Array.from({ length: 4 }, () => begun(bytes, headers))
    if (!first || !second || !third || !later) throw new Error('four bodies were begun')
    const reading = [readJson(first.request, limit), readJson(second.request, limit)]
    await expect(readJson(third.request, limit)).rejects.toMatchObject({
      status: 429,
      code: 'too_many_large_bodies',
    })
    expect(await readJson(post('"small"'), limit)).toBe('small')
    first.send('1')
    first.end()
    expect(await reading[0]).toBe(1)
    const next = readJson(later.request, limit)
    for (const body of [second, later]) {
      body.send('2')
      body.end()
    }
    expect([await reading[1], await next]).toEqual([2, 2])
  })

  it('makes room when a large body is cut off, is no JSON, or does not go on', async () => {
    const large = { 'content-length': String(30 * mebibyte) }
    const gone = begun(5, large)
    const reading = readJson(gone.request, limit)
    gone.end()
    await expect(reading).rejects.toMatchObject({ code: 'invalid_json' })
    vi.useFakeTimers()
    const silent = expect(readJson(begun(5, large).request, limit)).rejects.toMatchObject({
      code: 'body_timeout',
    })
    await vi.advanceTimersByTimeAsync(20_000)
    await silent
    vi.useRealTimers()
    const { request, send, end } = begun(5, large)
    send('3')
    end()
    expect(await readJson(request, limit)).toBe(3)
  })

  it.each([
    ['nothing', null],
    ['an empty text', ''],
    ['plain text', 'hello'],
    ['a cut object', '{"message":"hel'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('refuses %s with a sentence', async (_, body) => {
    await expect(readJson(post(body), 100)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_json',
      message: expect.stringMatching(/Send a JSON object/),
    })
  })

  it('says so when the client goes away in the middle', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new TypeError('connection reset')),
    })
    const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit)
    await expect(readJson(request, 100)).rejects.toMatchObject({ status: 400, code: 'body_incomplete' })
  })

  it('accepts a byte order mark', async () => {
    expect(await readJson(post('\uFEFF{"a":1}'), 100)).toEqual({ a: 1 })
  })
})

describe('readStart', () => {
  it('takes how a body begins, also of one that goes on or that stops in the middle', async () => {
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
    expect(text(await readStart(post('{"a":1}'), 100))).toBe('{"a":1}')
    expect(text(await readStart(post('0123456789'), 4))).toBe('0123')
    expect(text(await readStart(post(null), 4))).toBe('')
    const stopped = begun(0)
    stopped.send('{"me')
    expect(text(await readStart(stopped.request, 100))).toBe('{"me')
  })
})
