import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { routes } from '../../shared/api/routes.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { chatUser, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { equipUser, mail, request, requestsOf } from '../../support/equipped-user.ts'
import { lockUntilReleased } from '../../support/locked-rows.ts'
import { callTool, say } from '../../support/model-server.ts'
import { withClaims } from '../../support/other-app.ts'
import { pidOf } from '../../support/pid-of.ts'
import { useStarted } from '../../support/use-started.ts'

// What a project can ask of everybody's account, by the settings of its functions.

const chat = useStarted(() => startChatStack({ ASKBACK_ANONYMOUS: 'no', ASKBACK_REQUIRE_AAL2: 'yes' }))

const withFactor = async (user: { id: string; email: string; token: string }) => {
  const { jwtSecret } = readKeys(chat.stack.dataDirectory)
  return chatUser(chat.stack, { ...user, token: await withClaims(user.token, jwtSecret, { aal: 'aal2' }) })
}

it('a second factor is required for whatever decides, grants, connects, makes tokens or deletes', async () => {
  const equipped = await equipUser(chat, withFactor)
  const { user, item } = equipped
  const requests = requestsOf(equipped)
  const refused: string[] = []
  for (const { method, path, caller } of routes) {
    if (caller === 'anybody' || caller === 'clock') continue
    const name = `${method} ${path}`
    const { status, code } = await request(
      chat.stack,
      user,
      method,
      requests[name]?.path ?? path,
      requests[name]?.body,
    )
    if (code !== 'second_factor_required') continue
    expect(status, name).toBe(403)
    refused.push(name)
  }
  expect(refused.toSorted()).toEqual([
    'DELETE /chat/conversations/:id',
    'DELETE /chat/operator/functions/:name',
    'DELETE /integration-settings/account',
    'DELETE /integration-settings/connections/:id',
    'PATCH /chat/operator/tools/:name',
    'PATCH /chat/schedules/:id',
    'PATCH /integration-settings/connections/:id',
    'PATCH /integration-settings/mcp-grants/:id',
    'PATCH /integration-settings/servers/:id',
    'POST /chat/:id/answer',
    'POST /chat/:id/approval',
    'POST /chat/:id/skip',
    'POST /chat/open/approvals/:itemId',
    'POST /chat/operator/runs/:id/stop',
    'POST /chat/permissions',
    'POST /chat/schedules',
    'POST /integration-settings/connections',
    'POST /integration-settings/mcp-grants',
    'POST /integration-settings/oauth/complete',
    'POST /integration-settings/oauth/start',
    'POST /integration-settings/servers',
    'POST /integration-settings/servers/:id/accept',
    'POST /integration-settings/tokens',
    'PUT /chat/operator/functions/:name',
    'PUT /chat/operator/limits',
  ])
  const approved = await (await withFactor(user)).post(decisionOn(item, 'approve'), { path: '/c/approval' })
  expect(approved.answer).toMatchObject({ status: 'completed' })
})

it('a link that decides is made with it, and one that does not decide is decided with it', async () => {
  const { user, item } = await equipUser(chat, withFactor)
  const path = `/open/${item.itemId}/link`
  expect(await user.send('POST', path, { decides: true })).toMatchObject({
    status: 403,
    body: { error: { code: 'second_factor_required' } },
  })
  expect((await (await withFactor(user)).send('POST', path, { decides: true })).status).toBe(201)
  const made = await user.send('POST', path)
  const { url } = (made.body as { link: { url: string } }).link
  const headers = { 'x-askback-link': new URL(url).hash.slice(1) }
  const decide = (who: typeof user) => who.post({ decision: 'approve' }, { path: '/open/linked', headers })
  expect(await decide(user)).toMatchObject({ status: 403, error: { code: 'second_factor_required' } })
  expect((await decide(await withFactor(user))).status).toBe(200)
})

