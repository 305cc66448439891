import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Closed, DecisionEntry, Entry, QuestionEntry } from '../../../shared/engine/transcript/entry.ts'
import { openItems, replaces } from '../../../shared/engine/transcript/open-items.ts'
import {
  type Answer,
  callEntries,
  connectAs,
  decisionEntry,
  numbered,
  question,
  refused,
  sent,
  userMessage,
} from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { some } from '../../../support/test-all.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

const form = question({ kind: 'input', itemId: 'call-1.form', intent: 1, open: ['to'] })
const soon = () => new Date(Date.now() + 3_600_000).toISOString()

/** A turn that ends while it waits for somebody. */
async function ask(...asked: QuestionEntry[]): Promise<Answer> {
  const turn = await chat.post({ messages: [userMessage(randomUUID(), 'Write to Ada.')] })
  await db.finish(turn.runId, { status: 'needs_input', entries: numbered(asked) })
  return turn
}

const resume = (answer: Record<string, unknown>, user = chat.user): Promise<Answer> =>
  db.call('begin_resume', user, chat.id, { runId: randomUUID(), ...answer })
const approve = (itemId: string) => resume({ type: 'approval', itemId, decision: 'approve' })
const list = (user = chat.user): Promise<Answer[]> => db.call('list_items', user, chat.id)
const ids = async () => (await list()).map(({ itemId }) => itemId)

/** As apps read it over the data API. */
async function openCount(): Promise<number> {
  const [found] = await db.service`
    select open_count from conversations where user_id = ${chat.user} and id = ${chat.id}`
  return found?.open_count
}

interface Row {
  closed_as: string | null
  message_id: string
}

async function row(itemId: string): Promise<Row | undefined> {
  const [found] = await db.service`
    select closed_as, message_id from open_items where user_id = ${chat.user} and id = ${itemId}`
  return found as Row | undefined
}

/** What is said in the conversation as it stands, in order. */
async function readEntries(user: string, conversationId: string): Promise<Entry[]> {
  const rows = await db.service`
    select e.entry from entries e
    join runs r on r.id = e.run_id
    join messages m on m.user_id = e.user_id and m.conversation_id = e.conversation_id and m.id = e.message_id
    where e.user_id = ${user} and e.conversation_id = ${conversationId} and m.superseded_at is null
    order by m.position, r.started_at, e.sequence`
  return rows.map(({ entry }) => entry as Entry)
}

describe('an item', () => {
  test('is open from the entry that asks it, with what its card needs, until an entry closes it', async () => {
    const turn = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    await db.call('heartbeat_run', turn.runId, 15, numbered([form]))
    expect(await list()).toMatchObject([
      {
        itemId: form.itemId,
        conversationId: chat.id,
        messageId: turn.messageId,
        agentId: turn.agent.id,
        type: 'input',
        toolCallId: 'call-1',
        entry: form,
        write: null,
        account: null,
        tool: { name: 'smtp_send_email' },
      },
    ])
    await db.finish(turn.runId, { status: 'needs_input' })
    const next = await resume({ type: 'input', itemId: form.itemId, values: { to: 'ada@example.com' } })
    expect(next.decided).toMatchObject([{ itemId: form.itemId, entry: form }])
    expect(await ids()).toEqual([form.itemId])
    await db.call('heartbeat_run', next.runId, 15, numbered([decisionEntry(form, 'answer')]))
    expect(await list()).toEqual([])
    expect(await row(form.itemId)).toMatchObject({ closed_as: 'answer' })
  })

  test('is counted in the list of conversations', async () => {
    const first = question({ intent: 1, askedAt: '2026-01-02T03:04:05.000Z' })
    const second = question({ toolCallId: 'call-2', intent: 2, kind: 'connection' })
    await ask(first, second, question({ toolCallId: 'call-3', intent: 3 }))
    await new DatabaseConversation(db, chat.user).exchange('m1', 'Hello', 'Hello.')
    expect((await db.call('list_conversations', chat.user)).conversations).toMatchObject([
      { open: { count: 0, kinds: [], oldest: null } },
      { id: chat.id, open: { count: 3, kinds: ['approval', 'connection'] } },
    ])
    const [, { open }] = (await db.call('list_conversations', chat.user)).conversations
    expect(new Date(open.oldest).toISOString()).toBe(first.askedAt)
  })

  test('counts where its user can decide it, and not where the clock does', async () => {
    await ask(form, question({ toolCallId: 'call-2', intent: 2, kind: 'wait', resumeAt: soon() }))
    expect(await openCount()).toBe(1)
    const next = await resume({ type: 'input', itemId: form.itemId, values: { to: 'ada@example.com' } })
    await db.call('heartbeat_run', next.runId, 15, numbered([decisionEntry(form, 'answer')]))
    expect(await openCount()).toBe(0)
  })

  test('of an intent and of a call is one at most: the next one replaces it', async () => {
    const again = question({ toolCallId: 'call-2', intent: 1 })
    const other = question({ toolCallId: 'call-3', intent: 2 })
    await ask(form, other, again)
    expect((await ids()).sort()).toEqual([again.itemId, other.itemId])
    expect(await row(form.itemId)).toMatchObject({ closed_as: 'replaced' })
    await ask(question({ toolCallId: 'call-3', itemId: 'call-3.again', intent: 9 }))
    expect((await ids()).sort()).toEqual([again.itemId, 'call-3.again'])
  })

  test('that comes again, late, opens and closes nothing', async () => {
    const turn = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    const again = question({ itemId: 'call-1.again', intent: 1 })
    const heartbeat = (entries: object[], first: number) =>
      db.call('heartbeat_run', turn.runId, 15, numbered(entries, first))
    await heartbeat([form], 0)
    await heartbeat([again], 1)
    // A request whose reply was lost was sent again, and is slow.
    await heartbeat([form], 0)
    expect(await ids()).toEqual([again.itemId])
  })

  test('that a stopped run asks late does not take the place of what a newer message asks', async () => {
    const old = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    const next = await chat.post({ messages: [userMessage('u2', 'And to Bob.')] })
    // Room is left for the calls of the run that is stopping.
    expect(next.nextIntent).toBeGreaterThan(old.nextIntent + 320)
    const newer = question({ toolCallId: 'call-2', intent: 1 })
    await db.finish(next.runId, { status: 'needs_approval', entries: numbered([newer]) })
    await db.finish(old.runId, { status: 'needs_input', entries: numbered([form]) })
    expect(await ids()).toEqual([newer.itemId])
    expect(openItems(await readEntries(chat.user, chat.id))).toEqual([newer])
  })

  test('keeps the rules of its agent, and does not choose who answers next', async () => {
    const turn = await ask(form)
    const [other] = await db.service`
      insert into agents (user_id, name, instructions) values (${chat.user}, 'Other', 'Be brief.') returning id`
    const next = await chat.postText('u2', 'Hello', { agentId: String(other?.id) })
    await db.finish(next.runId)
    const answered = await resume({ type: 'input', itemId: form.itemId })
    expect(answered.agent.id).toBe(turn.agent.id)
    const [kept] = await db.service`select agent_id from conversations where id = ${chat.id}`
    expect(kept?.agent_id).toBe(other?.id)
  })
})

