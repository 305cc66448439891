import { describe, expect, test } from 'vitest'
import type { ChatPart } from '../../../client/api/message.ts'
import { german } from '../../../client/labels/de.ts'
import { english } from '../../../client/labels/en.ts'
import { type CallView, readCall } from '../../../client/react/calls/call-view.ts'
import { describeCall, describeDenied, describeRun } from '../../../client/react/calls/tool-line.ts'

const call = (more: Partial<CallView>): CallView => ({
  toolCallId: '1',
  toolName: 'read_pages',
  state: 'done',
  input: {},
  repairs: [],
  ...more,
})
const pages = (...errors: (string | null)[]) => ({
  pages: errors.map((error, index) => ({ url: `https://example.com/${index}`, error })),
})

describe('a call in one line', () => {
  test('asks nothing any more once it is denied', () => {
    const denied = call({ state: 'denied', statement: 'Send "Hi" to "Bob"', past: 'sent' })
    expect(describeDenied(denied, english)).toBe('Not sent: Send "Hi" to "Bob"')
    expect(describeDenied(call({ state: 'denied', past: 'gesendet' }), german)).toBe('Nicht gesendet')
  })
  test('does not say what its user was asked for once that is denied: it was a question', () => {
    const errorText = 'Question: To whom?'
    const parts = [
      { type: 'tool-send_email', toolCallId: '1', state: 'output-error', input: {}, errorText },
      { type: 'data-tool-error', id: '1', data: { toolCallId: '1', errorType: 'approval_denied' } },
      { type: 'data-question', id: '1', data: { type: 'needs_input', toolCallId: '1', answered: true } },
    ] as ChatPart[]
    const texts = [{ code: '', text: 'To whom?', toolCallId: '1' }]
    const [form] = parts.flatMap((part) => readCall(part, parts, { texts } as never) ?? [])
    expect(form?.askedFirst).toBe('To whom?')
    expect(describeDenied(form ?? call({}), english)).toBe('Not done')
  })
  test('is not done where a part of it failed', () => {
    expect(describeCall(call({ output: pages(null, 'Not found.', null) }), english)).toBe('1 of 3 failed')
    expect(describeCall(call({ output: pages('Not found.', 'Not found.') }), english)).toBe('didn’t work')
    const output = { results: [{ ok: true }, { ok: false }] }
    expect(describeCall(call({ output, summary: 'Deleted 1 email' }), english)).toBe(
      'Deleted 1 email · 1 of 2 failed',
    )
  })
  test('says what it did, and what its tool warns of', () => {
    expect(describeCall(call({ summary: 'Sent "Hi"', output: { accepted: ['a@b.de'] } }), english)).toBe(
      'Sent "Hi"',
    )
    expect(
      describeCall(call({ summary: 'Sent "Hi"', output: { warning: 'Bob got nothing.' } }), english),
    ).toBe('Sent "Hi" · Bob got nothing.')
  })
  test('did not fail where it may have been carried out', () => {
    const errorText = 'Question: It may have been carried out, but no confirmation arrived.'
    const parts = [
      { type: 'tool-send_email', toolCallId: '1', state: 'output-error', input: {}, errorText },
      { type: 'data-tool-error', id: '1', data: { toolCallId: '1', errorType: 'outcome_unknown' } },
    ] as ChatPart[]
    const [first] = parts.flatMap((part) => readCall(part, parts, undefined) ?? [])
    expect(describeCall(first ?? call({}), english)).toBe('may have been done')
    expect(describeCall(first ?? call({}), german)).toBe('Ausgang unklar')
  })
  test('knows the question that was answered, unless only its approval was asked in our words', () => {
    const texts = (...asked: string[]) => ({
      texts: asked.map((text) => ({ code: '', text, toolCallId: '1' })),
    })
    const approved = {
      type: 'tool-send_email',
      toolCallId: '1',
      state: 'output-available',
      approval: { approved: true },
    } as unknown as ChatPart
    const askedFirst = (...asked: string[]) =>
      readCall(approved, [approved], texts(...asked) as never)?.askedFirst
    expect(askedFirst('To whom?', 'Send it?')).toBe('To whom?')
    expect(askedFirst('Send it?')).toBeUndefined()
  })
  test('says how much was corrected, in the language of the labels', () => {
    const repairs = [{ path: 'to', rule: 'one-item-array' }]
    expect(describeCall(call({ repairs, summary: 'Sent' }), english)).toBe('Sent · one thing repaired')
    expect(describeCall(call({ repairs }), german)).toBe('erledigt · eine Korrektur')
  })
  test('of many says how many were done, and how many were not', () => {
    const done = call({ output: pages(null) })
    expect(describeRun([done, done, done], english)).toBe('3 done')
    expect(describeRun([done, call({ output: pages(null, 'x') }), call({ state: 'failed' })], english)).toBe(
      '1 done · 1 in part · 1 failed',
    )
  })
})
