import type { KeptStore } from './kept-store.ts'
import type { ChatMessage } from './message.ts'

/** What the user has said; `left`: names of its files that were too large to be kept, empty where one has none. */
export interface Unsent {
  said: readonly ChatMessage[]
  left: readonly string[]
}

/** Characters of a message that are kept beyond the page: a browser keeps 5 million in all. */
const longestKept = 300_000

/** Keeps what the user has said after the last answer, by the ids that it is sent with. */
export function keepUnsent(store: KeptStore, place: string, messages: readonly ChatMessage[]): void {
  const said = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  if (said.length > 0) store.write(place, { said, left: [] }, leaveLarge(said))
}

/** What of that is not among the stored messages; forgotten where there is nothing. */
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

/** Of files that are too large the names, to be attached again. */
function leaveLarge(said: readonly ChatMessage[]): Unsent {
  if (JSON.stringify(said).length <= longestKept) return { said, left: [] }
  const files = said.flatMap(({ parts }) => parts.filter((part) => part.type === 'file'))
  return {
    said: said.map((one) => ({ ...one, parts: one.parts.filter(({ type }) => type === 'text') })),
    left: files.map(({ filename = '' }) => filename),
  }
}
