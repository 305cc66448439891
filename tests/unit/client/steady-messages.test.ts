// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import type { ChatMessage } from '../../../client/api/message.ts'
import { MessageList } from '../../../client/react/messages/message-list.tsx'

test('while an answer is being written, the messages before it are not rendered again', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const say = (id: string, text: string) =>
    ({ id, role: 'assistant', parts: [{ type: 'text', text, state: 'done' }] }) as ChatMessage
  const earlier = Array.from({ length: 12 }, (_, index) => say(`m${index}`, `Earlier ${index}`))
  const rendered: string[] = []
  const renderText = (text: string) => {
    rendered.push(text)
    return text
  }
  const root = createRoot(document.createElement('div'))
  const show = (text: string) =>
    act(async () => {
      const nothing = async () => {}
      const handlers = {
        onAnswer: nothing,
        onDecide: nothing,
        onSkip: nothing,
        settingsHref: '/settings',
        renderText,
      }
      root.render(
        createElement(MessageList, {
          messages: [...earlier, say('last', text)],
          pending: [],
          isBusy: true,
          handlers,
        }),
      )
    })
  await show('Now')
  expect(rendered).toContain('Earlier 11')
  rendered.length = 0
  await show('Now it')
  expect(rendered).toEqual(['Now it'])
  act(() => root.unmount())
})
