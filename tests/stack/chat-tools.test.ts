import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/keys.ts'
import { argumentHash } from '../../shared/engine/core/canonical-json.ts'
import { requireTicketFor, verifyTicket } from '../../shared/server/authentication/internal-ticket.ts'
import { type ChatApp, startChatApp } from '../support/chat-app.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../support/chat-user.ts'
import { type FunctionReply, type FunctionServer, startFunctionServer } from '../support/function-server.ts'
import { callTool, say } from '../support/model-server.ts'

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const ask = 'Say hello to ada@example.com'

let chat: ChatStack
let functions: FunctionServer
/** The chat function, on the stack's database and model, with integration functions that a test scripts. */
let app: ChatApp
let user: ChatUser

beforeAll(async () => {
  chat = await startChatStack()
  functions = await startFunctionServer()
  app = startChatApp(chat, { functionsUrl: functions.url })
  user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'never')
})
afterAll(async () => {
  await functions?.close()
  await chat?.stop()
})

const post = (body: unknown, path = '') => app.post(body, { token: user.token, path })

/** One mail whose function answers like this; the model then says what it has learnt. */
async function send(...replies: FunctionReply[]) {
  functions.use(...replies)
  functions.calls.length = 0
  chat.model.use([callTool('smtp_send_email', mail), say('That is how it is.')])
  const { answer } = await post({ message: ask })
  const [row] = await withDatabase(
    chat.stack,
    (sql) => sql`select status from askback.tool_executions where run_id = ${answer.runId}`,
  )
  return { answer, error: answer.toolsUsed[0]?.error, status: row?.status, calls: functions.calls }
}

const success = { ok: true, data: { messageId: '<1@example.com>' } }

describe('a tool call', () => {
  it('is posted to its function in the name of the user, with a key that stands for the effect', async () => {
    const { answer, calls } = await send(success)
    expect(answer.toolsUsed).toMatchObject([{ ok: true, output: success.data }])
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({
      name: 'smtp-api',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: {
        action: 'send_email',
        params: mail,
        idempotencyKey: expect.stringMatching(/\S{16,}/),
        agentId: expect.any(String),
      },
    })
    expect(calls[0]?.headers).not.toHaveProperty('x-askback-ticket')
  })

  it('that ends in a tool error shows just that error', async () => {
    const refused = {
      ok: false,
      error: 'The mailbox is full.',
      errorType: 'quota_exceeded',
      resolver: 'user',
      details: {},
    }
    const { answer, error, status } = await send(refused)
    expect(error).toEqual(refused)
    expect([answer.status, status]).toEqual(['completed', 'failed'])
  })

  it('whose function is not deployed, or could not be started, was not carried out', async () => {
    for (const body of [
      '{"code":"NOT_FOUND","message":"Requested function was not found"}',
      '{"error":{"code":"function_not_found","message":"…"}}',
    ]) {
      const { error, status, calls } = await send({ status: 404, body })
      expect([error?.errorType, error?.resolver, status, calls.length]).toEqual([
        'not_configured',
        'nobody',
        'failed',
        1,
      ])
    }
    const boot = { status: 503, body: '{"code":"BOOT_ERROR","message":"Function failed to start"}' }
    const { answer, calls } = await send(boot, success)
    expect(answer.toolsUsed).toMatchObject([{ ok: true }])
    expect(calls).toHaveLength(2)
  })

  it('whose function crashed or fell silent before the effect is certain not to have happened', async () => {
    for (const reply of [
      'cut',
      { status: 502, body: '<html>Bad gateway</html>' },
      { status: 546, body: '{"code":"WORKER_LIMIT"}' },
    ] as const) {
      const { answer, error, status, calls } = await send(reply)
      expect([answer.status, error?.errorType, status]).toEqual(['completed', 'unavailable', 'failed'])
      expect(error?.error).toMatch(/broke down before it did anything/)
      expect(calls).toHaveLength(1)
    }
  })

  it('that the function refuses to let in asks nobody to reconnect anything', async () => {
    const { error } = await send({ status: 401, body: '{"error":{"code":"unauthorized","message":"…"}}' })
    expect([error?.errorType, error?.resolver]).toEqual(['execution_error', 'nobody'])
    expect(error?.error).toMatch(/sign in/i)
  })
})

