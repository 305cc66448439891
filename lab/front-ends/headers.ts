import { headerOf, type TaskName } from './prompts.ts'
import type { Headers } from './scene.ts'

/** What a client's request belongs to. */
interface Place {
  chatId: string
  /** Of all chats in it that are not kept. */
  tabId: string
  /** Of the user's message. */
  messageId: string
  /** Empty for a message. */
  task: TaskName | ''
}

/** The headers that a connection adds to a request. */
export function headersOf(headers: Headers = 'none', place: Place): Record<string, string> {
  const named = (conversation: string, message: string, forItself: string) => ({
    'x-askback-conversation': conversation,
    'x-askback-message': message,
    'x-askback-task': forItself,
  })
  const { chatId, tabId, messageId, task } = place
  switch (headers) {
    case 'none':
      return {}
    case 'named':
      return named(chatId, messageId, task && headerOf(task))
    case 'no task':
      return { 'x-askback-conversation': chatId, 'x-askback-message': messageId }
    case 'temporary':
      return named(`temporary:${tabId}`, messageId, task && headerOf(task))
    case 'chat':
      return { 'x-openwebui-chat-id': chatId }
    case 'unset':
      return named('', '', '')
    case 'unknown':
      return named('{{CHAT_ID}}', '{{USER_MESSAGE_ID}}', '{{TASK}}')
  }
}
