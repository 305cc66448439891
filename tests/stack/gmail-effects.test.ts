import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { googleFailures } from '../../local/simulator/google-error.ts'
import { type CallRpc, DatabaseError } from '../../shared/server/database/call-rpc.ts'
import { gate } from '../../support/gate.ts'
import { type GmailFunction, type GmailUser, startGmailFunction } from '../../support/gmail-function.ts'
import { gmailScopes } from '../../support/gmail-server.ts'

/** Whatever goes wrong on the way of a mail, it is sent once, or somebody is asked. */
let it: GmailFunction
beforeAll(async () => {
  it = await startGmailFunction()
}, 120_000)
afterAll(() => it?.close())
beforeEach(() => it.gmail.faults.clear())

const mail = { to: ['grace@example.com'], subject: 'Meeting', body: 'At ten.' }
const boxOf = ({ accounts }: GmailUser) => it.gmail.mailbox(accounts[0]?.email ?? '')
const errorNamed = (reason: string) => {
  const error = googleFailures[reason]?.('gmail.googleapis.com')
  if (!error) throw new Error(`There is no failure "${reason}".`)
  return error
}

/** An isolate that is killed at this moment: nothing of it comes through any more. */
function killedAt(name: string, when: 'before' | 'after', nth = 1) {
  let dead = false
  let left = nth
  const never = new Promise<never>(() => {})
  const rpc = (real: CallRpc): CallRpc =>
    (async (called: never, parameters: never) => {
      if (dead) return await never
      if (called !== name || --left > 0) return await real(called, parameters)
      if (when === 'after') await real(called, parameters)
      dead = true
      return await never
    }) as CallRpc
  return it.isolate({ rpc })
}

