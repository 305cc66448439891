import type { Askback, ConversationQuery } from './askback.ts'
import type { ConversationPage } from './message.ts'

/** Conversations from the first page on, until there are as many as `wanted`. */
export async function readConversations(
  askback: Askback,
  query: ConversationQuery,
  wanted: number,
): Promise<ConversationPage> {
  let read = await askback.conversations.list(query)
  while (read.next && read.conversations.length < wanted) read = await readOn(askback, query, read)
  return read
}

/** What was read with the page after it. */
export async function readOn(
  askback: Askback,
  query: ConversationQuery,
  read: ConversationPage,
): Promise<ConversationPage> {
  const page = await askback.conversations.list({ ...query, before: read.next })
  const known = new Set(read.conversations.map(({ id }) => id))
  // One that has moved up meanwhile is in both.
  const others = page.conversations.filter(({ id }) => !known.has(id))
  return { ...page, conversations: [...read.conversations, ...others] }
}