describe('a decision', () => {
  test('counts once: of twelve at the same moment one goes on', async () => {
    await ask(question())
    const clicks = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        resume({
          type: 'approval',
          itemId: 'call-1.asked',
          decision: number % 3 === 0 ? 'deny' : 'approve',
        }),
      ),
    )
    const counts = (kind: string, code?: string) =>
      clicks.filter((click) => click.kind === kind && click.code === code).length
    const [winner] = clicks.filter(({ kind }) => kind === 'continue')
    const agree = winner.decided[0].made.as === 'approve' ? 8 : 4
    expect(counts('continue')).toBe(1)
    expect(counts('join')).toBe(agree - 1)
    expect(counts('error', 'already_decided')).toBe(12 - agree)
  })

  test('made again gets its outcome, another one is told that it was decided', async () => {
    await ask(question())
    const run = await approve('call-1.asked')
    await db.finish(run.runId, { text: 'Sent.', entries: numbered([decisionEntry(question())]) })
    expect(await approve('call-1.asked')).toMatchObject({ kind: 'return', run: { runId: run.runId } })
    for (const other of [
      { decision: 'deny' },
      { decision: 'draft' },
      { decision: 'approve', input: { to: ['bob@example.com'] } },
    ]) {
      expect(await resume({ type: 'approval', itemId: 'call-1.asked', ...other })).toMatchObject({
        kind: 'error',
        code: 'already_decided',
      })
    }
  })

  test('with other values is another one, while it is carried out and afterwards', async () => {
    await ask(form)
    const answer = (to: string) => resume({ type: 'input', itemId: form.itemId, values: { to } })
    const run = await answer('ada@example.com')
    expect(await answer('ada@example.com')).toMatchObject({ kind: 'join', runId: run.runId })
    expect(await answer('bob@example.com')).toMatchObject({ code: 'already_decided' })
    expect(await resume({ type: 'skip', itemId: form.itemId })).toMatchObject({ code: 'already_decided' })
    await db.finish(run.runId, { entries: numbered([decisionEntry(form, 'answer')]) })
    expect(await answer('ada@example.com')).toMatchObject({ kind: 'return', run: { runId: run.runId } })
    expect(await answer('bob@example.com')).toMatchObject({ code: 'already_decided' })
  })

  test('that did not fit, and was asked again, gets its outcome too', async () => {
    await ask(form)
    const answer = { type: 'input', itemId: form.itemId, values: { to: 'nobody' } }
    const run = await resume(answer)
    const again = { ...form, itemId: 'call-1.again' }
    const closed = { type: 'closed', itemId: form.itemId, toolCallId: 'call-1', as: 'replaced' }
    await db.finish(run.runId, { status: 'needs_input', entries: numbered([closed, again]) })
    expect(await resume(answer)).toMatchObject({ kind: 'return', run: { runId: run.runId } })
    expect(await ids()).toEqual(['call-1.again'])
  })

  test('on an item that was replaced, on one that never was, and of another kind', async () => {
    await ask(form, question({ itemId: 'call-1.newer', intent: 1 }))
    expect(await resume({ type: 'input', itemId: form.itemId })).toMatchObject({ code: 'already_decided' })
    expect(await approve('call-1.never')).toMatchObject({ code: 'item_not_found' })
    expect(await approve(`unknown.${randomUUID()}`)).toMatchObject({ code: 'item_not_found' })
    expect(await resume({ type: 'skip', itemId: 'call-1.newer' })).toMatchObject({ code: 'item_not_found' })
    const wrongCall = { type: 'approval', itemId: 'call-1.newer', toolCallId: 'call-2', decision: 'approve' }
    expect(await resume(wrongCall)).toMatchObject({ code: 'item_not_found' })
    expect(await ids()).toEqual(['call-1.newer'])
  })

  test('waits while another run works in the conversation, on another item too', async () => {
    await ask(form, question({ toolCallId: 'call-2', intent: 2 }))
    const first = await approve('call-2.asked')
    expect(await resume({ type: 'input', itemId: form.itemId })).toMatchObject({
      kind: 'busy',
      runId: first.runId,
      messageId: first.messageId,
    })
    await db.finish(first.runId, { entries: numbered([decisionEntry(question({ toolCallId: 'call-2' }))]) })
    expect(await resume({ type: 'input', itemId: form.itemId })).toMatchObject({ kind: 'continue' })
  })

  test('of two in one click each keeps its own', async () => {
    const turn = await ask(question({ intent: 1 }), question({ toolCallId: 'call-2', intent: 2 }))
    const about = (toolCallId: string, approved: boolean) => ({
      messageId: turn.messageId,
      toolCallId,
      approvalId: `${toolCallId}.asked`,
      approved,
    })
    const decisions = [about('call-1', true), about('call-2', false)]
    const run = await chat.post({ messageId: turn.messageId, decisions })
    expect(run).toMatchObject({
      kind: 'continue',
      decided: [{ toolCallId: 'call-1' }, { toolCallId: 'call-2' }],
    })
    const second = { type: 'approval', itemId: 'call-2.asked' }
    expect(await resume({ ...second, decision: 'deny' })).toMatchObject({ kind: 'join', runId: run.runId })
    expect(await resume({ ...second, decision: 'approve' })).toMatchObject({ code: 'already_decided' })
  })

  test('whose process died before it wrote can be made otherwise; what it wrote is taken up', async () => {
    await ask(question())
    const silent = await approve('call-1.asked')
    await db.loseLease(silent.runId)
    const denied = await resume({ type: 'approval', itemId: 'call-1.asked', decision: 'deny' })
    expect(denied).toMatchObject({ kind: 'continue', decided: [{ itemId: 'call-1.asked' }] })
    const entry = decisionEntry(question(), 'deny')
    await db.call('heartbeat_run', denied.runId, 15, numbered([entry]))
    await db.loseLease(denied.runId)
    expect(await approve('call-1.asked')).toMatchObject({ code: 'already_decided' })
    const again = await resume({ type: 'approval', itemId: 'call-1.asked', decision: 'deny' })
    expect(again).toMatchObject({ kind: 'run', decided: [], messageId: denied.messageId })
    expect(again.entries.at(-1)).toMatchObject({ entry })
    expect(await db.finish(silent.runId)).toMatchObject({ status: 'interrupted' })
  })

  test('whose reply was lost begins one run', async () => {
    await ask(question())
    const answer = { runId: randomUUID(), type: 'approval', itemId: 'call-1.asked', decision: 'approve' }
    const [first, second] = await Promise.all([resume(answer), resume(answer)])
    expect(first).toEqual(second)
    await db.finish(answer.runId)
    expect(await resume(answer)).toMatchObject({ kind: 'return', run: { runId: answer.runId } })
  })
})

