import { describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { ticketHeaders } from '../../shared/server/client-calls/between-functions.ts'
import { startChatApp } from '../../support/chat-app.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { request } from '../../support/equipped-user.ts'
import { type GrantedProgram, startGrantedProgram } from '../../support/granted-program.ts'
import { ask, last, type Message, messagesOf, post } from '../../support/mcp-client.ts'
import { callTool, say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

// What a program over MCP shows its user itself, what its user declines in it, and what it may send without asking.

const chat = useStarted(() => startChatStack())
const forms = { elicitation: { form: {} } }
const links = { elicitation: { url: {} } }
const both = { elicitation: { form: {}, url: {} } }
const mailTo = (name: string, subject = `Hi ${name}`) => ({
  to: [`${name}@example.com`],
  subject,
  body: 'Hello,\nsee you at nine.',
})

async function start(grant: Parameters<typeof startGrantedProgram>[1] = {}): Promise<GrantedProgram> {
  await chat.stack.inbox.clear()
  chat.model.use([])
  return await startGrantedProgram(chat.stack, grant)
}
const mails = () => chat.stack.inbox.messages()
const textOf = ({ result }: Message): string => result.content.map((part: Message) => part.text).join('\n')
const openOf = async (user: ChatUser): Promise<Message[]> =>
  ((await user.get('/open')).body as { items: Message[] }).items
const answer = (asked: Message, action: string, content?: object) => ({
  requestState: asked.result.requestState,
  inputResponses: { item: { action, ...(content && { content }) } },
})
const formIn = (said: Message) => said.result.inputRequests?.item.params
const send = (program: GrantedProgram, capabilities: object, more?: object, args = mailTo('ada')) =>
  program.call('smtp_send_email', args, capabilities, more)

describe('a program that may show approvals itself', () => {
  it('shows all values and asks for yes or no, and a yes sends once', async () => {
    const program = await start({ forms: true })
    const asked = await send(program, both)
    expect(formIn(asked)).toMatchObject({
      mode: 'form',
      requestedSchema: {
        type: 'object',
        properties: { approve: { type: 'boolean', title: 'Send email' } },
        required: ['approve'],
      },
    })
    expect(formIn(asked).requestedSchema.properties.approve).not.toHaveProperty('default')
    for (const value of ['ada@example.com', 'Hi ada', 'see you at nine.']) {
      expect(formIn(asked).message).toContain(value)
    }
    const yes = answer(asked, 'accept', { approve: true })
    const [sent, twice] = await Promise.all([send(program, both, yes), send(program, both, yes)])
    expect(sent.result.structuredContent).toBeDefined()
    expect(twice.result.structuredContent).toEqual(sent.result.structuredContent)
    expect((await send(program, both, yes)).result.structuredContent).toEqual(sent.result.structuredContent)
    expect((await mails()).length).toBe(1)
    expect(await openOf(program.user)).toEqual([])
  })

  it('denies with a no', async () => {
    const program = await start({ forms: true })
    const asked = await send(program, forms)
    const said = await send(program, forms, answer(asked, 'accept', { approve: false }))
    expect(said.result.isError).toBe(true)
    expect(said.result._meta['askback/error'].errorType).toBe('approval_denied')
    expect(await openOf(program.user)).toEqual([])
    expect(await mails()).toEqual([])
  })

  it.each([{}, { approve: 'true' }, { approve: null }])('decides nothing with %j', async (content) => {
    const program = await start({ forms: true })
    const asked = await send(program, forms)
    const said = await send(program, forms, answer(asked, 'accept', content))
    expect(said.result._meta['askback/open']).toBeDefined()
    expect(await openOf(program.user)).toMatchObject([{ type: 'approval' }])
    expect(await mails()).toEqual([])
  })

  it('asks for what is missing and for a yes in one form', async () => {
    const program = await start({ forms: true })
    const wrong = (subject: string, capabilities: object = {}, more: object = {}) =>
      program.call('smtp_send_email', { subject, body: 'Hello' }, capabilities, more)
    for (const subject of ['One', 'Two']) await wrong(subject)
    const asked = await wrong('Three', forms)
    expect(formIn(asked).requestedSchema).toMatchObject({
      properties: { to: { type: 'string' }, approve: { type: 'boolean' } },
      required: ['to', 'approve'],
    })
    const given = answer(asked, 'accept', { to: 'ada@example.com', approve: true })
    expect((await wrong('Three', forms, given)).result.structuredContent).toBeDefined()
    expect((await mails()).map(({ to }) => to)).toEqual([['ada@example.com']])
  })

  it('vouches with a yes for that call alone', async () => {
    const program = await start({ forms: true })
    const asked = await send(program, forms)
    const [item] = await openOf(program.user)
    await send(program, forms, answer(asked, 'accept', { approve: true }))
    const together = { ...mailTo('bob'), to: ['bob@example.com', 'ada@example.com'] }
    chat.model.use([callTool('smtp_send_email', together), say('Sent.')])
    const { answer: later } = await program.user.post({
      message: 'Now write to bob@example.com and to her',
      id: item.conversationId,
    })
    expect(later.pending).toMatchObject([{ type: 'approval', reason: 'provenance' }])
  })

  it.each([
    ['its user has not said so', { forms: false }, both],
    ['it cannot show forms', { forms: true }, links],
  ])('leads to the page where %s', async (_, grant, capabilities) => {
    const asked = await send(await start(grant), capabilities)
    expect(formIn(asked)).toMatchObject({ mode: 'url', url: expect.stringContaining(chat.stack.url) })
  })

  it('gets text where it could show neither', async () => {
    const asked = await send(await start(), forms)
    expect(asked.result).toMatchObject({ resultType: 'complete', _meta: { 'askback/open': {} } })
  })

  it('decides nothing once its user has taken that back', async () => {
    const program = await start({ forms: true })
    const asked = await send(program, both)
    await program.change({ forms: false })
    await send(program, both, answer(asked, 'accept', { approve: true }))
    expect(await openOf(program.user)).toMatchObject([{ type: 'approval' }])
    expect(await mails()).toEqual([])
  })

  it('leads to the page for what it asks the agent', async () => {
    const program = await start({ forms: true })
    chat.model.use([callTool('smtp_send_email', mailTo('ada')), ...Array(3).fill(say('Sent.'))])
    const asked = await program.call('ask_agent', { message: 'Write to ada@example.com' }, both)
    expect(formIn(asked)).toMatchObject({ mode: 'url' })
  })

  it('leads to the page for what overwrites, for accounts, and after something from outside', async () => {
    const program = await start({ forms: true })
    const page = { mode: 'url' }
    const replace = { document_id: 'd', find: 'one', replace: 'two' }
    const deleting = { schedule_id: crypto.randomUUID() }
    for (const [name, args] of [
      ['schedules_delete', deleting],
      ['docs_replace_text', replace],
    ] as const) {
      const asked = await program.call(name, args, both)
      // Whatever it asks, it is nothing that a form of the program decides.
      if (asked.result.inputRequests) expect(formIn(asked), name).toMatchObject(page)
      else expect(asked.result.isError, name).toBe(true)
    }
    await withDatabase(
      chat.stack,
      (sql) => sql`delete from askback.connections where user_id = ${program.user.id}`,
    )
    const connecting = await send(program, both, {}, mailTo('eve'))
    expect(formIn(connecting)).toMatchObject(page)
    expect(await openOf(program.user)).toContainEqual(expect.objectContaining({ type: 'connection' }))
  })

  it('decides nothing where deciding takes a second factor', async () => {
    const program = await start({ forms: true })
    const app = startChatApp(chat, { requireAal2: true })
    const { functionSecret } = readKeys(chat.stack.dataDirectory)
    const body = {
      userId: program.user.id,
      agentId: program.agentId,
      grantId: program.grantId,
      grantKey: `grant:${program.grantId}`,
      program: { name: 'claude-code' },
      tool: 'smtp_send_email',
      arguments: mailTo('ada'),
      canAsk: { form: true, url: true },
      waitMs: 20_000,
    }
    const asked = await app.fetch(
      new Request('http://chat.test/chat/client-calls', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(await ticketHeaders('client-calls', body, functionSecret)),
        },
        body: JSON.stringify(body),
      }),
    )
    expect(await asked.json()).toMatchObject({ kind: 'waits', ask: { mode: 'url' } })
  })
})

