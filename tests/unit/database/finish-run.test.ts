import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { refused, sent, textParts, userMessage, write } from '../../support/database-calls.ts'
import { useDatabase } from '../../support/use-database.ts'

const { db } = useDatabase()

async function begin(text = 'Write to Ada.') {
  const user = await db.createUser()
  const conversationId = `c-${randomUUID()}`
  const turn = await db.postUi(user, { conversationId, messages: [userMessage('u1', text)] })
  return { user, conversationId, turn, runId: String(turn.runId) }
}

describe('the end of a run', () => {
  test('stores message, invocations and usage in one call; repeated it changes nothing', async () => {
    const { user, conversationId, turn, runId } = await begin()
    const read = {
      ...write(),
      id: randomUUID(),
      effect: 'read',
      toolName: 'web_search',
      status: 'succeeded',
      result: sent,
      durationMs: 12.6,
    }
    const rejected = { ...write(), id: randomUUID(), status: 'rejected', result: refused, durationMs: 0 }
    const result = {
      text: 'Sent.',
      message: { parts: [...textParts('Sent.'), { type: 'tool-x', zebra: 1, ant: 2 }], metadata: { runId } },
      modelMessages: [{ role: 'assistant', content: 'Sent.' }],
      invocations: [rejected, read],
      usage: [
        {
          provider: 'openai',
          model: 'gpt-5',
          inputTokens: 10,
          outputTokens: 3,
          costUsd: 0.0012,
          durationMs: 400,
        },
        { provider: 'openai', model: 'gpt-5', inputTokens: 20, outputTokens: 5 },
      ],
    }
    expect(await db.finish(runId, result)).toEqual({ finished: true, status: 'completed' })
    expect(await db.finish(runId, { ...result, text: 'Something else.', status: 'failed' })).toEqual({
      finished: true,
      status: 'completed',
    })
    const ledger =
      await db.service`select id, status, duration_ms, session_id from tool_executions where run_id = ${runId} order by position`
    expect(ledger).toEqual([
      { id: rejected.id, status: 'rejected', duration_ms: 0, session_id: `${runId}/1` },
      { id: read.id, status: 'succeeded', duration_ms: 13, session_id: `${runId}/1` },
    ])
    const usage =
      await db.service`select ordinal, input_tokens, cost_usd from llm_usage where run_id = ${runId} order by ordinal`
    expect(usage).toEqual([
      { ordinal: 1, input_tokens: 10, cost_usd: '0.0012' },
      { ordinal: 2, input_tokens: 20, cost_usd: null },
    ])
    const view = await db.call('get_run', user, runId)
    expect(view).toMatchObject({
      status: 'completed',
      answer: { text: 'Sent.' },
      message: { id: turn.messageId, metadata: { runId } },
    })
    expect(JSON.stringify(view.message.parts[1])).toBe('{"type":"tool-x","zebra":1,"ant":2}')
    expect(await db.call('list_conversations', user)).toMatchObject([
      { id: conversationId, status: 'completed' },
    ])
  })

  test('the ledger tells when things happened, not when they were written down', async () => {
    const { user, runId } = await begin()
    const second = write({ attempt: 2 })
    const { invocationId } = await db.claim(runId, second)
    await db.call('settle_invocation', user, invocationId, 'succeeded', sent, 20)
    const first = { ...write(), id: randomUUID(), status: 'rejected', result: refused, durationMs: 0 }
    const earlier = new Date(Date.now() - 5000).toISOString()
    await db.finish(runId, { invocations: [{ ...first, createdAt: earlier }] })
    const ledger =
      await db.service`select id from tool_executions where run_id = ${runId} order by created_at`
    expect(ledger.map((row) => row.id)).toEqual([first.id, second.id])
  })

  test('a claimed write that is listed again stays as it is settled', async () => {
    const { user, runId } = await begin()
    const invocation = write()
    const { invocationId } = await db.claim(runId, invocation)
    await db.call('settle_invocation', user, invocationId, 'succeeded', sent, 20)
    await db.finish(runId, {
      invocations: [{ ...invocation, status: 'failed', result: refused, durationMs: 1 }],
    })
    expect(await db.service`select status, result from tool_executions where run_id = ${runId}`).toEqual([
      { status: 'succeeded', result: sent },
    ])
  })

  test('one invocation listed twice counts once, with its last word', async () => {
    const { runId } = await begin()
    const invocation = write()
    await db.finish(runId, {
      invocations: [
        { ...invocation, status: 'pending', result: null, durationMs: 0 },
        { ...invocation, status: 'cancelled', result: refused, durationMs: 0 },
      ],
    })
    expect(await db.service`select status from tool_executions where run_id = ${runId}`).toEqual([
      { status: 'cancelled' },
    ])
  })

  test('an invocation that only the ledger can begin is not taken over', async () => {
    const { runId } = await begin()
    await db.finish(runId, { invocations: [{ ...write(), status: 'running', result: null, durationMs: 0 }] })
    expect(await db.service`select status from tool_executions where run_id = ${runId}`).toEqual([])
  })

  test('nothing ends as running', async () => {
    const { runId } = await begin()
    await expect(db.finish(runId, { status: 'running' })).rejects.toThrow('cannot end as running')
  })

  test('an unknown run is said to be unknown', async () => {
    expect(await db.finish(randomUUID())).toEqual({ finished: false, status: null, reason: 'not_found' })
  })

  test('a run that lost its lease and was replaced overwrites nothing, but what it used is counted', async () => {
    const { user, conversationId, runId } = await begin()
    await db.loseLease(runId)
    const second = await db.postUi(user, { conversationId, messages: [userMessage('u1', 'Write to Ada.')] })
    expect(second).toMatchObject({ kind: 'run', recovered: true })
    await db.finish(second.runId, { text: 'The new answer.' })
    const late = await db.finish(runId, {
      text: 'The old answer.',
      invocations: [{ ...write(), status: 'rejected', result: refused, durationMs: 0 }],
      usage: [{ provider: 'openai', model: 'gpt-5', inputTokens: 1, outputTokens: 1 }],
    })
    expect(late).toEqual({ finished: false, status: 'interrupted', reason: 'replaced' })
    const page = await db.call('get_conversation', user, conversationId)
    expect(page.messages.map((message: { parts: unknown }) => message.parts)).toEqual([
      textParts('Write to Ada.'),
      textParts('The new answer.'),
    ])
    expect(await db.service`select count(*)::int from tool_executions where run_id = ${runId}`).toEqual([
      { count: 1 },
    ])
    expect(await db.service`select count(*)::int from llm_usage where run_id = ${runId}`).toEqual([
      { count: 1 },
    ])
  })

  test('a run that lost its lease and was not replaced may still end', async () => {
    const { user, conversationId, runId } = await begin()
    await db.loseLease(runId)
    expect(await db.call('get_run', user, runId)).toMatchObject({ status: 'interrupted' })
    expect(await db.call('heartbeat_run', runId, 15)).toMatchObject({ lost: true, status: 'interrupted' })
    expect(await db.finish(runId, { text: 'Late, but here.' })).toEqual({
      finished: true,
      status: 'completed',
    })
    expect((await db.call('get_conversation', user, conversationId)).messages).toHaveLength(2)
  })

  test('a stopped run ends as stopped, unless it had its answer already', async () => {
    for (const [status, expected] of [
      ['needs_approval', 'stopped'],
      ['failed', 'stopped'],
      ['completed', 'completed'],
    ]) {
      const { user, conversationId, runId } = await begin()
      await db.call('stop_run', user, conversationId)
      const pending = [{ type: 'approval', toolCallId: 'call-1' }]
      expect(await db.finish(runId, { status, pending, state: {} })).toEqual({
        finished: true,
        status: expected,
      })
      expect((await db.call('get_conversation', user, conversationId)).pending).toEqual([])
    }
  })

  test('a run that was to stop and died is stopped', async () => {
    const { user, conversationId, runId } = await begin()
    await db.call('stop_run', user, conversationId)
    await db.loseLease(runId)
    expect(await db.call('get_run', user, runId)).toMatchObject({ status: 'stopped', answer: null })
  })
})

