import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** Names below `chat/` that are routes, so no conversation can have them. The table has the same list. */
const reserved = ['conversations', 'v1', 'ag-ui', 'files', 'open', '.', '..']

/** Reads `id`, or `conversationId`, which is the same. Throws ApiError 400, also where the two differ. */
export function readConversationId(body: Record<string, unknown>): string | undefined {
  const ids = ['id', 'conversationId'].flatMap((name) => {
    const id = body[name]
    return id === undefined || id === null ? [] : [check(name, id)]
  })
  if (ids.length === 2 && ids[0] !== ids[1]) {
    throw bad(`"id" (${ids[0]}) and "conversationId" (${ids[1]}) name two conversations. Send one of them.`)
  }
  return ids[0]
}

function check(name: string, id: unknown): string {
  if (typeof id === 'string' && /^[A-Za-z0-9._~-]{1,64}$/.test(id) && !reserved.includes(id)) return id
  throw bad(
    `"${name}" names the conversation: 1 to 64 letters, digits, ".", "_", "~" or "-", and none of ${reserved.slice(0, 4).join(', ')}.`,
  )
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_conversation_id', sentence)
}
