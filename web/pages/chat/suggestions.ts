import type { demoSentences } from './start-words.ts'

interface Suggestion {
  name: keyof typeof demoSentences
  tools: readonly string[]
  /** What may be simulated on the local stack. */
  simulates?: 'search' | 'google'
}

/**
 * Suggestions for a first message, one per tool. In English none contains the name of a button, "Send" or "Stop", because
 * people find buttons by their names.
 */
export const suggestions: readonly Suggestion[] = [
  { name: 'mailTo', tools: ['smtp_send_email', 'gmail_send_email'] },
  { name: 'mail', tools: ['smtp_send_email', 'gmail_send_email'] },
  { name: 'document', tools: ['docs_create_document'] },
  { name: 'search', tools: ['web_search'], simulates: 'search' },
  { name: 'unread', tools: ['gmail_search_emails'], simulates: 'google' },
  { name: 'find', tools: ['docs_search'] },
]
