import { expect, test } from 'vitest'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { projectSpans, type TracedRun } from '../../../supabase/functions/chat/tracing/project-spans.ts'

const key = 'sk-live-0123456789abcdef'
const entries: Entry[] = [
  { type: 'run-start', runId: 'turn', now: '2026-11-24T12:00Z' },
  { type: 'step-start' },
  { type: 'model-text', text: 'I am looking.' },
  {
    type: 'call',
    toolCallId: 'call-1',
    name: 'search',
    toolName: 'search',
    effect: 'read',
    prepared: true,
    input: { query: `weather ${key}` },
    repairs: [],
    intent: 1,
    attempt: 1,
    startedAt: '2026-11-24T12:00:00Z',
  },
  {
    type: 'step-end',
    provider: 'openai',
    model: 'm',
    finishReason: 'tool_calls',
    usage: { inputTokens: 1, outputTokens: 1 },
    durationMs: 1,
  },
  {
    type: 'result',
    toolCallId: 'call-1',
    status: 'succeeded',
    result: { ok: true, data: { page: `rain, password: hunter2 ${'x'.repeat(50_000)}` } },
    tries: 1,
    durationMs: 5,
  },
  { type: 'run-end', status: 'completed', text: 'It rains.' },
]

function run(withContent: boolean): TracedRun {
  return {
    traceId: 't',
    spanId: 's',
    spanOf: (id) => id,
    runId: 'run',
    conversationId: 'c',
    agent: { id: 'a', name: 'Weather agent' },
    tools: [{ name: 'search', parameters: { type: 'object' } }],
    before: [{ type: 'user-message', content: `Will it rain? My key is ${key}` }],
    written: entries.map((entry, index) => ({ entry, at: 1000 + index })),
    startedAt: 1000,
    isStream: false,
    isStopped: false,
    withContent,
  }
}

test('with content, spans hold what was said and done, but no secrets, and nothing endless', () => {
  const [agent, chat, tool] = projectSpans(run(true))
  expect(agent).toMatchObject({
    name: 'invoke_agent Weather agent',
    attributes: {
      'gen_ai.agent.name': 'Weather agent',
      'gen_ai.input.messages':
        '[{"role":"user","parts":[{"type":"text","content":"Will it rain? My key is ***"}]}]',
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"text","content":"It rains."}],"finish_reason":"stop"}]',
    },
  })
  expect(JSON.parse(String(chat?.attributes['gen_ai.output.messages']))).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: 'I am looking.' },
        { type: 'tool_call', id: 'call-1', name: 'search', arguments: { query: 'weather ***' } },
      ],
      finish_reason: 'tool_calls',
    },
  ])
  expect(tool?.attributes['gen_ai.tool.call.arguments']).toBe('{"query":"weather ***"}')
  const result = String(tool?.attributes['gen_ai.tool.call.result'])
  expect(result.length).toBeLessThan(17_000)
  expect(JSON.parse(result).clipped).toContain('rain')
  expect(JSON.stringify(projectSpans(run(true)))).not.toMatch(/hunter2|0123456789abcdef/)
})

test('without it they hold none', () => {
  expect(JSON.stringify(projectSpans(run(false)))).not.toMatch(/rain|weather|Weather|looking|hunter2/)
})
