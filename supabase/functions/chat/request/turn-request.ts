import type { z } from 'zod'
import { jsonTurn, uiTurn } from '../../../../shared/api/turn.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { parseRequest } from '../../../../shared/server/http/parse-request.ts'
import type { RequestForm } from './request-form.ts'
import { makeTitle, type PostedMessage, readText, readUserMessage } from './user-message.ts'

/** A client's decision about a call that waited for approval, in its copy of the message. */
export interface ClientDecision {
  messageId: string
  toolCallId: string
  approvalId: string
  approved: boolean
  reason?: string
}

/** Whom an OpenAI client says it asks for, stored with the run: the client's claim, never an identity. */
export interface ClientNote {
  user?: string
  metadata?: Record<string, string>
}

/** The request of a POST, for the RPC `begin_turn`, which knows the role of every id and decides what it means. */
export interface TurnRequest {
  form: RequestForm
  conversationId?: string
  agentId?: string
  /** The model for the conversation, `provider/model`; null gives the choice back to the agent. */
  model?: string | null
  trigger?: 'submit-message' | 'regenerate-message'
  /** AI SDK forms: as sent. In the JSON form it is the id of the only message. */
  messageId?: string
  /** The trailing user messages, oldest first. */
  messages: PostedMessage[]
  lastMessage?: { id?: string; role: 'user' | 'assistant' }
  /** Ids of the newest messages that the client shows, if it says so. */
  seen?: string[]
  decisions: ClientDecision[]
  title?: string
  /** What a new conversation belongs to in the app. */
  scope?: string
  client?: ClientNote
  /** Of the user. */
  timezone?: string
}

/** Whether it decides something that is waiting. */
export function decides({ decisions, trigger }: TurnRequest): boolean {
  return decisions.length > 0 && trigger !== 'regenerate-message'
}

/** Reads the body of a POST. Unknown keys are ignored; throws ApiError 400 or 413 with what to send instead. */
export function readTurnRequest(body: unknown, form: RequestForm): TurnRequest {
  return form === 'json' ? readJsonForm(body) : readUiForm(body)
}

function readJsonForm(body: unknown): TurnRequest {
  const { message: text, messageId, ...given } = parseRequest(jsonTurn, body)
  const message = readText(text, messageId)
  return { form: 'json', ...placeOf(given), messages: [message], decisions: [], title: makeTitle(message) }
}

function readUiForm(body: unknown): TurnRequest {
  const {
    message,
    messages: list = [message],
    messageId,
    trigger,
    seen,
    ...given
  } = parseRequest(uiTurn, body)
  // Instructions are the agent's, never the client's.
  const dialogue = list.filter((one) => one !== undefined).filter(({ role }) => role !== 'system')
  const last = dialogue.at(-1)
  if (last === undefined) {
    const why = trigger === 'regenerate-message' ? 'nothing_to_regenerate' : 'no_messages'
    throw new ApiError('bad_request', { why })
  }
  const messages = dialogue
    .slice(dialogue.findLastIndex(({ role }) => role !== 'user') + 1)
    .map((one) => readUserMessage(one))
  const title = messages.at(-1)
  return {
    form: 'ui',
    ...placeOf(given),
    ...optional('trigger', trigger),
    ...optional('messageId', messageId),
    messages,
    lastMessage: {
      ...optional('id', readLastId(last.id)),
      role: last.role === 'user' ? 'user' : 'assistant',
    },
    ...optional('seen', seen),
    decisions: dialogue.flatMap(readDecisions),
    ...(title === undefined ? {} : { title: makeTitle(title) }),
  }
}

type Place = Pick<
  z.output<typeof jsonTurn>,
  'id' | 'conversationId' | 'agentId' | 'model' | 'scope' | 'timezone'
>

function placeOf({ id, conversationId, agentId, model, scope, timezone }: Place) {
  return {
    ...optional('conversationId', id ?? conversationId),
    ...optional('agentId', agentId),
    ...optional('model', model),
    ...optional('scope', scope),
    ...optional('timezone', timezone),
  }
}

/** The answered approvals in an assistant message; the rest of the message is ignored. */
function readDecisions({ id, role, parts }: Record<string, unknown>): ClientDecision[] {
  if (role !== 'assistant' || typeof id !== 'string' || !Array.isArray(parts)) return []
  return parts.flatMap((part) => {
    if (!isObject(part) || part.state !== 'approval-responded' || !isObject(part.approval)) return []
    const { id: approvalId, approved, reason } = part.approval
    if (typeof part.toolCallId !== 'string' || typeof approved !== 'boolean') return []
    // These clients always name what they were shown; without an id it could be anything.
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

function readLastId(id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return undefined
  if (typeof id === 'string' && id.length <= 200) return id
  throw new ApiError('bad_request', { why: 'last_id_unfit' })
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }
}
