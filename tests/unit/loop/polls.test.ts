import { expect, test } from 'vitest'
import { mailTool, recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, type ModelServerRequest, say } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const same = 'The same as before: it stands above. If it may change, tell the user, who can ask again.'

/** A read whose results are given; the last one for ever. */
function statusTool(...results: unknown[]) {
  let runs = 0
  return recordingTool({
    name: 'job_status',
    effect: 'read',
    parameters: { type: 'object', properties: { job: { type: 'string' } }, required: ['job'] },
    execute: () => results[Math.min(runs++, results.length - 1)],
  })
}

const poll = (job = 'build') => callTool('job_status', { job })

function toolTexts(request: ModelServerRequest | undefined): string[] {
  return (request?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
}

plainAndStreamed('polls', (stream) => {
  test('a read that changes nothing says so in its place, and after the fourth the model says where it stands', async () => {
    const status = statusTool({ state: 'running' })
    await using scenario = await startScenario({
      stream,
      tools: [status],
      script: ({ body }) =>
        body.tool_choice === 'none' ? say('It is still running. Ask me later.') : poll(),
    })
    const response = await scenario.run()
    expect(response).toMatchObject({ status: 'completed', text: 'It is still running. Ask me later.' })
    expect(status.runs).toHaveLength(5)
    expect(toolTexts(scenario.requests.at(-1))).toEqual(['{"state":"running"}', same, same, same, same])
    // Nobody is told off, and no other model is asked.
    expect(response.transcript.map(({ type }) => type)).not.toContain('nudge')
    expect(JSON.stringify(scenario.requests)).not.toContain('You made these calls before')
  })

  test('a model that answers after an equal read has simply answered', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [statusTool({ state: 'running' })],
      script: [poll(), poll(), say('Still running.')],
    })
    expect(await scenario.run()).toMatchObject({ status: 'completed', text: 'Still running.' })
    expect(scenario.requests).toHaveLength(3)
  })

  test('a result that differs is progress: it is read whole, and equal ones are counted anew', async () => {
    const [one, two] = [{ state: 'running' }, { state: 'nearly done' }]
    const status = statusTool(one, one, one, one, two, two, two, { state: 'done' })
    await using scenario = await startScenario({
      stream,
      tools: [status],
      script: ({ number }) => (number <= 8 ? poll() : say('Done.')),
    })
    expect(await scenario.run()).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(toolTexts(scenario.requests.at(-1))).toEqual([
      '{"state":"running"}',
      same,
      same,
      same,
      '{"state":"nearly done"}',
      same,
      same,
      '{"state":"done"}',
    ])
  })

  test('a poll that differs each time ends at the limit of rounds, as any other work', async () => {
    let percent = 0
    const status = recordingTool({
      name: 'job_status',
      effect: 'read',
      parameters: { type: 'object', properties: { job: { type: 'string' } }, required: ['job'] },
      execute: () => ({ percent: percent++ }),
    })
    await using scenario = await startScenario({
      stream,
      tools: [status],
      script: ({ body }) => (body.tool_choice === 'none' ? say('9 percent.') : poll()),
    })
    expect(await scenario.run()).toMatchObject({ status: 'failed', text: '9 percent.' })
    expect(status.runs).toHaveLength(10)
  })

  test('reads that take turns are each counted by themselves', async () => {
    const status = statusTool({ state: 'running' })
    await using scenario = await startScenario({
      stream,
      tools: [status],
      script: ({ body, number }) =>
        body.tool_choice === 'none' ? say('Both run.') : poll(number % 2 === 0 ? 'a' : 'b'),
    })
    expect(await scenario.run()).toMatchObject({ status: 'completed', text: 'Both run.' })
    expect(status.runs).toHaveLength(9)
  })

  test('beside something new an equal read is no end', async () => {
    const status = statusTool({ state: 'running' })
    const search = searchTool()
    let asked = 0
    await using scenario = await startScenario({
      stream,
      tools: [status, search],
      script: ({ number }) =>
        number > 7
          ? say('Found.')
          : callTools([
              ['job_status', { job: 'build' }],
              ['web_search', { query: `q${asked++}` }],
            ]),
    })
    expect(await scenario.run()).toMatchObject({ status: 'completed', text: 'Found.' })
    expect(status.runs).toHaveLength(7)
  })

  test('the same read many times in one answer counts once, and each but the first says so', async () => {
    const status = statusTool({ state: 'running' })
    await using scenario = await startScenario({
      stream,
      tools: [status],
      script: ({ number }) =>
        number <= 2
          ? callTools(Array.from({ length: 6 }, () => ['job_status', { job: 'build' }] as const))
          : say('Running.'),
    })
    expect(await scenario.run()).toMatchObject({ status: 'completed', text: 'Running.' })
    expect(scenario.requests).toHaveLength(3)
    expect(toolTexts(scenario.requests[1])).toEqual(['{"state":"running"}', same, same, same, same, same])
    expect(new Set(toolTexts(scenario.requests[2]).slice(6))).toEqual(new Set([same]))
  })

  test('the next message begins anew: the result stands there whole', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [statusTool({ state: 'running' })],
      script: [poll(), poll(), say('Running.')],
    })
    const first = await scenario.run()
    scenario.use([poll(), say('Still running.')])
    await scenario.run({ transcript: first.transcript, input: 'And now?' })
    expect(toolTexts(scenario.requests.at(-1))).toEqual(['{"state":"running"}', same, '{"state":"running"}'])
  })

  test('what the model may not read is compared too: a difference behind the cut is told', async () => {
    const log = (end: string) => `${'line\n'.repeat(10_000)}${end}`
    const status = statusTool(log('a'), log('done'))
    await using scenario = await startScenario({
      stream,
      tools: [status],
      script: [poll(), poll(), say('Done.')],
    })
    await scenario.run()
    const [first, second] = toolTexts(scenario.requests[2])
    expect(first).toContain('shortened from')
    expect(second).toContain('shortened from')
    expect(second).not.toBe(first)
  })

  test('a model that calls on although it may not is answered for, honestly', async () => {
    const status = statusTool({ state: 'running' })
    await using scenario = await startScenario({ stream, tools: [status], script: () => poll() })
    const response = await scenario.run()
    expect(status.runs).toHaveLength(5)
    expect(response.text).not.toBe('')
    expect(scenario.requests).toHaveLength(6)
  })

  test('a write in between is no poll, and is counted and asked about as ever', async () => {
    const status = statusTool({ state: 'running' })
    const send = mailTool()
    const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }
    await using scenario = await startScenario({
      stream,
      tools: [status, send],
      script: ({ number }) =>
        number <= 4 ? (number % 2 === 0 ? callTool('send_email', mail) : poll()) : say('Sent.'),
    })
    const response = await scenario.run({ input: 'Mail ada@example.com: Meeting. At ten.' })
    expect(response).toMatchObject({ status: 'completed', text: 'Sent.' })
    expect(send.runs).toHaveLength(1)
    const texts = toolTexts(scenario.requests.at(-1))
    expect(texts[2]).toBe(same)
    expect(texts[3]).toContain('already succeeded in this turn')
  })
})