describe('an answer in the chat', () => {
  test('closes the form as its write is claimed; the form then counts no more', async () => {
    await ask(form)
    const turn = await chat.post({ messages: [userMessage('u2', 'To Ada.')] })
    const said = { continues: form.itemId, intent: 1 }
    const claim = await db.claim(turn.runId, said)
    expect(claim.claimed).toBe(true)
    expect(await row(form.itemId)).toMatchObject({ closed_as: 'replaced' })
    expect(await resume({ type: 'input', itemId: form.itemId })).toMatchObject({ code: 'already_decided' })
  })

  test('that is not claimed closes nothing', async () => {
    await ask(form)
    const turn = await chat.post({ messages: [userMessage('u2', 'To Ada.')] })
    await db.call('stop_run', chat.user, chat.id)
    expect(await db.claim(turn.runId, { continues: form.itemId })).toMatchObject({ claimed: false })
    expect(await ids()).toEqual([form.itemId])
  })

  test('and the form at the same moment: one of them goes on', async () => {
    for (let round = 0; round < 10; round++) {
      chat = new DatabaseConversation(db, chat.user)
      await ask(form)
      const turn = await chat.post({ messages: [userMessage('u2', 'To Ada.')] })
      const [claim, answer] = await Promise.all([
        db.claim(turn.runId, { continues: form.itemId }),
        resume({ type: 'input', itemId: form.itemId, values: {} }),
      ])
      expect(claim.claimed).toBe(true)
      expect(['busy', 'already_decided']).toContain(answer.code ?? answer.kind)
    }
  })
})

