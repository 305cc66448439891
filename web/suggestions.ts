import type { demoSentences } from './pages/chat/start-words.ts'

/**
 * Suggestions for a first message, one per tool. In English none contains the name of a button, "Send" or "Stop", because
 * people find buttons by their names.
 */
export const suggestions: readonly { name: keyof typeof demoSentences; tools: readonly string[] }[] = [
  { name: 'mailTo', tools: ['smtp_send_email', 'gmail_send_email'] },
  { name: 'mail', tools: ['smtp_send_email', 'gmail_send_email'] },
  { name: 'document', tools: ['docs_create_document'] },
  { name: 'find', tools: ['docs_search'] },
  { name: 'search', tools: ['web_search'] },
  { name: 'unread', tools: ['gmail_search_emails'] },
]
