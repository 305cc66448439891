import { expect, test } from 'vitest'
import { compareLibraries } from '../../../shared/compare/compare-libraries.ts'
import { meanInterval, shareInterval } from '../../../shared/compare/interval.ts'
import { ToolCallError, toolError } from '../../../shared/errors/tool-error.ts'
import { createModelClient } from '../../../shared/models/create-model-client.ts'
import { createToolLibrary } from '../../../shared/tools/tool-library.ts'
import { searchTool, testClock } from '../../support/agent-scenario.ts'
import { callTool, say, startModelServer } from '../../support/model-server.ts'

test('the better library shows in success, attempts, tokens and latency', async () => {
  const clock = testClock()
  const slow = searchTool({
    execute: () => {
      clock.advance(100)
      throw new ToolCallError(toolError('permission_denied', 'Not allowed.'))
    },
  })
  const good = searchTool()
  const server = await startModelServer(({ body }) =>
    body.messages.at(-1)?.role === 'tool' ? say('Done.') : callTool('web_search', { query: 'a' }),
  )
  const { a, b } = await compareLibraries({
    agent: { name: 'Mira', instructions: 'Help.', tools: [good.specification] },
    inputs: ['one', 'two', 'three'],
    a: createToolLibrary([slow]),
    b: createToolLibrary([good]),
    model: createModelClient({ baseURL: server.url, apiKey: 'any', model: 'scripted-model' }),
    clock,
  })
  await server.close()
  expect([slow.runs.length, good.runs.length]).toEqual([3, 3])
  expect(a).toMatchObject({
    runs: 3,
    successRate: { value: 0 },
    latencyMs: { value: 100 },
    tokens: { value: 60 },
  })
  expect(b).toMatchObject({
    runs: 3,
    successRate: { value: 1 },
    latencyMs: { value: 0 },
    attempts: { value: 1 },
  })
  expect(a.attempts.value).toBeNaN()
})

test('a library that does not fit the agent is refused', async () => {
  const agent = { name: 'Mira', instructions: 'Help.', tools: [searchTool().specification] }
  const model = createModelClient({ baseURL: 'http://127.0.0.1:9/v1', apiKey: 'any', model: 'none' })
  const empty = createToolLibrary([])
  const comparison = compareLibraries({ agent, inputs: ['one'], a: empty, b: empty, model })
  await expect(comparison).rejects.toMatchObject({ name: 'AgentError', kind: 'tool' })
})

test('intervals: Wilson for shares, normal for means', () => {
  const { value, low, high } = shareInterval(8, 10)
  expect([value, low, high].map((part) => part.toFixed(3))).toEqual(['0.800', '0.490', '0.943'])
  expect(shareInterval(0, 0)).toEqual({ value: Number.NaN, low: 0, high: 1 })
  expect(meanInterval([1, 2, 3]).value).toBe(2)
  expect(meanInterval([1, 2, 3]).high).toBeCloseTo(3.13, 2)
  expect(meanInterval([5]).high).toBe(Number.POSITIVE_INFINITY)
})
