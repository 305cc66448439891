import { beforeEach, describe, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

const chat = useStarted(() => startChatStack())
let user: ChatUser
let agentId: string

beforeEach(async () => {
  user = await signUp(chat.stack)
  agentId = await giveAgent(chat.stack, user.id, 'always')
  await connectSmtp(chat.stack, user.id)
})

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const german = { 'x-askback-language': 'de-AT', 'x-askback-timezone': 'Europe/Vienna' }
const inEnglish = { 'x-askback-language': 'en', 'x-askback-timezone': 'America/New_York' }
/** What Node's own fetch sends, like other servers: it names nobody's language. */
const ofServer = { 'accept-language': '*' }
const germanQuestion = '„Hi“ an „ada@example.com“ senden?'
const englishQuestion = 'Send "Hi" to "ada@example.com"?'

/** What the chat function answers the user, as text. */
async function read(path: string, headers: Record<string, string>, body?: object): Promise<string> {
  const response = await fetch(`${chat.stack.url}/functions/v1/chat${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return await response.text()
}

/** Leaves an approval open. */
async function ask(headers: Record<string, string> = german) {
  chat.model.use([callTool('smtp_send_email', mail), say('Done.')])
  const { answer } = await user.post(
    { id: `c-${user.id}`, agentId, message: 'Say hello to ada@example.com' },
    { headers },
  )
  return answer
}

describe('whoever has named German once reads German from then on', () => {
  it('in an answer', async () => {
    const { pending } = await ask()
    expect(pending?.[0]).toMatchObject({ asked: germanQuestion, title: 'E-Mail senden', button: 'Senden' })
  })

  it('in a conversation, in the list of what is open, and in the list of tools', async () => {
    const { conversationId } = await ask()
    const conversation = JSON.parse(await read(`/conversations/${conversationId}`, ofServer))
    expect(conversation.pending[0].asked).toBe(germanQuestion)
    expect(JSON.parse(await read('/open', ofServer)).items[0].asked).toBe(germanQuestion)
    const { tools } = JSON.parse(await read('/tools', ofServer))
    expect(tools.find(({ name }: { name: string }) => name === 'smtp_send_email').title).toBe('E-Mail senden')
  })

  it('in a stream', async () => {
    await ask()
    chat.model.use([callTool('smtp_send_email', { subject: 'Hi', body: 'Hello' }), say('To whom?')])
    const message = { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'Send another one' }] }
    const stream = await read('', ofServer, { id: `s-${user.id}`, agentId, message })
    expect(stream).toContain('"errorText":"An wen soll ich diese E-Mail senden?')
    expect(stream).toContain('"asked":"An wen soll ich diese E-Mail senden?"')
  })

  it('in what an OpenAI client is told, and in why it is refused', async () => {
    await ask()
    chat.model.use([callTool('smtp_send_email', mail), say('Done.')])
    const messages = [{ role: 'user', content: 'Say hello to ada@example.com' }]
    const told = await read('/v1/chat/completions', ofServer, { model: agentId, messages })
    expect(told).toContain('Gib es frei oder lehn es ab')
    expect(told).not.toContain('Approve')
    const refused = await user.post({ id: 'none', message: '' }, { headers: ofServer })
    expect(refused.error?.message).toBe('Die Nachricht ist leer.')
  })

  it('of what was done', async () => {
    const { pending, conversationId } = await ask()
    const { toolCallId, approvalId } = pending?.[0] ?? {}
    const decided = await user.post(
      { toolCallId, approvalId, decision: 'approve' },
      { path: `/${conversationId}/approval`, headers: ofServer },
    )
    expect(decided.answer.toolsUsed[0]?.summary).toBe('„Hi“ an „ada@example.com“ gesendet')
  })
})

describe('a decision', () => {
  it('keeps what was read by whoever made it, whatever is read later', async () => {
    const { pending, conversationId } = await ask()
    const { toolCallId, approvalId } = pending?.[0] ?? {}
    const approve = { toolCallId, approvalId, decision: 'approve' }
    await user.post(approve, { path: `/${conversationId}/approval`, headers: german })
    const keptNow = () =>
      withDatabase(
        chat.stack,
        (sql) => sql`
          select entry -> 'shown' as shown from askback.entries
          where user_id = ${user.id} and type = 'decision'
        `,
      )
    const kept = [...(await keptNow())]
    expect(kept).toMatchObject([{ shown: { code: 'approve', language: 'de-AT', sentence: germanQuestion } }])
    const later = await read(`/conversations/${conversationId}`, inEnglish)
    expect(later).toContain('Sent')
    expect(later).not.toContain(germanQuestion)
    chat.model.use([say('Yes.')])
    await user.post({ id: conversationId, message: 'Was it sent?' }, { headers: inEnglish })
    expect(JSON.stringify(chat.model.requests)).not.toContain(germanQuestion)
    expect([...(await keptNow())]).toEqual(kept)
  })
})

describe('one item', () => {
  it('is read by each of two clients in its own language', async () => {
    await ask()
    const [first, second] = await Promise.all(
      [german, inEnglish].map(async (headers) => JSON.parse(await read('/open', headers)).items[0].asked),
    )
    expect([first, second]).toEqual([germanQuestion, englishQuestion])
  })

  it('has its times on the clock of whoever reads it', async () => {
    const { pending, conversationId } = await ask(inEnglish)
    const { toolCallId, approvalId } = pending?.[0] ?? {}
    await user.post(
      { toolCallId, approvalId, decision: 'approve' },
      { path: `/${conversationId}/approval`, headers: inEnglish },
    )
    chat.model.use([callTool('smtp_send_email', mail), say('Again?')])
    await user.post({ id: conversationId, message: 'And again' }, { headers: inEnglish })
    const hintFor = async (headers: Record<string, string>) =>
      String(JSON.parse(await read('/open', headers)).items[0].hint)
    const [there, here] = await Promise.all([
      hintFor(inEnglish),
      hintFor({ ...inEnglish, 'x-askback-timezone': 'Asia/Tokyo' }),
    ])
    // The two clocks differ by 13 or 14 hours.
    expect(here).not.toBe(there)
    expect(here.replace(/ on .* at \d\d:\d\d/, '')).toBe(there.replace(/ on .* at \d\d:\d\d/, ''))
  })

  it('has its times on the clock that the body names, rather than the header', async () => {
    const { pending, conversationId } = await ask(inEnglish)
    const { toolCallId, approvalId } = pending?.[0] ?? {}
    const approve = { toolCallId, approvalId, decision: 'approve' }
    await user.post(approve, { path: `/${conversationId}/approval`, headers: inEnglish })
    chat.model.use([callTool('smtp_send_email', mail), say('Again?')])
    const again = { id: conversationId, message: 'And again', timezone: 'Asia/Tokyo' }
    const { answer } = await user.post(again, { headers: inEnglish })
    const inTokyo = { ...inEnglish, 'x-askback-timezone': 'Asia/Tokyo' }
    expect(answer.pending?.[0]?.hint).toBe(JSON.parse(await read('/open', inTokyo)).items[0].hint)
    expect(answer.pending?.[0]?.hint).not.toBe(JSON.parse(await read('/open', inEnglish)).items[0].hint)
  })

  it('is read in the browser’s language where neither the client nor the account names one', async () => {
    await ask({})
    const accepted = { 'accept-language': 'fr-CH, de;q=0.9, en;q=0.8' }
    expect(JSON.parse(await read('/open', accepted)).items[0].asked).toBe(germanQuestion)
    expect(JSON.parse(await read('/open', ofServer)).items[0].asked).toBe(englishQuestion)
  })
})
