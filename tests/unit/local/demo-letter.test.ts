import { expect, test } from 'vitest'
import { asksForEmail, readAddresses, writeLetter } from '../../../local/demo/letter.ts'

test.each([
  ['Send an email about the meeting to ada@example.com', true],
  ['please mail bob@example.com', true],
  ['Write an e-mail', true],
  ['What is an address?', false],
  ['Send the report', false],
])('%s: asks for an e-mail, %s', (text, expected) => {
  expect(asksForEmail(text)).toBe(expected)
})

test.each<[string, Partial<ReturnType<typeof readAddresses>>]>([
  ['to ada@example.com.', { to: ['ada@example.com'] }],
  ['ada@example.com', { to: ['ada@example.com'] }],
  ['to Ada <ada@example.com>, bob@example.co.uk', { to: ['ada@example.com', 'bob@example.co.uk'] }],
  ['to a@x.org and a@x.org', { to: ['a@x.org'] }],
  ['mail a@x.org, cc b@x.org, bcc: c@x.org', { to: ['a@x.org'], cc: ['b@x.org'], bcc: ['c@x.org'] }],
  ['to ada@example', { to: [] }],
  ['to Ada', { to: [] }],
])('%s', (text, expected) => {
  expect(readAddresses(text)).toEqual({ to: [], cc: [], bcc: [], ...expected })
})

test.each([
  ['Send an email about the meeting to ada@example.com', 'Meeting', 'this is about the meeting.'],
  [
    'Email ada@example.com regarding our budget for 2027.',
    'Budget for 2027',
    'this is about our budget for 2027.',
  ],
  [
    'Send ada@example.com an email with the subject "Lunch" saying "See you at noon."',
    'Lunch',
    'See you at noon.',
  ],
  ['Send an email to ada@example.com saying that I am late', 'Hello', 'I am late'],
  [
    'Send an email to ada@example.com that the meeting moves to Thursday',
    'Hello',
    'the meeting moves to Thursday',
  ],
  [
    'Sende ada@example.com eine E-Mail, dass das Treffen am Donnerstag ist',
    'Hello',
    'dass das Treffen am Donnerstag ist',
  ],
  ['Send an email about lunch to ada@example.com. It is at one.', 'Lunch', 'It is at one.'],
])('%s', (text, subject, body) => {
  const letter = writeLetter(text)
  expect(letter.subject).toBe(subject)
  expect(letter.body).toContain(body)
})

test('the order itself is not part of what it says', () => {
  const { body } = writeLetter('Send an email that the meeting moves to Thursday')
  expect(body).toBe('the meeting moves to Thursday')
})

/** A megabyte of it: quadratic reading would take minutes. */
const pump = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length))

test.each([
  'a',
  ' ',
  '\n',
  '@',
  'a@',
  'a@b.',
  'to ',
  'about ',
  'about\n',
  'subject “',
  'text “',
  'saying that "',
  'mail ',
])('a megabyte of %j is read at once', (piece) => {
  const text = pump(piece)
  expect(readAddresses(text)).toEqual({ to: [], cc: [], bcc: [] })
  const request = `Send an email to ada@example.com ${text}`
  expect(readAddresses(request).to).toEqual(['ada@example.com'])
  expect(asksForEmail(request)).toBe(true)
  expect(writeLetter(request).body).not.toBe('')
  expect(writeLetter(`${text} about the meeting`).subject).not.toBe('')
  expect(writeLetter(`About the meeting${text}`).subject).toMatch(/^Meeting/)
})

test('addresses are read from a megabyte of them', () => {
  const text = Array.from({ length: 50_000 }, (_, index) => `a${index}@x.org`).join(' ')
  expect(readAddresses(text).to).toHaveLength(50_000)
})
