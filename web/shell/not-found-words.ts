import { wordsOf } from '../base/language.ts'

export const notFoundWords = wordsOf('notFound', {
  title: 'Page not found',
  note: 'There’s nothing at this address.',
  toChats: 'Go to your chats.',
})
