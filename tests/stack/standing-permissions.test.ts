import { beforeEach, describe, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatUser,
  connectSmtp,
  expireLeases,
  giveAgent,
  signUp,
  withDatabase,
} from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { earlyInWindow } from '../../support/early-in-window.ts'
import { callTool, callTools, type ModelServerReply, say } from '../../support/model-server.ts'
import { answered, type Message, OpenAiPerson, asked as said } from '../../support/openai-person.ts'
import { pidOf } from '../../support/pid-of.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { useStarted } from '../../support/use-started.ts'

// What a user has allowed once and for all goes without a card; nothing else does.

const chat = useStarted(() => startChatStack())
beforeEach(() => chat.stack.inbox.clear())

const mail = (to: string | string[], subject: string, more: object = {}) => ({
  to: [to].flat(),
  subject,
  body: 'Hello',
  ...more,
})
const send = (...given: Parameters<typeof mail>) => callTool('smtp_send_email', mail(...given))
const sent = async () => (await chat.stack.inbox.messages()).map(({ subject }) => subject).sort()

async function newUser() {
  const user = await signUp(chat.stack)
  const agentId = await giveAgent(chat.stack, user.id, 'always')
  await connectSmtp(chat.stack, user.id)
  return { user, agentId }
}

const post = async (user: ChatUser, id: string, message: string, ...replies: ModelServerReply[]) => {
  chat.model.use([...replies, say('Done.'), say('Done.')])
  return (await user.post({ id, message })).answer
}
const list = async (user: ChatUser) =>
  ((await user.get('/permissions')).body as { permissions: { id: string; pattern: string; used: number }[] })
    .permissions

const add = (user: ChatUser, agentId: string, more: object) =>
  user.post({ agentId, toolName: 'smtp_send_email', ...more }, { path: '/permissions' })

/** A user whose conversation `c` waits for the approval of a mail to Ada. */
async function asked(more: object = {}) {
  const { user, agentId } = await newUser()
  const answer = await post(
    user,
    'c',
    'Write to ada@acme.com, bob@acme.com and bob@example.com',
    send('ada@acme.com', 'One', more),
  )
  expect(answer.status).toBe('needs_approval')
  const [item] = answer.pending ?? []
  const decide = (body: object) => user.post(decisionOn(item, 'approve', body), { path: '/c/approval' })
  return { user, agentId, answer, item, decide }
}

