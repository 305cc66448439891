import type { Refusals } from './said.ts'

/** The words that come with a page before there is anything to read, in English; all others come with the pieces. */
export const firstEnglish = {
  /** BCP 47. Dates, numbers and lists are written as its readers write them, in their own region where it is known. */
  locale: 'en',

  // Where messages are written.
  message: 'Message',
  writeMessage: 'Write a message',
  changingMessage: 'You are changing an earlier message; what came after it is replaced.',
  send: 'Send',
  stop: 'Stop',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  attachFiles: 'Attach files',
  attachedFiles: 'Attached files',
  attachAgain: (names: string) => `Large files aren’t kept. Attach again: ${names}`,
  dropFiles: 'Drop files to attach them',
  removeItem: (name: string) => `Remove ${name}`,
  unnamedFile: 'A file',
  fileTooLarge: (name: string, most: string) => `“${name}” is larger than ${most}. Attach a smaller one.`,
  fileEmpty: (name: string) => `“${name}” is empty.`,
  fileUnreadable: (name: string) => `“${name}” couldn’t be read.`,
  filesTooLarge: (most: string) => `The files in one message can total ${most}.`,
  tooManyFiles: (most: number) => `A message can have up to ${most} files. Send the rest in another message.`,

  // The list of conversations.
  pinned: 'Pinned',
  lastDays: (count: number) => `Last ${count} days`,
  untitled: 'Untitled',
  waitsForYou: 'Waits for you',
  continuesLater: 'Continues later',
  showMore: 'Show more',

  notSent: 'Your last message wasn’t sent.',
  notSentNorFiles: (names: string) =>
    `Your last message wasn’t sent. Large files aren’t kept. Edit the message to attach them again: ${names}`,
  /** What the server says where it refuses a request, by code, where it is not English: docs/sentences.md. */
  refusals: {} as Refusals,
  connectionCut: 'Connection lost. Work continues; you’ll see it when you’re back online.',
  /** What an AskbackError says, by its code. */
  failures: {
    aborted: 'This was stopped.',
    disconnected: 'Connection lost. Work continues; load the conversation to see it.',
    failed: 'Something went wrong. Try again in a minute.',
    open_items_unread: 'Couldn’t load what’s waiting for you. Try again in a minute.',
    server_silent: 'The server isn’t answering. Try again in a minute.',
    signed_out: 'You are signed out. Sign in again.',
    tools_unread: 'Couldn’t load the tools. Try again in a minute.',
    too_many_attempts: 'Too many attempts. Wait a minute and try again.',
    too_much: 'This is too large to send. Send less at a time.',
    unreachable: 'Can’t reach the server. Check your connection and try again.',
  },
}
