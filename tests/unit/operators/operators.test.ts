import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeChatApp } from '../../../support/chat-app.ts'
import { numbered, question, sent, userMessage } from '../../../support/database-calls.ts'
import { createDatabaseRpc } from '../../../support/database-rpc.ts'
import { type Ask, askFunction, projectSettings } from '../../../support/function-app.ts'
import { offeredNames } from '../../../support/offered-tools.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let ask: Ask
let operator: string
let ada: string
let lines: Record<string, unknown>[]

beforeAll(() => {
  ask = askFunction('chat', makeChatApp(projectSettings, { rpc: createDatabaseRpc(db) }))
}, 120_000)
beforeEach(async () => {
  operator = await db.createUser()
  ada = await db.createUser()
  await db.service`insert into operators (user_id) values (${operator})`
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(JSON.parse(line)))
})
afterEach(() => {
  vi.restoreAllMocks()
})

const log = () =>
  db.service`select action, subject, user_id, run_id, reason from operator_log where operator_id = ${operator} order by created_at`
const told = () => lines.filter(({ event }) => event === 'operator')

/** A turn of Ada with a mail that failed and was corrected. */
async function mailOfAda(conversationId = `c-${randomUUID()}`) {
  const turn = await db.postText(ada, { conversationId, text: 'Write to grace@example.com about my salary.' })
  const toolCallId = randomUUID()
  const call = {
    type: 'call',
    name: 'smtp_send_email',
    toolName: 'smtp_send_email',
    effect: 'write',
    intent: 1,
  }
  const claim = await db.claim(turn.runId, { toolCallId, attempt: 2 })
  await db.call('settle_invocation', ada, claim.invocationId, 'succeeded', sent, 20)
  await db.finish(turn.runId, {
    text: 'I wrote to Grace about your salary.',
    entries: numbered([
      { type: 'run-start', runId: turn.runId, now: '2026-11-22T06:12Z' },
      { type: 'step-start' },
      { ...call, toolCallId: 'first', prepared: false, input: { to: 'grace@' }, repairs: [], attempt: 1 },
      {
        type: 'result',
        toolCallId: 'first',
        status: 'rejected',
        tries: 0,
        durationMs: 0,
        result: {
          ok: false,
          error: 'Question: Please check that "grace@" is complete.',
          errorType: 'invalid_value',
          resolver: 'model',
          details: { parameter: 'to[0]', value: 'grace@' },
        },
      },
      {
        ...call,
        toolCallId,
        prepared: true,
        input: { to: ['grace@example.com'], subject: 'Salary' },
        repairs: [{ path: 'to', rule: 'item-to-list' }],
        attempt: 2,
      },
      { type: 'result', toolCallId, status: 'succeeded', tries: 1, durationMs: 20, result: sent },
      {
        type: 'step-end',
        provider: 'openai',
        model: 'gpt-5',
        finishReason: 'stop',
        usage: { inputTokens: 10, outputTokens: 5 },
        cut: { window: 8192, sent: 5600, results: 2, texts: 0, turns: 1, ofThisTurn: 0 },
        durationMs: 30,
      },
      {
        type: 'notice',
        notice: 'window-learned',
        ...{ provider: 'openai', model: 'gpt-5', window: 8192, sent: 9480, by: 'refusal' },
      },
      {
        type: 'notice',
        notice: 'model-retry',
        ...{ model: 'gpt-5', attempt: 2, waitMs: 0, reason: 'it said: "Salary"' },
        failure: { errorType: '400', why: 'the request is longer', sent: 9480, window: 8192 },
      },
    ]),
  })
  return { conversationId, runId: String(turn.runId), messageId: String(turn.messageId), toolCallId }
}

