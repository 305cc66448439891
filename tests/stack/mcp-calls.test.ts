import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { hostedDeno } from '../../scripts/platform.ts'
import { callKey } from '../../shared/engine/core/canonical-json.ts'
import { sha256 } from '../../shared/engine/core/sha256.ts'
import { ticketHeaders } from '../../shared/server/client-calls/between-functions.ts'
import { startChatApp } from '../../support/chat-app.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatUser,
  connectSmtp,
  expireLeases,
  giveAgent,
  signUp,
  withDatabase,
} from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { ask, last, type Message, messagesOf, post } from '../../support/mcp-client.ts'
import { startMcpProcess } from '../../support/mcp-process.ts'
import { callTool, say } from '../../support/model-server.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { pidOf } from '../../support/pid-of.ts'
import { startSlowMailServer } from '../../support/slow-mail-server.ts'
import { useStarted } from '../../support/use-started.ts'

// A program calls the tools of a user over MCP: each call is carried out once, and its user decides what needs a decision.

const chat = useStarted(() => startChatStack())
const url = () => `${chat.stack.url}/functions/v1/mcp`
const mails = () => chat.stack.inbox.messages()
const mailTo = (name: string, subject = `Hi ${name}`) => ({
  to: [`${name}@example.com`],
  subject,
  body: 'Hello',
})
const textOf = ({ result, error }: Message): string =>
  error ? `error: ${error.message}` : result.content.map((part: Message) => part.text).join('\n')

interface Client {
  user: ChatUser
  token: string
  call(name: string, args?: object, capabilities?: object, more?: object): Promise<Message>
}

/** A user with a mail account and an agent whose writes ask as `approval` says, and a program with a token of theirs. */
async function startClient(approval: 'always' | 'never'): Promise<Client> {
  await chat.stack.inbox.clear()
  chat.model.use([])
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, approval)
  await connectSmtp(chat.stack, user.id)
  return await clientOf(user)
}

