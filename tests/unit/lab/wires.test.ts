import { expect, test } from 'vitest'
import { judgeRow } from '../../../lab/wires/judge.ts'
import { isEnough, measureWires, reportOf } from '../../../lab/wires/measure.ts'
import type { WireRow } from '../../../lab/wires/rows.ts'

const row = (text: string, expected: Partial<WireRow['expected']>): WireRow => ({
  id: 'a',
  provider: 'local',
  model: 'm',
  family: 'f',
  form: 'raw-text',
  request_tools: [
    { name: 'search', parameters: { type: 'object', properties: { query: { type: 'string' } } } },
  ],
  status: 200,
  headers: {},
  text,
  expected: { kind: 'text', text: '', toolCalls: [], ...expected },
})
const search = { name: 'search', arguments: { query: 'x' } }
const call = '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>'

test('a row is right if its calls are made and its words are shown, plain and streamed', async () => {
  const rows = [
    row(`Let me look.\n${call}`, { kind: 'calls', text: 'Let me look.', toolCalls: [search] }),
    row('<think>Hm.</think>Hello!', { text: 'Hello!', reasoning: 'Hm.' }),
  ]
  const results = await measureWires(rows, false)
  expect(results.map(({ wrong }) => wrong)).toEqual([[], []])
  expect(isEnough(results)).toBe(true)
  expect(reportOf(results)).toContain('all: right 2/2 (100.0 %)')
})

test('a row is wrong if something else is made or shown', async () => {
  const rows = [
    row(call, { kind: 'calls', toolCalls: [{ ...search, arguments: { query: 'y' } }] }),
    row('Hello!', { text: 'Good morning!' }),
  ]
  const results = await measureWires(rows, false)
  expect(results.every(({ wrong }) => wrong.length > 0)).toBe(true)
  expect(isEnough(results)).toBe(false)
})

test('of a family that need not be read, markup and thoughts count wherever they appear', () => {
  const played = { calls: [], streamed: undefined, failure: undefined, isHung: false }
  const asked = [{ messages: [] }, { messages: [{ role: 'assistant', content: '' }] }]
  const wanted = row(call, { kind: 'calls', toolCalls: [search] })
  expect(judgeRow(wanted, { ...played, text: '', requests: asked }, true)).toEqual([])
  expect(judgeRow(wanted, { ...played, text: call, requests: asked }, true)).toHaveLength(1)
  expect(judgeRow(wanted, { ...played, text: '', requests: asked.slice(0, 1) }, true)).toHaveLength(1)
  const history = [{ messages: [{ role: 'assistant', content: call }] }]
  expect(judgeRow(wanted, { ...played, text: '', requests: history }, true)).toHaveLength(1)
})