describe('what is declined in a program', () => {
  const decline = async (program: GrantedProgram, action = 'decline') => {
    const asked = await send(program, both)
    return await send(program, both, answer(asked, action))
  }

  it.each(['decline', 'cancel'])('by %s is open, says so, and counts no more', async (action) => {
    const program = await start()
    await decline(program, action)
    const [item] = await openOf(program.user)
    expect(item).toMatchObject({ declinedIn: 'Claude Code' })
    const hours = (Date.parse(item.expiresAt) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23)
    expect(hours).toBeLessThanOrEqual(24)
    const [row] = await withDatabase(
      chat.stack,
      (sql) => sql`select open_count from askback.conversations where id = ${item.conversationId}`,
    )
    expect(row?.open_count).toBe(0)
    const { body } = await program.user.get('/conversations')
    expect(body).toMatchObject({ conversations: [{ open: { count: 0 } }] })
    const { body: conversation } = await program.user.get(`/conversations/${item.conversationId}`)
    expect(conversation).toMatchObject({ pending: [{ declinedIn: 'Claude Code' }] })
  })

  it('is decided in the app all the same', async () => {
    const program = await start()
    const said = await decline(program)
    expect(textOf(said)).toContain('declined here')
    const [item] = await openOf(program.user)
    const path = `/${item.conversationId}/approval`
    await program.user.post(decisionOn(item, 'approve'), { path })
    expect((await mails()).length).toBe(1)
  })

  it('is said on its page, to whoever decides it there', async () => {
    const program = await start()
    const said = await decline(program)
    const [, token] = said.result._meta['askback/open'].href.split('#')
    const { body } = await program.user.get('/open/linked', { headers: { 'x-askback-link': token } })
    expect(body).toMatchObject({ item: { declinedIn: 'Claude Code' } })
  })

  it('is not asked for again by the same call, which gets the link', async () => {
    const program = await start()
    await decline(program)
    const again = await send(program, both)
    expect(again.result).toMatchObject({ resultType: 'complete' })
    expect(again.result._meta['askback/open'].href).toContain(chat.stack.url)
    expect(await openOf(program.user)).toHaveLength(1)
    expect(formIn(await send(program, both, {}, mailTo('eve')))).toMatchObject({ mode: 'url' })
  })

  it('is not asked for again by the same call when its item has expired', async () => {
    const program = await start()
    await decline(program)
    await withDatabase(chat.stack, async (sql) => {
      await sql`
        update askback.open_items set expires_at = now() - interval '1 second' where user_id = ${program.user.id}`
      await sql`
        update askback.client_calls set created_at = created_at - interval '25 hours' where user_id = ${program.user.id}`
    })
    const again = await send(program, both)
    expect(again.result).toMatchObject({ resultType: 'complete' })
    const [item] = await openOf(program.user)
    expect(again.result._meta['askback/open'].itemId).toBe(item.itemId)
  })

  it('is not asked for again by the same read either', async () => {
    const program = await start()
    const read = (more = {}) =>
      program.call('scrape_and_summarize', { urls: ['https://example.com/a'] }, both, more)
    const asked = await read()
    expect(formIn(asked)).toMatchObject({ mode: 'url' })
    await read(answer(asked, 'decline'))
    expect((await read()).result).toMatchObject({ resultType: 'complete' })
  })

  it('expires', async () => {
    const program = await start()
    await decline(program)
    await withDatabase(
      chat.stack,
      (sql) => sql`
        update askback.open_items set expires_at = now() - interval '1 second' where user_id = ${program.user.id}`,
    )
    expect(await openOf(program.user)).toEqual([])
  })
})

