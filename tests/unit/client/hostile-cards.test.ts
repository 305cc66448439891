import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../../client/api/message.ts'
import { CallOutput } from '../../../client/react/calls/call-output.tsx'
import { ApprovalCard } from '../../../client/react/cards/approval-card.tsx'
import { settingsLink } from '../../../client/react/cards/connect-card.tsx'
import { MessageList } from '../../../client/react/messages/message-list.tsx'
import { CallValues } from '../../../client/react/values/call-values.tsx'
import { OutsideLink } from '../../../client/react/values/outside-link.tsx'

const nothing = async () => {}
const handlers = { onAnswer: nothing, onDecide: nothing, onSkip: nothing, settingsHref: '/settings' }

function show(message: { parts: unknown[] }): string {
  const messages = [{ id: 'a', role: 'assistant', ...message } as unknown as ChatMessage]
  return renderToStaticMarkup(createElement(MessageList, { messages, pending: [], isBusy: false, handlers }))
}

function showValues(values: Record<string, unknown>): string {
  return renderToStaticMarkup(createElement(CallValues, { toolName: 'smtp_send_email', values }))
}

function link(href: string, words: string): string {
  return renderToStaticMarkup(createElement(OutsideLink, { href, children: words }))
}

describe('a call as it will be sent', () => {
  test('shows what cannot be seen in it', () => {
    const html = showValues({ subject: 'Invoice \u202Efdp.exe', body: 'pay\u200Bpal' })
    expect(html).not.toMatch(/\u202E|\u200B/)
    expect(html.match(/askback-mark/g)).toHaveLength(2)
    expect(html).toContain('text direction reversed')
  })
  test('tells an address that only looks like another', () => {
    expect(showValues({ to: ['аda@example.com'] })).toContain('mixed alphabets')
  })
  test('tells how many recipients there are, and holds them all', () => {
    const to = Array.from({ length: 100 }, (_, index) => `person${index}@example.com`)
    const html = showValues({ to })
    expect(html).toContain('100 in all')
    const whole = html.replaceAll(/<wbr[^>]*>/g, '')
    for (const address of to) expect(whole).toContain(`>${address}<`)
  })
  test('does not let one item look like two', () => {
    for (const item of ['a, b', 'a”, “b']) {
      expect(showValues({ names: [item, 'c'] })).toContain(
        `<span class="askback-item"><bdi>${item}</bdi></span></span><span>, <bdi>c</bdi>`,
      )
    }
  })
  test('holds what is in an attachment', () => {
    const file = { filename: 'notes.txt', content_type: 'text/html', content: 'the secret' }
    const html = showValues({ attachments: [file, { file_id: 'f1' }] })
    for (const part of ['notes.txt', 'text/html', 'the secret', 'f1']) expect(html).toContain(part)
  })
  test('leaves nothing of a mail out, whatever its parts are', () => {
    const html = showValues({ subject: 's', body: { b: 'kept' }, html: ['a list'], attachments: 'a text' })
    for (const part of ['kept', 'a list', 'a text']) expect(html).toContain(part)
    expect(showValues({ subject: 's', body: 'pay\u200Bpal' })).toContain('invisible character')
  })
  test('asks in a sentence that no value can turn around', () => {
    const pending = {
      type: 'approval' as const,
      itemId: 't.1',
      approvalId: 't.1',
      agentId: null,
      messageId: 'a',
      askedAt: '2026-11-22T06:12:00.000Z',
      toolCallId: 't',
      toolName: 'smtp_send_email',
      title: 'Send email',
      intent: 1,
      code: 'unknown',
      asked: 'Send “\u202Ete\u200Fs\u2063t” to ada@example.com?',
      question: 'Send “\u202Ete\u200Fs\u2063t” to ada@example.com?',
      values: {},
    }
    const card = renderToStaticMarkup(createElement(ApprovalCard, { pending, onDecide: nothing }))
    expect(card.replaceAll(/<[^>]*>/g, '')).toContain('Send “test” to ada@example.com?')
  })
})

describe('a link in words that are not ours', () => {
  test.each([
    'javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://x/1',
    '//evil.example',
    '/settings/integrations?code=1',
    'http:evil.example',
    '#x',
    '',
  ])('is no link to %s', (href) => expect(link(href, 'words')).toBe('words'))
  test.each([
    ['https://evil.example/x', 'https://bank.example', ' (evil.example)'],
    ['https://bank.example@evil.example/', 'bank.example', ' (evil.example)'],
    ['https://bank.example.evil.example/', 'bank.example', ' (bank.example.evil.example)'],
    ['https://аррӏе.com/', 'https://аррӏе.com/', ' (xn--80ak6aa92e.com)'],
    ['https://evil.example/', '\u202Emoc.live', ' (evil.example)'],
    ['mailto:eve@evil.example', 'ada@example.com', ' (eve@evil.example)'],
  ])('says where %s leads when the words are %s', (href, words, place) => {
    expect(link(href, words)).toContain(`<bdi class="askback-place">${place}</bdi>`)
  })
  test.each([
    ['https://example.com/a', 'https://example.com/a'],
    ['http://www.example.com', 'www.example.com'],
    ['https://example.com/', 'example.com'],
    ['mailto:ada@example.com', 'ada@example.com'],
  ])('says %s once', (href, words) => expect(link(href, words)).not.toContain('askback-place'))
})

test.each([
  ['https://evil.example/login?provider=gmail&code=1', '/settings?provider=gmail'],
  ['javascript:alert(1)', '/settings'],
  ['/settings/integrations?provider=gmail&tools=a', '/settings?provider=gmail&tools=a'],
  ['/settings/integrations?server=a1', '/settings?server=a1'],
  [undefined, '/settings'],
])('a connect card for %s leads to %s', (href, expected) => {
  expect(settingsLink(href, '/settings')).toBe(expected)
  // Also where the address already says what is asked for.
  expect(settingsLink(href, expected)).toBe(expected)
})

describe('parts that nobody expects', () => {
  const deep = JSON.parse(`${'['.repeat(9000)}${']'.repeat(9000)}`)
  test('do not keep the others from being shown', () => {
    const html = show({
      parts: [
        null,
        5,
        {},
        { type: 'text', text: null },
        { type: 'text' },
        { type: 'unheard-of', a: 1 },
        { type: 'tool-x', toolCallId: 't', state: 'unheard-of', input: null },
        { type: 'source-url', sourceId: 's', url: 'javascript:alert(1)', title: 'a source' },
        { type: 'file', mediaType: 'image/png', url: '//evil.example/x.png', filename: 'x.png' },
        { type: 'file', mediaType: 'image/png', url: '/\\evil.example/x.png', filename: 'y.png' },
        { type: 'text', text: 'Still here' },
      ],
    })
    expect(html).toContain('Still here')
    expect(html).toContain('a source')
    expect(html).not.toMatch(/<img|javascript:/)
  })
  test('are shown however deeply they are nested, or named so', () => {
    expect(showValues({ a: deep, b: [[1]], c: { d: 1 } })).toContain('nested too deeply')
    expect(renderToStaticMarkup(createElement(CallOutput, { output: deep }))).toContain('nested too deeply')
    const call = { toolCallId: 't', state: 'output-error', errorText: 'x', input: { a: deep } }
    expect(
      show({
        parts: [
          { type: 'tool-x', ...call },
          { type: 'data-call', id: 't', data: { toolCallId: 't', intent: 1 } },
          { type: 'tool-x', ...call, toolCallId: 't2' },
          { type: 'data-call', id: 't2', data: { toolCallId: 't2', intent: 1 } },
        ],
      }),
    ).toContain('Corrected call')
  })
})
