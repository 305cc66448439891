import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatMessage } from '../../../client/api/message.ts'
import { ChatStore, pictureMs } from '../../../client/chat-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const answer = (text: string): ChatMessage => ({
  id: 'a',
  role: 'assistant',
  parts: [{ type: 'text', text }],
})

/** What whoever watches the store has seen of the text. */
function watch(store: ChatStore): string[] {
  const seen: string[] = []
  store.subscribe(({ messages }) => seen.push(JSON.stringify(messages.at(-1)?.parts[0])))
  return seen
}

test('a message that is being written is drawn now and then, and at last as it is', () => {
  const store = new ChatStore()
  store.pushMessage(answer(''))
  const seen = watch(store)
  for (let length = 1; length <= 1000; length++) store.replaceMessage(0, answer('x'.repeat(length)))
  vi.advanceTimersByTime(pictureMs)
  expect(seen).toEqual(['', 'x'.repeat(1000)].map((text) => JSON.stringify({ type: 'text', text })))
  store.replaceMessage(0, answer('The end'))
  vi.advanceTimersByTime(pictureMs - 1)
  expect(seen).toHaveLength(2)
  store.status = 'ready'
  expect(seen.at(-1)).toContain('The end')
  const before = seen.length
  vi.advanceTimersByTime(1000)
  expect(seen).toHaveLength(before)
})

test('a message is kept as it was given, whatever its writer does to it next', () => {
  const store = new ChatStore()
  const written = answer('One')
  store.pushMessage(answer(''))
  store.replaceMessage(0, written)
  const [part] = written.parts
  if (part?.type === 'text') part.text = 'Two'
  expect(store.messages[0]?.parts).toEqual([{ type: 'text', text: 'One' }])
})

test('a notice stands until more of the answer is there', () => {
  const store = new ChatStore()
  store.pushMessage(answer('One'))
  const notice = { code: 'model_not_responding', text: 'Trying again …' }
  store.notice = notice
  store.status = 'streaming'
  expect(store.view.notice).toBe(notice)
  store.replaceMessage(0, answer('One, two'))
  expect(store.view.notice).toBeUndefined()
})
