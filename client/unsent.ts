import type { ChatMessage } from './api/message.ts'
import type { KeptStore } from './kept-store.ts'

/** Keeps the messages after the last answer, by the ids they are sent with. */
export function keepUnsent(store: KeptStore, place: string, messages: readonly ChatMessage[]): void {
  const said = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  if (said.length > 0) store.write(place, said, said)
}

/** The kept messages that are not stored yet; nothing is kept any longer if there are none. */
export function findUnsent(
  store: KeptStore,
  place: string,
  stored: readonly ChatMessage[],
): readonly ChatMessage[] | undefined {
  const known = new Set(stored.map(({ id }) => id))
  const unsent = (store.read(place) as readonly ChatMessage[]).filter(({ id }) => !known.has(id))
  if (unsent.length > 0) return unsent
  store.forget(place)
  return undefined
}
