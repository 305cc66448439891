import type { RefusalCode } from '../../../../shared/api/refusals.ts'
import { versionRefused } from '../../../../shared/server/database/version-refused.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** The database's refusals, by code: what happened, and what to do about it. */
const sentences: Partial<Record<RefusalCode, string>> = {
  agent_not_found: 'You have no such agent.',
  already_decided:
    'This was already decided differently, or has been asked again since. Reload the conversation to see the result.',
  conversation_not_found: 'You have no such conversation.',
  file_not_found: 'A file of this message is no longer stored here. Attach it again.',
  item_not_found: 'Nothing in this conversation has that id. Take it from "pending".',
  message_id_taken: 'The id of this message belongs to another message. Give each message an id of its own.',
  message_not_found: 'This conversation has no such message.',
  newer_messages:
    'This would replace newer messages that were not shown here yet. Read them first, then try again.',
  no_message: 'There is no message to answer.',
  not_due: 'It is not time to continue yet.',
  nothing_pending: 'Nothing in this conversation is waiting for that.',
  too_many_permissions: 'This agent has 200 standing permissions. Revoke some of them first.',
  too_many_messages: 'At most 100 new messages can be sent at once.',
}

/** A refusal by the RPCs that start a run, as an API error. */
export function beginRefused(code: string): Error {
  const known = code as RefusalCode
  if (known === 'version_not_accepted') return versionRefused()
  const sentence = sentences[known]
  return sentence !== undefined
    ? new ApiError(known, sentence)
    : new Error(`The database refused a request with the code "${code}", which has no sentence yet.`)
}
