import type { UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../client/api/message.ts'
import { boundInputs, createChatTransport, newMessages } from '../../../client/chat-transport.ts'

const user = (id: string) => ({ id, role: 'user' })
const answer = (id: string) => ({ id, role: 'assistant' })

test('only what the server does not have is sent', () => {
  expect(newMessages([user('1'), answer('2'), user('3')])).toEqual([user('3')])
  // One that was lost on the way goes along.
  expect(newMessages([answer('2'), user('3'), user('4')])).toEqual([user('3'), user('4')])
  expect(newMessages([user('1'), answer('2')])).toEqual([answer('2')])
})

test('another answer is asked for by the id of the one it replaces', async () => {
  const sent: Record<string, unknown>[] = []
  const transport = createChatTransport({
    fetch: async (_, init) => {
      sent.push(JSON.parse(String(init?.body)))
      return new Response('')
    },
  })
  const messages: ChatMessage[] = [{ id: '1', role: 'user', parts: [] }]
  const ask = (messageId: string | undefined) =>
    transport.sendMessages({
      chatId: 'c',
      trigger: 'regenerate-message',
      messageId,
      messages,
      abortSignal: undefined,
    })
  await ask('2')
  await ask(undefined)
  const common = { id: 'c', messages, trigger: 'regenerate-message' }
  expect(sent).toEqual([{ ...common, messageId: '2' }, common])
})

test('a long input is shown as far as it can be read while it is written, and whole when it is', async () => {
  const chunks: UIMessageChunk[] = [
    { type: 'tool-input-start', toolCallId: 't', toolName: 'x' },
    ...Array.from({ length: 5000 }, () => ({
      type: 'tool-input-delta' as const,
      toolCallId: 't',
      inputTextDelta: 'a piece ',
    })),
    { type: 'tool-input-delta', toolCallId: 'another', inputTextDelta: '{' },
    { type: 'tool-input-available', toolCallId: 't', toolName: 'x', input: { text: 'all of it' } },
  ]
  const shown: UIMessageChunk[] = []
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  for await (const chunk of stream.pipeThrough(boundInputs())) shown.push(chunk)
  expect(shown.length).toBeLessThan(300)
  expect(shown.slice(-2)).toEqual(chunks.slice(-2))
})