async function clientOf(user: ChatUser, client = 'Codex'): Promise<Client> {
  const made = await fetch(`${chat.stack.url}/functions/v1/integration-settings/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: client, scope: 'mcp' }),
  })
  const { token } = (await made.json()) as { token: { value: string } }
  return {
    user,
    token: token.value,
    call: (name, args = {}, capabilities = {}, more = {}) =>
      ask(
        { url: url(), token: token.value, client },
        'tools/call',
        { name, arguments: args, ...more },
        capabilities,
      ),
  }
}

/** Begins a session of the revisions of 2025: the headers of its requests. */
const beginSession = async (client: Client, capabilities: object) => {
  const response = await post(
    { url: url(), token: client.token },
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities,
        clientInfo: { name: 'Codex', version: '1' },
      },
    },
  )
  await last(response)
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
}

const pendingOf = async (user: ChatUser) => {
  const { body } = await user.get('/open')
  return (body as { items: Message[] }).items
}
const approve = async (user: ChatUser, decision: 'approve' | 'deny' = 'approve') => {
  const [item] = await pendingOf(user)
  return await user.post(
    { approvalId: item.approvalId, toolCallId: item.toolCallId, decision },
    { path: `/${item.conversationId}/approval` },
  )
}

const appended = async (user: ChatUser) => {
  const [row] = await withDatabase(
    chat.stack,
    (sql) => sql`
      select count(*)::int as times from askback.tool_executions
      where user_id = ${user.id} and tool_name = 'docs_append_text' and status = 'succeeded'`,
  )
  return row?.times
}
/** How the run of a call that appends stands. */
const runOfAppend = async (user: ChatUser) => {
  const [row] = await withDatabase(
    chat.stack,
    (sql) => sql`
      select r.status from askback.runs r
      join askback.client_calls c on c.user_id = r.user_id and c.conversation_id = r.conversation_id
      where r.user_id = ${user.id} and c.tool_name = 'docs_append_text'`,
  )
  return row?.status
}
const startDocument = async (client: Client) => {
  const made = await client.call('docs_create_document', { title: 'Notes' })
  return made.result.structuredContent.document_id as string
}

const wasTold = async (user: ChatUser) => {
  const rows = await withDatabase(
    chat.stack,
    (sql) => sql`
      select told_at is not null as told from askback.client_calls where user_id = ${user.id}
      order by created_at desc limit 1`,
  )
  return rows[0]?.told
}

/** What `mcp` asks `chat` for a program that can ask nothing. */
const requestOf = (user: ChatUser, args: object) => ({
  userId: user.id,
  grantKey: 'token:1',
  program: { name: 'Codex' },
  tool: 'docs_append_text',
  arguments: args,
  canAsk: { form: false, url: false },
  waitMs: 20_000,
})

/** Asks a process of the chat as `mcp` does; `url`: of its OpenAI routes. */
const callChat = async (
  url: string,
  request: { userId: string },
  { signal, signed = request }: { signal?: AbortSignal; signed?: { userId: string } } = {},
) =>
  await fetch(url.replace(/\/v1$/, '/client-calls'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(await ticketHeaders('client-calls', signed, readKeys(chat.stack.dataDirectory).functionSecret)),
    },
    body: JSON.stringify(request),
    ...(signal && { signal }),
  })

describe('the tools of an agent', () => {
  it('are listed with what each does, and without our own keywords', async () => {
    const client = await startClient('always')
    const { result } = await ask({ url: url(), token: client.token }, 'tools/list')
    const tools = Object.fromEntries(result.tools.map((tool: Message) => [tool.name, tool]))
    expect(tools.schedules_list.annotations).toMatchObject({ readOnlyHint: true })
    expect(tools.smtp_send_email).toMatchObject({
      title: expect.any(String),
      inputSchema: { type: 'object', required: expect.arrayContaining(['to']) },
      annotations: { readOnlyHint: false, destructiveHint: false },
    })
    expect(JSON.stringify(result.tools)).not.toMatch(/"(?:source|aliases|question)":/)
  })

  it('are those of the agent that the URL names, of this user only', async () => {
    const [client, other] = [await startClient('always'), await startClient('always')]
    const agentId = await withDatabase(chat.stack, async (sql) => {
      const [agent] = await sql`
        insert into askback.agents (user_id, name, instructions, tool_access)
        values (${client.user.id}, 'Reader', 'You read.', 'listed') returning id`
      await sql`
        insert into askback.agent_tool_permissions (agent_id, tool_name) values (${agent?.id}, 'schedules_list')`
      return String(agent?.id)
    })
    const { result } = await ask({ url: `${url()}/${agentId}`, token: client.token }, 'tools/list')
    expect(result.tools.map(({ name }: Message) => name)).toEqual(['schedules_list', 'ask_agent'])
    expect((await ask({ url: `${url()}/${agentId}`, token: other.token }, 'tools/list')).error).toBeDefined()
  })
})

describe('a read', () => {
  it('is answered with the result of its tool, and no model is asked', async () => {
    const client = await startClient('always')
    const said = await client.call('schedules_list')
    expect(said.result.isError).toBeUndefined()
    expect(said.result.structuredContent).toEqual(JSON.parse(textOf(said)))
    expect(chat.model.requests).toEqual([])
  })

  it('runs again each time', async () => {
    const client = await startClient('always')
    await client.call('schedules_list')
    await client.call('schedules_list')
    const [row] = await withDatabase(
      chat.stack,
      (sql) =>
        sql`select count(*)::int as runs from askback.tool_executions where user_id = ${client.user.id} and status = 'succeeded'`,
    )
    expect(row?.runs).toBe(2)
  })
})

describe('a write', () => {
  it.each(['always', 'never'] as const)(
    'that leaves the account waits for its user, whose agent asks %s',
    async (approval) => {
      const client = await startClient(approval)
      const said = await client.call('smtp_send_email', mailTo('ada'))
      expect(said.result.isError).toBeUndefined()
      expect(textOf(said)).toMatch(/Do not call it again/)
      const { itemId, href } = said.result._meta['askback/open']
      expect(href).toMatch(new RegExp(`^${chat.stack.url}/.*#`))
      expect(textOf(said)).toContain(href)
      const [item] = await pendingOf(client.user)
      expect(item).toMatchObject({ itemId, toolName: 'smtp_send_email' })
      expect(await mails()).toEqual([])

      await approve(client.user)
      expect((await mails()).length).toBe(1)
      const again = await client.call('smtp_send_email', mailTo('ada'))
      expect(textOf(again)).toMatch(/^Already done at .*; not done again\./)
      expect((await mails()).length).toBe(1)
      expect(chat.model.requests).toEqual([])
    },
  )

  it('says who asks for it', async () => {
    const client = await startClient('never')
    const said = await client.call('smtp_send_email', mailTo('ada'))
    expect(textOf(said)).toContain('a program that calls itself "Codex"')
  })

  it('that is denied is not done, and the program reads it', async () => {
    const client = await startClient('always')
    await client.call('smtp_send_email', mailTo('ada'))
    await approve(client.user, 'deny')
    expect(await mails()).toEqual([])
    expect(await pendingOf(client.user)).toEqual([])
  })

  it('without an account waits until its user has connected one', async () => {
    await chat.stack.inbox.clear()
    const user = await signUp(chat.stack)
    await giveAgent(chat.stack, user.id, 'always')
    const said = await (await clientOf(user)).call('smtp_send_email', mailTo('ada'))
    expect(said.result._meta['askback/open'].href).toContain(chat.stack.url)
    expect(await pendingOf(user)).toMatchObject([{ type: 'connection' }])
  })

  it('runs beside others: none stops another', async () => {
    const client = await startClient('never')
    const document_id = await startDocument(client)
    const said = await Promise.all(
      ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text) =>
        client.call('docs_append_text', { document_id, text }),
      ),
    )
    expect(said.map(({ result }) => result.isError)).toEqual(Array(5).fill(undefined))
    expect(await appended(client.user)).toBe(5)
  })

  it('that its account can undo is done at once', async () => {
    const client = await startClient('never')
    const made = await client.call('docs_create_document', { title: 'Notes' })
    const { document_id } = made.result.structuredContent
    const added = await client.call('docs_append_text', { document_id, text: 'One.' })
    expect(added.result).toMatchObject({ structuredContent: { document_id } })
    for (const { result } of [made, added]) expect(result._meta['askback/open']).toBeUndefined()
  })

  it('of a function of the app is done at once only where that can be undone', async () => {
    await withDatabase(chat.stack, (sql) =>
      sql.unsafe(`
        create function public.star(note text) returns text language sql volatile as $$ select 'starred ' || note $$;
        create function public.order_lunch(dish text) returns text language sql volatile as $$ select 'ordered ' || dish $$;
        grant execute on function public.star(text), public.order_lunch(text) to authenticated;
        select askback.offer_function('public.star', approval => 'never', reversible => true);
        select askback.offer_function('public.order_lunch', approval => 'never');`),
    )
    const client = await startClient('never')
    expect(textOf(await client.call('star', { note: 'the first' }))).toContain('starred the first')
    const ordered = await client.call('order_lunch', { dish: 'soup' })
    expect(ordered.result._meta['askback/open']).toBeDefined()
    await withDatabase(
      chat.stack,
      (sql) =>
        sql`select askback.withdraw_function('public.star'), askback.withdraw_function('public.order_lunch')`,
    )
  })
})

