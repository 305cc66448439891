import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  decisionEntry,
  numbered,
  question,
  sent,
  userMessage,
} from '../../../support/database-calls.ts'
import { DatabaseConversation, spoken } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

describe('continuing an assistant message', () => {
  test('an approval goes on with the run that waits, with what it has written and the call it is about', async () => {
    const turn = await chat.awaitApproval()
    const next = await chat.decide(turn.messageId, true)
    expect(next).toMatchObject({
      kind: 'continue',
      turnId: turn.turnId,
      messageId: turn.messageId,
      resumedRunId: turn.runId,
      decided: [{ type: 'approval', toolCallId: 'call-1', itemId: 'call-1.asked' }],
      entries: [
        { entry: { type: 'question', toolCallId: 'call-1' } },
        { entry: { text: 'May I?' } },
        { entry: { type: 'run-end', status: 'needs_approval' } },
      ],
    })
    expect(spoken(next)).toEqual(['Write to Ada.'])
    // While it is being written the message is not shown half.
    const page = await chat.page()
    expect(page.messages.map((message: Answer) => message.id)).toEqual(['u1'])
    await db.finish(next.runId, { text: 'Sent.', entries: numbered([decisionEntry(question())]) })
    expect(await chat.texts()).toEqual(['Write to Ada.', 'May I? Sent.'])
    expect(await chat.page()).toMatchObject({
      status: 'completed',
      pending: [],
      closed: { 'call-1.asked': 'approve' },
    })
  })

  test('a second tab joins, a late click gets the outcome; the approval counts once', async () => {
    const turn = await chat.awaitApproval()
    const clicks = await Promise.all([
      chat.decide(turn.messageId, true),
      chat.decide(turn.messageId, true),
      chat.decide(turn.messageId, false),
    ])
    const [first] = clicks.filter((click) => click.kind === 'continue')
    expect(clicks.map((click) => click.kind).sort()).toEqual(['continue', 'join', 'join'])
    await db.finish(first.runId, { text: 'Sent.', entries: numbered([decisionEntry(question())]) })
    for (const approved of [true, false]) {
      expect(await chat.decide(turn.messageId, approved)).toMatchObject({
        kind: 'return',
        run: {
          runId: first.runId,
          status: 'completed',
          entries: [{}, { text: 'May I?' }, {}, { type: 'decision' }, { text: 'Sent.' }, {}],
        },
      })
    }
  })

  test('two calls wait and one is decided: the other one waits on', async () => {
    const turn = await chat.awaitApproval('u1', ['call-1', 'call-2'])
    const next = await chat.decide(turn.messageId, false, 'call-2')
    expect(next.decided).toMatchObject([{ toolCallId: 'call-2' }])
    expect(next.entries.map((stored: Answer) => stored.entry.toolCallId)).toEqual([
      'call-1',
      'call-2',
      undefined,
      undefined,
    ])
  })

  test('what the run itself has sent before it asked is no earlier try', async () => {
    const turn = await chat.post({ messages: [userMessage('u1', 'Write to Ada, then to Bob.')] })
    const claim = await db.claim(turn.runId)
    await db.call('settle_invocation', chat.user, claim.invocationId, 'succeeded', sent, 4)
    await db.finish(turn.runId, {
      status: 'needs_approval',
      entries: numbered([question()]),
    })
    const next = await chat.decide(turn.messageId, true)
    expect(next).toMatchObject({ kind: 'continue', priorWrites: [], unreportedWrites: [] })
  })

  test('the last message decides where the client sends no messageId', async () => {
    const turn = await chat.awaitApproval()
    expect(await chat.decide(turn.messageId, true, 'call-1', { messageId: undefined })).toMatchObject({
      kind: 'continue',
    })
  })

  test('a decision that fits nothing changes nothing', async () => {
    const turn = await chat.awaitApproval()
    expect(await chat.decide(turn.messageId, true, 'call-9')).toMatchObject({
      kind: 'return',
      run: { runId: turn.runId, status: 'needs_approval' },
    })
    const forged = [
      { messageId: turn.messageId, toolCallId: 'call-1', approvalId: 'call-9.asked', approved: true },
    ]
    expect(await chat.decide(turn.messageId, true, 'call-1', { decisions: forged })).toMatchObject({
      kind: 'return',
    })
    expect(await chat.decide(turn.messageId, true, 'call-1', { decisions: [] })).toMatchObject({
      kind: 'return',
    })
    expect((await chat.page()).pending).toMatchObject([{ messageId: turn.messageId, itemId: 'call-1.asked' }])
  })

  test('a late click after a new message still counts', async () => {
    const turn = await chat.awaitApproval()
    await chat.exchange('u2', 'What is the time?', 'Ten.')
    const next = await chat.decide(turn.messageId, true, 'call-1', {
      lastMessage: { id: 'whatever', role: 'assistant' },
    })
    expect(next).toMatchObject({ kind: 'continue', messageId: turn.messageId, resumedRunId: turn.runId })
    expect(spoken(next)).toEqual(['Write to Ada.'])
    const page = await chat.page()
    expect(page.messages.map((message: Answer) => message.id)).not.toContain(turn.messageId)
  })

  test('while another message is being written the click has to wait', async () => {
    const turn = await chat.awaitApproval()
    const other = await chat.post({ messages: [userMessage('u2', 'What is the time?')] })
    expect(await chat.decide(turn.messageId, true)).toMatchObject({ kind: 'busy', runId: other.runId })
    await db.finish(other.runId)
    expect(await chat.decide(turn.messageId, true)).toMatchObject({ kind: 'continue' })
  })

  test('of a message that was cut off does nothing: what it asked is replaced', async () => {
    const turn = await chat.awaitApproval()
    const edit = await chat.post({ messageId: 'u1', messages: [userMessage('u1', 'Write to Bob.')] })
    await db.finish(edit.runId)
    expect(await chat.decide(turn.messageId, true)).toMatchObject({
      kind: 'return',
      run: { runId: turn.runId, pending: [], closed: { 'call-1.asked': 'replaced' } },
    })
  })

  test('of a message that is not there is refused, and makes nothing', async () => {
    expect(await chat.decide('never', true)).toMatchObject({
      kind: 'error',
      code: 'conversation_not_found',
    })
    expect(await chat.page()).toBeNull()
    await chat.exchange('u1', 'Hello', 'Good day.')
    expect(await chat.decide('never', true)).toMatchObject({
      kind: 'error',
      code: 'message_not_found',
    })
  })

  test('the process that went on dies: the approval can be given again', async () => {
    const turn = await chat.awaitApproval()
    const dead = await chat.decide(turn.messageId, true)
    await db.loseLease(dead.runId)
    const again = await chat.decide(turn.messageId, true)
    expect(again).toMatchObject({
      kind: 'continue',
      resumedRunId: turn.runId,
      decided: [{ toolCallId: 'call-1' }],
    })
    expect(await db.finish(dead.runId, { text: 'Late.' })).toMatchObject({
      status: 'interrupted',
    })
  })
})
