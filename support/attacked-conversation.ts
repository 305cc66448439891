import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { expect } from 'vitest'
import { type KnownIds, type NamedId, nameId, type PlannedRequest } from './arbitrary-requests.ts'
import { asksFor } from './conversation-app.ts'
import type { Reply } from './function-app.ts'

/** What a test looks at. */
type Answer = Pick<Reply, 'status' | 'text' | 'json'>

/** A user's requests for `/chat…`. */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

/** Of whom, and how to ask for them. */
export interface Person {
  user: string
  ask: Ask
}

/** A conversation of a new user, another one of that user, and one of somebody else with the same id. */
export class AttackedConversation {
  readonly id = `c-${randomUUID()}`
  private readonly elsewhere = `d-${randomUUID()}`
  private readonly user: string
  private readonly ask: Ask
  private readonly sql: Sql

  private constructor({ user, ask }: Person, sql: Sql) {
    this.user = user
    this.ask = ask
    this.sql = sql
  }

  static async create(person: Person, stranger: Person, sql: Sql): Promise<AttackedConversation> {
    const attacked = new AttackedConversation(person, sql)
    const { id, elsewhere } = attacked
    await person.ask('POST', '', { id: elsewhere, message: asksFor.approval })
    await stranger.ask('POST', '', { id, message: asksFor.approval, messageId: 'of-a-stranger' })
    await person.ask('POST', '', { id, message: asksFor.words, messageId: 'one-id' })
    return attacked
  }

  /** What the conversation holds, as far as ids go. */
  async known(): Promise<KnownIds> {
    const [row] = await this.sql`
      with m as (select * from askback.messages where user_id = ${this.user} and conversation_id = ${this.id}),
        i as (select * from askback.open_items where user_id = ${this.user} and conversation_id = ${this.id}),
        e as (select id from askback.messages where user_id = ${this.user} and conversation_id = ${this.elsewhere}),
        s as (select id from askback.messages where user_id <> ${this.user} and conversation_id = ${this.id})
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
    const name = (id?: NamedId) => nameId(id, known)
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
    const post = (path: string, body: unknown, headers = {}) => this.ask('POST', path, body, headers)
    switch (planned.kind) {
      case 'ui': {
        const { trigger, messageId, seen, isAlone, isStream } = planned
        const sent = isAlone ? { message: messages.at(-1) } : { messages }
        const named = { id: place, trigger, messageId: name(messageId), seen: seen?.map(name) }
        const accept = isStream ? 'text/event-stream' : 'application/json'
        return await post('', { ...sent, ...named }, { accept })
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
        return await this.ask('PATCH', `/conversations/${place}`, { title, archived })
      }
      case 'delete':
        return await this.ask('DELETE', `/conversations/${place}`)
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
export function expectAnswer({ status, text, json }: Answer): void {
  const isFault = status >= 500 || /internal_error|server_fault/.test(text)
  expect(isFault && `${status} ${text.slice(0, 300)}`).toBe(false)
  if (status >= 400 && json) expect(json.error.message).toMatch(/^[A-Z"].*\.$/s)
}

/** It can be read page by page, listed, continued and deleted, and every message in it says something. */
export async function expectUsable({ ask }: Person, id: string): Promise<void> {
  const read = await ask('GET', `/conversations/${id}?times=true`)
  expect(read.status, read.text).toBe(200)
  const { messages } = read.json
  for (const { role, parts } of messages) expect(parts.length, role).toBeGreaterThan(0)
  expect(new Set(messages.map((message: { id: string }) => message.id)).size).toBe(messages.length)
  for (const message of messages) {
    const page = await ask('GET', `/conversations/${id}?before=${encodeURIComponent(message.id)}`)
    expect(page.status, page.text).toBe(200)
  }
  const stream = await ask('GET', `/${id}/stream`, undefined, { accept: 'text/event-stream' })
  expect([200, 204]).toContain(stream.status)
  expect(stream.text).not.toMatch(/"type":"error"/)
  const word = await ask('GET', '/conversations?query=mail')
  expect(word.status, word.text).toBe(200)
  const open = await ask('GET', '/open')
  expect(open.status, open.text).toBe(200)
  const archived = (await ask('GET', `/conversations/${id}`)).status
  expect(archived).toBe(200)
  const next = await ask('POST', '', { id, message: asksFor.words, messageId: `last-${randomUUID()}` })
  expect(next.status, next.text).toBe(200)
  expect(next.json).toMatchObject({ status: 'completed', text: 'Good.' })
  const list = await ask('GET', '/conversations')
  expect(list.json.conversations.map((one: { id: string }) => one.id)).toContain(id)
  const after = await ask('GET', `/conversations/${id}`)
  expect(after.json.messages.at(-1).parts.at(-1)).toMatchObject({ type: 'text', text: 'Good.' })
  expect((await ask('DELETE', `/conversations/${id}`)).status).toBe(200)
  expect((await ask('GET', `/conversations/${id}`)).status).toBe(404)
}