describe('somebody who is no operator', () => {
  test.each([
    ['GET', '/operator/runs?find=c1'],
    ['GET', `/operator/runs/${randomUUID()}`],
    ['POST', `/operator/runs/${randomUUID()}/stop`, { reason: 'x' }],
    ['GET', '/operator/stuck'],
    ['GET', '/operator/insights'],
    ['GET', '/operator/tools'],
    ['PATCH', '/operator/tools/smtp_send_email', { enabled: false, reason: 'x' }],
    ['GET', '/operator/functions'],
    ['PUT', '/operator/functions/public.f', {}],
    ['DELETE', '/operator/functions/public.f'],
  ])('learns nothing from %s %s', async (method, path, body?: unknown) => {
    const { status, json } = await ask(ada, method, path, body)
    expect([status, json]).toEqual([
      403,
      { error: { code: 'not_an_operator', message: expect.stringMatching(/^This is for operators\./) } },
    ])
  })

  test('is told that they are none', async () => {
    expect((await ask(ada, 'GET', '/operator')).json).toEqual({ isOperator: false })
    expect((await ask(operator, 'GET', '/operator')).json).toEqual({ isOperator: true })
  })

  test('cannot act by an RPC that a function forgot to guard either', async () => {
    await expect(db.call('stuck_runs', { id: randomUUID(), operatorId: ada })).rejects.toThrow(
      'not an operator',
    )
    expect(await db.service`select from operator_log where operator_id = ${ada}`).toHaveLength(0)
  })
})

test('somebody whose account was deleted is nobody, whatever they ask', async () => {
  await db.service`insert into operators (user_id) values (${ada})`
  await db.call('delete_account', ada)
  const asked: [method: string, path: string, body?: unknown][] = [
    ['GET', '/operator'],
    ['GET', '/operator/tools'],
    ['GET', '/models'],
    ['POST', '', { message: 'Hi', model: 'openai/o1-pro' }],
  ]
  for (const [method, path, body] of asked) {
    const { status, json } = await ask(ada, method, path, body)
    expect([path, status, json.error?.code]).toEqual([path, 401, 'unknown_user'])
  }
})