describe('a mail that is sent by a draft', () => {
  test('goes out once, and leaves no draft', async () => {
    const user = await it.user()
    const key = randomUUID()
    const sent = await user.call('send_email', mail, { key })
    expect(sent).toMatchObject({ ok: true, data: { from: user.accounts[0]?.email } })
    expect(await user.call('send_email', mail, { key })).toEqual(sent)
    expect(boxOf(user).sent.map(({ id }) => id)).toEqual([sent.data.message_id])
    expect(boxOf(user).drafts.size).toBe(0)
    expect(await user.rows()).toMatchObject([
      { status: 'succeeded', note: { draftId: expect.stringMatching(/^r-/) } },
    ])
  })

  test('was sent, when the reply is lost and the draft is gone', async () => {
    const user = await it.user()
    const key = randomUUID()
    boxOf(user).rewritesMessageIds = true
    it.gmail.faults.plan('drafts.send', { connection: 'lost' })
    expect(await user.call('send_email', mail, { key })).toMatchObject({ errorType: 'outcome_unknown' })
    expect(await user.verify('send_email', mail, key)).toBe('sent')
    expect(await user.verify('send_email', mail, key)).toBe('sent')
    expect(await user.call('send_email', mail, { key })).toMatchObject({ ok: true })
    expect(boxOf(user).sent).toHaveLength(1)
    expect(await user.rows()).toMatchObject([{ status: 'succeeded' }])
  })

  test.each(['backendError', 'internalError', 'unavailable'])(
    'was sent, when Gmail sends it and says %s',
    async (reason) => {
      const user = await it.user()
      const key = randomUUID()
      it.gmail.faults.plan('drafts.send', { answer: errorNamed(reason), done: true })
      expect(await user.call('send_email', mail, { key })).toMatchObject({ errorType: 'outcome_unknown' })
      expect(await user.verify('send_email', mail, key)).toBe('sent')
      expect(boxOf(user).sent).toHaveLength(1)
    },
  )

  test.each([
    ['the connection is cut while it is handed over', { connection: 'cut' } as const],
    ['Gmail has a fault of its own', { answer: errorNamed('backendError') }],
    ['a proxy answers with a page', { answer: { status: 502, body: '<html>' } }],
  ])('was not sent, when %s, and then goes out once', async (_, fault) => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.send', fault)
    expect(await user.call('send_email', mail, { key })).toMatchObject({ errorType: 'outcome_unknown' })
    expect(await user.verify('send_email', mail, key)).toBe('not_sent')
    expect(boxOf(user).drafts.size).toBe(0)
    expect(await user.verify('send_email', mail, key)).toBe('not_sent')
    expect(await user.call('send_email', mail, { key })).toMatchObject({ ok: true })
    expect(boxOf(user).sent).toHaveLength(1)
    expect(boxOf(user).drafts.size).toBe(0)
  })

  test('cannot be sent by a request that comes late, once it counts as not sent', async () => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.send', { connection: 'late' })
    expect(await user.call('send_email', mail, { key })).toMatchObject({ errorType: 'outcome_unknown' })
    expect(await user.verify('send_email', mail, key)).toBe('not_sent')
    const [again] = await Promise.all([user.call('send_email', mail, { key }), it.gmail.faults.arrive()])
    expect(again).toMatchObject({ ok: true })
    expect(it.gmail.faults.calls.filter((call) => call === 'drafts.send')).toHaveLength(2)
    expect(boxOf(user).sent).toHaveLength(1)
  })

  test('is one that was called off, when its own sender comes back late', async () => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.send', { connection: 'held' })
    const slow = user.call('send_email', mail, { key })
    await expect.poll(() => it.gmail.faults.calls).toContain('drafts.send')
    expect(await user.verify('send_email', mail, key, it.isolate())).toBe('not_sent')
    await it.gmail.faults.arrive()
    expect(await slow).toMatchObject({ ok: false, errorType: 'outcome_unknown' })
    expect(await user.rows()).toMatchObject([{ status: 'failed' }])
    expect(await user.verify('send_email', mail, key)).toBe('not_sent')
    expect(boxOf(user).sent).toHaveLength(0)
  })

  test('is unknown, when the draft is gone after the lease', async () => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.send', { connection: 'lost' })
    await user.call('send_email', mail, { key })
    await it.database.sql`
      update askback.tool_executions set effect_started_at = now() - interval '5 minutes' where user_id = ${user.id}`
    expect(await user.verify('send_email', mail, key)).toBe('unknown')
    expect(await user.rows()).toMatchObject([{ status: 'unknown' }])
  })

  test('is unknown, when nobody knows any more whether the draft was sent or called off', async () => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.send', { connection: 'cut' })
    await user.call('send_email', mail, { key })
    it.gmail.faults.plan('drafts.delete', { connection: 'lost' })
    expect(await user.verify('send_email', mail, key)).toBe('unknown')
    expect(await user.verify('send_email', mail, key)).toBe('unknown')
    expect(boxOf(user).sent).toHaveLength(0)
  })

  test('is asked about by one only, when two look at once', async () => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.send', { connection: 'cut' })
    await user.call('send_email', mail, { key })
    const said = await Promise.all(
      [it.isolate(), it.isolate(), it.isolate()].map((isolate) =>
        user.verify('send_email', mail, key, isolate),
      ),
    )
    expect(said).not.toContain('sent')
    expect(said).toContain('not_sent')
    expect(boxOf(user).sent).toHaveLength(0)
  })

  test('is known to all that look at once, when it was sent', async () => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.send', { connection: 'lost' })
    await user.call('send_email', mail, { key })
    const { opened: settled, open: settle } = gate()
    // It has read the record, and asks Gmail while another one settles.
    const slow = it.isolate({
      rpc: (real) =>
        (async (name: never, parameters: never) => {
          if (name === 'amend_note') await settled
          return await real(name, parameters)
        }) as CallRpc,
    })
    it.gmail.faults.calls.length = 0
    const late = user.verify('send_email', mail, key, slow)
    await expect.poll(() => it.gmail.faults.calls).toEqual(['drafts.get'])
    expect(await user.verify('send_email', mail, key)).toBe('sent')
    settle()
    expect(await late).toBe('sent')
  })

  test('is one mail, however often it is clicked, in however many isolates', async () => {
    const user = await it.user()
    const key = randomUUID()
    const isolates = [it.isolate(), it.isolate(), it.isolate(), it.isolate()]
    const answers = await Promise.all(
      isolates.map((isolate) => user.call('send_email', mail, { key, isolate })),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(boxOf(user).sent).toHaveLength(1)
    expect(boxOf(user).drafts.size).toBe(0)
  })

  test.each([
    'rateLimitExceeded',
    'userRateLimitExceeded',
    'tooManyRequests',
    'retryAfter',
    'sendingLimit',
    'dailyLimitExceeded',
    'insufficientPermissions',
    'accessNotConfigured',
    'domainPolicy',
    'delegationDenied',
    'badRequest',
    'failedPrecondition',
    'uploadTooLarge',
  ])('was not sent, when Gmail refuses it with %s, and leaves no draft', async (reason) => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.send', { answer: errorNamed(reason) })
    const refused = await user.call('send_email', mail, { key })
    expect(refused).toMatchObject({ ok: false })
    expect(refused.errorType).not.toBe('outcome_unknown')
    expect(await user.rows()).toMatchObject([{ status: 'failed' }])
    expect(boxOf(user).drafts.size).toBe(0)
    expect(await user.call('send_email', mail, { key })).toMatchObject({ ok: true })
    expect(boxOf(user).sent).toHaveLength(1)
  })

  test.each(['lost', 'cut'] as const)(
    'provably did not go out, when the request for a draft was %s, and leaves none',
    async (connection) => {
      const user = await it.user()
      it.gmail.faults.plan('drafts.create', { connection })
      const failed = await user.call('send_email', mail)
      expect(failed).toMatchObject({ errorType: 'unavailable', resolver: 'time' })
      expect(await user.rows()).toMatchObject([{ status: 'failed' }])
      expect(boxOf(user).sent).toHaveLength(0)
      expect(boxOf(user).drafts.size).toBe(0)
    },
  )

  test.each(['before', 'after'] as const)(
    'is not sent, and leaves no draft, when the database goes away %s the draft is noted',
    async (when) => {
      const user = await it.user()
      const key = randomUUID()
      const rpc = (real: CallRpc): CallRpc =>
        (async (called: never, parameters: never) => {
          if (called !== 'note_effect' || it.gmail.faults.calls.length === 0)
            return await real(called, parameters)
          if (when === 'after') await real(called, parameters)
          throw new DatabaseError('connection lost', { transient: true })
        }) as CallRpc
      const failed = await user.call('send_email', mail, { key, isolate: it.isolate({ rpc }) })
      expect(failed).toMatchObject({ errorType: 'outcome_unknown' })
      expect(await user.verify('send_email', mail, key)).toBe('not_sent')
      expect(boxOf(user).sent).toHaveLength(0)
      expect(boxOf(user).drafts.size).toBe(0)
      expect(await user.call('send_email', mail, { key })).toMatchObject({ ok: true })
      expect(boxOf(user).sent).toHaveLength(1)
      expect(boxOf(user).drafts.size).toBe(0)
    },
  )
})

