import {
  createClient,
  FunctionsFetchError,
  FunctionsHttpError,
  type SupabaseClient,
} from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { createAskback } from '../../../client/askback.ts'
import type { ChatAnswer } from '../../../supabase/functions/chat/answer/chat-answer.ts'
import { connectSmtp } from '../../../support/chat-user.ts'
import { decisionOn } from '../../../support/decision.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { type ReadMessage, readSse, shown } from './read-stream.ts'
import {
  approvalIn,
  ask,
  ClientScenario,
  isClosed,
  mail,
  mailToAda,
  newId,
  sendMail,
  sendWithoutTo,
  textOf,
} from './scenario.ts'
import { type AiModule, type ClientMessage, loadVersion, versions } from './versions.ts'

// `supabase.functions.invoke`, whose stream `readUIMessageStream` of each version reads, and its JSON form. It sends
// nothing by itself and repeats nothing: what is counted here is what the model was asked, and what was sent.

let scenario: ClientScenario
let supabase: SupabaseClient

beforeAll(async () => {
  scenario = await ClientScenario.start()
  const { chat, user } = scenario
  await connectSmtp(chat.stack, user.id)
  supabase = createClient(chat.stack.url, chat.stack.keys.publishableKey, {
    realtime: { transport: WebSocket as never },
    accessToken: async () => user.token,
  })
})
afterAll(() => scenario?.chat.stop())
beforeEach(() => scenario.chat.stack.inbox.clear())

type Method = 'GET' | 'POST'
async function invoke<Answer>(path: string, body?: object, method: Method = 'POST'): Promise<Answer> {
  const options = body === undefined ? { method } : { method, body: body as Record<string, unknown> }
  const { data, error } = await supabase.functions.invoke<Answer>(path, options)
  expect(error).toBeNull()
  return data as Answer
}
const userMessage = (text: string): ClientMessage => ({
  id: newId(),
  role: 'user',
  parts: [{ type: 'text', text }],
})
/** As clients decide: the part says so. */
const decided = (message: ClientMessage, approved: boolean): ClientMessage => ({
  ...message,
  parts: message.parts.map((part) =>
    part.state === 'approval-requested' && part.approval
      ? { ...part, state: 'approval-responded', approval: { id: part.approval.id, approved } }
      : part,
  ),
})
const last = async (id: string) => (await scenario.stored(id)).messages.at(-1) as ClientMessage
/** What is read is what is stored. */
async function expectStored(id: string, { message, problems }: ReadMessage): Promise<void> {
  expect(problems).toEqual([])
  expect(message.parts.map(shown)).toEqual((await last(id)).parts.map(shown))
}

