import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Pending } from '../../../client/api/message.ts'
import { ApprovalCard } from '../../../client/react/cards/approval-card.tsx'
import { QuestionForm } from '../../../client/react/cards/question-form.tsx'

const pending: Pending = {
  type: 'input',
  itemId: 't.1',
  agentId: null,
  messageId: 'a',
  askedAt: '2026-11-22T06:12:00.000Z',
  toolCallId: 't',
  toolName: 'smtp_send_email',
  title: 'Send email',
  intent: 1,
  code: 'address_unknown',
  codeValues: { address: 'ada@exmaple.com', refusedValue: 'ada@exmaple.com' },
  asked: 'What is the right email address?',
  question: 'What is the right email address?',
  values: { subject: 'Lunch', body: 'At noon.' },
  schema: {
    type: 'object',
    properties: { 'to[0]': { type: 'string', format: 'email', title: 'Recipient email address' } },
    required: ['to[0]'],
  },
}
const form = (item: Pending) =>
  renderToStaticMarkup(
    createElement(QuestionForm, { pending: item, onAnswer: async () => {}, onSkip: async () => {} }),
  )
const card = (item: Pending) =>
  renderToStaticMarkup(
    createElement(ApprovalCard, { pending: { ...item, approvalId: 't.1' }, onDecide: async () => {} }),
  )

it.each([
  ['a form', form],
  ['a form that is an approval, too,', card],
])('%s has the refused address in its field, to correct a letter of it', (_, show) => {
  expect(show(pending)).toContain('value="ada@exmaple.com"')
})

it('what only the model has said is in no field', () => {
  const codeValues = { value: 'ada@exmaple.com' }
  expect(form({ ...pending, code: 'value_not_said', codeValues })).not.toContain('exmaple')
})