describe('a run of somebody else', () => {
  test('is found by its own id and by that of its conversation', async () => {
    const { runId, conversationId } = await mailOfAda()
    for (const id of [runId, runId.toUpperCase(), conversationId]) {
      const { json } = await ask(operator, 'GET', `/operator/runs?find=${id}`)
      expect(json.runs).toMatchObject([{ runId, userId: ada, status: 'completed', stoppable: false }])
    }
    expect((await ask(operator, 'GET', '/operator/runs?find=nothing')).json).toEqual({ runs: [] })
    expect((await ask(operator, 'GET', '/operator/runs')).status).toBe(400)
    expect(await log()).toHaveLength(4)
    expect(told()).toHaveLength(4)
  })

  test('is a timeline without a word of what was said', async () => {
    const { runId } = await mailOfAda()
    const { json, text } = await ask(operator, 'GET', `/operator/runs/${runId}`)
    const shown = json.timeline.map(({ type, facts }: { type: string; facts: object }) => [type, facts])
    expect(shown).toEqual([
      ['user-message', { characters: 43 }],
      ['run-start', {}],
      ['step-start', {}],
      ['call', { tool: 'smtp_send_email', attempt: 1, prepared: false }],
      [
        'result',
        { status: 'rejected', tries: 0, error: 'invalid_value', parameter: 'to[0]', resolver: 'model' },
      ],
      ['call', { tool: 'smtp_send_email', attempt: 2, repairs: ['to: item-to-list'] }],
      ['result', { status: 'succeeded', tries: 1 }],
      [
        'step-end',
        {
          ...{ provider: 'openai', model: 'gpt-5', finishReason: 'stop', tokens: 15 },
          ...{ window: 8192, sent: 5600, cut: ['results: 2', 'turns: 1'] },
        },
      ],
      ['notice', { notice: 'window-learned', model: 'gpt-5', window: 8192, sent: 9480, by: 'refusal' }],
      [
        'notice',
        { notice: 'model-retry', model: 'gpt-5', attempt: 2, error: '400', why: 'the request is longer' },
      ],
      ['model-text', { characters: 35 }],
      ['run-end', { status: 'completed' }],
    ])
    for (const secret of ['grace', 'alary', 'Question']) expect(text).not.toContain(secret)
    const times = json.timeline.map(({ at }: { at: string }) => Date.parse(at))
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
    expect(await log()).toEqual([
      { action: 'read_run', subject: null, user_id: ada, run_id: runId, reason: null },
    ])
    expect(told()).toMatchObject([{ action: 'read_run', operatorId: operator, userId: ada, runId }])
    expect((await ask(operator, 'GET', `/operator/runs/${randomUUID()}`)).status).toBe(404)
    expect((await ask(operator, 'GET', '/operator/runs/none')).status).toBe(404)
  })

  test('shows no name that a model or a client has made up', async () => {
    const conversationId = `illness-of-ada-${randomUUID()}`
    const turn = await db.postText(ada, { conversationId, text: 'Go.' })
    const made = (toolCallId: string, toolName: string, path: string) => [
      {
        type: 'call',
        name: toolName,
        toolName,
        toolCallId,
        effect: 'write',
        intent: 1,
        prepared: false,
        input: {},
        repairs: [{ path, rule: 'rename' }],
        attempt: 1,
      },
      {
        type: 'result',
        toolCallId,
        status: 'rejected',
        tries: 0,
        durationMs: 0,
        result: {
          ok: false,
          error: 'Question: ?',
          errorType: 'unknown_parameter',
          resolver: 'model',
          details: { parameter: path },
        },
      },
    ]
    const mail = (id: string, path: string) => made(id, 'smtp_send_email', path)
    await db.finish(turn.runId, {
      text: 'Done.',
      entries: numbered([
        ...made('a', 'illness_of_ada', 'illness'),
        ...mail('b', '["illness of ada"]'),
        ...mail('c', 'illness.constructor'),
        ...mail('d', 'attachments[0].file_id'),
        ...mail('e', 'attachments[0].illness'),
        question({
          kind: 'input',
          toolCallId: 'b',
          asked: 'Who?',
          arguments: {},
          open: ['to', 'illness'],
        }),
      ]),
    })
    const { json, text } = await ask(operator, 'GET', `/operator/runs/${turn.runId}`)
    const told = json.timeline.map(({ facts }: { facts: Record<string, unknown> }) => facts)
    const pick = (name: string) => told.flatMap((facts: Record<string, unknown>) => facts[name] ?? [])
    const unknown = 'an unknown parameter'
    expect(pick('tool')).toEqual(['an unknown tool', ...Array(5).fill('smtp_send_email')])
    expect(pick('parameter')).toEqual([unknown, unknown, unknown, 'attachments[0].file_id', unknown])
    expect(pick('repairs').at(3)).toBe('attachments[0].file_id: rename')
    expect(pick('open')).toEqual(['to', unknown])
    expect(text).not.toContain('illness')
    const found = await ask(operator, 'GET', `/operator/runs?find=${conversationId}`)
    expect(found.json.runs).toHaveLength(1)
    expect(found.text).not.toContain('illness')
  })

  test('that is at work says which calls have not reported back', async () => {
    const turn = await db.postText(ada, { conversationId: 'at-work', text: 'Go.' })
    await db.claim(turn.runId)
    const { json } = await ask(operator, 'GET', `/operator/runs/${turn.runId}`)
    expect(json.timeline.at(-1)).toMatchObject({
      type: 'unreported',
      facts: { tool: 'smtp_send_email', attempt: 1, status: 'running' },
    })
  })

  test('is stopped with a reason, and not twice', async () => {
    const turn = await db.postText(ada, { conversationId: 'stopped', text: 'Go.' })
    await db.loseLease(turn.runId)
    const path = `/operator/runs/${turn.runId}/stop`
    expect((await ask(operator, 'POST', path, {})).json.error.message).toContain('Say why')
    const { status, json } = await ask(operator, 'POST', path, { reason: 'Its process died.' })
    expect([status, json]).toEqual([200, { runId: turn.runId, stopped: true }])
    const [run] = await db.service`select status from runs where id = ${turn.runId}`
    expect(run?.status).toBe('stopped')
    expect(await log()).toMatchObject([{ action: 'stop_run', user_id: ada, reason: 'Its process died.' }])
    expect(JSON.stringify(told())).not.toContain('died')
    expect((await ask(operator, 'POST', path, { reason: 'Again.' })).json.error.code).toBe('not_running')
  })
})

