import { wordsOf } from '../../language.ts'

/** What the demo model understands: no other language. */
export const demoSentences = {
  mailTo: 'Write an email about the meeting to ada@example.com',
  mail: 'Write an email about the meeting',
  document: 'Create a document about the summer party',
  find: 'Find my documents about the party',
  search: 'Search the web for edge functions',
  unread: 'Show my unread emails',
}

/** What the start page says. */
export const startWords = wordsOf('start', {
  title: 'What can I do for you?',
  note: 'I ask when something is missing, and show you what I corrected.',
  /** What stands in brackets is a link. */
  demoNote: 'The demo model answers: a few rules, no language model. [Add a key] for a real one.',
  suggestions: demoSentences,
  about: {
    mailTo: 'Corrects its own mistakes on the way',
    mail: 'Asks you who it’s for',
    document: 'Writes and saves it',
    find: 'Looks through your documents',
    search: 'Needs a search service first',
    unread: 'Needs Gmail first',
  },
})
