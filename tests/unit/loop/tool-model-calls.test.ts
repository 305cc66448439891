import { expect, test } from 'vitest'
import type { ToolModelUse } from '../../../shared/engine/core/tool-specification.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'

const use: ToolModelUse = {
  purpose: 'summary',
  provider: 'openai',
  model: 'gpt-5',
  usage: { inputTokens: 1000, outputTokens: 100 },
  durationMs: 5,
}

test('what a tool has asked a model counts in the usage of the run, and in its budget of tokens', async () => {
  let late: ((use: ToolModelUse) => void) | undefined
  const page = recordingTool({
    name: 'read_page',
    effect: 'read',
    parameters: { type: 'object', properties: {} },
    execute: (_, { usedModel }) => {
      late = usedModel
      usedModel(use)
      usedModel(use)
      return { summary: 'Short.', usage: { inputTokens: 9999 }, modelCalls: [use] }
    },
  })
  await using scenario = await startScenario({
    stream: false,
    tools: [page],
    script: [callTool('read_page', {}), say('Read.')],
  })
  const response = await scenario.run({ input: 'Read it.' })
  late?.(use)
  const steps = response.transcript.flatMap((entry) => (entry.type === 'step-end' ? [entry.usage] : []))
  const own = steps.reduce((sum, { inputTokens }) => sum + inputTokens, 0)
  expect(response.usage).toMatchObject({ modelCalls: 4, inputTokens: own + 2000 })
  expect(response.transcript.filter(({ type }) => type === 'tool-model-call')).toEqual(
    Array(2).fill({ type: 'tool-model-call', toolCallId: response.toolsUsed[0]?.toolCallId, ...use }),
  )
  expect(response.transcript.at(-1)?.type).toBe('run-end')

  scenario.use([callTool('read_page', {}), say('Not reached.')])
  const over = await scenario.run({ input: 'Read it.', limits: { maxTotalTokens: 2000 } })
  expect(over.status).toBe('failed')
})