describe('an answer that comes too late', () => {
  const wait = (user: ChatUser) =>
    withDatabase(
      chat.stack,
      (sql) => sql`
        update askback.client_calls
        set asked = (
          select jsonb_object_agg(key, clock_timestamp() - interval '11 minutes') from jsonb_each_text(asked)
        )
        where user_id = ${user.id} and asked <> '{}'`,
    )
  const toMissing = async (program: GrantedProgram, call: () => Promise<Message>) => {
    for (const subject of ['One', 'Two']) {
      await program.call('smtp_send_email', { subject, body: 'Hello' })
    }
    return await call()
  }
  const args = { subject: 'Three', body: 'Hello' }

  it('is asked again, filled in, and decides then', async () => {
    const program = await start({ forms: true })
    const call = (more: object = {}) => program.call('smtp_send_email', args, forms, more)
    const asked = await toMissing(program, call)
    await wait(program.user)
    const again = await call(answer(asked, 'accept', { to: 'ada@example.com', approve: true }))
    expect(formIn(again).requestedSchema.properties.to).toMatchObject({ default: 'ada@example.com' })
    expect(formIn(again).requestedSchema.properties.approve).not.toHaveProperty('default')
    expect(await mails()).toEqual([])
    await call(answer(again, 'accept', { to: 'ada@example.com', approve: true }))
    expect((await mails()).length).toBe(1)
  })

  it('on a stream that has ended is asked again by the next equal call, filled in', async () => {
    const program = await start({ forms: true })
    const at = { url: `${chat.stack.url}/functions/v1/mcp`, token: program.token }
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: forms,
      clientInfo: { name: 'claude-code', version: '1' },
    }
    const begun = await post(at, { id: 1, method: 'initialize', params })
    await last(begun)
    const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    const leaving = new AbortController()
    const asked = await toMissing(program, async () => {
      const call = { id: 2, method: 'tools/call', params: { name: 'smtp_send_email', arguments: args } }
      const stream = messagesOf(await post({ ...at, headers, signal: leaving.signal }, call))
      return (await stream.next()).value
    })
    leaving.abort()
    const content = { to: 'ada@example.com', approve: true }
    const late = { result: { action: 'accept', content } }
    // Under another id: whoever still listens on that stream hears nothing of it.
    await withDatabase(
      chat.stack,
      (sql) => sql`
        update askback.pushed_requests set answer = ${sql.json(late)}, id = gen_random_uuid()
        where id = ${asked.id}`,
    )
    const again = await program.call('smtp_send_email', args, forms)
    expect(formIn(again).requestedSchema.properties.to).toMatchObject({ default: 'ada@example.com' })
    expect(await mails()).toEqual([])
    // Once: then it has its link.
    expect(formIn(await program.call('smtp_send_email', args, forms))).toBeUndefined()
  })
})

