import { expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Approval } from '../../../shared/engine/loop/run/run-options.ts'
import { mailTool, recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, type ModelScript, say } from '../../../support/model-server.ts'
import { approvedMail, idOf, mail, stored, withoutTo } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const text = { type: 'string' as const }
const readNote = callTool('read_note', {})
const ask = say('What is missing?')

/** What `resumeAgent` takes when somebody decides about the only open item. */
const decideCard = (
  before: AgentResponse[],
  decision: Approval['decision'],
  more: Partial<Approval> = {},
) => {
  const pending = before.at(-1)?.pending ?? []
  expect(pending).toHaveLength(1)
  const { toolCallId = '', approvalId = '' } = pending[0] ?? {}
  return { transcript: stored(...before), approval: { toolCallId, approvalId, decision, ...more } }
}

plainAndStreamed('a form and its approval are one card', (stream) => {
  const to = { values: { to: 'ada@example.com' } }

  async function startMail(send = approvedMail(), script?: ModelScript) {
    const scenario = await startScenario({
      stream,
      tools: [send],
      script: script ?? [callTool('send_email', withoutTo), ask, say('Sent.')],
    })
    return { scenario, send, parked: await scenario.run() }
  }

  test('the form shows what a yes does, and its button fills in and approves, once', async () => {
    const send = mailTool({ approval: 'always', confirm: 'Send "{subject}" to {to}?', button: 'Send email' })
    const { scenario, parked } = await startMail(send)
    await using _ = scenario
    expect(parked.status).toBe('needs_input')
    const [item] = parked.pending ?? []
    expect(item).toMatchObject({
      type: 'input',
      approvalId: item?.itemId,
      reason: 'consent',
      confirm: 'Send "Meeting" to "…"?',
      button: 'Send email',
      values: withoutTo,
      schema: { required: ['to'] },
    })
    const response = await scenario.resume(decideCard([parked], 'approve', to))
    expect(response).toMatchObject({ status: 'completed', text: 'Sent.' })
    expect(send.runs).toEqual([mail])
    expect(scenario.requests.at(-1)?.body.messages).toContainEqual(
      expect.objectContaining({
        role: 'user',
        content: expect.stringContaining('Yes, call send_email with {"to":"ada@example.com"}.'),
      }),
    )
  })

  test('values alone approve nothing: the approval is asked next', async () => {
    const { scenario, send, parked } = await startMail()
    await using _ = scenario
    const answer = { toolCallId: idOf(parked), ...to }
    const response = await scenario.resume({ transcript: stored(parked), answer })
    expect(response).toMatchObject({
      status: 'needs_approval',
      pending: [{ type: 'approval', values: mail }],
    })
    expect(send.runs).toEqual([])
  })

  test('a yes without the missing values asks for them again', async () => {
    const { scenario, send, parked } = await startMail()
    await using _ = scenario
    const response = await scenario.resume(decideCard([parked], 'approve'))
    expect(response.pending).toMatchObject([
      { type: 'input', reason: 'consent', schema: { required: ['to'] } },
    ])
    expect(send.runs).toEqual([])
  })

  test('it can be denied without being filled in', async () => {
    const { scenario, send, parked } = await startMail(approvedMail(), [
      callTool('send_email', withoutTo),
      ask,
      say('All right.'),
    ])
    await using _ = scenario
    const response = await scenario.resume(decideCard([parked], 'deny', { reason: 'Not now.' }))
    expect(response.toolsUsed).toMatchObject([{ ok: false, error: { errorType: 'approval_denied' } }])
    expect(response.text).toBe('All right.')
    expect(send.runs).toEqual([])
  })

  test('it can be skipped, as a form', async () => {
    const { scenario, send, parked } = await startMail()
    await using _ = scenario
    const skip = { itemId: parked.pending?.[0]?.itemId ?? '' }
    const response = await scenario.resume({ transcript: stored(parked), skip })
    expect([response.status, send.runs]).toEqual(['completed', []])
  })

  test('other values can be changed in it', async () => {
    const { scenario, send, parked } = await startMail()
    await using _ = scenario
    const input = { subject: 'Lunch', body: 'At noon.' }
    await scenario.resume(decideCard([parked], 'approve', { ...to, input }))
    expect(send.runs).toEqual([{ to: 'ada@example.com', ...input }])
  })

  test('a value that does not fit is asked again in one card', async () => {
    const { scenario, send, parked } = await startMail()
    await using _ = scenario
    const again = await scenario.resume(decideCard([parked], 'approve', { values: { to: 'nobody' } }))
    expect(again.pending).toMatchObject([{ type: 'input', reason: 'consent', values: withoutTo }])
    expect(again.pending?.[0]?.approvalId).not.toBe(parked.pending?.[0]?.approvalId)
    await scenario.resume(decideCard([parked, again], 'approve', to))
    expect(send.runs).toEqual([mail])
  })

  test('a form of a call that needs no approval stays a form, and takes no yes', async () => {
    const { scenario, send, parked } = await startMail(mailTool())
    await using _ = scenario
    const [{ itemId = '', ...item } = {}] = parked.pending ?? []
    expect(item).not.toHaveProperty('reason')
    expect(item).not.toHaveProperty('approvalId')
    const approval = { toolCallId: idOf(parked), approvalId: itemId, decision: 'approve' as const, ...to }
    const response = await scenario.resume({ transcript: stored(parked), approval })
    expect(response.pending).toMatchObject([{ itemId }])
    expect(send.runs).toEqual([])
  })

  test('keeps the draft: what is filled in is saved with it', async () => {
    const send = approvedMail()
    const draft = recordingTool({ ...send.specification, name: 'send_draft', approval: 'never' })
    await using scenario = await startScenario({
      stream,
      tools: [send, draft],
      script: [callTool('send_email', withoutTo), ask, say('Saved.')],
    })
    const parked = await scenario.run()
    await scenario.resume(decideCard([parked], 'draft', to))
    expect([send.runs, draft.runs]).toEqual([[], [mail]])
  })

  test('expires like an approval: a late yes asks again', async () => {
    const { scenario, send, parked } = await startMail()
    await using _ = scenario
    expect(parked.pending?.[0]?.expiresAt).toBeDefined()
    scenario.clock.advance(8 * 86_400_000)
    const again = await scenario.resume(decideCard([parked], 'approve', to))
    expect(again.pending).toMatchObject([{ type: 'input', reason: 'consent' }])
    expect(send.runs).toEqual([])
  })

  const sourced = {
    type: 'object' as const,
    properties: { to: { ...text, format: 'email', source: 'conversation' }, subject: text },
    required: ['to', 'subject'],
  }
  const notes = (words: unknown) =>
    recordingTool({
      name: 'read_note',
      title: 'Read note',
      effect: 'read',
      parameters: { type: 'object', properties: {} },
      execute: () => words,
    })

  test('says where a value comes from that the user did not give', async () => {
    const send = recordingTool({
      name: 'send_email',
      title: 'Send email',
      parameters: sourced,
      approval: 'always',
    })
    await using scenario = await startScenario({
      stream,
      tools: [send, notes({ text: 'Write to eve@example.com.' })],
      script: [readNote, callTool('send_email', { to: 'eve@example.com' }), ask, say('Sent.')],
    })
    const parked = await scenario.run()
    expect(parked.pending).toMatchObject([
      {
        type: 'input',
        reason: 'provenance',
        hint: expect.stringContaining('"eve@example.com" comes from "Read note", not from you.'),
        why: { code: 'approve_origin', values: { origins: [{ value: 'eve@example.com' }] } },
        schema: { required: ['subject'] },
      },
    ])
    const response = await scenario.resume(decideCard([parked], 'approve', { values: { subject: 'Hi' } }))
    expect(response.status).toBe('completed')
    expect(send.runs).toEqual([{ to: 'eve@example.com', subject: 'Hi' }])
  })

  test('what the user has filled in is known for later calls', async () => {
    const send = recordingTool({ name: 'send_email', parameters: sourced, approval: 'always' })
    const invite = recordingTool({ name: 'invite', effect: 'write', parameters: sourced })
    await using scenario = await startScenario({
      stream,
      tools: [send, invite],
      script: [
        callTool('send_email', { subject: 'Hi' }),
        ask,
        callTool('invite', { to: 'ada@example.com', subject: 'Hi' }),
        say('Done.'),
      ],
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decideCard([parked], 'approve', to))
    expect(response.status).toBe('completed')
    expect([send.runs.length, invite.runs.length]).toEqual([1, 1])
  })

  async function startNotes(script: ModelScript, more: Partial<ToolSpecification>) {
    const overwrite = recordingTool({
      name: 'overwrite_note',
      title: 'Overwrite note',
      parameters: { type: 'object', properties: { id: text, words: text }, required: ['id', 'words'] },
      confirm: 'Overwrite the note [{id:title}|{id}]?',
      ...more,
    })
    const read = notes({ id: '7', title: 'Taxes' })
    const provided = (tool: typeof read) => ({
      ...tool,
      specification: { ...tool.specification, providers: ['notes'] },
    })
    const scenario = await startScenario({ stream, tools: [provided(read), provided(overwrite)], script })
    return { scenario, overwrite }
  }

  test('the form of a change shows its target by name, and one yes carries it out', async () => {
    const script = [readNote, callTool('overwrite_note', { id: '7' }), ask, say('Done.')]
    const { scenario, overwrite } = await startNotes(script, { destructive: true })
    await using _ = scenario
    const parked = await scenario.run()
    expect(parked.pending).toMatchObject([
      { type: 'input', reason: 'destructive', confirm: 'Overwrite the note "Taxes"?' },
    ])
    const response = await scenario.resume(decideCard([parked], 'approve', { values: { words: 'new' } }))
    expect(response.status).toBe('completed')
    expect(overwrite.runs).toEqual([{ id: '7', words: 'new' }])
  })

  test('values alone do not carry out a change whose target was not shown', async () => {
    const script = [readNote, callTool('overwrite_note', { id: '7' }), ask, say('Done.')]
    const { scenario, overwrite } = await startNotes(script, { destructive: true })
    await using _ = scenario
    const parked = await scenario.run()
    const answer = { toolCallId: idOf(parked), values: { words: 'new' } }
    const response = await scenario.resume({ transcript: stored(parked), answer })
    expect(response.pending).toMatchObject([{ type: 'approval', reason: 'destructive' }])
    expect(overwrite.runs).toEqual([])
  })

  test('a deletion asks again if only the filled-in value says what is deleted', async () => {
    const script = [readNote, callTool('overwrite_note', { words: 'new' }), ask, say('Done.')]
    const { scenario, overwrite } = await startNotes(script, { destructive: 'delete', approval: 'always' })
    await using _ = scenario
    const parked = await scenario.run()
    const named = await scenario.resume(decideCard([parked], 'approve', { values: { id: '7' } }))
    expect(named.pending).toMatchObject([
      { type: 'approval', reason: 'destructive', confirm: 'Overwrite the note "Taxes"?' },
    ])
    expect(overwrite.runs).toEqual([])
    const response = await scenario.resume(decideCard([parked, named], 'approve'))
    expect(response.status).toBe('completed')
    expect(overwrite.runs).toEqual([{ id: '7', words: 'new' }])
  })

  test('a repetition that only the filled-in value shows asks once more', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), callTool('send_email', withoutTo), ask, say('Sent twice.')],
    })
    const first = await scenario.run()
    const parked = await scenario.resume(decideCard([first], 'approve'))
    expect(parked.pending).toMatchObject([{ type: 'input' }])
    const again = await scenario.resume(decideCard([first, parked], 'approve', to))
    expect(again.pending).toMatchObject([{ type: 'approval', reason: 'repetition' }])
    expect(send.runs).toHaveLength(1)
    await scenario.resume(decideCard([first, parked, again], 'approve'))
    expect(send.runs).toHaveLength(2)
  })

  test('what a tool asks after an approved call is one card as well', async () => {
    let runs = 0
    const send = approvedMail(() => {
      if (runs++ > 0) return { sent: true }
      return {
        ok: false,
        error: 'Question: Which subject?',
        resolver: 'user',
        details: { parameter: 'subject' },
      }
    })
    const { scenario, parked } = await startMail(send, [callTool('send_email', mail), say('Sent.')])
    await using _ = scenario
    const asked = await scenario.resume(decideCard([parked], 'approve'))
    expect(asked.pending).toMatchObject([{ type: 'input', reason: 'consent' }])
    const response = await scenario.resume(
      decideCard([parked, asked], 'approve', { values: { subject: 'Tea' } }),
    )
    expect(response.status).toBe('completed')
    expect(send.runs).toEqual([mail, { ...mail, subject: 'Tea' }])
  })
})
