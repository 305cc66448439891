import { expect, test } from 'vitest'
import { readLetters } from '../../../local/demo/letters.ts'

const [anna, ben, carla] = ['anna@example.com', 'ben@example.com', 'carla@example.com']

test.each([
  [
    'a text for each',
    `Send three emails: to ${anna} that lunch is at noon, to ${ben} that tea is at four, and to ${carla} that dinner is at eight.`,
    ['lunch is at noon', 'tea is at four', 'dinner is at eight.'],
  ],
  [
    'in quotation marks',
    `Send 3 emails: one to ${anna} saying "Lunch, at noon", one to ${ben} saying "Tea and cake" and one to ${carla} saying "Dinner"`,
    ['Lunch, at noon', 'Tea and cake', 'Dinner'],
  ],
  [
    'a topic for each, before or after its address',
    `Send an email about lunch to ${anna}, one about tea to ${ben} and one to ${carla} about dinner`,
    ['this is about lunch.', 'this is about tea.', 'this is about dinner.'],
  ],
  [
    'after a colon',
    `Send emails:\n- ${anna}: Lunch is at noon\n- ${ben}: Tea is at four\n- ${carla}: Dinner is at eight`,
    ['Lunch is at noon', 'Tea is at four', 'Dinner is at eight'],
  ],
  [
    'in sentences',
    `Send an email to ${anna} saying lunch is at noon. Send another to ${ben} saying tea is at four. Send another to ${carla} saying dinner is at eight.`,
    ['lunch is at noon', 'tea is at four', 'dinner is at eight'],
  ],
  [
    'one text for all, at the end',
    `Send three separate emails to ${anna}, ${ben} and ${carla} saying lunch is at noon`,
    ['lunch is at noon', 'lunch is at noon', 'lunch is at noon'],
  ],
  [
    'one topic for all, at the beginning',
    `Send three emails about lunch: to ${anna}, ${ben} and ${carla}`,
    ['this is about lunch.', 'this is about lunch.', 'this is about lunch.'],
  ],
])('several mails of one request: %s', (_, request, texts) => {
  const letters = readLetters(request)
  expect(letters.map(({ to }) => to)).toEqual([[anna], [ben], [carla]])
  for (const [at, text] of texts.entries()) expect(letters[at]?.body).toContain(text)
  for (const { body } of letters) expect(body).not.toMatch(/@|\band$/)
})

test('a copy is part of its mail', () => {
  expect(
    readLetters(`Send two emails: to ${anna}, cc ${carla}, about lunch and to ${ben} about tea`),
  ).toMatchObject([
    { to: [anna], cc: [carla], subject: 'Lunch' },
    { to: [ben], subject: 'Tea' },
  ])
})

test.each([
  `Send an email about lunch to ${anna}, ${ben}`,
  `Send an email to ${anna} and ${ben} saying that one of you should come`,
  'Show my unread emails',
  `Show my emails from ${anna} and ${ben}`,
  `Send emails to ${anna}`,
])('%s: asks for no several mails', (request) => {
  expect(readLetters(request)).toEqual([])
})

test.each(['a', ' ', '\n', '@', ', ', ' and ', 'one to '])('a megabyte of %j is read at once', (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
  expect(readLetters(`Send emails to ${anna} ${text} and to ${ben}`)).toHaveLength(2)
})
