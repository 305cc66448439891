import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answer, connectAs, numbered, question } from '../../../support/database-calls.ts'
import { earlyInWindow } from '../../../support/early-in-window.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()

/** The limits of one user; a test is about a user of its own. */
async function limit(userId: string, measure: string, per: string | null, value: number, tool?: string) {
  await db.service`
    insert into limits (scope, subject, measure, per, tool, value)
    values ('user', ${userId}, ${measure}, ${per}, ${tool ?? null}, ${value})
    on conflict (scope, subject, measure, per, tool) do update set value = excluded.value`
}

beforeEach(() => earlyInWindow('hour'))
afterEach(async () => {
  await db.service`delete from limits where scope = 'project' and measure <> 'cost_usd'`
})

/** The entries of model calls that used these tokens. */
function steps(count: number, tokens = 10, cost = 0.01, first = 0): object[] {
  const step = {
    type: 'step-end',
    provider: 'any',
    model: 'any',
    finishReason: 'stop',
    usage: { inputTokens: tokens - 1, outputTokens: 1 },
    cost,
    durationMs: 1,
  }
  return numbered(
    Array.from({ length: count }, () => step),
    first,
  )
}

const begin = (userId: string, text = 'Hello', facts: Record<string, unknown> = {}): Promise<Answer> =>
  db.postText(userId, { text, ...facts })

/** A run that has used this much and is over. */
async function use(userId: string, count: number, tokens = 10, cost = 0.01) {
  const turn = await begin(userId)
  await db.finish(turn.runId, { entries: steps(count, tokens, cost) })
}

/** Ends a run as one that waits for its budget. */
async function park(turn: Answer) {
  const { scope, measure, per, resumeAt } = turn.reserved.hold
  const wait = question({
    kind: 'wait',
    toolCallId: '',
    itemId: `wait-${randomUUID()}`,
    code: 'wait_budget',
    resumeAt,
    heldBy: [scope, measure, per].join(' '),
  })
  await db.finish(turn.runId, { status: 'waiting', entries: numbered([wait]) })
  return wait.itemId
}

test('of fifty messages at once that may start one run, one starts', async () => {
  const userId = await db.createUser()
  await limit(userId, 'runs_at_once', null, 1)
  const answers = await Promise.all(Array.from({ length: 50 }, () => begin(userId)))
  expect(answers.filter(({ kind }) => kind === 'run')).toHaveLength(1)
  for (const refused of answers.filter(({ kind }) => kind !== 'run')) {
    expect(refused).toMatchObject({
      kind: 'error',
      code: 'rate_limited',
      about: { measure: 'runs_at_once', limit: 1 },
    })
    expect(refused.retryAfter).toBeGreaterThan(0)
  }
  const [kept] = await db.service`select count(*)::int from conversations where user_id = ${userId}`
  expect(kept?.count).toBe(1)
})

test('fifty messages at once for one new conversation start or join one run, and nobody waits for another', async () => {
  const userId = await db.createUser()
  await limit(userId, 'runs_at_once', null, 1)
  const conversationId = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => begin(userId, 'Hello', { conversationId, messageId: 'm1' })),
  )
  const kinds = answers.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'run')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'join')).toHaveLength(49)
})

test('runs are counted by their beginnings, also of those that are over', async () => {
  const userId = await db.createUser()
  await limit(userId, 'runs', 'day', 2)
  const first = await begin(userId)
  const answers = [first]
  for (let n = 0; n < 3; n++) {
    if (answers.at(-1).kind === 'run') await db.finish(answers.at(-1).runId)
    answers.push(await begin(userId))
  }
  expect(answers.map(({ kind }) => kind)).toEqual(['run', 'run', 'error', 'error'])
  expect(answers.at(-1)).toMatchObject({ code: 'rate_limited', about: { measure: 'runs', per: 'day' } })
  expect(answers.at(-1).retryAfter).toBeLessThanOrEqual(24 * 3600)
})

