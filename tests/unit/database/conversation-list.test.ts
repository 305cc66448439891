import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Answer, textOf, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let user: string

beforeEach(async () => {
  user = await db.createUser()
})

const idsOf = (answer: Answer): string[] => answer.conversations.map((one: Answer) => one.id)
const list = (limit = 50, before: string | null = null, archived = false): Promise<Answer> =>
  db.call('list_conversations', user, limit, before, archived)
/** `c01` is the oldest. */
async function store(count: number): Promise<void> {
  await db.service`
    insert into conversations (user_id, id, title, updated_at)
    select ${user}, 'c' || lpad(n::text, 2, '0'), 'Number ' || n, now() - (${count} - n) * interval '1 microsecond'
    from generate_series(1, ${count}) n`
}
async function readAll(limit: number, between: (page: number) => Promise<unknown> = async () => {}) {
  const ids: string[] = []
  let before: string | null = null
  for (let page = 1; page < 100; page++) {
    const answer = await list(limit, before)
    ids.push(...idsOf(answer))
    before = answer.next
    if (before === null) return ids
    await between(page)
  }
  throw new Error('The pages do not end.')
}

describe('the list of conversations', () => {
  test('is read to its end in pages, also where many are of the same microsecond', async () => {
    await store(23)
    const all = idsOf(await list())
    expect(all).toHaveLength(23)
    expect(await readAll(5)).toEqual(all)
    await db.service`update conversations set updated_at = '2026-11-01T10:00:00.000001Z' where user_id = ${user}`
    expect((await readAll(5)).toSorted()).toEqual(all.toSorted())
    expect((await readAll(23)).toSorted()).toEqual(all.toSorted())
  })

  test('says the next page only where there is one', async () => {
    await store(4)
    expect((await list(4)).next).toBeNull()
    expect((await list(3)).next).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{6}Z,0,c02$/)
  })

  test('passes over none and tells none twice while others move up', async () => {
    await store(20)
    const moved = 'c03'
    const ids = await readAll(4, async (page) => {
      if (page === 2)
        await db.service`update conversations set updated_at = now() where user_id = ${user} and id = ${moved}`
    })
    expect(new Set(ids).size).toBe(ids.length)
    const others = idsOf(await list()).filter((id) => id !== moved)
    expect(ids).toEqual(others)
    // A new first page begins with it.
    expect(idsOf(await list(1))).toEqual([moved])
  })

  test('begins with what is pinned, however old, and leaves out what is archived', async () => {
    await store(6)
    await db.call('change_conversation', user, 'c01', null, true)
    await db.call('change_conversation', user, 'c04', null, null, true)
    expect(await readAll(2)).toEqual(['c01', 'c06', 'c05', 'c03', 'c02'])
    expect((await list(1)).conversations).toMatchObject([{ id: 'c01', pinned: true, archived: false }])
    expect((await list(50, null, true)).conversations).toMatchObject([{ id: 'c04', archived: true }])
    await db.call('change_conversation', user, 'c04', null, null, false)
    await db.call('change_conversation', user, 'c01', null, false)
    expect(await readAll(2)).toEqual(['c06', 'c05', 'c04', 'c03', 'c02', 'c01'])
  })

  test('takes an archived conversation back when its user writes in it', async () => {
    const chat = new DatabaseConversation(db, user)
    await chat.exchange('u1', 'Hello', 'Hello.')
    await db.call('change_conversation', user, chat.id, null, null, true)
    expect(idsOf(await list())).toEqual([])
    await chat.exchange('u2', 'Again', 'Hello again.')
    expect(idsOf(await list())).toEqual([chat.id])
  })
})

describe('a change of a conversation', () => {
  test('changes what it names and leaves the rest, also its place in the list', async () => {
    await store(2)
    const changed = (...args: unknown[]) => db.call('change_conversation', user, 'c01', ...args)
    expect(await changed('Greetings')).toEqual({
      id: 'c01',
      title: 'Greetings',
      pinned: false,
      archived: false,
    })
    expect(await changed(null, true)).toEqual({
      id: 'c01',
      title: 'Greetings',
      pinned: true,
      archived: false,
    })
    expect(await changed(null, false, true)).toMatchObject({
      title: 'Greetings',
      pinned: false,
      archived: true,
    })
    await changed(null, null, false)
    expect(idsOf(await list())).toEqual(['c02', 'c01'])
    expect(await db.call('change_conversation', user, 'never', 'x')).toBeNull()
  })

  test('a title that a model made takes the place of the first words, never of a title that the user chose', async () => {
    await store(1)
    const used = { provider: 'any', model: 'any', inputTokens: 1, outputTokens: 1 }
    const name = (first: string, title: string) =>
      db.call('name_conversation', user, 'c01', first, title, { ...used, runId: randomUUID() })
    expect(await name('Number 1', '')).toBeNull()
    expect(await name('Number 1', 'A fine talk')).toBe(true)
    expect(await name('Number 1', 'Too late')).toBeNull()
    expect((await list()).conversations).toMatchObject([{ title: 'A fine talk' }])
  })
})

describe('the messages of a conversation', () => {
  let chat: DatabaseConversation
  const page = (before: string | null = null, limit = 4): Promise<Answer> =>
    db.call('get_conversation', user, chat.id, before, limit)
  const textsOf = ({ messages }: Answer): string[] => messages.map(textOf)

  beforeEach(async () => {
    chat = new DatabaseConversation(db, user)
    for (const number of [1, 2, 3, 4, 5]) await chat.exchange(`u${number}`, `q${number}`, `a${number}`)
  })

  test('are read back from the newest ones, a page at a time', async () => {
    const newest = await page()
    expect(textsOf(newest)).toEqual(['q4', 'a4', 'q5', 'a5'])
    expect(newest.next).toBe('u4')
    const before = await page(newest.next)
    expect(textsOf(before)).toEqual(['q2', 'a2', 'q3', 'a3'])
    const first = await page(before.next)
    expect(textsOf(first)).toEqual(['q1', 'a1'])
    expect(first.next).toBeNull()
    expect((await page(null, 10)).next).toBeNull()
    expect((await page(null, 9)).next).not.toBeNull()
  })

  test('go on before a message while others are written', async () => {
    const { next } = await page()
    await chat.exchange('u6', 'q6', 'a6')
    expect(textsOf(await page(next))).toEqual(['q2', 'a2', 'q3', 'a3'])
  })

  test('are those of the current branch, also before a message that was cut off since', async () => {
    const { next } = await page()
    const edit = await chat.post({ messageId: 'u3', messages: [userMessage('u3', 'q3 again')] })
    await db.finish(edit.runId, { text: 'a3 again' })
    expect(textsOf(await page(next))).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(textsOf(await page())).toEqual(['q2', 'a2', 'q3 again', 'a3 again'])
  })

  test('before a message that is not there are none, and that is said', async () => {
    expect(await page('never')).toEqual({ messages: null })
  })

  test('say when they were written', async () => {
    const [first] = (await page()).messages
    expect(Math.abs(Date.now() - Date.parse(first.writtenAt))).toBeLessThan(60_000)
  })
})