describe('while it runs', () => {
  test('a heartbeat keeps the lease, brings the progress and hears of a stop', async () => {
    const { user, conversationId, runId } = await begin()
    await db.service`update runs set lease_expires_at = now() + interval '1 second' where id = ${runId}`
    expect(await db.call('heartbeat_run', runId, 60, { parts: textParts('Se') })).toEqual({
      status: 'running',
      stopRequested: false,
      lost: false,
    })
    const [run] =
      await db.service`select lease_expires_at > now() + interval '50 seconds' as kept from runs where id = ${runId}`
    expect(run?.kept).toBe(true)
    expect(await db.call('get_run', user, runId)).toMatchObject({
      status: 'running',
      progress: { parts: textParts('Se') },
      message: null,
    })
    expect(await db.call('stop_run', user, conversationId)).toEqual({ runId, status: 'stopping' })
    expect(await db.call('stop_run', user, conversationId)).toEqual({ runId, status: 'stopping' })
    expect(await db.call('heartbeat_run', runId, 60)).toEqual({
      status: 'stopping',
      stopRequested: true,
      lost: false,
    })
  })

  test('a stop where nothing runs says so; of an unknown conversation it is null', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId)
    expect(await db.call('stop_run', user, conversationId)).toEqual({ runId: null, status: null })
    expect(await db.call('stop_run', user, 'never')).toBeNull()
  })

  test('a dead run does not count as running', async () => {
    const { user, conversationId, runId } = await begin()
    await db.loseLease(runId)
    expect(await db.call('get_conversation', user, conversationId)).toMatchObject({
      status: 'interrupted',
      running: null,
    })
    expect(await db.call('stop_run', user, conversationId)).toEqual({ runId: null, status: null })
  })
})
