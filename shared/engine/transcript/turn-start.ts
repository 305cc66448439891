import type { ClientCall, Entry, UserMessage } from './entry.ts'

/** Whether a turn begins with this entry: what a person wrote, or a call that a program made. */
export function beginsTurn(entry: Entry): entry is UserMessage | ClientCall {
  return entry.type === 'user-message' || entry.type === 'client-call'
}