describe('what an edit or a regenerate cuts off', () => {
  test('is replaced, but for writes that may have happened', async () => {
    const unknown = question({ toolCallId: 'call-2', intent: 2, outcomeUnknown: true })
    const turn = await ask(form, unknown)
    const edit = await chat.post({ messageId: turn.userMessageId, messages: [userMessage('u9', 'To Bob.')] })
    expect(await row(form.itemId)).toMatchObject({ closed_as: 'replaced' })
    expect(await ids()).toEqual([unknown.itemId])
    expect(edit.priorWrites).toEqual([])
    await db.finish(edit.runId)
    const decided = await approve(unknown.itemId)
    expect(decided).toMatchObject({
      kind: 'continue',
      messageId: edit.messageId,
      decided: [{ itemId: unknown.itemId, entry: unknown }],
    })
    // The newest message asks it first, and it is shown there from now on.
    await db.call('heartbeat_run', decided.runId, 15, numbered([unknown]))
    expect(await row(unknown.itemId)).toEqual({ closed_as: null, message_id: edit.messageId })
    await db.finish(decided.runId, { entries: numbered([decisionEntry(unknown)], 1) })
    expect(await row(unknown.itemId)).toMatchObject({ closed_as: 'approve' })
    expect(await approve(unknown.itemId)).toMatchObject({ kind: 'return', run: { runId: decided.runId } })
  })

  test('can be decided by a client of the AI SDK as well', async () => {
    const unknown = question({ outcomeUnknown: true })
    const turn = await ask(unknown)
    const edit = await chat.post({ messageId: turn.userMessageId, messages: [userMessage('u9', 'To Bob.')] })
    await db.finish(edit.runId)
    const late = await chat.decide(turn.messageId, true)
    expect(late).toMatchObject({
      kind: 'continue',
      messageId: edit.messageId,
      decided: [{ entry: unknown }],
    })
  })

  test('asks nothing any more, whatever its run still writes, but for such writes', async () => {
    const turn = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    await chat.post({ messageId: 'u1', messages: [userMessage('u1', 'To Bob.')] })
    const unknown = question({ toolCallId: 'call-2', intent: 2, outcomeUnknown: true })
    await db.finish(turn.runId, { status: 'needs_input', entries: numbered([form, unknown]) })
    expect(await ids()).toEqual([unknown.itemId])
    expect(await row(form.itemId)).toMatchObject({ closed_as: 'replaced' })
  })
})

describe('a wait', () => {
  const wait = (resumeAt: string) => question({ kind: 'wait', itemId: 'call-1.wait', intent: 1, resumeAt })

  async function park(resumeAt = soon()): Promise<Answer> {
    const turn = await chat.post({ messages: [userMessage('u1', 'Search.')] })
    await db.finish(turn.runId, { status: 'waiting', entries: numbered([wait(resumeAt)]) })
    return turn
  }
  const due = async () =>
    (await db.call('askback_private.due_runs', 1000)).filter((one: Answer) => one.userId === chat.user)
  test('counts until the clock has closed it', async () => {
    await ask(
      question({ expiresAt: new Date(Date.now() + 1500).toISOString() }),
      question({ toolCallId: 'call-2', intent: 2 }),
    )
    expect(await openCount()).toBe(2)
    const tick = async () => {
      await db.call('askback_private.due_runs', 10)
      return openCount()
    }
    await expect.poll(tick).toBe(1)
    expect(await row('call-1.asked')).toMatchObject({ closed_as: 'expired' })
  })

  const status = async (runId: string) => (await db.call('get_run', chat.user, runId)).status

  test('ends with the next message of the user', async () => {
    const turn = await park(new Date().toISOString())
    await chat.exchange('u2', 'Forget it.', 'Yes.')
    expect(await row('call-1.wait')).toMatchObject({ closed_as: 'message' })
    expect(await status(turn.runId)).toBe('stopped')
    expect(await due()).toEqual([])
    expect(await resume({ type: 'wait', itemId: 'call-1.wait' })).toMatchObject({ kind: 'return' })
    expect(openItems(await readEntries(chat.user, chat.id))).toEqual([])
  })

  test('ends with a stop, whose entry says so', async () => {
    const turn = await park()
    expect(await db.call('stop_run', chat.user, chat.id)).toEqual({ runId: turn.runId })
    expect(await db.statusOf(turn.runId)).toBe('stopped')
    expect(await row('call-1.wait')).toMatchObject({ closed_as: 'stop' })
    const entries = await readEntries(chat.user, chat.id)
    expect(entries.at(-1)).toEqual({
      type: 'closed',
      itemId: 'call-1.wait',
      toolCallId: 'call-1',
      as: 'stop',
    })
    expect(openItems(entries)).toEqual([])
  })

  test('is gone on with by the clock, once, when its time has come', async () => {
    await park()
    expect(await resume({ type: 'wait', itemId: 'call-1.wait' })).toMatchObject({ code: 'not_due' })
    await db.service`update open_items set resume_at = now() where user_id = ${chat.user}`
    expect(await due()).toMatchObject([{ conversationId: chat.id, itemId: 'call-1.wait' }])
    const [one, other] = await Promise.all([
      resume({ type: 'resume' }),
      resume({ type: 'wait', itemId: 'call-1.wait' }),
    ])
    expect([one.kind, other.kind].sort()).toEqual(['continue', 'join'])
    expect(await due()).toEqual([])
    const run = one.kind === 'continue' ? one : other
    await db.finish(run.runId, { entries: numbered([decisionEntry(wait(''), 'time')]) })
    expect(await row('call-1.wait')).toMatchObject({ closed_as: 'time' })
    expect(await resume({ type: 'resume', itemId: 'call-1.wait' })).toMatchObject({ kind: 'return' })
  })

  test('of a run that was stopped before it waited fires never', async () => {
    const turn = await chat.post({ messages: [userMessage('u1', 'Search.')] })
    await db.call('stop_run', chat.user, chat.id)
    const entries = numbered([wait(new Date().toISOString())])
    expect(await db.finish(turn.runId, { status: 'waiting', entries })).toMatchObject({
      status: 'stopped',
      pending: [],
    })
    expect(await row('call-1.wait')).toMatchObject({ closed_as: 'stop' })
    expect(await due()).toEqual([])
  })

  test('of a run that begins to wait after its lease, when the user has written since, fires never', async () => {
    const turn = await chat.post({ messages: [userMessage('u1', 'Search.')] })
    await db.loseLease(turn.runId)
    await chat.exchange('u2', 'Forget it.', 'Yes.')
    const entries = numbered([wait(new Date().toISOString())])
    expect(await db.finish(turn.runId, { status: 'waiting', entries })).toMatchObject({ status: 'stopped' })
    expect(await due()).toEqual([])
    expect(await row('call-1.wait')).toMatchObject({ closed_as: 'message' })
    expect(openItems(await readEntries(chat.user, chat.id))).toEqual([])
  })

  test('of a run whose process died after it was stopped ends too', async () => {
    const turn = await chat.post({ messages: [userMessage('u1', 'Search.')] })
    await db.call('heartbeat_run', turn.runId, 15, numbered([wait(new Date().toISOString())]))
    await db.service`update runs set status = 'stopping' where id = ${turn.runId}`
    await db.loseLease(turn.runId)
    expect(await due()).toEqual([])
    expect(await row('call-1.wait')).toMatchObject({ closed_as: 'stop' })
  })

  test('lets a connection go on before it', async () => {
    const connection = question({ kind: 'connection', toolCallId: 'call-2', intent: 2 })
    await ask(connection, wait(soon()))
    expect(await resume({ type: 'resume' })).toMatchObject({ decided: [{ itemId: connection.itemId }] })
  })
})

