import { expect, test } from 'vitest'
import { readErrorResponse } from '../../../shared/engine/models/protocol/call-failure.ts'

test.each<[string, Record<string, string>, string, number | undefined]>([
  ['seconds', { 'retry-after': '2' }, '', 2000],
  ['parts of seconds', { 'retry-after': '0.5' }, '', 500],
  ['milliseconds first', { 'retry-after': '2', 'retry-after-ms': '150' }, '', 150],
  [
    'a date, measured from the answer',
    { 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
    '',
    30_000,
  ],
  [
    'a date in the past',
    { 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
    '',
    0,
  ],
  ['a negative number', { 'retry-after': '-5' }, '', 0],
  ["Gemini's delay", {}, '{"error":{"details":[{"@type":"RetryInfo","retryDelay":"34.07s"}]}}', 34_070],
  ["OpenAI's words", {}, 'Rate limit reached. Please try again in 20s.', 20_000],
  ["Groq's words", {}, 'Please try again in 1m7.66s.', 67_660],
  ['milliseconds in words', {}, 'Please try again in 350ms.', 350],
  ['nonsense', { 'retry-after': 'soon' }, 'try again later', undefined],
])('%s', (_, headers, body, expected) => {
  expect(readErrorResponse(429, new Headers(headers), body).retryAfterMs).toBe(expected)
})
