import { expect, test } from 'vitest'
import { mailTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../../support/model-server.ts'
import { approvedMail, decide, mail } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

plainAndStreamed('what calls did', (stream) => {
  test('is said in one line, with the intent of each call and when it began', async () => {
    const send = mailTool({
      summary: 'Sent "{subject}" to {to}[ as {output.id}]',
      execute: () => ({ id: 'm-7' }),
    })
    const { to: _, ...withoutTo } = mail
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTools([
          ['send_email', withoutTo],
          ['send_email', { ...mail, to: 'bob@example.com' }],
        ]),
        callTool('send_email', mail),
        say('Sent.'),
      ],
    })
    const { toolsUsed } = await scenario.run()
    const startedAt = new Date(scenario.clock.now()).toISOString()
    expect(toolsUsed).toMatchObject([
      { intent: 1, attempt: 1, ok: false, startedAt },
      { intent: 2, attempt: 1, ok: true, startedAt, summary: 'Sent "Meeting" to "bob@example.com" as "m-7"' },
      { intent: 1, attempt: 2, ok: true, startedAt, summary: 'Sent "Meeting" to "ada@example.com" as "m-7"' },
    ])
    expect(toolsUsed[0]).not.toHaveProperty('summary')
  })

  test('is stored as values, with the number of what was only counted, whatever the model reads of a long list', async () => {
    const search = searchTool({
      summary: 'Searched for {query}: {output.results#result|results}',
      maxOutputBytes: 2000,
      execute: () => ({
        results: Array.from({ length: 60 }, (_, n) => ({ id: n, text: 'word '.repeat(20) })),
      }),
    })
    await using scenario = await startScenario({
      stream,
      tools: [search],
      script: [callTool('web_search', { query: 'a' }), say('Found.')],
    })
    const { toolsUsed, transcript } = await scenario.run()
    expect(toolsUsed).toMatchObject([{ summary: 'Searched for "a": 60 results' }])
    const result = transcript.find(({ type }) => type === 'result')
    expect(result).toMatchObject({ done: { output: { results: 60 } } })
    expect(result).not.toHaveProperty('summary')
  })

  test('is not said of a write that was not done a second time', async () => {
    const send = mailTool({ summary: 'Sent "{subject}" to {to}' })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), callTool('send_email', mail), say('Sent.')],
    })
    const { toolsUsed } = await scenario.run()
    expect(toolsUsed.map(({ ok, summary }) => [ok, summary])).toEqual([
      [true, 'Sent "Meeting" to "ada@example.com"'],
      [true, undefined],
    ])
  })

  test('begins when somebody let it go on', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent.')],
    })
    const parked = await scenario.run()
    scenario.clock.advance(60_000)
    const { toolsUsed } = await scenario.resume(decide(parked, 'approve'))
    expect(toolsUsed).toMatchObject([{ intent: 1, startedAt: new Date(scenario.clock.now()).toISOString() }])
  })
})