describe('a call that its model can correct', () => {
  it('is answered with the question and the corrected call, and waits for nobody', async () => {
    const client = await startClient('always')
    const said = await client.call('smtp_send_email', { subject: 'Hi', body: 'Hello' })
    expect(said.result.isError).toBe(true)
    expect(textOf(said)).toMatch(/^Question: .*\n.*attempt 1 of 3/)
    expect(said.result._meta['askback/error']).toMatchObject({
      ok: false,
      errorType: 'missing_parameter',
      resolver: 'model',
      details: { correction: { name: 'smtp_send_email', open: ['to'] } },
    })
    expect(await pendingOf(client.user)).toEqual([])
  })

  it('is its user’s form after the third attempt', async () => {
    const client = await startClient('always')
    const wrong = (subject: string) => client.call('smtp_send_email', { subject, body: 'Hello' })
    expect(textOf(await wrong('One'))).toContain('attempt 1 of 3')
    expect(textOf(await wrong('Two'))).toContain('attempt 2 of 3')
    const third = await wrong('Three')
    expect(third.result._meta['askback/open']).toBeDefined()
    expect(await pendingOf(client.user)).toMatchObject([{ type: 'input', toolName: 'smtp_send_email' }])
    expect(textOf(await wrong('Four'))).toContain('attempt 1 of 3')
  })

  it('of an unknown name is told which tools there are', async () => {
    const client = await startClient('always')
    const said = await client.call('send_mail', {})
    expect(said.result).toMatchObject({ isError: true })
    expect(said.result._meta['askback/error'].errorType).toBe('tool_not_found')
  })
})

