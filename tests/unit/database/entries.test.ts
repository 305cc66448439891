import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  callEntries,
  connectAs,
  numbered,
  sent,
  userMessage,
} from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

const words = (...texts: string[]) => numbered(texts.map((text) => ({ type: 'model-text', text })))
const stored = async (runId: string): Promise<Answer[]> =>
  (
    await db.service`select entry from entries where run_id = ${runId} and sequence >= 0 order by sequence`
  ).map((row) => row.entry)
const texts = async (runId: string) => (await stored(runId)).map((entry) => entry.text).filter(Boolean)

describe('what a run writes down', () => {
  test('is stored once, whoever brings it and however often', async () => {
    const { runId } = await chat.postText('m1', 'Write to Ada.')
    const claim = await db.claim(runId, {}, words('a', 'b'))
    await Promise.all([
      db.claim(runId, { repetition: 1 }, words('a', 'b', 'c')),
      db.call('heartbeat_run', runId, 15, words('a', 'b', 'c', 'd')),
      db.call('heartbeat_run', runId, 15, words('a', 'b', 'c', 'd')),
      settle(claim.invocationId, runId, words('a', 'b', 'c')),
    ])
    await db.finish(runId, { entries: words('a', 'b', 'c', 'd', 'e'), text: 'f' })
    expect(await texts(runId)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  test('of two that claim to be the same entry, the first stays', async () => {
    const { runId } = await chat.postText('m1', 'Hello')
    await db.call('heartbeat_run', runId, 15, words('first'))
    await db.call('heartbeat_run', runId, 15, words('second'))
    await db.finish(runId, { entries: words('third'), text: 'end' })
    expect(await texts(runId)).toEqual(['first', 'end'])
  })

  test('after it was stopped is still stored, until its end', async () => {
    const { runId } = await chat.postText('m1', 'Write to Ada.')
    const claim = await db.claim(runId)
    await db.call('stop_run', chat.user, chat.id)
    expect(await db.claim(runId, { repetition: 1 }, words('refused'))).toMatchObject({ status: 'stopped' })
    expect(await settle(claim.invocationId, runId, words('a'))).toMatchObject({ stored: true })
    await db.finish(runId, { status: 'stopped', text: 'b' })
    expect(await settle(claim.invocationId, runId, words('a', 'late'))).toMatchObject({ stored: false })
    expect(await db.call('heartbeat_run', runId, 15, words('a', 'late'))).toMatchObject({ isOver: true })
    expect(await texts(runId)).toEqual(['a', 'b'])
  })

  test('by a process that was thought dead counts only while nobody has taken its place', async () => {
    const dead = await chat.postText('m1', 'Write to Ada.')
    await db.call('heartbeat_run', dead.runId, 15, words('kept'))
    await db.loseLease(dead.runId)
    const next = await chat.postText('m1', 'Write to Ada.')
    expect(next.entries.map((one: Answer) => one.entry.text)).toEqual(['kept'])
    expect(await db.call('heartbeat_run', dead.runId, 15, words('kept', 'late'))).toMatchObject({
      isOver: true,
    })
    expect(await db.claim(dead.runId, {}, words('kept', 'late'))).toMatchObject({ status: 'stopped' })
    expect(await db.finish(dead.runId, { entries: words('kept', 'late') })).toMatchObject({
      status: 'interrupted',
    })
    expect(await texts(dead.runId)).toEqual(['kept'])
    await db.finish(next.runId, { text: 'new' })
    expect(await chat.texts()).toEqual(['Write to Ada.', 'kept new'])
  })

  test('by two that died goes on in their order, also where the first one comes back last', async () => {
    const first = await chat.postText('m1', 'Hello')
    await db.call('heartbeat_run', first.runId, 15, words('one'))
    await db.loseLease(first.runId)
    const second = await chat.postText('m1', 'Hello')
    await db.call('heartbeat_run', second.runId, 15, words('two'))
    await db.loseLease(second.runId)
    await chat.page()
    expect(await db.finish(first.runId, { text: 'late' })).toMatchObject({ status: 'interrupted' })
    const third = await chat.postText('m1', 'Hello')
    expect(third).toMatchObject({ kind: 'run', messageId: first.messageId })
    expect(third.entries.map((one: Answer) => one.entry.text)).toEqual(['one', 'two'])
  })

  test('while it went on with an approval is there when the approval is given again', async () => {
    const { messageId } = await chat.awaitApproval()
    const dead = await chat.decide(messageId, true)
    await db.claim(dead.runId, { toolCallId: 'call-1' }, numbered(callEntries('call-1')))
    await db.loseLease(dead.runId)
    const again = await chat.decide(messageId, true)
    expect(again.kind).toBe('continue')
    expect(again.entries.slice(-3).map((one: Answer) => one.entry)).toEqual(callEntries('call-1'))
    expect(await db.claim(again.runId, { toolCallId: 'call-1' })).toMatchObject({
      claimed: false,
      status: 'running',
      write: { toolCallId: 'call-1' },
    })
    expect(await db.claim(again.runId, { toolCallId: 'call-2' })).toMatchObject({
      write: { toolCallId: 'call-1' },
    })
  })

  function settle(invocationId: string, runId: string, entries: object[]): Promise<Answer> {
    return db.call('settle_invocation', chat.user, invocationId, 'succeeded', sent, 5, null, runId, entries)
  }
})

test('a process killed between claim and settlement leaves the call, and the ledger what became of it', async () => {
  const first = await chat.postText('m1', 'Write to Ada.')
  const claim = await db.claim(first.runId, { toolCallId: 'call-1' }, numbered(callEntries('call-1')))
  const deliveryId = randomUUID()
  await db.call('begin_effect', chat.user, {
    deliveryId,
    idempotencyKey: claim.idempotencyKey,
    toolName: 'smtp_send_email',
    argumentHash: (
      await db.service`select argument_hash from tool_executions where id = ${claim.invocationId}`
    )[0]?.argument_hash,
    providers: ['smtp'],
  })
  await db.loseLease(first.runId)
  await db.loseClaim(claim.invocationId)
  const before = await chat.postText('m2', 'Are you there?')
  expect(before.unreportedWrites).toMatchObject([
    { toolCallId: 'call-1', status: 'unknown', result: null, durationMs: null },
  ])
  // The integration function is not dead, and reports.
  await db.call('settle_invocation', chat.user, claim.invocationId, 'succeeded', sent, 30, deliveryId)
  await db.finish(before.runId)
  const after = await chat.postText('m3', 'And now?')
  expect(after.unreportedWrites).toMatchObject([
    { toolCallId: 'call-1', status: 'succeeded', result: sent, durationMs: 30 },
  ])
})

describe('what no client may see', () => {
  test('is denied to everybody but the functions, and never on a page', async () => {
    const turn = await chat.post({ messages: [userMessage('m1', 'Look')] })
    const call = { sequence: 0, entry: callEntries('call-1')[1], private: { extraContent: 'signature' } }
    await db.finish(turn.runId, { entries: [call] })
    for (const owner of [chat.user, await db.createUser()]) {
      const sql = connectAs(database.url, 'authenticated', owner)
      await expect(sql`select private from entries`).rejects.toMatchObject({ code: '42501' })
      await expect(sql`select * from entries`).rejects.toMatchObject({ code: '42501' })
      await expect(sql`select 1 from entries where private is not null`).rejects.toMatchObject({
        code: '42501',
      })
      await sql.end()
    }
    for (const shown of [await chat.page(), await db.call('get_run', chat.user, turn.runId)]) {
      expect(JSON.stringify(shown)).not.toMatch(/signature|private/)
    }
    const next = await chat.post({ messages: [userMessage('m2', 'And?')] })
    expect(next.history[1].entries[0]).toMatchObject({ private: { extraContent: 'signature' } })
  })

  test('owners read the entries of messages that are written, strangers none', async () => {
    const turn = await chat.post({ messages: [userMessage('m1', 'Look')] })
    await db.call('heartbeat_run', turn.runId, 15, words('half a sen'))
    const read = async (user: string) => {
      const sql = connectAs(database.url, 'authenticated', user)
      const rows = await sql`select type from entries order by sequence`
      await sql.end()
      return rows.map((row) => row.type)
    }
    expect(await read(chat.user)).toEqual(['user-message'])
    await db.finish(turn.runId)
    expect(await read(chat.user)).toEqual(['user-message', 'model-text', 'model-text', 'run-end'])
    expect(await read(await db.createUser())).toEqual([])
  })
})
