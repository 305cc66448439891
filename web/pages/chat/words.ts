import { wordsOf } from '../../language.ts'

/** The texts of a conversation besides its components: loaded with the first one. */
export const chatWords = wordsOf('chat', {
  missing:
    'This chat isn’t in your account. A link from another chat app opens only in the account whose token it uses.',
  tryAgain: 'Try again',
  newest: 'Newest message',
  waiting: 'Waiting for you',
  several: (count: number) => `${count} approvals: decide several at once`,
  next: (place: number, count: number) => `${place} of ${count} · Next`,
  stop: 'Stop',
  writeInstead: 'Write a message instead',

  copy: 'Copy',
  copyCode: 'Copy code',
  copied: 'Copied',
  notCopied: 'Couldn’t copy this. Select the text and copy it yourself.',
  edit: 'Edit message',
  again: 'Regenerate',
  againTitle: 'Answer again',
  good: 'Good answer',
  bad: 'Bad answer',

  code: 'Code',
  table: 'Table',
  tableOf: (columns: string) => `Table: ${columns}`,
  task: 'Task',
  picture: (name: string) => (name === '' ? '[picture]' : `[picture: ${name}]`),
})
