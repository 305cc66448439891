import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { presets } from '../../../../shared/engine/models/protocol/presets.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { readModelId } from '../../../../shared/server/model-keys/model-choices.ts'
import { readConversationId } from './conversation-id.ts'
import type { RequestForm } from './request-form.ts'
import { makeTitle, type PostedMessage, readText, readUserMessage } from './user-message.ts'

/** What a client decided about a call that waited for approval, as its copy of the message says. */
export interface ClientDecision {
  messageId: string
  toolCallId: string
  approvalId: string
  approved: boolean
  reason?: string
}

/** Whom an OpenAI client says it asks for, kept with the run: words of the client, never an identity. */
export interface ClientNote {
  user?: string
  metadata?: Record<string, string>
}

/** What a POST asks for: the request of the RPC `begin_turn`, which knows the role of every id and decides. */
export interface TurnRequest {
  form: RequestForm
  conversationId?: string
  agentId?: string
  /** Chosen for the conversation, `provider/model`; null gives the choice back to the agent. */
  model?: string | null
  trigger?: 'submit-message' | 'regenerate-message'
  /** AI SDK forms: as sent. In the JSON form it is the id of the only message. */
  messageId?: string
  /** The trailing user messages, oldest first. */
  messages: PostedMessage[]
  lastMessage?: { id?: string; role: 'user' | 'assistant' }
  decisions: ClientDecision[]
  title?: string
  client?: ClientNote
}

/** Whether it decides on something that waits. */
export function decides({ decisions, trigger }: TurnRequest): boolean {
  return decisions.length > 0 && trigger !== 'regenerate-message'
}

/** Reads the body of a POST. Unknown keys are ignored; throws ApiError 400 or 413 with what to send instead. */
export function readTurnRequest(body: unknown, form: RequestForm): TurnRequest {
  if (!isObject(body)) throw bad('Send a JSON object, such as { "message": "Hello" }.')
  const common = {
    form,
    ...optional('conversationId', readConversationId(body)),
    ...optional('agentId', readShortText(body.agentId, 'agentId')),
    ...optional('model', readModel(body.model)),
  }
  const messageId = readShortText(body.messageId, 'messageId')
  if (form === 'json') {
    if (body.message === undefined) throw bad('"message" is missing. Send { "message": "Hello" }.')
    if (typeof body.message !== 'string') {
      throw bad(`"message" is a text, not ${String(body.message)}. Send { "message": "Hello" }.`)
    }
    const message = readText(body.message, messageId)
    return { ...common, messages: [message], decisions: [], title: makeTitle(message) }
  }
  const trigger = readTrigger(body.trigger)
  const given = readMessages(body)
  const last = given.at(-1)
  if (last === undefined) {
    throw bad(
      trigger === 'regenerate-message'
        ? 'There is no message to answer again. Send one first.'
        : '"messages" is empty. Send at least one message.',
    )
  }
  const messages = given
    .slice(given.findLastIndex((message) => message.role !== 'user') + 1)
    .map(readUserMessage)
  const title = messages.at(-1)
  return {
    ...common,
    ...optional('trigger', trigger),
    ...optional('messageId', messageId),
    messages,
    lastMessage: {
      ...optional('id', readShortText(last.id, 'id of a message')),
      role: last.role === 'user' ? 'user' : 'assistant',
    },
    decisions: given.flatMap(readDecisions),
    ...(title === undefined ? {} : { title: makeTitle(title) }),
  }
}

/** Everything but system messages: instructions are the agent's, never the client's. */
function readMessages(body: Record<string, unknown>): Record<string, unknown>[] {
  const list = body.messages ?? [body.message]
  if (!Array.isArray(list)) throw bad('"messages" is a list of messages.')
  return list
    .filter((entry) => entry !== undefined && entry !== null)
    .map((entry) => (typeof entry === 'string' ? { role: 'user', content: entry } : entry))
    .map((entry) => {
      if (isObject(entry) && ['user', 'assistant', 'system'].includes(String(entry.role))) return entry
      throw bad('Every message is an object with the role "user" or "assistant".')
    })
    .filter((entry) => entry.role !== 'system')
}

/** The answered approvals in an assistant message; what the message says otherwise is not looked at. */
function readDecisions({ id, role, parts }: Record<string, unknown>): ClientDecision[] {
  if (role !== 'assistant' || typeof id !== 'string' || !Array.isArray(parts)) return []
  return parts.flatMap((part) => {
    if (!isObject(part) || part.state !== 'approval-responded' || !isObject(part.approval)) return []
    const { id: approvalId, approved, reason } = part.approval
    if (typeof part.toolCallId !== 'string' || typeof approved !== 'boolean') return []
    // These clients always name what they were shown; without a name it may be anything.
    if (typeof approvalId !== 'string') return []
    return {
      messageId: id,
      toolCallId: part.toolCallId,
      approvalId,
      approved,
      ...(typeof reason === 'string' ? { reason: reason.slice(0, 2000) } : {}),
    }
  })
}

/** Whether there is a key for it is found out with the user's own keys. */
function readModel(value: unknown): string | null | undefined {
  if (value === null) return null
  const id = readShortText(value, 'model')
  if (id === undefined || readModelId(id)) return id?.trim()
  const known = Object.keys(presets).join(', ')
  throw bad(
    `"model" is a provider and a model, such as "openai/gpt-4.1-mini", not ${JSON.stringify(id)}. Providers are ${known}.`,
  )
}

function readTrigger(trigger: unknown): TurnRequest['trigger'] {
  if (trigger === undefined || trigger === null) return undefined
  if (trigger === 'submit-message' || trigger === 'regenerate-message') return trigger
  throw bad('"trigger" is "submit-message" or "regenerate-message".')
}

function readShortText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.length <= 200) return value
  throw bad(`"${name}" is a text of at most 200 characters.`)
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