describe('an equal call', () => {
  it('is done once while the first is running, whichever program of the user makes it', async () => {
    const client = await startClient('never')
    const other = await clientOf(client.user, 'Cursor')
    const line = { document_id: await startDocument(client), text: 'One.' }
    const said = await Promise.all(
      [client, other, client, other, client].map((one) => one.call('docs_append_text', line)),
    )
    expect(said.map(({ result }) => result.isError)).toEqual(Array(5).fill(undefined))
    expect(await appended(client.user)).toBe(1)
  })

  it('of a tool that may be repeated runs again once its result has arrived', async () => {
    const client = await startClient('never')
    const line = { document_id: await startDocument(client), text: 'One.' }
    await client.call('docs_append_text', line)
    await expect.poll(() => wasTold(client.user)).toBe(true)
    await client.call('docs_append_text', line)
    expect(await appended(client.user)).toBe(2)
  })

  it('waits for the same decision, whichever program of the user makes it', async () => {
    const client = await startClient('always')
    const other = await clientOf(client.user, 'Cursor')
    const said = await Promise.all(
      [client, other, client].map((one) => one.call('smtp_send_email', mailTo('ada'))),
    )
    const items = new Set(said.map(({ result }) => result._meta['askback/open'].itemId))
    expect(items.size).toBe(1)
    expect((await pendingOf(client.user)).length).toBe(1)
  })

  it.each([
    ['equal', mailTo('ada')],
    ['reworded', mailTo('ada', 'Hello Ada')],
  ])('that is %s, after its result has arrived, asks whether to do it again', async (_, again) => {
    const client = await startClient('always')
    await client.call('smtp_send_email', mailTo('ada'))
    await approve(client.user)
    await client.call('smtp_send_email', mailTo('ada'))
    await expect.poll(() => wasTold(client.user)).toBe(true)
    const other = await clientOf(client.user, 'Cursor')
    const said = await other.call('smtp_send_email', again)
    expect(said.result._meta['askback/open']).toBeDefined()
    expect(await pendingOf(client.user)).toMatchObject([{ reason: 'repetition' }])
    expect((await mails()).length).toBe(1)
  })
})

