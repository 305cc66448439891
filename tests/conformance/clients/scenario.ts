import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type ChatStack, startChatStack } from '../../../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../../support/chat-user.ts'
import { replyLate } from '../../../support/late-reply.ts'
import { callTool, type ModelServerReply, say } from '../../../support/model-server.ts'
import { type ChatClient, openChat } from './chat-client.ts'
import { shown } from './read-stream.ts'
import { type ClientMessage, loadReact, loadVersion, resetsOnResume, type Version } from './versions.ts'

/** A conversation as it is stored. */
export interface StoredConversation {
  status: string
  messages: ClientMessage[]
  pending: { type: string; toolCallId: string; approvalId?: string; resumeAt?: string }[]
}

export const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const { to: _, ...withoutTo } = mail
export const ask = { text: 'Write hello to ada@example.com' }
export const sendMail = callTool('smtp_send_email', mail)
export const sendWithoutTo = callTool('smtp_send_email', withoutTo)
export const mailToAda = ['ada@example.com', 'Hi']

export const newId = () => randomUUID().replaceAll('-', '').slice(0, 16)
export const approvalIn = ({ parts }: ClientMessage) =>
  parts.find(({ state }) => state === 'approval-requested')?.approval?.id ?? ''
export const isClosed = ({ parts }: ClientMessage) =>
  !parts.some(({ state }) =>
    ['approval-requested', 'approval-responded', 'input-available', 'input-streaming'].includes(state ?? ''),
  )
export const textOf = ({ parts }: ClientMessage) => parts.map((part) => part.text ?? '').join('|')

/** A stack with a scripted model, and a user of it whose agent asks before every write. */
export class ClientScenario {
  readonly chat: ChatStack
  readonly user: ChatUser
  /** Where chat clients post to. */
  readonly api: string

  private constructor(chat: ChatStack, user: ChatUser) {
    this.chat = chat
    this.user = user
    this.api = `${chat.stack.url}/functions/v1/chat`
  }

  static async start(env: Record<string, string> = {}): Promise<ClientScenario> {
    const chat = await startChatStack(env)
    const user = await signUp(chat.stack)
    await giveAgent(chat.stack, user.id, 'always')
    return new ClientScenario(chat, user)
  }

  open(version: Version, id = newId(), more: Partial<Parameters<typeof openChat>[1]> = {}) {
    return this.openAs(this.user, version, id, more)
  }

  async openAs(
    { token }: { token: string },
    version: Version,
    id: string,
    more: Partial<Parameters<typeof openChat>[1]> = {},
  ): Promise<ChatClient> {
    const hook = { ai: await loadVersion(version), react: await loadReact(version) }
    return await openChat(hook, { api: this.api, token, id, ...more })
  }

  async stored(id: string): Promise<StoredConversation> {
    return (await this.user.get(`/conversations/${id}`)).body as StoredConversation
  }

  /** What the client shows is what is stored, and nothing more was asked for. */
  async expectSettled(client: ChatClient, posts: number): Promise<void> {
    await client.until(({ status }) => status === 'ready' || status === 'error')
    expect([client.chat.status, client.chat.error, client.posts()]).toEqual(['ready', undefined, posts])
    const { messages } = await this.stored(client.chat.id)
    expect(client.chat.messages.map(({ id, role }) => [id, role])).toEqual(
      messages.map(({ id, role }) => [id, role]),
    )
    const last = messages.at(-1) as ClientMessage
    expect(client.last().parts.map(shown)).toEqual(last.parts.map(shown))
    expect(client.last().metadata).toEqual(last.metadata)
  }

  /** A chat whose mail waits for approval. */
  async awaitApproval(version: Version, id?: string): Promise<ChatClient> {
    const client = await this.open(version, id)
    this.chat.model.use([sendMail, say('Sent.')])
    await client.chat.sendMessage(ask)
    expect(approvalIn(client.last())).not.toBe('')
    return client
  }

  /** As an app resumes: the versions that add to a message drop it first. */
  async resume(version: Version, client: ChatClient): Promise<void> {
    if (!resetsOnResume.includes(version) && client.last()?.role === 'assistant') {
      client.chat.setMessages(client.chat.messages.slice(0, -1))
    }
    await client.chat.resumeStream()
  }

  /** A script whose reply number `number` waits until it is released. */
  held(replies: ModelServerReply[], number: number) {
    return replyLate(this.chat.model, replies, number)
  }

  async mails(): Promise<(string | undefined)[][]> {
    return (await this.chat.stack.inbox.messages()).map(({ to, subject }) => [to[0], subject])
  }

  reconnect(id: string): Promise<Response> {
    return fetch(`${this.api}/${id}/stream`, { headers: { authorization: `Bearer ${this.user.token}` } })
  }

  /** As if the conversation's runs had ended a minute earlier. */
  async letAMinutePass(id: string): Promise<void> {
    await withDatabase(
      this.chat.stack,
      (sql) =>
        sql`update askback.runs set finished_at = finished_at - interval '61 s' where conversation_id = ${id}`,
    )
  }
}