test('runs are counted by their beginnings, also of those whose conversation was deleted', async () => {
  const userId = await db.createUser()
  await limit(userId, 'runs', 'day', 1)
  const turn = await begin(userId)
  await db.finish(turn.runId)
  await db.service`select delete_conversation(${userId}, ${turn.conversationId})`
  expect(await begin(userId)).toMatchObject({ code: 'rate_limited', about: { measure: 'runs', per: 'day' } })
})

/** A run that has asked the model. */
const asked = numbered([{ type: 'step-start' }])

/** What a user has used. */
async function usedBy(userId: string) {
  const [used] = await db.service`
    select coalesce(sum(model_calls), 0)::int as calls, coalesce(sum(tokens), 0)::int as tokens
    from usage where user_id = ${userId}`
  return used as { calls: number; tokens: number }
}

test('a model call whose answer nobody awaits counts all the same: of a stopped run, a dead one, a deleted one', async () => {
  const leave = {
    stopped: (turn: Answer) => db.finish(turn.runId, { status: 'stopped', entries: asked }),
    dead: async (turn: Answer) => {
      await db.call('heartbeat_run', turn.runId, 15, asked)
      await db.loseLease(turn.runId)
      await db.service`select askback_private.expire_runs(${turn.userId}, ${turn.conversationId})`
      // Its process was only slow.
      await db.finish(turn.runId, { status: 'stopped', entries: asked })
    },
    deleted: (turn: Answer) => db.service`select delete_conversation(${turn.userId}, ${turn.conversationId})`,
  }
  for (const end of Object.values(leave)) {
    const userId = await db.createUser()
    const turn = await begin(userId, 'a'.repeat(4000))
    await end({ ...turn, userId })
    const { calls, tokens } = await usedBy(userId)
    expect(calls).toBe(1)
    expect(tokens).toBeGreaterThan(1000)
    expect(tokens).toBeLessThan(1500)
  }
})

test('a stopped run that had its answers, or was given back before it asked, counts nothing else', async () => {
  const userId = await db.createUser()
  const turn = await begin(userId)
  await db.finish(turn.runId, { status: 'stopped', entries: [...asked, ...steps(1, 10, 0.01, 1)] })
  const given = await begin(userId)
  await db.finish(given.runId, { status: 'interrupted', entries: [] })
  expect(await usedBy(userId)).toEqual({ calls: 1, tokens: 10 })
})

test.each(['NaN', 'Infinity', '1e30', '-1', '0.5'])(
  'a limit of %s is refused: it would refuse every run',
  async (value) => {
    const userId = await db.createUser()
    const set = db.service`
    insert into limits (scope, subject, measure, per, value)
    values ('user', ${userId}, 'runs', 'minute', ${value}::numeric)`
    await expect(set).rejects.toThrow('limits_countable')
  },
)

test('parallel runs reserve what is left between them, and what a finished one did not use is left again', async () => {
  const userId = await db.createUser()
  await limit(userId, 'model_calls', 'hour', 10)
  const turns = await Promise.all(Array.from({ length: 5 }, () => begin(userId)))
  const calls = turns.map(({ reserved }) => reserved.modelCalls).sort()
  expect(calls).toEqual([0, 0, 2, 4, 4])
  const held = turns.filter(({ reserved }) => reserved.modelCalls === 0)
  for (const { reserved } of held) {
    expect(reserved.hold).toMatchObject({
      scope: 'user',
      measure: 'model_calls',
      per: 'hour',
      isReserved: true,
    })
    expect(Date.parse(reserved.hold.resumeAt) - Date.now()).toBeLessThanOrEqual(10_000)
  }
  const user = turns.find(({ reserved }) => reserved.modelCalls === 4)
  await db.finish(user.runId, { entries: steps(1) })
  expect((await begin(userId)).reserved).toMatchObject({ modelCalls: 3, hold: null })
})