describe('a program that can ask its user', () => {
  const forms = { elicitation: { form: {} } }
  const both = { elicitation: { form: {}, url: {} } }
  const answer = (asked: Message, action: string, content?: object) => ({
    requestState: asked.result.requestState,
    inputResponses: { item: { action, ...(content && { content }) } },
  })
  const toMissing = async (client: Client, capabilities: object) => {
    for (const subject of ['One', 'Two']) await client.call('smtp_send_email', { subject, body: 'Hello' })
    const args = { subject: 'Three', body: 'Hello' }
    return { args, asked: await client.call('smtp_send_email', args, capabilities) }
  }

  it('shows a form, flat, and what comes back is not its user’s word', async () => {
    const client = await startClient('always')
    const { args, asked } = await toMissing(client, forms)
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        item: {
          params: {
            mode: 'form',
            message: expect.not.stringMatching(/^Question:/),
            requestedSchema: { type: 'object', properties: { to: { type: 'string' } } },
          },
        },
      },
    })
    const given = answer(asked, 'accept', {
      to: '"Lovelace, Ada" <ada@example.com>; grace@example.com',
    })
    const said = await client.call('smtp_send_email', args, forms, given)
    expect(said.result._meta['askback/open']).toBeDefined()
    const [item] = await pendingOf(client.user)
    expect(item).toMatchObject({ type: 'approval', toolName: 'smtp_send_email' })
    expect(JSON.stringify(item.values.to)).toContain('grace@example.com')
    expect(await mails()).toEqual([])
  })

  it('leads its user to the page of an approval, and gets the result', async () => {
    const client = await startClient('always')
    const asked = await client.call('smtp_send_email', mailTo('ada'), both)
    expect(asked.result.inputRequests.item.params).toMatchObject({
      mode: 'url',
      message: expect.not.stringMatching(/^Question:/),
      url: expect.stringContaining(chat.stack.url),
    })
    await approve(client.user)
    const said = await client.call('smtp_send_email', mailTo('ada'), both, answer(asked, 'accept'))
    expect(said.result.isError).toBeUndefined()
    expect(said.result.structuredContent).toBeDefined()
    // A second use of the same state is the stored outcome.
    const twice = await client.call('smtp_send_email', mailTo('ada'), both, answer(asked, 'accept'))
    expect(twice.result.structuredContent).toEqual(said.result.structuredContent)
    expect((await mails()).length).toBe(1)
  })

  it.each(['decline', 'cancel'])('that says %s closes nothing, and is not asked again', async (action) => {
    const client = await startClient('always')
    const asked = await client.call('smtp_send_email', mailTo('ada'), both)
    const said = await client.call('smtp_send_email', mailTo('ada'), both, answer(asked, action))
    expect(textOf(said)).toMatch(/declined here/)
    const again = await client.call('smtp_send_email', mailTo('ada'), both)
    expect(again.result.resultType).toBe('complete')
    expect(again.result._meta['askback/open'].href).toContain(chat.stack.url)
    expect((await pendingOf(client.user)).length).toBe(1)
  })

  it('that fills its forms in wrongly each time is given the link, before it gives up', async () => {
    const client = await startClient('always')
    const { args, asked } = await toMissing(client, forms)
    let said = asked
    let rounds = 1
    // Clients end a call after ten rounds, and their models read of an error.
    for (; said.result.resultType === 'input_required' && rounds < 10; rounds++) {
      const wrong = answer(said, 'accept', { to: 'nobody' })
      said = await client.call('smtp_send_email', args, forms, wrong)
    }
    expect(rounds).toBeGreaterThan(2)
    expect(said.result.resultType).toBe('complete')
    expect(said.result._meta['askback/open'].href).toContain(chat.stack.url)
    expect(await pendingOf(client.user)).toHaveLength(1)
  })

  it('is not asked for what it cannot show', async () => {
    const client = await startClient('always')
    const said = await client.call('smtp_send_email', mailTo('ada'), forms)
    expect(said.result.resultType).toBe('complete')
    expect(said.result._meta['askback/open']).toBeDefined()
  })

  it('answers for the arguments that it was asked about, and for no others', async () => {
    const client = await startClient('always')
    const asked = await client.call('smtp_send_email', mailTo('ada'), both)
    const forged = await client.call('smtp_send_email', mailTo('eve'), both, answer(asked, 'accept'))
    expect(forged.error).toMatchObject({ message: 'Invalid requestState' })
  })
})

