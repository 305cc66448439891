import type { demoSentences } from './pages/chat/start-words.ts'

/**
 * Sentences to begin with, each for a tool. In English none is called like a button, "Send" or "Stop": people find those
 * by their names.
 */
export const suggestions: readonly { name: keyof typeof demoSentences; tools: readonly string[] }[] = [
  { name: 'mailTo', tools: ['smtp_send_email', 'gmail_send_email'] },
  { name: 'mail', tools: ['smtp_send_email', 'gmail_send_email'] },
  { name: 'document', tools: ['docs_create_document'] },
  { name: 'find', tools: ['docs_search'] },
  { name: 'search', tools: ['web_search'] },
  { name: 'unread', tools: ['gmail_search_emails'] },
]
