import { wordsOf } from '../../base/language.ts'

export const archivedWords = wordsOf('archived', {
  title: 'Archived',
  note: 'You can still search archived conversations. Writing in one moves it back to your list.',
  none: 'No archived conversations.',
  list: 'Archived conversations',
  restore: 'Restore',
  restoreThis: (title: string) => `Restore ${title}`,
  deleteThis: (title: string) => `Delete ${title}`,
})
