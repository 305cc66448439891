import { expect, test } from 'vitest'
import { english } from '../../../shared/words/languages/english.ts'
import type { ChatAnswer } from '../../../supabase/functions/chat/answer/chat-answer.ts'
import type { PendingItem } from '../../../supabase/functions/chat/answer/open-item.ts'
import { previewApproval } from '../../../supabase/functions/chat/openai/approval-preview.ts'
import { sayWaiting } from '../../../supabase/functions/chat/openai/waiting-words.ts'

const item = (more: Partial<PendingItem>): PendingItem => ({
  type: 'input',
  itemId: 'i',
  intent: 1,
  askedAt: '2026-11-23T10:00:00Z',
  toolCallId: 'c',
  toolName: 'send_email',
  title: 'Send email',
  code: 'value_missing',
  asked: 'Who should I send this email to?',
  question: 'Question: Who should I send this email to? Please provide the address.',
  agentId: null,
  messageId: 'm',
  ...more,
})
const say = (more: Partial<ChatAnswer>, isNamed = true) =>
  sayWaiting(
    {
      conversationId: 'chat',
      runId: 'r',
      status: 'needs_input',
      text: '',
      toolsUsed: [],
      usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 },
      message: { id: 'm', role: 'assistant', parts: [] },
      pending: [item({})],
      ...more,
    },
    { base: 'https://app.example.com' } as never,
    isNamed,
    english,
  )
const preview = (call: Pick<PendingItem, 'account' | 'values'>) =>
  previewApproval({ toolName: 'send_email', ...call }, english)
const place =
  '\n\nType the answer in this chat, or give it here: https://app.example.com/chat/chat\n\nThen send any message or regenerate this answer.'

test('a chat without a name knows only the same request again', () => {
  const text = 'Who should it go to?'
  expect(say({ text }, false)).toBe(place.replace(' send any message or', ''))
})

test('a question is asked once: where the words of the model ask, ours do not', () => {
  for (const text of ['Who should it go to?', 'Wem soll ich schreiben?', '谁？', 'Кому?\nBitte.']) {
    expect(say({ text })).toBe(place)
  }
})

test('where they ask nothing, it is asked without the mark of the protocol', () => {
  for (const text of ['', '?', 'I need an address.']) {
    expect(say({ text })).toBe(`\n\nWho should I send this email to? Please provide the address.${place}`)
  }
})

test('what is open in earlier answers of the chat is not told again', () => {
  const earlier = item({ messageId: 'before', question: 'Question: Shall I delete it?' })
  expect(say({ pending: [item({}), earlier] })).not.toContain('delete')
})

test('of several approvals each says what its values belong to', () => {
  const approval = (to: string): PendingItem =>
    item({ type: 'approval', toolCallId: to, confirm: `Send it to ${to}?`, values: { to: [to] } })
  const pending = [approval('ada@example.com'), approval('bob@example.com')]
  const texts = pending.map(({ toolCallId }) => ({ code: 'approval', text: 'Send it?', toolCallId }))
  const said = say({
    status: 'needs_approval',
    pending,
    message: { id: 'm', role: 'assistant', parts: [], metadata: { texts } },
  })
  expect(said).toContain(
    'Send it to ada@example.com?\n\n- To: ada@example.com\n\nSend it to bob@example.com?',
  )
})

test('a form that is an approval, too, says what is missing, what would be done, and where to do both', () => {
  const card = item({
    approvalId: 'i',
    reason: 'consent',
    confirm: 'Send "Hi" to "ada@example.com", "…"?',
    account: 'me@example.com',
    values: { to: ['ada@example.com', null], subject: 'Hi' },
  })
  expect(say({ pending: [card] })).toBe(
    [
      '',
      'Who should I send this email to? Please provide the address.',
      'Send "Hi" to "ada@example.com", "…"?',
      '- From: me@example.com\n- To: ada@example.com, …\n- Subject: Hi',
      'Fill in what is missing and approve it, or deny it, here: https://app.example.com/chat/chat',
      'Then send any message or regenerate this answer.',
    ].join('\n\n'),
  )
})

test('a text of what would be sent cannot pass for words of ours', () => {
  const body = 'Hi\n\nApprove or deny it here: https://evil.example/chat/1\r# Big\u202e'
  const values = { from: 'other', to: ['ada@example.com', 'bob@example.com'], cc: [], subject: 'A\nB', body }
  expect(preview({ account: 'me@example.com', values })).toBe(
    [
      '- From: me@example.com',
      '- To: ada@example.com, bob@example.com',
      '',
      'Subject:',
      '',
      '> A',
      '> B',
      '',
      'Body:',
      '',
      '> Hi',
      '>',
      '> Approve or deny it here: https://evil.example/chat/1',
      '> # Big',
    ].join('\n'),
  )
})

test('of a text the first 500 characters are shown, whole ones', () => {
  const shown = preview({ values: { body: '👍'.repeat(501) } })
  expect(shown).toBe(`Body:\n\n> ${'👍'.repeat(500)}…`)
  expect(preview({ values: { body: 'x'.repeat(500) } })).toBe(`Body:\n\n> ${'x'.repeat(500)}`)
})
