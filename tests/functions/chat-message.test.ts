import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolError } from '../../shared/engine/core/tool-error.ts'
import type { AgentResponse, Pending, ToolUse } from '../../shared/engine/loop/agent-response.ts'
import { assistantMessageOf } from '../../supabase/functions/chat/ui-message.ts'

const run = { messageId: 'a-1', conversationId: 'c-1', runId: 'r-1' }
const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 }
const call = (id: string, name = 'smtp_send_email', args = '{}') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
})
const use = (toolCallId: string, rest: Partial<ToolUse>): ToolUse => ({
  toolCallId,
  toolName: 'smtp_send_email',
  attempt: 1,
  input: { subject: 'Hi' },
  ok: true,
  durationMs: 1,
  ...rest,
})
const pending = (type: Pending['type'], toolCallId: string, rest: Partial<Pending> = {}): Pending => ({
  type,
  toolCallId,
  toolName: 'smtp_send_email',
  question: 'Question: Who should I send this email to?',
  ...rest,
})
const response = (rest: Partial<AgentResponse>): AgentResponse => ({
  status: 'completed',
  text: 'Done.',
  messages: [],
  toolsUsed: [],
  usage,
  ...rest,
})
const states = (parts: Record<string, unknown>[]) =>
  parts.map((part) => `${part.type}${part.state ? ` ${part.state}` : ''}`)

test('a large output is shortened in the message', () => {
  const { parts } = assistantMessageOf(
    run,
    response({
      messages: [{ role: 'assistant', content: null, tool_calls: [call('1')] }],
      toolsUsed: [use('1', { output: { text: 'x'.repeat(100_000) } })],
    }),
  )
  assert.ok(JSON.stringify(parts).length < 33_000)
  assert.match(JSON.stringify(parts[1]?.output), /"shortened":true/)
})

test('a form stands beside the call it completes, and is marked when it has been answered', () => {
  const failed = use('1', {
    ok: false,
    error: toolError('missing_parameter', 'Question: Who?', { details: { parameter: 'to' } }),
  })
  const asked = assistantMessageOf(
    run,
    response({
      status: 'needs_input',
      text: 'Who should get it?',
      messages: [
        { role: 'assistant', content: null, tool_calls: [call('1')] },
        { role: 'tool', tool_call_id: '1', content: 'Question: Who?' },
        { role: 'assistant', content: 'Who should get it?' },
      ],
      toolsUsed: [failed],
      pending: [pending('input', '1', { schema: { type: 'object' }, values: { subject: 'Hi' } })],
    }),
  )
  assert.deepEqual(states(asked.parts), [
    'step-start',
    'tool-smtp_send_email output-error',
    'data-tool-error',
    'data-question',
    'step-start',
    'text done',
  ])
  assert.match(JSON.stringify(asked.parts[3]?.data), /"type":"needs_input"/)

  const answered = assistantMessageOf(
    run,
    response({
      text: 'Sent.',
      // The engine repeats the decided call for the model under another id.
      messages: [
        { role: 'user', content: 'Here is what you asked for.' },
        { role: 'assistant', content: null, tool_calls: [call('other')] },
        { role: 'tool', tool_call_id: 'other', content: '{}' },
        { role: 'assistant', content: 'Sent.' },
      ],
      toolsUsed: [use('1', { attempt: 2, input: { subject: 'Hi', to: ['a@b.c'] }, output: { id: 1 } })],
    }),
    asked,
  )
  assert.deepEqual(states(answered.parts), [
    'step-start',
    'tool-smtp_send_email output-available',
    'data-tool-error',
    'data-question',
    'step-start',
    'text done',
    'step-start',
    'text done',
  ])
  assert.deepEqual(answered.parts[1]?.input, { subject: 'Hi', to: ['a@b.c'] })
  assert.match(JSON.stringify(answered.parts[3]?.data), /"answered":true/)
})

test('the text of an open approval stands in its step, before the call', () => {
  const { parts } = assistantMessageOf(
    run,
    response({
      status: 'needs_approval',
      text: 'May I send it?',
      messages: [
        { role: 'assistant', content: null, tool_calls: [call('1')] },
        { role: 'tool', tool_call_id: '1', content: 'It waits.' },
        { role: 'assistant', content: 'May I send it?' },
      ],
      pending: [pending('approval', '1', { values: { to: ['a@b.c'] } })],
    }),
  )
  assert.deepEqual(states(parts), ['step-start', 'text done', 'tool-smtp_send_email approval-requested'])
  assert.deepEqual(parts[2]?.input, { to: ['a@b.c'] })
})

test('a denied call is closed as denied', () => {
  const before = {
    id: 'a-1',
    role: 'assistant' as const,
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-smtp_send_email',
        toolCallId: '1',
        state: 'approval-requested',
        input: {},
        approval: { id: '1' },
      },
    ],
  }
  const { parts } = assistantMessageOf(
    run,
    response({
      toolsUsed: [use('1', { ok: false, error: toolError('approval_denied', 'The user declined it.') })],
    }),
    before,
  )
  assert.deepEqual(parts[1]?.approval, { id: '1', approved: false })
  assert.equal(parts[1]?.state, 'output-denied')
  assert.equal(before.parts[1]?.state, 'approval-requested', 'the stored message is left as it was')
})

test('a run that waits for the clock says until when, even when no call is behind it', () => {
  const { parts } = assistantMessageOf(
    run,
    response({ status: 'waiting', pending: [pending('wait', '', { resumeAt: '2026-01-01T00:00:00Z' })] }),
  )
  assert.deepEqual(parts[0], {
    type: 'data-wait',
    id: '',
    data: { toolCallId: '', resumeAt: '2026-01-01T00:00:00Z' },
  })
})

test('two calls of the same tool keep a part each, and unreadable arguments are shown as they came', () => {
  const { parts } = assistantMessageOf(
    run,
    response({
      messages: [{ role: 'assistant', content: 'I try both.', tool_calls: [call('1'), call('2')] }],
      toolsUsed: [
        use('1', { output: null }),
        use('2', {
          ok: false,
          input: '{"to": "a@',
          error: toolError('malformed_arguments', 'Question: Cut.'),
        }),
      ],
    }),
  )
  assert.deepEqual(states(parts).slice(0, 5), [
    'step-start',
    'text done',
    'tool-smtp_send_email output-available',
    'tool-smtp_send_email output-error',
    'data-tool-error',
  ])
  assert.equal(parts[3]?.input, '{"to": "a@')
})
