import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolCallError, type ToolError } from '../../shared/engine/core/tool-error.ts'
import { createCallerHeaders } from '../../supabase/functions/chat/turn/caller-headers.ts'
import type { PermittedTool } from '../../supabase/functions/chat/turn/catalogue.ts'
import type { LostOutcome } from '../../supabase/functions/chat/turn/run-ledger.ts'
import { createToolExecutors } from '../../supabase/functions/chat/turn/tool-executor.ts'

/**
 * Runs one call against a raw server that answers with this status and body, or closes the connection (null), once
 * it has read the request. Says what came back and how often it was asked.
 */
async function call(
  reply: { status: number; body: string } | null,
  {
    effect = 'write' as 'write' | 'read',
    outcome = 'unknown' as LostOutcome,
    source = 'askback' as PermittedTool['source'],
  } = {},
) {
  const listener = Deno.listen({ hostname: '127.0.0.1', port: 0 })
  let requests = 0
  const serving = (async () => {
    for await (const connection of listener) {
      requests++
      await parseRequest(connection)
      if (reply !== null) await connection.write(new TextEncoder().encode(responseOf(reply)))
      connection.close()
    }
  })()
  try {
    const result = await execute(listener.addr.port, effect, outcome, source)
    return { result, requests }
  } finally {
    listener.close()
    await serving
  }
}

/** Reads to the end of the JSON body. */
async function parseRequest(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(65536)
  for (let text = ''; !text.endsWith('}'); ) {
    const size = await connection.read(buffer)
    if (size === null) return
    text += new TextDecoder().decode(buffer.subarray(0, size))
  }
}

function responseOf({ status, body }: { status: number; body: string }): string {
  return `HTTP/1.1 ${status} X\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
}

async function execute(
  port: number,
  effect: 'write' | 'read',
  outcome: LostOutcome,
  source: PermittedTool['source'] = 'askback',
  send: typeof fetch = fetch,
  args: Record<string, unknown> = { to: 'a' },
): Promise<ToolError> {
  const specification = {
    name: 'smtp_send_email',
    description: 'Sends.',
    parameters: { type: 'object' },
    effect,
  }
  const caller = { userId: 'u', token: 't', expiresAt: Date.now() / 1000 + 600 }
  const library = createToolExecutors(
    [
      {
        specification,
        connectionId: null,
        function: 'smtp-api',
        action: 'send_email',
        source,
        providers: [],
      },
    ],
    {
      functionUrl: (route) => `http://127.0.0.1:${port}/${route}`,
      agentId: 'agent',
      headersFor: createCallerHeaders(caller, { runId: 'run', agentId: 'agent' }, undefined),
      findOutcome: () => Promise.resolve(outcome),
      fetch: send,
    },
  )
  const context = {
    signal: new AbortController().signal,
    idempotencyKey: 'key',
    attempt: 1,
    effectBegins() {},
  }
  try {
    return (await library.get('smtp_send_email')?.execute(args, context)) as ToolError
  } catch (error) {
    if (error instanceof ToolCallError) return error.toolError
    throw error
  }
}

test('a write whose connection breaks is sent once, and may have happened', async () => {
  const { result, requests } = await call(null)
  assert.equal(requests, 1)
  assert.deepEqual([result.errorType, result.resolver], ['outcome_unknown', 'user'])
})

test('a call that the platform holds back was not sent, and waits as long as the platform says', async () => {
  const heldBack = () => {
    const error = new Error('Rate limit exceeded for trace')
    return Promise.reject(Object.assign(error, { name: 'RateLimitError', retryAfterMs: 4200 }))
  }
  for (const source of ['askback', 'project', 'application'] as const) {
    const error = await execute(1, 'write', 'unknown', source, heldBack)
    assert.deepEqual(
      [error.errorType, error.resolver, error.retryAfterMs],
      ['rate_limit_exceeded', 'time', 4200],
    )
  }
})

test('what is sent is what the database keeps: without characters that it cannot store', async () => {
  const bodies: unknown[] = []
  const send = async (_: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(await new Response(init?.body).text()).params)
    return Response.json({ ok: true, data: null })
  }
  await execute(1, 'write', 'unknown', 'application', send, { words: 'a\u0000b', more: ['\ud800'] })
  assert.deepEqual(bodies, [{ words: 'a\ufffdb', more: ['\ufffd'] }])
})

test('what the ledger knows is better than a broken connection', async () => {
  const settled = { ok: true as const, data: { messageId: '<1>' } }
  assert.deepEqual((await call(null, { outcome: { settled } })).result, settled)
  const never = (await call(null, { outcome: 'not_run' })).result
  assert.deepEqual([never.errorType, never.resolver], ['unavailable', 'nobody'])
})

test('a write that its function gave up in time keeps its own words, and is known not to have happened', async () => {
  const settled: ToolError = {
    ok: false,
    error: 'The mail server a.example did not answer in time on port 587. Nothing was sent.',
    errorType: 'timeout',
    resolver: 'time',
    details: {},
  }
  const { result } = await call({ status: 200, body: JSON.stringify(settled) }, { outcome: { settled } })
  assert.deepEqual(result, { ...settled, errorType: 'unavailable' })
})

