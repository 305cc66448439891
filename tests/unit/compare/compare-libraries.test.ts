import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { compareLibraries, createModelClient, createToolLibrary, defineTool } from '../../../shared/index.ts'
import { callTool, type ModelServer, say, startModelServer } from '../../support/model-server.ts'

let server: ModelServer | undefined
afterEach(() => server?.close())

const lookUp = (execute: () => unknown) =>
  defineTool({
    name: 'look_up',
    description: 'Looks a word up',
    parameters: z.object({ word: z.string() }),
    effect: 'read',
    execute,
  })

async function compare(inputs: string[]) {
  server = await startModelServer((request) =>
    request.body.messages.at(-1)?.role === 'tool' ? say('Done.') : callTool('look_up', { word: 'askback' }),
  )
  const good = lookUp(() => ({ meaning: 'a question in return' }))
  const bad = lookUp(() => {
    throw Object.assign(new Error('no such word'), { status: 404 })
  })
  return compareLibraries({
    agent: { name: 'dictionary', instructions: 'Look words up.', tools: [good.specification] },
    inputs,
    a: createToolLibrary([bad]),
    b: createToolLibrary([good]),
    model: createModelClient({ baseURL: server.url, apiKey: 'test', model: 'scripted' }),
    limits: { maxAttempts: 1 },
  })
}

test('compareLibraries shows that one library works and the other does not, with intervals', async () => {
  const { a, b, difference, runs } = await compare(['one', 'two', 'three', 'four', 'five'])
  expect(a.successRate.value).toBe(0)
  expect(b.successRate.value).toBe(1)
  expect(b.successRate.low).toBeGreaterThan(a.successRate.high)
  expect(difference.successRate).toEqual({ value: 1, low: 1, high: 1 })
  expect(b.attempts).toEqual({ value: 1, low: 1, high: 1 })
  expect(b.tokens.value).toBeGreaterThan(0)
  expect(runs.map((run) => [run.input, run.b.status])).toEqual(
    ['one', 'two', 'three', 'four', 'five'].map((input) => [input, 'completed']),
  )
})

test('compareLibraries claims nothing about a mean of one run', async () => {
  const { b } = await compare(['one'])
  expect(b.attempts).toEqual({ value: 1, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY })
})

test('compareLibraries says that it needs inputs', async () => {
  await expect(compare([])).rejects.toThrow('given no inputs')
})
