import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  decisionEntry,
  numbered,
  question,
  refused,
  sent,
  userMessage,
  write,
} from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()

async function begin(text = 'Write to Ada.') {
  const user = await db.createUser()
  const conversationId = `c-${randomUUID()}`
  const turn = await db.postUi(user, { conversationId, messages: [userMessage('u1', text)] })
  return { user, conversationId, turn, runId: String(turn.runId) }
}

const resume = (user: string, conversationId: string, answer: Record<string, unknown>) =>
  db.begin('begin_resume', user, conversationId, { runId: randomUUID(), ...answer })

describe('going on', () => {
  const form = question({ kind: 'input', asked: 'Who?', open: ['to'] })
  const entries = numbered([form])
  const itemId = form.itemId

  test('an answer goes on once: twelve at the same time, one continues', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId, { status: 'needs_input', entries })
    const values = { to: ['ada@example.com'] }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        resume(user, conversationId, { type: 'input', toolCallId: 'call-1', values }),
      ),
    )
    const [first] = answers.filter((answer) => answer.kind === 'continue')
    expect(answers.filter((answer) => answer.kind === 'join')).toHaveLength(11)
    expect(first).toMatchObject({
      resumedRunId: runId,
      decided: [{ itemId, entry: form }],
    })
    await db.finish(first.runId, { text: 'Sent.', entries: numbered([decisionEntry(form, 'answer')]) })
    expect(await resume(user, conversationId, { type: 'input', toolCallId: 'call-1', values })).toMatchObject(
      {
        kind: 'return',
        run: { runId: first.runId, status: 'completed' },
      },
    )
  })

  test('an answer whose reply was lost gets the same run again', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId, { status: 'needs_input', entries })
    const answer = { runId: randomUUID(), type: 'input', toolCallId: 'call-1', values: {} }
    const first = await resume(user, conversationId, answer)
    expect(first.kind).toBe('continue')
    expect(await resume(user, conversationId, answer)).toEqual(first)
  })

  test('it waits again when the process that went on died, and again after a refusal before anything happened', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId, { status: 'needs_input', entries })
    const answer = { type: 'input', toolCallId: 'call-1', values: {} }
    const dead = await resume(user, conversationId, answer)
    await db.loseLease(dead.runId)
    const refusedOne = await resume(user, conversationId, answer)
    expect(refusedOne).toMatchObject({ kind: 'continue', resumedRunId: runId })
    await db.release(refusedOne.runId)
    expect((await db.call('get_conversation', user, conversationId)).pending).toMatchObject([
      { itemId, entry: form },
    ])
    expect(await resume(user, conversationId, answer)).toMatchObject({ kind: 'continue' })
    expect(await db.finish(dead.runId)).toMatchObject({ status: 'interrupted' })
  })

  test('it is bound to the item: another call, another item, another kind of answer do not fit', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId, { status: 'needs_input', entries })
    expect(await resume(user, conversationId, { type: 'input', toolCallId: 'call-2' })).toMatchObject({
      code: 'item_not_found',
    })
    for (const wrong of [
      { type: 'approval', toolCallId: 'call-1', decision: 'approve' },
      { type: 'approval', itemId, decision: 'approve' },
      { type: 'input', itemId: 'call-1.other' },
      { type: 'input', itemId, toolCallId: 'call-2' },
    ]) {
      expect(await resume(user, conversationId, wrong)).toMatchObject({ code: 'item_not_found' })
    }
    expect(await resume(user, conversationId, { type: 'input', itemId })).toMatchObject({ kind: 'continue' })
  })

  test('it is over after an edit or a regenerate of the turn', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId, { status: 'needs_input', entries })
    await db.postUi(user, { conversationId, messageId: 'u1', messages: [userMessage('u1', 'Write to Bob.')] })
    expect(await resume(user, conversationId, { type: 'input', toolCallId: 'call-1' })).toMatchObject({
      code: 'already_decided',
    })
  })

  test('a form that is an approval, too, is approved with its values, and a different decision is refused', async () => {
    const { user, conversationId, runId } = await begin()
    const card = question({ kind: 'input', asked: 'Who?', open: ['to'], reason: 'consent' })
    await db.finish(runId, { status: 'needs_input', entries: numbered([card]) })
    const values = { to: ['ada@example.com'] }
    const approval = {
      type: 'approval',
      itemId: card.itemId,
      toolCallId: 'call-1',
      decision: 'approve',
      values,
    }
    const first = await resume(user, conversationId, approval)
    expect(first).toMatchObject({ kind: 'continue', decided: [{ type: 'input', itemId: card.itemId }] })
    expect(await resume(user, conversationId, approval)).toMatchObject({ kind: 'join', runId: first.runId })
    for (const other of [
      { ...approval, decision: 'deny' },
      { ...approval, values: { to: ['bob@example.com'] } },
      { type: 'input', itemId: card.itemId, values },
      { type: 'skip', itemId: card.itemId },
    ]) {
      expect(await resume(user, conversationId, other)).toMatchObject({ code: 'already_decided' })
    }
    await db.finish(first.runId, { text: 'Sent.', entries: numbered([decisionEntry(card, 'approve')]) })
    expect(await resume(user, conversationId, approval)).toMatchObject({
      kind: 'return',
      run: { runId: first.runId },
    })
  })

  test('a form that does not say what would be done cannot be approved', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId, { status: 'needs_input', entries })
    const approval = {
      type: 'approval',
      itemId,
      toolCallId: 'call-1',
      decision: 'approve',
      values: { to: [] },
    }
    expect(await resume(user, conversationId, approval)).toMatchObject({ code: 'item_not_found' })
  })

  test('the clock carries on what a process that died had approved with a form', async () => {
    const { user, conversationId, runId } = await begin()
    const card = question({ kind: 'input', asked: 'Who?', open: ['to'], reason: 'consent' })
    await db.finish(runId, { status: 'needs_input', entries: numbered([card]) })
    const values = { to: ['ada@example.com'] }
    const approval = {
      type: 'approval',
      itemId: card.itemId,
      toolCallId: 'call-1',
      decision: 'approve',
      values,
    }
    const first = await resume(user, conversationId, approval)
    await db.call('heartbeat_run', first.runId, 30, numbered([decisionEntry(card, 'approve')]))
    await db.loseLease(first.runId)
    const due = (await db.call('askback_private.due_runs', 1000)).filter(
      (one: { userId: string }) => one.userId === user,
    )
    expect(due).toMatchObject([{ itemId: card.itemId, type: 'approval', decision: 'approve' }])
    expect(
      await resume(user, conversationId, { type: 'approval', itemId: card.itemId, decision: 'approve' }),
    ).toMatchObject({
      kind: 'run',
      decided: [],
    })
  })

  test('a chain of questions stays one message and one session', async () => {
    const { user, conversationId, turn, runId } = await begin()
    await db.finish(runId, {
      status: 'needs_input',
      entries,
      invocations: [{ ...write(), status: 'rejected', result: refused, durationMs: 0 }],
    })
    const second = await resume(user, conversationId, {
      type: 'input',
      toolCallId: 'call-1',
      values: { to: 'ada@example.com' },
    })
    const approval = question({ itemId: 'call-1.approval' })
    await db.finish(second.runId, {
      status: 'needs_approval',
      entries: numbered([decisionEntry(form, 'answer'), approval]),
    })
    const third = await resume(user, conversationId, {
      type: 'approval',
      itemId: approval.itemId,
      decision: 'approve',
    })
    expect(third).toMatchObject({
      messageId: turn.messageId,
      decided: [{ type: 'approval', toolCallId: 'call-1' }],
    })
    const claim = await db.claim(third.runId, { attempt: 2 })
    await db.call('settle_invocation', user, claim.invocationId, 'succeeded', sent, 4)
    await db.finish(third.runId, { text: 'Sent.', entries: numbered([decisionEntry(approval)]) })
    expect(
      await db.service`select session_id, has_errors, retry_succeeded from tool_execution_sessions where user_id = ${user}`,
    ).toEqual([{ session_id: `${runId}/1`, has_errors: true, retry_succeeded: true }])
    expect((await db.call('get_conversation', user, conversationId)).messages).toHaveLength(2)
    // The first form, sent late: what became of it in the end.
    const late = { type: 'input', toolCallId: 'call-1', values: { to: 'ada@example.com' } }
    expect(await resume(user, conversationId, late)).toMatchObject({
      kind: 'return',
      run: { runId: third.runId },
    })
  })

  test('a new connection goes on with the waiting call', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId, {
      status: 'needs_connection',
      entries: numbered([question({ kind: 'connection' })]),
    })
    expect(await resume(user, conversationId, { type: 'resume' })).toMatchObject({
      kind: 'continue',
      resumedRunId: runId,
    })
  })

  test('the clock goes on when it is time, once', async () => {
    const { user, conversationId, runId } = await begin()
    const wait = question({ kind: 'wait', resumeAt: new Date(Date.now() + 3_600_000).toISOString() })
    await db.finish(runId, { status: 'waiting', entries: numbered([wait]) })
    const mine = async () =>
      (await db.call('askback_private.due_runs', 1000)).filter(
        (due: { userId: string }) => due.userId === user,
      )
    expect(await mine()).toEqual([])
    expect(await resume(user, conversationId, { type: 'wait' })).toMatchObject({
      code: 'not_due',
    })
    await db.service`update open_items set resume_at = now() - interval '1 second' where user_id = ${user}`
    expect(await mine()).toMatchObject([{ conversationId, itemId: wait.itemId }])
    const [a, b] = await Promise.all([
      resume(user, conversationId, { type: 'wait' }),
      resume(user, conversationId, { type: 'wait' }),
    ])
    expect([a.kind, b.kind].sort()).toEqual(['continue', 'join'])
    expect(await mine()).toEqual([])
    // The clock's process dies: it is due again.
    await db.loseLease(a.runId)
    expect(await mine()).toMatchObject([{ itemId: wait.itemId }])
  })

  test('the clock finds writes whose process died', async () => {
    const { runId } = await begin()
    const claim = await db.claim(runId)
    await db.loseClaim(claim.invocationId)
    await db.call('askback_private.due_runs', 10)
    expect(await db.service`select status, error_type from tool_executions where run_id = ${runId}`).toEqual([
      { status: 'unknown', error_type: 'outcome_unknown' },
    ])
  })

  test('a deleted agent leaves its conversations to the next one', async () => {
    const { user, conversationId, runId, turn } = await begin()
    await db.finish(runId, { status: 'needs_input', entries })
    await db.service`delete from agents where id = ${turn.agent.id}`
    const next = await resume(user, conversationId, { type: 'input', toolCallId: 'call-1', values: {} })
    expect(next.kind).toBe('continue')
    expect(next.agent.id).not.toBe(turn.agent.id)
  })
})
