import { expect, test } from 'vitest'
import { findPlace } from '../../../supabase/functions/chat/openai/chat-place.ts'
import { withDocument } from '../../support/open-webui.ts'

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
  const { words } = await findPlace(['Send it to Ada.'])
  expect(words).toMatch(/^[0-9a-f]{24}$/)
  expect(await findPlace(['Hello', written])).toEqual({ words, wordsBefore: [expect.any(String)] })
  expect(await findPlace([written, 'Thanks'])).toMatchObject({ wordsBefore: [words] })
})

test('other words are another message, and quotations alone are none', async () => {
  const { words } = await findPlace(['Send it to Ada.'])
  expect((await findPlace(['Send it to Ada today.'])).words).not.toBe(words)
  expect(await findPlace(['> Send it to Ada.', '<a>\nSend it to Ada.\n</a>\n'])).toEqual({ wordsBefore: [] })
})

test('only the newest thousand messages are looked at', async () => {
  const contents = Array.from({ length: 3000 }, (_, n) => `Message ${n}`)
  expect((await findPlace(contents)).wordsBefore).toHaveLength(999)
})