test('what is stuck is listed: silent runs, runs past their time, writes of unknown outcome', async () => {
  const silent = await db.postText(ada, { conversationId: 'silent', text: 'Go.' })
  const claim = await db.claim(silent.runId)
  await db.loseLease(silent.runId)
  await db.loseClaim(claim.invocationId)
  const late = await db.postText(ada, { conversationId: 'late', text: 'Go.' })
  const resumeAt = new Date(Date.now() - 600_000).toISOString()
  const wait = question({ kind: 'wait', toolCallId: '', toolName: '', resumeAt })
  await db.finish(late.runId, { status: 'waiting', entries: numbered([wait]) })
  const well = await db.postText(ada, { conversationId: 'well', text: 'Go.' })
  const { json } = await ask(operator, 'GET', '/operator/stuck')
  const ids = json.runs.map(({ runId }: { runId: string }) => runId)
  expect(ids).toEqual(expect.arrayContaining([silent.runId, late.runId]))
  expect(ids).not.toContain(well.runId)
  expect(json.writes).toMatchObject([{ runId: silent.runId, toolName: 'smtp_send_email', userId: ada }])
  expect(await log()).toMatchObject([{ action: 'list_stuck' }])
})

describe('a tool that is switched off', () => {
  const reason = 'The mail server is being moved.'
  const turn = (enabled: boolean) =>
    ask(operator, 'PATCH', '/operator/tools/smtp_send_email', { enabled, reason })
  const effect = (facts: object = {}) => ({
    deliveryId: randomUUID(),
    toolName: 'smtp_send_email',
    argumentHash: 'h',
    arguments: {},
    providers: ['smtp'],
    ...facts,
  })
  const offered = async () => {
    return offeredNames(db, await db.postText(ada, { conversationId: `c-${randomUUID()}`, text: 'Hello' }))
  }

  test('is offered to no model and run for nobody, until it is switched on', async () => {
    const early = effect()
    expect(await db.call('begin_effect', ada, early)).toMatchObject({ proceed: true })
    expect((await turn(false)).json).toEqual({ name: 'smtp_send_email', enabled: false })
    expect(await offered()).not.toContain('smtp_send_email')
    expect(await db.call('begin_effect', ada, effect())).toMatchObject({
      proceed: false,
      refused: 'switched_off',
    })
    expect(await db.call('load_connections', ada, ['smtp'], null, 'smtp_send_email')).toBe(null)
    expect(await db.call('load_connections', ada, ['smtp'], null, 'smtp_test_connection')).toEqual([])
    // What was let through before is not asked again.
    const again = { proceed: true, delivery: { connections: [] } }
    expect(await db.call('begin_effect', ada, early)).toMatchObject(again)
    const done = { ...early, idempotencyKey: early.deliveryId }
    expect(await db.call('load_effect', ada, done)).toMatchObject({
      write: { status: 'running' },
      connections: [],
    })
    const { json } = await ask(operator, 'GET', '/operator/tools')
    expect(json.tools).toContainEqual({
      name: 'smtp_send_email',
      title: 'Send email',
      source: 'askback',
      enabled: false,
      reason,
    })
    await turn(true)
    expect(await offered()).toContain('smtp_send_email')
    expect(await db.call('begin_effect', ada, effect())).toMatchObject({ proceed: true })
    expect(await log()).toMatchObject([
      { action: 'switch_off', subject: 'smtp_send_email', reason },
      { action: 'switch_on', subject: 'smtp_send_email', reason },
    ])
    expect(told()).toMatchObject([
      { action: 'switch_off', toolName: 'smtp_send_email' },
      { action: 'switch_on', toolName: 'smtp_send_email' },
    ])
  })

  test('a claimed write that was not let through does not begin any more', async () => {
    const { runId } = await db.postText(ada, { conversationId: 'claimed', text: 'Go.' })
    const { idempotencyKey } = await db.claim(runId, { argumentHash: 'h' })
    await turn(false)
    expect(await db.call('begin_effect', ada, effect({ idempotencyKey }))).toMatchObject({
      refused: 'switched_off',
    })
    await turn(true)
  })

  test('needs a reason and a name that there is', async () => {
    for (const body of [{ enabled: false }, { enabled: false, reason: ' ' }, { reason: 'x' }]) {
      expect((await ask(operator, 'PATCH', '/operator/tools/smtp_send_email', body)).status).toBe(400)
    }
    const none = await ask(operator, 'PATCH', '/operator/tools/none', { enabled: false, reason: 'x' })
    expect(none.json.error.code).toBe('tool_not_found')
    expect(await log()).toEqual([])
  })
})