test('a run that is begun again under its id reserves once', async () => {
  const userId = await db.createUser()
  await limit(userId, 'model_calls', 'hour', 8)
  const facts = { runId: randomUUID(), conversationId: 'again' }
  const first = await begin(userId, 'Hello', facts)
  const again = await begin(userId, 'Hello', facts)
  expect(again).toMatchObject({ runId: first.runId, reserved: first.reserved })
  expect((await begin(userId)).reserved.modelCalls).toBe(4)
})

test('what a process that died had reserved is free again when its run expires, without anybody looking', async () => {
  const userId = await db.createUser()
  await limit(userId, 'model_calls', 'hour', 4)
  const dead = await begin(userId)
  expect((await begin(userId)).reserved.modelCalls).toBe(0)
  await db.loseLease(dead.runId)
  expect((await begin(userId)).reserved.modelCalls).toBe(4)
})

test('a heartbeat counts what it stores and renews the reservation, down to what is left', async () => {
  const userId = await db.createUser()
  await limit(userId, 'model_calls', 'hour', 6)
  const turn = await begin(userId)
  const beat = (entries: object[]) => db.call('heartbeat_run', turn.runId, 15, entries)
  expect((await beat(steps(4))).reserved).toMatchObject({ modelCalls: 2, hold: null })
  expect((await beat(steps(4))).reserved).toMatchObject({ modelCalls: 2, hold: null })
  const { hold } = (await beat(steps(2, 10, 0, 4))).reserved
  expect(hold).toMatchObject({ measure: 'model_calls', per: 'hour', limit: 6, isReserved: false })
  expect(Date.parse(hold.resumeAt)).toBeGreaterThan(Math.floor(Date.now() / 3_600_000 + 1) * 3_600_000 - 1)
})

test('tokens, money, agents and the whole project are limited alike', async () => {
  const userId = await db.createUser()
  await limit(userId, 'tokens', 'day', 1000)
  await use(userId, 1, 900)
  expect((await begin(userId)).reserved).toMatchObject({ tokens: 100, hold: null })
  const spender = await db.createUser()
  await limit(spender, 'cost_usd', 'day', 0.05)
  await use(spender, 5)
  expect((await begin(spender)).reserved.hold).toMatchObject({ measure: 'cost_usd', per: 'day' })

  const owner = await db.createUser()
  const turn = await begin(owner)
  await db.service`
    insert into limits (scope, subject, measure, per, value)
    select 'agent', id, 'model_calls', 'hour', 1 from agents where user_id = ${owner}`
  await db.finish(turn.runId, { entries: steps(1) })
  expect((await begin(owner)).reserved.hold).toMatchObject({ scope: 'agent', measure: 'model_calls' })

  const other = await db.createUser()
  await db.service`insert into limits (scope, measure, per, value) values ('project', 'model_calls', 'day', 1)`
  expect((await begin(other)).reserved.hold).toMatchObject({ scope: 'project', measure: 'model_calls' })
})

test('only the user of an own row has its value, and the default holds for everybody else', async () => {
  const [generous, other] = [await db.createUser(), await db.createUser()]
  await limit(generous, 'agents', null, 1)
  const add = async (userId: string) => {
    const owner = connectAs(database.url, 'authenticated', userId)
    try {
      await owner`insert into agents (name, instructions) values ('A', 'Be brief.')`
    } finally {
      await owner.end()
    }
  }
  await add(generous)
  await expect(add(generous)).rejects.toMatchObject({
    code: '42501',
    message: 'You’ve reached your limit for agents (1). Delete one first.',
  })
  await add(other)
  await add(other)
})

