import {
  languageHeader,
  type RequestReader,
  readReader,
  timeZoneHeader,
} from '../../../../shared/api/reader.ts'
import { ParameterError } from './openai-error.ts'

/** What a client says about its request in headers. Each is absent if not given. */
export interface ClientChat {
  /** The chat. */
  conversation?: string
  /** The user's message. */
  message?: string
  /** The front end says of the chat that it keeps nothing of it. */
  isTemporary: boolean
  /** The front end asks for its own purposes: for a title and the like. */
  isTask: boolean
  /** Who reads the answer, as far as it is said. */
  reader: RequestReader
  /** A header contains a placeholder that the front end did not know. */
  hasPlaceholder: boolean
}

/** Characters of a chat's name. */
const longestName = 200

/** How Open WebUI names chats that it doesn't keep: all of a browser tab's have one name, so it is none. */
const temporary = /^(?:temporary|local):/

/**
 * Reads the headers. An unset placeholder arrives as an empty header, an unknown one as it was written: both count as
 * absent. Throws ParameterError.
 */
export function readClientChat(headers: Headers): ClientChat {
  let hasPlaceholder = false
  const read = (name: string): string | undefined => {
    const value = headers.get(name)?.trim() ?? ''
    const isPlaceholder = value.includes('{{')
    hasPlaceholder ||= isPlaceholder
    return value === '' || isPlaceholder ? undefined : value
  }
  const named = read('x-askback-conversation')
  const forwarded = read('x-openwebui-chat-id')
  const conversation = named ?? forwarded
  const message = read('x-askback-message')
  const isTask = read('x-askback-task') !== undefined
  for (const header of [timeZoneHeader, languageHeader]) read(header)
  if (conversation !== undefined && conversation.length > longestName) {
    const header = named === undefined ? 'x-openwebui-chat-id' : 'x-askback-conversation'
    const { length } = conversation
    throw new ParameterError(header, { why: 'chat_name_too_long', header, length, most: longestName })
  }
  const isTemporary = temporary.test(conversation ?? '')
  return {
    conversation: conversation === undefined || isTemporary ? undefined : conversation,
    message,
    reader: readReader(headers),
    isTemporary,
    isTask,
    hasPlaceholder,
  }
}
