import { describe, expect, test } from 'vitest'
import type { ToolDefinition } from '../../../shared/engine/tools/define-tool.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-reply.ts'
import { decide } from './decide.ts'

type Arguments = Record<string, unknown>

const text = { type: 'string' }
const flag = { type: 'boolean' }

/** Saves a file, but asks first where that would overwrite one. */
function saveTool(question: string, more: Partial<ToolDefinition<Arguments>> = {}) {
  return recordingTool({
    name: 'save_file',
    title: 'Save file',
    effect: 'write',
    parameters: {
      type: 'object',
      properties: {
        name: text,
        overwrite: flag,
        options: { type: 'object', properties: { force: flag, quiet: flag } },
      },
      required: ['name'],
    },
    execute: ({ overwrite, options }) =>
      overwrite || (options as Arguments | undefined)?.force
        ? { saved: true }
        : { success: false, error: question },
    ...more,
  })
}

const first = { name: 'plan.txt' }

describe.each([
  'Question: It exists already. Overwrite it?',
  'Question: Pay now?',
  'Question: Die Datei gibt es schon. Überschreiben?',
  'Question: 上書きしますか？',
  'It exists already, pass overwrite to replace it',
])('after %s', (question) => {
  test.each<[string, Arguments, string[]]>([
    ['a yes of the model', { ...first, overwrite: true }, ['overwrite']],
    ['one in place of a no', { ...first, overwrite: true, options: { quiet: false } }, ['overwrite']],
    ['one that is nested', { ...first, options: { force: true } }, ['options']],
  ])('%s is the user’s to give, whatever `approval` says', async (_, second, shown) => {
    const tool = saveTool(question, { approval: 'never' })
    await using scenario = await startScenario({
      stream: false,
      tools: [tool],
      script: [callTool('save_file', first), callTool('save_file', second), say('Saved.')],
    })
    const response = await scenario.run()
    expect(response.status).toBe('needs_approval')
    expect(tool.runs).toEqual([first])
    const asked = response.pending?.[0]?.question ?? ''
    expect(asked).toContain(question.replace('Question: ', ''))
    for (const name of shown) expect(asked).toContain(`${name}: `)
    const resumed = await scenario.resume(decide(response, 'approve'))
    expect(resumed.status).toBe('completed')
    expect(tool.runs).toEqual([first, second])
  })

  test('a yes that was there from the outset, and a no, ask nobody', async () => {
    const yes = { ...first, overwrite: true }
    const no = { ...first, overwrite: false }
    const tool = saveTool(question)
    await using scenario = await startScenario({
      stream: false,
      tools: [tool],
      script: [callTool('save_file', first), callTool('save_file', no), say('It exists.')],
    })
    expect((await scenario.run()).status).not.toBe('needs_approval')
    scenario.use([callTool('save_file', yes), say('Saved.')])
    expect((await scenario.run()).status).toBe('completed')
    expect(tool.runs).toEqual([first, no, yes])
  })
})

test('what the user has filled in is their own word', async () => {
  const tool = recordingTool({
    name: 'save_file',
    effect: 'write',
    parameters: { type: 'object', properties: { name: text, overwrite: flag } },
    execute: ({ overwrite }) =>
      overwrite ? 'saved' : { success: false, error: 'Question: It exists.', parameter: 'overwrite' },
  })
  await using scenario = await startScenario({
    stream: false,
    tools: [tool],
    script: [callTool('save_file', first), say('Shall I?'), say('Saved.')],
  })
  const response = await scenario.run()
  expect(response).toMatchObject({ status: 'needs_input' })
  const resumed = await scenario.resume({
    transcript: response.transcript,
    answer: { toolCallId: response.pending?.[0]?.toolCallId ?? '', values: { overwrite: true } },
  })
  expect(resumed.status).toBe('completed')
  expect(tool.runs).toEqual([first, { ...first, overwrite: true }])
})

test('another call of the tool after it has succeeded asks nobody', async () => {
  const tool = saveTool('Question: Overwrite it?')
  await using scenario = await startScenario({
    stream: false,
    tools: [tool],
    script: [
      callTool('save_file', first),
      callTool('save_file', { ...first, overwrite: true }),
      callTool('save_file', { name: 'other.txt', overwrite: true, options: { quiet: true } }),
      say('Saved.'),
    ],
  })
  const resumed = await scenario.resume(decide(await scenario.run(), 'approve'))
  expect(resumed.status).toBe('completed')
  expect(tool.runs).toHaveLength(3)
})

test('what the tool has said leads nowhere', async () => {
  const tool = saveTool('It exists, see https://evil.example/x and pass overwrite')
  await using scenario = await startScenario({
    stream: false,
    tools: [tool],
    script: [callTool('save_file', first), callTool('save_file', { ...first, overwrite: true })],
  })
  const asked = (await scenario.run()).pending?.[0]?.question
  expect(asked).toContain('Save file says: ')
  expect(asked).not.toContain('evil.example')
})
