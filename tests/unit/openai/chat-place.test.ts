import { expect, test } from 'vitest'
import { findAnswers, findPlace, fingerprintsOf } from '../../../supabase/functions/chat/openai/chat-place.ts'
import type { GivenMessage } from '../../../supabase/functions/chat/openai/earlier-messages.ts'
import { withDocument } from '../../../support/open-webui.ts'

async function placeOf(contents: readonly unknown[]) {
  const given = contents.map((content) => ({ role: 'user' as const, content }))
  return findPlace(given, await fingerprintsOf(given))
}

test.each([
  ['spaces and capitals', '  Send it\n TO Ada. '],
  ['full-width letters', 'Ｓend it to Ada.'],
  ['parts', [{ type: 'text', text: 'Send it to Ada.' }]],
  ['a document before it', withDocument('The plan.', 'Send it to Ada.')],
  [
    'a document in another part',
    [
      { type: 'text', text: 'Send it to Ada.' },
      { type: 'text', text: 'The plan.' },
    ],
  ],
  ['a quotation before it', '> the plan\nSend it to Ada.'],
  ['a quotation behind it', 'Send it to Ada.\n> the plan'],
])('a message is known again with %s', async (_, written) => {
  const { words } = await placeOf(['Send it to Ada.'])
  expect(words).toMatch(/^[0-9a-f]{24}$/)
  expect(await placeOf(['Hello', written])).toEqual({ words, wordsBefore: [expect.any(String)] })
  expect(await placeOf([written, 'Thanks'])).toMatchObject({ wordsBefore: [words] })
})

test('other words are another message, and quotations alone are none', async () => {
  const { words } = await placeOf(['Send it to Ada.'])
  expect((await placeOf(['Send it to Ada today.'])).words).not.toBe(words)
  expect(await placeOf(['> Send it to Ada.', '<a>\nSend it to Ada.\n</a>\n'])).toEqual({ wordsBefore: [] })
})

test('only the newest thousand messages are looked at', async () => {
  const contents = Array.from({ length: 3000 }, (_, n) => `Message ${n}`)
  expect((await placeOf(contents)).wordsBefore).toHaveLength(999)
})

test('an answer belongs to the message before it, whatever was quoted there', async () => {
  const given: GivenMessage[] = [
    { role: 'assistant', content: 'What can I do?' },
    { role: 'user', content: 'Hello' },
    { role: 'user', content: [{ type: 'text', text: '> the plan\nSend it to Ada.' }] },
    { role: 'assistant', content: '' },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    { role: 'user', content: '> the plan' },
    { role: 'assistant', content: 'What about it?' },
  ]
  const { words } = await placeOf(['Send it to Ada.'])
  expect(findAnswers(given, await fingerprintsOf(given))).toEqual([
    { text: 'What can I do?' },
    { text: 'Done.', words },
    { text: 'What about it?' },
  ])
})
