import { expect, test } from 'vitest'
import { readClientChat } from '../../../supabase/functions/chat/openai/client-chat.ts'

const read = (headers: Record<string, string>) => readClientChat(new Headers(headers))
const none = {
  reader: { client: {}, accepted: null },
  isTemporary: false,
  isTask: false,
  hasPlaceholder: false,
}

test('a chat, a message and a task are named by headers', () => {
  const headers = {
    'x-askback-conversation': 'c1',
    'x-askback-message': 'm1',
    'x-askback-task': 'title_generation',
  }
  expect(read(headers)).toEqual({ ...none, conversation: 'c1', message: 'm1', isTask: true })
  expect(read({})).toEqual(none)
})

test('an empty header counts as absent, and so does an unfilled placeholder, which the response mentions', () => {
  expect(read({ 'x-askback-conversation': ' ', 'x-askback-message': '', 'x-askback-task': '' })).toEqual(none)
  const literal = {
    'x-askback-conversation': '{{CHAT_ID}}',
    'x-askback-message': 'm-{{X}}',
    'x-askback-task': '{{TASK}}',
  }
  expect(read(literal)).toEqual({ ...none, hasPlaceholder: true })
})

test('the chat that Open WebUI forwards counts where ours names none', () => {
  expect(read({ 'x-openwebui-chat-id': 'c2' })).toEqual({ ...none, conversation: 'c2' })
  expect(read({ 'x-openwebui-chat-id': 'c2', 'x-askback-conversation': 'c1' }).conversation).toBe('c1')
  expect(read({ 'x-openwebui-chat-id': 'c2', 'x-askback-conversation': '{{CHAT_ID}}' })).toEqual({
    ...none,
    conversation: 'c2',
    hasPlaceholder: true,
  })
})

test('a temporary chat has no name: its tab gives the same one to all of them', () => {
  for (const name of ['temporary:0a1b2c', 'local:0a1b2c']) {
    for (const header of ['x-askback-conversation', 'x-openwebui-chat-id']) {
      expect(read({ [header]: name, 'x-askback-message': 'm1' })).toEqual({
        ...none,
        message: 'm1',
        isTemporary: true,
      })
    }
  }
  expect(read({ 'x-askback-conversation': 'localhost' }).conversation).toBe('localhost')
})

test('the reader is named by headers, and a placeholder names nobody', () => {
  const named = { 'x-askback-language': 'de-AT', 'x-askback-timezone': 'Europe/Vienna' }
  expect(read(named).reader.client).toEqual({ language: 'de-AT', timeZone: 'Europe/Vienna' })
  expect(read({ 'x-askback-language': '{{LANGUAGE}}' })).toEqual({ ...none, hasPlaceholder: true })
})

test('a name that is too long is refused with what to do', () => {
  expect(read({ 'x-askback-conversation': 'c'.repeat(200) }).conversation).toHaveLength(200)
  expect(() => read({ 'x-askback-conversation': 'c'.repeat(201) })).toThrow(
    'The header "x-askback-conversation" has 201 characters; a chat is named by at most 200.',
  )
})
