import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForEnd } from '../../local/process/running-process.ts'
import { project, startStack, type TestStack } from '../../support/stack.ts'

let stack: TestStack
let functions: string

beforeAll(async () => {
  const functionsDirectory = join(project, 'support/functions')
  stack = await startStack({ functionsDirectory, env: { GMAIL_API_BASE_URL: 'http://127.0.0.1:9' } })
  functions = `${stack.url}/functions/v1`
})
afterAll(() => stack?.stop())

describe('the function host', () => {
  it('starts a function with its first request and passes method, path, headers and body on', async () => {
    expect(stack.pids().probe).toBeUndefined()
    const response = await fetch(`${functions}/probe/echo?a=1&b=%20`, {
      method: 'PUT',
      headers: { 'x-test': 'yes', authorization: 'Bearer abc' },
      body: 'hello',
    })
    const answer = await response.json()
    expect(answer).toMatchObject({ method: 'PUT', path: '/probe/echo?a=1&b=%20', body: 'hello' })
    expect(answer.headers).toMatchObject({
      'x-test': 'yes',
      authorization: 'Bearer abc',
      'x-forwarded-host': new URL(stack.url).host,
      'x-forwarded-proto': 'http',
    })
    expect(stack.pids().probe).toBe(answer.pid)
  })

  it('gives a function what hosted Supabase gives it, our keys, and what the user has set', async () => {
    const environment = await (await fetch(`${functions}/probe/environment`)).json()
    expect(environment).toMatchObject({
      SUPABASE_URL: stack.url,
      SUPABASE_ANON_KEY: stack.keys.publishableKey,
      SUPABASE_SERVICE_ROLE_KEY: stack.keys.secretKey,
      SUPABASE_DB_URL: stack.databaseUrl,
      ASKBACK_ALLOW_PRIVATE_HOSTS: 'true',
      GMAIL_API_BASE_URL: 'http://127.0.0.1:9',
      OPENAI_BASE_URL: `${stack.url}/demo-model/v1`,
    })
    expect(environment.ASKBACK_JWT_SECRET.length).toBeGreaterThanOrEqual(32)
    expect(environment.ASKBACK_CREDENTIALS_KEYS).toMatch(/^[\w-]+:[\w+/]{43}=$/)
    expect(environment.ASKBACK_FUNCTION_SECRET.length).toBeGreaterThanOrEqual(32)
  })

  it('keeps the keys of the data directory from being read by a function', async () => {
    const read = (path: string) => fetch(`${functions}/probe/read`, { method: 'POST', body: path })
    expect((await read(join(stack.dataDirectory, 'keys.json'))).status).toBe(403)
    expect((await read(join(project, 'shared/index.ts'))).status).toBe(200)
  })

  it('streams a request and its answer through piece by piece, also to a client that accepts compression', async () => {
    const { hostname, port } = new URL(stack.url)
    const call = request({
      hostname,
      port,
      path: '/functions/v1/probe/conversation',
      method: 'POST',
      headers: { 'accept-encoding': 'gzip, br', 'content-type': 'text/event-stream' },
    })
    call.write('data: one\n\n')
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      call.once('response', resolve)
      call.once('error', reject)
    })
    const pieces = response[Symbol.asyncIterator]()
    expect(String((await pieces.next()).value)).toBe('data: one\n\n')
    call.write('data: two\n\n')
    expect(String((await pieces.next()).value)).toBe('data: two\n\n')
    call.end()
    expect((await pieces.next()).done).toBe(true)
  })

  it('passes a large upload whole', async () => {
    const body = new Blob([new Uint8Array(30 * 1024 * 1024)])
    const response = await fetch(`${functions}/probe/length`, { method: 'POST', body })
    expect(await response.json()).toEqual({ bytes: body.size })
  })

  it('delivers an answer that comes before the upload has been read', async () => {
    const body = new Blob([new Uint8Array(40 * 1024 * 1024)])
    const response = await fetch(`${functions}/probe/refuse`, { method: 'POST', body })
    expect(response.status).toBe(413)
    expect(await response.text()).toBe('too large')
  })

  it('ends the work of a function when its client goes away', async () => {
    const controller = new AbortController()
    const response = await fetch(`${functions}/probe/endless`, { signal: controller.signal })
    await response.body?.getReader().read()
    controller.abort()
    await expect
      .poll(async () => (await (await fetch(`${functions}/probe/aborted`)).json()).aborted, {
        timeout: 10_000,
      })
      .toBe(1)
  })

  it('tells a function that has not answered yet when its client goes away, however large the request was', async () => {
    const counts = async () => (await fetch(`${functions}/probe/aborted`)).json()
    const before = await counts()
    const controller = new AbortController()
    const body = 'x'.repeat(100_000)
    const asked = fetch(`${functions}/probe/silent`, { method: 'POST', body, signal: controller.signal })
    await expect.poll(async () => (await counts()).silent).toBe(before.silent + 1)
    controller.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(async () => (await counts()).aborted).toBe(before.aborted + 1)
  })

  it('breaks an answer off where the function breaks it off', async () => {
    const response = await fetch(`${functions}/probe/cut`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  it('says so when a function crashes in the middle of a request, and starts it again for the next one', async () => {
    const before = (await (await fetch(`${functions}/probe/echo`)).json()).pid
    const crash = await fetch(`${functions}/probe/crash`, { headers: { origin: 'http://localhost:5173' } })
    expect(crash.status).toBe(502)
    expect(crash.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect((await crash.json()).error).toMatchObject({
      code: 'function_crashed',
      message: /"probe" ended before it answered/,
    })
    const after = (await (await fetch(`${functions}/probe/echo`)).json()).pid
    expect(after).not.toBe(before)
    expect(stack.pids().probe).toBe(after)
    await expect.poll(stack.output).toContain('[probe] about to crash')
  })

  it('starts a killed function again without losing the request that found it dead', async () => {
    const { pid } = await (await fetch(`${functions}/probe/echo`)).json()
    process.kill(pid, 'SIGKILL')
    expect(await waitForEnd(pid, 10_000)).toBe(true)
    const response = await fetch(`${functions}/probe/echo`, { method: 'POST', body: 'still here' })
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer.body).toBe('still here')
    expect(answer.pid).not.toBe(pid)
  })

  it('starts one process for many first requests at once', async () => {
    await fetch(`${functions}/probe/crash`)
    await expect.poll(() => stack.pids().probe, { timeout: 10_000 }).toBeUndefined()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${functions}/probe/echo`)).json()),
    )
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1)
  })

  it.each([
    ['broken', 'the setting FOO is missing'],
    ['silent', 'it neither calls Deno.serve nor exports default { fetch }'],
  ])('says with 503 why the function %s cannot start', async (name, reason) => {
    const response = await fetch(`${functions}/${name}`)
    expect(response.status).toBe(503)
    const { error } = await response.json()
    expect(error.code).toBe('function_not_started')
    expect(error.message).toContain(`The function "${name}" could not start`)
    expect(error.message).toContain(reason)
  })

  it.each(['nothing', '..%2f..%2flocal', ''])(
    'answers 404 with the names of all functions for "%s"',
    async (name) => {
      const response = await fetch(`${functions}/${name}`)
      expect(response.status).toBe(404)
      expect((await response.json()).error.message).toContain('broken, chat, mcp, probe, silent')
    },
  )
})
