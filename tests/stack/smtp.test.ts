import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { argumentHash } from '../../shared/engine/core/canonical-json.ts'
import { signTicket, ticketHeader } from '../../shared/server/authentication/internal-ticket.ts'
import { type ChatUser, connectSmtp, signUp, withDatabase } from '../../support/chat-user.ts'
import { startStack } from '../../support/stack.ts'
import { useStarted } from '../../support/use-started.ts'

const stack = useStarted(() => startStack({ env: { LLM_PROVIDER: 'none' } }))
let user: ChatUser

beforeAll(async () => {
  user = await signUp(stack)
  await connectSmtp(stack, user.id)
})
beforeEach(() => stack.inbox.clear())

const mail = { to: ['ada@example.com'], subject: 'Meeting', body: 'At ten.\n.\nBye' }

async function call(body: unknown, token = user.token) {
  const response = await fetch(`${stack.url}/functions/v1/smtp-api`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const rowsOf = (key: string) =>
  withDatabase(
    stack,
    (sql) =>
      sql`select status, result, tool_name from askback.tool_executions where idempotency_key = ${key}`,
  )

describe('smtp_send_email', () => {
  it('sends a real mail with everything in it', async () => {
    const sent = await call({
      action: 'send_email',
      params: {
        ...mail,
        to: ['ada@example.com', 'jörg@exämple.de'],
        cc: ['c@example.com'],
        bcc: ['b@example.com'],
        reply_to: 'office@example.com',
        subject: 'Prüfung ✓',
        html: '<p>At ten.</p>',
        attachments: [{ filename: 'größe.txt', content: 'größe', content_type: 'text/plain' }],
      },
      idempotencyKey: randomUUID(),
    })
    expect(sent).toMatchObject({ status: 200, body: { ok: true, data: { refused: [] } } })
    const messages = await stack.inbox.messages()
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({
      messageId: sent.body.data.messageId,
      to: ['ada@example.com', 'jörg@exämple.de'],
      cc: ['c@example.com'],
      bcc: ['b@example.com'],
      subject: 'Prüfung ✓',
      html: expect.stringContaining('<p>At ten.</p>'),
    })
    expect(messages[0]?.text?.trimEnd()).toBe(mail.body)
    expect(messages[0]?.from).toContain('sender@example.com')
    expect(messages[0]?.attachments).toHaveLength(1)
  })

  it('sends ten megabytes of files, also where the call needs a repair', async () => {
    const file = Buffer.alloc(5 * 1024 * 1024, 'askback')
    const content = file.toString('base64')
    const attachments = ['a.bin', 'b.bin'].map((filename) => ({ filename, content, encoding: 'base64' }))
    const answer = await call({ action: 'send_email', params: { ...mail, to: mail.to[0], attachments } })
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    const [received] = await stack.inbox.messages()
    expect(received?.attachments.map(({ size }) => size)).toEqual([file.length, file.length])
  })

  it('sends one mail for one key, also when it is delivered many times at once', async () => {
    const request = { action: 'send_email', params: mail, idempotencyKey: randomUUID() }
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(request)))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({
      status: 200,
      body: { ok: true, data: { accepted: ['ada@example.com'] } },
    })
    expect(await stack.inbox.messages()).toHaveLength(1)
    expect(await rowsOf(request.idempotencyKey)).toMatchObject([
      { status: 'succeeded', tool_name: 'smtp_send_email' },
    ])
  })

  it('sends one mail when the answer is lost and the call is repeated', async () => {
    const request = { action: 'send_email', params: mail, idempotencyKey: randomUUID() }
    const lost = new AbortController()
    const first = fetch(`${stack.url}/functions/v1/smtp-api`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: lost.signal,
    }).catch((error: Error) => error.name)
    while (
      (await stack.inbox.messages()).length === 0 &&
      (await rowsOf(request.idempotencyKey)).length === 0
    );
    lost.abort()
    await first
    expect(await call(request)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await stack.inbox.messages()).toHaveLength(1)
  })

  it('sends two mails for two keys, and for none at all', async () => {
    for (const key of [randomUUID(), randomUUID(), undefined, undefined]) {
      expect((await call({ action: 'send_email', params: mail, idempotencyKey: key })).body.ok).toBe(true)
    }
    const ids = (await stack.inbox.messages()).map(({ messageId }) => messageId)
    expect(new Set(ids).size).toBe(4)
  })

  it('refuses a key that was used for another mail', async () => {
    const idempotencyKey = randomUUID()
    await call({ action: 'send_email', params: mail, idempotencyKey })
    const other = await call({
      action: 'send_email',
      params: { ...mail, to: ['eve@example.com'] },
      idempotencyKey,
    })
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_reused' } } })
    expect(await stack.inbox.messages()).toHaveLength(1)
  })

  it('keeps the keys of users apart', async () => {
    const other = await signUp(stack)
    await connectSmtp(stack, other.id)
    const request = { action: 'send_email', params: mail, idempotencyKey: randomUUID() }
    const [mine, theirs] = [await call(request), await call(request, other.token)]
    expect(mine.body.data.messageId).not.toBe(theirs.body.data.messageId)
    expect(await stack.inbox.messages()).toHaveLength(2)
  })

  it('sends in the name of a user whom another function vouches for, only that mail and only once', async () => {
    const { functionSecret } = readKeys(stack.dataDirectory)
    const vouched = { subject: user.id, run: randomUUID(), tool: 'smtp_send_email' }
    const key = randomUUID()
    const hash = await argumentHash(mail)
    const ticket = await signTicket({ ...vouched, argumentHash: hash, idempotencyKey: key }, functionSecret)
    const post = async (params: object, idempotencyKey: string | undefined = key) => {
      const response = await fetch(`${stack.url}/functions/v1/smtp-api`, {
        method: 'POST',
        headers: { [ticketHeader]: ticket, 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'send_email', params, idempotencyKey }),
      })
      return { status: response.status, body: await response.json() }
    }
    expect(await post(mail)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await post({ ...mail, to: ['eve@example.com'] })).toMatchObject({ status: 401 })
    // Whoever has captured the ticket may repeat the call, which sends nothing more.
    expect(await post(mail)).toMatchObject({ status: 200, body: { ok: true } })
    for (const other of [randomUUID(), '']) expect((await post(mail, other)).status).toBeGreaterThan(399)
    expect((await stack.inbox.messages()).map(({ to }) => to)).toEqual([mail.to])
  })

  it('asks for what is missing and sends nothing', async () => {
    const answer = await call({ action: 'send_email', params: { subject: 'Meeting', body: 'At ten.' } })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ok: false,
        errorType: 'missing_parameter',
        details: { parameter: 'to' },
      },
    })
    expect(await stack.inbox.messages()).toEqual([])
  })
})

