import type OpenAI from 'openai'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp } from '../support/chat-user.ts'
import { decisionOn } from '../support/decision.ts'
import { holdLock } from '../support/held-lock.ts'
import { holdReply } from '../support/hold-reply.ts'
import { callTool, type ModelServerReply, say } from '../support/model-server.ts'
import { OpenAiPerson } from '../support/openai-person.ts'
import { type Part, type PartStream, readParts, streamMessage } from '../support/part-stream.ts'
import { slowDown } from '../support/slow-rpc.ts'

// Nothing is shown that is not stored: whoever sees a card can press it, and it is there after a crash.

let chat: ChatStack
let admin: postgres.Sql
beforeAll(async () => {
  chat = await startChatStack()
  admin = postgres(chat.stack.adminUrl, { onnotice: () => {} })
})
afterAll(async () => {
  await admin?.end()
  await chat?.stop()
})
beforeEach(() => chat.stack.inbox.clear())

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const ask = 'Say hello to ada@example.com'
const send = callTool('smtp_send_email', mail)
/** What people are shown once a call waits for somebody, or is over. */
const isCard = ({ type }: Part) => type === 'tool-approval-request' || type === 'data-question'
const isOutcome = ({ type }: Part) =>
  isCard({ type }) || /^tool-output|^data-tool-error|^data-closed/.test(type)

async function newUser(approval: 'always' | 'never' = 'always'): Promise<ChatUser> {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, approval)
  await connectSmtp(chat.stack, user.id)
  return user
}

/** The model's replies in order. As it gives the one of that number, nothing of the user's runs can be stored. */
function lockAtReply(user: ChatUser, number: number, replies: readonly ModelServerReply[]) {
  const seen = chat.model.requests.length
  let found: (lock: Awaited<ReturnType<typeof holdLock>>) => void = () => {}
  const locked = new Promise<Awaited<ReturnType<typeof holdLock>>>((resolve) => {
    found = resolve
  })
  chat.model.use(async (request) => {
    if (request.number - seen === number)
      found(
        await holdLock(admin, (sql) => sql`select 1 from askback.runs where user_id = ${user.id} for update`),
      )
    return replies[request.number - seen - 1] ?? say('That is all.')
  })
  return locked
}

const open = async (user: ChatUser) => ((await user.get('/open')).body as { items: PendingItem[] }).items
const press = (user: ChatUser, id: string, { toolCallId, approvalId }: Part) =>
  user.post(decisionOn({ toolCallId, approvalId }, 'approve'), { path: `/${id}/approval` })

describe('an answer that is stored 1.5 s late', () => {
  it('shows a card that can be pressed at once', async () => {
    const user = await newUser()
    chat.model.use([send, say('It is sent.')])
    const endSlowness = await slowDown(admin, { name: 'finish_run', userId: user.id, seconds: 1.5 })
    try {
      const stream = await streamMessage(chat.stack, user, { id: 'late', text: ask })
      const card = await stream.find(isCard)
      const pressed = await press(user, 'late', card)
      expect(pressed).toMatchObject({ status: 200, answer: { status: 'completed', text: 'It is sent.' } })
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    } finally {
      await endSlowness()
    }
  })

  const followers: [string, (user: ChatUser) => Promise<PartStream>][] = [
    ['its client', (user) => streamMessage(chat.stack, user, { id: 'held', text: ask })],
    [
      'another tab',
      async (user) => {
        const first = streamMessage(chat.stack, user, { id: 'held', text: ask })
        await chat.model.waitForRequest()
        const response = await fetch(`${chat.stack.url}/functions/v1/chat/held/stream`, {
          headers: { authorization: `Bearer ${user.token}` },
        })
        await first
        return readParts(response)
      },
    ],
  ]
  it.each(followers)('shows %s no card that is not stored', async (_, begin) => {
    const user = await newUser()
    const locked = lockAtReply(user, 1, [send])
    const stream = await begin(user)
    const lock = await locked
    await untilWaiting('finish_run')
    expect(stream.parts.filter(isOutcome)).toEqual([])
    await lock.release()
    const card = await stream.find(isCard)
    expect(await open(user)).toMatchObject([{ itemId: card.approvalId }])
  })

  it('says nothing of a card to a client of the OpenAI protocol before it is stored', async () => {
    const person = await OpenAiPerson.arrive(chat)
    const locked = lockAtReply(person.user, 1, [send])
    const stream = (await person.client.chat.completions.create({
      model: person.cautious,
      messages: [{ role: 'user', content: ask }],
      stream: true,
    })) as AsyncIterable<OpenAI.ChatCompletionChunk>
    let said = ''
    const read = (async () => {
      for await (const { choices } of stream) said += choices[0]?.delta.content ?? ''
    })()
    const lock = await locked
    await untilWaiting('finish_run')
    expect(said).toBe('')
    await lock.release()
    await read
    expect(said).toContain('ada@example.com')
    expect(await person.open()).toHaveLength(1)
  })

  it('calls no mail sent, and no search over, whose result is not stored', async () => {
    const user = await newUser('never')
    const { arrived, release } = holdReply(chat.model, [send, say('It is sent.')], 2)
    const stream = await streamMessage(chat.stack, user, { id: 'sent', text: ask })
    await stream.find(({ type }) => type === 'tool-output-available')
    const [row] = await admin`
      select count(*)::int as results from askback.entries where user_id = ${user.id} and type = 'result'`
    expect(row).toEqual({ results: 1 })
    await arrived
    release()
    await stream.ended
    expect(stream.parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' })
  })
})

/** Resolves once a call of that function waits for a lock. */
async function untilWaiting(name: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const rows = await admin`
          select 1 from pg_stat_activity
          where wait_event_type = 'Lock' and query like ${`%${name}%`} and pid <> pg_backend_pid()`
        return rows.length
      },
      { interval: 20 },
    )
    .toBeGreaterThan(0)
}
