import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../shared/engine/core/canonical-json.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { Claim, Invocation } from '../../../shared/engine/loop/run/ledger.ts'
import { createMemoryLedger } from '../../../shared/engine/loop/run/memory-ledger.ts'
import type { TypedMessage } from '../../../shared/engine/transcript/typed-messages.ts'
import { claimWrite, insist, mailTool as mail, writeOf } from '../../../support/claimed-write.ts'
import { type Answer, refused, sent, userEntry, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { some } from '../../../support/test-all.ts'
import { useDatabase } from '../../../support/use-database.ts'

type Arguments = Record<string, unknown>

const { db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

const text = { type: 'string' }

const draft: ToolSpecification = { ...mail, name: 'gmail_create_draft', repeats: true }
/** Nothing of it must come from the user. */
const note: ToolSpecification = {
  name: 'create_note',
  description: 'Notes.',
  effect: 'write',
  parameters: {
    type: 'object',
    properties: { title: text, body: text, color: text, folder: text },
  },
}
const label: ToolSpecification = { ...note, name: 'label', repeats: true }

const meeting = { to: ['ada@example.com'], subject: 'Meeting', body: 'At ten.' }

let messages = 0

/** A turn of its own; of a client of the OpenAI protocol with what it says of its chat. */
async function begin(completion?: Arguments, says = 'Write.'): Promise<Answer> {
  messages++
  if (!completion) return chat.post({ messages: [userMessage(`u${messages}`, says)] })
  const { reply } = await db.call('begin_completion', chat.user, {
    runId: randomUUID(),
    agentId: await agentOf(chat.user),
    messages: [{ entry: userEntry(says) }],
    words: says,
    answers: [],
    ...completion,
  })
  return reply
}

/** The default agent of a user, made with the first message. */
async function agentOf(user: string): Promise<string> {
  const [found] = await db.service`select id from agents where user_id = ${user}`
  if (found) return found.id
  return db.call('askback_private.choose_agent', user, null, null)
}

const request = () => ({ key: randomUUID() })
const named = (name: string) => ({ key: randomUUID(), conversationId: `openai-${name}` })

const claim = (turn: Answer, tool: ToolSpecification, args: Arguments, facts: Arguments = {}) =>
  claimWrite(db, turn, tool, args, facts)

async function settle({ invocationId }: Answer, status: string, result: object = sent) {
  await db.call('settle_invocation', chat.user, invocationId, status, result, 5)
}

/** A write that was carried out, in a turn that has ended. */
async function exchange(tool: ToolSpecification, args: Arguments, facts: Arguments = {}): Promise<Answer> {
  return carryOut(await begin(), tool, args, facts)
}

async function requestOf(tool: ToolSpecification, args: Arguments, completion: Arguments = request()) {
  return carryOut(await begin(completion), tool, args)
}

async function carryOut(turn: Answer, tool: ToolSpecification, args: Arguments, facts: Arguments = {}) {
  const claimed = await claim(turn, tool, args, facts)
  expect(claimed).toMatchObject({ claimed: true })
  await settle(claimed, 'succeeded')
  await db.finish(turn.runId)
  return turn
}

async function age(hours: number) {
  await db.service`
    update tool_executions set created_at = created_at - make_interval(secs => ${hours * 3600}) where user_id = ${chat.user}`
}

describe('in the same turn', () => {
  test('equal arguments are one effect, and an approved repetition another', async () => {
    const turn = await begin()
    const first = await claim(turn, mail, meeting)
    await settle(first, 'succeeded')
    const again = { body: 'At ten.', subject: 'Meeting', to: ['ada@example.com'] }
    expect(await claim(turn, mail, again)).toMatchObject({
      claimed: false,
      status: 'succeeded',
      latestRepetition: 0,
    })
    expect(await claim(turn, mail, meeting, { repetition: 1 })).toMatchObject({ claimed: true })
  })

  test('equal values that come from the user are the same, whatever the words', async () => {
    const turn = await begin()
    const first = await claim(turn, mail, meeting, { toolCallId: 'first' })
    for (const status of ['running', 'succeeded']) {
      if (status === 'succeeded') await settle(first, 'succeeded')
      const other = { to: [' Ada@Example.com'], subject: 'Lunch', body: 'At noon.' }
      expect(await claim(turn, mail, other)).toMatchObject({
        claimed: false,
        status: 'same',
        earlier: { write: { toolCallId: 'first', status, arguments: meeting }, nextRepetition: null },
      })
    }
  })

  test('another recipient, or one more, is another write', async () => {
    const turn = await begin()
    await claim(turn, mail, meeting)
    expect(await claim(turn, mail, { ...meeting, to: ['bob@example.com'] })).toMatchObject({ claimed: true })
    const more = { ...meeting, to: ['ada@example.com', 'bob@example.com'] }
    expect(await claim(turn, mail, more)).toMatchObject({ claimed: true })
    expect(await claim(turn, mail, { ...more, to: more.to.toReversed() })).toMatchObject({ status: 'same' })
    // Who gets a copy is no less a recipient.
    expect(await claim(turn, mail, { ...meeting, cc: ['eve@example.com'] })).toMatchObject({ claimed: true })
  })

  test('without such values half of the arguments decide', async () => {
    const turn = await begin()
    await claim(turn, note, { title: 'Plan', body: 'Buy milk.', color: 'red', folder: 'home' })
    const half = { title: 'Plan', body: 'Buy milk.', color: 'blue', folder: 'work' }
    expect(await claim(turn, note, half)).toMatchObject({ status: 'same' })
    const less = { title: 'Plan', body: 'Buy bread.', color: 'green', folder: 'work' }
    expect(await claim(turn, note, less)).toMatchObject({ claimed: true })
  })

  test('another tool is another write', async () => {
    const turn = await begin()
    await claim(turn, mail, meeting)
    expect(await claim(turn, { ...mail, name: 'gmail_send_email' }, meeting)).toMatchObject({ claimed: true })
  })

  test('what the model asks for in one answer it wants all of', async () => {
    const turn = await begin()
    await claim(turn, mail, meeting, { toolCallId: 'one' })
    const second = { ...meeting, subject: 'Lunch' }
    expect(await claim(turn, mail, second, { siblings: ['one', 'two'] })).toMatchObject({ claimed: true })
  })

  test('what provably did not happen does not count', async () => {
    const turn = await begin()
    const failed = await claim(turn, mail, meeting)
    await settle(failed, 'failed', refused)
    expect(await claim(turn, mail, { ...meeting, subject: 'Lunch' })).toMatchObject({ claimed: true })
  })

  test('drafts of one answer go on; those of a regenerated one ask', async () => {
    messages++
    const turn = await chat.post({ messages: [userMessage(`u${messages}`, 'Draft.')] })
    const first = await claim(turn, draft, meeting)
    await settle(first, 'succeeded')
    expect(await claim(turn, draft, { ...meeting, subject: 'Lunch' })).toMatchObject({ claimed: true })
    await db.finish(turn.runId)
    const again = await chat.post({
      trigger: 'regenerate-message',
      lastMessage: { id: `u${messages}`, role: 'user' },
    })
    expect(again).toMatchObject({ kind: 'run', turnId: turn.turnId })
    expect(await claim(again, draft, { ...meeting, subject: 'Dinner' })).toMatchObject({ status: 'same' })
  })
})

describe('in a later turn', () => {
  test('equal arguments ask for 24 hours', async () => {
    await exchange(mail, meeting)
    const turn = await begin()
    expect(await claim(turn, mail, meeting)).toMatchObject({
      status: 'same',
      earlier: { write: { status: 'succeeded', result: sent }, nextRepetition: null },
    })
    await age(23)
    expect(await claim(turn, mail, meeting)).toMatchObject({ status: 'same' })
    await age(1)
    expect(await claim(turn, mail, meeting)).toMatchObject({ claimed: true })
  })

  test('what the question names decides: the subject does, the text does not', async () => {
    await exchange(mail, meeting)
    const turn = await begin(undefined, 'Write about lunch.')
    expect(await claim(turn, mail, { ...meeting, body: 'At eleven.' })).toMatchObject({ status: 'same' })
    expect(await claim(turn, mail, { ...meeting, subject: 'Lunch' })).toMatchObject({ claimed: true })
  })

  test('a tool whose question names no more than that asks about equal arguments alone', async () => {
    const silent = { ...mail, confirm: 'Send it to {to}?' }
    await exchange(silent, meeting)
    const turn = await begin(undefined, 'Write her: we meet at eleven.')
    expect(await claim(turn, silent, meeting)).toMatchObject({ status: 'same' })
    const other = { ...meeting, body: 'We meet at eleven.' }
    expect(await claim(turn, silent, other)).toMatchObject({ claimed: true })
  })

  test('what is usually repeated is done again', async () => {
    await exchange(draft, meeting)
    const args = { title: 'Newsletters' }
    await exchange(label, args)
    const turn = await begin()
    expect(await claim(turn, draft, meeting)).toMatchObject({ claimed: true })
    expect(await claim(turn, label, args)).toMatchObject({ claimed: true })
  })

  test.each(['running', 'unknown'])('one that is %s asks whatever it says', async (status) => {
    const before = await begin()
    const lost = await claim(before, draft, meeting)
    if (status === 'unknown') await settle(lost, 'unknown', { ok: false, errorType: 'outcome_unknown' })
    const turn = await begin()
    expect(await claim(turn, draft, { ...meeting, subject: 'Lunch' })).toMatchObject({
      status: 'same',
      earlier: { write: { status } },
    })
    await db.loseClaim(lost.invocationId)
    expect(await claim(turn, draft, meeting)).toMatchObject({
      status: 'same',
      earlier: { write: { status: 'unknown' } },
    })
  })

  test('one that stays unknown stands in the way for a day, and no longer', async () => {
    const before = await begin()
    const lost = await claim(before, draft, meeting)
    await settle(lost, 'unknown', { ok: false, errorType: 'outcome_unknown' })
    await age(100)
    const turn = await begin()
    expect(await claim(turn, draft, { ...meeting, subject: 'Lunch' })).toMatchObject({ claimed: true })
  })

  test('what was asked before that write was done asks, in other words too', async () => {
    const itemAskedAt = new Date(Date.now() - 60_000).toISOString()
    await exchange(mail, meeting)
    const turn = await begin(undefined, 'Write about lunch.')
    const other = { ...meeting, subject: 'Lunch' }
    expect(await claim(turn, mail, other, { itemAskedAt })).toMatchObject({ status: 'same' })
    const later = new Date(Date.now() + 1000).toISOString()
    expect(await claim(turn, mail, other, { itemAskedAt: later })).toMatchObject({ claimed: true })
  })

  test('what a person was told of is done again', async () => {
    await exchange(mail, meeting)
    const coveredUntil = new Date(Date.now() + 1000).toISOString()
    const turn = await begin()
    expect(await claim(turn, mail, meeting, { coveredUntil })).toMatchObject({ claimed: true })
  })

  test('what was done after a person was told asks once more', async () => {
    const coveredUntil = new Date(Date.now() - 1000).toISOString()
    await exchange(mail, meeting)
    const turn = await begin()
    expect(await claim(turn, mail, meeting, { coveredUntil })).toMatchObject({ status: 'same' })
  })

  test('of another conversation and of another user counts nothing', async () => {
    await exchange(mail, meeting)
    for (const user of [chat.user, await db.createUser()]) {
      const other = new DatabaseConversation(db, user)
      const turn = await other.postText('m1', 'Write to Ada.')
      expect(await claim(turn, mail, meeting)).toMatchObject({ claimed: true })
    }
  })

  test('find_same_write answers the same, and claims nothing', async () => {
    await exchange(mail, meeting)
    await age(12)
    const turn = await begin()
    const found = await db.call('find_same_write', turn.runId, writeOf(mail, meeting))
    expect(found).toMatchObject({ write: { status: 'succeeded', arguments: meeting } })
    expect(
      await db.call('find_same_write', turn.runId, writeOf(mail, { ...meeting, subject: 'x' })),
    ).toBeNull()
    expect(await db.service`select 1 from tool_executions where user_id = ${chat.user}`).toHaveLength(1)
  })
})

describe('of a client that does not name its chat', () => {
  test('equal arguments ask for 12 hours, whatever words came around them', async () => {
    await requestOf(mail, meeting)
    const again = await begin(request())
    expect(await claim(again, mail, meeting)).toMatchObject({
      status: 'same',
      earlier: { write: { status: 'succeeded', result: sent }, nextRepetition: null },
    })
    await age(11)
    expect(await claim(await begin(request()), mail, meeting)).toMatchObject({ status: 'same' })
    await age(1)
    expect(await claim(await begin(request()), mail, meeting)).toMatchObject({ claimed: true })
  })

  test('equal values that come from the user ask for 10 minutes, and with the subject for 12 hours', async () => {
    await requestOf(mail, meeting)
    const other = { ...meeting, subject: 'Lunch', body: 'At noon.' }
    const again = () => begin(request(), 'Write about lunch.')
    expect(await claim(await again(), mail, other)).toMatchObject({ status: 'same' })
    await age(1)
    expect(await claim(await again(), mail, other)).toMatchObject({ claimed: true })
    expect(await claim(await begin(request()), mail, { ...meeting, body: 'At eleven.' })).toMatchObject({
      status: 'same',
    })
  })

  test('what a named chat has done counts for one that has no name, not the other way round', async () => {
    await requestOf(mail, meeting, named('one'))
    expect(await claim(await begin(request()), mail, meeting)).toMatchObject({ status: 'same' })
    expect(await claim(await begin(named('two')), mail, meeting)).toMatchObject({ claimed: true })
  })

  test('what was done in the app, or by another user, counts nothing', async () => {
    await exchange(mail, meeting)
    expect(await claim(await begin(request()), mail, meeting)).toMatchObject({ claimed: true })
    chat = new DatabaseConversation(db, await db.createUser())
    expect(await claim(await begin(request()), mail, meeting)).toMatchObject({ claimed: true })
  })

  test('of two requests that mean the same at the same moment exactly one is claimed', async () => {
    for (let round = 0; round < 20; round++) {
      const args = { ...meeting, to: [`${round}@example.com`] }
      const turns = [await begin(request()), await begin(request())]
      const claims = await Promise.all(turns.map((turn) => claim(turn, mail, args)))
      expect(claims.filter(({ claimed }) => claimed)).toHaveLength(1)
      expect(claims.filter(({ status }) => status === 'same')).toHaveLength(1)
    }
  })
})

test('of two that mean the same at the same moment exactly one is claimed', async () => {
  const turn = await begin()
  for (let round = 0; round < 50; round++) {
    const to = [`${round}@example.com`]
    const claims = await Promise.all([
      claim(turn, mail, { to, subject: 'Meeting', body: 'At ten.' }),
      claim(turn, mail, { to, subject: 'Lunch', body: 'At noon.' }),
    ])
    expect(claims.filter(({ claimed }) => claimed)).toHaveLength(1)
    expect(claims.filter(({ status }) => status === 'same')).toHaveLength(1)
  }
})

const seeds = some([1, 2, 3, 4, 5, 6], 2).flatMap((seed) =>
  [true, false].map((isNamed) => ({ seed, isNamed })),
)

test.each(seeds)('the ledger of one process judges random writes alike: %o', async ({ seed, isNamed }) => {
  const random = seededRandom(seed)
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T
  const tools = [mail, draft, note, label]
  let now = Date.now()
  const memory = createMemoryLedger(() => now, { isNamed })
  const typed: TypedMessage[] = []
  const next = () => {
    const says = pick(['Thanks.', 'Lunch', 'Say that the room is open.', 'And that we start at ten.'])
    typed.push({ content: [{ type: 'text', text: says }], forms: [] })
    return begin(isNamed ? undefined : request(), says)
  }
  let turn = await next()
  const held: { memory: Invocation; stored: Answer }[] = []
  const seen = new Set<string>()
  for (let step = 0; step < 120; step++) {
    const what = random(12)
    if (what === 0) {
      await db.finish(turn.runId)
      turn = await next()
      continue
    }
    if (what === 1) {
      const hours = pick([0.1, 1, 12, 23, 30])
      now += hours * 3_600_000
      await age(hours)
      continue
    }
    if (what <= 4 && held.length > 0) {
      const settled = held.splice(random(held.length), 1)[0]
      if (!settled) continue
      const status = pick(['succeeded', 'succeeded', 'failed', 'unknown'] as const)
      await memory.settle(settled.memory, { status, result: { ok: true, data: null }, durationMs: 1 })
      await settle(settled.stored, status)
      continue
    }
    const tool = pick(tools)
    const args =
      tool === mail || tool === draft
        ? {
            to: pick([['a@b.c'], ['A@b.c'], ['d@b.c'], ['me@example.com']]),
            ...pick([{}, {}, { cc: ['a@b.c'] }, { cc: ['d@b.c', 'me@example.com'] }]),
            ...pick([{}, {}, { answers: pick(['m1', 'm2']) }]),
            subject: pick(['Lunch', 'Dinner']),
            body: pick(['The room is open.', 'We start at ten.']),
          }
        : {
            title: pick(['x', 'y']),
            body: pick(['x', 'y']),
            color: pick(['x', 'y']),
            folder: pick(['x', 'y']),
          }
    const at = (msAgo: number) => new Date(now - msAgo)
    const shift = pick([undefined, undefined, 1800_000, 20.5 * 3_600_000])
    const facts = {
      toolCallId: `${seed}.${step}`,
      repetition: pick([0, 0, 0, 1]),
      ...(shift === undefined ? {} : { [pick(['itemAskedAt', 'coveredUntil'])]: at(shift).toISOString() }),
      ...(random(4) === 0 ? { siblings: [`${seed}.${step - 1}`] } : {}),
    }
    const described = writeOf(tool, args, facts)
    const invocation = { ...described, runId: turn.runId, typed: [...typed] } as unknown as Invocation
    const said = await insist(tool, args, (more) => memory.claim({ ...invocation, ...more }))
    // Where the clock of the process has been put forward, that of the database has not: it ages its rows instead.
    const shifted = Object.fromEntries(
      ['itemAskedAt', 'coveredUntil'].flatMap((name) => {
        const value = described[name]
        return typeof value === 'string' ? [[name, new Date(Date.parse(value) - now + Date.now())]] : []
      }),
    )
    const stored = await insist(tool, args, (more) =>
      db.call('claim_invocation', turn.runId, { ...described, ...shifted, ...more }),
    )
    expect(outline(stored), `step ${step}`).toEqual(outline(said))
    seen.add(stored.claimed ? 'claimed' : stored.earlier?.otherWords ? 'in other words' : stored.status)
    if (stored.claimed) held.push({ memory: invocation, stored })
  }
  expect([...seen]).toEqual(expect.arrayContaining(['claimed', 'same', 'in other words']))
  await db.finish(turn.runId, { text: randomUUID() })
})

function outline(claim: Answer | Claim): unknown {
  const { claimed, status, earlier } = claim as Answer
  if (claimed) return 'claimed'
  if (status !== 'same') return status
  const { write, nextRepetition, otherWords } = earlier
  const since = otherWords
    ? {
        led: otherWords.led,
        typed: otherWords.typed,
        writes: otherWords.writes.map(canonicalJson).sort(),
      }
    : null
  return { toolCallId: write.toolCallId, status: write.status, next: nextRepetition, since }
}