describe('a run that has to wait for longer than it may', () => {
  it('parks, and the clock goes on with it in the name of the user', async () => {
    functions.use({
      ok: false,
      error: 'Too many mails, wait a minute.',
      errorType: 'rate_limit_exceeded',
      resolver: 'time',
      retryAfterMs: 60_000,
      details: {},
    })
    functions.calls.length = 0
    chat.model.use([callTool('smtp_send_email', mail), say('Sent at last.')])
    const { answer } = await post({ id: 'parked', message: ask })
    expect(answer).toMatchObject({
      status: 'waiting',
      pending: [{ type: 'wait', resumeAt: expect.stringMatching(/^20/) }],
    })
    expect(answer.text).not.toBe('')
    expect(answer.message.parts).toContainEqual(expect.objectContaining({ type: 'data-wait' }))
    expect(await post({}, '/parked/resume')).toMatchObject({
      status: 409,
      answer: { error: { code: 'not_due' } },
    })

    await withDatabase(
      chat.stack,
      (sql) => sql`update askback.runs set resume_at = now() where id = ${answer.runId}`,
    )
    functions.use(success)
    const secret = readKeys(chat.stack.dataDirectory).functionSecret
    const wake = (options: { token?: string; headers?: Record<string, string> }) =>
      app.post({}, { path: '/clock', ...options })
    for (const options of [{}, { headers: { 'x-askback-clock': 'guessed' } }, { token: user.token }]) {
      expect((await wake(options)).status).toBe(401)
    }
    expect(await wake({ headers: { 'x-askback-clock': secret } })).toEqual({
      status: 202,
      answer: { resumed: 1 },
    })
    await expect
      .poll(() => user.get('/conversations/parked'), { timeout: 10_000 })
      .toMatchObject({ body: { status: 'completed', pending: [] } })

    const call = functions.calls.at(-1)
    expect(call?.headers).not.toHaveProperty('authorization')
    const ticket = await verifyTicket(String(call?.headers['x-askback-ticket']), secret)
    expect(ticket.subject).toBe(user.id)
    const own = {
      tool: 'smtp_send_email',
      argumentHash: await argumentHash(call?.body.params),
      idempotencyKey: call?.body.idempotencyKey,
    }
    expect(() => requireTicketFor(ticket, own)).not.toThrow()
    expect(() => requireTicketFor(ticket, { ...own, argumentHash: '' })).toThrow()
    expect(() => requireTicketFor(ticket, { ...own, idempotencyKey: 'another' })).toThrow()
  })
})

it('the statistics of the protocol run as they are over the printed address of the database', async () => {
  const alone = await signUp(chat.stack)
  await giveAgent(chat.stack, alone.id, 'never')
  const { to: _, ...rest } = mail
  functions.use(success)
  chat.model.use([callTool('smtp_send_email', rest), callTool('smtp_send_email', mail), say('Sent.')])
  await app.post({ message: ask }, { token: alone.token })
  const [errors, sessions] = await withDatabase(chat.stack, (sql) =>
    Promise.all([
      sql.unsafe(
        'SELECT error_type, COUNT(*) AS count FROM tool_execution_errors GROUP BY error_type ORDER BY count DESC',
      ),
      sql.unsafe(
        'SELECT COUNT(DISTINCT session_id) AS total_errors, COUNT(DISTINCT CASE WHEN retry_succeeded THEN session_id END) AS successful_retries FROM tool_execution_sessions WHERE has_errors = true',
      ),
    ]),
  )
  expect(errors.map((row) => row.error_type)).toContain('missing_parameter')
  expect(Number(sessions[0]?.successful_retries)).toBeGreaterThan(0)
  expect(Number(sessions[0]?.total_errors)).toBeGreaterThanOrEqual(Number(sessions[0]?.successful_retries))
})
