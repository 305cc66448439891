// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { createAskback } from '../../../client/askback.ts'
import { useConversation } from '../../../client/react/conversation/use-conversation.ts'

test('a message is sent although its chat is left in the same tick', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  let post = (_: { text: unknown; signal: AbortSignal | undefined }) => {}
  const posted = new Promise<Parameters<typeof post>[0]>((resolve) => {
    post = resolve
  })
  let answer = (_: Response) => {}
  const answered = new Promise<Response>((resolve) => {
    answer = resolve
  })
  const askback = createAskback({
    schema: () => undefined,
    functions: {
      async invoke(
        _path: string,
        { method, body, signal }: { method?: string; body?: unknown; signal?: AbortSignal } = {},
      ) {
        if (method !== 'POST') return { data: null, error: { context: new Response('', { status: 404 }) } }
        post({ text: JSON.parse(String(body)).messages[0].parts[0].text, signal })
        const response = await answered
        return { data: null, error: null, response }
      },
    } as never,
  })
  let send: ReturnType<typeof useConversation>['send'] | undefined
  function Chat() {
    send = useConversation(askback, { id: 'left-at-once', isNew: true }).send
    return null
  }
  const root = createRoot(document.createElement('div'))
  act(() => root.render(createElement(Chat)))
  act(() => {
    void send?.({ text: 'Still send this' })
    root.unmount()
  })
  const { text, signal } = await posted
  expect(text).toBe('Still send this')
  expect(signal?.aborted).toBe(false)
  answer(new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } }))
})
