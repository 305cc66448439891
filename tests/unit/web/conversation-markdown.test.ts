import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../client/api/message.ts'
import { english } from '../../../client/labels/en.ts'
import { showDate } from '../../../shared/words/locale.ts'
import { toMarkdown } from '../../../web/shell/conversation-markdown.ts'
import { nameFile } from '../../../web/shell/export-conversation.ts'

test('a conversation is written as who said what and when, with what was done in one line each', () => {
  const at = new Date(2026, 10, 23, 16, 31).toISOString()
  const messages: ChatMessage[] = [
    {
      id: 'u1',
      role: 'user',
      parts: [
        { type: 'text', text: 'Write to Ada.\n\n- soon' },
        { type: 'file', mediaType: 'application/pdf', url: '/files/1', filename: 'plan.pdf' },
      ],
    },
    {
      id: 'a1',
      role: 'assistant',
      metadata: {},
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.' },
        {
          type: 'dynamic-tool',
          toolName: 'smtp_send_email',
          toolCallId: 'c1',
          state: 'output-available',
          input: {},
          output: {},
        },
        {
          type: 'data-call',
          id: 'c1',
          data: { toolCallId: 'c1', intent: 1, startedAt: at, summary: 'Sent "Plan"\nto ada@example.com' },
        },
        { type: 'text', text: 'It is **sent**.' },
      ],
    },
  ]
  expect(
    toMarkdown('Ada\u202e and\nthe plan', messages, {
      times: { u1: at },
      titleOf: () => 'Send email',
      labels: english,
    }),
  ).toBe(
    `# Ada and the plan

## You · ${showDate(at, 'longMoment', english.locale)}

Write to Ada.

- soon

Attached: plan.pdf

## Answer

> Send email: Sent "Plan" to ada@example.com

It is **sent**.
`,
  )
})

test('a title becomes a name that every system takes', () => {
  expect(nameFile('Plan: a/b\\c? "x" <y>|*')).toBe('Plan a b c x y')
  expect(nameFile('../../etc/passwd')).toBe('etc passwd')
  expect(nameFile('\u202e...')).toBe('Conversation')
  expect(nameFile('x'.repeat(200))).toHaveLength(80)
})
