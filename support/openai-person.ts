import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ChatStack } from './chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp, withDatabase } from './chat-user.ts'
import { decisionOn } from './decision.ts'
import { callTool, type ModelServerReply, type ModelServerRequest, say } from './model-server.ts'

export type Message = ChatCompletionMessageParam

export const asked = (content: string): Message => ({ role: 'user', content })
export const answered = (content: string): Message => ({ role: 'assistant', content })

/** An answer of an agent, with the run that wrote it. */
export interface Completion {
  content: string
  runId: string | null | undefined
}

/** A person with a mail account, whose agents are used with the SDK of OpenAI and a token. */
export class OpenAiPerson {
  readonly user: ChatUser
  /** Sends at once. */
  readonly agent: string
  /** Asks before it sends. */
  readonly cautious: string
  readonly client: OpenAI
  readonly #chat: ChatStack

  private constructor(chat: ChatStack, user: ChatUser, agents: [string, string], client: OpenAI) {
    this.#chat = chat
    this.user = user
    this.agent = agents[0]
    this.cautious = agents[1]
    this.client = client
  }

  static async arrive(chat: ChatStack): Promise<OpenAiPerson> {
    const user = await signUp(chat.stack)
    const agents: [string, string] = [
      await giveAgent(chat.stack, user.id, 'never'),
      await giveAgent(chat.stack, user.id, 'always'),
    ]
    await connectSmtp(chat.stack, user.id)
    return new OpenAiPerson(chat, user, agents, await newClient(chat, user))
  }

  /** The same person in another program. */
  async withAnotherToken(): Promise<OpenAiPerson> {
    const client = await newClient(this.#chat, this.user)
    return new OpenAiPerson(this.#chat, this.user, [this.agent, this.cautious], client)
  }

  /** One more agent, which asks before it sends, or not. */
  anotherAgent(approval: 'always' | 'never'): Promise<string> {
    return giveAgent(this.#chat.stack, this.user.id, approval)
  }

  async ask(
    messages: Message[],
    { headers = {}, model = this.agent }: { headers?: Record<string, string>; model?: string } = {},
  ): Promise<Completion> {
    const completion = await this.client.chat.completions.create({ model, messages }, { headers })
    return {
      content: completion.choices[0]?.message.content ?? '',
      runId: completion._request_id,
    }
  }

  /** The same, piece by piece. */
  async askForStream(
    messages: Message[],
    { headers = {}, model = this.agent }: { headers?: Record<string, string>; model?: string } = {},
  ): Promise<string> {
    const stream = await this.client.chat.completions.create({ model, messages, stream: true }, { headers })
    let content = ''
    for await (const { choices } of stream) content += choices[0]?.delta.content ?? ''
    return content
  }

  /** What is open, as the app lists it. */
  async open(): Promise<{ conversationId: string; toolCallId: string; approvalId: string }[]> {
    const { body } = await this.user.get('/open')
    return (body as { items: { conversationId: string; toolCallId: string; approvalId: string }[] }).items
  }

  /** Decides on what has been open for the shortest time. */
  async decide(decision: 'approve' | 'deny'): Promise<void> {
    const item = (await this.open()).at(-1)
    await this.user.post(decisionOn(item, decision), { path: `/${item?.conversationId}/approval` })
  }

  /** As if so many hours had passed. */
  async wait(hours: number): Promise<void> {
    await withDatabase(this.#chat.stack, async (sql) => {
      const by = sql`make_interval(secs => ${hours * 3600})`
      const { id } = this.user
      await sql`
        update askback.conversations set created_at = created_at - ${by}, updated_at = updated_at - ${by}
        where user_id = ${id}`
      await sql`
        update askback.runs set started_at = started_at - ${by}, finished_at = finished_at - ${by}
        where user_id = ${id}`
      await sql`update askback.tool_executions set created_at = created_at - ${by} where user_id = ${id}`
      await sql`
        update askback.open_items set
          asked_at = asked_at - ${by}, expires_at = expires_at - ${by}, closed_at = closed_at - ${by}
        where user_id = ${id}`
    })
  }
}

export async function newClient(chat: ChatStack, user: ChatUser): Promise<OpenAI> {
  const functions = `${chat.stack.url}/functions/v1`
  const response = await fetch(`${functions}/integration-settings/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `A client ${randomUUID()}` }),
  })
  const { token } = (await response.json()) as { token: { value: string } }
  return new OpenAI({ apiKey: token.value, baseURL: `${functions}/chat/v1`, maxRetries: 0 })
}

const address = /[\w.]+@example\.com/g

/**
 * A model that is only too willing: whatever it reads, it writes to the address that was named last, if it may. `about`
 * another subject each time: nobody can tell by that whether it means the same mail.
 */
export function eagerModel({ body }: ModelServerRequest): ModelServerReply {
  const { messages = [], tools = [] } = body
  if (messages.at(-1)?.role === 'tool') return say('I sent it.')
  const words = messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content))
  const to = words.join('\n').match(address)?.at(-1)
  if (to === undefined || tools.length === 0) return say('All right.')
  const subject = /about (\w+)/.exec(words.at(-1) ?? '')?.[1] ?? 'lunch'
  return callTool('smtp_send_email', { to: [to], subject, body: 'Hello.' })
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '')
  return content.map((part) => String((part as { text?: string }).text ?? '')).join('\n')
}