describe('limits', () => {
  const own = { scope: 'user', measure: 'tokens', per: 'day', reason: 'A large project.' }

  test('are listed, and set for everybody or for one user, with a reason that is logged', async () => {
    const before = (await ask(operator, 'GET', '/operator/limits')).json.limits
    expect(before).toContainEqual({
      scope: 'user',
      subject: null,
      measure: 'tokens',
      per: 'day',
      tool: null,
      value: 20_000_000,
    })
    const set = await ask(operator, 'PUT', '/operator/limits', { ...own, subject: ada, value: 5 })
    expect(set.status).toBe(200)
    expect(set.json.limits).toHaveLength(before.length + 1)
    expect((await db.postText(ada, { text: 'Hello' })).reserved.tokens).toBe(5)
    expect((await db.postText(operator, { text: 'Hello' })).reserved.tokens).toBe(20_000)
    expect(await log()).toEqual([
      {
        action: 'change_limit',
        subject: 'user tokens day: 5',
        user_id: ada,
        run_id: null,
        reason: 'A large project.',
      },
    ])
    expect(told()).toMatchObject([{ action: 'change_limit', subject: ada, measure: 'tokens', value: 5 }])
    const removed = await ask(operator, 'PUT', '/operator/limits', { ...own, subject: ada, value: null })
    expect(removed.json.limits).toEqual(before)
  })

  test('that nobody counts, or that are about nobody, are refused, and nothing is logged', async () => {
    const refused = [
      await ask(operator, 'PUT', '/operator/limits', { ...own, measure: 'streams', value: 5 }),
      await ask(operator, 'PUT', '/operator/limits', { ...own, subject: randomUUID(), value: 5 }),
      await ask(operator, 'PUT', '/operator/limits', { ...own, value: -1 }),
      await ask(operator, 'PUT', '/operator/limits', { ...own, value: 1e30 }),
      await ask(operator, 'PUT', '/operator/limits', { ...own, value: 0.5 }),
      await ask(operator, 'PUT', '/operator/limits', { ...own, reason: '', value: 1 }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400])
    expect(refused[0]?.json.error.message).toBe(
      '"streams" of each user is not counted per "day". The page about limits lists what is.',
    )
    expect(refused[4]?.json.error.message).toBe('"value" is 0.5. Only money has parts: send a whole number.')
    expect(await log()).toEqual([])
    expect((await ask(ada, 'PUT', '/operator/limits', { ...own, value: 1 })).status).toBe(403)
  })
})