test('a fourth conversation is refused while three wait for the budget, and a message to one of them takes its place', async () => {
  const userId = await db.createUser()
  await limit(userId, 'model_calls', 'day', 1)
  await use(userId, 1)
  const parallel = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map((conversationId) => begin(userId, 'Hello', { conversationId })),
  )
  const parked = parallel.filter(({ kind }) => kind === 'run')
  expect(parked).toHaveLength(3)
  const refused = parallel.find(({ kind }) => kind === 'error')
  expect(refused).toMatchObject({
    code: 'budget_spent',
    about: { scope: 'user', measure: 'model_calls', per: 'day' },
  })
  const items = []
  for (const turn of parked) items.push(await park(turn))
  const again = await begin(userId, 'And this?', { conversationId: parked[0].conversationId })
  expect(again.kind).toBe('run')
  const [closed] = await db.service`select closed_as, held_by from open_items where id = ${String(items[0])}`
  expect(closed).toMatchObject({ closed_as: 'replaced', held_by: 'user model_calls day' })
  await park(again)
  const [open] = await db.service`
    select count(*)::int from open_items where user_id = ${userId} and closed_at is null`
  expect(open?.count).toBe(3)
})

test('raising a limit makes due what waited for it, the oldest of each user first', async () => {
  const userId = await db.createUser()
  await limit(userId, 'model_calls', 'day', 1)
  await use(userId, 1)
  const items = []
  for (const conversationId of ['a', 'b'])
    items.push(await park(await begin(userId, 'Hello', { conversationId })))
  const due = async () =>
    (await db.call('askback_private.due_runs', 20))
      .filter((one: Answer) => one.userId === userId)
      .map((one: Answer) => one.itemId)
  expect(await due()).toEqual([])
  await limit(await db.createUser(), 'model_calls', 'day', 100)
  await limit(userId, 'tokens', 'day', 1000)
  expect(await due()).toEqual([])
  await limit(userId, 'model_calls', 'day', 100)
  expect(await due()).toEqual([items[0]])
  const resumed = await db.begin('begin_resume', userId, 'a', {
    runId: randomUUID(),
    type: 'wait',
    itemId: items[0],
  })
  expect(resumed).toMatchObject({ kind: 'continue', reserved: { hold: null } })
  await db.finish(resumed.runId, {
    entries: numbered([{ type: 'decision', itemId: items[0], toolCallId: '', decision: 'time' }]),
  })
  expect(await due()).toEqual([items[1]])
})

test('that a budget is nearly used up is told once in its window', async () => {
  const userId = await db.createUser()
  await limit(userId, 'model_calls', 'hour', 10)
  await use(userId, 8)
  const facts = { runId: randomUUID() }
  const first = await begin(userId, 'Hello', facts)
  expect(first.reserved.near).toMatchObject([
    { scope: 'user', measure: 'model_calls', per: 'hour', share: 0.8 },
  ])
  expect((await begin(userId, 'Hello', facts)).reserved.near).toHaveLength(1)
  expect((await begin(userId)).reserved.near).toEqual([])
})

test('a write over the number of its tool is held until the next window, even of ten at once', async () => {
  const userId = await db.createUser()
  await limit(userId, 'writes', 'hour', 3, 'smtp_send_email')
  const turns = await Promise.all(Array.from({ length: 10 }, () => begin(userId)))
  const claims = await Promise.all(turns.map(({ runId }) => db.claim(runId)))
  expect(claims.filter(({ claimed }) => claimed)).toHaveLength(3)
  expect(claims.find(({ claimed }) => !claimed)).toMatchObject({
    status: 'limited',
    hold: { measure: 'writes', per: 'hour', tool: 'smtp_send_email', limit: 3 },
  })
  const other = await db.claim(turns[0].runId, { toolName: 'docs_append_text' })
  expect(other.claimed).toBe(true)
})

