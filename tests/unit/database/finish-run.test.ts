import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { numbered, refused, sent, textOf, userMessage, write } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()

async function begin(text = 'Write to Ada.') {
  const user = await db.createUser()
  const conversationId = `c-${randomUUID()}`
  const turn = await db.postUi(user, { conversationId, messages: [userMessage('u1', text)] })
  return { user, conversationId, turn, runId: String(turn.runId) }
}

const stepEnd = (inputTokens: number, outputTokens: number) => ({
  type: 'step-end',
  provider: 'openai',
  model: 'gpt-5',
  finishReason: 'stop',
  usage: { inputTokens, outputTokens },
  durationMs: 399.6,
})

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
      entries: numbered([
        { ...stepEnd(10, 3), cost: 0.0012, temperature: 0.7 },
        { type: 'call', zebra: 1, ant: 2 },
        stepEnd(20, 5),
      ]),
      invocations: [rejected, read],
    }
    const ended = { status: 'completed', pending: [] }
    expect(await db.finish(runId, result)).toEqual(ended)
    expect(await db.finish(runId, { ...result, text: 'Something else.', status: 'failed' })).toEqual(ended)
    const ledger =
      await db.service`select id, status, duration_ms, session_id from tool_executions where run_id = ${runId} order by position`
    expect(ledger).toEqual([
      { id: rejected.id, status: 'rejected', duration_ms: 0, session_id: `${runId}/1` },
      { id: read.id, status: 'succeeded', duration_ms: 13, session_id: `${runId}/1` },
    ])
    const usage =
      await db.service`select sequence, model, input_tokens, output_tokens, cost_usd, temperature, duration_ms from llm_usage where run_id = ${runId} order by sequence`
    const all = { model: 'gpt-5', duration_ms: 400 }
    expect(usage).toEqual([
      { ...all, sequence: 0, input_tokens: 10, output_tokens: 3, cost_usd: '0.0012', temperature: 0.7 },
      { ...all, sequence: 2, input_tokens: 20, output_tokens: 5, cost_usd: null, temperature: null },
    ])
    const view = await db.call('get_run', user, runId)
    expect(view).toMatchObject({
      status: 'completed',
      messageId: turn.messageId,
      entries: [{}, {}, {}, { text: 'Sent.' }, { type: 'run-end' }],
    })
    expect(JSON.stringify(view.entries[1])).toBe('{"type":"call","zebra":1,"ant":2}')
    expect((await db.call('list_conversations', user)).conversations).toMatchObject([
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

  test('a call that was given null is in the ledger as it was given', async () => {
    const { runId } = await begin()
    const call = { ...write(), id: randomUUID(), arguments: null, status: 'rejected', result: refused }
    await db.finish(runId, { invocations: [{ ...call, durationMs: 0 }] })
    expect(await db.service`select id, arguments from tool_executions where run_id = ${runId}`).toEqual([
      { id: call.id, arguments: null },
    ])
  })

  test('one invocation listed twice counts once, with its last word', async () => {
    const { runId } = await begin()
    const invocation = write()
    await db.finish(runId, {
      invocations: [
        { ...invocation, status: 'rejected', result: null, durationMs: 0 },
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

  test('an unknown run ends nothing', async () => {
    expect(await db.finish(randomUUID())).toEqual({ status: null, pending: [] })
  })

  test('a run that lost its lease and was replaced overwrites nothing, but what it used is counted', async () => {
    const { user, conversationId, turn, runId } = await begin()
    await db.loseLease(runId)
    const second = await db.postUi(user, { conversationId, messages: [userMessage('u1', 'Write to Ada.')] })
    expect(second).toMatchObject({ kind: 'run', messageId: turn.messageId })
    await db.finish(second.runId, { text: 'The new answer.' })
    const late = await db.finish(runId, {
      text: 'The old answer.',
      invocations: [{ ...write(), status: 'rejected', result: refused, durationMs: 0 }],
      entries: numbered([stepEnd(1, 1)]),
    })
    expect(late).toEqual({ status: 'interrupted', pending: [] })
    const page = await db.call('get_conversation', user, conversationId)
    expect(page.messages.map(textOf)).toEqual(['Write to Ada.', 'The new answer.'])
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
    expect(await db.finish(runId, { text: 'Late, but here.' })).toEqual({
      status: 'completed',
      pending: [],
    })
    expect((await db.call('get_conversation', user, conversationId)).messages).toHaveLength(2)
  })

  test('whoever ends a run is told whether its end is stored, also when the first reply was lost', async () => {
    const { user, conversationId, runId } = await begin()
    await db.loseLease(runId)
    const next = await db.postUi(user, { conversationId, messages: [userMessage('u1', 'Write to Ada.')] })
    const end = { status: 'completed', entries: numbered([{ type: 'run-end', status: 'completed' }]) }
    expect(await db.call('finish_run', runId, end)).toMatchObject({ isStored: false })
    expect(await db.call('finish_run', next.runId, end)).toMatchObject({ isStored: true })
    expect(await db.call('finish_run', next.runId, end)).toMatchObject({ isStored: true })
  })

  test('a stopped run ends as stopped, unless it had its answer already', async () => {
    for (const [status, expected] of [
      ['needs_approval', 'stopped'],
      ['failed', 'stopped'],
      ['completed', 'completed'],
    ]) {
      const { user, conversationId, runId } = await begin()
      await db.call('stop_run', user, conversationId)
      expect(await db.finish(runId, { status })).toEqual({ status: expected, pending: [] })
      expect((await db.call('get_conversation', user, conversationId)).status).toBe(expected)
    }
  })

  test('a run that was to stop and died is stopped', async () => {
    const { user, conversationId, runId } = await begin()
    await db.call('stop_run', user, conversationId)
    await db.loseLease(runId)
    expect(await db.call('get_run', user, runId)).toMatchObject({ status: 'stopped', entries: [] })
  })
})

describe('while it runs', () => {
  test('a heartbeat keeps the lease, brings what was written and hears of a stop', async () => {
    const { user, conversationId, runId } = await begin()
    await db.service`update runs set lease_expires_at = now() + interval '40 seconds' where id = ${runId}`
    expect(
      await db.call('heartbeat_run', runId, 60, numbered([{ type: 'model-text', text: 'Se' }])),
    ).toMatchObject({
      stopRequested: false,
      isOver: false,
    })
    const [run] =
      await db.service`select lease_expires_at > now() + interval '50 seconds' as kept from runs where id = ${runId}`
    expect(run?.kept).toBe(true)
    expect(await db.service`select entry from entries where run_id = ${runId} and sequence >= 0`).toEqual([
      { entry: { type: 'model-text', text: 'Se' } },
    ])
    // Others see it when it is whole.
    expect(await db.call('get_run', user, runId)).toMatchObject({ status: 'running', entries: [] })
    expect(await db.call('stop_run', user, conversationId)).toEqual({ runId })
    expect(await db.call('stop_run', user, conversationId)).toEqual({ runId })
    expect(await db.statusOf(runId)).toBe('stopping')
    expect(await db.call('heartbeat_run', runId, 60)).toMatchObject({
      stopRequested: true,
      isOver: false,
    })
  })

  test('a stop where nothing runs says so; of an unknown conversation it is null', async () => {
    const { user, conversationId, runId } = await begin()
    await db.finish(runId)
    expect(await db.call('stop_run', user, conversationId)).toEqual({ runId: null })
    expect(await db.call('stop_run', user, 'never')).toBeNull()
  })

  test('a dead run does not count as running', async () => {
    const { user, conversationId, runId } = await begin()
    await db.loseLease(runId)
    expect(await db.call('get_conversation', user, conversationId)).toMatchObject({
      status: 'interrupted',
    })
  })

  test('a model that a tool asked is counted beside that of the loop, with what it was asked for', async () => {
    const { runId } = await begin()
    const use = { ...stepEnd(300, 40), type: 'tool-model-call', toolCallId: 't1', purpose: 'summary' }
    await db.finish(runId, { entries: numbered([stepEnd(10, 3), use]) })
    const usage =
      await db.service`select purpose, model, input_tokens, output_tokens from llm_usage where run_id = ${runId} order by sequence`
    expect(usage).toEqual([
      { purpose: null, model: 'gpt-5', input_tokens: 10, output_tokens: 3 },
      { purpose: 'summary', model: 'gpt-5', input_tokens: 300, output_tokens: 40 },
    ])
  })

  test("a tool finds the model preference of the user's own agent alone", async () => {
    const { user, turn } = await begin()
    const agentId = turn.agent.id
    const nothing = { preference: null, chosen: null, modelKeys: [] }
    expect(await db.call('load_model_choice', user, agentId)).toEqual(nothing)
    await db.service`insert into agent_llm_preferences (agent_id, model) values (${agentId}, 'gpt-5')`
    expect(await db.call('load_model_choice', user, agentId)).toMatchObject({
      preference: { model: 'gpt-5' },
    })
    expect(await db.call('load_model_choice', await db.createUser(), agentId)).toEqual(nothing)
  })
})