describe('approvals that gave way to calls for other people', () => {
  test('are both asked anew when one request approves both', async () => {
    const [first, second] = [1, 2].map((intent) => question({ toolCallId: `call-${intent}`, intent })) as [
      QuestionEntry,
      QuestionEntry,
    ]
    const turn = await ask(first, second)
    const later = await chat.postText('u2', 'No, to Bob and Carol.')
    const yielded = [first, second].map(({ itemId, toolCallId }) => ({
      type: 'closed',
      itemId,
      toolCallId,
      as: 'yielded',
    }))
    await db.finish(later.runId, { entries: numbered(yielded) })
    const decisions = [first, second].map(({ itemId, toolCallId }) => ({
      messageId: turn.messageId,
      toolCallId,
      approvalId: itemId,
      approved: true,
    }))
    const { decided } = await chat.decide(turn.messageId, true, 'call-1', { decisions })
    expect(new Set(decided.map(({ entry }: Answer) => entry.intent)).size).toBe(2)
  })
})

describe('what an open item relies on', () => {
  test('is what the last of several writes saw that are stored at once', async () => {
    const asked = question({ toolCallId: 'call-1' })
    const turn = await chat.postText('u1', 'Replace it.')
    await db.finish(turn.runId, {
      status: 'needs_approval',
      entries: [{ ...numbered([asked])[0], private: { seen: { places: 1 }, state: 's' } }],
    })
    const { runId } = await chat.postText('u2', 'Add two lines.')
    const writes = [2, 3, 4].map((places) => ({
      sequence: places,
      entry: {
        type: 'result',
        toolCallId: `write-${places}`,
        status: 'succeeded',
        result: { ok: true, data: null },
      },
      private: { seen: { [asked.itemId]: { places } } },
    }))
    await db.call('heartbeat_run', runId, 15, writes)
    const [row] = await db.service`
      select private from entries where run_id = ${turn.runId} and type = 'question'`
    expect(row).toEqual({ private: { seen: { places: 4 }, state: 's' } })
  })
})

describe('an approval that was open too long', () => {
  const old = question({ expiresAt: new Date(Date.now() - 1000).toISOString(), intent: 1 })
  const anew = question({ itemId: 'call-1.anew', intent: 1 })
  const expired: Closed = { type: 'closed', itemId: old.itemId, toolCallId: 'call-1', as: 'expired' }

  test('is not listed, and the clock closes it with its entry', async () => {
    const turn = await ask(old)
    expect(await ids()).toEqual([])
    expect((await db.call('list_conversations', chat.user)).conversations[0].open.count).toBe(0)
    await db.call('askback_private.due_runs', 10)
    expect(await row(old.itemId)).toMatchObject({ closed_as: 'expired' })
    const entries = await readEntries(chat.user, chat.id)
    expect(entries.at(-1)).toEqual(expired)
    expect(openItems(entries)).toEqual([])
    expect((await chat.page()).closed).toEqual({ [old.itemId]: 'expired' })
    await db.call('askback_private.due_runs', 10)
    expect(await readEntries(chat.user, chat.id)).toHaveLength(entries.length)
    expect(await status(turn.runId)).toBe('needs_input')
  })

  const status = async (runId: string) => (await db.call('get_run', chat.user, runId)).status

  test('is asked anew when it is pressed, once', async () => {
    await ask(old)
    const pressed = await approve(old.itemId)
    expect(pressed).toMatchObject({
      kind: 'continue',
      decided: [{ itemId: old.itemId, expired: true, entry: old }],
    })
    expect(await approve(old.itemId)).toMatchObject({ kind: 'join', runId: pressed.runId })
    await db.finish(pressed.runId, { status: 'needs_approval', entries: numbered([expired, anew]) })
    expect(await ids()).toEqual([anew.itemId])
    expect(await approve(old.itemId)).toMatchObject({ kind: 'return', run: { runId: pressed.runId } })
    expect(await ids()).toEqual([anew.itemId])
  })

  test('is asked anew again when the process that was to ask it died before it wrote anything', async () => {
    await ask(old)
    await db.call('askback_private.due_runs', 10)
    const dead = await approve(old.itemId)
    expect(dead).toMatchObject({ kind: 'continue', decided: [{ expired: true }] })
    await db.loseLease(dead.runId)
    expect(await approve(old.itemId)).toMatchObject({ kind: 'continue', decided: [{ expired: true }] })
  })

  test('is asked anew for a client of the AI SDK too; a late no says what became of it', async () => {
    const turn = await ask(old)
    expect(await chat.decide(turn.messageId, false)).toMatchObject({
      kind: 'return',
      run: { closed: { [old.itemId]: 'expired' } },
    })
    expect(await chat.decide(turn.messageId, true)).toMatchObject({ decided: [{ expired: true }] })
  })

  test('cannot be denied any more', async () => {
    await ask(old)
    expect(await resume({ type: 'approval', itemId: old.itemId, decision: 'deny' })).toMatchObject({
      code: 'already_decided',
    })
  })

  test('that was pressed in time stays pressed', async () => {
    await ask(question({ expiresAt: soon() }))
    const run = await approve('call-1.asked')
    await db.service`update open_items set expires_at = now() - interval '1 second' where user_id = ${chat.user}`
    await db.call('askback_private.due_runs', 10)
    expect(await row('call-1.asked')).toMatchObject({ closed_as: null })
    await db.finish(run.runId, { entries: numbered([decisionEntry(question())]) })
    expect(await row('call-1.asked')).toMatchObject({ closed_as: 'approve' })
  })
})

