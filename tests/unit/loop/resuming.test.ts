import { expect, test } from 'vitest'
import { AgentError } from '../../../shared/engine/core/agent-error.ts'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Approval, FormAnswer } from '../../../shared/engine/loop/run/run-options.ts'
import { mailTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { approvedMail, decide, idOf, mail, stored, withoutTo } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

plainAndStreamed('resuming', (stream) => {
  test('what was impossible for now may be tried again after a decision', async () => {
    let isDown = true
    const search = searchTool({
      execute: () => {
        if (isDown) throw new ToolCallError(toolError('unavailable', 'The search is down.'))
        return 'found'
      },
    })
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send, search],
      script: [
        callTool('web_search', { query: 'a' }),
        callTool('send_email', mail),
        callTool('web_search', { query: 'a' }),
        say('Done.'),
      ],
    })
    const parked = await scenario.run()
    isDown = false
    const response = await scenario.resume(decide(parked, 'approve'))
    expect(response.toolsUsed.map(({ ok }) => ok)).toEqual([true, true])
  })

  test('an interrupted run goes on from what it did, without asking or sending again', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent.'), say('Sent.')],
    })
    const whole = await scenario.run()
    const died = whole.transcript.findIndex(({ type }) => type === 'result') + 1
    const transcript = stored(whole).slice(0, died)
    const response = await scenario.resume({ transcript })
    expect(response).toMatchObject({ status: 'completed', text: 'Sent.', toolsUsed: [{ ok: true }] })
    expect(send.runs).toEqual([mail])
    expect([...transcript, ...response.transcript].filter(({ type }) => type === 'call')).toHaveLength(1)
  })

  test('a connection that still does not work waits for a connection again', async () => {
    const error = toolError('authentication_error', 'Question: Please connect.')
    const send = mailTool({
      execute: () => {
        throw new ToolCallError(error)
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    const again = await scenario.resume({
      transcript: parked.transcript,
      connection: { toolCallId: idOf(parked) },
    })
    expect(again).toMatchObject({ status: 'needs_connection', pending: [{ toolCallId: idOf(parked) }] })
    expect(send.runs).toHaveLength(2)
  })

  test('an approval that a connection card became says nothing more of the connection', async () => {
    let isConnected = false
    const send = mailTool({
      execute: () => {
        if (isConnected) return 'sent'
        throw new ToolCallError(
          toolError('authentication_error', 'Question: No account is connected. Please add your password.'),
        )
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    expect(parked.pending?.[0]).toMatchObject({
      type: 'connection',
      question: expect.stringContaining('Please add your password'),
    })
    isConnected = true
    const asked = await scenario.resume({
      transcript: stored(parked),
      connection: { itemId: parked.pending?.[0]?.itemId ?? '', asksFirst: true },
    })
    expect(asked.pending).toMatchObject([{ type: 'approval', code: 'approve' }])
    expect(JSON.stringify(asked.pending)).not.toContain('password')
    expect(send.runs).toHaveLength(1)
  })

  test('a resumed run knows what time it is now', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent.')],
    })
    const parked = await scenario.run({ context: { user: { name: 'Ada' }, now: '2026-11-21T10:00:00Z' } })
    scenario.clock.advance(86_400_000)
    await scenario.resume(decide(parked, 'approve'))
    const [first, second] = scenario.requests.map(({ body }) => body.messages)
    expect(second?.slice(0, 2)).toEqual(first)
    expect(second?.[1]?.content).toContain('it is 2026-11-21T10:00:00Z.')
    expect(second?.findLast(({ role }) => role === 'user')?.content).toBe(
      '(Not from the user: it is 2026-11-22T10:00Z.)\n\nYes, call send_email.',
    )
  })

  test('something that is not a transcript is refused', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    const approved = decide(parked, 'approve')
    const refused = [undefined, null, true, {}, [], [null], ['entry'], [{ type: 'run-start' }]]
    for (const transcript of refused as never[]) {
      const resumed = scenario.resume({ ...approved, transcript })
      await expect(resumed, JSON.stringify(transcript)).rejects.toThrow(AgentError)
      await expect(scenario.resume({ transcript })).rejects.toThrow('AgentResponse.transcript')
    }
    expect(send.runs).toEqual([])
  })

  test.each(['yes', 'APPROVE', undefined, null])('%s is not a decision: nothing runs', async (decision) => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decide(parked, decision as Approval['decision']))
    expect(response).toMatchObject({ status: 'needs_approval', pending: parked.pending })
    expect(send.runs).toEqual([])
  })

  test.each([null, undefined, 'ada@example.com', []])(
    'an answer of %s leaves the form open',
    async (values) => {
      const send = mailTool()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', withoutTo), say('Who is it for?')],
      })
      const parked = await scenario.run()
      const answer = { toolCallId: idOf(parked), values } as unknown as FormAnswer
      const response = await scenario.resume({ transcript: parked.transcript, answer })
      expect(response).toMatchObject({ status: 'needs_input', pending: [{ toolCallId: idOf(parked) }] })
      expect(send.runs).toEqual([])
    },
  )
})
