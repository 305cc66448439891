import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { ticketHeaders } from '../../shared/server/client-calls/between-functions.ts'
import {
  callRoute,
  completeRoute,
  signInRoute,
  signOutRoute,
  toolsRoute,
} from '../../shared/server/server-calls/server-call.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { request } from '../../support/equipped-user.ts'
import { addServer } from '../../support/mcp-server-row.ts'
import { agreeAt, readJson, signUpAtApp } from '../../support/oauth-client.ts'
import { startStack, type TestStack } from '../../support/stack.ts'

// The function `mcp-client` signs in at the function `mcp` of the same project, as at anybody's.

let stack: TestStack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

async function ask(route: string, body: { userId: string; [member: string]: unknown }) {
  const { functionSecret } = readKeys(stack.dataDirectory)
  const response = await fetch(`${stack.url}/functions/v1/mcp-client/${route}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(await ticketHeaders(route, body, functionSecret)),
    },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return await readJson(response)
}

describe('the function mcp-client', () => {
  it('signs a user in with a server, lists and calls its tools, and signs them out', async () => {
    const { user, auth } = await signUpAtApp(stack)
    const url = `${stack.url}/functions/v1/mcp`
    const of = { userId: user.id }
    const asked = await ask(toolsRoute, { ...of, server: { url } })
    expect(asked).toMatchObject({ kind: 'sign_in', said: { code: 'server_sign_in' } })

    const returnTo = `${stack.url}/settings`
    const page = await ask(signInRoute, { ...of, url, challenge: asked.challenge, returnTo })
    expect(page).toMatchObject({ kind: 'page', host: new URL(stack.url).host })
    const authorization = new URL(page.url).searchParams
    expect(authorization.get('redirect_uri')).toBe(`${stack.url}/functions/v1/mcp-client/callback`)
    const listed = await request(stack, user, 'GET', '/integration-settings/mcp-grants')
    const [agent] = listed.json.agents
    await request(stack, user, 'POST', '/integration-settings/mcp-grants', {
      clientId: authorization.get('client_id'),
      clientName: 'Askback',
      redirectHost: '127.0.0.1',
      agentId: agent.id,
      tools: ['web_search', 'scrape_and_summarize'],
    })
    const callback = await agreeAt(page.url, auth)
    const back = await fetch(callback, { redirect: 'manual' })
    const address = new URL(back.headers.get('location') ?? '')
    expect([back.status, address.pathname]).toEqual([302, '/settings'])
    expect((await fetch(callback, { redirect: 'manual' })).status).toBe(400)
    const code = address.searchParams.get('code')
    expect(await ask(completeRoute, { ...of, code })).toEqual({ kind: 'signed_in', url })
    expect(await ask(completeRoute, { ...of, code })).toMatchObject({ said: { values: { why: 'unknown' } } })

    const { tools, protocol, total } = await ask(toolsRoute, { ...of, server: { url } })
    expect([protocol, total]).toEqual(['2026-07-28', 2])
    const tool = tools.find(({ name }: { name: string }) => name === 'scrape_and_summarize')
    const added = { userId: user.id, name: 'own', url, tools: [tool], trusted: true }
    const { id } = await withDatabase(stack, (sql) => addServer(sql, added))
    const called = await ask(callRoute, {
      ...of,
      server: { id },
      tool: `own__${tool.name}`,
      arguments: { urls: ['https://10.0.0.1/'] },
      effect: 'read',
      idempotencyKey: 'read-1',
    })
    expect(JSON.stringify(called)).toMatch(/10\.0\.0\.1/)

    const stored = await withDatabase(
      stack,
      (sql) => sql`select row_to_json(g) from askback.server_grants g where user_id = ${user.id}`,
    )
    expect(stored).toHaveLength(1)
    await ask(signOutRoute, { ...of, url })
    expect(await ask(toolsRoute, { ...of, server: { url } })).toMatchObject({ kind: 'sign_in' })
  })

  it('makes a write once, however often and at the same time its request arrives', async () => {
    const { user } = await signUpAtApp(stack)
    const server = await startServer()
    const tools = [{ name: 'write', inputSchema: { type: 'object' } }]
    const added = { userId: user.id, name: 'own', url: server.url, tools }
    const { id } = await withDatabase(stack, (sql) => addServer(sql, added))
    const call = {
      userId: user.id,
      server: { id },
      tool: 'own__write',
      arguments: {},
      effect: 'write',
      idempotencyKey: randomUUID(),
    }
    const atOnce = [ask(callRoute, call), ask(callRoute, call)]
    await server.called
    server.answer()
    const results = await Promise.all(atOnce)
    expect(results).toContainEqual({ ok: true, data: 'Written.' })
    expect(await ask(callRoute, call)).toEqual({ ok: true, data: 'Written.' })
    expect(server.calls()).toBe(1)
    expect(await ask(callRoute, { ...call, idempotencyKey: randomUUID() })).toEqual({
      ok: true,
      data: 'Written.',
    })
    expect(server.calls()).toBe(2)
    await server.close()
  })
})

/** A server of 2025-11-25 with one tool, which answers when it is told to. */
async function startServer() {
  let calls = 0
  let hear = () => {}
  const called = new Promise<void>((resolve) => {
    hear = resolve
  })
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const results: Record<string, () => Promise<object>> = {
    initialize: async () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'One tool', version: '1.0.0' },
    }),
    async 'tools/call'() {
      calls++
      hear()
      await answered
      return { content: [{ type: 'text', text: 'Written.' }] }
    },
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method } = text === '' ? { id: undefined, method: '' } : JSON.parse(text)
    if (id === undefined) return void response.writeHead(text === '' ? 405 : 202).end()
    const result = await results[method]?.()
    const error = { code: -32_601, message: 'Method not found' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    called,
    answer,
    calls: () => calls,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
