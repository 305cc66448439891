import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { crossOrigin } from '../../../shared/server/http/cross-origin.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { readAppUrls } from '../../../shared/server/links/app-urls.ts'

describe('errorResponse', () => {
  const error = new ApiError('agent_not_found', { why: 'one' })

  it('is JSON with code and message', async () => {
    const response = errorResponse(error, 'json')
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { code: 'agent_not_found', message: 'You have no such agent.' } },
    ])
  })

  it('is the sentence alone for clients that show the body', async () => {
    const response = errorResponse(error, 'text')
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('x-askback-error')).toBe('agent_not_found')
    expect([response.status, await response.text()]).toEqual([404, 'You have no such agent.'])
  })

  it('never shows the message of a fault of ours', async () => {
    const response = errorResponse(new Error('password=hunter2 at /srv/app.ts'), 'json')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/hunter2|app\.ts/)
  })
})

describe('a function called from a browser of another origin', () => {
  const app = new Hono()
  app.use(crossOrigin('*'))
  app.post('/fails', () => {
    throw new ApiError('unauthorized', { why: 'no_token' })
  })
  app.onError((error) => errorResponse(error, 'json'))

  it('allows whatever headers its client asks for', async () => {
    const asked = 'authorization,apikey,content-type,x-client-info,x-stainless-os,user-agent,x-my-own'
    const response = await app.request('/fails', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')?.split(/, ?/)).toEqual(asked.split(','))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(response.headers.get('access-control-allow-methods')).toContain(method)
    }
  })

  it('says when a request that came at a bad time may be sent again', () => {
    const busy = errorResponse(new ApiError('too_many_readers', { most: 20 }), 'json')
    expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(
      errorResponse(new ApiError('body_too_large', { mebibytes: 1 }), 'json').headers.has('retry-after'),
    ).toBe(false)
  })

  it('lets only the named origins in, where some are named', async () => {
    const env = { ASKBACK_APP_URLS: 'https://app.example/start', ASKBACK_CORS_ORIGINS: '' }
    const allowedBy = async (settings: Record<string, string>, origin: string) => {
      const own = new Hono()
      own.use(crossOrigin(readAppUrls(settings).callers))
      own.get('/', (c) => c.text('here'))
      const response = await own.request('/', { headers: { origin } })
      return response.headers.get('access-control-allow-origin')
    }
    expect(await allowedBy(env, 'https://app.example')).toBe('https://app.example')
    expect(await allowedBy(env, 'https://evil.example')).toBeNull()
    const named = { ...env, ASKBACK_CORS_ORIGINS: 'https://a.example, http://localhost:3000' }
    expect(await allowedBy(named, 'http://localhost:3000')).toBe('http://localhost:3000')
    expect(await allowedBy(named, 'https://app.example')).toBeNull()
    expect(await allowedBy({ ...env, ASKBACK_CORS_ORIGINS: '*' }, 'https://evil.example')).toBe('*')
    expect(await allowedBy({}, 'https://evil.example')).toBe('*')
    await expect(allowedBy({ ASKBACK_CORS_ORIGINS: 'a.example' }, '')).rejects.toThrow(
      'ASKBACK_CORS_ORIGINS contains "a.example", which is not an address like https://app.example.com.',
    )
  })

  it('lets the browser read an error too', async () => {
    const response = await app.request('/fails', {
      method: 'POST',
      headers: { origin: 'https://app.example' },
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toContain('x-askback-error')
  })
})
