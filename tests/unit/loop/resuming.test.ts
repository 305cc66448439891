import { expect, test } from 'vitest'
import { AgentError } from '../../../shared/engine/core/agent-error.ts'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Answer, Approval } from '../../../shared/engine/loop/run-options.ts'
import { mailTool, searchTool, startScenario } from '../../support/agent-scenario.ts'
import { callTool, say } from '../../support/model-server.ts'
import { approvedMail, decide, idOf, mail, withoutTo } from './decide.ts'
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
      script: [callTool('send_email', mail), say('Sent.')],
    })
    const call = {
      id: 'abc',
      type: 'function' as const,
      function: { name: 'send_email', arguments: JSON.stringify(mail) },
    }
    const { claim } = scenario.ledger
    const response = await scenario.run({
      progress: [
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'abc', content: '{"id":"m-1"}' },
      ],
      ledger: {
        ...scenario.ledger,
        claim: async (invocation) =>
          invocation.toolName === 'send_email'
            ? { claimed: false, status: 'succeeded', result: { ok: true, data: { id: 'm-1' } } }
            : claim(invocation),
      },
    })
    expect(response).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect(send.runs).toEqual([])
    expect(response.messages).toHaveLength(3)
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
    const again = await scenario.resume({ state: parked.state, connection: { toolCallId: idOf(parked) } })
    expect(again).toMatchObject({ status: 'needs_connection', pending: [{ toolCallId: idOf(parked) }] })
    expect(send.runs).toHaveLength(2)
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
    const system = scenario.requests[1]?.body.messages[0]?.content
    expect(system).toContain('Now: 2026-11-22T10:00Z')
    expect(system).toContain('Ada')
  })

  test('a state that is none is refused', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    const approved = decide(parked, 'approve')
    await expect(scenario.resume({ state: undefined })).rejects.toThrow('AgentResponse.state')
    await expect(scenario.resume({ state: { version: 2 } })).rejects.toThrow(AgentError)
    for (const part of Object.keys(approved.state)) {
      for (const value of [undefined, null, true]) {
        const resumed = scenario.resume({ ...approved, state: { ...approved.state, [part]: value } })
        await expect(resumed, `${part}: ${value}`).rejects.toThrow(AgentError)
      }
    }
    expect(send.runs).toEqual([])
  })

  test.each(['yes', 'APPROVE', undefined, null])(
    'the decision %s is none: nothing runs',
    async (decision) => {
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
    },
  )

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
      const answer = { toolCallId: idOf(parked), values } as unknown as Answer
      const response = await scenario.resume({ state: parked.state, answer })
      expect(response).toMatchObject({ status: 'needs_input', pending: [{ toolCallId: idOf(parked) }] })
      expect(send.runs).toEqual([])
    },
  )
})
