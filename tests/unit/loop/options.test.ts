import { expect, test } from 'vitest'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { createToolLibrary } from '../../../shared/engine/tools/tool-library.ts'
import { mailTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, fail, say } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

plainAndStreamed('what a run needs', (stream) => {
  test.each([
    ['an empty input', { input: '  ' }, 'validation'],
    ['an input without parts', { input: [] }, 'validation'],
    ['an agent without a name', { agent: { name: '', instructions: 'Help.', tools: [] } }, 'validation'],
    ['an agent without instructions', { agent: { name: 'A', instructions: ' ', tools: [] } }, 'validation'],
    ['a tool that is not in the library', { library: createToolLibrary([]) }, 'tool'],
  ])('%s is refused before anything happens', async (_, options, kind) => {
    await using scenario = await startScenario({ stream, tools: [searchTool()], script: [say('Hi.')] })
    await expect(scenario.run(options)).rejects.toMatchObject({ name: 'AgentError', kind })
    expect(scenario.requests).toHaveLength(0)
  })

  test('a model without a key is a matter of configuration', async () => {
    const model = createModelClient({ baseURL: 'https://api.openai.com/v1', apiKey: '', model: 'gpt-4.1' })
    const agent = { name: 'A', instructions: 'Help.', tools: [] }
    const run = runAgent({ agent, input: 'Hi', library: createToolLibrary([]), model, stream })
    await expect(run).rejects.toMatchObject({ name: 'AgentError', kind: 'configuration' })
  })

  test.each([undefined, 'down', new TypeError('fetch failed')])(
    'a model client that throws %s at the first call is an error of the caller',
    async (thrown) => {
      const model = { model: 'm', models: ['m'], complete: () => Promise.reject(thrown) }
      await using scenario = await startScenario({ stream, tools: [], script: [] })
      await expect(scenario.run({ model })).rejects.toMatchObject({
        name: 'AgentError',
        kind: 'llm_api',
        message: 'The model could not be asked.',
      })
    },
  )

  test('a first call that is refused is an error of the caller', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: () => fail(401) })
    await expect(scenario.run()).rejects.toMatchObject({ name: 'AgentError', kind: 'llm_api' })
  })

  test('a model that is down at the first call is a failed run with a text', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: () => fail(500) })
    const response = await scenario.run()
    expect(response.status).toBe('failed')
    expect(response.text).toContain('Nothing was carried out.')
  })

  test('a refused call later in the run is no exception any more', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) =>
        number === 1 ? callTool('send_email', { to: 'ada@example.com', subject: 'a', body: 'b' }) : fail(401),
    })
    const response = await scenario.run()
    expect(response.status).toBe('failed')
    expect(response.text).toContain('Done: Send email')
  })

  test('an agent without tools simply answers', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: [say('Hello.')] })
    expect(await scenario.run({ input: 'Hi' })).toEqual({
      status: 'completed',
      text: 'Hello.',
      messages: [{ role: 'assistant', content: 'Hello.' }],
      transcript: expect.any(Array),
      toolsUsed: [],
      usage: { inputTokens: 20, outputTokens: 10, modelCalls: 1 },
    })
    expect(scenario.requests[0]?.body.tools).toBeUndefined()
  })

  test('the model is shown who it is, the user and their accounts in one system message, and the time with the user’s words', async () => {
    await using scenario = await startScenario({ stream, tools: [searchTool()], script: [say('Hello.')] })
    await scenario.run({
      messages: [
        { role: 'system', content: 'Speak German.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hallo.' },
      ],
      context: {
        user: {
          name: 'Ada',
          email: 'ada@example.com',
          accounts: ['a@example.com'],
          timezone: 'Europe/Berlin',
        },
        now: '2026-11-21T10:00:00Z',
      },
    })
    const [system, ...rest] = scenario.requests[0]?.body.messages ?? []
    for (const part of ['Mira', 'Help the user.', 'ada@example.com', 'a@example.com', 'Speak German.']) {
      expect(system?.content).toContain(part)
    }
    expect(rest.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(rest.at(-1)?.content).toMatch(
      /^\(Not from the user: it is 2026-11-21T10:00:00Z, for the user Saturday, 2026-11-21 11:00, time zone Europe\/Berlin\.\)\n\n/,
    )
  })

  test('temperatures of the model client win', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: [callTool('send_email', {}), say('Whom?')],
      sampling: { temperature: 0.1, retryTemperature: 0.2 },
    })
    await scenario.run()
    expect(scenario.requests.map(({ body }) => body.temperature)).toEqual([0.1, 0.2])
  })
})