describe('when a process is killed', () => {
  const line = (document_id: string) => ({ document_id, text: 'One.' })

  it.each(['begin_client_call', 'claim_invocation', 'settle_invocation', 'finish_run'])(
    'that works on a call, after %s, an equal call goes on with it, once',
    async (place) => {
      const client = await startClient('never')
      const args = line(await startDocument(client))
      const proxy = await startPausingProxy(chat.stack.url)
      const ending = new AbortController()
      const killed = await startChatProcess(chat, ending.signal, proxy.url)
      const pause = proxy.pauseNext(`/rpc/${place}`)
      const called = callChat(killed.url, requestOf(client.user, args))
      await pause.answered
      process.kill(killed.pid, 'SIGKILL')
      await Promise.allSettled([called])
      ending.abort()
      await proxy.close()
      await expireLeases(chat.stack, client.user.id)
      const said = await client.call('docs_append_text', args)
      expect(await appended(client.user)).toBeLessThanOrEqual(1)
      if (said.result._meta['askback/open'])
        expect(await pendingOf(client.user)).toMatchObject([{ reason: 'unknown' }])
      else expect(await appended(client.user)).toBe(1)
    },
  )

  it('that passes a result on, an equal call gets that result', async () => {
    const client = await startClient('never')
    const args = line(await startDocument(client))
    const proxy = await startPausingProxy(chat.stack.url)
    const ending = new AbortController()
    const killed = await startMcpProcess(
      { ...chat.stack, url: proxy.url },
      findDeno(),
      ending.signal,
      {},
      'supabase/functions',
    )
    const pause = proxy.pauseNext('/chat/client-calls')
    const at = { url: `http://127.0.0.1:${killed.port}/mcp`, token: client.token, client: 'Codex' }
    const called = ask(at, 'tools/call', { name: 'docs_append_text', arguments: args })
    await pause.answered
    process.kill(killed.pid, 'SIGKILL')
    await Promise.allSettled([called])
    ending.abort()
    await proxy.close()
    const said = await client.call('docs_append_text', args)
    expect(textOf(said)).toMatch(/^Already done at .*; not done again\./)
    expect(await appended(client.user)).toBe(1)
  })
})

describe('a message to the agent', () => {
  it('is answered by its model, and goes on in its own conversations only', async () => {
    const client = await startClient('always')
    chat.model.use([say('Hello, Codex.'), say('Still here.')])
    const first = await client.call('ask_agent', { message: 'Say hello.' })
    expect(first.result.structuredContent).toMatchObject({ answer: 'Hello, Codex.' })
    const { conversation } = first.result.structuredContent
    const second = await client.call('ask_agent', { message: 'And now?', conversation })
    expect(second.result.structuredContent).toEqual({ answer: 'Still here.', conversation })
    const heard = JSON.stringify(chat.model.requests.at(-1)?.body)
    expect(heard).toContain('Say hello.')
    expect(heard).toContain('Not from the user')
    const other = await clientOf(client.user, 'Cursor')
    const refused = await other.call('ask_agent', { message: 'And I?', conversation })
    expect(refused.error ?? refused.result.isError).toBeTruthy()
  })

  it('is nobody’s word: an address in it needs approval', async () => {
    const client = await startClient('never')
    chat.model.use([callTool('smtp_send_email', mailTo('ada')), ...Array(3).fill(say('Sent.'))])
    const said = await client.call('ask_agent', { message: 'Write to ada@example.com' })
    expect(said.result._meta['askback/open']).toBeDefined()
    expect(await mails()).toEqual([])
  })
})

