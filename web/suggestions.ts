/** Sentences to begin with (none is called like a button, "Send" or "Stop": people find those by their names), each for a tool; the demo model understands them all. */
export const suggestions: readonly { text: string; tools: readonly string[]; about: string }[] = [
  {
    text: 'Write an email about the meeting to ada@example.com',
    tools: ['smtp_send_email', 'gmail_send_email'],
    about: 'Corrects its own mistakes on the way',
  },
  {
    text: 'Write an email about the meeting',
    tools: ['smtp_send_email', 'gmail_send_email'],
    about: 'Asks you who it’s for',
  },
  {
    text: 'Create a document about the summer party',
    tools: ['docs_create_document'],
    about: 'Writes and saves it',
  },
  {
    text: 'Find my documents about the party',
    tools: ['docs_search'],
    about: 'Looks through your documents',
  },
  { text: 'Search the web for edge functions', tools: ['web_search'], about: 'Needs a search service first' },
  { text: 'Show my unread emails', tools: ['gmail_search_emails'], about: 'Needs Gmail first' },
]