describe('what a program has called on one day', () => {
  const list = async ({ user }: GrantedProgram, query = '') =>
    ((await user.get(`/conversations${query}`)).body as { conversations: Message[] }).conversations

  it('is one row of the list, with what is open in any of it, and can be listed one by one', async () => {
    const program = await start()
    for (const name of ['ada', 'bob', 'eve']) await send(program, {}, {}, mailTo(name))
    chat.model.use([say('Hello.')])
    await program.user.post({ message: 'Hello' })
    const rows = await list(program)
    expect(rows).toMatchObject([
      { title: expect.not.stringMatching(/Claude/) },
      {
        title: 'Claude Code',
        open: { count: 3, kinds: ['approval'] },
        calls: { app: 'Claude Code', count: 3 },
      },
    ])
    expect(rows[0].calls).toBeUndefined()
    const [, { id }] = rows
    const each = await list(program, `?callsOf=${id}`)
    expect(each).toHaveLength(3)
    expect(each.map(({ calls, open }) => [calls.count, open.count])).toEqual(Array(3).fill([1, 1]))
    expect(each[0].id).toBe(id)
    // Each is found by its own words, and what is pinned stands for itself.
    expect(await list(program, '?q=ada')).toMatchObject([{ calls: { count: 1 } }])
    await program.user.send('PATCH', `/conversations/${each[2].id}`, { pinned: true })
    const titles = (await list(program)).map(({ calls }) => calls?.count)
    expect(titles).toEqual([1, undefined, 2])
    const stranger = await startGrantedProgram(chat.stack)
    expect(await list(stranger, `?callsOf=${id}`)).toEqual([])
  })
})

