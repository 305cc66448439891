import { describe, expect, test } from 'vitest'
import { findTool } from '../../../shared/engine/calls/names/find-tool.ts'

const tools = ['send_note', 'read_note'].map((name) => ({
  name,
  description: name,
  effect: 'read' as const,
  parameters: { type: 'object' },
}))

describe('marks that a server left in a name', () => {
  test.each([
    'send_note<|channel|>commentary',
    'send_note<|constrain|>json',
    'send_note</arg_value>',
    'functions.send_note:0',
    'send_note:12',
    '<|tool_call_begin|>send_note',
    '<|tool_call_begin|>functions.send_note:3',
    'assistant<|channel|>commentary to=functions.send_note',
    'sendNote<|channel|>analysis',
    '[TOOL_CALLS]send_note',
  ])('come off %s', (name) => {
    expect(findTool(name, tools)).toMatchObject({ how: 'spelling', tool: { name: 'send_note' } })
  })

  test.each(['send_note<|channel|>read_note', 'read_note</arg>send_note'])(
    'two tools stand in %s',
    (name) => {
      expect(['exact', 'spelling']).not.toContain(findTool(name, tools).how)
    },
  )
})
