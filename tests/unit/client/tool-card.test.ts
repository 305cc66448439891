import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { ChatPart } from '../../../client/api/message.ts'
import { ToolCard } from '../../../client/react/calls/tool-card.tsx'
import { listBlocks } from '../../../client/react/messages/message-blocks.ts'

const facts = (id: string) => ({ type: 'data-call', id, data: { toolCallId: id, intent: 1 } })
const question = (id: string) => ({
  type: 'data-question',
  id,
  data: { type: 'needs_input', toolCallId: id, answered: true },
})
const error = { type: 'data-tool-error', id: '1', data: { toolCallId: '1', errorType: 'missing_parameter' } }
const input = { subject: 'Hi' }
/** A call that failed, and one in its place that worked. */
const corrected = (...more: object[]) =>
  [
    { type: 'tool-send', toolCallId: '1', state: 'output-error', input, errorText: 'Question: Who?' },
    error,
    facts('1'),
    { type: 'step-start' },
    {
      type: 'tool-send',
      toolCallId: '2',
      state: 'output-available',
      input: { ...input, to: 'Ada' },
      output: {},
    },
    facts('2'),
    ...more,
  ] as ChatPart[]
const show = (parts: ChatPart[]) => {
  const [block] = listBlocks({ parts })
  if (block?.kind !== 'calls') throw new Error('There is no call.')
  expect(block.attempts).toHaveLength(2)
  return renderToStaticMarkup(createElement(ToolCard, { attempts: block.attempts }))
}

describe('a call that worked the second time', () => {
  test('corrected itself if nobody was asked for what it lacked', () => {
    expect(show(corrected())).toContain('self-corrected')
  })
  test.each(['1', '2'])('did not correct itself if somebody filled in values (of call %s)', (id) => {
    expect(show(corrected(question(id)))).not.toContain('self-corrected')
  })
})
