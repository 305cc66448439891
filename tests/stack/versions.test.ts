import { afterEach, expect, it } from 'vitest'
import { schemaVersion } from '../../shared/server/version.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, say } from '../../support/model-server.ts'
import { becomeVersion } from '../../support/schema-version.ts'
import { useStarted } from '../../support/use-started.ts'

// The database is upgraded while functions of the version before are deployed, and once more after that.

const chat = useStarted(() => startChatStack())
afterEach(() => upgradeTo(schemaVersion))

const upgradeTo = (version: number) => withDatabase(chat.stack, (sql) => becomeVersion(sql, version))
const call = callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' })
const post = { id: 'c', message: 'Say hello to ada@example.com', messageId: 'm-1' }
const mails = () => chat.stack.inbox.messages()

async function newUser(approval: 'always' | 'never'): Promise<ChatUser> {
  await chat.stack.inbox.clear()
  return await signUpWithMail(chat.stack, approval)
}

it('works on after the database was upgraded once', async () => {
  const user = await newUser('always')
  await upgradeTo(schemaVersion + 1)
  chat.model.use([call, say('Sent.')])
  const { answer } = await user.post(post)
  const decision = decisionOn(answer.pending?.[0], 'approve')
  expect((await user.post(decision, { path: '/c/approval' })).answer.text).toBe('Sent.')
  expect(await mails()).toHaveLength(1)
})

it('refuses with a sentence after the second upgrade, stores nothing, and the same requests work once it is deployed', async () => {
  const user = await newUser('always')
  const created = await fetch(`${chat.stack.url}/functions/v1/integration-settings/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Open WebUI' }),
  })
  const { token } = await created.json()
  const { data: agents } = await (
    await fetch(`${chat.stack.url}/functions/v1/chat/v1/models`, {
      headers: { authorization: `Bearer ${token.value}` },
    })
  ).json()
  chat.model.use([call])
  const { answer } = await user.post({ ...post, id: 'before' })
  const decision = decisionOn(answer.pending?.[0], 'approve')
  const before = await user.get('/conversations')

  await upgradeTo(schemaVersion + 2)
  const refusal = {
    code: 'version_not_accepted',
    message: 'The assistant is being updated. Send the message again in a minute.',
  }
  expect(await user.post(post)).toMatchObject({ status: 503, error: refusal })
  expect(await user.post(decision, { path: '/before/approval' })).toMatchObject({
    status: 503,
    error: refusal,
  })
  const url = `${chat.stack.url}/functions/v1/chat`
  const streamed = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      id: 'streamed',
      messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: post.message }] }],
      trigger: 'submit-message',
    }),
  })
  expect([streamed.status, await streamed.text(), streamed.headers.get('x-askback-error')]).toEqual([
    503,
    refusal.message,
    refusal.code,
  ])
  const completion = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: agents[0].id, messages: [{ role: 'user', content: post.message }] }),
  })
  expect([completion.status, await completion.json()]).toMatchObject([503, { error: refusal }])
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'unavailable' })
  expect(await user.get('/conversations')).toEqual(before)
  expect(await mails()).toEqual([])

  await upgradeTo(schemaVersion)
  chat.model.use([say('Sent.'), say('Hello.')])
  expect((await user.post(decision, { path: '/before/approval' })).answer.text).toBe('Sent.')
  expect((await user.post(post)).answer.text).toBe('Hello.')
  expect(await mails()).toHaveLength(1)
})

it('sends nothing that it may no longer claim, and goes on with the same POST', async () => {
  const user = await newUser('never')
  chat.model.use(async () => {
    await upgradeTo(schemaVersion + 2)
    return call
  })
  expect(await user.post(post)).toMatchObject({ status: 503, error: { code: 'version_not_accepted' } })
  expect(await mails()).toEqual([])

  await upgradeTo(schemaVersion)
  chat.model.use([call, say('Sent.')])
  const { answer } = await user.post(post)
  expect([answer.status, answer.text]).toEqual(['completed', 'Sent.'])
  expect(await mails()).toHaveLength(1)
})
