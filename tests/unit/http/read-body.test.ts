import { afterEach, describe, expect, it, vi } from 'vitest'
import { readJson, readStart } from '../../../shared/server/http/read-body.ts'

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

/** So many mebibytes of blanks, and a number. */
function* spaces(mebibytes: number, number: string) {
  for (let sent = 0; sent < mebibytes; sent++) yield new Uint8Array(mebibyte).fill(0x20)
  yield new TextEncoder().encode(number)
}

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

  it('reads two large bodies at once, and refuses the one for which there is no room', async () => {
    const [first, second, third, later] = Array.from({ length: 4 }, () => begun(15 * mebibyte))
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

  it('gives no room for what a body only says that it will send', async () => {
    const hogs = Array.from({ length: 20 }, () => begun(10, { 'content-length': String(20 * mebibyte) }))
    const reading = hogs.map(({ request }) => readJson(request, limit))
    expect(await readJson(streamed(spaces(30, '3')).request, limit)).toBe(3)
    for (const hog of hogs) hog.end()
    await Promise.allSettled(reading)
  })

  it('reads one of many large bodies that come at the same pace, whoever else is refused', async () => {
    const bodies = Array.from({ length: 10 }, () => readJson(streamed(spaces(31, '4')).request, limit))
    const results = await Promise.allSettled(bodies)
    expect(results).toContainEqual({ status: 'fulfilled', value: 4 })
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 429 })
    }
  })

  it('lets nobody keep others out with slow bodies: together they get a share of the room', async () => {
    const read = (body: { request: Request }, owner: string) =>
      readJson(body.request, limit, undefined, owner)
    const slow = Array.from({ length: 4 }, () => begun(5 * mebibyte - 9))
    const reading = slow.map((body) => read(body, 'ada'))
    await expect(read(streamed(spaces(5, '1')), 'ada')).rejects.toMatchObject({
      status: 429,
      code: 'too_many_large_bodies',
    })
    await expect(read(streamed(spaces(10, '1')), 'grace')).resolves.toBe(1)
    for (const body of slow) {
      body.send('1')
      body.end()
    }
    expect(await Promise.all(reading)).toEqual([1, 1, 1, 1])
  })

  it('gives all of the room to one body of a user', async () => {
    await expect(readJson(streamed(spaces(30, '1')).request, limit, undefined, 'ada')).resolves.toBe(1)
  })

  it('gives the room of a body that trickles to one that arrives', async () => {
    vi.useFakeTimers()
    const hogs = [begun(16 * mebibyte - 9), begun(16 * mebibyte - 9)]
    const refused = { status: 429, code: 'too_many_large_bodies' }
    const reading = hogs.map(({ request }) => readJson(request, limit).catch((error) => error))
    await vi.advanceTimersByTimeAsync(4000)
    await expect(readJson(streamed(spaces(30, '5')).request, limit)).rejects.toMatchObject(refused)
    for (const hog of hogs) hog.send(' ')
    await vi.advanceTimersByTimeAsync(4000)
    expect(await readJson(streamed(spaces(30, '5')).request, limit)).toBe(5)
    expect(await Promise.all(reading)).toMatchObject([refused, refused])
  })

  it('gives up a body that is silent, or that takes too long in all', async () => {
    vi.useFakeTimers()
    const silent = expect(readJson(begun(5).request, limit)).rejects.toMatchObject({ code: 'body_timeout' })
    await vi.advanceTimersByTimeAsync(10_000)
    await silent
    const trickling = begun(5)
    const slow = expect(readJson(trickling.request, limit)).rejects.toMatchObject({
      status: 400,
      code: 'body_timeout',
      message: 'The request body did not arrive in time. Send it again, or send less at once.',
    })
    for (let second = 0; second < 120; second += 5) {
      trickling.send(' ')
      await vi.advanceTimersByTimeAsync(5000)
    }
    await slow
  })

  it('makes room when a large body is cut off', async () => {
    const gone = begun(30 * mebibyte)
    const reading = readJson(gone.request, limit)
    gone.end()
    await expect(reading).rejects.toMatchObject({ code: 'invalid_json' })
    expect(await readJson(streamed(spaces(30, '3')).request, limit)).toBe(3)
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