describe('a standing permission', () => {
  const permissions = '/chat/permissions'
  const permit = async ({ user, agentId, grantId }: GrantedProgram, ofProgram: boolean) =>
    (
      await request(chat.stack, user, 'POST', permissions, {
        agentId,
        ...(ofProgram && { grantId }),
        toolName: 'smtp_send_email',
        pattern: '*@example.com',
      })
    ).json.permission

  it('that was given in the chat does not cover a program', async () => {
    const program = await start()
    expect(await permit(program, false)).toMatchObject({ grantId: null })
    await send(program, both)
    expect(await openOf(program.user)).toMatchObject([{ type: 'approval', reason: 'provenance' }])
  })

  it('that was given to a program covers what it sends itself, until it is taken back', async () => {
    const program = await start()
    const { id, ...given } = await permit(program, true)
    expect(given).toMatchObject({ grantId: program.grantId, pattern: '*@example.com', used: 0 })
    const sent = await send(program, both)
    expect(sent.result.structuredContent).toBeDefined()
    expect((await mails()).length).toBe(1)
    const listed = await request(chat.stack, program.user, 'GET', permissions)
    expect(listed.json.permissions).toMatchObject([{ id, grantId: program.grantId, used: 1, total: 1 }])
    const elsewhere = { ...mailTo('eve'), to: ['eve@elsewhere.example.org'] }
    expect((await send(program, both, {}, elsewhere)).result.inputRequests).toBeDefined()
    await request(chat.stack, program.user, 'DELETE', `${permissions}/${id}`)
    expect((await send(program, both, {}, mailTo('bob'))).result.inputRequests).toBeDefined()
    expect((await mails()).length).toBe(1)
  })

  it('of a program covers neither the agent in the chat, nor what the agent does for it, nor another program', async () => {
    const program = await start()
    await permit(program, true)
    chat.model.use([callTool('smtp_send_email', mailTo('ada')), ...Array(3).fill(say('Sent.'))])
    await program.call('ask_agent', { message: 'Write to ada@example.com' }, both)
    chat.model.use([callTool('smtp_send_email', mailTo('eve')), say('Sent.')])
    const { answer: said } = await program.user.post({ message: 'Write to eve@example.com' })
    expect(said.pending).toMatchObject([{ type: 'approval' }])
    const made = await request(chat.stack, program.user, 'POST', '/integration-settings/tokens', {
      name: 'Codex',
      scope: 'mcp',
    })
    const { token } = made.json
    const byToken = await ask(
      { url: `${chat.stack.url}/functions/v1/mcp`, token: token.value, client: 'claude-code' },
      'tools/call',
      { name: 'smtp_send_email', arguments: mailTo('bob') },
      {},
    )
    expect(byToken.result._meta['askback/open']).toBeDefined()
    expect(await mails()).toEqual([])
  })

  it('asks again once it is used up', async () => {
    const program = await start()
    await request(chat.stack, program.user, 'POST', permissions, {
      agentId: program.agentId,
      grantId: program.grantId,
      grantKey: `grant:${program.grantId}`,
      toolName: 'smtp_send_email',
      pattern: '*@example.com',
      max: 1,
    })
    await send(program, both)
    expect((await send(program, both, {}, mailTo('bob'))).result.inputRequests).toBeDefined()
    expect(await openOf(program.user)).toMatchObject([{ reason: 'provenance' }])
    expect((await mails()).length).toBe(1)
  })

  it('ends with its grant, and is given to no grant of others', async () => {
    const program = await start()
    await permit(program, true)
    await program.revoke()
    const listed = await request(chat.stack, program.user, 'GET', permissions)
    expect(listed.json.permissions).toEqual([])
    const other = await startGrantedProgram(chat.stack)
    const refused = await request(chat.stack, other.user, 'POST', permissions, {
      agentId: other.agentId,
      grantId: program.grantId,
      grantKey: `grant:${program.grantId}`,
      toolName: 'smtp_send_email',
      pattern: '*@example.com',
    })
    expect(refused.code).toBe('grant_not_found')
  })
})

describe('a function of the application that a program calls', () => {
  it('is told for which program, whoever has decided it', async () => {
    await withDatabase(chat.stack, (sql) =>
      sql.unsafe(`
        create table public.callers (who uuid, client_id text);
        alter table public.callers enable row level security;
        create policy "of programs" on public.callers for insert to authenticated
          with check (who = auth.uid() and client_id = (auth.jwt() ->> 'client_id'));
        grant insert on public.callers to authenticated;
        create function public.note_caller() returns text language sql as $$
          insert into public.callers values (auth.uid(), auth.jwt() ->> 'client_id');
          select auth.jwt() ->> 'client_id'
        $$;
        create function public.client_of_caller() returns text language sql stable as $$
          select coalesce(auth.jwt() ->> 'client_id', 'none')
        $$;
        grant execute on function public.note_caller(), public.client_of_caller() to authenticated;
        select askback.offer_function('note_caller', approval => 'always');
        select askback.offer_function('client_of_caller');`),
    )
    const program = await start()
    const { clientId, user } = program
    expect(textOf(await program.call('client_of_caller'))).toContain(clientId)
    await program.call('note_caller')
    const [item] = await openOf(user)
    await user.post(decisionOn(item, 'approve'), { path: `/${item.conversationId}/approval` })
    const noted = await withDatabase(
      chat.stack,
      (sql) => sql`select client_id from public.callers where who = ${user.id}`,
    )
    expect(noted).toMatchObject([{ client_id: clientId }])
    chat.model.use([callTool('client_of_caller', {}), say('Done.')])
    const { answer: own } = await user.post({ message: 'Which program am I?' })
    expect(JSON.stringify(own.toolsUsed)).toContain('none')
  })
})
