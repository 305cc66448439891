import { expect, test } from 'vitest'
import { splitQuestion } from '../../../client/sentence.ts'

test.each([
  [
    'Who should I send this email to? Please provide the recipient email address.',
    ['Who should I send this email to?', 'Please provide the recipient email address.'],
  ],
  ['Delete note?', ['Delete note?', '']],
  ['Send "A. B." to "ada@example.com"?', ['Send "A. B." to "ada@example.com"?', '']],
  ['Send "Meeting. Agenda" to "ada@example.com"?', ['Send "Meeting. Agenda" to "ada@example.com"?', '']],
  ['It may have been sent. Send it again?', ['It may have been sent.', 'Send it again?']],
])('a question is its first sentence, and what is said besides: %s', (text, parts) => {
  expect(splitQuestion(text)).toEqual(parts)
})