test('conversations, tokens and files are kept up to their numbers', async () => {
  const userId = await db.createUser()
  await limit(userId, 'conversations', null, 1)
  await begin(userId, 'Hello', { conversationId: 'only' })
  expect(await begin(userId)).toMatchObject({
    code: 'limit_reached',
    about: { measure: 'conversations', limit: 1 },
  })
  expect((await begin(userId, 'More', { conversationId: 'only' })).kind).toBe('run')

  await limit(userId, 'api_tokens', null, 1)
  const token = () => ({ id: randomUUID(), name: 'T', hash: randomUUID(), prefix: 'ask' })
  const made = await Promise.all([1, 2, 3].map(() => db.call('create_api_token', userId, token())))
  expect(made.filter((one: Answer) => one.code === 'limit_reached')).toHaveLength(2)

  await limit(userId, 'files', null, 3)
  await limit(userId, 'files', 'minute', 2)
  const file = () => ({
    id: randomUUID(),
    filename: 'a.txt',
    mediaType: 'text/plain',
    size: 1,
    sha256: randomUUID().replaceAll('-', '').repeat(2),
  })
  const store = () => db.call('store_file', userId, file(), 1000, 'YQ==')
  await earlyInWindow('minute')
  expect([await store(), await store(), await store()]).toEqual(['stored', 'stored', 'too_fast'])
  await limit(userId, 'files', 'minute', 10)
  expect([await store(), await store()]).toEqual(['stored', 'too_many'])
})