describe.each(versions)('a stream, read by readUIMessageStream of %s,', (version) => {
  let ai: AiModule
  beforeAll(async () => {
    ai = await loadVersion(version)
  })
  const read = async (path: string, body: object | undefined, message?: ClientMessage) => {
    const response = await invoke<Response>(path, body, body === undefined ? 'GET' : 'POST')
    return await readSse(ai, response.body as never, message)
  }
  async function awaitApproval() {
    const id = newId()
    const first = userMessage(ask.text)
    scenario.chat.model.use([sendMail, say('Sent.')])
    const { message } = await read('chat', { id, messages: [first], trigger: 'submit-message' })
    expect(approvalIn(message)).not.toBe('')
    return { id, first, message }
  }

  it('shows a failed attempt, its correction, and an approval, which goes on once, sent twice at once', async () => {
    const id = newId()
    const first = userMessage(ask.text)
    const { model } = scenario.chat
    const asked = model.requests.length
    model.use([callTool('scrape_and_summarize', {}), sendMail, say('Sent.')])
    const begun = await read('chat', { id, messages: [first], trigger: 'submit-message' })
    await expectStored(id, begun)
    expect(begun.message.parts.map(({ state }) => state)).toContain('output-error')
    const body = { id, messages: [first, decided(begun.message, true)], messageId: begun.message.id }
    const both = await Promise.all([1, 2].map(() => read('chat', body, decided(begun.message, true))))
    for (const one of both) {
      await expectStored(id, one)
      expect(isClosed(one.message)).toBe(true)
    }
    expect(await scenario.mails()).toEqual([mailToAda])
    expect(model.requests.length).toBe(asked + 3)
  })

  it('is decided late, and otherwise by another tab: both are told what came of it', async () => {
    const { id, first, message } = await awaitApproval()
    scenario.chat.model.use([say('Good morning.'), say('Sent.')])
    const second = userMessage('Good morning')
    const greeting = await read('chat', { id, messages: [first, message, second] })
    const late = (approved: boolean) =>
      read(
        'chat',
        {
          id,
          messages: [first, decided(message, approved), second, greeting.message],
          messageId: message.id,
        },
        decided(message, approved),
      )
    const sent = await late(true)
    const denied = await late(false)
    const stored = (await scenario.stored(id)).messages.find((one) => one.id === message.id) as ClientMessage
    for (const tab of [sent, denied]) {
      expect(tab.problems).toEqual([])
      expect(tab.message.parts.map(shown)).toEqual(stored.parts.map(shown))
    }
    expect(await scenario.mails()).toEqual([mailToAda])
  })

  it('shows from the start what was edited, or completed by a form', async () => {
    const { id } = await awaitApproval()
    const [approval] = (await scenario.stored(id)).pending
    const input = { ...mail, subject: 'Edited' }
    await invoke(`chat/${id}/approval`, decisionOn(approval, 'approve', { input }))
    const edited = await read(`chat/${id}/stream`, undefined)
    await expectStored(id, edited)
    expect(edited.message.parts.find(({ state }) => state === 'output-available')?.input).toMatchObject(input)

    const asked = newId()
    scenario.chat.model.use([sendWithoutTo, say('Who should get it?')])
    await expectStored(asked, await read('chat', { id: asked, messages: [userMessage('Write hello')] }))
    const [question] = (await scenario.stored(asked)).pending
    const values = { to: ['ada@example.com'] }
    await invoke(`chat/${asked}/answer`, { toolCallId: question?.toolCallId, values })
    const completed = await read(`chat/${asked}/stream`, undefined)
    await expectStored(asked, completed)
    expect(approvalIn(completed.message)).not.toBe('')
  })

  it('ends when it is stopped, and is told again to who was away', async () => {
    const id = newId()
    const { model } = scenario.chat
    model.use([say('Once upon a time there was', { hang: true, afterChunks: 3 })])
    const gone = await invoke<Response>('chat', { id, messages: [userMessage('Tell me a story')] })
    const reader = gone.body?.getReader()
    await reader?.read()
    // As if the connection were lost: the run goes on.
    await reader?.cancel()
    const back = read(`chat/${id}/stream`, undefined)
    await expect
      .poll(async () => (await invoke<{ stopped: boolean }>(`chat/${id}/stop`, {})).stopped)
      .toBe(true)
    for (const { message, problems } of [await back, await read(`chat/${id}/stream`, undefined)]) {
      expect(problems).toEqual([])
      expect(textOf(message)).toMatch(/Stopped\./)
      expect(isClosed(message)).toBe(true)
    }
  })
})

describe('the JSON form', () => {
  it('says what failed, asks, and sends once, approved twice at once, late, and once more', async () => {
    const id = newId()
    const { model } = scenario.chat
    model.use([callTool('scrape_and_summarize', {}), sendMail, say('Good morning.'), say('Sent.')])
    const asked = await invoke<ChatAnswer>('chat', { id, message: ask.text })
    expect(asked.toolsUsed).toMatchObject([{ ok: false, error: { errorType: 'missing_parameter' } }])
    const [pending] = asked.pending ?? []
    expect(pending?.type).toBe('approval')
    expect((await invoke<ChatAnswer>('chat', { id, message: 'Good morning' })).text).toBe('Good morning.')
    const { toolCallId, approvalId } = pending ?? {}
    const approve = () =>
      invoke<ChatAnswer>(`chat/${id}/approval`, { toolCallId, approvalId, decision: 'approve' })
    const [first, second] = await Promise.all([approve(), approve()])
    const third = await approve()
    for (const answer of [first, second, third]) expect(answer.text).toBe('Sent.')
    expect(new Set([first, second, third].map(({ runId }) => runId)).size).toBe(1)
    expect(await scenario.mails()).toEqual([mailToAda])
  })

  it('is stopped, is lost and found again by its messageId, and its errors are read from the response', async () => {
    const id = newId()
    const { arrived, release } = scenario.held([say('At last.')], 1)
    const body = { id, message: 'Think', messageId: 'm-1' }
    const lost = new AbortController()
    const first = supabase.functions.invoke('chat', { body, signal: lost.signal })
    await arrived
    lost.abort()
    expect((await first).error).toBeInstanceOf(FunctionsFetchError)
    const again = invoke<ChatAnswer>('chat', body)
    release()
    expect((await again).text).toBe('At last.')
    expect(await invoke(`chat/${id}/stop`, {})).toMatchObject({ stopped: false })
    const { error } = await supabase.functions.invoke('chat', { body: { id, message: '' } })
    expect(error).toBeInstanceOf(FunctionsHttpError)
    expect(await (error as FunctionsHttpError).context.json()).toMatchObject({
      error: { code: 'empty_message' },
    })
  })
})