describe('a stream that its program breaks off', () => {
  it('ends what has begun: an equal call gets its result', async () => {
    const client = await startClient('never')
    const args = { document_id: await startDocument(client), text: 'One.' }
    const proxy = await startPausingProxy(chat.stack.url)
    const ending = new AbortController()
    const deno = existsSync(hostedDeno) ? hostedDeno : findDeno()
    const mcp = await startMcpProcess(
      { ...chat.stack, url: proxy.url },
      deno,
      ending.signal,
      {},
      'supabase/functions',
    )
    const pause = proxy.pauseNext('/chat/client-calls')
    const leaving = new AbortController()
    const at = { url: `http://127.0.0.1:${mcp.port}/mcp`, token: client.token, client: 'Codex' }
    const call = { name: 'docs_append_text', arguments: args }
    const called = ask({ ...at, signal: leaving.signal }, 'tools/call', call)
    await pause.answered
    leaving.abort()
    await Promise.allSettled([called])
    pause.release()
    expect(textOf(await ask(at, 'tools/call', call))).toMatch(/^Already done at .*; not done again\./)
    expect(await appended(client.user)).toBe(1)
    ending.abort()
    await proxy.close()
  })

  it('does not begin what has not: nothing is done', async () => {
    const client = await startClient('never')
    const args = { document_id: await startDocument(client), text: 'One.' }
    const key = await sha256(callKey('docs_append_text', args))
    const body = requestOf(client.user, args)
    const { functionSecret } = readKeys(chat.stack.dataDirectory)
    const leaving = new AbortController()
    const call = new Request('http://chat.test/chat/client-calls', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(await ticketHeaders('client-calls', body, functionSecret)),
      },
      body: JSON.stringify(body),
      signal: leaving.signal,
    })
    let called: unknown
    await withDatabase(chat.stack, (sql) =>
      sql.begin(async (held) => {
        // Whoever begins this call waits here.
        await held`select pg_advisory_xact_lock(hashtextextended(${`askback client call ${client.user.id}${key}`}, 0))`
        // In this process: it has heard that its caller is gone as soon as that leaves.
        called = startChatApp(chat).fetch(call)
        const isWaiting = async () =>
          (await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`).length
        await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1)
        leaving.abort()
      }),
    )
    await called
    await expect.poll(() => runOfAppend(client.user), { timeout: 30_000 }).not.toMatch(/running|stopping/)
    expect(await appended(client.user)).toBe(0)
  })

  it('of a program of 2025 is no fault of ours', async () => {
    const client = await startClient('never')
    const args = { document_id: await startDocument(client), text: 'One.' }
    const headers = await beginSession(client, {})
    const before = chat.stack.output().length
    const key = await sha256(callKey('docs_append_text', args))
    const leaving = new AbortController()
    await withDatabase(chat.stack, (sql) =>
      sql.begin(async (held) => {
        // Whoever begins this call waits here.
        await held`select pg_advisory_xact_lock(hashtextextended(${`askback client call ${client.user.id}${key}`}, 0))`
        const call = { id: 2, method: 'tools/call', params: { name: 'docs_append_text', arguments: args } }
        const called = post({ url: url(), token: client.token, headers, signal: leaving.signal }, call)
        const isWaiting = async () =>
          (await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`).length
        await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1)
        leaving.abort()
        await Promise.allSettled([called])
      }),
    )
    // It may have begun before it has heard that its client is gone.
    await expect.poll(() => runOfAppend(client.user), { timeout: 30_000 }).not.toMatch(/running|stopping/)
    expect(chat.stack.output().slice(before)).not.toContain('request-fault')
  })
})

describe('the route that carries calls out', () => {
  const chatUrl = () => `${chat.stack.url}/functions/v1/chat/v1`

  it('is for nobody but the function mcp', async () => {
    const client = await startClient('never')
    const request = requestOf(client.user, { document_id: 'd', text: 'One.' })
    for (const token of [client.user.token, client.token]) {
      const refused = await fetch(chatUrl().replace(/\/v1$/, '/client-calls'), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
      expect(refused.status).toBe(401)
    }
  })

  it('takes a ticket for its own request alone', async () => {
    const [client, other] = [await startClient('never'), await startClient('never')]
    const signed = requestOf(client.user, { document_id: 'd', text: 'One.' })
    const others = requestOf(other.user, { document_id: 'd', text: 'One.' })
    expect((await callChat(chatUrl(), { ...signed, tool: 'docs_share' } as never, { signed })).status).toBe(
      401,
    )
    expect((await callChat(chatUrl(), others, { signed })).status).toBe(401)
    expect((await callChat(chatUrl(), signed)).status).toBe(200)
  })
})

describe('a program of the revisions of 2025', () => {
  const pushed = async (client: Client, elicitation: object, params: object) => {
    const headers = await beginSession(client, { elicitation })
    const at = { url: url(), token: client.token, headers }
    const stream = messagesOf(await post(at, { id: 2, method: 'tools/call', params }))
    const { value: asked } = await stream.next()
    return {
      asked: asked as Message,
      reply: async (answer: object) => await post(at, { id: asked.id, ...answer }),
      rest: async () => (await stream.next()).value as Message,
    }
  }
  const send = { name: 'smtp_send_email', arguments: mailTo('ada') }

  it('is led to the page of an approval on its stream, and gets the result there', async () => {
    const client = await startClient('always')
    const { asked, reply, rest } = await pushed(client, { form: {}, url: {} }, send)
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { mode: 'url' } })
    expect((await reply({ result: { action: 'accept' } })).status).toBe(202)
    await approve(client.user)
    expect((await rest()).result.structuredContent).toBeDefined()
    expect((await mails()).length).toBe(1)
  })

  it('that cannot show it after all gets the link as text', async () => {
    const client = await startClient('always')
    const { reply, rest } = await pushed(client, { form: {}, url: {} }, send)
    await reply({ error: { code: -32_601, message: 'No.' } })
    const said = await rest()
    expect(said.result._meta['askback/open'].href).toContain(chat.stack.url)
    expect(textOf(said)).toContain('Do not call it again')
  })

  it('is shown a form on its stream', async () => {
    const client = await startClient('always')
    for (const subject of ['One', 'Two']) await client.call('smtp_send_email', { subject, body: 'Hello' })
    const params = { name: 'smtp_send_email', arguments: { subject: 'Three', body: 'Hello' } }
    const { asked, reply, rest } = await pushed(client, {}, params)
    expect(asked.params.requestedSchema.properties.to).toMatchObject({ type: 'string' })
    await reply({ result: { action: 'accept', content: { to: 'ada@example.com' } } })
    expect((await rest()).result._meta['askback/open']).toBeDefined()
    expect(await pendingOf(client.user)).toMatchObject([{ type: 'approval' }])
  })
})