describe('a process that is killed', () => {
  test.each([
    ['before it may begin', 'begin_effect', 'before', 1, 'unknown', 0],
    ['right after it may begin', 'begin_effect', 'after', 1, 'not_sent', 0],
    ['before it notes that it begins', 'note_effect', 'before', 1, 'not_sent', 0],
    ['after it has noted that it begins', 'note_effect', 'after', 1, 'not_sent', 0],
    ['before the draft is noted', 'note_effect', 'before', 2, 'not_sent', 0],
    ['after the draft is noted', 'note_effect', 'after', 2, 'not_sent', 0],
    ['after the mail was sent', 'settle_invocation', 'before', 1, 'sent', 1],
    ['after it has settled', 'settle_invocation', 'after', 1, 'sent', 1],
  ] as const)('%s sends nothing twice', async (_, rpc, when, nth, verdict, mails) => {
    const user = await it.user()
    const key = randomUUID()
    void user.call('send_email', mail, { key, isolate: killedAt(rpc, when, nth) })
    const steps = { begin_effect: 0, note_effect: nth - 1, settle_invocation: 2 }
    await expect.poll(() => it.gmail.faults.calls.length).toBe(steps[rpc])
    if (rpc !== 'begin_effect') await expect.poll(user.rows).toHaveLength(1)
    if (when === 'after') {
      const isThere = {
        begin_effect: () => user.rows().then((rows) => rows.length === 1),
        note_effect: () =>
          user.rows().then(([row]) => row?.note != null && 'draftId' in row.note === nth > 1),
        settle_invocation: () => user.rows().then(([row]) => row?.status === 'succeeded'),
      }
      await expect.poll(isThere[rpc]).toBe(true)
    }
    expect(boxOf(user).sent).toHaveLength(mails)
    expect(await user.verify('send_email', mail, key)).toBe(verdict)
    expect(boxOf(user).drafts.size).toBe(0)
    expect(await user.call('send_email', mail, { key })).toMatchObject({ ok: true })
    expect(boxOf(user).sent).toHaveLength(1)
    expect(boxOf(user).drafts.size).toBe(0)
  })

  test('that wakes up after it was called off does nothing any more', async () => {
    const user = await it.user()
    const key = randomUUID()
    const { opened: asleep, open: wake } = gate()
    const sleepy = it.isolate({
      rpc: (real) =>
        (async (name: never, parameters: never) => {
          if (name === 'note_effect' && it.gmail.faults.calls.length > 0) await asleep
          return await real(name, parameters)
        }) as CallRpc,
    })
    const late = user.call('send_email', mail, { key, isolate: sleepy })
    await expect.poll(() => it.gmail.faults.calls).toContain('drafts.create')
    expect(await user.verify('send_email', mail, key)).toBe('not_sent')
    wake()
    expect(await late).toMatchObject({ errorType: 'cancelled' })
    expect(boxOf(user).sent).toHaveLength(0)
    expect(boxOf(user).drafts.size).toBe(0)
  })
})

