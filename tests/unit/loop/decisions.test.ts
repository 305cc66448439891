import { expect, test } from 'vitest'
import { ToolCallError, toolError } from '../../../shared/errors/tool-error.ts'
import { AgentError } from '../../../shared/loop/agent-error.ts'
import type { AgentResponse } from '../../../shared/loop/agent-response.ts'
import type { Ledger } from '../../../shared/loop/ledger.ts'
import type { Answer, Approval } from '../../../shared/loop/run-options.ts'
import { mailTool, recordingTool, searchTool, startScenario } from '../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }
const { to: _to, ...withoutTo } = mail

const idOf = (response: AgentResponse, index = 0) => response.pending?.[index]?.toolCallId ?? ''
const decide = (response: AgentResponse, decision: Approval['decision'], more: Partial<Approval> = {}) => ({
  state: JSON.parse(JSON.stringify(response.state)),
  approval: { toolCallId: idOf(response), decision, ...more },
})

plainAndStreamed('decisions', (stream) => {
  const approvedMail = (execute?: () => unknown) =>
    mailTool({ approval: 'always', ...(execute ? { execute } : {}) })

  test('a tool with approval waits, and approving runs exactly what was shown', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent.')],
    })
    const parked = await scenario.run()
    expect(parked).toMatchObject({
      status: 'needs_approval',
      pending: [{ type: 'approval', values: mail }],
      toolsUsed: [],
    })
    expect(send.runs).toEqual([])
    const response = await scenario.resume(decide(parked, 'approve'))
    expect(send.runs).toEqual([mail])
    expect(response).toMatchObject({
      status: 'completed',
      text: 'Sent.',
      toolsUsed: [{ toolCallId: idOf(parked), ok: true, input: mail }],
    })
  })

  test('approving twice at the same time executes once, also without a ledger of the caller', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number === 1 ? callTool('send_email', mail) : say('Sent.')),
    })
    const parked = await scenario.run({ ledger: undefined })
    const approval = { ...decide(parked, 'approve'), ledger: undefined }
    const responses = await Promise.all([scenario.resume(approval), scenario.resume(approval)])
    const third = await scenario.resume(approval)
    expect(send.runs).toHaveLength(1)
    for (const response of [...responses, third]) expect(response.toolsUsed).toMatchObject([{ ok: true }])
  })

  test('approving twice after an unknown outcome sends once more, not twice', async () => {
    let calls = 0
    const send = mailTool({ execute: () => (calls++ === 0 ? Promise.reject(new Error('lost')) : 'sent') })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number === 1 ? callTool('send_email', mail) : say('Sent.')),
    })
    const parked = await scenario.run()
    await Promise.all([
      scenario.resume(decide(parked, 'approve')),
      scenario.resume(decide(parked, 'approve')),
    ])
    expect(send.runs).toHaveLength(2)
  })

  test('denying tells the model why and runs nothing, also when the model insists', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ body }) =>
        body.tool_choice === 'none' ? say('As you wish.') : callTool('send_email', mail),
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decide(parked, 'deny', { reason: 'too early' }))
    expect(send.runs).toEqual([])
    expect(response).toMatchObject({ status: 'completed', text: 'As you wish.' })
    expect(scenario.lastToolText(2)).toContain('too early')
    expect(response.toolsUsed[0]).toMatchObject({ ok: false, error: { errorType: 'approval_denied' } })
  })

  test('an edited call runs as edited; an edit that does not fit is asked about and runs nothing', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent.')],
    })
    const parked = await scenario.run()
    const wrong = await scenario.resume(decide(parked, 'approve', { input: { ...mail, to: 'nobody' } }))
    expect(wrong.status).toBe('needs_approval')
    expect(wrong.pending?.[0]?.question).toMatch(/email/)
    expect(send.runs).toEqual([])
    const edited = { ...mail, to: 'bob@example.com' }
    const response = await scenario.resume(decide(wrong, 'approve', { input: edited }))
    expect(response.status).toBe('completed')
    expect(send.runs).toEqual([edited])
  })

  test('save as draft calls the draft tool of the same integration', async () => {
    const parameters = mailTool().specification.parameters
    const send = recordingTool({ name: 'gmail_send_email', parameters, approval: 'always' })
    const draft = recordingTool({ name: 'gmail_create_draft', parameters })
    await using scenario = await startScenario({
      stream,
      tools: [send, draft],
      script: [callTool('gmail_send_email', mail), say('It is among your drafts.')],
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decide(parked, 'draft'))
    expect(send.runs).toEqual([])
    expect(draft.runs).toEqual([mail])
    expect(response.status).toBe('completed')
  })

  test('without a draft tool the approval stays open and says so', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decide(parked, 'draft'))
    expect(response.status).toBe('needs_approval')
    expect(response.pending?.[0]?.question).toContain('draft')
    expect(send.runs).toEqual([])
  })

  test('the answer to a form completes the exact call without asking the model first', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number <= 3 ? callTool('send_email', withoutTo) : say('Sent.')),
    })
    const parked = await scenario.run()
    const state = JSON.parse(JSON.stringify(parked.state))
    const answer = { toolCallId: idOf(parked), values: { to: 'ada@example.com' } }
    const response = await scenario.resume({ state, answer })
    expect(send.runs).toEqual([mail])
    expect(response).toMatchObject({ status: 'completed', text: 'Sent.' })
    expect(scenario.requests).toHaveLength(4)
  })

  test('a form for places inside lists shows no slot, and its answer is the next attempt', async () => {
    const person = { type: 'string', format: 'email' }
    const properties = { to: { type: 'array', items: person }, subject: { type: 'string' } }
    const send = recordingTool({
      name: 'send_email',
      parameters: { type: 'object', properties, required: ['to', 'subject'] },
    })
    const call = { to: ['ada@example.com', 'bob'], subject: 'Meeting' }
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', call), say('What is the address of Bob?'), say('Sent.')],
    })
    const parked = await scenario.run()
    expect(parked.pending?.[0]).toMatchObject({
      schema: { properties: { 'to[1]': person }, required: ['to[1]'] },
      values: { to: ['ada@example.com', null], subject: 'Meeting' },
    })
    const answer = { toolCallId: idOf(parked), values: { 'to[1]': 'bob@example.com' } }
    const response = await scenario.resume({ state: parked.state, answer })
    expect(send.runs).toEqual([{ to: ['ada@example.com', 'bob@example.com'], subject: 'Meeting' }])
    expect(response.toolsUsed).toMatchObject([{ ok: true, attempt: 2 }])
  })

  test('an answer that does not fit is asked again, and keeps what was right', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', { body: 'At ten.' }), say('Who and what?'), say('Sent.')],
    })
    const parked = await scenario.run()
    const values = { to: 'nobody', subject: 'Meeting' }
    const again = await scenario.resume({ state: parked.state, answer: { toolCallId: idOf(parked), values } })
    expect(again).toMatchObject({ status: 'needs_input', pending: [{ values: { subject: 'Meeting' } }] })
    expect(Object.keys(again.pending?.[0]?.schema?.properties ?? {})).toEqual(['to'])
    const answer = { toolCallId: idOf(again), values: { to: 'ada@example.com' } }
    expect((await scenario.resume({ state: again.state, answer })).status).toBe('completed')
    expect(send.runs).toEqual([mail])
  })

  test('a decision about another call changes nothing', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    const response = await scenario.resume({
      state: parked.state,
      approval: { toolCallId: 'other', decision: 'approve' },
    })
    expect(response).toMatchObject({ status: 'needs_approval', pending: parked.pending, messages: [] })
    expect(send.runs).toEqual([])
    const byClock = await scenario.resume({ state: parked.state })
    expect(byClock.status).toBe('needs_approval')
  })

  test('two approvals of one round: together, or one after the other, the model is asked once both are decided', async () => {
    const bob = { ...mail, to: 'bob@example.com' }
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) =>
        number === 1
          ? callTools([
              ['send_email', mail],
              ['send_email', bob],
            ])
          : say('Done.'),
    })
    const parked = await scenario.run()
    expect(parked.pending).toHaveLength(2)
    const one = await scenario.resume(decide(parked, 'approve'))
    expect(one).toMatchObject({ status: 'needs_approval', pending: [{ values: bob }] })
    expect(scenario.requests).toHaveLength(1)
    const both = await scenario.resume(decide(one, 'deny'))
    expect(both.status).toBe('completed')
    expect(send.runs).toEqual([mail])

    const again = await scenario.resume({
      state: parked.state,
      approval: [
        { toolCallId: idOf(parked, 0), decision: 'approve' },
        { toolCallId: idOf(parked, 1), decision: 'approve' },
      ],
    })
    expect(again.status).toBe('completed')
    expect(send.runs).toEqual([mail, bob])
  })

  test('a tool that the agent lost in the meantime does not run', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send, searchTool()],
      script: [callTool('send_email', mail), say('I may not send mail any more.')],
    })
    const parked = await scenario.run()
    const agent = { name: 'Mira', instructions: 'Help.', tools: [searchTool().specification] }
    const response = await scenario.resume({ ...decide(parked, 'approve'), agent })
    expect(send.runs).toEqual([])
    expect(response).toMatchObject({ status: 'completed', toolsUsed: [{ ok: false }] })
  })

  test('a write of an earlier run of the same turn asks before it runs again, also in other words', async () => {
    const recipient = { type: 'string', format: 'email', source: 'conversation' } as const
    const parameters = {
      type: 'object',
      properties: { to: recipient, body: { type: 'string' } },
      required: ['to'],
    }
    const send = recordingTool({ name: 'send_email', parameters })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTool('send_email', { to: 'ada@example.com', body: 'In other words.' }),
        say('Sent again.'),
      ],
    })
    const parked = await scenario.run({
      input: 'Mail ada@example.com.',
      priorWrites: [
        {
          toolName: 'send_email',
          arguments: { to: 'ada@example.com', body: 'Hello.' },
          result: { id: 'm-1' },
        },
      ],
    })
    expect(parked.status).toBe('needs_approval')
    expect(JSON.stringify(scenario.requests[0]?.body.messages[0])).toContain('Already done')
    expect(send.runs).toEqual([])
    const response = await scenario.resume(decide(parked, 'approve'))
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(1)
  })

  test('approving a repetition claims one more than the ledger has', async () => {
    const send = mailTool()
    const repetitions: number[] = []
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent again.')],
    })
    const { claim } = scenario.ledger
    const ledger: Ledger = {
      ...scenario.ledger,
      claim: async (invocation) => {
        repetitions.push(invocation.repetition)
        return invocation.repetition < 2
          ? { claimed: false, status: 'succeeded', result: { ok: true, data: null }, latest: 1 }
          : claim(invocation)
      },
    }
    const priorWrites = [{ toolName: 'send_email', arguments: mail, repetition: 1 }]
    for (const prior of [{ priorWrites }, {}]) {
      scenario.use([callTool('send_email', mail), say('Sent again.')])
      const parked = await scenario.run({ ledger, ...prior })
      expect(parked.status).toBe('needs_approval')
      const response = await scenario.resume({ ...decide(parked, 'approve'), ledger })
      expect(response.status).toBe('completed')
    }
    expect(send.runs).toHaveLength(2)
    expect(repetitions).toEqual([2, 0, 2])
  })

  test('a write that was approved and repeated in the same run is not asked about again', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), callTool('send_email', mail), say('Sent.')],
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decide(parked, 'approve'))
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(1)
    expect(scenario.ledger.rows.map(({ status }) => status)).toEqual(['succeeded', 'cancelled'])
  })

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

  test('a write to somebody else is not a repetition', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTool('send_email', { to: 'bob@example.com', subject: 'Lunch', body: 'At noon.' }),
        say('Sent.'),
      ],
    })
    const response = await scenario.run({ priorWrites: [{ toolName: 'send_email', arguments: mail }] })
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(1)
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

  test('a model that repeats what the user would not send again is refused', async () => {
    const send = mailTool({ execute: () => Promise.reject(new Error('lost')) })
    const { to, subject, body } = mail
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number, body: request }) => {
        if (request.tool_choice === 'none') return say('I leave it at that.')
        return callTool('send_email', number === 1 ? mail : { body, subject, to })
      },
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decide(parked, 'deny'))
    expect(response).toMatchObject({ status: 'completed', text: 'I leave it at that.' })
    expect(send.runs).toHaveLength(1)
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
