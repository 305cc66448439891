import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startChatApp } from '../../../support/chat-app.ts'
import { connectSmtp } from '../../../support/chat-user.ts'
import { decisionOn } from '../../../support/decision.ts'
import { callTool, fail, say } from '../../../support/model-server.ts'
import { type ChatClient, closeTabs } from './chat-client.ts'
import { readSse, shown } from './read-stream.ts'
import {
  approvalIn,
  ClientScenario,
  isClosed,
  mail,
  mailToAda,
  newId,
  sendWithoutTo,
  textOf,
} from './scenario.ts'
import { type ClientMessage, loadVersion, resetsOnResume, versions } from './versions.ts'

/*
 * Which client is tried with what, and where. `chats`, `waiting`, `interrupted`: `useChat` of @ai-sdk/react with
 * `DefaultChatTransport`, as published with ai 6.0.0, 6 (newest), 7.0.0, 7 (newest); `invoke`: `supabase.functions.invoke`,
 * its stream read by `readUIMessageStream` of each, its JSON, and our own `createAskback`; `openai`: the openai SDK.
 *
 * |                       | useChat                 | readUIMessageStream | invoke, JSON     | openai                    |
 * |---                    |---                      |---                  |---               |---                        |
 * | failed and corrected  | chats                   | invoke              | invoke           | openai                    |
 * | approval              | chats                   | invoke              | invoke           | a link; decided in the app |
 * | late                  | chats (1)               | invoke              | invoke           | openai: the same request  |
 * | double, two tabs      | chats, waiting          | invoke              | invoke           | none: it cannot decide    |
 * | edited                | chats: resumeStream (2) | invoke: the same    | `POST /approval` | openai: in the app        |
 * | form                  | chats: resumeStream (2) | invoke: the same    | `POST /answer`   | openai: in the app        |
 * | stop                  | chats, interrupted (3)  | invoke              | invoke           | openai: in the app        |
 * | resume                | chats, waiting (4)      | invoke              | by `messageId`   | openai: the same request  |
 * | offline and back      | chats (4)               | invoke              | invoke           | openai: lost connections  |
 * | connection            | waiting                 | as any other stream | `POST /resume`   | openai: a link            |
 * | the clock             | waiting                 | as any other stream | stack tests      | a link                    |
 * | silence, keep-alive   | waiting                 | reads comments      | none             | openai: opens while joined |
 * | killed process        | interrupted             | interrupted         | stack tests      | as a lost connection      |
 *
 * (1) 6.0.0 and 7.0.0 send no decision that stands in an earlier message. (2) A part has no field for an edited input or
 * for values: the app posts them. (3) `stop()` only closes the socket; the app posts `:id/stop`. (4) 6.0.0 and 7.0.0 add
 * what is told again to what they have, so the app drops the last message first; the hook of 6 hides from its chat that a
 * transport tells all again, so what was cut in the middle is shown twice unless the app makes the `Chat` itself.
 */

let scenario: ClientScenario

beforeAll(async () => {
  scenario = await ClientScenario.start()
  await connectSmtp(scenario.chat.stack, scenario.user.id)
})
afterAll(() => scenario?.chat.stop())
beforeEach(() => scenario.chat.stack.inbox.clear())
afterEach(closeTabs)