describe('a write that may have happened, and whose process is gone', () => {
  async function die(): Promise<{ turn: Answer; executionId: string; itemId: string }> {
    const turn = await chat.post({ messages: [userMessage('u1', 'Write to Ada.')] })
    const facts = { toolCallId: 'call-1', intent: 1 }
    const { invocationId } = await db.claim(turn.runId, facts, numbered(callEntries('call-1')))
    await db.loseClaim(invocationId)
    return { turn, executionId: invocationId, itemId: `unknown.${invocationId}` }
  }
  const asked = (itemId: string, facts: Partial<QuestionEntry> = {}) =>
    question({ itemId, intent: 1, outcomeUnknown: true, askedAt: new Date().toISOString(), ...facts })

  test('is open without anybody posting, as soon as nobody works on it', async () => {
    const { turn, itemId } = await die()
    expect(await ids()).toEqual([])
    await db.loseLease(turn.runId)
    expect(await list()).toMatchObject([
      {
        itemId,
        type: 'approval',
        messageId: turn.messageId,
        toolCallId: 'call-1',
        entry: null,
        write: {
          toolName: 'smtp_send_email',
          intent: 1,
          repetition: 0,
          arguments: { subject: 'Meeting' },
        },
      },
    ])
    expect((await db.call('list_conversations', chat.user)).conversations[0].open).toMatchObject({
      count: 1,
      kinds: ['approval'],
    })
    expect((await chat.page()).pending).toMatchObject([{ itemId }])
  })

  test.each(['before', 'after'])(
    'is counted by the clock, when its run is gone %s its claim',
    async (when) => {
      const { turn, executionId, itemId } = await die()
      await db.loseLease(turn.runId)
      if (when === 'before') {
        await db.service`update tool_executions set lease_expires_at = now() + interval '1 minute' where id = ${executionId}`
        await db.call('askback_private.due_runs', 10)
        expect(await openCount()).toBe(0)
        await db.loseClaim(executionId)
      }
      await db.call('askback_private.due_runs', 10)
      expect(await openCount()).toBe(1)
      expect(await ids()).toEqual([itemId])
      await db.call('settle_invocation', chat.user, executionId, 'succeeded', sent, 5)
      expect(await openCount()).toBe(0)
    },
  )

  test('is not open while its claim may still be carried out, nor once it is known', async () => {
    const { turn, executionId, itemId } = await die()
    await db.loseLease(turn.runId)
    await db.service`update tool_executions set lease_expires_at = now() + interval '1 minute' where id = ${executionId}`
    expect(await ids()).toEqual([])
    await db.loseClaim(executionId)
    expect(await ids()).toEqual([itemId])
    await db.call('settle_invocation', chat.user, executionId, 'succeeded', sent, 5)
    expect(await ids()).toEqual([])
    expect(await approve(itemId)).toMatchObject({ code: 'already_decided' })
  })

  test('that did not happen, as its provider says, is open no more', async () => {
    const { turn, executionId } = await die()
    await db.loseLease(turn.runId)
    await db.settle(chat.user, executionId, 'failed', refused, 5)
    expect(await ids()).toEqual([])
  })

  test('is decided like any other, once', async () => {
    const { turn, itemId } = await die()
    await db.loseLease(turn.runId)
    const clicks = await Promise.all(Array.from({ length: 12 }, () => approve(itemId)))
    const kinds = clicks.map(({ kind }) => kind).sort()
    expect(kinds).toEqual(['continue', ...Array(11).fill('join')])
    const run = clicks.find(({ kind }) => kind === 'continue')
    expect(run).toMatchObject({ decided: [{ itemId, write: { toolName: 'smtp_send_email' } }] })
    // Asked at the moment of its claim, in whole milliseconds.
    const item = asked(itemId, { askedAt: new Date(run.decided[0].write.at).toISOString() })
    await db.finish(run.runId, { entries: numbered([item, decisionEntry(item, 'approve')]) })
    expect(await ids()).toEqual([])
    expect(await approve(itemId)).toMatchObject({ kind: 'return', run: { runId: run.runId } })
    expect(await resume({ type: 'approval', itemId, decision: 'deny' })).toMatchObject({
      code: 'already_decided',
    })
  })

  test('waits while the next message is answered, and is replaced by what that asks', async () => {
    const { turn, itemId } = await die()
    await db.loseLease(turn.runId)
    const next = await chat.post({ messages: [userMessage('u2', 'Are you there?')] })
    expect(next.priorWrites).toMatchObject([
      { write: { toolCallId: 'call-1', status: 'unknown' }, isAsked: false },
    ])
    expect(await approve(itemId)).toMatchObject({ kind: 'busy', runId: next.runId })
    const item = asked('call-1.unsure')
    await db.finish(next.runId, { status: 'needs_approval', entries: numbered([item]) })
    expect(await ids()).toEqual([item.itemId])
    expect(await approve(itemId)).toMatchObject({ code: 'already_decided' })
    const denied = await resume({ type: 'approval', itemId: item.itemId, decision: 'deny' })
    await db.finish(denied.runId, { entries: numbered([decisionEntry(item, 'deny')]) })
    expect(await ids()).toEqual([])
    const last = await chat.post({ messages: [userMessage('u3', 'Thanks.')] })
    expect(last.priorWrites).toEqual([])
  })

  test('is open though somebody had consented to it before', async () => {
    await ask(question({ intent: 1 }))
    const run = await approve('call-1.asked')
    const entries = numbered([decisionEntry(question()), ...callEntries('call-1')])
    const { invocationId } = await db.claim(run.runId, { toolCallId: 'call-1', intent: 1 }, entries)
    await db.loseClaim(invocationId)
    await db.loseLease(run.runId)
    expect(await ids()).toEqual([`unknown.${invocationId}`])
    const next = await chat.post({ messages: [userMessage('u2', 'Are you there?')] })
    expect(next.priorWrites).toMatchObject([{ write: { toolCallId: 'call-1' } }])
  })

  test('of a message that was cut off is decided in the newest one', async () => {
    const { turn, itemId } = await die()
    await db.loseLease(turn.runId)
    const edit = await chat.post({ messageId: 'u1', messages: [userMessage('u1', 'To Bob.')] })
    await db.finish(edit.runId)
    expect(await ids()).toEqual([itemId])
    expect(await approve(itemId)).toMatchObject({ kind: 'continue', messageId: edit.messageId })
  })
})

