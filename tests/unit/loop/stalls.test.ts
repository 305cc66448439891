import { expect, test } from 'vitest'
import { mailTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, fail, say, sayNothing } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }

plainAndStreamed('answers that lead nowhere', (stream) => {
  test('an empty answer is asked again, and the nudge does not stay', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: [sayNothing(), callTool('web_search', { query: 'a' }), say('Found.')],
    })
    const response = await scenario.run()
    expect(response).toMatchObject({ status: 'completed', text: 'Found.' })
    expect(scenario.requests[1]?.body.messages.at(-1)?.content).toMatch(/^Your last answer was empty/)
    expect(JSON.stringify(scenario.requests[2]?.body.messages)).not.toContain('Your last answer was empty')
    expect(JSON.stringify(response.messages)).not.toContain('Your last answer was empty')
  })

  test('an empty answer after a tool is asked again without running the tool again', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), sayNothing(), say('It is sent.')],
    })
    const response = await scenario.run()
    expect(send.runs).toHaveLength(1)
    expect(response).toMatchObject({ status: 'completed', text: 'It is sent.' })
  })

  test.each([
    ['empty answers', sayNothing()],
    ['answers without choices', { noChoices: true }],
    ['blank answers', say(' \n')],
    ['malformed calls', sayNothing({ finishReason: 'malformed_function_call' })],
  ])('%s for ever: a nudge, a stronger one, then an honest summary', async (_, reply) => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number === 1 ? callTool('send_email', mail) : reply),
    })
    const response = await scenario.run()
    expect(response.status).toBe('failed')
    expect(response.text).toContain('Done: Send email')
    const nudges = scenario.requests.map(({ body }) => body.messages.at(-1)?.content)
    expect(new Set(nudges.slice(2, 4)).size).toBe(2)
    expect(scenario.requests.length).toBeLessThanOrEqual(6)
  })

  test('after two nudges another configured model is asked', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      models: ['silent', 'talkative'],
      script: ({ body }) => (body.model === 'talkative' ? say('Here I am.') : sayNothing()),
    })
    const response = await scenario.run()
    expect(response).toMatchObject({ status: 'completed', text: 'Here I am.' })
    expect(scenario.requests.map(({ body }) => body.model)).toEqual([
      'silent',
      'silent',
      'silent',
      'talkative',
    ])
  })

  test('an answer cut off at the length limit is asked again, shorter', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [],
      script: [say('It all began when', { finishReason: 'length' }), say('It works.')],
    })
    const response = await scenario.run()
    expect(response).toMatchObject({ status: 'completed', text: 'It works.' })
  })

  test('when every answer is cut off, the longest one is given and said to be cut', async () => {
    let isFirst = true
    await using scenario = await startScenario({
      stream,
      tools: [],
      script: () => {
        const text = isFirst ? 'It all began when' : 'It all'
        isFirst = false
        return say(text, { finishReason: 'length' })
      },
    })
    const response = await scenario.run()
    expect(response.text).toContain('It all began when')
    expect(response.text).toContain('cut off')
  })

  test('an answer that is cut where the caller wants it is the answer, also an empty one', async () => {
    for (const [said, told] of [
      ['It all began when', 'It all began when'],
      ['', '(This answer was cut off at the length limit.)'],
    ] as const) {
      await using scenario = await startScenario({
        stream,
        tools: [],
        script: () =>
          said === '' ? sayNothing({ finishReason: 'length' }) : say(said, { finishReason: 'length' }),
      })
      const response = await scenario.run({ limits: { maxAnswerTokens: 4 } })
      expect(response).toMatchObject({ status: 'completed', text: told })
      expect(scenario.requests.map(({ body }) => body.max_tokens)).toEqual([4])
    }
  })

  test('of two limits the lower one counts; where it is not the caller, the answer is asked again', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [],
      script: [say('It all began when', { finishReason: 'length' }), say('It works.')],
    })
    const response = await scenario.run({ limits: { maxAnswerTokens: 400, maxOutputTokens: 40 } })
    expect(response).toMatchObject({ status: 'completed', text: 'It works.' })
    expect(scenario.requests.map(({ body }) => body.max_tokens)).toEqual([40, 40])
  })

  test('a model that never stops calling ends after ten rounds with a summary', async () => {
    const search = searchTool()
    let query = 0
    await using scenario = await startScenario({
      stream,
      tools: [search],
      script: ({ body }) =>
        body.tool_choice === 'none'
          ? say('I searched ten times.')
          : callTool('web_search', { query: `q${query++}` }),
    })
    const response = await scenario.run()
    expect(response).toMatchObject({ status: 'failed', text: 'I searched ten times.' })
    expect(search.runs).toHaveLength(10)
    expect(scenario.requests).toHaveLength(11)
  })

  test('a model that calls tools even when it may not gets a summary written for it', async () => {
    const search = searchTool()
    let query = 0
    await using scenario = await startScenario({
      stream,
      tools: [search],
      script: () => callTool('web_search', { query: `q${query++}` }),
    })
    const response = await scenario.run({ limits: { maxRounds: 2 } })
    expect(search.runs).toHaveLength(2)
    expect(response).toMatchObject({ status: 'failed' })
    expect(response.text).toContain('Done: Web search (2 times)')
  })

  test('the same write with the same result is noticed long before the tenth round', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), callTool('send_email', mail), say('It is sent.')],
    })
    const response = await scenario.run()
    expect(response).toMatchObject({ status: 'completed', text: 'It is sent.' })
    expect(send.runs).toHaveLength(1)
    expect(scenario.requests[2]?.body.messages.at(-1)?.content).toMatch(/^You made these calls before/)
  })

  test('a model server that stays down ends the run honestly', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number === 1 ? callTool('send_email', mail) : fail(500)),
    })
    const response = await scenario.run()
    expect(response.status).toBe('failed')
    expect(response.text).toContain('Done: Send email')
    expect(scenario.requests).toHaveLength(4)
  })

  test('a token budget ends the run before the next model call', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: () => callTool('web_search', { query: 'a' }),
    })
    const response = await scenario.run({ limits: { maxTotalTokens: 25 } })
    expect(scenario.requests).toHaveLength(1)
    expect(response).toMatchObject({
      status: 'failed',
      usage: { inputTokens: 20, outputTokens: 10, modelCalls: 1 },
    })
    expect(response.text).toContain('Done: Web search')
  })

  test('a limit that is undefined is the default one', async () => {
    let query = 0
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: () => callTool('web_search', { query: `q${query++}` }),
    })
    await scenario.run({ limits: { maxRounds: undefined } })
    expect(scenario.requests).toHaveLength(11)
  })

  test('maxOutputTokens reaches the model', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: [say('Hi.')] })
    await scenario.run({ limits: { maxOutputTokens: 50 } })
    const { max_tokens, max_completion_tokens } = scenario.requests[0]?.body ?? {}
    expect(max_tokens ?? max_completion_tokens).toBe(50)
  })

  test('when the time of a run is over it waits, and goes on when resumed', async () => {
    const search = searchTool()
    await using scenario = await startScenario({
      stream,
      tools: [search],
      script: [callTool('web_search', { query: 'a' }), say('Found.')],
    })
    const slow = searchTool({
      execute: () => {
        scenario.clock.advance(120_000)
        return 'late'
      },
    })
    const library = new Map([['web_search', slow]])
    const parked = await scenario.run({ library, limits: { maxDurationMs: 100_000 } })
    expect(parked).toMatchObject({
      status: 'waiting',
      pending: [{ type: 'wait', resumeAt: '2026-11-21T10:02:00.000Z' }],
    })
    expect(scenario.requests).toHaveLength(1)
    const response = await scenario.resume({ transcript: parked.transcript, library })
    expect(response).toMatchObject({ status: 'completed', text: 'Found.' })
    expect(slow.runs).toHaveLength(1)
  })

  test('a model that is still writing when the time is over is asked again later', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: () => ({ hang: true }) })
    const running = scenario.run({ limits: { maxDurationMs: 1000 } })
    await scenario.waitForRequest(1)
    scenario.clock.advance(1000)
    scenario.clock.expire()
    const parked = await running
    expect(parked.status).toBe('waiting')
    scenario.use([say('Here I am.')])
    expect(await scenario.resume({ transcript: parked.transcript })).toMatchObject({
      status: 'completed',
      text: 'Here I am.',
    })
  })

  test('the time is over when its timer says so, also where that is early by the clock', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: () => ({ hang: true }) })
    const running = scenario.run({ limits: { maxDurationMs: 1000 } })
    await scenario.waitForRequest(1)
    scenario.clock.advance(999)
    scenario.clock.expire()
    expect(await running).toMatchObject({ status: 'waiting' })
  })

  test('a model that never answers is not asked for ever: the second run without an answer is the last', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: () => ({ hang: true }) })
    const letTimePass = async <T>(running: Promise<T>, requests: number) => {
      await scenario.waitForRequest(requests)
      scenario.clock.advance(1000)
      scenario.clock.expire()
      return running
    }
    const limits = { maxDurationMs: 1000 }
    const first = await letTimePass(scenario.run({ limits }), 1)
    expect(first.status).toBe('waiting')
    const second = await letTimePass(scenario.resume({ transcript: first.transcript, limits }), 2)
    expect(second).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('did not answer in time'),
    })
  })
})