describe.each(versions)('a chat of %s', (version) => {
  const open = (id?: string, more?: Parameters<ClientScenario['open']>[2]) => scenario.open(version, id, more)
  const awaitApproval = (id?: string) => scenario.awaitApproval(version, id)
  const resume = (client: ChatClient) => scenario.resume(version, client)

  it('shows a failed attempt and its correction, and the answer as it is stored', async () => {
    const client = await open(newId(), { sendAutomaticallyWhen: 'tool calls' })
    scenario.chat.model.use([callTool('scrape_and_summarize', {}), sendWithoutTo, say('Hello.')])
    await client.chat.sendMessage({ text: 'Hello' })
    await scenario.expectSettled(client, 1)
    const failed = client.last().parts.filter(({ state }) => state === 'output-error')
    expect(failed.length).toBe(2)
    expect(failed[0]?.errorText).toMatch(/^Question: /)
  })

  it('goes on after an approval, once, also when it is clicked twice', async () => {
    const client = await awaitApproval()
    await scenario.expectSettled(client, 1)
    const id = approvalIn(client.last())
    const answer = { id, approved: true }
    await Promise.all([
      client.chat.addToolApprovalResponse(answer),
      client.chat.addToolApprovalResponse(answer),
    ])
    await client.until(({ status }) => status === 'ready' && isClosed(client.last()))
    await scenario.expectSettled(client, 2)
    expect(textOf(client.last())).toMatch(/Sent\.$/)
    expect(await scenario.mails()).toEqual([mailToAda])
  })

  it('goes on after a denial', async () => {
    const client = await awaitApproval()
    scenario.chat.model.use([say('All right, I will not.')])
    const id = approvalIn(client.last())
    await client.chat.addToolApprovalResponse({ id, approved: false, reason: 'Not today' })
    await client.until(({ status }) => status === 'ready' && isClosed(client.last()))
    await scenario.expectSettled(client, 2)
    expect(client.last().parts.some(({ state }) => state === 'output-denied')).toBe(true)
    expect(JSON.stringify(scenario.chat.model.requests.at(-1)?.body.messages)).toContain('Not today')
    expect(await scenario.mails()).toEqual([])
  })

  it('closes a decided call in every tab, whoever decided first', async () => {
    const first = await awaitApproval()
    const second = await open(first.chat.id, { messages: structuredClone(first.chat.messages) })
    const id = approvalIn(first.last())
    await first.chat.addToolApprovalResponse({ id, approved: true })
    await first.until(({ status }) => status === 'ready' && isClosed(first.last()))
    await second.chat.addToolApprovalResponse({ id, approved: false })
    await second.until(({ status }) => status === 'ready' && isClosed(second.last()))
    await scenario.expectSettled(first, 2)
    await scenario.expectSettled(second, 1)
    expect(await scenario.mails()).toEqual([mailToAda])
  })

  it('goes on in both tabs when they decide at once', async () => {
    const first = await awaitApproval()
    const second = await open(first.chat.id, { messages: structuredClone(first.chat.messages) })
    const id = approvalIn(first.last())
    for (const tab of [first, second]) tab.chat.addToolApprovalResponse({ id, approved: true })
    for (const tab of [first, second]) {
      await tab.until(({ status }) => status === 'ready' && isClosed(tab.last()))
    }
    await scenario.expectSettled(first, 2)
    await scenario.expectSettled(second, 1)
    expect(await scenario.mails()).toEqual([mailToAda])
  })

  it('takes an approval after other messages, where the version sends it', async () => {
    const client = await awaitApproval()
    const asked = client.last().id
    const id = approvalIn(client.last())
    scenario.chat.model.use([say('Good morning.'), say('Sent.')])
    await client.chat.sendMessage({ text: 'Good morning' })
    await client.chat.addToolApprovalResponse({ id, approved: true })
    const message = () => client.chat.messages.find((one) => one.id === asked) as ClientMessage
    if (!resetsOnResume.includes(version)) {
      expect([client.posts(), approvalIn(message()), await scenario.mails()]).toEqual([2, id, []])
      return
    }
    await client.chat.sendMessage()
    await client.until(({ status }) => status === 'ready' && isClosed(message()))
    expect([client.chat.error, client.posts()]).toEqual([undefined, 3])
    const { messages } = await scenario.stored(client.chat.id)
    const kept = messages.find((one) => one.id === asked) as ClientMessage
    expect(message().parts.map(shown)).toEqual(kept.parts.map(shown))
    expect(await scenario.mails()).toEqual([mailToAda])
  })

  it('posts nothing again when a decided call is no longer the one that was shown', async () => {
    const client = await awaitApproval()
    const path = `/${client.chat.id}/stop`
    await scenario.user.post(undefined, { path })
    await client.chat.addToolApprovalResponse({ id: `${approvalIn(client.last())}0`, approved: true })
    await client.chat.sendMessage()
    await client.until(({ status }) => status === 'ready')
    expect([client.chat.error, client.posts()]).toEqual([undefined, 2])
    expect(await scenario.mails()).toEqual([])
  })

  it('shows a call that was edited in its approval', async () => {
    const client = await awaitApproval()
    const { pending } = await scenario.stored(client.chat.id)
    const input = { ...mail, to: ['eve@example.com'], subject: 'Edited' }
    const decided = scenario.user.post(decisionOn(pending[0], 'approve', { input }), {
      path: `/${client.chat.id}/approval`,
    })
    await decided
    await resume(client)
    await scenario.expectSettled(client, 1)
    const sent = client.last().parts.find(({ state }) => state === 'output-available')
    expect(sent?.input).toMatchObject(input)
    expect(await scenario.mails()).toEqual([['eve@example.com', 'Edited']])
  })

  it('shows the call that a form completes, while it goes on', async () => {
    const client = await open()
    scenario.chat.model.use([sendWithoutTo, say('Who should get it?')])
    await client.chat.sendMessage({ text: 'Write hello' })
    await scenario.expectSettled(client, 1)
    const [question] = (await scenario.stored(client.chat.id)).pending
    expect(question?.type).toBe('input')
    const { arrived, release } = scenario.held([say('Sent.')], 1)
    const answered = scenario.user.post(
      { toolCallId: question?.toolCallId, values: { to: ['ada@example.com'] } },
      { path: `/${client.chat.id}/answer` },
    )
    expect((await answered).answer.status).toBe('needs_approval')
    await resume(client)
    await scenario.expectSettled(client, 1)
    const approved = client.chat.addToolApprovalResponse({ id: approvalIn(client.last()), approved: true })
    await arrived
    release()
    await approved
    await client.until(({ status }) => status === 'ready' && isClosed(client.last()))
    await scenario.expectSettled(client, 2)
    expect(await scenario.mails()).toEqual([mailToAda])
  })

  it('stops: the model is left, both tabs end, and the message stays', async () => {
    const client = await open()
    const seen = scenario.chat.model.requests.length
    scenario.chat.model.use([say('Once upon a time there was', { hang: true, afterChunks: 3 })])
    client.chat.sendMessage({ text: 'Tell me a story' })
    await client.until(() => client.last()?.parts.some((part) => part.text?.startsWith('Once')))
    const second = await open(client.chat.id, { messages: [client.chat.messages[0] as ClientMessage] })
    second.chat.resumeStream()
    await second.until(() => second.last()?.parts.some((part) => part.text?.startsWith('Once')))
    await client.chat.stop()
    await client.until(({ status }) => status === 'ready')
    const { answer } = await scenario.user.post(undefined, { path: `/${client.chat.id}/stop` })
    expect(answer).toMatchObject({ stopped: true })
    expect(await scenario.chat.model.requests[seen]?.ended).toEqual({ aborted: true })
    await second.until(({ status }) => status === 'ready')
    expect(second.chat.error).toBeUndefined()
    expect(textOf(second.last())).toMatch(/^\|Once upon.*Stopped\./s)
    expect((await scenario.stored(client.chat.id)).messages.length).toBe(2)
    expect([client.posts(), second.posts()]).toEqual([1, 0])
    scenario.chat.model.use([say('Good.')])
    await second.chat.sendMessage({ text: 'Thank you' })
    expect(textOf(second.last())).toBe('|Good.')
  })

  it('goes on without its client, who comes back to the whole message', async () => {
    // The hook of 6 hides from its chat that what it resumes is told from the start; a chat of the app's own knows.
    const client = await open(newId(), { ownChat: version === 'ai-6' })
    const { arrived, release } = scenario.held([callTool('scrape_and_summarize', {}), say('All of it.')], 2)
    const sent = client.chat.sendMessage({ text: 'Look around' })
    await arrived
    client.goOffline(true)
    await sent
    expect(client.chat.status).toBe('error')
    await client.chat.resumeStream()
    expect(client.chat.status).toBe('error')
    client.goOffline(false)
    const back = resume(client)
    release()
    await back
    await scenario.expectSettled(client, 1)
    expect(textOf(client.last())).toMatch(/All of it\./)
  })

  it('comes back to an end that nobody has read, however late', async () => {
    const client = await open(newId(), { ownChat: version === 'ai-6' })
    const { arrived, release } = scenario.held([say('At last.')], 1)
    const sent = client.chat.sendMessage({ text: 'Take your time' })
    await arrived
    client.goOffline(true)
    await sent
    release()
    await expect.poll(async () => (await scenario.stored(client.chat.id)).status).toBe('completed')
    await scenario.letAMinutePass(client.chat.id)
    client.goOffline(false)
    await resume(client)
    await scenario.expectSettled(client, 1)
    expect(textOf(client.last())).toBe('|At last.')
    await expect.poll(async () => (await scenario.reconnect(client.chat.id)).status).toBe(204)
  })

  it('is told the end again for a minute, then there is nothing to resume', async () => {
    const client = await open()
    await client.chat.resumeStream()
    expect([client.chat.status, client.chat.error]).toEqual(['ready', undefined])
    scenario.chat.model.use([say('Hello.')])
    await client.chat.sendMessage({ text: 'Hello' })
    await resume(client)
    await scenario.expectSettled(client, 1)
    await scenario.letAMinutePass(client.chat.id)
    const response = await scenario.reconnect(client.chat.id)
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  it('ends the answer to a message when another one is sent', async () => {
    const client = await open()
    const { arrived, release } = scenario.held([say('Never.'), say('Second.')], 1)
    const first = client.chat.sendMessage({ text: 'One' })
    await arrived
    await client.chat.sendMessage({ text: 'Two' })
    release()
    await first
    await client.until(({ status }) => status === 'ready')
    expect([client.chat.error, client.posts()]).toEqual([undefined, 2])
    const { messages } = await scenario.stored(client.chat.id)
    expect(messages.map(textOf)).toEqual(['One', expect.stringMatching(/Another message/), 'Two', '|Second.'])
  })

  it('regenerates and edits', async () => {
    const client = await open()
    scenario.chat.model.use([say('One.'), say('Two.'), say('Three.')])
    await client.chat.sendMessage({ text: 'A number' })
    await client.chat.regenerate()
    await scenario.expectSettled(client, 2)
    expect(textOf(client.last())).toBe('|Two.')
    const messageId = client.chat.messages[0]?.id ?? ''
    await client.chat.sendMessage({ text: 'Another number', messageId })
    await scenario.expectSettled(client, 3)
    expect(textOf(client.last())).toBe('|Three.')
  })

  it('sends a message again that was written offline', async () => {
    const client = await open()
    scenario.chat.model.use([say('Here I am.')])
    client.goOffline(true)
    await client.chat.sendMessage({ text: 'Anybody?' })
    expect(client.chat.status).toBe('error')
    client.goOffline(false)
    await client.chat.regenerate()
    await scenario.expectSettled(client, 2)
  })

  it('shows a sentence when the model is down, and goes on when it is back', async () => {
    const client = await open()
    scenario.chat.model.use(() => fail(400, { errorMessage: 'sk-secret is wrong' }))
    await client.chat.sendMessage({ text: 'Hello' })
    expect(client.chat.status).toBe('error')
    expect(client.chat.error?.message).toMatch(/\.$/)
    expect(client.chat.error?.message).not.toMatch(/sk-|[{}]|scripted-model|\d/)
    scenario.chat.model.use([say('Hello.')])
    await client.chat.regenerate()
    await scenario.expectSettled(client, 2)
  })

  it('shows another process what is stored, as it is stored', async () => {
    const elsewhere = startChatApp(scenario.chat)
    const client = await awaitApproval()
    const { arrived, release } = scenario.held([say('Sent.')], 1)
    await client.chat.addToolApprovalResponse({ id: approvalIn(client.last()), approved: true })
    await arrived
    const joined = elsewhere.get(`/${client.chat.id}/stream`, scenario.user.token)
    release()
    await client.until(({ status }) => status === 'ready' && isClosed(client.last()))
    const response = await joined
    expect(response.status).toBe(200)
    const { message, problems } = await readSse(await loadVersion(version), response.body as never)
    expect(problems).toEqual([])
    const { messages } = await scenario.stored(client.chat.id)
    expect(message.parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown))
    expect(message.metadata?.status).toBe('completed')
  })
})

it('the same POST of two tabs is one run, told alike to both, at once and again later', async () => {
  const body = {
    id: newId(),
    messages: [{ id: newId(), role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    trigger: 'submit-message',
  }
  const post = () =>
    fetch(scenario.api, {
      method: 'POST',
      headers: { authorization: `Bearer ${scenario.user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const seen = scenario.chat.model.requests.length
  const { arrived, release } = scenario.held([say('Hello you.')], 1)
  const tabs = [await post(), await post()]
  await arrived
  const texts = await Promise.all(
    tabs.map(async (tab) => {
      const reader = tab.body?.pipeThrough(new TextDecoderStream()).getReader()
      let all = (await reader?.read())?.value ?? ''
      // The model has not said a word.
      expect(all).toMatch(/^data: \{"type":"start","messageId":/)
      release()
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) all += next.value
      return all
    }),
  )
  expect(texts[0]).toBe(texts[1])
  expect(texts[0]).toMatch(/"delta":"Hello/)
  expect(texts[0]).toMatch(/data: \[DONE\]\n\n$/)
  const again = await readSse(await loadVersion('ai-7'), (await post()).body as never)
  const { messages } = await scenario.stored(body.id)
  expect(again.message.id).toBe(messages.at(-1)?.id)
  expect(again.message.parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown))
  expect(scenario.chat.model.requests.length).toBe(seen + 1)
})

it('the JSON form is streamed to who asks for it, and the other way round', async () => {
  scenario.chat.model.use([say('Streamed.'), say('Whole.')])
  const send = (accept: string, body: unknown) =>
    fetch(scenario.api, {
      method: 'POST',
      headers: { authorization: `Bearer ${scenario.user.token}`, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    })
  const streamed = await send('text/event-stream', { message: 'Hello' })
  const { message } = await readSse(await loadVersion('ai-6-floor'), streamed.body as never)
  expect(textOf(message)).toBe('|Streamed.')
  const ui = { message: { id: newId(), role: 'user', parts: [{ type: 'text', text: 'Hello' }] } }
  expect(await (await send('application/json', ui)).json()).toMatchObject({ text: 'Whole.' })
})