describe('the connection', () => {
  it('is asked for where a user has none', async () => {
    const newcomer = await signUp(stack)
    for (const request of [{ action: 'send_email', params: mail }, { action: 'test_connection' }]) {
      const answer = await call(request, newcomer.token)
      expect(answer).toMatchObject({
        status: 200,
        body: { ok: false, errorType: 'not_configured', resolver: 'user' },
      })
      expect(answer.body.error).toMatch(/^Question: Your SMTP service needs to be set up\. Please /)
    }
  })

  it('is tested without sending anything', async () => {
    const answer = await call({ action: 'test_connection', params: {} })
    expect(answer.body).toMatchObject({
      ok: true,
      data: { works: true, host: '127.0.0.1', security: 'starttls' },
    })
    expect(JSON.stringify(answer.body)).not.toContain(stack.smtp.password)
    expect(await stack.inbox.messages()).toEqual([])
  })

  it('shows as failed after a refused password, and as working again when it works', async () => {
    const somebody = await signUp(stack)
    await connectSmtp(stack, somebody.id, { password: 'not the password' })
    const answer = await call({ action: 'send_email', params: mail }, somebody.token)
    expect(answer.body).toMatchObject({ ok: false, errorType: 'authentication_error', resolver: 'user' })
    expect(JSON.stringify(answer.body)).not.toContain('not the password')
    const statusOf = (id: string) =>
      withDatabase(
        stack,
        (sql) => sql`select status, last_error from askback.connections where user_id = ${id}`,
      )
    expect(await statusOf(somebody.id)).toMatchObject([{ status: 'failed', last_error: answer.body.error }])
    await withDatabase(
      stack,
      (sql) => sql`update askback.connections set status = 'failed' where user_id = ${user.id}`,
    )
    await call({ action: 'test_connection' })
    expect(await statusOf(user.id)).toMatchObject([{ status: 'connected' }])
  })

  it('is reported as corrupted when its secret was overwritten or belongs to somebody else', async () => {
    const victim = await signUp(stack)
    await connectSmtp(stack, victim.id)
    const thief = await signUp(stack)
    await connectSmtp(stack, thief.id)
    await withDatabase(
      stack,
      (sql) => sql`
        update askback.connection_secrets mine set ciphertext = theirs.ciphertext
        from askback.connection_secrets theirs, askback.connections c, askback.connections d
        where c.id = mine.connection_id and c.user_id = ${thief.id} and d.id = theirs.connection_id and d.user_id = ${victim.id}`,
    )
    const stolen = await call({ action: 'send_email', params: mail }, thief.token)
    expect(stolen.body.error).toBe(
      'Question: Your SMTP password appears to be corrupted. Please delete and re-add your SMTP password in the integration settings.',
    )
    expect((await call({ action: 'send_email', params: mail }, victim.token)).body.ok).toBe(true)
    await withDatabase(
      stack,
      (sql) => sql`
        update askback.connection_secrets set ciphertext = gen_random_uuid()::text
        where connection_id in (select id from askback.connections where user_id = ${victim.id})`,
    )
    expect((await call({ action: 'test_connection' }, victim.token)).body.error).toMatch(
      /appears to be corrupted/,
    )
  })
})

it('never writes a password anywhere: not into rows, answers or logs', async () => {
  const dump = await withDatabase(
    stack,
    (sql) =>
      sql`select (select json_agg(t) from askback.tool_executions t) as executions, (select json_agg(s) from askback.connection_secrets s) as secrets, (select json_agg(c) from askback.connections c) as connections`,
  )
  expect(JSON.stringify(dump)).not.toContain(stack.smtp.password)
  expect(stack.output()).not.toContain(stack.smtp.password)
})