describe('whose it is', () => {
  test('another user reads and decides nothing', async () => {
    await ask(form)
    const stranger = await db.createUser()
    expect(await list(stranger)).toEqual([])
    expect(await db.call('list_items', stranger)).toEqual([])
    expect(await resume({ type: 'input', itemId: form.itemId }, stranger)).toMatchObject({
      code: 'conversation_not_found',
    })
    await new DatabaseConversation(db, stranger).exchange('m1', 'Hello', 'Hello.')
    const theirs = await db.postText(stranger, { conversationId: chat.id, text: 'Hello' })
    await db.finish(theirs.runId)
    expect(await resume({ type: 'input', itemId: form.itemId }, stranger)).toMatchObject({
      code: 'item_not_found',
    })
    const sql = connectAs(database.url, 'authenticated', stranger)
    expect(await sql`select * from open_items`).toEqual([])
    expect(await sql`select id from conversations where open_count > 0`).toEqual([])
    await sql.end()
  })

  test('the owner reads the rows, and calls none of the functions', async () => {
    await ask(form)
    const sql = connectAs(database.url, 'authenticated', chat.user)
    expect(await sql`select id, kind, closed_at from open_items`).toEqual([
      { id: form.itemId, kind: 'input', closed_at: null },
    ])
    expect(await sql`select id, open_count from conversations where open_count > 0`).toEqual([
      { id: chat.id, open_count: 1 },
    ])
    for (const call of [
      sql`select askback.list_items(${chat.user})`,
      sql`select askback_private.items_of(${chat.user})`,
      sql`select askback.begin_resume(${chat.user}, ${chat.id}, '{}')`,
    ]) {
      await expect(call).rejects.toMatchObject({ code: '42501' })
    }
    await sql.end()
  })
})

/** A process that works on a run, and knows what it was told when it began. */
interface Process {
  runId: string
  known: Entry[]
  unstored: object[]
  sequence: number
  nextIntent: number
}

const seeds = some([1, 2, 3, 4, 5, 6], 2)

