import { showDate, showRelative } from '../../../shared/words/locale.ts'
import type { ConversationSummary } from '../../api/message.ts'
import type { Labels } from '../../labels/en.ts'
import { capitalise } from '../../values/capitalise.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Groups conversations by age, in their order, with the pinned ones in a group of their own. */
export function groupByDay(
  conversations: readonly ConversationSummary[],
  labels: DayLabels,
  now = new Date(),
): { day: string; conversations: ConversationSummary[] }[] {
  const groups: { day: string; conversations: ConversationSummary[] }[] = []
  for (const conversation of conversations) {
    const day = conversation.pinned ? labels.pinned : nameDay(new Date(conversation.updatedAt), now, labels)
    const group = groups.find((one) => one.day === day)
    if (group) group.conversations.push(conversation)
    else groups.push({ day, conversations: [conversation] })
  }
  return groups
}

type DayLabels = Pick<Labels, 'locale' | 'pinned' | 'lastDays'>

function nameDay(date: Date, now: Date, { locale, lastDays }: DayLabels): string {
  const days = Math.round((startOfDay(now) - startOfDay(date)) / dayMs)
  if (days <= 1) return capitalise(showRelative(-Math.max(days, 0), 'day', locale))
  if (days <= 30) return lastDays(days <= 7 ? 7 : 30)
  return showDate(date, 'month', locale)
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
