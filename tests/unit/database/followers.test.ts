import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { numbered, question, refused, userEntry, write } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

// What a closed connection of an OpenAI client does to the run that it has begun or joined.

const { db } = useDatabase()

/** A conversation and the requests of its client; each has a connection, which is called like the request. */
async function openChat() {
  const user = await db.createUser()
  const conversationId = `openai-${randomUUID().slice(0, 8)}`
  const ask = async (facts: Record<string, unknown> = {}, text = 'Write to Ada.') => {
    const runId = randomUUID()
    const messages = [{ entry: userEntry(text) }]
    const request = { conversationId, runId, key: text, words: text, messages, answers: [], ...facts }
    const { reply } = await db.call('begin_completion', user, request)
    return { connection: runId, ...reply }
  }
  const begun = await ask()
  const run = async () => {
    const [row] = await db.service`select * from runs where id = ${begun.runId}`
    return row as Record<string, unknown>
  }
  return {
    user,
    conversationId,
    runId: String(begun.runId),
    connection: String(begun.connection),
    ask,
    run,
    status: async () => (await run()).status,
    close: (connection: string) => db.call('remove_follower', user, begun.runId, connection),
    follow: (connection: string) => db.call('follow_run', user, begun.runId, 0, connection),
    beat: () => db.call('heartbeat_run', begun.runId, 15),
    claim: () => db.claim(begun.runId),
    /** What the clock goes on with here. */
    due: async () =>
      (await db.call('askback_private.due_runs', 100)).filter(
        (due: { conversationId: string }) => due.conversationId === conversationId,
      ),
    /** As if so many seconds had passed since the last connection was closed. */
    async pass(seconds: number) {
      await db.service`
        update runs set left_at = left_at - make_interval(secs => ${seconds}) where id = ${begun.runId}`
    },
    /** As if the process of this connection had been silent for a minute. */
    async fallSilent(connection: string) {
      await db.service`
        update runs set followers = followers || jsonb_build_object(${connection}::text, now() - interval '1 minute')
        where id = ${begun.runId}`
    },
  }
}

const left = { claimed: false, status: 'left' }
const stopped = { claimed: false, status: 'stopped' }
const wait = () => numbered([question({ kind: 'wait', resumeAt: new Date().toISOString() })])

describe('a run whose client has closed its connection', () => {
  test('begins no write, but stores what it has written down', async () => {
    const chat = await openChat()
    await chat.close(chat.connection)
    const entries = numbered([{ type: 'step-start' }])
    expect(await db.claim(chat.runId, {}, entries)).toEqual(left)
    expect(await db.service`select type from entries where run_id = ${chat.runId} and sequence >= 0`).toEqual(
      [{ type: 'step-start' }],
    )
    expect(await db.service`select 1 from tool_executions where run_id = ${chat.runId}`).toHaveLength(0)
    expect(await chat.beat()).toMatchObject({ stopRequested: false, isOver: false })
  })

  test('goes on when the same request comes within ten seconds, also the write that waits', async () => {
    const chat = await openChat()
    await chat.close(chat.connection)
    expect(await chat.claim()).toEqual(left)
    await chat.pass(9)
    expect(await chat.ask()).toMatchObject({ kind: 'join', runId: chat.runId })
    expect(await chat.claim()).toMatchObject({ claimed: true })
  })

  test.each([
    ['the write that waits', async (chat: Awaited<ReturnType<typeof openChat>>) => void (await chat.claim())],
    ['its heartbeat', async (chat) => void (await chat.beat())],
    ['the clock', async () => void (await db.call('askback_private.due_runs', 1))],
    ['the next request', async (chat) => void (await chat.ask({}, 'And?'))],
  ])('is stopped after ten seconds by %s', async (_, look) => {
    const chat = await openChat()
    await chat.close(chat.connection)
    await look(chat)
    await chat.pass(10)
    await look(chat)
    expect(await chat.status()).toBe('stopping')
    expect(await chat.claim()).toEqual(stopped)
    expect(await chat.beat()).toMatchObject({ stopRequested: true, isOver: false })
  })

  test('is begun anew beside it by the same request while it stops, which lets nothing of it go on', async () => {
    const chat = await openChat()
    await chat.close(chat.connection)
    await chat.pass(10)
    const { kind, runId } = await chat.ask()
    expect([kind, runId === chat.runId]).toEqual(['run', false])
    expect(await chat.claim()).toEqual(stopped)
  })

  test('is left once the last connection is closed, twice or late closed ones count once', async () => {
    const chat = await openChat()
    const second = await chat.ask()
    await chat.close(chat.connection)
    await chat.close(chat.connection)
    expect(await chat.claim()).toMatchObject({ claimed: true })
    const third = await chat.ask()
    await chat.close(second.connection)
    await chat.close(third.connection)
    expect(await db.claim(chat.runId, { arguments: { to: ['bob@example.com'] } })).toEqual(left)
  })

  test('that is asked for again under the same id, because the reply was lost, has one connection', async () => {
    const chat = await openChat()
    await chat.ask({ runId: chat.runId })
    await chat.close(chat.connection)
    expect(await chat.claim()).toEqual(left)
  })

  test('ends with an item that stays open, long after', async () => {
    const chat = await openChat()
    await chat.close(chat.connection)
    await db.finish(chat.runId, { status: 'needs_approval', entries: numbered([question()]) })
    await chat.pass(60)
    await db.call('askback_private.due_runs', 1)
    expect(await chat.status()).toBe('needs_approval')
    expect(await db.call('list_items', chat.user)).toHaveLength(1)
  })

  test('does not try a write again that has provably not run', async () => {
    const chat = await openChat()
    const invocation = write()
    const { idempotencyKey, invocationId } = await db.claim(chat.runId, invocation)
    const deliver = () => {
      const { toolName, argumentHash } = invocation
      const effect = { deliveryId: randomUUID(), idempotencyKey, toolName, argumentHash, providers: [] }
      return db.call('begin_effect', chat.user, effect)
    }
    const [{ delivery_id } = { delivery_id: '' }] = await deliver().then(
      () => db.service`select delivery_id from tool_executions where id = ${invocationId}`,
    )
    await db.call('settle_invocation', chat.user, invocationId, 'failed', refused, 5, delivery_id)
    await chat.close(chat.connection)
    expect(await deliver()).toMatchObject({ proceed: false, write: { status: 'failed' } })
    await chat.ask()
    expect(await deliver()).toMatchObject({ proceed: true })
  })
})

