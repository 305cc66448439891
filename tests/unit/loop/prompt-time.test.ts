import { expect, test } from 'vitest'
import { promptTime } from '../../../shared/engine/loop/run/prompt-time.ts'

test('the model is told the minute, in the same words until the next one', () => {
  const noon = Date.UTC(2026, 10, 22, 12, 0)
  expect(promptTime(noon)).toBe('2026-11-22T12:00Z')
  expect(promptTime(noon + 59_999)).toBe('2026-11-22T12:00Z')
  expect(promptTime(noon + 60_000)).toBe('2026-11-22T12:01Z')
  expect(promptTime(noon)).toBe('2026-11-22T12:00Z')
})
