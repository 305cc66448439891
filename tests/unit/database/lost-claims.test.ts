import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { type CallRpc, DatabaseError } from '../../../shared/server/database/call-rpc.ts'
import { createEntryBuffer } from '../../../supabase/functions/chat/turn/entry-buffer.ts'
import { createRunLedger } from '../../../supabase/functions/chat/turn/run-ledger.ts'
import { createDatabaseRpc } from '../../../support/database-rpc.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()

const invocation = () => ({
  id: randomUUID(),
  runId: 'the run of the engine',
  toolCallId: 'call_1',
  toolName: 'smtp_send_email',
  arguments: { to: ['ada@example.com'], subject: 'Hi', body: 'Hello' },
  effect: 'write' as const,
  attempt: 1,
  intent: 0,
  repetition: 0,
  repairs: [],
})

type Fate = 'rolled back' | 'stored' | 'expired'

/**
 * The ledger of a new run, whose first claims get no answer: because they were rolled back, or although they are stored;
 * with a lease that is over by the next question.
 */
async function lose(...fates: Fate[]) {
  return await loseCalls('claim_invocation', fates)
}

/** The same, of calls of this name. */
async function loseCalls(lost: string, fates: Fate[]) {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const userId = await db.createUser()
  const { runId, agent } = await db.postText(userId, { text: 'Write to Ada.' })
  const database = createDatabaseRpc(db)
  const asked: string[] = []
  const rpc: CallRpc = async (name, args) => {
    asked.push(name)
    const fate = name === lost ? fates.shift() : undefined
    if (fate === undefined) return await database(name, args)
    if (fate !== 'rolled back') await database(name, args)
    if (fate === 'expired')
      await db.service`update tool_executions set lease_expires_at = now() where user_id = ${userId}`
    throw new DatabaseError('No answer.', {
      code: fate === 'rolled back' ? '57014' : undefined,
      transient: true,
    })
  }
  const run = { runId, userId, deadline: Date.now() + 60_000, canWait: true, permissions: [] }
  const ledger = createRunLedger(run, rpc, createEntryBuffer())
  return { ledger, asked, userId, agentId: agent.id as string }
}

const rowsOf = (userId: string) =>
  db.service`select id, status from tool_executions where user_id = ${userId}`

test('a claim that was rolled back is looked up, and made', async () => {
  const { ledger, asked, userId } = await lose('rolled back')
  const write = invocation()
  expect(await ledger.claim(write)).toMatchObject({ claimed: true })
  expect(asked).toEqual(['claim_invocation', 'verify_invocation', 'claim_invocation'])
  expect(await rowsOf(userId)).toEqual([{ id: write.id, status: 'running' }])
})

test('a claim that is stored, with its reply lost, is found and holds, once', async () => {
  const { ledger, asked, userId } = await lose('stored', 'rolled back', 'stored')
  const write = invocation()
  expect(await ledger.claim(write)).toMatchObject({ claimed: true })
  expect(asked.filter((name) => name === 'verify_invocation')).toHaveLength(3)
  expect(await rowsOf(userId)).toEqual([{ id: write.id, status: 'running' }])
})

test('a claim whose lease is over when the database answers again does not count as a write that may have happened', async () => {
  const { ledger, userId } = await lose('expired')
  const write = invocation()
  expect(await ledger.claim(write)).toMatchObject({ claimed: true })
  expect(await rowsOf(userId)).toEqual([{ id: write.id, status: 'running' }])
})

test.each(['stored', 'expired'] as const)(
  'a claim that is %s and made again uses a standing permission once',
  async (fate) => {
    const { ledger, userId, agentId } = await lose(fate, fate)
    const permission = { agentId, toolName: 'smtp_send_email', path: 'to', pattern: 'ada@example.com' }
    await db.call('add_permission', userId, { ...permission, max: 1, per: 'day' })
    const needs = { path: 'to', addresses: ['ada@example.com'] }
    expect(await ledger.claim({ ...invocation(), needs })).toMatchObject({ claimed: true })
    expect(await db.call('list_permissions', userId)).toMatchObject([{ used: 1, max: 1 }])
    expect(
      await ledger.claim({ ...invocation(), arguments: { to: ['ada@example.com'] }, needs }),
    ).toMatchObject({
      claimed: false,
    })
  },
)

test.each(['rolled back', 'stored'] as const)(
  'how a write ended is stored when the database answers again, if it was %s at first',
  async (fate) => {
    const { ledger, asked, userId } = await loseCalls('settle_invocation', [fate, fate])
    const write = invocation()
    await ledger.claim(write)
    const result = { ok: true as const, data: { id: 7 } }
    await ledger.settle(write, { status: 'succeeded', result, durationMs: 5 })
    expect(await rowsOf(userId)).toEqual([{ id: write.id, status: 'succeeded' }])
    expect(asked.filter((name) => name === 'settle_invocation')).toHaveLength(3)
  },
)
