import type { KeptStore } from './kept-store.ts'
import type { ChatMessage } from './message.ts'

/** An unsent message; `left`: names of its files that were too large to keep, empty for unnamed ones. */
export interface Unsent {
  said: readonly ChatMessage[]
  left: readonly string[]
}

/** Characters of a message that outlive the page: a browser stores 5 million in total. */
const longestKept = 300_000

/** Keeps the messages after the last answer, by the ids they are sent with. */
export function keepUnsent(store: KeptStore, place: string, messages: readonly ChatMessage[]): void {
  const said = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  if (said.length > 0) store.write(place, { said, left: [] }, leaveLarge(said))
}

/** The kept messages that are not stored yet; nothing is kept any longer if there are none. */
export function findUnsent(
  store: KeptStore,
  place: string,
  stored: readonly ChatMessage[],
): Unsent | undefined {
  const known = new Set(stored.map(({ id }) => id))
  const { said, left } = store.read(place) as Unsent
  const unsent = said.filter(({ id }) => !known.has(id))
  if (unsent.length > 0) return { said: unsent, left }
  store.forget(place)
  return undefined
}

/** Drops files that are too large, keeping their names so that they can be attached again. */
function leaveLarge(said: readonly ChatMessage[]): Unsent {
  if (JSON.stringify(said).length <= longestKept) return { said, left: [] }
  const files = said.flatMap(({ parts }) => parts.filter((part) => part.type === 'file'))
  return {
    said: said.map((one) => ({ ...one, parts: one.parts.filter(({ type }) => type === 'text') })),
    left: files.map(({ filename = '' }) => filename),
  }
}