describe('createAskback', () => {
  const askback = () => createAskback(supabase)

  it('sends, streams, answers, approves, goes on, and keeps the conversations', async () => {
    const { model } = scenario.chat
    const { send, stream, answer, approve, resume, stop, conversations } = askback()
    model.use([sendWithoutTo, say('Who should get it?')])
    const asked = await send({ message: 'Write hello' })
    const { conversationId: id, pending: [form] = [] } = asked
    expect([asked.status, form?.type]).toEqual(['needs_input', 'input'])
    const completed = await answer(id, form?.itemId ?? '', { to: ['ada@example.com'] })
    const [approval] = completed.pending ?? []
    expect(approval?.type).toBe('approval')
    model.use([say('Sent.')])
    const { toolCallId = '', approvalId = '' } = approval ?? {}
    expect((await approve(id, toolCallId, { decision: 'approve', approvalId })).text).toBe('Sent.')
    expect(await scenario.mails()).toEqual([mailToAda])

    model.use([say('Good morning.')])
    const parts = []
    for await (const part of await stream({ id, message: 'Good morning' })) parts.push(part)
    expect(parts[0]).toMatchObject({ type: 'start', messageMetadata: { conversationId: id } })
    expect(parts.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { status: 'completed' } })
    expect(await stop(id)).toEqual({ conversationId: id, runId: null, stopped: false })
    await expect(resume(id)).rejects.toMatchObject({ status: 404, code: 'nothing_pending' })

    expect((await conversations.list({ limit: 1 })).conversations.map((one) => one.id)).toEqual([id])
    expect(await conversations.change(id, { title: 'Hello', pinned: true })).toEqual({
      id,
      title: 'Hello',
      pinned: true,
    })
    expect((await conversations.get(id)).messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(await conversations.delete(id)).toEqual({ deleted: id })
    await expect(conversations.get(id)).rejects.toMatchObject({
      status: 404,
      message: 'You have no conversation with this id.',
    })
  })

  it('connects, tests, orders and removes accounts, and runs a tool by hand', async () => {
    const { connections, tools, runTool } = askback()
    const { host, port, user, password } = scenario.chat.stack.smtp
    const values = { host, port, user, password, from: 'second@example.com' }
    const wrong = connections.create('smtp', { ...values, password: 'wrong' }, 'Second')
    await expect(wrong).rejects.toMatchObject({ status: 422, code: 'connection_test_failed' })
    await expect(connections.create('smtp', { host: 5 })).rejects.toMatchObject({
      status: 422,
      problems: expect.arrayContaining([expect.objectContaining({ parameter: expect.any(String) })]),
    })
    const { connection } = await connections.create('smtp', values, 'Second')
    expect(await connections.test(connection.id)).toMatchObject({ ok: true })
    await connections.change(connection.id, { label: 'Other' })
    const listed = (await connections.list()).find(({ id }) => id === 'smtp')?.connections
    expect(listed?.map(({ label }) => label)).toContain('Other')
    expect(await connections.delete(connection.id)).toMatchObject({ deleted: connection.id })
    const test = (await tools()).find(({ name }) => name === 'smtp_test_connection')
    expect(test?.title).not.toBe('')
    if (test) expect(await runTool(test, {})).toMatchObject({ ok: true })
  })

  it('says in words what is refused', async () => {
    const { send, stream } = askback()
    await expect(send({ message: 'x'.repeat(1024 * 1024 + 1) })).rejects.toMatchObject({
      status: 413,
      code: 'message_too_large',
      message: 'The message is longer than 1 MiB. Send a shorter one, or several.',
    })
    await expect(stream({ message: ' ' })).rejects.toMatchObject({
      status: 400,
      code: 'empty_message',
      message: 'The message is empty. Write something first.',
    })
    const { stack } = scenario.chat
    const stranger = createClient(stack.url, stack.keys.publishableKey, {
      realtime: { transport: WebSocket as never },
      accessToken: async () => 'expired',
    })
    const { conversations, stream: open } = createAskback(stranger)
    for (const refused of [() => conversations.list(), () => open({ message: 'Hello' })]) {
      await expect(refused()).rejects.toMatchObject({
        status: 401,
        code: 'unauthorized',
        message: expect.stringMatching(/^[A-Z].*\.$/),
      })
    }
  })
})