describe('functions of the app', () => {
  beforeAll(async () => {
    await database.sql.unsafe(`
      create function public.greet(name text) returns text language sql stable as $$ select 'Hello ' || name $$;
      comment on function public.greet is 'Greets somebody.';
      create function public.rule() returns text language sql security definer as $$ select 'x' $$;
      grant execute on all functions in schema public to authenticated`)
  })
  afterEach(async () => {
    await database.sql`select askback.withdraw_function('public.greet')`
  })

  test('are listed with what would be refused, and why', async () => {
    const { json } = await ask(operator, 'GET', '/operator/functions')
    expect(json.functions).toEqual([
      {
        name: 'public.greet',
        arguments: 'name text',
        description: 'Greets somebody.',
        effect: 'read',
        tool: null,
        refused: null,
        changed: false,
      },
      expect.objectContaining({
        name: 'public.rule',
        refused: expect.stringContaining('is security definer'),
      }),
    ])
  })

  test('are listed and refused in the language of whoever reads', async () => {
    const german = { 'x-askback-language': 'de' }
    const { json } = await ask(operator, 'GET', '/operator/functions', undefined, german)
    expect(json.functions[1].refused).toMatch(
      /^„public\.rule“ ist security definer: Sie läuft mit den Rechten/,
    )
    for (const [name, offer, words] of [
      ['public.none', {}, 'Eine Funktion public.none gibt es nicht.'],
      ['public.greet', { effect: 'both' }, '„effect“ kann nicht „both“ sein. Möglich: read, write.'],
      ['"', {}, 'Diese Funktion lässt sich nicht anbieten. Die Datenbank sagt: „'],
    ] as const) {
      const path = `/operator/functions/${encodeURIComponent(name)}`
      expect((await ask(operator, 'PUT', path, offer, german)).json.error.message).toContain(words)
    }
  })

  test('are offered and withdrawn', async () => {
    const offer = { title: 'Say hello' }
    expect((await ask(operator, 'PUT', '/operator/functions/public.greet', offer)).json).toEqual({
      tool: 'greet',
    })
    const { json } = await ask(operator, 'GET', '/operator/functions')
    expect(json.functions[0]).toMatchObject({ name: 'public.greet', tool: 'greet', changed: false })
    const gone = await ask(operator, 'DELETE', '/operator/functions/public.greet')
    expect(gone.json).toEqual({ withdrawn: 'public.greet' })
    for (const name of ['public.greet', '0', 'no name (']) {
      expect((await ask(operator, 'DELETE', `/operator/functions/${name}`)).status, name).toBe(404)
    }
    expect((await log()).map(({ action }) => action)).toEqual(['offer_function', 'withdraw_function'])
  })

  test('keep what only SQL can say of them', async () => {
    await database.sql.unsafe(`
      create function public.ship(parcel text) returns text language sql volatile as $$ select parcel $$;
      create function public.parcel_state(parcel text) returns text language sql stable as $$ select parcel $$;
      grant execute on all functions in schema public to authenticated;
      select askback.offer_function('public.ship', seen => 'public.parcel_state', trusted_output => array['id'])`)
    await ask(operator, 'PUT', '/operator/functions/public.ship', { title: 'Ship it' })
    const [row] = await database.sql`
      select options ->> 'title' as title, options ->> 'seen' as seen, looks_name, options -> 'trustedOutput' as trusted
      from askback.offered_functions where function_name = 'ship'`
    expect(row).toEqual({
      title: 'Ship it',
      seen: 'public.parcel_state',
      looks_name: 'parcel_state',
      trusted: ['id'],
    })
    await database.sql.unsafe(
      `select askback.withdraw_function('public.ship'); drop function public.ship, public.parcel_state`,
    )
  })

  test.each([
    ['public.rule', {}, 422, 'is security definer'],
    ['public.none', {}, 422, 'There is no function public.none'],
    ['no name (', {}, 422, ''],
    ['public.greet', { effect: 'both' }, 422, 'must be read or write'],
    ['public.greet', { title: 7 }, 400, '"title"'],
  ])('%s with %j is refused with the reason', async (name, body, status, words) => {
    const answer = await ask(operator, 'PUT', `/operator/functions/${encodeURIComponent(name)}`, body)
    expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringContaining(words)])
    expect(await log()).toEqual([])
  })
})

test('a conversation may be called operator', async () => {
  const turn = await db.postText(ada, { conversationId: 'operator', text: 'Go.' })
  await db.loseLease(turn.runId)
  expect((await ask(ada, 'POST', '/operator/stop')).status).toBe(200)
})

