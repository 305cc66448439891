import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Pending } from '../../../client/api/message.ts'
import { ConnectCard } from '../../../client/react/cards/connect-card.tsx'

test('two emails that need the same account can be told apart', () => {
  const show = (to: string) => {
    const pending: Pending = {
      type: 'connection',
      itemId: 't.1',
      agentId: null,
      messageId: 'a',
      askedAt: '2026-11-22T06:12:00.000Z',
      toolCallId: 't',
      toolName: 'smtp_send_email',
      title: 'Send email',
      intent: 1,
      code: 'not_configured',
      asked: 'Your SMTP service needs to be set up.',
      question: 'Your SMTP service needs to be set up.',
      values: { to: [to], subject: 'Lunch', body: 'At noon.' },
    }
    return renderToStaticMarkup(
      createElement(ConnectCard, { pending, settingsHref: '/settings', onSkip: async () => {} }),
    ).replaceAll(/<wbr[^>]*>/g, '')
  }
  expect(show('anna@example.com')).toContain('So far')
  expect(show('anna@example.com')).toContain('anna@example.com')
  expect(show('ben@example.com')).toContain('ben@example.com')
})