test('of a write of the application’s own the ledger knows too, and what it says of itself is only returned', async () => {
  const settled = { ok: true as const, data: { id: 7 } }
  const source = 'application' as const
  assert.deepEqual((await call(null, { outcome: { settled }, source })).result, settled)
  const lost = await call(null, { source })
  assert.deepEqual([lost.result.errorType, lost.requests], ['outcome_unknown', 1])
  const said = {
    ok: false,
    error: 'Question: Who?',
    errorType: 'missing_parameter',
    resolver: 'model',
    details: {},
  }
  assert.deepEqual((await call({ status: 200, body: JSON.stringify(said) }, { source })).result, said)
})

test('a write that a crashed or confused server answered may have happened; a read is simply tried again', async () => {
  for (const [status, body] of [
    [500, '{"error":{"code":"internal_error","message":"…"}}'],
    [502, '<html>Bad Gateway</html>'],
    [200, '<html>Welcome</html>'],
    [200, ''],
  ] as const) {
    const { result } = await call({ status, body })
    assert.equal(result.errorType, 'outcome_unknown', `${status} ${body}`)
  }
  const { result } = await call({ status: 502, body: 'Bad Gateway' }, { effect: 'read' })
  assert.equal(result.resolver, 'time')
})

test('a server that nobody runs has done nothing', async () => {
  const listener = Deno.listen({ hostname: '127.0.0.1', port: 0 })
  const { port } = listener.addr
  listener.close()
  const result = await execute(port, 'write', 'unknown')
  assert.deepEqual([result.errorType, result.resolver], ['unavailable', 'time'])
})

test('a result of the function is handed on as it is', async () => {
  const error = {
    ok: false,
    error: 'Question: Who?',
    errorType: 'missing_parameter',
    resolver: 'model',
    details: {},
  }
  assert.deepEqual((await call({ status: 200, body: JSON.stringify(error) })).result, error)
})

test('a token that is about to end is replaced by a ticket, where functions share a secret', async () => {
  const run = { runId: 'run', agentId: 'agent' }
  const soon = { userId: 'u', token: 't', expiresAt: Date.now() / 1000 + 5 }
  assert.deepEqual(Object.keys(await createCallerHeaders(soon, run, 'secret')('tool', {})), [
    'x-askback-ticket',
  ])
  assert.deepEqual(await createCallerHeaders(soon, run, undefined)('tool', {}), {
    authorization: 'Bearer t',
  })
})

test('without the secret of the functions, a call without the user says what is missing', async () => {
  const headersFor = createCallerHeaders({ userId: 'u' }, { runId: 'run' }, undefined)
  const error = await headersFor('tool', {}, 'key').catch((cause) => cause.toolError)
  assert.deepEqual([error.errorType, error.resolver], ['not_configured', 'nobody'])
  assert.match(error.error, /ASKBACK_FUNCTION_SECRET/)
})

/** What `checkConnection` says when the settings answer this for each connection, and which paths were asked. */
async function checkConnection(answers: Record<string, unknown>, token: string | undefined = 't') {
  const asked: string[] = []
  const provider = (id: string) => ({
    id,
    name: id.toUpperCase(),
    service: 'mail',
    purpose: 'send mail',
    connection: {},
    oauth: null,
    builtIn: false,
    connections: Object.keys(answers)
      .filter((key) => key.startsWith(id))
      .map((key) => ({ id: key, status: 'connected', scopes: null })),
  })
  const specification = {
    name: 'send',
    description: 'Sends.',
    parameters: {},
    effect: 'write' as const,
    providers: ['a', 'b'],
  }
  const tool = {
    specification,
    approval: 'never' as const,
    function: 'f',
    action: 'send',
    source: 'askback' as const,
    providers: [provider('a'), provider('b')],
  }
  const library = createToolExecutors([tool], {
    functionUrl: (route) => `http://functions.example/${route}`,
    agentId: 'agent',
    headersFor: async (): Promise<Record<string, string>> =>
      token ? { authorization: `Bearer ${token}` } : {},
    findOutcome: () => Promise.resolve('unknown' as const),
    appUrls: { origins: new Set(), base: 'https://app.example' },
    fetch: (async (url: string) => {
      asked.push(new URL(url).pathname)
      const answer = answers[url.split('/').at(-2) ?? '']
      if (answer === undefined) throw new TypeError('connection refused')
      return Response.json(answer)
    }) as never,
  })
  const error = await library.get('send')?.checkConnection?.({}, new AbortController().signal)
  return { error, asked }
}

const refused = {
  ok: false,
  error: 'Question: Your A connection does not work.',
  errorType: 'authentication_error',
  resolver: 'user',
  details: {},
}

test('connections are tested by the settings, and only a failed test is an error, with its link', async () => {
  const { error, asked } = await checkConnection({ a1: refused, b1: { ...refused, error: 'Question: B.' } })
  assert.deepEqual(
    asked,
    ['a1', 'b1'].map((id) => `/integration-settings/connections/${id}/test`),
  )
  assert.equal(error?.error, refused.error)
  assert.deepEqual(error?.details.action, {
    label: 'Reconnect A',
    href: 'https://app.example/settings/integrations?provider=a',
  })
})

test('a tool with one connection that works, or may work, lacks none', async () => {
  const away = { ...refused, errorType: 'unavailable', resolver: 'time' }
  for (const answer of [{ ok: true, data: {} }, away, undefined, 'oops']) {
    assert.equal((await checkConnection({ a1: refused, b1: answer })).error, undefined)
  }
  assert.deepEqual(await checkConnection({ a1: refused }, ''), { error: undefined, asked: [] })
})