describe('a call that waits for the clock', () => {
  it('is answered with the time, and goes on by itself', async () => {
    const client = await startClient('never')
    const args = { document_id: await startDocument(client), text: 'One.' }
    const limit = (value: number) =>
      withDatabase(
        chat.stack,
        (sql) => sql`
          insert into askback.limits (scope, subject, measure, per, value)
          values ('user', ${client.user.id}, 'writes', 'hour', ${value})
          on conflict (scope, subject, measure, per, tool) do update set value = excluded.value`,
      )
    await limit(0)
    const said = await client.call('docs_append_text', args)
    expect(said.result.isError).toBeUndefined()
    expect(textOf(said)).toMatch(/It continues by itself at \d{4}-\d\d-\d\dT/)
    const again = await client.call('docs_append_text', args)
    expect(again.result._meta['askback/open']).toEqual(said.result._meta['askback/open'])
    expect(await appended(client.user)).toBe(0)
  })
})

describe('when the process that sends is killed', () => {
  it('nobody knows whether it was sent: an equal call does not send it again', async () => {
    const client = await startClient('always')
    const held = gate()
    const arrived = gate()
    const server = await startSlowMailServer(async (stage) => {
      if (stage !== 'message') return
      arrived.open()
      await held.opened
    })
    const smtp = () => pidOf(chat.stack.pids(), 'smtp-api')
    await client.call('smtp_test_connection')
    process.kill(smtp(), 'SIGKILL')
    server.trustIn(chat.stack)
    await withDatabase(
      chat.stack,
      (sql) => sql`delete from askback.connections where user_id = ${client.user.id}`,
    )
    await server.connect(chat.stack, client.user.id)
    await client.call('smtp_send_email', mailTo('ada'))
    const approved = approve(client.user)
    await arrived.opened
    process.kill(smtp(), 'SIGKILL')
    held.open()
    await approved
    const said = await client.call('smtp_send_email', mailTo('ada'))
    expect(said.result._meta['askback/open']).toBeDefined()
    expect(await pendingOf(client.user)).toMatchObject([{ reason: 'unknown' }])
    expect(server.mailsTo('ada@example.com').length).toBeLessThanOrEqual(1)
    await server.close()
  })
})

describe('calls beyond what a user’s programs may make', () => {
  it('are refused to the model in words, and are no answers of the chat', async () => {
    const client = await startClient('always')
    await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.limits (scope, subject, measure, per, value)
        values ('user', ${client.user.id}, 'mcp_calls', 'hour', 1), ('user', ${client.user.id}, 'runs', 'hour', 1)`,
    )
    expect((await client.call('schedules_list')).result.isError).toBeUndefined()
    const refused = await client.call('schedules_list')
    expect(refused.result.isError).toBe(true)
    expect(textOf(refused)).toContain('1 per hour')
    chat.model.use([say('Hello.')])
    expect((await client.user.post({ message: 'Hello' })).status).toBe(200)
  })
})