describe('a mail with nothing but the permission to send', () => {
  test('goes out without a draft', async () => {
    const user = await it.user({ scopes: [gmailScopes.send] })
    expect(await user.call('send_email', mail)).toMatchObject({ ok: true })
    expect(it.gmail.faults.calls).toEqual(['messages.send'])
  })

  test.each(['lost', 'cut'] as const)('is asked about, when it is %s', async (connection) => {
    const user = await it.user({ scopes: [gmailScopes.send] })
    const key = randomUUID()
    it.gmail.faults.plan('messages.send', { connection })
    const lost = await user.call('send_email', mail, { key })
    expect(lost).toMatchObject({ errorType: 'outcome_unknown', resolver: 'user' })
    expect(await user.verify('send_email', mail, key)).toBe('unknown')
    expect(await user.call('send_email', mail, { key })).toEqual(lost)
    expect(boxOf(user).sent).toHaveLength(connection === 'cut' ? 0 : 1)
  })

  test('was not sent, when its process died before it noted that it would', async () => {
    const user = await it.user({ scopes: [gmailScopes.send] })
    const key = randomUUID()
    void user.call('send_email', mail, { key, isolate: killedAt('note_effect', 'before') })
    await expect.poll(async () => (await user.rows()).length).toBe(1)
    expect(await user.verify('send_email', mail, key)).toBe('not_sent')
    expect(await user.call('send_email', mail, { key })).toMatchObject({ ok: true })
    expect(boxOf(user).sent).toHaveLength(1)
  })
})

describe('other writes whose reply is lost', () => {
  test('a draft is found by its Message-ID, and asked about where Gmail gave it another', async () => {
    const user = await it.user()
    const key = randomUUID()
    it.gmail.faults.plan('drafts.create', { connection: 'lost' })
    expect(await user.call('create_draft', mail, { key })).toMatchObject({ errorType: 'outcome_unknown' })
    expect(await user.verify('create_draft', mail, key)).toBe('sent')
    const other = randomUUID()
    it.gmail.faults.plan('drafts.create', { connection: 'cut' })
    await user.call('create_draft', mail, { key: other })
    expect(await user.verify('create_draft', mail, other)).toBe('unknown')
    expect(boxOf(user).drafts.size).toBe(1)
  })

  test.each([
    ['mark_read', 'lost', 'sent'],
    ['mark_read', 'cut', 'not_sent'],
    ['star', 'lost', 'sent'],
    ['archive', 'cut', 'not_sent'],
    ['delete', 'lost', 'sent'],
  ] as const)('%s, %s: %s', async (action, connection, verdict) => {
    const user = await it.user()
    const ids = [1, 2].map(() => boxOf(user).deliver('Subject: x\r\n\r\ny').id)
    const key = randomUUID()
    const params = { action, message_ids: ids }
    it.gmail.faults.plan('messages.batchModify', { connection })
    expect(await user.call('email_actions', params, { key })).toMatchObject({ errorType: 'outcome_unknown' })
    expect(await user.verify('email_actions', params, key)).toBe(verdict)
    expect(await user.call('email_actions', params, { key })).toMatchObject({ ok: true })
  })

  test('delete_forever and a label', async () => {
    const user = await it.user({ scopes: [gmailScopes.all] })
    const { id } = boxOf(user).deliver('Subject: x\r\n\r\ny')
    const key = randomUUID()
    const params = { action: 'delete_forever', message_ids: [id] }
    it.gmail.faults.plan('messages.batchDelete', { connection: 'lost' })
    await user.call('email_actions', params, { key })
    expect(await user.verify('email_actions', params, key)).toBe('sent')
    const label = { action: 'create', label_name: 'Invoices' }
    const labelKey = randomUUID()
    it.gmail.faults.plan('labels.create', { connection: 'lost' })
    await user.call('manage_labels', label, { key: labelKey })
    expect(await user.verify('manage_labels', label, labelKey)).toBe('sent')
  })
})
