import { describe, expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { isOffered } from '../../../shared/engine/models/written-calls/text-tool-calls.ts'

const tool = (name: string, more: Partial<ToolSpecification> = {}): ToolSpecification => ({
  name,
  description: '',
  effect: 'write',
  parameters: { type: 'object', properties: { title: { type: 'string' } } },
  ...more,
})
const foreign = tool('linear__create_issue', { foreign: true })
const call = (name: string, tools: ToolSpecification[]) =>
  prepareToolCall({ name, rawArguments: '{"title":"Broken"}', tools })

const spellings = [
  'linear_create_issue',
  'linear.create_issue',
  'Linear__Create_Issue',
  'linearCreateIssue',
  'create_issue',
  'linear__create_isue',
  'linear__create_issue_tool',
  'functions.linear__create_issue',
  'mcp__linear__create_issue',
  '<tool_call>linear__create_issue',
]

describe('a foreign tool', () => {
  test('is called by its name', () => {
    expect(call(foreign.name, [foreign])).toMatchObject({ ok: true, repairs: [] })
  })

  test.each(spellings)('is neither called nor proposed for %s', (name) => {
    const prepared = call(name, [foreign, tool('web_search')])
    expect(prepared.ok).toBe(false)
    if (prepared.ok) return
    const { errorType, details } = prepared.error
    expect(errorType).toBe('tool_not_found')
    expect([details.correction, details.suggestion]).toEqual([undefined, undefined])
    expect(details.allowed).toContain(foreign.name)
  })

  test('is called in a text by its name alone', () => {
    expect(isOffered(foreign.name, [foreign])).toBe(true)
    for (const name of spellings) expect([name, isOffered(name, [foreign])]).toEqual([name, false])
  })

  test('catches no call of ours', () => {
    const near = tool('gmail_send_emails', { foreign: true })
    const ours = tool('gmail_send_email')
    expect(call('gmail_send_email', [near, ours])).toMatchObject({ ok: true, tool: { name: ours.name } })
    expect(call('gmailSendEmail', [near, ours])).toMatchObject({ ok: true, tool: { name: ours.name } })
    expect(call('gmail.send.emails', [near, ours]).ok).toBe(false)
  })

  test('is not taken for ours that is called like it without its server', () => {
    const ours = tool('create_comment')
    expect(call('linear__create_comment', [foreign, ours]).ok).toBe(false)
  })

  test.each(['gone__create_comment', 'gone__createComment', 'my_server__create_comment'])(
    '%s of a server that is gone is no tool of ours',
    (name) => {
      const prepared = call(name, [tool('create_comment'), tool('web_search')])
      expect(prepared.ok).toBe(false)
      if (prepared.ok) return
      const { correction, suggestion } = prepared.error.details
      expect([correction, suggestion]).toEqual([undefined, undefined])
    },
  )
})
