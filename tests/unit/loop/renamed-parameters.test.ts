import { expect, test } from 'vitest'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'
import { runSettings } from '../../../support/agent-scenario.ts'

interface Body {
  messages: {
    role: string
    content: string
    tool_calls?: { function: { name: string; arguments: string } }[]
  }[]
}

test('a model reads and corrects its call by the names that it knows, the tool and people by their own', async () => {
  const given: unknown[] = []
  const tool = defineTool({
    name: 'file_report',
    description: 'Files a report.',
    effect: 'write',
    approval: 'never',
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        Empfänger: { type: 'string' },
        'Größe in cm': { type: 'integer', minimum: 1 },
        Teile: {
          type: 'array',
          items: {
            type: 'object',
            properties: { 'Stück zahl': { type: 'integer' } },
            required: ['Stück zahl'],
          },
        },
      },
      required: ['Empfänger', 'Größe in cm'],
    },
    execute: (args: unknown) => {
      given.push(args)
      return { done: true }
    },
  })
  const calls = [
    { Empfanger: 'Ada', Grosse_in_cm: 'viel' },
    { Grosse_in_cm: 4, Teile: [{}], Grösse: 1 },
    { Empfanger: 'Ada', Grosse_in_cm: 4, Teile: [{ Stuck_zahl: 2 }] },
  ]
  const bodies: Body[] = []
  const model = createModelClient({
    baseURL: 'https://api.anthropic.com/v1',
    apiKey: 'key',
    model: 'claude-sonnet-4-5',
    fetch: async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)))
      const call = calls[bodies.length - 1]
      const id = `c${bodies.length}`
      const asked = { name: 'file_report', arguments: JSON.stringify(call) }
      const message = call
        ? { content: null, tool_calls: [{ id, type: 'function', function: asked }] }
        : { content: 'Filed.' }
      return Response.json({ choices: [{ message, finish_reason: call ? 'tool_calls' : 'stop' }] })
    },
  })
  const response = await runAgent({
    ...runSettings({ tools: [tool], model }),
    input: 'Report to Ada, 4 cm, 2 parts',
  })
  expect(response).toMatchObject({ status: 'completed', text: 'Filed.' })
  expect(given).toEqual([{ Empfänger: 'Ada', 'Größe in cm': 4, Teile: [{ 'Stück zahl': 2 }] }])
  const own = JSON.stringify(response.toolsUsed)
  expect(own).toContain('Größe in cm')
  expect(own).not.toMatch(/Grosse|Stuck|Empfanger/)
  const [first, second] = (bodies.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool')
  expect(first?.content).toContain('invalid_type "Grosse_in_cm"')
  expect(first?.content).toContain('{"Empfanger":"Ada","Grosse_in_cm":"<')
  expect(second?.content).toContain('missing_parameter "Empfanger"')
  expect(second?.content).toContain('Teile[0].Stuck_zahl')
  for (const { content = '' } of [first, second].filter((one) => one !== undefined)) {
    expect(content).not.toMatch(/"(?:Größe in cm|Empfänger|Stück zahl)"[:\]]/)
  }
  const sent = bodies.at(-1)?.messages.flatMap((message) => message.tool_calls ?? []) ?? []
  expect(sent.map((call) => JSON.parse(call.function.arguments))).toEqual(calls)
})
