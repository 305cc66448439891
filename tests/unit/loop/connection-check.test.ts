import { expect, test } from 'vitest'
import { type ToolError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-reply.ts'

const question = 'Question: Ihr Kalender muss zuerst eingerichtet werden.'
const broken = toolError('authentication_error', 'Question: Your calendar connection does not work.', {
  details: { action: { label: 'Reconnect', href: '/settings/integrations?provider=calendar' } },
})

/** A tool with a provider that asks each time, and a model that tries twice and then gives up. */
async function ask(hooks: { missing?: ToolError; tested?: ToolError }, providers: string[] = ['calendar']) {
  let tests = 0
  const tool = recordingTool({
    name: 'add_event',
    title: 'Add event',
    effect: 'write',
    parameters: { type: 'object', properties: { title: { type: 'string' } } },
    ...(providers.length > 0 ? { providers } : {}),
    execute: () => ({ success: false, error: question }),
  })
  const library = {
    ...tool,
    requirement: () => hooks.missing,
    checkConnection: async () => {
      tests++
      return hooks.tested
    },
  }
  await using scenario = await startScenario({
    stream: false,
    tools: [library],
    script: [callTool('add_event', { title: 'a' }), callTool('add_event', { title: 'b' }), say('It asks.')],
  })
  const response = await scenario.run()
  return { response, tests, runs: tool.runs.length, rows: scenario.ledger.rows }
}

test('a connection is tested when its tool asks a second time, and only a failed test opens the card', async () => {
  const { response, tests, runs, rows } = await ask({ tested: broken })
  expect([tests, runs]).toEqual([1, 2])
  expect(response).toMatchObject({
    status: 'needs_connection',
    pending: [{ type: 'connection', question: broken.error, href: broken.details.action?.href }],
  })
  expect(response.toolsUsed.map(({ error }) => error?.errorType)).toEqual([
    'missing_parameter',
    'authentication_error',
  ])
  expect(rows.map(({ status }) => status)).toEqual(['failed', 'failed'])
})

test('one that works is no reason: the model’s words ask', async () => {
  const { response, tests } = await ask({})
  expect([tests, response.status, response.text]).toEqual([
    1,
    'completed',
    'It asks.\n\nNot done: Add event (title: "b").',
  ])
})

test('one that is missing is said at once', async () => {
  const { response, tests, runs } = await ask({ missing: broken })
  expect([tests, runs, response.status]).toEqual([0, 1, 'needs_connection'])
})

test('a tool without providers has none to test', async () => {
  const { response, tests } = await ask({ missing: broken, tested: broken }, [])
  expect([tests, response.status]).toEqual([0, 'completed'])
})
