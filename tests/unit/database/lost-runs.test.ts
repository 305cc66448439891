import { beforeEach, expect, test } from 'vitest'
import { type Answer, numbered, question, textOf, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

/** A run whose process was silent for longer than its lease, as somebody has seen. */
async function lose(): Promise<Answer> {
  const turn = await chat.postText('u1', 'Write to Ada.')
  await db.loseLease(turn.runId)
  expect(await db.call('get_run', chat.user, turn.runId)).toMatchObject({ status: 'interrupted' })
  return turn
}
const end = (runId: string, text: string): Promise<Answer> => {
  const entries = numbered([
    { type: 'model-text', text },
    { type: 'run-end', status: 'completed' },
  ])
  return db.call('finish_run', runId, { status: 'completed', entries, invocations: [] })
}
const beat = (runId: string) => db.call('heartbeat_run', runId, 15, [])

test('a process that was silent for longer than its lease goes on with its run, if nothing else has', async () => {
  const { runId } = await lose()
  expect(await beat(runId)).toMatchObject({ stopRequested: false, isOver: false })
  expect(await db.statusOf(runId)).toBe('running')
  expect(await db.claim(runId)).toMatchObject({ claimed: true })
  expect(await end(runId, 'Sent.')).toMatchObject({ isStored: true, replacedBy: null })
  expect(await db.statusOf(runId)).toBe('completed')
  expect((await chat.page()).messages.map(textOf)).toEqual(['Write to Ada.', 'Sent.'])
})

test('so it does with a claim that comes before its heartbeat', async () => {
  const { runId } = await lose()
  expect(await db.claim(runId)).toMatchObject({ claimed: true })
  expect(await db.statusOf(runId)).toBe('running')
})

test('a process whose run another one has taken is told which, and was not stopped', async () => {
  const { runId } = await lose()
  const other = await chat.postText('u1', 'Write to Ada.')
  expect(await beat(runId)).toMatchObject({ isOver: true, isLost: true, isOvertaken: false })
  expect(await db.claim(runId)).toEqual({ claimed: false, status: 'stopped', isLost: true })
  expect(await end(runId, 'Late.')).toMatchObject({ isStored: false, replacedBy: other.runId })
  expect(await db.call('get_run', chat.user, runId)).toMatchObject({
    status: 'interrupted',
    replacedBy: other.runId,
  })
  expect(await db.call('follow_run', chat.user, runId)).toMatchObject({ replacedBy: other.runId })
  await db.finish(other.runId, { text: 'Sent.' })
  expect((await chat.page()).messages.map(textOf)).toEqual(['Write to Ada.', 'Sent.'])
})

test('a process whose user has written again in the meantime was overtaken', async () => {
  const { runId } = await lose()
  await chat.postText('u2', 'Are you there?')
  expect(await beat(runId)).toMatchObject({ isOver: true, isOvertaken: true, isLost: false })
  expect(await db.claim(runId)).toEqual({ claimed: false, status: 'stopped', isOvertaken: true })
})

test('a process whose message was edited in the meantime has lost its run, and nobody has taken it', async () => {
  const { runId } = await lose()
  await chat.post({ messageId: 'u1', messages: [userMessage('u1', 'Write to Bob.')] })
  expect(await beat(runId)).toMatchObject({ isOver: true, isLost: true })
  expect(await end(runId, 'Late.')).toMatchObject({ isStored: false, replacedBy: null })
})

test('a run is stopped by its user although its process is silent, and does not go on', async () => {
  const { runId } = await lose()
  expect(await db.call('stop_run', chat.user, chat.id)).toEqual({ runId })
  expect(await beat(runId)).toMatchObject({ isOver: true, isLost: false, isOvertaken: false })
  expect(await db.claim(runId)).toEqual({ claimed: false, status: 'stopped' })
  const end = numbered([
    { type: 'run-end', status: 'failed', text: '', ours: [{ code: 'stopped', text: 'Stopped.' }] },
  ])
  await db.call('finish_run', runId, { status: 'failed', entries: end, invocations: [] })
  expect(await db.statusOf(runId)).toBe('stopped')
})

test('a decision whose process is silent is not carried out by the clock once its user has stopped it', async () => {
  const { messageId } = await chat.awaitApproval()
  const turn = await chat.decide(messageId, true)
  await db.call(
    'heartbeat_run',
    turn.runId,
    15,
    numbered([{ type: 'decision', itemId: 'call-1.asked', toolCallId: 'call-1', decision: 'approve' }]),
  )
  await db.loseLease(turn.runId)
  const due = async () =>
    (await db.call('askback_private.due_runs', 1000)).filter(
      ({ conversationId }: Answer) => conversationId === chat.id,
    )
  expect(await due()).toMatchObject([{ itemId: 'call-1.asked', decision: 'approve' }])
  expect(await db.call('stop_run', chat.user, chat.id)).toEqual({ runId: turn.runId })
  expect(await due()).toEqual([])
})

test('a process that was to ask for an expired approval anew goes on with its run', async () => {
  const expiresAt = new Date(Date.now() - 1000).toISOString()
  const turn = await chat.postText('u1', 'Write to Ada.')
  await db.finish(turn.runId, { status: 'needs_approval', entries: numbered([question({ expiresAt })]) })
  const { runId, decided } = await chat.decide(turn.messageId, true)
  expect(decided).toMatchObject([{ expired: true }])
  await db.loseLease(runId)
  await db.call('get_run', chat.user, runId)
  expect(await beat(runId)).toMatchObject({ isOver: false })
  const anew = question({ itemId: 'call-1.anew' })
  await db.finish(runId, { status: 'needs_approval', entries: numbered([anew]) })
  expect((await chat.page()).pending).toMatchObject([{ itemId: anew.itemId }])
})

test('a run that was given back before anything happened is not taken up by a late heartbeat', async () => {
  const { runId } = await chat.postText('u1', 'Hello.')
  await db.release(runId)
  expect(await beat(runId)).toMatchObject({ isOver: true })
  expect(await db.statusOf(runId)).toBe('interrupted')
})

test('a run that was given back is not there to be stopped: the same message runs again', async () => {
  const { runId } = await chat.postText('u1', 'Hello.')
  await db.release(runId)
  expect(await db.call('stop_run', chat.user, chat.id)).toEqual({ runId: null })
  expect(await chat.postText('u1', 'Hello.')).toMatchObject({ kind: 'run' })
})

test('of a process that comes back and one that repeats the message, one has the run', async () => {
  for (let round = 0; round < 10; round++) {
    chat = new DatabaseConversation(db, await db.createUser())
    const { runId } = await lose()
    const [, again] = await Promise.all([beat(runId), chat.postText('u1', 'Write to Ada.')])
    const isBack = (await db.statusOf(runId)) === 'running'
    expect(again.kind).toBe(isBack ? 'join' : 'run')
    const [{ count } = {}] = await db.service`
      select count(*)::int from runs where conversation_id = ${chat.id} and status = 'running'`
    expect(count).toBe(1)
  }
})
