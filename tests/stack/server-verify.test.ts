import { beforeEach, describe, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { request } from '../../support/equipped-user.ts'
import { gate } from '../../support/gate.ts'
import { type CallEnd, startToolServer } from '../../support/mcp-tool-server.ts'
import { callTool, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { useStarted } from '../../support/use-started.ts'

/** What became of a call of a server's tool whose answer was lost, where somebody has named a tool that tells. */

const text = { type: 'string' as const }
const createIssue = {
  name: 'create_issue',
  description: 'Opens an issue.',
  inputSchema: { type: 'object' as const, properties: { title: text, body: text }, required: ['title'] },
}
const findIssues = {
  name: 'find_issues',
  description: 'Finds issues.',
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object' as const,
    properties: { query: text, limit: { type: 'number' as const } },
    required: ['query'],
  },
}

const verifiedBy = {
  tool: 'tracker__find_issues',
  arguments: { query: 'title:{title}', limit: 50 },
  found: '{title}',
}

describe('a lost answer of a server', () => {
  const chat = useStarted(() => startChatStack())
  const served = useStarted(() => startToolServer([createIssue, findIssues]))
  let issues: string[] = []
  /** Issues as the server has them, found as long as its search is up to date. */
  const serve = (
    create: (title: string) => CallEnd | Promise<CallEnd>,
    find: () => CallEnd = () => JSON.stringify({ issues: issues.map((title) => ({ title })) }),
  ) =>
    served.answer(({ name, arguments: { title } }) =>
      name === 'create_issue' ? create(String(title)) : find(),
    )
  const opensAndIsCut = (title: string) => {
    issues.push(title)
    return 'cut' as const
  }
  beforeEach(() => {
    issues = ['Broken logins', 'Something else']
    served.calls.length = 0
    served.tools.splice(0, 2, createIssue, findIssues)
  })

  const patch = (user: { token: string }, id: string, tools: object[]) =>
    request(chat.stack, user, 'PATCH', `/integration-settings/servers/${id}`, { tools })
  async function add(
    user: { token: string },
    { named = verifiedBy as object | null, scope = 'user', name = 'tracker' } = {},
  ): Promise<string> {
    const server = { url: served.url, name, scope }
    const added = await request(chat.stack, user, 'POST', '/integration-settings/servers', server)
    expect(added.status).toBe(201)
    const { id } = added.json.server
    const { status } = await patch(user, id, [{ name: `${name}__create_issue`, verifiedBy: named }])
    expect(status).toBe(200)
    return id
  }
  async function newUser(): Promise<ChatUser> {
    const user = await signUp(chat.stack)
    await giveAgent(chat.stack, user.id, 'always')
    return user
  }
  type Answer = Awaited<ReturnType<ChatUser['post']>>['answer']
  async function ask(user: ChatUser, title = 'Broken login', server = 'tracker'): Promise<Answer> {
    chat.model.use([callTool(`${server}__create_issue`, { title }), say('Opened.')])
    return (await user.post({ message: `Open an issue "${title}"` })).answer
  }
  const approve = async (user: ChatUser, { conversationId, pending }: Answer) => {
    chat.model.use(() => say('Opened.'))
    const path = `/${conversationId}/approval`
    return (await user.post(decisionOn(pending?.[0], 'approve'), { path })).answer
  }
  const open = async (user: ChatUser, ...what: [title?: string, server?: string]) =>
    approve(user, await ask(user, ...what))
  const count = (name: string) => served.calls.filter((call) => call.name === name).length
  const maybe = { status: 'needs_approval', pending: [{ reason: 'unknown' }] }
  const lookedFor = 'It was looked for and not found'

  it('is found by the tool that tells, and nobody is asked', async () => {
    const user = await newUser()
    await add(user)
    serve(opensAndIsCut)
    expect(await open(user)).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    const search = { name: 'find_issues', arguments: { query: 'title:Broken login', limit: 50 } }
    const create = { name: 'create_issue', arguments: { title: 'Broken login' } }
    expect(served.calls).toEqual([search, create, search])
  })

  it('of what cannot be found is asked about, and says that it was looked for', async () => {
    const user = await newUser()
    await add(user)
    serve(() => 'cut')
    const asked = await open(user)
    expect(asked).toMatchObject(maybe)
    expect(asked.pending?.[0]?.question).toContain(lookedFor)
    serve(() => 'Done.')
    expect(await approve(user, asked)).toMatchObject({ status: 'completed' })
    expect(count('create_issue')).toBe(2)
  })

  it('of what can be found by the time that it is to be done again is not done again', async () => {
    const user = await newUser()
    await add(user)
    serve(() => 'cut')
    const asked = await open(user)
    issues.push('Broken login')
    expect(await approve(user, asked)).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect(count('create_issue')).toBe(1)
  })

  it.each<[string, string, (title: string) => CallEnd, (() => CallEnd) | undefined]>([
    ['was there before', 'Something else', () => 'cut', undefined],
    ['is only said again', 'Broken login', () => 'cut', () => 'Nothing found for "Broken login".'],
    ['is too short to tell', '7', opensAndIsCut, undefined],
  ])('is asked about if what is found %s', async (_, title, create, find) => {
    const user = await newUser()
    await add(user)
    serve(create, find)
    const asked = await open(user, title)
    expect(asked).toMatchObject(maybe)
    expect(asked.pending?.[0]?.question).not.toContain(lookedFor)
    expect(count('create_issue')).toBe(1)
  })

  it('is asked about if the tool that tells fails, and the call is made all the same', async () => {
    const user = await newUser()
    await add(user)
    serve(opensAndIsCut, () => 'cut')
    expect(await open(user)).toMatchObject(maybe)
    expect(issues.filter((title) => title === 'Broken login')).toHaveLength(1)
  })

  it('is asked about once the tool that tells is off, or its server says that it writes', async () => {
    const user = await newUser()
    const id = await add(user)
    serve(opensAndIsCut)
    await patch(user, id, [{ name: 'tracker__find_issues', on: false }])
    expect(await open(user)).toMatchObject(maybe)
    await patch(user, id, [{ name: 'tracker__find_issues', on: true }])
    served.tools.splice(1, 1, { ...findIssues, annotations: { readOnlyHint: false } })
    const path = `/integration-settings/servers/${id}/refresh`
    expect((await request(chat.stack, user, 'POST', path)).status).toBe(200)
    expect(await open(user, 'Broken logout')).toMatchObject(maybe)
    expect(count('find_issues')).toBe(0)
  })

  it('is found although the process that made the call died', async () => {
    const user = await newUser()
    await add(user)
    const [arrived, held] = [gate(), gate()]
    serve(async (title) => {
      issues.push(title)
      arrived.open()
      await held.opened
      return 'Done.'
    })
    const asked = await ask(user)
    const deciding = approve(user, asked)
    await arrived.opened
    process.kill(pidOf(chat.stack.pids(), 'mcp-client'), 'SIGKILL')
    held.open()
    await deciding
    await expireLeases(chat.stack, user.id)
    const conversation = async () => (await user.get(`/conversations/${asked.conversationId}`)).body
    const done = expect.objectContaining({ type: 'tool-tracker__create_issue', state: 'output-available' })
    await expect
      .poll(conversation)
      .toMatchObject({ pending: [], messages: [{}, { parts: expect.arrayContaining([done]) }] })
    expect(count('create_issue')).toBe(1)
  })

  it('is looked for with a tool that an operator has named for everybody', async () => {
    const [user, operator] = [await newUser(), await signUp(chat.stack)]
    await withDatabase(
      chat.stack,
      (sql) => sql`insert into askback.operators (user_id) values (${operator.id})`,
    )
    const named = { ...verifiedBy, tool: 'bugs__find_issues' }
    const id = await add(operator, { named, scope: 'project', name: 'bugs' })
    const ended = await patch(user, id, [{ name: 'bugs__create_issue', verifiedBy: null }])
    expect(ended.status).toBe(403)
    serve(opensAndIsCut)
    expect(await open(user, 'Broken login', 'bugs')).toMatchObject({
      status: 'completed',
      toolsUsed: [{ ok: true }],
    })
    expect(count('create_issue')).toBe(1)
    await request(chat.stack, operator, 'DELETE', `/integration-settings/servers/${id}`)
  })

  it('may be looked for only with a tool that can tell', async () => {
    const user = await newUser()
    const id = await add(user, { named: null })
    const name = (named: object | null, on = true) =>
      patch(user, id, [
        { name: 'tracker__create_issue', verifiedBy: named },
        { name: 'tracker__find_issues', on },
      ])
    for (const [change, sentence] of [
      [{ tool: 'tracker__list' }, 'This server has no tool "tracker__list".'],
      [{ tool: 'tracker__create_issue' }, 'does not say that "tracker__create_issue" only reads'],
      [{ arguments: { query: '{title}', page: 1 } }, '"tracker__find_issues" takes no argument "page"'],
      [{ arguments: {} }, 'needs the argument "query"'],
      [{ arguments: { query: '{name}' } }, '"tracker__create_issue" takes no argument "name"'],
      [{ found: 'open' }, 'is the same for all calls'],
    ] as const) {
      const { status, code, json } = await name({ ...verifiedBy, ...change })
      expect([status, code, json.error.message]).toEqual([
        422,
        'not_verifiable',
        expect.stringContaining(sentence),
      ])
    }
    expect((await name(verifiedBy, false)).json.error.message).toContain('is off')
    expect((await name(verifiedBy)).json.server.tools).toMatchObject([{ on: true, verifiedBy }, { on: true }])
    const renamed = await request(chat.stack, user, 'PATCH', `/integration-settings/servers/${id}`, {
      name: 'bugs',
    })
    expect(renamed.json.server.tools).toMatchObject([
      { name: 'bugs__create_issue', verifiedBy: { ...verifiedBy, tool: 'bugs__find_issues' } },
      { name: 'bugs__find_issues' },
    ])
    const read = await request(chat.stack, user, 'POST', `/integration-settings/servers/${id}/refresh`)
    expect(read.json.server.tools).toEqual(renamed.json.server.tools)
    const ended = await patch(user, id, [{ name: 'bugs__create_issue', verifiedBy: null }])
    expect(ended.json.server.tools[0]).not.toHaveProperty('verifiedBy')
  })
})