test('tools added to an agent at once are as many as it may have', async () => {
  const userId = await db.createUser()
  const [agent] =
    await db.service`insert into agents (user_id, name, instructions) values (${userId}, 'Mail', 'Write.') returning id`
  const names = await db.service`select name from tools limit 8`
  await db.service`
    insert into limits (scope, subject, measure, value) values ('agent', ${agent?.id}, 'tools_per_agent', 2)`
  const added = await Promise.allSettled(
    names.map(
      ({ name }) =>
        db.service`insert into agent_tool_permissions (agent_id, tool_name) values (${agent?.id}, ${name})`,
    ),
  )
  expect(names.length).toBeGreaterThan(2)
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('of connections made at once a user gets as many as they may have, however they are made, and may change each', async () => {
  const userId = await db.createUser()
  expect(await db.service`select value from limits where measure = 'connections'`).toEqual([{ value: '50' }])
  await limit(userId, 'connections', null, 3)
  const connection = (id: string) => ({ id, label: id, provider: 'smtp', metadata: {}, secrets: [] })
  const grant = { provider: 'gmail', server: 'google', subject: 'ada', accessSeconds: 60 }
  const store = (id: string = randomUUID()) => db.call('store_connection', userId, connection(id))
  const signIn = (id: string = randomUUID()) =>
    db.call('store_oauth_connection', userId, { ...connection(id), ...grant })
  const stored = await Promise.all([store(), signIn(), store(), signIn(), store(), signIn()])
  expect(stored.filter((one) => one.stored)).toHaveLength(3)
  const refused = { stored: false, code: 'limit_reached', limit: 3 }
  expect(stored.filter((one) => !one.stored)).toEqual([refused, refused, refused])
  const [mine] = stored.filter((one) => one.stored)
  const [row] = await db.service`select provider from connections where id = ${mine?.connectionId}`
  const again = row?.provider === 'smtp' ? store : signIn
  expect(await again(mine?.connectionId)).toEqual(mine)
  expect(await db.call('store_connection', await db.createUser(), connection(randomUUID()))).toMatchObject({
    stored: true,
  })
})

test('of permissions given at once by several agents a user gets as many as they may have, and may change each', async () => {
  const userId = await db.createUser()
  expect(await db.service`select value from limits where measure = 'permissions'`).toEqual([
    { value: '1000' },
  ])
  await limit(userId, 'permissions', null, 3)
  const agents = await db.service`
    insert into agents (user_id, name, instructions)
    select ${userId}, 'Mail ' || n, 'Write.' from generate_series(1, 3) n returning id`
  const permit = (agentId: string, pattern: string, max = 20) =>
    db.call('add_permission', userId, {
      ...{ agentId, toolName: 'smtp_send_email', path: 'to', pattern, max, per: 'day' },
    })
  const given = await Promise.all(
    agents.flatMap(({ id }) => [permit(id, 'a@example.com'), permit(id, 'b@example.com')]),
  )
  const permissions = given.filter((one) => one.permission)
  expect(permissions).toHaveLength(3)
  expect(given.find((one) => !one.permission)).toMatchObject({
    kind: 'error',
    code: 'limit_reached',
    about: { measure: 'permissions', limit: 3 },
  })
  const { id, agentId, pattern } = permissions[0].permission
  expect(await permit(agentId, pattern, 7)).toMatchObject({ permission: { id, max: 7 } })
  await db.call('revoke_permission', userId, id)
  expect(await permit(agentId, 'c@example.com')).toHaveProperty('permission')
})

test('a user has as many streams as they may, and those of a dead process end by themselves', async () => {
  const userId = await db.createUser()
  await limit(userId, 'streams', null, 2)
  const open = (id: string, seconds = 150) => db.call('open_stream', userId, id, seconds)
  const [first, second] = [randomUUID(), randomUUID()]
  expect([await open(first, -1), await open(second), await open(second)]).toEqual([true, true, true])
  const streams = await Promise.all([1, 2, 3].map(() => open(randomUUID())))
  expect(streams.filter(Boolean)).toHaveLength(1)
  await db.call('close_stream', userId, second)
  expect(await open(randomUUID())).toBe(true)
})

test('model calls inside tools are drawn from the same budget, also from what their run has reserved', async () => {
  const userId = await db.createUser()
  await limit(userId, 'model_calls', 'hour', 10)
  const turn = await begin(userId)
  const draw = (calls: number) => db.call('draw_model_calls', userId, calls, turn.agent.id)
  expect(turn.reserved.modelCalls).toBe(4)
  const drawn = await Promise.all([draw(4), draw(4), draw(4)])
  expect(drawn.toSorted()).toEqual([2, 4, 4])
  expect(await draw(1)).toBe(0)
  const summary = {
    type: 'tool-model-call',
    toolCallId: 'c',
    provider: 'any',
    model: 'any',
    purpose: 'summary',
  }
  const usage = { usage: { inputTokens: 400, outputTokens: 100 }, durationMs: 1 }
  await db.finish(turn.runId, { entries: numbered([{ ...summary, ...usage }]) })
  expect((await begin(userId)).reserved.modelCalls).toBe(0)
  const [used] = await db.service`
    select sum(model_calls)::int as calls, sum(tokens)::int as tokens from usage where user_id = ${userId}`
  expect(used).toEqual({ calls: 10, tokens: 500 })
})

test('what a server says of a call later replaces the estimate in the budgets, once', async () => {
  const userId = await db.createUser()
  const turn = await begin(userId)
  const about = { type: 'step-end', provider: 'any', model: 'any', finishReason: 'stop', durationMs: 1 }
  const estimate = { ...about, usage: { inputTokens: 300, outputTokens: 20 } }
  const spent = async () => {
    const [user] = await db.service`
      select sum(model_calls)::int as calls, sum(tokens)::int as tokens, sum(cost_usd)::float as cost
      from usage where user_id = ${userId}`
    const [project] = await db.service`
      select sum(tokens)::int as tokens, sum(cost_usd)::float as cost from usage where user_id is null`
    return { user, project }
  }
  const said = { inputTokens: 1000, outputTokens: 100, costUsd: 0.25 }
  await db.call('correct_usage', turn.runId, 0, said)
  expect((await spent()).user?.tokens ?? 0).toBe(0)
  await db.finish(turn.runId, { entries: numbered([estimate]) })
  const before = await spent()
  expect(before.user).toEqual({ calls: 1, tokens: 320, cost: 0 })
  for (let times = 0; times < 2; times++) await db.call('correct_usage', turn.runId, 0, said)
  const after = await spent()
  expect(after.user).toEqual({ calls: 1, tokens: 1100, cost: 0.25 })
  expect(after.project?.tokens - before.project?.tokens).toBe(780)
  expect(after.project?.cost - before.project?.cost).toBeCloseTo(0.25)
  expect(
    await db.service`select input_tokens, output_tokens, cost_usd::float from llm_usage where run_id = ${turn.runId}`,
  ).toEqual([{ input_tokens: 1000, output_tokens: 100, cost_usd: 0.25 }])
})
