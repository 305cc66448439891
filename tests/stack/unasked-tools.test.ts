import { expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

// What agents write without asking is listed with its uses, marked in its conversation, and can be taken back.

const chat = useStarted(() => startChatStack())

const nobody = '00000000-0000-4000-8000-000000000000'

async function newUser(approval: 'always' | 'never') {
  const user = await signUp(chat.stack)
  const agentId = await giveAgent(chat.stack, user.id, approval)
  await connectSmtp(chat.stack, user.id)
  return { user, agentId }
}

/** Has a mail written in a conversation of its own. */
async function write(user: ChatUser, id: string) {
  const to = `${id}@example.com`
  chat.model.use([callTool('smtp_send_email', { to: [to], subject: id, body: 'Hello' }), say('Done.')])
  return (await user.post({ id, message: `Write to ${to}` })).answer
}

const list = async (user: ChatUser) => {
  const { body } = await user.get('/unasked-tools')
  return (body as { tools: { agentId: string; toolName: string; since: string | null; used: number }[] })
    .tools
}
const mailOf = async (user: ChatUser) =>
  (await list(user)).find(({ toolName }) => toolName === 'smtp_send_email')
/** What the message says of its call. */
const factsIn = ({ message }: { message: { parts: readonly object[] } }) =>
  message.parts.flatMap((part) => ('type' in part && part.type === 'data-call' ? [part] : []))

it('is counted, marked, and asks first once its user says so', async () => {
  const { user, agentId } = await newUser('never')
  expect(await mailOf(user)).toEqual({
    agentId,
    toolName: 'smtp_send_email',
    since: expect.any(String),
    used: 0,
    lastUsedAt: null,
  })
  const answer = await write(user, 'ada')
  expect(answer.status).toBe('completed')
  expect(factsIn(answer)).toMatchObject([{ data: { past: 'sent', unasked: true } }])
  expect(await mailOf(user)).toMatchObject({ used: 1, lastUsedAt: expect.any(String) })

  const place = `/unasked-tools/${agentId}/smtp_send_email`
  expect(await user.send('DELETE', place)).toEqual({ status: 200, body: { deleted: 'smtp_send_email' } })
  expect(await mailOf(user)).toBeUndefined()
  expect(await user.send('DELETE', place)).toMatchObject({ status: 200 })
  expect(await write(user, 'bob')).toMatchObject({ status: 'needs_approval' })
})

it('says nothing of a write that was approved, and of a permission how often it was used in all', async () => {
  const { user } = await newUser('always')
  const asked = await write(user, 'ada')
  chat.model.use([say('Done.')])
  const remember = { pattern: '*@example.com' }
  const decision = decisionOn(asked.pending?.[0], 'approve', { remember })
  const { answer } = await user.post(decision, { path: '/ada/approval' })
  expect(answer.status).toBe('completed')
  const [facts] = factsIn(answer)
  expect(facts).toMatchObject({ data: { past: 'sent' } })
  expect(facts).not.toHaveProperty('data.unasked')
  const permitted = await write(user, 'bob')
  expect(factsIn(permitted)).toMatchObject([{ data: { unasked: true } }])
  expect((await user.get('/permissions')).body).toMatchObject({ permissions: [{ used: 1, total: 1 }] })
  expect(await mailOf(user)).toBeUndefined()
})

it('lists what never asks by its own rule, too, and no tool that an agent may not use', async () => {
  const user = await signUp(chat.stack)
  chat.model.use([say('Hello.')])
  await user.post({ id: 'hello', message: 'Hello' })
  const own = await list(user)
  expect(own.length).toBeGreaterThan(0)
  expect(own.every(({ since }) => since === null)).toBe(true)
  const { body } = await user.get('/tools')
  const { tools } = body as { tools: { name: string; effect: string; approval: string }[] }
  const unasking = tools.filter(({ effect, approval }) => effect === 'write' && approval === 'never')
  expect(own.map(({ toolName }) => toolName).sort()).toEqual(unasking.map(({ name }) => name).sort())
  const [first] = own
  await user.send('DELETE', `/unasked-tools/${first?.agentId}/${first?.toolName}`)
  expect(await list(user)).toEqual(own.slice(1))
})

it('is nobody else’s to change', async () => {
  const { agentId } = await newUser('never')
  const { user: stranger } = await newUser('never')
  const refused = async (agent: string, tool: string) =>
    (await stranger.send('DELETE', `/unasked-tools/${agent}/${tool}`)) as {
      status: number
      body: { error: { code: string } }
    }
  expect(await refused(agentId, 'smtp_send_email')).toMatchObject({
    status: 404,
    body: { error: { code: 'agent_not_found' } },
  })
  expect((await refused(nobody, 'smtp_send_email')).body.error.code).toBe('agent_not_found')
  expect((await refused(agentId, 'no_such_tool')).body.error.code).toBe('unknown_tool')
  expect((await refused('mine', 'smtp_send_email')).body.error.code).toBe('bad_request')
  expect((await list(stranger)).some((one) => one.agentId === agentId)).toBe(false)
})
