import { showDate } from '../locale.ts'
import type { ConversationSummary } from '../message.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Conversations by how long ago they were, in their order; the pinned ones by themselves. */
export function groupByDay(
  conversations: readonly ConversationSummary[],
  now = new Date(),
): { day: string; conversations: ConversationSummary[] }[] {
  const groups: { day: string; conversations: ConversationSummary[] }[] = []
  for (const conversation of conversations) {
    const day = conversation.pinned ? 'Pinned' : nameDay(new Date(conversation.updatedAt), now)
    const group = groups.find((one) => one.day === day)
    if (group) group.conversations.push(conversation)
    else groups.push({ day, conversations: [conversation] })
  }
  return groups
}

function nameDay(date: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(date)) / dayMs)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= 7) return 'Last 7 days'
  if (days <= 30) return 'Last 30 days'
  return showDate(date, 'month')
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
