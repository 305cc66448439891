import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type KnownIds, nameId, type PlannedRequest, requests } from '../../support/arbitrary-requests.ts'
import {
  answerByWords,
  asksFor,
  createConversationApp,
  createSender,
} from '../../support/conversation-app.ts'
import { liftLimits } from '../../support/lift-limits.ts'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'
import { isTestAll } from '../../support/test-all.ts'
import { useDatabase } from '../../support/use-database.ts'

const { database, db } = useDatabase()
let model: ModelServer
let ask: ReturnType<typeof createConversationApp>

beforeAll(async () => {
  await liftLimits(database.sql)
  model = await startModelServer([])
  answerByWords(model)
  ask = createConversationApp(db, model)
})
afterAll(() => model?.close())

/** A conversation of a new user, another one of that user, and one of somebody else with the same id. */
class Attacked {
  readonly id = `c-${randomUUID()}`
  readonly elsewhere = `d-${randomUUID()}`
  readonly user: string
  private constructor(user: string) {
    this.user = user
  }

  static async create(): Promise<Attacked> {
    const attacked = new Attacked(await createSender(db))
    const stranger = await createSender(db)
    await ask(attacked.user, 'POST', '', { id: attacked.elsewhere, message: asksFor.approval })
    await ask(stranger, 'POST', '', {
      id: attacked.id,
      message: asksFor.approval,
      messageId: 'of-a-stranger',
    })
    return attacked
  }

  /** What the conversation holds, as far as ids go. */
  async known(): Promise<KnownIds> {
    const [row] = await db.service`
      with m as (select * from messages where user_id = ${this.user} and conversation_id = ${this.id}),
        i as (select * from open_items where user_id = ${this.user} and conversation_id = ${this.id}),
        e as (select id from messages where user_id = ${this.user} and conversation_id = ${this.elsewhere}),
        s as (select id from messages where user_id <> ${this.user} and conversation_id = ${this.id})
      select
        array(select id from m where role = 'user' and superseded_at is null order by position) as user,
        array(select id from m where role = 'assistant' and superseded_at is null order by position) as assistant,
        array(select id from m where superseded_at is not null order by position) as cut,
        array(select id from e union all select id from s) as elsewhere,
        array(select id from i where closed_at is null order by asked_at) as open,
        array(select id from i where closed_at is not null order by asked_at) as closed,
        array(select tool_call_id from i order by asked_at) as call`
    return row as unknown as KnownIds
  }

  async send(planned: PlannedRequest) {
    const known = await this.known()
    const place = { own: this.id, upper: this.id.toUpperCase(), elsewhere: this.elsewhere }[
      planned.conversation
    ]
    const name = (id: Parameters<typeof nameId>[0]) => nameId(id, known)
    const list = 'list' in planned ? planned.list : []
    const messages = list.map(({ role, id, words, decides }) => ({
      role,
      id: name(id),
      parts: [
        { type: 'text', text: asksFor[words] },
        ...(decides
          ? [
              {
                type: 'tool-smtp_send_email',
                state: 'approval-responded',
                toolCallId: name(decides.call),
                approval: { id: name(decides.item), approved: decides.approved },
              },
            ]
          : []),
      ],
    }))
    const post = (path: string, body: unknown, headers = {}) => ask(this.user, 'POST', path, body, headers)
    switch (planned.kind) {
      case 'ui': {
        const { trigger, messageId, isAlone, isStream } = planned
        const sent = isAlone ? { message: messages.at(-1) } : { messages }
        const accept = isStream ? 'text/event-stream' : 'application/json'
        return await post('', { id: place, trigger, messageId: name(messageId), ...sent }, { accept })
      }
      case 'json':
        return await post('', {
          id: place,
          message: asksFor[planned.words],
          messageId: name(planned.messageId),
        })
      case 'answer':
        return await post(`/${place}/answer`, {
          itemId: name(planned.itemId),
          toolCallId: name(planned.toolCallId),
          values: planned.values,
        })
      case 'approval': {
        const { approvalId, toolCallId, decision, input } = planned
        const named = { approvalId: name(approvalId), toolCallId: name(toolCallId) }
        return await post(`/${place}/approval`, { ...named, decision, input })
      }
      case 'skip':
        return await post(`/${place}/skip`, { itemId: name(planned.itemId) })
      case 'resume':
        return await post(`/${place}/resume`, { itemId: name(planned.itemId) })
      case 'stop':
        return await post(`/${place}/stop`, {})
      case 'feedback':
        return await post(`/conversations/${place}/feedback`, {
          messageId: name(planned.messageId),
          rating: 'good',
        })
      case 'change': {
        const { title, archived } = planned
        return await ask(this.user, 'PATCH', `/conversations/${place}`, { title, archived })
      }
      case 'delete':
        return await ask(this.user, 'DELETE', `/conversations/${place}`)
      case 'completion': {
        const message = name(planned.message)
        const headers = {
          'x-askback-conversation': place,
          ...(typeof message === 'string' ? { 'x-askback-message': encodeURIComponent(message) } : {}),
        }
        const told = list.map(({ role, words }) => ({ role, content: asksFor[words] }))
        return await post('/v1/chat/completions', { model: 'default', messages: told }, headers)
      }
    }
  }
}

