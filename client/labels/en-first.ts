/** The words that come with a page before there is anything to read, in English; all others come with the pieces. */
export const firstEnglish = {
  /** BCP 47. Dates, numbers and lists are written as its readers write them, in their own region where it is known. */
  locale: 'en',

  connectionCut: 'Connection lost. Work continues; you’ll see it when you’re back online.',
  fileUnreadable: (name: string) => `“${name}” couldn’t be read.`,
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
