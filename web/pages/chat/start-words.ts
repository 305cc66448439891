import { wordsOf } from '../../base/language.ts'

/** The sentences that the demo model understands, in English only. */
export const demoSentences = {
  mailTo: 'Write an email about the meeting to ada@example.com',
  mail: 'Write an email about the meeting',
  document: 'Create a document about the summer party',
  find: 'Find my documents about the party',
  search: 'Search the web for edge functions',
  unread: 'Show my unread emails',
}

/** The texts of the start page. */
export const startWords = wordsOf('start', {
  title: 'What can I do for you?',
  note: 'I ask when something is missing, and show you what I corrected.',
  /** The text in brackets becomes a link. */
  demoNote: 'You’re using the demo model: a few rules, not a language model. [Add a key] to use a real one.',
  suggestions: demoSentences,
  about: {
    mailTo: 'Corrects its own mistakes on the way',
    mail: 'Asks you who it’s for',
    document: 'Writes and saves it',
    find: 'Looks through your documents',
    search: 'Needs a search service first',
    unread: 'Needs Gmail first',
  },
  simulated: {
    search: 'Connect a search service first; it’s simulated here',
    google: 'Connect Gmail first; it’s simulated here',
  },
})
