import { expect, test } from 'vitest'
import { conversations } from '../../lab/conformance/conversations/conversations.ts'
import { everydayTools } from '../../lab/conformance/conversations/tools.ts'
import { measureModel } from '../../lab/conformance/measure-model.ts'
import { createModelClient } from '../../shared/engine/models/create-model-client.ts'
import { callTool, say, startModelServer } from '../../support/model-server.ts'

test('there are forty conversations, and their calls fit the tools', () => {
  expect(conversations).toHaveLength(40)
  const names = everydayTools.map(({ specification }) => specification.name)
  for (const { tool } of conversations) if (tool !== undefined) expect(names).toContain(tool)
})

test('success is counted at the attempt at which it came, asking where something is missing', async () => {
  const call = { to: ['ada@example.com'], subject: 'Meeting', body: 'At ten.' }
  const server = await startModelServer([
    callTool('send_email', { ...call, to: 'ada@example.com' }),
    say('Sent.'),
    callTool('send_email', { subject: 'Meeting', body: 'At ten.' }),
    callTool('send_email', call),
    say('Sent.'),
    say('I cannot do that.'),
    say('Whom should I write to?'),
    callTool('get_weather', { city: 'Oslo', unit: 'celsius' }),
    say('Sunny.'),
  ])
  const says = 'Mail ada@example.com about the meeting.'
  const wanted = { says, tool: 'send_email', args: { to: ['ada@example.com'] } }
  const model = createModelClient({ baseURL: server.url, apiKey: 'any', model: 'scripted-model' })
  const only = [wanted, wanted, wanted, { says: 'Send an e-mail.' }, { says: 'Send an e-mail to somebody.' }]
  const measured = await measureModel(model, { only })
  await server.close()
  expect(measured).toMatchObject({ atAttempt: [1, 1, 0], asked: 1, asking: 2, modelCallsPerSuccess: 3 })
  expect(measured.failed.map(({ ended }) => ended)).toEqual(['completed', 'completed'])
})
