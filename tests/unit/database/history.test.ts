import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  callEntries,
  decisionEntry,
  numbered,
  question,
  userEntry,
  userMessage,
} from '../../../support/database-calls.ts'
import { DatabaseConversation, spoken } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

const exchange = (number: number) => chat.exchange(`m${number}`, `Question ${number}`, `Answer ${number}`)

async function exchangeMany(from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number++) await exchange(number)
}

/** A result with a brief, as the functions store it. */
const longResult = {
  sequence: 3,
  entry: { type: 'result', toolCallId: 'call-1', status: 'succeeded', result: { ok: true, data: 'whole' } },
  brief: { type: 'result', toolCallId: 'call-1', status: 'succeeded', result: { ok: true, data: 'brief' } },
}
const callAndResult = [...numbered(callEntries('call-1')), longResult]

function dataIn({ history, entries }: Answer): unknown[] {
  return [...history.flatMap((message: Answer) => message.entries), ...entries].flatMap(
    ({ entry }: Answer) => (entry.type === 'result' ? entry.result.data : []),
  )
}

describe('the messages that a run reads', () => {
  test('are the newest 40 to 60, begin with one of the user, and begin alike until the beginning moves by 20', async () => {
    const beginnings: string[] = []
    for (let number = 1; number <= 62; number++) {
      const { history, olderMessages } = await exchange(number)
      const total = 2 * number - 1
      expect(olderMessages).toBe(total - history.length)
      expect(history.length).toBeGreaterThanOrEqual(Math.min(total, 40))
      expect(history.length).toBeLessThan(60)
      expect(history[0].role).toBe('user')
      beginnings.push(history[0].id)
    }
    expect([...new Set(beginnings)]).toEqual(['m1', 'm11', 'm21', 'm31', 'm41'])
    expect(beginnings.filter((id) => id === 'm21')).toHaveLength(10)
  })

  test('are the newest ones again after an edit has cut many off, and after that moved the beginning', async () => {
    await exchangeMany(1, 45)
    const edited = await chat.post({ messageId: 'm25', messages: [userMessage('m25', 'Other words')] })
    expect(spoken(edited).slice(-3)).toEqual(['Question 24', 'Answer 24', 'Other words'])
    expect(edited.history.length + edited.olderMessages).toBe(49)
    expect(edited.history.length).toBeGreaterThanOrEqual(40)
  })

  test('come whole, however much they say together', async () => {
    const long = 'word '.repeat(40_000)
    await chat.exchange('m1', 'Ada is my sister.', long)
    await chat.exchange('m2', 'And this?', long)
    const last = await chat.post({ messages: [userMessage('m3', 'Write to her.')] })
    expect(spoken(last)).toEqual(['Ada is my sister.', long, 'And this?', long, 'Write to her.'])
  })

  test('come with briefs in place of what is long, except for their own turn', async () => {
    const first = await chat.post({
      messages: [{ ...userMessage('m1', 'All of it'), brief: userEntry('Brief') }],
    })
    expect(spoken(first)).toEqual(['All of it'])
    const asking = numbered([question({ kind: 'input', toolCallId: 'call-2' })], 4)
    await db.finish(first.runId, { status: 'needs_input', entries: [...callAndResult, ...asking] })
    const second = await chat.post({ messages: [userMessage('m2', 'And?')] })
    expect([spoken(second)[0], dataIn(second)]).toEqual(['Brief', ['brief']])
    await db.finish(second.runId)
    const answer = { runId: crypto.randomUUID(), type: 'input', toolCallId: 'call-2' }
    const resumed = await db.call('begin_resume', chat.user, chat.id, answer)
    expect([spoken(resumed)[0], dataIn(resumed)]).toEqual(['All of it', ['whole']])
  })

  test('are more where something is still open, with briefs, and tell how many are left out', async () => {
    const first = await chat.post({ messages: [userMessage('m1', 'Write to Ada.')] })
    const asking = numbered([question({ toolCallId: 'call-2' })], 4)
    await db.finish(first.runId, { status: 'needs_approval', entries: [...callAndResult, ...asking] })
    await exchangeMany(2, 35)
    const last = await chat.post({ messages: [userMessage('m36', 'And?')] })
    expect(spoken(last).slice(0, 4)).toEqual(['Write to Ada.', 'Done.', 'Question 11', 'Answer 11'])
    expect(dataIn(last)).toEqual(['brief'])
    expect(last.history.length + last.olderMessages).toBe(71)
  })

  test('have the end of each write that nobody has told of', async () => {
    const first = await chat.postText('m1', 'Write to Ada.')
    const claim = await db.claim(first.runId, { toolCallId: 'call-1' }, numbered(callEntries('call-1')))
    await db.loseLease(first.runId)
    await db.loseClaim(claim.invocationId)
    for (let number = 2; number <= 28; number++) await exchange(number)
    const { history, unreportedWrites } = await chat.postText('m29', 'And?')
    expect(history[0].id).toBe('m1')
    expect(unreportedWrites).toMatchObject([{ toolCallId: 'call-1', status: 'unknown' }])
  })
})

describe('what a user has said', () => {
  const find = async (pattern: string, text = 'And now?') => {
    const turn = await chat.post({ messages: [userMessage(`ask-${crypto.randomUUID()}`, text)] })
    const found = await db.call('find_value', turn.runId, pattern)
    await db.finish(turn.runId)
    return found.map((entry: Answer) => entry.content?.[0].text ?? entry.type)
  }

  test('is found in a message, in a form and in an edited call, newest messages first, at most 20', async () => {
    await chat.exchange('m1', 'Ada is ada@example.com.', 'Noted: eve@example.com.')
    expect(await find('ada@example\\.com')).toEqual(['Ada is ada@example.com.'])
    expect(await find('eve@example\\.com')).toEqual([])
    const item = question({ toolCallId: 'call-1' })
    const decided = [
      item,
      { ...decisionEntry(item), values: { to: 'bob@example.com' }, input: { to: 'eve@example.com' } },
    ]
    await db.finish((await chat.postText('m2', 'Write.')).runId, {
      entries: [...numbered(callEntries('call-1')), ...numbered(decided, 5)],
    })
    for (const [address, typed] of [
      ['bob', 'values'],
      ['eve', 'input'],
    ]) {
      expect(await find(`${address}@example\\.com`), typed).toEqual(['call', 'question', 'decision'])
    }
    for (let number = 3; number <= 27; number++)
      await chat.exchange(`m${number}`, `Pay ${number} to Kim`, 'No.')
    const found = await find('to Kim')
    expect(found).toHaveLength(20)
    expect([found[0], found.at(-1)]).toEqual(['Pay 8 to Kim', 'Pay 27 to Kim'])
  })

  test('is found in full width letters', async () => {
    await chat.exchange('m1', 'Ａｄａ is ａｄａ＠example.com', 'Noted.')
    expect(await find('ada@example\\.com')).toHaveLength(1)
  })

  test('is not what was edited away, what comes later, or what another user or conversation says', async () => {
    const other = new DatabaseConversation(db, chat.user)
    await other.exchange('m1', 'Ada is ada@example.com.', 'Noted.')
    await chat.exchange('m1', 'Ada is ada@example.com.', 'Noted.')
    const edited = await chat.post({ messageId: 'm1', messages: [userMessage('m1', 'Ada is my sister.')] })
    await db.finish(edited.runId)
    expect(await find('ada@example\\.com')).toEqual([])
    const early = await chat.postText('m2', 'Wait.')
    await chat.postText('m3', 'Ada is ada@example.com.')
    expect(await db.call('find_value', early.runId, 'ada@example\\.com')).toEqual([])
  })
})