/** No request is refused with anything but a code, and nothing about it is a fault of ours. */
function expectAnswer({ status, text, json }: Awaited<ReturnType<typeof ask>>): void {
  const isFault = status >= 500 || /internal_error|server_fault/.test(text)
  expect(isFault && `${status} ${text.slice(0, 300)}`).toBe(false)
  if (status >= 400 && json) expect(json.error.message).toMatch(/^[A-Z"].*\.$/s)
}

/** It can be read page by page, listed, continued and deleted, and every message in it says something. */
async function expectUsable({ user, id }: { user: string; id: string }): Promise<void> {
  const read = await ask(user, 'GET', `/conversations/${id}?times=true`)
  expect(read.status, read.text).toBe(200)
  const { messages } = read.json
  for (const { role, parts } of messages) expect(parts.length, role).toBeGreaterThan(0)
  expect(new Set(messages.map((message: { id: string }) => message.id)).size).toBe(messages.length)
  for (const message of messages) {
    const page = await ask(user, 'GET', `/conversations/${id}?before=${encodeURIComponent(message.id)}`)
    expect(page.status, page.text).toBe(200)
  }
  const stream = await ask(user, 'GET', `/${id}/stream`, undefined, { accept: 'text/event-stream' })
  expect([200, 204]).toContain(stream.status)
  expect(stream.text).not.toMatch(/"type":"error"/)
  const word = await ask(user, 'GET', '/conversations?query=mail')
  expect(word.status, word.text).toBe(200)
  const open = await ask(user, 'GET', '/open')
  expect(open.status, open.text).toBe(200)
  const archived = (await ask(user, 'GET', `/conversations/${id}`)).status
  expect(archived).toBe(200)
  const next = await ask(user, 'POST', '', { id, message: asksFor.words, messageId: `last-${randomUUID()}` })
  expect(next.status, next.text).toBe(200)
  expect(next.json).toMatchObject({ status: 'completed', text: 'Good.' })
  const list = await ask(user, 'GET', '/conversations')
  expect(list.json.conversations.map((one: { id: string }) => one.id)).toContain(id)
  const after = await ask(user, 'GET', `/conversations/${id}`)
  expect(after.json.messages.at(-1).parts.at(-1)).toMatchObject({ type: 'text', text: 'Good.' })
  expect((await ask(user, 'DELETE', `/conversations/${id}`)).status).toBe(200)
  expect((await ask(user, 'GET', `/conversations/${id}`)).status).toBe(404)
}

test('whatever POSTs say, the conversation can be read, listed, continued and deleted afterwards', {
  timeout: isTestAll ? 3_600_000 : 180_000,
}, async () => {
  for (const stream of ['log', 'error'] as const) vi.spyOn(console, stream).mockImplementation(() => {})
  await fc.assert(
    fc.asyncProperty(requests, async (planned) => {
      const attacked = await Attacked.create()
      await ask(attacked.user, 'POST', '', { id: attacked.id, message: asksFor.words, messageId: 'one-id' })
      for (const request of planned) expectAnswer(await attacked.send(request))
      const { status } = await ask(attacked.user, 'GET', `/conversations/${attacked.id}`)
      const isThere = planned.every(({ kind }) => kind !== 'delete') || status !== 404
      if (isThere) await expectUsable(attacked)
    }),
    { numRuns: isTestAll ? 1000 : 25 },
  )
})
