import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** Characters of a title. */
const limit = 200

/** What of a conversation is changed; what is absent stays. */
export interface ConversationChange {
  title?: string
  pinned?: boolean
  archived?: boolean
}

/** Reads `PATCH conversations/:id`: at least one of `title` (1 to 200 characters), `pinned`, `archived`. Throws ApiError 400. */
export function readConversationChange(body: unknown): ConversationChange {
  const { title, pinned, archived } = isObject(body) ? body : {}
  const change: ConversationChange = {}
  if (title !== undefined) change.title = readTitle(title)
  if (pinned !== undefined) change.pinned = readSwitch('pinned', pinned)
  if (archived !== undefined) change.archived = readSwitch('archived', archived)
  if (Object.keys(change).length > 0) return change
  throw bad('Send at least one of "title", "pinned" and "archived", such as { "pinned": true }.')
}

function readTitle(value: unknown): string {
  const title = typeof value === 'string' ? value.trim() : ''
  if (title !== '' && Array.from(title).length <= limit) return title
  throw bad(`Send { "title": "…" } with 1 to ${limit} characters.`)
}

function readSwitch(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw bad(`"${name}" is true or false, not ${JSON.stringify(value)}.`)
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
