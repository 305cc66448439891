import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { compareLibraries, createModelClient, createToolLibrary, defineTool } from '../../../shared/index.ts'
import { callTool, type ModelServer, say, startModelServer } from '../../../support/model-server.ts'

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

test('compareLibraries shows that one library works and the other does not', async () => {
  const inputs = ['one', 'two', 'three', 'four', 'five']
  const { a, b, runs } = await compare(inputs)
  expect([a.successRate, b.successRate]).toEqual([0, 1])
  expect([a.attempts, b.attempts]).toEqual([1, 1])
  expect(b.tokens).toBeGreaterThan(0)
  expect(runs.map((run) => [run.input, run.a.successRate, run.b.successRate, run.b.response.status])).toEqual(
    inputs.map((input) => [input, 0, 1, 'completed']),
  )
})

test('compareLibraries says that it needs inputs', async () => {
  await expect(compare([])).rejects.toThrow('given no inputs')
})
