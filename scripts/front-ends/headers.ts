import { headerOf, type TaskName } from './prompts.ts'
import type { Headers } from './scene.ts'

/** What a client's request belongs to. */
interface Place {
  chatId: string
  /** The number of the user's message, from 1. */
  turn: number
  /** Empty for a message. */
  task: TaskName | ''
}

/** The headers that a connection adds to a request. */
export function headersOf(headers: Headers = 'none', { chatId, turn, task }: Place): Record<string, string> {
  const named = (conversation: string, message: string, forItself: string) => ({
    'x-askback-conversation': conversation,
    'x-askback-message': message,
    'x-askback-task': forItself,
  })
  const messageId = `${chatId}-${turn}`
  switch (headers) {
    case 'none':
      return {}
    case 'named':
      return named(chatId, messageId, task && headerOf(task))
    case 'no task':
      return { 'x-askback-conversation': chatId, 'x-askback-message': messageId }
    case 'chat':
      return { 'x-openwebui-chat-id': chatId }
    case 'unset':
      return named('', '', '')
    case 'unknown':
      return named('{{CHAT_ID}}', '{{USER_MESSAGE_ID}}', '{{TASK}}')
  }
}