test.each(seeds)('the rows are what the entries say, whatever happens, %i', async (seed) => {
  const random = seededRandom(seed)
  const pick = <T>(values: readonly T[]): T | undefined => values[random(values.length)]
  const processes: Process[] = []
  const seen = new Set<string>()
  const users: string[] = []
  let names = 0

  const begin = (turn: Answer, decide?: (item: QuestionEntry) => Entry[]) => {
    if (turn.kind !== 'run' && turn.kind !== 'continue') return
    const history = turn.history.flatMap((message: Answer) => message.entries)
    const known = [...history, ...turn.entries].map((stored: Answer) => stored.entry)
    const process = { runId: turn.runId, known, unstored: [], sequence: 0, nextIntent: turn.nextIntent }
    processes.push(process)
    for (const { itemId, entry } of turn.decided) {
      if (!openItems(known).some((item) => item.itemId === itemId)) write(process, entry)
      for (const made of decide?.(entry) ?? []) write(process, made)
    }
  }
  const write = (process: Process, entry: Entry) => {
    process.known.push(entry)
    process.unstored.push({ sequence: process.sequence++, entry })
  }
  const takeUnstored = (process: Process) => process.unstored.splice(0)

  const steps: Record<string, () => Promise<unknown> | unknown> = {
    post: async () => {
      const id = `u${names++}`
      const turn = await chat.post({ messages: [userMessage(id, 'Go on.')] })
      users.push(id)
      begin(turn)
    },
    edit: async () => {
      const id = random(2) === 0 ? users.at(-1) : pick(users)
      if (!id) return
      const turn = await chat.post({ messageId: id, messages: [userMessage(id, `Rather ${names++}.`)] })
      users.splice(users.indexOf(id) + 1)
      begin(turn)
    },
    regenerate: async () => {
      const id = random(2) === 0 ? users.at(-1) : pick(users)
      if (!id) return
      const lastMessage = { id, role: 'user' }
      const turn = await chat.post({ trigger: 'regenerate-message', lastMessage, model: `m${names++}` })
      users.splice(users.indexOf(id) + 1)
      begin(turn)
    },
    ask: () => {
      const process = pick(processes)
      if (!process) return
      const open = openItems(process.known)
      const continued = random(2) === 0 ? pick(open) : undefined
      const toolCallId = continued && random(2) === 0 ? continued.toolCallId : `c${names++}`
      const kind = pick(['input', 'approval', 'connection', 'wait'] as const)
      const asked = question({
        toolCallId,
        itemId: `${toolCallId}.${names++}`,
        intent: continued?.intent ?? process.nextIntent++,
        kind: kind ?? 'input',
        ...(kind === 'approval' && random(3) === 0 ? { outcomeUnknown: true } : {}),
        ...(kind === 'wait' ? { resumeAt: new Date().toISOString() } : {}),
      })
      for (const item of open) {
        if (replaces(asked, item)) {
          write(process, {
            type: 'closed',
            itemId: item.itemId,
            toolCallId: item.toolCallId,
            as: 'replaced',
          })
        }
      }
      write(process, asked)
    },
    say: () => {
      const process = pick(processes)
      if (process) write(process, { type: 'model-text', text: 'Well.' })
    },
    heartbeat: async () => {
      const process = pick(processes)
      if (process) await db.call('heartbeat_run', process.runId, 15, takeUnstored(process))
    },
    claim: async () => {
      const process = pick(processes)
      if (!process) return
      const args = { to: [`${names++}@example.com`] }
      const { unstored } = process
      const facts = { toolCallId: `w${names++}`, arguments: args, intent: process.nextIntent++ }
      const claim = await db.claim(process.runId, facts, unstored)
      if (claim.status !== 'stopped') takeUnstored(process)
      if (!claim.claimed) return
      await db.call('settle_invocation', chat.user, claim.invocationId, 'succeeded', sent, 1)
    },
    finish: async () => {
      const process = processes.splice(random(processes.length), 1)[0]
      if (!process) return
      const waits = openItems(process.known).some(({ kind }) => kind === 'wait')
      const end = { type: 'run-end', status: waits ? 'waiting' : 'completed' }
      const entries = [...takeUnstored(process), { sequence: process.sequence, entry: end }]
      await db.call('finish_run', process.runId, { status: end.status, entries, invocations: [] })
    },
    die: async () => {
      const process = processes.splice(random(processes.length), 1)[0]
      if (process) await db.loseLease(process.runId)
    },
    stop: () => db.call('stop_run', chat.user, chat.id),
    decide: async () => {
      const item = pick(await list())
      if (!item || item.entry === null) return
      const made = {
        input: { type: 'input', decision: 'answer' },
        approval: { type: 'approval', decision: pick(['approve', 'deny', 'draft']) },
        connection: { type: 'connection', decision: 'connect' },
        wait: { type: 'wait', decision: 'time' },
      }[item.type as QuestionEntry['kind']]
      const answer = made.type === 'approval' ? made : { type: made.type }
      const decide = () => resume({ ...answer, itemId: item.itemId })
      let turn = await decide()
      if (turn.kind === 'busy') {
        while (processes.length > 0) await steps.finish?.()
        turn = await decide()
      }
      seen.add(turn.kind)
      begin(turn, (asked) => [decisionEntry(asked, made.decision as DecisionEntry['decision'])])
    },
    tick: () => db.call('askback_private.due_runs', 100),
  }
  const often = ['ask', 'ask', 'ask', 'heartbeat', 'heartbeat', 'claim', 'decide', 'finish', 'post']
  const kinds = [...Object.keys(steps), ...often, ...often, ...often]
  await steps.post?.()
  for (let step = 0; step < 150; step++) {
    const kind = pick(kinds) ?? 'post'
    await steps[kind]?.()
    const rows = await db.service`
      select i.id, i.kind, i.outcome_unknown, m.superseded_at is not null as cut
      from open_items i
      join messages m on m.user_id = i.user_id and m.conversation_id = i.conversation_id and m.id = i.message_id
      where i.user_id = ${chat.user} and i.closed_at is null order by i.id`
    const current = rows.filter(({ cut }) => !cut).map(({ id }) => id)
    const expected = openItems(await readEntries(chat.user, chat.id)).map(({ itemId }) => itemId)
    expect(current, `step ${step}: ${kind}`).toEqual(expected.sort())
    // Of a message that was cut off only what may have happened stays.
    expect(rows.filter(({ cut, outcome_unknown }) => cut && !outcome_unknown)).toEqual([])
    if (rows.length > 1) seen.add('several')
    // Nothing of what this test writes is left without an item.
    expect(await openCount(), `step ${step}: ${kind}`).toBe(rows.filter(({ kind }) => kind !== 'wait').length)
  }
  expect([...seen]).toEqual(expect.arrayContaining(['continue', 'several']))
})
