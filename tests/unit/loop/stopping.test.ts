import { expect, test } from 'vitest'
import { overtaken } from '../../../shared/engine/core/overtaken.ts'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { AgentEvent } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Ledger } from '../../../shared/engine/loop/run/ledger.ts'
import { createMemoryLedger } from '../../../shared/engine/loop/run/memory-ledger.ts'
import { mailTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../../support/model-server.ts'
import { decide } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }

plainAndStreamed('stopping', (stream) => {
  test('a write that has begun settles and counts; nothing after it runs', async () => {
    const stop = new AbortController()
    const send = mailTool({
      execute: async () => {
        stop.abort()
        return { id: 'm-1' }
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const response = await scenario.run({ signal: stop.signal })
    expect(response).toMatchObject({ status: 'failed', toolsUsed: [{ ok: true }] })
    expect(response.text).toBe('Stopped.\nDone: Send email.')
    expect(scenario.requests).toHaveLength(1)
    expect(scenario.ledger.rows.map(({ status }) => status)).toEqual(['succeeded'])
  })

  test('calls that have not begun are cancelled and answered in the conversation', async () => {
    const stop = new AbortController()
    const search = searchTool({
      execute: () => {
        stop.abort()
        return 'found'
      },
    })
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send, search],
      script: [
        callTools([
          ['web_search', { query: 'a' }],
          ['send_email', mail],
        ]),
      ],
    })
    const response = await scenario.run({ signal: stop.signal })
    expect(send.runs).toEqual([])
    expect(response.toolsUsed.at(-1)).toMatchObject({
      toolName: 'send_email',
      ok: false,
      error: { errorType: 'cancelled' },
    })
    expect(response.messages.filter(({ role }) => role === 'tool')).toHaveLength(2)
  })

  test('a read that is stopped takes no blame for the writes beside it', async () => {
    const stop = new AbortController()
    const search = searchTool({
      execute: () => {
        stop.abort()
        return new Promise(() => {})
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [mailTool(), search],
      script: [
        callTools([
          ['web_search', { query: 'a' }],
          ['send_email', mail],
        ]),
      ],
    })
    const response = await scenario.run({ signal: stop.signal })
    expect(response.toolsUsed.map(({ error }) => error?.error)).toEqual([
      'The run was stopped before this call was completed.',
      'The run was stopped before this call was completed.',
    ])
  })

  test('stopping while the model writes ends the request', async () => {
    const stop = new AbortController()
    await using scenario = await startScenario({ stream, tools: [], script: () => ({ hang: true }) })
    const running = scenario.run({ signal: stop.signal })
    await scenario.waitForRequest(1)
    stop.abort()
    expect(await running).toMatchObject({ status: 'failed', text: 'Stopped.\nNothing was carried out.' })
  })

  test('a run that another message has overtaken says so', async () => {
    const stop = new AbortController()
    await using scenario = await startScenario({ stream, tools: [], script: () => ({ hang: true }) })
    const running = scenario.run({ signal: stop.signal })
    await scenario.waitForRequest(1)
    stop.abort(overtaken)
    const text = 'Another message came before this was finished.\nNothing was carried out.'
    expect(await running).toMatchObject({ status: 'failed', text })
  })

  test('a signal that is already aborted asks nobody', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: [say('Hi.')] })
    const response = await scenario.run({ signal: AbortSignal.abort() })
    expect(response.status).toBe('failed')
    expect(scenario.requests).toHaveLength(0)
  })

  test('a run that is stopped as its round begins asks nobody, also when its time is limited', async () => {
    await using scenario = await startScenario({ stream, tools: [], script: [say('Hi.')] })
    const controller = new AbortController()
    const onEvent = ({ type }: AgentEvent) => type === 'step-start' && controller.abort()
    const limits = { maxDurationMs: 1000 }
    const response = await scenario.run({ signal: controller.signal, onEvent, limits })
    expect(response).toMatchObject({ status: 'failed', text: expect.stringContaining('Stopped') })
    expect(scenario.requests).toHaveLength(0)
  })

  test('a run stopped elsewhere runs no write', async () => {
    const send = mailTool()
    const ledger: Ledger = {
      ...createMemoryLedger(),
      claim: async () => ({ claimed: false, status: 'stopped' }),
    }
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const response = await scenario.run({ ledger })
    expect(send.runs).toEqual([])
    expect(response).toMatchObject({ status: 'failed', toolsUsed: [{ ok: false }] })
    expect(response.text).toMatch(/^Stopped\./)
  })

  test('a ledger that cannot be reached means that nothing is sent, and says so', async () => {
    const send = mailTool()
    const ledger: Ledger = { ...createMemoryLedger(), claim: () => Promise.reject(new Error('no database')) }
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('It could not be sent.')],
    })
    const response = await scenario.run({ ledger })
    expect(send.runs).toEqual([])
    expect(response).toMatchObject({
      status: 'completed',
      text: expect.stringMatching(/^It could not be sent\.\n\nNot done: /),
    })
    expect(scenario.lastToolText(2)).toContain('was not carried out')
    expect(scenario.lastToolText(2)).not.toContain('no database')
  })

  test('a listener that throws ends nothing', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent.')],
    })
    const onEvent = () => {
      throw new Error('the page is gone')
    }
    expect(await scenario.run({ onEvent })).toMatchObject({ status: 'completed', text: 'Sent.' })
  })

  test('a write that may have happened is called neither done nor undone', async () => {
    const stop = new AbortController()
    const send = mailTool({
      execute: () => {
        stop.abort()
        throw new Error('lost')
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const { text } = await scenario.run({ signal: stop.signal })
    expect(text).toMatch(
      /^Stopped\.\nThis may have been done, but no confirmation arrived: Send email \(to: "ada@example\.com"/,
    )
    expect(text).not.toMatch(/Nothing|Not done/)
  })

  test('a stopped run asks nothing; what may have happened is put to the user in the next turn', async () => {
    const stop = new AbortController()
    const send = mailTool({
      execute: () => {
        stop.abort()
        throw new ToolCallError(
          toolError('outcome_unknown', 'Question: It may have been sent. Send it again?'),
        )
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Hello again.')],
    })
    const stopped = await scenario.run({ signal: stop.signal })
    expect(stopped).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('This may have been done: Send email (to: "ada@example.com"'),
    })
    expect(stopped.pending).toBeUndefined()
    const next = await scenario.run({ transcript: stopped.transcript, input: 'Hello?' })
    expect(next).toMatchObject({ status: 'needs_approval', pending: [{ type: 'approval', values: mail }] })
  })

  test('a run that goes on does not forget what it did before it waited', async () => {
    const send = mailTool()
    const draft = mailTool({ name: 'save_draft', approval: 'always' })
    await using scenario = await startScenario({
      stream,
      tools: [send, draft],
      script: [callTool('send_email', mail), callTool('save_draft', mail)],
    })
    const parked = await scenario.run()
    const { text } = await scenario.resume({ ...decide(parked, 'approve'), signal: AbortSignal.abort() })
    expect(draft.runs).toEqual([])
    expect(text).toMatch(/^Stopped\.\nNothing more was carried out\./)
  })

  test('a run stopped while its write is claimed does not begin it', async () => {
    const send = mailTool()
    const stopping = new AbortController()
    const ledger = createMemoryLedger()
    const claim: Ledger['claim'] = async (invocation) => {
      stopping.abort()
      return ledger.claim(invocation)
    }
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const response = await scenario.run({ ledger: { ...ledger, claim }, signal: stopping.signal })
    expect(send.runs).toEqual([])
    expect(response.toolsUsed).toMatchObject([{ ok: false, error: { errorType: 'cancelled' } }])
    expect(ledger.rows.map(({ status }) => status)).toEqual(['cancelled'])
  })

  const failNow = () => {
    throw new Error('no database')
  }
  test.each<[string, Partial<Ledger>]>([
    ['rejects', { settle: async () => failNow() }],
    ['throws', { settle: failNow, record: failNow }],
    ['answers nothing', { settle: () => undefined as unknown as Promise<void> }],
  ])('a ledger that %s while it takes notes does not hide what was done', async (_, faults) => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send, searchTool()],
      script: [
        callTools([
          ['send_email', mail],
          ['web_search', { query: 'ada' }],
        ]),
        say('Sent.'),
      ],
    })
    const response = await scenario.run({ ledger: { ...createMemoryLedger(), ...faults } })
    expect(response).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }, { ok: true }] })
    expect(send.runs).toHaveLength(1)
  })
})