describe('what a user thinks of an answer', () => {
  const rate = (conversationId: string, body: unknown, user = ada) =>
    ask(user, 'PUT', `/conversations/${conversationId}/feedback`, body)
  const shown = async (conversationId: string) =>
    (await ask(ada, 'GET', `/conversations/${conversationId}`)).json.messages.at(-1).metadata.feedback

  test('is kept, changed and taken back', async () => {
    const { conversationId, messageId, runId } = await mailOfAda()
    expect(await shown(conversationId)).toBeUndefined()
    const bad = { messageId, rating: 'bad', reason: 'Too short.' }
    expect((await rate(conversationId, bad)).json).toEqual(bad)
    expect(await shown(conversationId)).toEqual({ rating: 'bad', reason: 'Too short.' })
    expect(await db.service`select run_id from message_feedback where user_id = ${ada}`).toEqual([
      { run_id: runId },
    ])
    await rate(conversationId, { messageId, rating: 'good' })
    expect(await shown(conversationId)).toEqual({ rating: 'good' })
    await rate(conversationId, { messageId, rating: null })
    expect(await shown(conversationId)).toBeUndefined()
  })

  test('stays when the answer is replaced, and goes with the conversation', async () => {
    const { conversationId, messageId } = await mailOfAda()
    await rate(conversationId, { messageId, rating: 'bad' })
    const [asked] = (await ask(ada, 'GET', `/conversations/${conversationId}`)).json.messages
    const again = await db.postUi(ada, {
      conversationId,
      trigger: 'regenerate-message',
      messages: [userMessage(asked.id, 'Write to Grace.')],
      lastMessage: { id: asked.id, role: 'user' },
    })
    expect(again.kind).toBe('run')
    expect(await db.service`select from message_feedback where user_id = ${ada}`).toHaveLength(1)
    expect((await rate(conversationId, { messageId, rating: 'good' })).status).toBe(200)
    await db.call('delete_conversation', ada, conversationId)
    expect(await db.service`select from message_feedback where user_id = ${ada}`).toHaveLength(0)
  })

  test('is of an own answer', async () => {
    const { conversationId, messageId } = await mailOfAda()
    expect((await rate(conversationId, { messageId, rating: 'good' }, operator)).json.error.code).toBe(
      'conversation_not_found',
    )
    expect((await rate(conversationId, { messageId: 'none', rating: 'good' })).json.error.code).toBe(
      'message_not_found',
    )
    for (const body of [{ messageId }, { messageId, rating: 'fine' }, { rating: 'good' }, 'x']) {
      expect((await rate(conversationId, body)).status).toBe(400)
    }
  })
})

