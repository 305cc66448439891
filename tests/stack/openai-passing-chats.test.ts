import { describe, expect, it } from 'vitest'
import { withDatabase } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-server.ts'
import { asked, type Message, type OpenAiPerson } from '../../support/openai-person.ts'
import { useOpenAiPerson } from '../../support/use-openai-person.ts'

// Chats without a name: which of them the app lists, and which go by themselves.

let person: OpenAiPerson
const { chat, mails } = useOpenAiPerson((arrived) => {
  person = arrived
})

const send = asked('Send an email about lunch to ada@example.com')
const hello = asked('Hello, lighthouse')
const listed = async (query = '') => {
  const { body } = await person.user.get(`/conversations${query}`)
  return (body as { conversations: { title: string }[] }).conversations.map(({ title }) => title)
}
/** All that is stored, listed or not, once the clock has come. */
const stored = () =>
  withDatabase(chat.stack, async (sql) => {
    await sql`select askback_private.due_runs(1)`
    const rows = await sql`
      select title from askback.conversations where user_id = ${person.user.id} order by created_at`
    return rows.map(({ title }) => title)
  })
const temporary = { 'x-openwebui-chat-id': 'temporary:7f0c', 'x-askback-conversation': 'temporary:7f0c' }
const ask = (said: Message, { headers = {}, model = person.agent } = {}) =>
  person.ask([said], { headers, model })

describe('a chat without a name', () => {
  it('that only talked is in no list, and is removed after a day', async () => {
    await ask(hello)
    expect(await listed()).toEqual([])
    expect(await listed('?q=lighthouse')).toEqual([])
    await person.wait(23)
    expect(await stored()).toEqual([hello.content])
    await person.wait(1.1)
    expect(await stored()).toEqual([])
  })

  it('that wrote something stays', async () => {
    await ask(send)
    expect(await listed()).toEqual([send.content])
    await person.wait(30)
    expect(await stored()).toEqual([send.content])
    expect(await listed('?q=lunch')).toEqual([send.content])
  })

  it('is listed while it waits, and goes a day after a no', async () => {
    await ask(send, { model: person.cautious })
    await person.wait(30)
    expect(await stored()).toEqual([send.content])
    expect(await listed()).toEqual([send.content])
    await person.decide('deny')
    expect(await listed()).toEqual([])
    await person.wait(23)
    expect(await stored()).toEqual([send.content])
    await person.wait(1.1)
    expect(await stored()).toEqual([])
  })

  it('stays once its user goes on with it in the app', async () => {
    await ask(hello)
    const [row] = await withDatabase(
      chat.stack,
      (sql) => sql`select id from askback.conversations where user_id = ${person.user.id}`,
    )
    await person.user.post({ message: 'Go on', conversationId: row?.id })
    expect(await listed()).toEqual([hello.content])
    await person.wait(30)
    expect(await stored()).toEqual([hello.content])
  })

  it('of an older version stays, whatever it did', async () => {
    await ask(hello)
    await withDatabase(
      chat.stack,
      (sql) => sql`update askback.conversations set passing = null where user_id = ${person.user.id}`,
    )
    await person.wait(30)
    expect(await stored()).toEqual([hello.content])
    expect(await listed()).toEqual([hello.content])
  })
})

describe('a temporary chat', () => {
  it('shares nothing with the others of its tab', async () => {
    await ask(send, { headers: temporary, model: person.cautious })
    chat.model.use([say('All right.')])
    await ask(hello, { headers: temporary })
    expect(JSON.stringify(chat.model.requests.at(-1)?.body.messages)).not.toContain('ada@example.com')
    expect(await stored()).toHaveLength(2)
  })

  it('is listed only while something is open, also if it wrote, and goes a day later', async () => {
    await ask(send, { headers: temporary })
    expect((await mails()).length).toBe(1)
    expect(await listed()).toEqual([])
    const toBob = asked('Send an email about tea to bob@example.com')
    await ask(toBob, { headers: temporary, model: person.cautious })
    expect(await listed()).toEqual([toBob.content])
    await person.wait(25)
    expect(await stored()).toEqual([toBob.content])
    await person.decide('approve')
    expect((await mails()).length).toBe(2)
    expect(await listed()).toEqual([])
    await person.wait(25)
    expect(await stored()).toEqual([])
  })

  it('leaves in the ledger that something was done, and its files nowhere', async () => {
    const url = `data:text/plain;base64,${Buffer.from('The plan').toString('base64')}`
    const withFile: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'Send an email about the plan to ada@example.com' },
        { type: 'file', file: { filename: 'plan.txt', file_data: url } },
      ],
    }
    chat.model.use([
      callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'Plan', body: 'Hello.' }),
      say('I sent it.'),
    ])
    await ask(withFile, { headers: temporary, model: person.cautious })
    await person.decide('approve')
    expect((await mails()).length).toBe(1)
    await person.wait(25)
    expect(await stored()).toEqual([])
    await withDatabase(chat.stack, async (sql) => {
      const { id } = person.user
      expect(await sql`select 1 from askback.files where user_id = ${id}`).toEqual([])
      const ledger = await sql`select status, arguments from askback.tool_executions where user_id = ${id}`
      expect(ledger.map((row) => ({ ...row }))).toContainEqual({ status: 'succeeded', arguments: {} })
    })
  })
})
