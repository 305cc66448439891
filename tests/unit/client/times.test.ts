import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { german } from '../../../client/labels/de.ts'
import { english } from '../../../client/labels/en.ts'
import { ToolCard } from '../../../client/react/calls/tool-card.tsx'
import { fromNow } from '../../../client/react/cards/asked-at.tsx'
import { showSeconds } from '../../../client/react/cards/wait-card.tsx'
import { listBlocks } from '../../../client/react/messages/message-blocks.ts'

const second = 1000
const hour = 3600 * second

describe('a time beside now', () => {
  test.each([
    [0, 'just now'],
    [-40 * second, 'just now'],
    [-100 * second, '2 minutes ago'],
    [-1 * hour, '1 hour ago'],
    [-26 * hour, '1 day ago'],
    [7 * 24 * hour, 'in 7 days'],
    [7 * 24 * hour - 10 * second, 'in 7 days'],
    [5 * hour, 'in 5 hours'],
  ])('%i ms away is %s', (away, words) => {
    expect(fromNow(hour + away, hour, english)).toBe(words)
  })
})

test('a time beside now is told in the language of the labels', () => {
  expect(fromNow(0, 0, german)).toBe('gerade eben')
  expect(fromNow(hour, 2 * hour, german)).toBe('vor 1 Stunde')
})

test.each([
  [12, '12 s'],
  [185, '3 min 5 s'],
  [7800, '2 h 10 min'],
])('%i seconds left are %s', (seconds, words) => {
  expect(showSeconds(seconds, english)).toBe(words)
})

describe('a call that waits for a busy provider', () => {
  const show = (state: string) => {
    const [block] = listBlocks({
      parts: [
        { type: 'tool-web_search', toolCallId: '1', state, input: {}, output: 'Found.' },
        { type: 'data-wait', id: '1', data: { toolCallId: '1', waitMs: 12_000 } },
      ] as never,
    })
    const attempts = block?.kind === 'calls' ? block.attempts : []
    return renderToStaticMarkup(createElement(ToolCard, { attempts }))
  }

  test('counts down, within its run', () => {
    expect(show('input-available').replace(/<[^>]*>/g, '')).toContain('Trying again in 12 s')
  })
  test('says nothing of it when it is done', () => {
    expect(show('output-available')).not.toContain('Trying again')
  })
})
