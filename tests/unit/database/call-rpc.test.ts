import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'

/** Answers like PostgREST, one answer a request; `Error` stands for a connection that fails. */
function server(...answers: (Response | Error)[]) {
  const requests: { url: string; headers: Headers; body: string }[] = []
  const send = async (url: string | URL | Request, init?: RequestInit) => {
    requests.push({ url: String(url), headers: new Headers(init?.headers), body: String(init?.body) })
    const answer = answers.shift()
    if (answer instanceof Response) return answer
    throw answer ?? new Error('no more answers')
  }
  return { requests, rpc: createRpc({ url: 'http://db', serviceKey: 'key', fetch: send as typeof fetch }) }
}

afterEach(() => void vi.useRealTimers())

describe('an RPC', () => {
  it('goes to the schema askback with the service key', async () => {
    const { rpc, requests } = server(Response.json({ kind: 'run' }))
    expect(await rpc('begin_turn', { p_user_id: 'u', p_request: {} })).toEqual({ kind: 'run' })
    const [request] = requests
    expect(request?.url).toBe('http://db/rest/v1/rpc/begin_turn')
    expect(request?.headers.get('content-profile')).toBe('askback')
    expect(request?.headers.get('apikey')).toBe('key')
    expect(request?.body).toBe('{"p_user_id":"u","p_request":{}}')
  })

  it('carries every text, but for the characters that PostgreSQL cannot store', async () => {
    const piece = fc.constantFrom(
      '\\',
      '\u0000',
      '\ud83d',
      '\udfff',
      '\u{1f600}',
      'u0000',
      'ud83d',
      '"',
      '\n',
      'a',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const text = pieces.join('')
        const { rpc, requests } = server(Response.json(null))
        await rpc('finish_run', { p_run_id: text, p_result: { [text]: JSON.stringify(text) } })
        const kept = text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
        expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
          p_run_id: kept,
          p_result: { [kept]: JSON.stringify(text) },
        })
      }),
      { numRuns: 500 },
    )
  })

  it('is asked again after a failed connection or a restart', async () => {
    const { rpc, requests } = server(
      new TypeError('fetch failed'),
      new Response('<html>Bad gateway</html>', { status: 502 }),
      Response.json({ code: '57P01', message: 'terminating connection' }, { status: 500 }),
      Response.json(1),
    )
    expect(await rpc('get_run', { p_run_id: 'r', p_user_id: 'u' })).toBe(1)
    expect(requests).toHaveLength(4)
  })

  it('is asked again after its process has stood still, however long', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    let tries = 0
    const send = async () => {
      if (++tries > 1) return Response.json(1)
      vi.setSystemTime(Date.now() + 42_000)
      throw new DOMException('The operation timed out.', 'TimeoutError')
    }
    const rpc = createRpc({ url: 'http://db', serviceKey: 'key', fetch: send as typeof fetch })
    expect(await rpc('get_run', { p_run_id: 'r', p_user_id: 'u' })).toBe(1)
  })

  it('gives up with a transient error while the database stays away', async () => {
    const { rpc } = server(...Array(5).fill(new TypeError('fetch failed')))
    await expect(rpc('get_run', { p_run_id: 'r', p_user_id: 'u' })).rejects.toMatchObject({
      name: 'DatabaseError',
      transient: true,
    })
  })

  it.each([
    ['57014', 500],
    ['55P03', 500],
    ['53300', 503],
    ['40P01', 500],
    ['PGRST003', 504],
  ])(
    'is asked again after %s, which has done nothing, and is busy while that goes on',
    async (code, status) => {
      const refusal = () => Response.json({ code, message: 'canceling statement' }, { status })
      const again = server(refusal(), Response.json(1))
      expect(await again.rpc('get_run', { p_run_id: 'r', p_user_id: 'u' })).toBe(1)
      const { rpc } = server(...Array.from({ length: 5 }, refusal))
      await expect(rpc('get_run', { p_run_id: 'r', p_user_id: 'u' })).rejects.toMatchObject({
        code,
        transient: true,
        isBusy: true,
      })
    },
  )

  it.each([
    ['57P01', 503],
    ['08006', 503],
    ['PGRST001', 503],
  ])('is away with %s, not busy', async (code, status) => {
    const { rpc } = server(
      ...Array.from({ length: 5 }, () => Response.json({ code, message: '' }, { status })),
    )
    await expect(rpc('get_run', { p_run_id: 'r', p_user_id: 'u' })).rejects.toMatchObject({
      transient: true,
      isBusy: false,
    })
  })

  it('is not repeated when the database understood and refused', async () => {
    const { rpc, requests } = server(
      Response.json({ code: '23505', message: 'duplicate key' }, { status: 409 }),
    )
    await expect(rpc('get_run', { p_run_id: 'r', p_user_id: 'u' })).rejects.toMatchObject({
      code: '23505',
      transient: false,
    })
    expect(requests).toHaveLength(1)
  })

  it('is not repeated when it failed inside the database', async () => {
    const { rpc } = server(Response.json({ code: 'P0001', message: 'begin_turn: no' }, { status: 500 }))
    await expect(rpc('finish_run', {} as never)).rejects.toMatchObject({ code: 'P0001', transient: false })
  })

  it('sends nothing that PostgreSQL cannot store, and changes nothing else', async () => {
    const { rpc, requests } = server(Response.json(null))
    const p_request = { 'k\u0000': 'a\u0000b \ud83d \u{1F600} C:\\u0000 \\\\\u0000 "\n' }
    await rpc('begin_turn', { p_user_id: 'u', p_request })
    expect(JSON.parse(requests[0]?.body ?? '').p_request).toEqual({
      'k\uFFFD': 'a\uFFFDb \uFFFD \u{1F600} C:\\u0000 \\\\\uFFFD "\n',
    })
  })
})
