import { wordsOf } from '../base/language.ts'

/** The texts of menus, dialogs and the search: loaded with the first one. */
export const menuWords = wordsOf('menus', {
  close: 'Close',
  closeMenu: 'Close menu',
  cancel: 'Cancel',
  keep: 'Keep it',
  delete: 'Delete',

  pin: 'Pin',
  unpin: 'Unpin',
  rename: 'Rename',
  export: 'Export',
  archive: 'Archive',
  restore: 'Restore',
  archived: 'Conversation archived.',
  restored: 'Conversation restored.',
  deleteQuestion: 'Delete this conversation?',
  deleteNote: (title: string) =>
    `“${title}” and everything said in it will be deleted. What was sent stays sent.`,
  deleted: 'Conversation deleted.',

  conversation: 'Conversation',
  attached: (file: string) => `Attached: ${file}`,
  aFile: 'a file',

  none: (search: string) => `No results for “${search}”.`,
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  moreThan: (count: number) => `More than ${count} results`,

  shortcuts: {
    newChat: 'New chat',
    search: 'Search conversations',
    move: 'Move between conversations (← → for the menu)',
    turn: 'Page through the conversation',
    send: 'Send',
    newLine: 'New line',
    stop: 'Stop the answer',
    list: 'Show this list',
  },
})