it('an approval in a message of the AI SDK needs it, too, and so does a write that no run has claimed', async () => {
  const { user, item } = await equipUser(chat, withFactor)
  await chat.stack.inbox.clear()
  const part = {
    type: 'dynamic-tool',
    toolName: 'smtp_send_email',
    toolCallId: item.toolCallId,
    state: 'approval-responded',
    input: mail,
    approval: { id: item.approvalId, approved: true },
  }
  const message = { id: item.messageId, role: 'assistant', parts: [part] }
  const body = { id: 'c', messages: [message], trigger: 'submit-message', messageId: item.messageId }
  expect(await request(chat.stack, user, 'POST', '/chat', body)).toMatchObject({
    status: 403,
    code: 'second_factor_required',
  })
  const write = { action: 'send_email', params: mail }
  expect(await request(chat.stack, user, 'POST', '/smtp-api', write)).toMatchObject({
    status: 403,
    code: 'second_factor_required',
  })
  expect(await chat.stack.inbox.messages()).toEqual([])
  const proven = await withFactor(user)
  expect((await request(chat.stack, proven, 'POST', '/smtp-api', write)).json).toMatchObject({ ok: true })
  expect((await request(chat.stack, proven, 'POST', '/chat', body)).status).toBe(200)
  expect(await chat.stack.inbox.messages()).toHaveLength(2)
})

it('a call that needs no approval is made without it: nobody decides anything', async () => {
  const { user, ids } = await equipUser(chat, withFactor)
  await withDatabase(
    chat.stack,
    (sql) =>
      sql`update askback.agent_tool_permissions set approval = 'never' where agent_id = ${ids.agent} and tool_name = 'smtp_send_email'`,
  )
  await chat.stack.inbox.clear()
  chat.model.use([callTool('smtp_send_email', { ...mail, subject: 'Again' }), say('Sent.')])
  const { answer } = await user.post({ id: randomUUID(), message: 'Write to ada@example.com again' })
  expect(answer).toMatchObject({ status: 'completed' })
  expect(await chat.stack.inbox.messages()).toHaveLength(1)
})

it('an anonymous account is refused until it has an address', async () => {
  const user = await signUp(chat.stack)
  const isAnonymous = (is: boolean) =>
    withDatabase(chat.stack, (sql) => sql`update auth.users set is_anonymous = ${is} where id = ${user.id}`)
  const open = () => request(chat.stack, user, 'GET', '/chat/open')
  await isAnonymous(true)
  expect(await open()).toMatchObject({ status: 403, code: 'anonymous_refused' })
  expect((await user.post({ message: 'Hello' })).error?.code).toBe('anonymous_refused')
  await isAnonymous(false)
  expect((await open()).status).toBe(200)
})

/** A function as if it had never run with these settings. */
async function forgetRules(name: string): Promise<void> {
  process.kill(pidOf(chat.stack.pids(), name), 'SIGKILL')
  await expect.poll(() => chat.stack.pids()[name]).toBeUndefined()
  await withDatabase(
    chat.stack,
    (sql) => sql`update askback.rules set anonymous = true, require_aal2 = false`,
  )
}

it('a process answers nothing before the rules that it has are stored', async () => {
  const admin = postgres(chat.stack.adminUrl, { max: 1, onnotice: () => {} })
  const user = await signUp(chat.stack)
  await admin`update auth.users set is_anonymous = true where id = ${user.id}`
  const open = () => request(chat.stack, user, 'GET', '/chat/open')
  expect((await open()).code).toBe('anonymous_refused')
  await forgetRules('chat')
  const lock = await lockUntilReleased(admin, (sql) => sql`select 1 from askback.rules for update`)
  expect(await open()).toMatchObject({ status: 503, code: 'database_busy' })
  await lock.release()
  expect(await open()).toMatchObject({ status: 403, code: 'anonymous_refused' })
  await admin.end()
})

it('nor does the function of a tool write anything before', async () => {
  const { user } = await equipUser(chat, withFactor)
  const write = () => request(chat.stack, user, 'POST', '/smtp-api', { action: 'send_email', params: mail })
  expect((await write()).code).toBe('second_factor_required')
  await forgetRules('smtp-api')
  expect((await write()).code).toBe('second_factor_required')
})
