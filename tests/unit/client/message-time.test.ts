import { expect, test } from 'vitest'
import { describeTime } from '../../../client/react/chat/message-time.tsx'

test('a message of today has its time, one of another day its day, one of another year its year', () => {
  const now = new Date(2026, 10, 23, 12)
  expect(describeTime(new Date(2026, 10, 23, 9, 5), now, 'en-GB')).toBe('09:05')
  expect(describeTime(new Date(2026, 10, 22, 23, 59), now, 'en-GB')).toBe('22 Nov, 23:59')
  expect(describeTime(new Date(2025, 10, 23, 9, 5), now, 'en-GB')).toBe('23 Nov 2025, 09:05')
  expect(describeTime(new Date(2026, 10, 22, 23, 59), now, 'de')).toBe('22. Nov., 23:59')
})