describe('figures over all users', () => {
  const read = async (days = 1) => (await ask(operator, 'GET', `/operator/insights?days=${days}`)).json

  interface Recorded {
    user: string
    session: string
    tool?: string
    attempt?: number
    error?: string
    seconds?: number
    daysAgo?: number
  }

  /** A row of the ledger; one with an error has failed. */
  async function record({
    user,
    session,
    tool = 'smtp_send_email',
    attempt = 1,
    error,
    seconds = 1,
    daysAgo = 0,
  }: Recorded) {
    const result = error
      ? { ok: false, error: 'Question: what?', errorType: error, resolver: 'model', details: {} }
      : { ok: true }
    await db.service`
      insert into tool_executions (id, user_id, session_id, tool_call_id, tool_name, effect, attempt, arguments, status, result, created_at, settled_at)
      select ${randomUUID()}, ${user}, ${session}, ${randomUUID()}, ${tool}, 'read', ${attempt}, '{}', ${error ? 'rejected' : 'succeeded'},
        ${db.service.json(result as never)}::json, at, at + ${seconds} * interval '1 second'
      from (select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - ${daysAgo} * interval '1 day' as at) moment`
  }

  beforeEach(async () => {
    await database.sql`delete from askback.tool_executions`
    await database.sql`delete from askback.llm_usage`
  })

  test('are how calls went: retries, errors by type and tool, time to success', async () => {
    const grace = await db.createUser()
    await record({ user: ada, session: 'a', error: 'missing_parameter' })
    await record({ user: ada, session: 'a', attempt: 2, seconds: 3 })
    await record({ user: grace, session: 'b', seconds: 1 })
    await record({ user: grace, session: 'c', tool: 'web_search', error: 'timeout' })
    await record({ user: grace, session: 'd', error: 'approval_denied' })
    await record({ user: grace, session: 'e', tool: 'what_ada_earns', error: 'tool_not_found' })
    await record({ user: grace, session: 'f', daysAgo: 3 })
    const figures = await read()
    expect(figures).toMatchObject({
      users: 2,
      calls: 5,
      done: 2,
      denied: 1,
      erred: 3,
      retries: 0.2,
      medianMs: 2000,
      slowestMs: 2900,
      tools: [
        { tool: 'smtp_send_email', calls: 3, done: 2, erred: 1, retries: 0.333, medianMs: 2000 },
        { tool: 'web_search', calls: 1, done: 0, erred: 1, retries: 0, medianMs: null },
        { tool: null, calls: 1, done: 0, erred: 1, retries: 0, medianMs: null },
      ],
      errors: [
        { type: 'missing_parameter', tool: 'smtp_send_email', count: 1 },
        { type: 'timeout', tool: 'web_search', count: 1 },
        { type: 'tool_not_found', tool: null, count: 1 },
      ],
    })
    expect(JSON.stringify(figures)).not.toMatch(/what_ada_earns|Question/)
    const longer = await read(4)
    expect(longer.calls).toBe(6)
    expect(longer.days.map(({ calls, erred }: { calls: number; erred: number }) => [calls, erred])).toEqual([
      [1, 0],
      [0, 0],
      [0, 0],
      [5, 3],
    ])
  })

  test('are what models cost: by model, agent and day', async () => {
    const grace = await db.createUser()
    const [agent] = await db.service`
      insert into agents (user_id, name, instructions) values (${grace}, 'Salary agent', 'Be brief.') returning id`
    const use = (
      user: string,
      model: string,
      tokens: number,
      cost: number | null,
      agentId: string | null,
    ) => db.service`
      insert into llm_usage (user_id, run_id, sequence, provider, model, input_tokens, cost_usd, agent_id)
      values (${user}, ${randomUUID()}, 1, 'openai', ${model}, ${tokens}, ${cost}, ${agentId})`
    await use(ada, 'large', 1000, 0.5, null)
    await use(grace, 'large', 500, 0.25, agent?.id)
    await use(grace, 'own', 100, null, agent?.id)
    const figures = await read()
    expect(figures).toMatchObject({
      users: 2,
      modelCalls: 3,
      tokens: 1600,
      costUsd: 0.75,
      unpriced: 1,
      models: [
        { provider: 'openai', model: 'large', calls: 2, tokens: 1500, costUsd: 0.75 },
        {
          ...{ provider: 'openai', model: 'own', calls: 1, tokens: 100, costUsd: 0 },
          ...{ reads: null, readsBy: null, cuts: 0, largest: 100 },
        },
      ],
      agents: [
        { agentId: null, calls: 1, tokens: 1000, costUsd: 0.5 },
        { agentId: agent?.id, calls: 2, tokens: 600, costUsd: 0.25 },
      ],
      days: [{ modelCalls: 3, tokens: 1600, costUsd: 0.75 }],
    })
    expect(JSON.stringify(figures)).not.toContain('Salary')
  })

  test('are what models read: their newest window and who says it, the largest request, and how many were cut', async () => {
    const runId = randomUUID()
    const use = (sequence: number, used: object) =>
      database.sql`
        insert into askback.llm_usage ${database.sql({
          ...{ user_id: ada, run_id: runId, sequence, provider: 'ollama', model: 'small', ...used },
        })}`
    const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000).toISOString()
    await use(1, { input_tokens: 9_000, created_at: at(1) })
    await use(2, { input_tokens: 7_000, reads: 8_192, reads_by: 'learned', is_cut: true, created_at: at(2) })
    await use(3, { input_tokens: 200, purpose: 'title', created_at: at(3) })
    expect((await read()).models).toMatchObject([
      { model: 'small', calls: 3, reads: 8_192, readsBy: 'learned', cuts: 1, largest: 9_000 },
    ])
  })

  test('are empty, not missing, where nothing happened, and each look is logged', async () => {
    expect(await read(7)).toMatchObject({
      users: 0,
      calls: 0,
      retries: null,
      medianMs: null,
      tools: [],
      models: [],
    })
    expect(await log()).toMatchObject([{ action: 'read_insights' }])
    expect(told()).toMatchObject([{ action: 'read_insights', days: 7 }])
    for (const days of ['0', '367', 'x', '1.5']) {
      expect((await ask(operator, 'GET', `/operator/insights?days=${days}`)).status).toBe(400)
    }
  })
})
