import { beforeEach, describe, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { gate } from '../../support/gate.ts'
import { acceptDefinition, addServer, removeServer } from '../../support/mcp-server-row.ts'
import { startToolServer } from '../../support/mcp-tool-server.ts'
import { callTool, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { useStarted } from '../../support/use-started.ts'

/** Tools of a server that others run, in chats: asked about, done once, and only as they were accepted. */

const done = { type: 'tool-tracker__create_issue', state: 'output-available' }

const text = { type: 'string' as const }
const createIssue = {
  name: 'create_issue',
  description: 'Opens an issue.',
  inputSchema: { type: 'object' as const, properties: { title: text }, required: ['title'] },
}
const findIssues = {
  name: 'find_issues',
  description: 'Finds issues.',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object' as const, properties: { query: text } },
}
const likeOurs = {
  name: 'smtp_send_email',
  description: 'Sends.',
  inputSchema: { type: 'object' as const, properties: { to: text } },
}

describe('a tool of a server', () => {
  const chat = useStarted(() => startChatStack())
  const served = useStarted(() => startToolServer([createIssue, findIssues, likeOurs]))
  const sql = <T>(use: Parameters<typeof withDatabase<T>>[1]) => withDatabase(chat.stack, use)
  beforeEach(() => {
    served.calls.length = 0
    served.answer(() => 'Done.')
  })

  async function newUser({ trusted = false, mayHavePrivate = false } = {}) {
    const user = await signUp(chat.stack)
    const agentId = await giveAgent(chat.stack, user.id, 'always')
    const { url, tools } = served
    const server = await sql((db) =>
      addServer(db, { userId: user.id, name: 'tracker', url, tools, trusted, mayHavePrivate }),
    )
    return { user, agentId, server }
  }
  type Answer = Awaited<ReturnType<ChatUser['post']>>['answer']
  const issue = callTool('tracker__create_issue', { title: 'Broken login' })
  async function ask(user: ChatUser, conversation: object = {}): Promise<Answer> {
    chat.model.use([issue, say('Opened.')])
    return (await user.post({ message: 'Open an issue "Broken login"', ...conversation })).answer
  }
  const approve = (user: ChatUser, { conversationId, pending }: Answer) => {
    chat.model.use(() => say('Opened.'))
    return user.post(decisionOn(pending?.[0], 'approve'), { path: `/${conversationId}/approval` })
  }
  const opened = [{ name: 'create_issue', arguments: { title: 'Broken login' } }]

  it('is asked about, and called once when it is approved', async () => {
    const { user } = await newUser()
    const asked = await ask(user)
    expect(asked).toMatchObject({
      status: 'needs_approval',
      pending: [{ type: 'approval', title: 'Create issue (tracker)' }],
    })
    expect(served.calls).toEqual([])
    const { answer } = await approve(user, asked)
    expect(answer).toMatchObject({ status: 'completed', text: 'Opened.' })
    expect(served.calls).toEqual(opened)
  })

  it('is called once when two tabs approve at the same time', async () => {
    const { user } = await newUser()
    const asked = await ask(user)
    const both = await Promise.all([approve(user, asked), approve(user, asked)])
    expect(both.map(({ status }) => status)).toContain(200)
    expect(served.calls).toEqual(opened)
  })

  it('is asked about again when its answer is lost, and not called again by itself', async () => {
    const { user } = await newUser()
    served.answer(() => 'cut')
    const asked = await ask(user)
    const { answer } = await approve(user, asked)
    expect(answer).toMatchObject({ status: 'needs_approval', pending: [{ reason: 'unknown' }] })
    expect(served.calls).toEqual(opened)
    served.answer(() => 'Done.')
    expect((await approve(user, answer)).answer).toMatchObject({ status: 'completed' })
    expect(served.calls).toEqual([...opened, ...opened])
  })

  it.each([
    ['mcp-client', { pending: [{ type: 'approval', reason: 'unknown' }] }],
    // What it called goes on, and is recorded.
    [
      'chat',
      { pending: [], messages: [{}, { parts: expect.arrayContaining([expect.objectContaining(done)]) }] },
    ],
  ])('is called once when the process of %s dies in the middle, and told of', async (name, told) => {
    const { user } = await newUser()
    const asked = await ask(user)
    const arrived = gate()
    const held = gate()
    served.answer(async () => {
      arrived.open()
      await held.opened
      return 'Done.'
    })
    const deciding = approve(user, asked)
    await arrived.opened
    process.kill(pidOf(chat.stack.pids(), name), 'SIGKILL')
    held.open()
    await deciding
    await expireLeases(chat.stack, user.id)
    const conversation = async () => (await user.get(`/conversations/${asked.conversationId}`)).body
    await expect.poll(conversation).toMatchObject(told)
    expect(served.calls).toEqual(opened)
  })

  it('is asked about anew when its definition was changed and accepted meanwhile', async () => {
    const { user, server } = await newUser()
    const asked = await ask(user)
    const [tool] = server.tools
    if (!tool) throw new Error('There is no tool.')
    await sql((db) =>
      acceptDefinition(db, server.id, { ...tool, description: 'Opens an issue for everybody.' }),
    )
    const { answer } = await approve(user, asked)
    expect(answer).toMatchObject({
      status: 'needs_approval',
      pending: [{ changed: [{ what: 'words' }] }],
    })
    expect(answer.pending?.[0]?.question).toContain('now describes this in other words')
    expect(served.calls).toEqual([])
    expect((await approve(user, answer)).answer).toMatchObject({ status: 'completed' })
    expect(served.calls).toEqual(opened)
  })

  it('is not called when its server was removed under an open approval', async () => {
    const { user, server } = await newUser()
    const asked = await ask(user)
    await sql((db) => removeServer(db, server.id))
    const { answer } = await approve(user, asked)
    expect(answer.toolsUsed).toMatchObject([
      { ok: false, error: { details: { asked: { code: 'tool_gone' } } } },
    ])
    expect(served.calls).toEqual([])
  })

  it('is nobody else’s: another user neither sees it nor can call it', async () => {
    const { user } = await newUser()
    const other = await signUp(chat.stack)
    const names = async (whose: ChatUser) => {
      const { tools } = (await whose.get('/tools')).body as { tools: { name: string }[] }
      return tools.map(({ name }) => name).filter((name) => name.startsWith('tracker__'))
    }
    expect(await names(user)).toEqual([
      'tracker__create_issue',
      'tracker__find_issues',
      'tracker__smtp_send_email',
    ])
    expect(await names(other)).toEqual([])
    const seen = chat.model.requests.length
    expect(await ask(other)).toMatchObject({ status: 'completed' })
    expect(JSON.stringify(chat.model.requests[seen]?.body.tools)).not.toContain('tracker__')
    expect(served.calls).toEqual([])
  })

  it('does not stand in for ours that is called like it, nor ours for it', async () => {
    const { user, server } = await newUser()
    chat.model.use([callTool('smtp_send_email', { to: 'ada@example.com' }), say('There is no mail account.')])
    await user.post({ message: 'Write to ada@example.com' })
    expect(served.calls).toEqual([])
    await sql((db) => removeServer(db, server.id))
    const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello' }
    chat.model.use([callTool('tracker__smtp_send_email', mail), say('It is gone.')])
    const { answer } = await user.post({ message: 'Write to ada@example.com' })
    expect(answer).toMatchObject({ status: 'completed', text: 'It is gone.' })
  })

  it('only reads if its server is trusted, and then asks once something private was read elsewhere', async () => {
    const { user } = await newUser({ trusted: true })
    const { url, tools } = served
    const mailbox = { userId: user.id, name: 'mailbox', url: `${url}?mailbox`, tools, trusted: true }
    await sql((db) => addServer(db, mailbox))
    const find = (server: string, query: string) => callTool(`${server}__find_issues`, { query })
    chat.model.use([find('tracker', 'anything'), find('tracker', 'T-17'), say('Found.')])
    const { answer } = await user.post({ id: 'c', message: 'Look into the tracker.' })
    expect(answer).toMatchObject({ status: 'completed' })
    expect(served.calls).toHaveLength(2)
    chat.model.use([
      find('tracker', 'T-18'),
      find('mailbox', 'codes'),
      find('tracker', 'T-19'),
      say('Found.'),
    ])
    const { answer: asked } = await user.post({ id: 'c', message: 'Look again, for "codes" in my mail.' })
    expect(asked).toMatchObject({ status: 'needs_approval', pending: [{ code: 'approve_way_out' }] })
    expect(asked.pending?.[0]?.question).toContain('T-19')
    expect(served.calls).toHaveLength(4)
  })

  it('asks again when "always allow" was for an earlier definition', async () => {
    const { user, agentId, server } = await newUser()
    await sql(
      (db) => db`
        insert into askback.agent_tool_permissions (agent_id, tool_name, approval)
        values (${agentId}, 'tracker__create_issue', 'never')`,
    )
    expect(await ask(user)).toMatchObject({ status: 'completed' })
    expect(served.calls).toEqual(opened)
    expect((await user.get('/unasked-tools')).body).toMatchObject({
      tools: [{ toolName: 'tracker__create_issue', used: 1 }],
    })
    const [tool] = server.tools
    if (!tool) throw new Error('There is no tool.')
    await sql((db) => acceptDefinition(db, server.id, { ...tool, description: 'Opens and closes issues.' }))
    expect(await ask(user)).toMatchObject({ status: 'needs_approval' })
    expect(served.calls).toEqual(opened)
  })

  it('is found by a search where there are many, and called like every other one', async () => {
    const { user } = await newUser()
    const reports = Array.from({ length: 40 }, (_, number) => ({
      ...findIssues,
      name: `report_${number}`,
      description: `Makes report ${number}.`,
    }))
    const crm = { userId: user.id, name: 'crm', url: `${served.url}?crm`, tools: reports }
    await sql((db) => addServer(db, crm))
    const seen = chat.model.requests.length
    chat.model.use([callTool('search_tools', { query: 'opening issues' }), issue, say('Opened.')])
    const { answer } = await user.post({ message: 'Open an issue "Broken login"' })
    expect(answer).toMatchObject({ status: 'needs_approval' })
    const offered = chat.model.requests.slice(seen).map(({ body }) => JSON.stringify(body.tools))
    expect(offered[0]).not.toContain('tracker__')
    expect(offered[0]).toContain('"smtp_send_email"')
    expect(offered[1]).toContain('tracker__create_issue')
    await approve(user, answer)
    expect(served.calls).toEqual(opened)
  })

  it('leads to its server’s sign-in when that lets nobody in', async () => {
    const { user, server } = await newUser()
    const asked = await ask(user)
    served.refuse(401)
    const { answer } = await approve(user, asked)
    served.refuse(undefined)
    expect(answer).toMatchObject({
      status: 'needs_connection',
      pending: [
        { type: 'connection', href: expect.stringContaining(`/settings/integrations?server=${server.id}`) },
      ],
    })
    expect(answer.pending?.[0]?.question).toContain(served.host)
    expect(served.calls).toEqual([])
  })
})
