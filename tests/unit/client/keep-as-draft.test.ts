import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ToolDescription } from '../../../client/api/message.ts'
import { ApprovalCard } from '../../../client/react/cards/approval-card.tsx'
import { ToolNamesProvider } from '../../../client/react/labels/tool-names.tsx'
import { integration } from '../../../supabase/functions/gmail-api/integration.ts'

function offersDraft(toolName: string, values: Record<string, unknown>): boolean {
  const tools = integration.tools.map(
    ({ specification, action }) => ({ ...specification, function: 'gmail-api', action }) as ToolDescription,
  )
  const pending = {
    type: 'approval' as const,
    itemId: 't.1',
    approvalId: 't.1',
    agentId: null,
    messageId: 'a',
    askedAt: '2026-11-22T06:12:00.000Z',
    toolCallId: 't',
    toolName,
    title: 'Gmail',
    intent: 1,
    code: 'approve',
    values,
    asked: 'Do it?',
    question: 'Question: Do it?',
  }
  const card = createElement(ApprovalCard, { pending, onDecide: async () => {} })
  return renderToStaticMarkup(createElement(ToolNamesProvider, { tools, children: card })).includes(
    'Keep as draft',
  )
}

test('an email can be kept as a draft, and nothing else that the same account does', () => {
  expect(offersDraft('gmail_send_email', { to: ['ada@example.com'], subject: 'Hello', body: 'Hi' })).toBe(
    true,
  )
  expect(offersDraft('gmail_email_actions', { action: 'delete_forever', message_ids: ['m1'] })).toBe(false)
})
