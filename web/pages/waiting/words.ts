import { wordsOf } from '../../base/language.ts'

export const waitingWords = wordsOf('waiting', {
  title: 'Waiting for you',
  note: 'Questions and approvals from all your chats, oldest first.',
  none: 'Nothing is waiting for you.',
  later: 'Continues by itself',
  forGroups: 'For your groups',
  asksFor: (agent: string, name: string) => `${agent} asks, for ${name}`,
  fromChat: 'From the chat',
  notify: 'Notify me in this browser',
  notifyBlocked: 'Your browser blocks notifications from this site. Allow them in its settings.',
})
