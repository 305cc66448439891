import type { ConversationPage } from './api/message.ts'
import type { Askback, ConversationQuery } from './askback.ts'

/** Loads pages of conversations until there are `wanted` of them. */
export async function readConversations(
  askback: Askback,
  query: ConversationQuery,
  wanted: number,
): Promise<ConversationPage> {
  let read = await askback.conversations.list(query)
  while (read.next && read.conversations.length < wanted) read = await readOn(askback, query, read)
  return read
}

/** The pages read so far, with the next one. */
export async function readOn(
  askback: Askback,
  query: ConversationQuery,
  read: ConversationPage,
): Promise<ConversationPage> {
  const page = await askback.conversations.list({ ...query, before: read.next })
  const known = new Set(read.conversations.map(({ id }) => id))
  // A conversation that has moved up since is on both pages.
  const others = page.conversations.filter(({ id }) => !known.has(id))
  return { ...page, conversations: [...read.conversations, ...others] }
}
