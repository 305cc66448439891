import { expect, test } from 'vitest'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { mailTool, recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../../support/model-server.ts'
import { approvalOf, approvedMail, decide, idOf, lostMail, mail, stored } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

plainAndStreamed('approvals', (stream) => {
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
    const send = lostMail()
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
    // Nothing of the edit is lost, and a yes to it runs nothing either.
    expect(wrong.pending).toMatchObject([{ values: { ...mail, to: 'nobody' } }])
    const still = await scenario.resume(decide(wrong, 'approve', {}, [parked]))
    expect(still).toMatchObject({
      status: 'needs_approval',
      pending: [{ question: expect.stringMatching(/email/) }],
    })
    expect(send.runs).toEqual([])
    const edited = { ...mail, to: 'bob@example.com' }
    const response = await scenario.resume(decide(still, 'approve', { input: edited }, [parked, wrong]))
    expect(response.status).toBe('completed')
    expect(send.runs).toEqual([edited])
  })

  test('a yes is for the account on its card: if it would be sent from another one, the same is asked again', async () => {
    const { parameters } = mailTool().specification
    const properties = { ...parameters.properties, from: { type: 'string' } }
    const send = approvedMail()
    send.specification.parameters = { ...parameters, properties }
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number === 1 ? callTool('send_email', mail) : say('Sent.')),
    })
    const parked = await scenario.run({ context: { senders: { send_email: 'work@example.com' } } })
    expect(parked.pending).toMatchObject([{ account: 'work@example.com' }])
    const context = { senders: { send_email: 'home@example.com' } }
    const again = await scenario.resume({ ...decide(parked, 'approve'), context })
    expect(again).toMatchObject({
      status: 'needs_approval',
      pending: [{ account: 'home@example.com', values: mail }],
    })
    // Nothing of an edit is lost.
    const edited = { ...mail, subject: 'Lunch' }
    const change = await scenario.resume({ ...decide(parked, 'approve', { input: edited }), context })
    expect(change).toMatchObject({
      status: 'needs_approval',
      pending: [{ account: 'home@example.com', values: edited, confirm: expect.stringContaining('Lunch') }],
    })
    expect(send.runs).toEqual([])
    await scenario.resume({ ...decide(again, 'approve', {}, [parked]), context })
    // Chosen by the person.
    const chosen = { ...mail, from: 'home@example.com' }
    await scenario.resume({ ...decide(parked, 'approve', { input: chosen }), context, ledger: undefined })
    expect(send.runs).toEqual([mail, chosen])
  })

  test('a yes before it was known which account it would be is not one for the only account that is left', async () => {
    const send = approvedMail()
    const { parameters } = send.specification
    send.specification.parameters = { ...parameters, properties: { ...parameters.properties, from: {} } }
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    expect(parked.pending?.[0]?.account).toBeUndefined()
    const context = { senders: { send_email: 'home@example.com' } }
    const again = await scenario.resume({ ...decide(parked, 'approve'), context })
    expect(again).toMatchObject({ status: 'needs_approval', pending: [{ account: 'home@example.com' }] })
    expect(send.runs).toEqual([])
  })

  test('a yes whose account is gone is not one for the account that is connected instead', async () => {
    let isConnected = false
    const send = approvedMail(() => {
      if (isConnected) return 'sent'
      throw new ToolCallError(toolError('authentication_error', 'Question: Please add your password.'))
    })
    const { parameters } = send.specification
    send.specification.parameters = { ...parameters, properties: { ...parameters.properties, from: {} } }
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number === 1 ? callTool('send_email', mail) : say('Sent.')),
    })
    const from = (account: string) => ({ context: { senders: { send_email: account } } })
    const parked = await scenario.run(from('work@example.com'))
    const lost = await scenario.resume({ ...decide(parked, 'approve'), context: {} })
    expect(lost.pending).toMatchObject([{ type: 'connection' }])
    const reconnect = {
      transcript: stored(parked, lost),
      connection: { itemId: lost.pending?.[0]?.itemId ?? '' },
    }
    isConnected = true
    const other = await scenario.resume({ ...reconnect, ...from('home@example.com') })
    expect(other.pending).toMatchObject([{ type: 'approval', account: 'home@example.com', values: mail }])
    expect(send.runs).toHaveLength(1)
    const same = await scenario.resume({ ...reconnect, ...from('work@example.com'), ledger: undefined })
    expect(same.status).toBe('completed')
    expect(send.runs).toHaveLength(2)
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

  test('a decision about another call changes nothing', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const parked = await scenario.run()
    const response = await scenario.resume({
      transcript: parked.transcript,
      approval: { ...decide(parked, 'approve').approval, toolCallId: 'other' },
    })
    expect(response).toMatchObject({ status: 'needs_approval', pending: parked.pending, messages: [] })
    expect(send.runs).toEqual([])
    const byClock = await scenario.resume({ transcript: parked.transcript })
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
    const both = await scenario.resume(decide(one, 'deny', {}, [parked]))
    expect(both.status).toBe('completed')
    expect(send.runs).toEqual([mail])

    const again = await scenario.resume({
      transcript: parked.transcript,
      approval: [approvalOf(parked, 'approve', 0), approvalOf(parked, 'approve', 1)],
    })
    expect(again.status).toBe('completed')
    expect(send.runs).toEqual([mail, bob])
  })

  test('a form after an approved call asks for the approval of what was filled in', async () => {
    const refused = toolError('invalid_value', 'Question: That address bounced. Who else should get it?', {
      resolver: 'user',
      details: {
        parameter: 'to',
        correction: { name: 'send_email', arguments: { ...mail, to: '<to>' }, open: ['to'] },
      },
    })
    const send = approvedMail(() => {
      if (send.runs.length === 1) throw new ToolCallError(refused)
      return { id: 'm-1' }
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent.')],
    })
    const asked = await scenario.run()
    const form = await scenario.resume(decide(asked, 'approve'))
    expect(form.status).toBe('needs_input')
    const answer = { toolCallId: idOf(form), values: { to: 'bob@example.com' } }
    const filled = await scenario.resume({ transcript: stored(asked, form), answer })
    expect(filled).toMatchObject({
      status: 'needs_approval',
      pending: [{ values: { to: 'bob@example.com' } }],
    })
    expect(send.runs).toEqual([mail])
    const sent = await scenario.resume(decide(filled, 'approve', {}, [asked, form]))
    expect(sent.status).toBe('completed')
    expect(send.runs).toEqual([mail, { ...mail, to: 'bob@example.com' }])
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
})
