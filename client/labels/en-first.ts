/** The English labels that the page needs before anything is read; all others are loaded with the components. */
export const firstEnglish = {
  /** BCP 47. Dates, numbers and lists use it, with the reader's own region if known. */
  locale: 'en',

  // The composer.
  message: 'Message',
  writeMessage: 'Write a message',
  changingMessage: 'You’re editing an earlier message. Everything after it will be replaced.',
  send: 'Send',
  stop: 'Stop',
  cancel: 'Cancel',
  attachFiles: 'Attach files',
  attachedFiles: 'Attached files',
  dropFiles: 'Drop files to attach them',
  removeItem: (name: string) => `Remove ${name}`,
  unnamedFile: 'A file',
  removed: (name: string) => `Removed: ${name}`,

  // The list of conversations.
  pinned: 'Pinned',
  lastDays: (count: number) => `Last ${count} days`,
  untitled: 'Untitled',
  waitsForYou: 'Waiting for you',
  continuesLater: 'Continues later',
  showMore: 'Show more',

  notSent: 'Your last message wasn’t sent.',
  notAnswered: 'Your last message wasn’t answered.',
  connectionCut: 'Connection lost. You’ll see the result here once it’s back.',
  /** The sentences of an AskbackError, by code. */
  failures: {
    aborted: 'This was stopped.',
    disconnected: 'Connection lost. Open the conversation to see the result.',
    failed: 'Something went wrong. Try again in a minute.',
    interrupted: 'The answer was interrupted.',
    open_items_unread: 'Couldn’t load what’s waiting for you. Try again in a minute.',
    server_silent: 'The server isn’t answering. Try again in a minute.',
    signed_out: 'You are signed out. Sign in again.',
    too_many_attempts: 'Too many attempts. Wait a minute and try again.',
    too_much: 'This is too large to send. Send less at a time.',
    unreachable: 'Can’t reach the server. Check your connection and try again.',
  },
}
