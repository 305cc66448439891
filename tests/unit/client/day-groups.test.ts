import { expect, test } from 'vitest'
import type { ConversationSummary } from '../../../client/api/message.ts'
import { german } from '../../../client/labels/de.ts'
import { english, type Labels } from '../../../client/labels/en.ts'
import { groupByDay } from '../../../client/react/lists/day-groups.ts'

test('conversations are grouped by how many days ago they were', () => {
  const now = new Date(2026, 10, 22, 0, 30)
  const at = (id: string, ...date: [number, number, number, number]): ConversationSummary => ({
    id,
    title: id,
    status: 'completed',
    open: { count: 0, kinds: [], oldest: null },
    pinned: id === 'p',
    archived: false,
    agentId: null,
    createdAt: '',
    updatedAt: new Date(...date).toISOString(),
  })
  const conversations = [
    at('p', 2026, 1, 1, 9),
    at('a', 2026, 10, 22, 0),
    at('b', 2026, 10, 21, 23),
    at('c', 2026, 10, 17, 9),
    at('d', 2026, 8, 1, 9),
  ]
  const days = (labels: Labels) =>
    groupByDay(conversations, labels, now).map(({ day, conversations }) => [day, conversations.length])
  expect(days(english)).toEqual([
    ['Pinned', 1],
    ['Today', 1],
    ['Yesterday', 1],
    ['Last 7 days', 1],
    ['September 2026', 1],
  ])
  expect(days(german).map(([day]) => day)).toEqual([
    'Angeheftet',
    'Heute',
    'Gestern',
    'Letzte 7 Tage',
    'September 2026',
  ])
})