describe('a run that waits for the clock when its client has left', () => {
  test('waits for the client first, and is stopped where that does not come', async () => {
    const chat = await openChat()
    await chat.close(chat.connection)
    await db.finish(chat.runId, { status: 'waiting', entries: wait() })
    expect(await chat.due()).toEqual([])
    await chat.pass(10)
    expect(await chat.due()).toEqual([])
    expect(await chat.status()).toBe('stopped')
    expect(await db.call('list_items', chat.user)).toEqual([])
  })

  test('goes on by itself when the same request has asked what became of it', async () => {
    const chat = await openChat()
    await chat.close(chat.connection)
    await db.finish(chat.runId, { status: 'waiting', entries: wait() })
    expect(await chat.ask()).toMatchObject({ kind: 'return' })
    expect(await chat.due()).toHaveLength(1)
  })

  test('goes on by itself when the client had heard that it waits', async () => {
    const chat = await openChat()
    await db.finish(chat.runId, { status: 'waiting', entries: wait() })
    await chat.close(chat.connection)
    const [due] = await chat.due()
    const reply = await db.call('begin_resume', chat.user, chat.conversationId, {
      runId: randomUUID(),
      type: 'wait',
      itemId: due.itemId,
    })
    expect(await db.claim(reply.runId)).toMatchObject({ claimed: true })
  })
})

describe('a process that dies', () => {
  test('with the run: nobody goes on with it by itself, and the same request begins it anew', async () => {
    const chat = await openChat()
    await chat.close(chat.connection)
    await db.loseLease(chat.runId)
    expect(await chat.due()).toEqual([])
    expect(await chat.status()).toBe('interrupted')
    const again = await chat.ask()
    expect(again).toMatchObject({ kind: 'run', messageId: chat.runId })
    expect(await db.claim(again.runId)).toMatchObject({ claimed: true })
  })

  test('with the run, when nobody has come back: it is stopped', async () => {
    const chat = await openChat()
    await chat.close(chat.connection)
    await chat.pass(10)
    await db.loseLease(chat.runId)
    expect(await chat.due()).toEqual([])
    expect(await chat.status()).toBe('stopped')
  })

  test('with a connection: that one counts for some seconds more, and again if it was only slow', async () => {
    const chat = await openChat()
    const elsewhere = await chat.ask()
    await chat.follow(elsewhere.connection)
    await chat.close(chat.connection)
    expect((await chat.run()).left_at).toBeNull()
    await chat.fallSilent(elsewhere.connection)
    expect(await chat.claim()).toEqual(left)
    await chat.follow(elsewhere.connection)
    expect(await chat.claim()).toMatchObject({ claimed: true })
  })

  test('whose connection was closed is not brought back by what it still asks', async () => {
    const chat = await openChat()
    const elsewhere = await chat.ask()
    await chat.close(chat.connection)
    await chat.close(elsewhere.connection)
    await chat.follow(elsewhere.connection)
    expect(await chat.claim()).toEqual(left)
  })
})

describe('what an app has begun', () => {
  test('goes on when a connection that has joined it closes', async () => {
    const chat = await openChat()
    await db.finish(chat.runId, { status: 'needs_approval', entries: numbered([question()]) })
    const decision = { runId: randomUUID(), type: 'approval', itemId: 'call-1.asked', decision: 'approve' }
    const { runId } = await db.call('begin_resume', chat.user, chat.conversationId, decision)
    const joining = await chat.ask()
    expect(joining).toMatchObject({ kind: 'join', runId })
    await db.call('remove_follower', chat.user, runId, joining.connection)
    expect(await db.claim(runId)).toMatchObject({ claimed: true })
  })

  test('is not left by a stranger', async () => {
    const chat = await openChat()
    await db.call('remove_follower', await db.createUser(), chat.runId, chat.connection)
    expect(await chat.claim()).toMatchObject({ claimed: true })
  })
})
