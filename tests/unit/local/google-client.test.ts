import { expect, test } from 'vitest'
import { describeHalfSetGoogle } from '../../../local/settings/google-client.ts'

test.each([
  [{ GOOGLE_CLIENT_ID: 'id' }, /GOOGLE_CLIENT_ID is set and GOOGLE_CLIENT_SECRET is not/],
  [{ GOOGLE_CLIENT_SECRET: 'secret' }, /GOOGLE_CLIENT_SECRET is set and GOOGLE_CLIENT_ID is not/],
])('%j is said at the start', (environment, words) => {
  expect(describeHalfSetGoogle(environment)).toMatch(words)
})

test('both or neither need no word', () => {
  expect(describeHalfSetGoogle({})).toBeUndefined()
  expect(describeHalfSetGoogle({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' })).toBeUndefined()
})
