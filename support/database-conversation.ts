import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import {
  type Answer,
  type DatabaseCalls,
  numbered,
  question,
  sent,
  textOf,
  userMessage,
} from './database-calls.ts'

/** What the history of a loaded turn says, message by message. */
export function spoken(turn: Answer): string[] {
  return turn.history.map(textOf)
}

/** A conversation of a new user, as the AI SDK's client has it. */
export class DatabaseConversation {
  readonly db: DatabaseCalls
  readonly user: string
  readonly id = `c-${randomUUID()}`

  constructor(db: DatabaseCalls, user: string) {
    this.db = db
    this.user = user
  }

  post(request: Record<string, unknown>): Promise<Answer> {
    return this.db.postUi(this.user, { conversationId: this.id, ...request })
  }

  /** The JSON form. */
  postText(messageId: string | undefined, text: string, facts: Record<string, string> = {}): Promise<Answer> {
    return this.db.postText(this.user, {
      conversationId: this.id,
      text,
      ...(messageId ? { messageId } : {}),
      ...facts,
    })
  }

  /** A user message and its answer; returns the turn as it was loaded. */
  async exchange(id: string, text: string, reply: string): Promise<Answer> {
    const turn = await this.post({ messages: [userMessage(id, text)] })
    expect(turn.kind).toBe('run')
    await this.db.finish(turn.runId, { text: reply })
    return turn
  }

  /** A turn that sent a mail. */
  async exchangeWithMail(id: string, text: string): Promise<Answer> {
    const turn = await this.post({ messages: [userMessage(id, text)] })
    const claim = await this.db.claim(turn.runId)
    await this.db.call('settle_invocation', this.user, claim.invocationId, 'succeeded', sent, 20)
    await this.db.finish(turn.runId, { text: 'Sent.' })
    return turn
  }

  /** A turn that ends with approvals that are asked for. */
  async awaitApproval(id = 'u1', calls = ['call-1']): Promise<Answer> {
    const turn = await this.post({ messages: [userMessage(id, 'Write to Ada.')] })
    await this.db.finish(turn.runId, {
      status: 'needs_approval',
      text: 'May I?',
      entries: numbered(calls.map((toolCallId) => question({ toolCallId }))),
    })
    return turn
  }

  /** The client's POST after a click on approve or deny. */
  decide(
    messageId: string,
    approved: boolean,
    toolCallId = 'call-1',
    facts: Record<string, unknown> = {},
  ): Promise<Answer> {
    return this.post({
      messageId,
      lastMessage: { id: messageId, role: 'assistant' },
      decisions: [{ messageId, toolCallId, approvalId: `${toolCallId}.asked`, approved, reason: 'because' }],
      ...facts,
    })
  }

  /** As its page shows it. */
  page(): Promise<Answer> {
    return this.db.call('get_conversation', this.user, this.id)
  }

  async texts(): Promise<string[]> {
    return (await this.page()).messages.map(textOf)
  }
}
