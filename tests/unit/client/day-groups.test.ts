import { expect, test } from 'vitest'
import type { ConversationSummary } from '../../../client/message.ts'
import { groupByDay } from '../../../client/react/day-groups.ts'

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
  const groups = groupByDay(
    [
      at('p', 2026, 1, 1, 9),
      at('a', 2026, 10, 22, 0),
      at('b', 2026, 10, 21, 23),
      at('c', 2026, 10, 17, 9),
      at('d', 2026, 8, 1, 9),
    ],
    now,
  )
  expect(groups.map(({ day, conversations }) => [day, conversations.length])).toEqual([
    ['Pinned', 1],
    ['Today', 1],
    ['Yesterday', 1],
    ['Last 7 days', 1],
    ['September 2026', 1],
  ])
})
