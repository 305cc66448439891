import { wordsOf } from '../../base/language.ts'

export const inboxWords = wordsOf('inbox', {
  title: 'Test inbox',
  note: 'Emails sent from here land here instead of being delivered. None of them left your machine.',
  empty: 'Empty the inbox',
  emptied: 'The inbox is empty.',
  notEmptied: 'Couldn’t empty the inbox.',
  notLoaded: 'Couldn’t load the inbox. Is Askback still running?',
  none: 'No emails yet. Ask an agent to send one. A restart empties the inbox.',
  noSubject: '(no subject)',
  mail: 'Mail',
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  replyTo: 'Reply to',
  messageId: 'Message ID',
  attachments: 'Attachments',
  unnamed: 'unnamed',
  asItLooks: 'Email preview',
  text: 'Text',
  headers: 'All headers',
})
