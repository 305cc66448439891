import type { RefusalCode } from '../../../../shared/api/refusals.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** The database's refusals, by code: HTTP status, and what to do about it. */
const refusals: Partial<Record<RefusalCode, readonly [number, string]>> = {
  agent_not_found: [404, 'You have no such agent.'],
  already_decided: [
    409,
    'This was already decided differently, or has been asked again since. Reload the conversation to see the result.',
  ],
  conversation_not_found: [404, 'You have no such conversation.'],
  file_not_found: [400, 'A file of this message is no longer stored here. Attach it again.'],
  item_not_found: [404, 'Nothing in this conversation has that id. Take it from "pending".'],
  message_id_taken: [
    409,
    'This message id was used for another message of this conversation. Use a new one.',
  ],
  message_not_found: [404, 'This conversation has no such message.'],
  no_message: [400, 'There is no message to answer.'],
  not_due: [409, 'It is not time to continue yet.'],
  nothing_pending: [404, 'Nothing in this conversation is waiting for that.'],
  too_many_messages: [413, 'At most 100 new messages can be sent at once.'],
  unknown_user: [401, 'This account no longer exists. Sign in again.'],
}

/** A refusal by the RPCs that start a run, as an API error. */
export function beginRefused(code: string): Error {
  const known = code as RefusalCode
  const [status, sentence] = refusals[known] ?? []
  return status && sentence
    ? new ApiError(status, known, sentence)
    : new Error(`The database refused a request with the code "${code}", which has no sentence yet.`)
}
