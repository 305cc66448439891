import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import type { Schedule } from '../../shared/api/schedule.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatUser,
  connectSmtp,
  giveAgent,
  signUp,
  signUpWithMail,
  withDatabase,
} from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { callTool, fail, say, startModelServer } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { findQuietPort } from '../../support/quiet-port.ts'
import { startRingServer } from '../../support/ring-server.ts'
import { useStarted } from '../../support/use-started.ts'

// An agent that begins by the clock, as its user.

const chat = useStarted(() => startChatStack())
/** The stack of a test that has its own. */
let using: ChatStack['stack'] | undefined
const stackOf = () => using ?? chat.stack
beforeEach(() => {
  using = undefined
})

const daily = { message: 'What is new?', cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' }
const mail = callTool('smtp_send_email', { to: ['ada@acme.com'], subject: 'News', body: 'Nothing.' })

const add = async (user: ChatUser, more: object = {}): Promise<Schedule> => {
  const { status, body } = await user.send('POST', '/schedules', { ...daily, ...more })
  expect(status).toBe(201)
  return (body as { schedule: Schedule }).schedule
}
const list = async (user: ChatUser) =>
  ((await user.get('/schedules')).body as { schedules: Schedule[] }).schedules
const only = async (user: ChatUser): Promise<Schedule> => (await list(user))[0] as Schedule
const run = (user: ChatUser, { id }: Schedule) => user.send('POST', `/schedules/${id}/run`)
const change = (user: ChatUser, { id }: Schedule, body: object) =>
  user.send('PATCH', `/schedules/${id}`, body)

/** Its time comes, or came a while ago. */
const makeDue = ({ id }: Schedule, ago = '1 second') =>
  withDatabase(
    stackOf(),
    (sql) =>
      sql`update askback.schedules set next_at = date_trunc('second', now()) - ${ago}::interval where id = ${id}`,
  )
const tick = async () => {
  const response = await fetch(`${stackOf().url}/functions/v1/chat/clock`, {
    method: 'POST',
    headers: { [clockHeader]: await signClock(readKeys(stackOf().dataDirectory).functionSecret) },
  })
  return (await response.json()) as { resumed: number }
}
const runsOf = (user: ChatUser) =>
  withDatabase(
    stackOf(),
    (sql) => sql`
      select status, conversation_id from askback.runs where user_id = ${user.id} order by started_at`,
  )
const ended = (user: ChatUser, statuses: string[]) =>
  expect
    .poll(async () => (await runsOf(user)).map(({ status }) => status), { timeout: 30_000 })
    .toEqual(statuses)
/** How many times it has had, how often the newest was tried, and what became of it. */
const triesOf = ({ id }: Schedule) =>
  withDatabase(stackOf(), async (sql) => {
    const [row] = await sql`
      select count(*) over ()::int as times, t.tries, r.status from askback.schedule_times t
      join askback.runs r on r.id = t.run_id where schedule_id = ${id} order by due_at desc limit 1`
    return [row?.times, row?.tries, row?.status]
  })
/** 20 seconds go by. */
const letWake = ({ id }: Schedule) =>
  withDatabase(stackOf(), (sql) => sql`update askback.schedules set woken_at = null where id = ${id}`)
/** What became of its times, newest first. */
const outcomes = async (user: ChatUser) =>
  (await only(user)).history.map(({ outcome, status }) => [outcome, status])

describe('a schedule', () => {
  it('sends its message when it is due, once however many clocks come, and then waits for its next time', async () => {
    chat.model.use(() => say('Nothing is new.'))
    const user = await signUp(chat.stack)
    const made = await add(user)
    expect(made).toMatchObject({ ...daily, missed: 'run', pausedAt: null, history: [] })
    expect(made.next).toHaveLength(3)
    expect(made.next[0]).toMatchObject({ at: made.nextAt, text: expect.stringMatching(/9:00/) })
    expect(await tick()).toEqual({ resumed: 0 })
    await makeDue(made)
    await Promise.all([tick(), tick(), tick()])
    await ended(user, ['completed'])
    const schedule = await only(user)
    expect(schedule.nextAt).toBe(made.nextAt)
    expect(schedule.history).toMatchObject([{ outcome: 'begun', status: 'completed', code: null }])
    expect([made.runs, schedule.runs]).toEqual([0, 1])
    const { body } = await user.get(`/conversations/${schedule.conversationId}`)
    expect(JSON.stringify(body)).toContain('What is new?')
    expect(JSON.stringify(body)).toContain('Nothing is new.')
    expect(await tick()).toEqual({ resumed: 0 })
    await ended(user, ['completed'])
  })

  it('parks what needs its user, rings the bell, and leaves out its next time while that is open', async () => {
    const user = await signUpWithMail(chat.stack, 'always')
    const bell = await startRingServer()
    onTestFinished(async () => {
      await withDatabase(chat.stack, (sql) => sql`delete from askback.on_open`)
      await bell.close()
    })
    await withDatabase(
      chat.stack,
      (sql) => sql`insert into askback.on_open (url, secret) values (${bell.url}, 'a secret')`,
    )
    const made = await add(user, { message: 'Write to ada@acme.com that nothing is new.' })
    chat.model.use([mail])
    await makeDue(made, '2 seconds')
    await tick()
    await ended(user, ['needs_approval'])
    expect((await user.get('/open')).body).toMatchObject({ items: [{ type: 'approval' }] })
    await makeDue(made)
    await tick()
    await expect
      .poll(() => bell.heard.map(({ body }) => [body.type, body.kind]))
      .toEqual([['opened', 'approval']])
    await expect
      .poll(() => outcomes(user))
      .toEqual([
        ['open', null],
        ['begun', 'needs_approval'],
      ])
    expect(await runsOf(user)).toHaveLength(1)
    expect((await run(user, made)).status).toBe(409)
    expect(await chat.stack.inbox.messages()).toEqual([])
  })

  it('goes on after a kill between its run and its record, without a second run', async () => {
    const user = await signUp(chat.stack)
    const made = await add(user)
    chat.model.use(() => say('Nothing is new.'))
    await makeDue(made)
    await tick()
    await ended(user, ['completed'])
    // As a process leaves it that is killed after the run has begun, before it is noted.
    const [{ due }] = (await withDatabase(
      chat.stack,
      (sql) => sql`
        with noted as (delete from askback.schedule_times where schedule_id = ${made.id} returning due_at)
        update askback.schedules set next_at = (select due_at from noted) where id = ${made.id} returning next_at as due`,
    )) as unknown as [{ due: Date }]
    expect(due.getTime()).toBeLessThan(Date.now())
    process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
    await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
    await tick()
    await expect.poll(() => outcomes(user), { timeout: 20_000 }).toEqual([['begun', 'completed']])
    expect(await runsOf(user)).toHaveLength(1)
    expect((await only(user)).nextAt).toBe(made.nextAt)
  })

  it('pauses itself after three failures in a row, each tried three times, and goes on when it is resumed', async () => {
    const port = await findQuietPort()
    const away = await startChatStack({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` })
    using = away.stack
    const user = await signUp(using)
    const made = await add(user)
    for (const [index, ago] of ['3 seconds', '2 seconds', '1 second'].entries()) {
      await makeDue(made, ago)
      await tick()
      // Two more tries, each by a later tick.
      for (const tries of [1, 2, 3]) {
        await expect.poll(() => triesOf(made), { timeout: 30_000 }).toEqual([index + 1, tries, 'interrupted'])
        await letWake(made)
        await tick()
      }
    }
    await expect.poll(async () => (await only(user)).pausedAs, { timeout: 20_000 }).toBe('failures')
    expect(await only(user)).toMatchObject({ nextAt: null, next: [] })
    await makeDue(made)
    expect(await tick()).toEqual({ resumed: 0 })
    const model = await startModelServer(() => say('Nothing is new.'), { port })
    expect((await change(user, made, { paused: false })).body).toMatchObject({
      schedule: { pausedAt: null, nextAt: made.nextAt },
    })
    await makeDue(made, '0 seconds')
    await tick()
    await expect.poll(async () => (await runsOf(user)).at(-1)?.status, { timeout: 20_000 }).toBe('completed')
    expect((await only(user)).pausedAs).toBeNull()
    await model.close()
    await away.stop()
  })

  it('is refused once where the key of its model is, since trying again changes nothing', async () => {
    const user = await signUp(chat.stack)
    const made = await add(user)
    chat.model.use(() => fail(401))
    for (const [index, ago] of ['3 seconds', '2 seconds', '1 second'].entries()) {
      await makeDue(made, ago)
      await tick()
      await expect
        .poll(async () => (await only(user)).history.map(({ outcome, code }) => [outcome, code]))
        .toEqual(Array(index + 1).fill(['refused', 'model_unavailable']))
      await letWake(made)
      expect(await tick()).toEqual({ resumed: 0 })
    }
    await expect.poll(async () => (await only(user)).pausedAs).toBe('failures')
    expect(await runsOf(user)).toHaveLength(3)
  })

  it('is tried again after an interruption however late, also where a late time is left out', async () => {
    const user = await signUp(chat.stack)
    const made = await add(user, { missed: 'skip' })
    chat.model.use(() => ({ hang: true }))
    await makeDue(made)
    await tick()
    await ended(user, ['running'])
    process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
    await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
    chat.model.use(() => say('Nothing is new.'))
    // Its lease runs out, and eleven minutes go by.
    await withDatabase(chat.stack, async (sql) => {
      await sql`update askback.runs set lease_expires_at = now() - interval '1 second' where user_id = ${user.id}`
      await sql`update askback.schedule_times set due_at = due_at - interval '11 minutes' where schedule_id = ${made.id}`
    })
    await letWake(made)
    await tick()
    await expect.poll(() => outcomes(user), { timeout: 30_000 }).toEqual([['begun', 'completed']])
  })

  it('begins each of 25 that are due at once, although its user may have 10 answers at a time', async () => {
    const user = await signUp(chat.stack)
    await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.limits (scope, subject, measure, value) values ('user', ${user.id}, 'runs_at_once', 10)`,
    )
    const held = gate()
    chat.model.use(async () => {
      await held.opened
      return say('Nothing is new.')
    })
    const made = await Promise.all(Array.from({ length: 25 }, () => add(user)))
    await Promise.all(made.map((one) => makeDue(one)))
    const begun = async () =>
      (await list(user)).flatMap(({ history }) =>
        history.map(({ outcome, status }) => `${outcome} ${status}`),
      )
    await tick()
    await expect.poll(begun, { timeout: 30_000 }).toEqual(Array(10).fill('begun running'))
    held.open()
    const goOn = async () => {
      await Promise.all(made.map(letWake))
      await tick()
      return await begun()
    }
    await expect.poll(goOn, { timeout: 60_000 }).toEqual(Array(25).fill('begun completed'))
  })

  it('carries out a time that the clock was late for once, or leaves it out, as it says', async () => {
    chat.model.use(() => say('Nothing is new.'))
    const [patient, strict] = [await signUp(chat.stack), await signUp(chat.stack)]
    const [late, left] = [await add(patient), await add(strict, { missed: 'skip' })]
    await makeDue(late, '3 days')
    await makeDue(left, '3 days')
    await tick()
    await ended(patient, ['completed'])
    await expect.poll(() => outcomes(strict)).toEqual([['missed', null]])
    expect(await runsOf(strict)).toEqual([])
    expect((await only(strict)).nextAt).toBe(left.nextAt)
  })

  it('is over after its end', async () => {
    chat.model.use(() => say('Nothing is new.'))
    const user = await signUp(chat.stack)
    const until = new Date(Date.now() + 14 * 86_400_000).toISOString()
    const made = await add(user, { until })
    await withDatabase(
      chat.stack,
      (sql) => sql`update askback.schedules set until = now() where id = ${made.id}`,
    )
    await makeDue(made)
    await tick()
    await ended(user, ['completed'])
    expect(await only(user)).toMatchObject({ nextAt: null, next: [], pausedAt: null })
  })

  it('runs by hand, once for two clicks, and keeps its next time', async () => {
    chat.model.use(() => say('Nothing is new.'))
    const user = await signUp(chat.stack)
    const made = await add(user)
    const clicks = await Promise.all([run(user, made), run(user, made)])
    expect(clicks.map(({ status }) => status).filter((status) => status !== 202 && status !== 409)).toEqual(
      [],
    )
    await ended(user, ['completed'])
    expect((await only(user)).nextAt).toBe(made.nextAt)
    expect((await run(user, made)).status).toBe(202)
    await ended(user, ['completed', 'completed'])
    expect(await outcomes(user)).toEqual([
      ['begun', 'completed'],
      ['begun', 'completed'],
    ])
  })

  it('is paused while its user may not act, and goes with its agent and its user', async () => {
    chat.model.use(() => say('Nothing is new.'))
    const user = await signUp(chat.stack)
    const made = await add(user)
    const own = await add(user)
    await change(user, own, { paused: true })
    await withDatabase(
      chat.stack,
      (sql) => sql`update auth.users set banned_until = now() + interval '1 day' where id = ${user.id}`,
    )
    await makeDue(made)
    expect(await tick()).toEqual({ resumed: 0 })
    const stored = await fetch(`${chat.stack.url}/rest/v1/schedules?user_id=eq.${user.id}&select=paused_as`, {
      headers: {
        apikey: chat.stack.keys.secretKey,
        authorization: `Bearer ${chat.stack.keys.secretKey}`,
        'accept-profile': 'askback',
      },
    })
    expect(await stored.json()).toEqual(
      expect.arrayContaining([{ paused_as: 'account' }, { paused_as: 'user' }]),
    )
    await withDatabase(
      chat.stack,
      (sql) => sql`update auth.users set banned_until = null where id = ${user.id}`,
    )
    expect(await only(user)).toMatchObject({ id: made.id, pausedAs: 'account', nextAt: null, next: [] })
    await tick()
    await ended(user, ['completed'])
    expect((await list(user)).map(({ pausedAs }) => pausedAs)).toEqual([null, 'user'])
    await withDatabase(chat.stack, (sql) => sql`delete from askback.agents where id = ${made.agentId}`)
    expect(await list(user)).toEqual([])
  })

  it('is paused while an account is missing that it needs, and goes on once it is connected', async () => {
    const user = await signUp(chat.stack)
    await giveAgent(chat.stack, user.id, 'never')
    const [{ id: agentId }] = (await withDatabase(
      chat.stack,
      (sql) => sql`select id from askback.agents where user_id = ${user.id} and tool_access = 'all' limit 1`,
    )) as unknown as [{ id: string }]
    const made = await add(user, { agentId, message: 'Write to ada@acme.com that nothing is new.' })
    chat.model.use(({ body }) => (body.messages.at(-1)?.role === 'tool' ? say('Sent.') : mail))
    await makeDue(made, '2 seconds')
    await tick()
    await ended(user, ['needs_connection'])
    expect(await only(user)).toMatchObject({ pausedAs: 'connection', nextAt: null, next: [] })
    // What is changed of it meanwhile does not end it.
    await change(user, made, { missed: 'skip' })
    await makeDue(made)
    await tick()
    await expect
      .poll(() => outcomes(user))
      .toEqual([
        ['open', null],
        ['begun', 'needs_connection'],
      ])
    await connectSmtp(chat.stack, user.id)
    const { body } = await user.get('/open')
    const [{ itemId }] = (body as { items: [{ itemId: string }] }).items
    const path = `/${made.conversationId}/resume`
    expect((await user.post({ itemId }, { path })).status).toBe(200)
    await expect.poll(async () => (await only(user)).pausedAs).toBeNull()
    expect((await only(user)).nextAt).toBe(made.nextAt)
  })

  it('is changed, paused and deleted by its user alone', async () => {
    const [user, stranger] = [await signUp(chat.stack), await signUp(chat.stack)]
    const made = await add(user)
    expect(await list(stranger)).toEqual([])
    for (const reply of [
      await change(stranger, made, { message: 'Mine now' }),
      await stranger.send('DELETE', `/schedules/${made.id}`),
      await run(stranger, made),
    ])
      expect(reply).toMatchObject({ status: 404, body: { error: { code: 'schedule_not_found' } } })
    expect((await change(user, made, { paused: true })).body).toMatchObject({
      schedule: { pausedAs: 'user', nextAt: null, next: [] },
    })
    await makeDue(made)
    expect(await tick()).toEqual({ resumed: 0 })
    const moved = await change(user, made, { paused: false, cron: '30 7 1 * *', timeZone: 'Asia/Tokyo' })
    expect(moved.body).toMatchObject({ schedule: { cron: '30 7 1 * *', pausedAt: null } })
    expect((await only(user)).nextAt).toMatch(/T22:30:00/)
    expect((await user.send('DELETE', `/schedules/${made.id}`)).status).toBe(200)
    expect(await list(user)).toEqual([])
  })

  it('says what cannot be read of it, and what would never come', async () => {
    const user = await signUp(chat.stack)
    const refused = async (more: object) => {
      const { status, body } = await user.send('POST', '/schedules', { ...daily, ...more })
      const { code, message } = (body as { error: { code: string; message: string } }).error
      return `${status} ${code}: ${message}`
    }
    expect(await refused({ cron: 'every morning' })).toMatch(/^400 bad_request: .*cron.*"0 9 \* \* 1-5"/)
    expect(await refused({ cron: '0 9 31 2 *' })).toMatch(/^400 schedule_never_due: "0 9 31 2 \*"/)
    expect(await refused({ cron: '0 25 * * *' })).toMatch(/^400 schedule_never_due/)
    expect(await refused({ timeZone: 'Middle/Earth' })).toMatch(/^400 bad_request: .*timeZone/)
    expect(await refused({ message: ' ' })).toMatch(/^400 bad_request: .*message/)
    expect(await refused({ until: '2020-01-01T00:00:00Z' })).toMatch(/^400 schedule_never_due/)
    expect(await refused({ agentId: '00000000-0000-4000-8000-000000000000' })).toMatch(/^404 agent_not_found/)
  })

  it('has its turn beside 200 others of one user', async () => {
    chat.model.use(() => say('Nothing is new.'))
    const [busy, other] = [await signUp(chat.stack), await signUp(chat.stack)]
    const made = await add(busy)
    const single = await add(other)
    await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.schedules (user_id, agent_id, message, cron, time_zone, next_at)
        select user_id, agent_id, message, cron, time_zone, now() - interval '1 hour' from askback.schedules, generate_series(1, 200)
        where id = ${made.id}`,
    )
    await makeDue(single)
    await tick()
    await ended(other, ['completed'])
    expect((await runsOf(busy)).length).toBeLessThan(200)
    await withDatabase(chat.stack, (sql) => sql`delete from askback.schedules where user_id = ${busy.id}`)
  })
})
