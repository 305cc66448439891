import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Call, Entry, Result } from '../../../shared/engine/transcript/entry.ts'
import { english } from '../../../shared/words/languages/english.ts'
import { CompletionText } from '../../../supabase/functions/chat/openai/completion-text.ts'

const send = {
  name: 'send_email',
  description: 'Sends an email.',
  effect: 'write' as const,
  confirm: 'Send "{subject}" to {to}?',
  parameters: {
    type: 'object',
    properties: {
      to: { type: 'array', title: 'Recipient email address', items: { type: 'string', format: 'email' } },
      subject: { type: 'string' },
    },
    required: ['to', 'subject'],
  },
}

function begin() {
  const told = { text: '' }
  const text = new CompletionText(english, (more) => {
    told.text += more
  })
  text.onEntries([], [send])
  const hear = (...entries: Entry[]) => {
    for (const entry of entries) text.onEvent(entry)
  }
  return { text, told, hear }
}

function call(toolCallId: string, more: Partial<Call> = {}): Call {
  return {
    type: 'call',
    toolCallId,
    name: 'send_email',
    toolName: 'send_email',
    effect: 'write',
    prepared: true,
    input: { to: ['ada@example.com'], subject: 'Hi' },
    repairs: [],
    intent: 1,
    attempt: 1,
    startedAt: '2026-11-23T10:00:00Z',
    ...more,
  }
}

function refused(toolCallId: string, ...parameters: string[]): Result {
  const problems = parameters.map((parameter) => ({ errorType: 'invalid_value' as const, parameter }))
  return {
    type: 'result',
    toolCallId,
    status: 'rejected',
    result: {
      ok: false,
      error: 'Question: Which address?',
      errorType: 'invalid_value',
      resolver: 'model',
      details: { parameter: parameters[0] ?? '', problems },
    },
    tries: 0,
    durationMs: 0,
  }
}

const done = (toolCallId: string): Result => ({
  type: 'result',
  toolCallId,
  status: 'succeeded',
  result: { ok: true, data: {} },
  tries: 1,
  durationMs: 5,
})
const end = (text: string): Entry => ({ type: 'run-end', status: 'completed', text })

test('a run that is stopped says once what its model has written, and then how it ended', () => {
  const { text, told } = begin()
  text.onEvent({ type: 'step-start' })
  for (const delta of ['Once upon', ' a time']) text.onEvent({ type: 'text-delta', delta })
  const ours = [{ code: 'stopped' as const, text: 'Stopped.' }]
  text.onEvent({ type: 'run-end', status: 'failed', text: 'Once upon a time', ours })
  expect(told.text).toBe('Once upon a time\n\nStopped.')
})

test('what is said at the end in other words is a paragraph of its own', () => {
  const { text, told } = begin()
  text.onEvent({ type: 'step-start' })
  text.onEvent({ type: 'text-delta', delta: 'Let me see.' })
  text.onEvent({ type: 'run-end', status: 'failed', text: '', ours: [{ code: 'stopped', text: 'Stopped.' }] })
  expect(told.text).toBe('Let me see.\n\nStopped.')
})

describe('what a model has corrected by itself is one line', () => {
  test('by the names that people know, once the call has worked', () => {
    const { hear, told } = begin()
    hear(call('a', { prepared: false }), refused('a', 'to[0]', 'to[1]', 'subject', 'colour'))
    hear(call('b', { attempt: 2 }), refused('b', 'subject'), call('c', { attempt: 3 }))
    expect(told.text).toBe('')
    hear(done('c'), end('Sent.'))
    expect(told.text).toBe('Corrected: recipient email address, subject.\n\nSent.')
  })

  test('before the question where a person decides on it', () => {
    const { hear, told } = begin()
    hear(call('a', { prepared: false }), refused('a', 'to'), call('b', { attempt: 2 }))
    hear({
      type: 'question',
      itemId: 'q',
      kind: 'approval',
      intent: 1,
      askedAt: '2026-11-23T10:00:00Z',
      toolCallId: 'b',
      toolName: 'send_email',
      code: 'approve',
      asked: 'Send it?',
      arguments: {},
      open: [],
    })
    expect(told.text).toBe('Corrected: recipient email address.')
  })

  test('nothing is said of a call that stays wrong, of another one, or of one that was right', () => {
    const { hear, told } = begin()
    hear(call('a', { prepared: false }), refused('a', 'to'), call('b', { intent: 2 }), done('b'))
    expect(told.text).toBe('')
  })
})

describe('a write that takes long', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is said to be under way, once, and what comes of it stands below', () => {
    const { hear, told } = begin()
    hear(call('a'))
    vi.advanceTimersByTime(1900)
    expect(told.text).toBe('')
    vi.advanceTimersByTime(60_000)
    expect(told.text).toBe('Still at work: Send "Hi" to "ada@example.com" …')
    hear(done('a'), end('Sent.'))
    expect(told.text).toBe('Still at work: Send "Hi" to "ada@example.com" …\n\nSent.')
  })

  test('is not said while a read holds it up, when it is quick, when it asks, or when nobody listens', () => {
    const { text, hear, told } = begin()
    hear(call('r', { effect: 'read' }), call('a'))
    vi.advanceTimersByTime(5000)
    hear(done('r'))
    vi.advanceTimersByTime(1000)
    hear(done('a'))
    vi.advanceTimersByTime(5000)
    hear(call('b'))
    text.end()
    vi.advanceTimersByTime(5000)
    expect(told.text).toBe('')
  })
})
