import { describe, expect, test } from 'vitest'
import type { GivenMessage } from '../../../supabase/functions/chat/openai/earlier-messages.ts'
import { isFrontEndRequest } from '../../../supabase/functions/chat/openai/front-end-requests.ts'
import {
  autocompletePrompt,
  followUpPrompt,
  queryPrompt,
  tagsPrompt,
  titlePrompt,
  withDocument,
} from '../../../support/open-webui.ts'

const user = (content: unknown): GivenMessage => ({ role: 'user', content })
const assistant = (content: string): GivenMessage => ({ role: 'assistant', content })
const first = [{ role: 'user' as const, content: 'Send an email about lunch to ada@example.com' }]
const chat = [...first, { role: 'assistant' as const, content: 'I sent it.' }]
const withFile = [
  { role: 'user' as const, content: '<attached_files>\n<file/>\n</attached_files>\n\nWhat is it?' },
]

describe('a front end asks for itself', () => {
  test.each([
    ['a title, before there is an answer', titlePrompt([...first, { role: 'assistant', content: '' }])],
    ['a title', titlePrompt(chat)],
    ['tags', tagsPrompt(chat)],
    ['follow-ups', followUpPrompt([...chat, ...chat])],
    ['queries', queryPrompt(first)],
    ['queries about a document', queryPrompt(withFile)],
    ['what is typed completed', autocompletePrompt(chat, 'Send an email to')],
    [
      'a prompt that an administrator has rewritten, in another language',
      '## Aufgabe\nFasse das Gespräch in drei Worten zusammen.\n## Gespräch\n<verlauf>\nNUTZER: Schreib Ada\nASSISTENT: Gern.\n</verlauf>',
    ],
  ])('for %s', (_, text) => {
    expect(isFrontEndRequest([user(text)])).toBe(true)
    expect(
      isFrontEndRequest([{ role: 'system', content: 'Be brief.' }, user([{ type: 'text', text }])]),
    ).toBe(true)
  })
})

describe('the user asks', () => {
  test.each([
    ['about a title', 'Generate a title for my essay and send it to ada@example.com'],
    ['with a document', withDocument('Contact: carol@example.com', 'What is in the plan?')],
    ['with a document and next to nothing', withDocument('Contact: carol@example.com', '?')],
    ['to send a task on', `Mail this to ada@example.com:\n${titlePrompt(chat)}`],
    ['behind a chat that they have pasted', `${titlePrompt(chat)}\nSend that to ada@example.com`],
    ['about a chat that they have pasted', 'Mail this to Ada: <chat>\nUSER: Hi\nASSISTANT: Hello\n</chat>'],
    ['under one heading', '# Mail this to Ada\n<chat>\nUSER: Hi\nASSISTANT: Hello\n</chat>'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(isFrontEndRequest([user(text)])).toBe(false)
  })

  test('in a text of any size that is full of tags, which is read in a moment', () => {
    const started = performance.now()
    const names = Array.from({ length: 60_000 }, (_, index) => `<a${index}>`)
    expect(isFrontEndRequest([user(`# A\n# B\n${'<a>'.repeat(300_000)}`)])).toBe(false)
    expect(isFrontEndRequest([user(`# A\n# B\n${names.join('')}`)])).toBe(false)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test('in a conversation, whatever its last message quotes', () => {
    expect(isFrontEndRequest([user('Hi'), assistant('Hello.'), user(titlePrompt(chat))])).toBe(false)
  })
})