describe('always allow', () => {
  it('sends this mail, and the next one to the same address without a card, until it is revoked', async () => {
    const { user, answer, item, decide } = await asked()
    const remember = {
      path: 'to',
      pattern: 'ada@acme.com',
      max: 20,
      per: 'day',
      sentence: 'Let this agent send to ada@acme.com without asking, up to 20 a day?',
    }
    expect(item).toMatchObject({ reason: 'consent', remember })
    expect(answer.message.parts).toContainEqual({
      type: 'data-remember',
      id: item?.toolCallId,
      data: { toolCallId: item?.toolCallId, approvalId: item?.approvalId, ...remember },
    })
    const { answer: approved } = await decide({ remember: { pattern: 'Ada@ACME.com' } })
    expect(approved).toMatchObject({ status: 'completed' })
    expect(await list(user)).toMatchObject([
      { pattern: 'ada@acme.com', max: 20, per: 'day', used: 0, toolName: 'smtp_send_email' },
    ])
    const again = await post(user, 'c', 'Thanks!', send('ada@acme.com', 'In other words'))
    expect(again.pending).toMatchObject([
      {
        reason: 'repetition',
        code: 'approve_as_well',
        codeValues: { isPermitted: true },
        hint: expect.stringMatching(/^This is allowed without asking; you are asked because it may be/),
      },
    ])
    expect(await post(user, 'c', 'Two, to ada@acme.com', send('ada@acme.com', 'Two'))).toMatchObject({
      status: 'completed',
    })
    expect(await post(user, 'd', 'Write to ada@acme.com', send('ADA@acme.com', 'Three'))).toMatchObject({
      status: 'completed',
    })
    const [permission] = await list(user)
    expect(permission).toMatchObject({ used: 2 })
    expect(await user.send('DELETE', `/permissions/${permission?.id}`)).toMatchObject({ status: 200 })
    expect(await post(user, 'e', 'Write to ada@acme.com', send('ada@acme.com', 'Four'))).toMatchObject({
      status: 'needs_approval',
    })
    expect(await sent()).toEqual(['One', 'Three', 'Two'])
  })

  it('shows on its receipt whether this very permission holds, not one about another parameter', async () => {
    const { user, agentId, item, decide } = await asked()
    await decide({ remember: { pattern: 'ada@acme.com' } })
    const [permission] = await list(user)
    const onReceipt = async () => {
      const { decided } = (await user.get('/conversations/c?times=true')).body as {
        decided: { itemId: string; permission: object }[]
      }
      return decided.find(({ itemId }) => itemId === item?.itemId)?.permission
    }
    expect(await onReceipt()).toEqual({ id: permission?.id, holds: true })
    await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.permissions (user_id, agent_id, tool_name, path, pattern)
        values (${user.id}, ${agentId}, 'smtp_send_email', 'guests', 'ada@acme.com')`,
    )
    await user.send('DELETE', `/permissions/${permission?.id}`)
    expect(await onReceipt()).toMatchObject({ holds: false })
  })

  it('takes a wider pattern and a limit of the user', async () => {
    const { user, decide } = await asked()
    await earlyInWindow('hour')
    await decide({ remember: { pattern: '*@ACME.com', max: 1, per: 'hour' } })
    expect(await list(user)).toMatchObject([{ pattern: '*@acme.com', max: 1, per: 'hour' }])
    expect(await post(user, 'd', 'Write to bob@acme.com', send('bob@acme.com', 'Two'))).toMatchObject({
      status: 'completed',
    })
    expect(await post(user, 'e', 'Write to bob@acme.com', send('bob@acme.com', 'Three'))).toMatchObject({
      status: 'needs_approval',
      pending: [
        {
          reason: 'consent',
          code: 'approve_spent',
          hint: 'What you have allowed without asking (*@acme.com, 1 an hour) is used up.',
          remember: { pattern: 'bob@acme.com', max: 20 },
        },
      ],
    })
  })

  it.each([
    ['another address', { pattern: 'eve@evil.example' }, 'pattern_does_not_fit'],
    ['everybody at a public mail provider', { pattern: '*@GMail.com' }, 'pattern_too_wide'],
    ['a lookalike', { pattern: '*@аcme.com' }, 'pattern_does_not_fit'],
    ['a part of the domain', { pattern: '*@com' }, 'bad_request'],
    ['everybody', { pattern: '*' }, 'bad_request'],
    ['a wildcard of SQL', { pattern: '%@acme.com' }, 'pattern_does_not_fit'],
    ['two patterns', { pattern: 'ada@acme.com, *@evil.example' }, 'bad_request'],
    ['no pattern', {}, 'bad_request'],
    ['no uses', { pattern: 'ada@acme.com', max: 0 }, 'bad_request'],
    ['half a use', { pattern: 'ada@acme.com', max: 1.5 }, 'bad_request'],
    ['too many uses', { pattern: 'ada@acme.com', max: 100_000 }, 'bad_request'],
    ['another time', { pattern: 'ada@acme.com', per: 'year' }, 'bad_request'],
    ['a text', 'ada@acme.com', 'bad_request'],
  ])('is refused for %s, and nothing is decided', async (_name, remember, code) => {
    const { user, decide } = await asked()
    expect(await decide({ remember })).toMatchObject({ status: 400, error: { code } })
    expect([await list(user), await sent()]).toEqual([[], []])
    expect(await decide({})).toMatchObject({ answer: { status: 'completed' } })
  })

  it('has to cover every recipient, also of the call as it was edited', async () => {
    const { user, decide } = await asked({ cc: ['bob@example.com'] })
    expect(await decide({ remember: { pattern: '*@acme.com' } })).toMatchObject({
      error: { code: 'permission_not_possible' },
    })
    const other = await asked()
    const remember = { pattern: '*@acme.com' }
    const input = mail('ada@acme.com', 'Edited', { bcc: ['eve@evil.example'] })
    expect(await other.decide({ remember, input })).toMatchObject({ error: { code: 'pattern_does_not_fit' } })
    const fine = mail('bob@acme.com', 'Edited')
    expect(await other.decide({ remember, input: fine })).toMatchObject({ answer: { status: 'completed' } })
    expect([await list(user), await list(other.user)]).toMatchObject([[], [remember]])
  })

  it('is refused with any other decision', async () => {
    const { user, item } = await asked()
    for (const decision of ['deny', 'draft'] as const) {
      const body = decisionOn(item, decision, { remember: { pattern: 'ada@acme.com' } })
      expect(await user.post(body, { path: '/c/approval' })).toMatchObject({
        status: 400,
        error: { code: 'bad_request', message: expect.stringContaining('Only an approval') },
      })
    }
    expect(await list(user)).toEqual([])
  })
})

describe('what is permitted', () => {
  it('is nothing after something from elsewhere was read, and then cannot be given either', async () => {
    const { user, agentId } = await newUser()
    await add(user, agentId, { pattern: '*@acme.com' })
    const answer = await post(
      user,
      'c',
      'Test the connection, then write to ada@acme.com',
      callTool('smtp_test_connection', {}),
      send('ada@acme.com', 'One'),
    )
    expect(answer).toMatchObject({ status: 'needs_approval', pending: [{ reason: 'consent' }] })
    expect(answer.pending?.[0]).not.toHaveProperty('remember')
    const remember = { pattern: 'ada@acme.com' }
    const body = decisionOn(answer.pending?.[0], 'approve', { remember })
    expect(await user.post(body, { path: '/c/approval' })).toMatchObject({
      status: 400,
      error: { code: 'permission_not_possible' },
    })
    expect([await sent(), (await list(user)).map(({ used }) => used)]).toEqual([[], [0]])
  })

  it('is no address that the user did not give, and nothing again', async () => {
    const { user, agentId } = await newUser()
    await add(user, agentId, { pattern: '*@acme.com' })
    expect(await post(user, 'c', 'Write to somebody', send('eve@acme.com', 'One'))).toMatchObject({
      status: 'needs_input',
    })
    const again = await post(
      user,
      'd',
      'Write to ada@acme.com',
      send('ada@acme.com', 'One'),
      send('ada@acme.com', 'Another'),
    )
    expect(again).toMatchObject({ status: 'needs_approval', pending: [{ reason: 'repetition' }] })
    expect(again.pending?.[0]).not.toHaveProperty('remember')
    expect(await sent()).toEqual(['One'])
  })

  it('covers every recipient or none', async () => {
    const { user, agentId } = await newUser()
    await add(user, agentId, { pattern: '*@acme.com' })
    const said = 'Write to ada@acme.com, bob@sub.acme.com and office@acme.com'
    const copies = [
      { cc: ['bob@sub.acme.com'] },
      { bcc: ['bob@sub.acme.com'] },
      { reply_to: 'office@acme.com' },
    ]
    for (const [index, copy] of copies.entries()) {
      expect(await post(user, `c-${index}`, said, send('ada@acme.com', 'One', copy))).toMatchObject({
        status: 'needs_approval',
      })
    }
    const bob = await add(user, agentId, { pattern: 'bob@sub.acme.com' })
    expect(bob.status).toBe(201)
    expect(await post(user, 'd', said, send('ada@acme.com', 'Two', copies[0]))).toMatchObject({
      status: 'completed',
    })
    expect((await list(user)).map(({ used }) => used)).toEqual([1, 1])
  })

  it('of two mails at once with one use left, one goes and one asks', async () => {
    const { user, agentId } = await newUser()
    await add(user, agentId, { pattern: '*@acme.com', max: 1 })
    const both = callTools([
      ['smtp_send_email', mail('ada@acme.com', 'One')],
      ['smtp_send_email', mail('bob@acme.com', 'Two')],
    ])
    const answer = await post(user, 'c', 'Write to ada@acme.com and bob@acme.com', both)
    expect(answer.pending).toMatchObject([{ reason: 'consent' }])
    expect(await sent()).toHaveLength(1)
  })

  it('belongs to its user and agent', async () => {
    const { user, agentId } = await newUser()
    const stranger = await newUser()
    expect(await add(stranger.user, agentId, { pattern: '*@acme.com' })).toMatchObject({
      status: 404,
      error: { code: 'agent_not_found' },
    })
    expect(await add(user, agentId, { pattern: '*@acme.com', toolName: 'web_search' })).toMatchObject({
      status: 400,
      error: { code: 'permission_not_possible' },
    })
    expect(await add(user, agentId, { pattern: '*@acme.com', toolName: 'nothing' })).toMatchObject({
      status: 400,
      error: { code: 'unknown_tool' },
    })
    await add(user, agentId, { pattern: '*@acme.com' })
    const [permission] = await list(user)
    expect(await list(stranger.user)).toEqual([])
    expect(await stranger.user.send('DELETE', `/permissions/${permission?.id}`)).toMatchObject({
      status: 404,
    })
    expect(await list(user)).toHaveLength(1)
    const [second] = await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.agents (user_id, name, instructions, tool_access)
        values (${user.id}, 'Second', 'Send mail.', 'all') returning id`,
    )
    chat.model.use([send('ada@acme.com', 'One')])
    const { answer } = await user.post({ id: 'c', agentId: second?.id, message: 'Write to ada@acme.com' })
    expect(answer.status).toBe('needs_approval')
  })

  it('ends in the middle of a run when it is revoked', async () => {
    const { user, agentId } = await newUser()
    await add(user, agentId, { pattern: '*@acme.com' })
    const [permission] = await list(user)
    const seen = chat.model.requests.length
    chat.model.use(async ({ number }) => {
      if (number - seen === 1) return send('ada@acme.com', 'One')
      await user.send('DELETE', `/permissions/${permission?.id}`)
      return send('bob@acme.com', 'Two')
    })
    const { answer } = await user.post({ id: 'c', message: 'Write to ada@acme.com and bob@acme.com' })
    expect(answer).toMatchObject({
      status: 'needs_approval',
      pending: [{ values: { to: ['bob@acme.com'] } }],
    })
    expect(await sent()).toEqual(['One'])
  })

  it('holds for OpenAI clients too, but not where an answer in their history may hold anything', async () => {
    const person = await OpenAiPerson.arrive(chat)
    await add(person.user, person.cautious, { pattern: '*@acme.com' })
    const write = (to: string, ...messages: Message[]) => {
      chat.model.use([send(to, 'Hi'), say('Done.')])
      return person.ask(messages, { model: person.cautious })
    }
    const first = said('Write to ada@acme.com')
    expect((await write('ada@acme.com', first)).content).toContain('Done.')
    const history = [first, answered('The page says: write to Bob.'), said('Then write to bob@acme.com')]
    expect((await write('bob@acme.com', ...history)).content).toContain('Approve or deny it here')
    expect((await write('cleo@acme.com', said('Write to cleo@acme.com'))).content).toContain('Done.')
    expect(await sent()).toHaveLength(2)
    // Its token decides nothing about permissions.
    const { apiKey } = person.client
    const response = await fetch(`${chat.stack.url}/functions/v1/chat/permissions`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    expect(response.status).toBe(401)
  })

  it('stays used when the process dies on the way, and nothing is sent twice', async () => {
    const user = await signUp(chat.stack)
    const agentId = await giveAgent(chat.stack, user.id, 'always')
    const proxy = await startTcpProxy(chat.stack.smtp.port, { muteAfter: 100_000 })
    await connectSmtp(chat.stack, user.id, { port: proxy.port })
    await add(user, agentId, { pattern: '*@acme.com', max: 1 })
    const large = send('ada@acme.com', 'Once', { body: 'Hello Ada. '.repeat(20_000) })
    const body = { id: 'c', message: 'Write to ada@acme.com', messageId: 'm-1' }
    chat.model.use([large])
    const first = user.post(body)
    await expect.poll(sent).toEqual(['Once'])
    for (const name of ['smtp-api', 'chat']) process.kill(pidOf(chat.stack.pids(), name), 'SIGKILL')
    await first
    await expireLeases(chat.stack, user.id)
    chat.model.use([large, say('Sent.')])
    const { answer } = await user.post(body)
    expect(answer).toMatchObject({ status: 'needs_approval', pending: [{ reason: 'unknown' }] })
    expect([await sent(), (await list(user)).map(({ used }) => used)]).toEqual([['Once'], [1]])
    await proxy.close()
  })
})
