import type OpenAI from 'openai'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, signUpWithMail } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { replyLate } from '../../support/late-reply.ts'
import { lockUntilReleased } from '../../support/locked-rows.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-server.ts'
import { OpenAiPerson } from '../../support/openai-person.ts'
import { type Part, type PartStream, readParts, streamMessage } from '../../support/part-stream.ts'
import { pidOf } from '../../support/pid-of.ts'
import { slowDown } from '../../support/slow-rpc.ts'

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

const url = () => `${chat.stack.url}/functions/v1/chat`
const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const ask = 'Say hello to ada@example.com'
const send = callTool('smtp_send_email', mail)
/** What people are shown once a call waits for somebody, or is over. */
const isCard = ({ type }: Part) => type === 'tool-approval-request' || type === 'data-question'
const isOutcome = ({ type }: Part) =>
  isCard({ type }) || /^tool-output|^data-tool-error|^data-closed/.test(type)

const newUser = (approval: 'always' | 'never' = 'always') => signUpWithMail(chat.stack, approval)

/** The model's replies in order. As it gives the one of that number, nothing of the user's runs can be stored. */
function lockAtReply(user: ChatUser, number: number, replies: readonly ModelServerReply[]) {
  const seen = chat.model.requests.length
  let found: (lock: Awaited<ReturnType<typeof lockUntilReleased>>) => void = () => {}
  const locked = new Promise<Awaited<ReturnType<typeof lockUntilReleased>>>((resolve) => {
    found = resolve
  })
  chat.model.use(async (request) => {
    if (request.number - seen === number)
      found(
        await lockUntilReleased(
          admin,
          (sql) => sql`select 1 from askback.runs where user_id = ${user.id} for update`,
        ),
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
      const stream = await streamMessage(url(), user, { id: 'late', text: ask })
      const card = await stream.find(isCard)
      const pressed = await press(user, 'late', card)
      expect(pressed).toMatchObject({ status: 200, answer: { status: 'completed', text: 'It is sent.' } })
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    } finally {
      await endSlowness()
    }
  })

  const followers: [string, (user: ChatUser) => Promise<PartStream>][] = [
    ['its client', (user) => streamMessage(url(), user, { id: 'held', text: ask })],
    [
      'another tab',
      async (user) => {
        const first = streamMessage(url(), user, { id: 'held', text: ask })
        await chat.model.waitForRequest()
        const response = await fetch(`${url()}/held/stream`, {
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
    const { arrived, release } = replyLate(chat.model, [send, say('It is sent.')], 2)
    const stream = await streamMessage(url(), user, { id: 'sent', text: ask })
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

describe('a process that is killed', () => {
  const message = { id: 'killed', text: ask, messageId: 'm-1' }
  const kill = () => process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
  /** The same message again, once it is known that its process has died. */
  const recover = async (user: ChatUser) => {
    await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
    await expireLeases(chat.stack, user.id)
    return await user.post({ id: message.id, message: ask, messageId: message.messageId })
  }

  it.each([
    ['before its card is stored', 'finish_run'],
    ['when its card is shown', undefined],
  ] as const)('%s: what was shown is open under its id, once, and can be pressed', async (_, storing) => {
    const user = await newUser()
    chat.model.use(({ body }) => (body.messages.at(-1)?.role === 'tool' ? say('It is sent.') : send))
    const endSlowness = await slowDown(admin, { name: 'finish_run', userId: user.id, seconds: 1.5 })
    const stream = await streamMessage(url(), user, message)
    try {
      await (storing ? untilAsked(storing) : stream.find(isCard))
      kill()
      await stream.ended
    } finally {
      await endSlowness()
    }
    const shown = stream.parts.filter(isCard).map(({ approvalId }) => approvalId)
    expect(shown).toHaveLength(storing ? 0 : 1)
    const { answer } = await recover(user)
    const items = await open(user)
    expect(items).toHaveLength(1)
    expect(answer.pending).toMatchObject(items.map(({ itemId }) => ({ itemId })))
    if (!storing) expect(items[0]?.itemId).toBe(shown[0])
    expect((await press(user, message.id, items[0])).answer).toMatchObject({ status: 'completed' })
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })
})

describe('a press while a run works', () => {
  const body = (text: string) => ({ id: 'working', message: text })

  it('waits for its end, and is carried out once', async () => {
    const user = await newUser()
    chat.model.use([send])
    const { answer } = await user.post(body(ask))
    const { arrived, release } = replyLate(chat.model, [say('Good day.'), say('It is sent.')])
    const working = user.post(body('Good day'))
    await arrived
    const pressed = [press(user, 'working', answer.pending?.[0]), press(user, 'working', answer.pending?.[0])]
    release()
    expect((await working).answer).toMatchObject({ status: 'completed', text: 'Good day.' })
    for (const { answer } of await Promise.all(pressed))
      expect(answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('approves nothing if that run has replaced its card, and leaves the newer one', async () => {
    const user = await newUser()
    chat.model.use([send])
    const { answer } = await user.post(body(ask))
    const { arrived, release } = replyLate(chat.model, [
      callTool('smtp_send_email', { ...mail, body: 'Bye' }),
    ])
    const working = user.post(body('Write Bye to ada@example.com instead'))
    await arrived
    const pressed = press(user, 'working', answer.pending?.[0])
    release()
    const newer = (await working).answer.pending
    expect(newer).toMatchObject([{ type: 'approval', values: { body: 'Bye' } }])
    expect(await pressed).toMatchObject({ status: 409, error: { code: 'already_decided' } })
    expect(await open(user)).toMatchObject([{ itemId: newer?.[0]?.itemId }])
    expect(await chat.stack.inbox.messages()).toEqual([])
  })

  it('approves nothing of an AI SDK client either, and shows it what became of the card', async () => {
    const user = await newUser()
    chat.model.use([send])
    const { answer } = await user.post(body(ask))
    const [item] = answer.pending ?? []
    const { arrived, release } = replyLate(chat.model, [
      callTool('smtp_send_email', { ...mail, body: 'Bye' }),
    ])
    const working = user.post(body('Write Bye to ada@example.com instead'))
    await arrived
    const parts = answer.message.parts.map((part) =>
      part.toolCallId === item?.toolCallId && part.type.startsWith('tool-')
        ? { ...part, state: 'approval-responded', approval: { id: item?.approvalId, approved: true } }
        : part,
    )
    const { id } = answer.message
    const request = {
      id: 'working',
      trigger: 'submit-message',
      messageId: id,
      messages: [{ ...answer.message, parts }],
    }
    const stream = readParts(
      await fetch(url(), {
        method: 'POST',
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      }),
    )
    release()
    const newer = (await working).answer.pending
    await stream.ended
    expect(stream.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-output-error', errorText: 'Asked again below.' }),
    )
    expect(await open(user)).toMatchObject([{ itemId: newer?.[0]?.itemId }])
    expect(await chat.stack.inbox.messages()).toEqual([])
  })
})

/** Resolves once a call of one of these functions is at work. */
async function untilAsked(...names: string[]): Promise<void> {
  await expect
    .poll(
      async () => {
        const rows = await admin`
          select 1 from pg_stat_activity
          where state = 'active' and query ~ ${names.join('|')} and pid <> pg_backend_pid()`
        return rows.length
      },
      { interval: 1 },
    )
    .toBeGreaterThan(0)
}

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
