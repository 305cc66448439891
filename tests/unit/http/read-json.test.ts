import { describe, expect, it } from 'vitest'
import { readJson } from '../../../shared/server/http/read-json.ts'

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
