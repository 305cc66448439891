import { beforeEach, describe, expect, test } from 'vitest'
import { type Answer, numbered, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import words from '../../../support/searched-words.json' with { type: 'json' }
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let user: string

beforeEach(async () => {
  user = await db.createUser()
})

/** A conversation of the user with one exchange. */
async function talk(said: string, answered = 'Noted.', title?: string): Promise<DatabaseConversation> {
  const chat = new DatabaseConversation(db, user)
  const turn = await chat.post({ messages: [userMessage('u1', said)], ...(title ? { title } : {}) })
  await db.finish(turn.runId, { text: answered })
  return chat
}
const search = (query: string, ...rest: unknown[]): Promise<Answer> =>
  db.call('search_conversations', user, query, ...rest)
const idsOf = (answer: Answer): string[] => answer.conversations.map((one: Answer) => one.id)
const find = async (query: string) => idsOf(await search(query))

describe('a search', () => {
  test('finds what the user said and what was answered, by the beginning of a word, in any case', async () => {
    const asked = await talk('When do we fly to Lisbon?')
    const answered = await talk('Where to?', 'Reykjavík is lovely in ÜBERGANG times.')
    expect(await find('lisb')).toEqual([asked.id])
    expect(await find('LISBON fly')).toEqual([asked.id])
    expect(await find('reykjavík übergang')).toEqual([answered.id])
    expect(await find('isbon')).toEqual([])
  })

  test('finds a part of an address, of a path and of what stands in typographic quotes', async () => {
    const chat = await talk('Ask ada.lovelace@example.com about /srv/reports/q3.pdf and “Brightline—Two”.')
    for (const part of [
      'ada',
      'lovelace',
      'ada.love',
      'ada.lovelace@exam',
      'example',
      'q3.pdf',
      'brightline',
      'two',
    ])
      expect(await find(part), part).toEqual([chat.id])
  })

  test('finds words that are spread over messages and title, each at least once', async () => {
    const chat = await talk('What does the invoice say?', 'It says forty.', 'Plumber')
    await chat.exchange('u2', 'And the deadline?', 'Friday.')
    expect(await find('plumber invoice friday')).toEqual([chat.id])
    expect(await find('plumber invoice saturday')).toEqual([])
  })

  test('tells the text with most of its words, and which message it is', async () => {
    const chat = await talk('The budget.', 'Which one?')
    await chat.exchange('u2', 'The budget for Lisbon.', 'I see.')
    await chat.exchange('u3', 'That budget again.', 'Yes.')
    const { conversations, words } = await search('budget lisbon')
    expect(words.toSorted()).toEqual(['budget', 'lisbon'])
    expect(conversations).toMatchObject([
      { id: chat.id, found: { messageId: 'u2', role: 'user', text: 'The budget for Lisbon.' } },
    ])
  })

  test('finds a title by the middle of a word, and by signs', async () => {
    const chat = await talk('Hello', 'Hello.', '日本語の予算 😀 100%')
    for (const part of ['予算', '😀', '100%', '%']) expect(await find(part), part).toEqual([chat.id])
    expect((await search('予算')).conversations[0].found).toBeNull()
  })

  test('is of one user, whoever else says the same', async () => {
    const stranger = await db.createUser()
    await talk('The secret word is heliotrope.')
    expect(idsOf(await db.call('search_conversations', stranger, 'heliotrope'))).toEqual([])
    expect(idsOf(await db.call('search_conversations', stranger, 'h'))).toEqual([])
  })

  test('finds nothing that an edit has cut off, nor what is being written', async () => {
    const chat = await talk('The first wording.', 'A first answer.')
    const edit = await chat.post({ messageId: 'u1', messages: [userMessage('u1', 'The second wording.')] })
    await db.call('heartbeat_run', edit.runId, 15, numbered([{ type: 'model-text', text: 'Unfinished' }]))
    expect(await find('first')).toEqual([])
    expect(await find('unfinished')).toEqual([])
    expect(await find('second')).toEqual([chat.id])
    await db.finish(edit.runId, { text: 'An end.' })
    expect(await find('unfinished end')).toEqual([chat.id])
  })

  test('finds what is archived, and nothing that was deleted', async () => {
    const kept = await talk('Keep the marmalade.')
    const gone = await talk('Delete the marmalade.')
    await db.call('change_conversation', user, kept.id, null, null, true)
    await db.call('delete_conversation', user, gone.id)
    expect((await search('marmalade')).conversations).toMatchObject([{ id: kept.id, archived: true }])
  })

  test('knows words in any case and with or without accents, in texts and in titles', async () => {
    const inText = []
    const inTitle = []
    for (const [text = '', query = ''] of words.found) {
      const said = await talk(text, '')
      if (!(await find(query)).includes(said.id)) inText.push([text, query])
      const titled = await talk('Hello', '', text)
      if (!(await find(query)).includes(titled.id)) inTitle.push([text, query])
      await db.service`delete from conversations where user_id = ${user}`
    }
    expect({ inText, inTitle }).toEqual({ inText: [], inTitle: [] })
  })

  test('takes no other word for one', async () => {
    for (const [text = '', query = ''] of words.not) {
      await talk(text, '')
      expect([text, query, await find(query)]).toEqual([text, query, []])
    }
  })

  test('finds what was sent by a call, and what its user changed or filled in', async () => {
    const chat = new DatabaseConversation(db, user)
    const turn = await chat.post({ messages: [userMessage('u1', 'Invite her.')] })
    const input = {
      to: ['ada@example.com'],
      subject: 'Summer party',
      body: 'Dear Ada, bring marmalade.',
      amount: 4711,
    }
    const call = { type: 'call', toolCallId: 'c1', name: 'x', toolName: 'x', prepared: true, input }
    const edited = { ...input, subject: 'Garden fête' }
    const decision = { type: 'decision', itemId: 'i1', toolCallId: 'c1', decision: 'approve', input: edited }
    const denied = {
      type: 'decision',
      itemId: 'i2',
      toolCallId: 'c2',
      decision: 'deny',
      reason: 'Zu förmlich',
    }
    await db.finish(turn.runId, { text: 'Done.', entries: numbered([call, decision, denied]) })
    for (const query of [
      'summer party',
      'ada@example',
      'marmalade',
      '4711',
      'garden fete',
      'invite marm',
      'foermlich',
    ])
      expect([query, await find(query)]).toEqual([query, [chat.id]])
    expect(await find('amount')).toEqual([])
    const [one] = (await search('marmalade party')).conversations
    expect(one.found).toMatchObject({
      role: 'assistant',
      text: expect.stringContaining('Dear Ada, bring marmalade.'),
    })
  })

  test('does not find what a tool has returned, nor a call that could not be made', async () => {
    const chat = new DatabaseConversation(db, user)
    const turn = await chat.post({ messages: [userMessage('u1', 'Read it.')] })
    const call = {
      type: 'call',
      toolCallId: 'c1',
      name: 'x',
      toolName: 'x',
      prepared: false,
      input: '{"q": "timbuktu',
    }
    const result = { type: 'result', toolCallId: 'c1', result: { ok: true, data: 'zanzibar' } }
    await db.finish(turn.runId, { text: 'Done.', entries: numbered([call, result]) })
    expect(await find('zanzibar')).toEqual([])
    expect(await find('timbuktu')).toEqual([])
  })

  test('takes whatever is typed for words', async () => {
    const chat = await talk("Rock 'n' roll & blues | soul! It's (really) <good>: 100% \\ back\\slash.")
    for (const odd of [
      'rock & roll | !blues',
      "it's",
      'good:*',
      "'; drop table askback.entries; --",
      '(((',
      '!!!&&|:*<->',
      '%',
      '_',
      '\\',
      'back\\slash',
      "''",
      '"really" <good>',
      '😀',
      '\u202e',
      ' ',
      '',
    ]) {
      const answer = await search(odd)
      expect(Array.isArray(answer.conversations), odd).toBe(true)
    }
    expect(await find('rock & roll | !blues')).toEqual([chat.id])
    expect(await find('back\\slash')).toEqual([chat.id])
    expect(await find("it's")).toEqual([chat.id])
    expect(await find('rock -- drop')).toEqual([])
  })

  test('reads the beginning of ten thousand characters', async () => {
    const chat = await talk(`${'budget lisbon '.repeat(800)}the end`)
    expect(await find('budget lisbon '.repeat(800))).toEqual([chat.id])
    expect(await find('x'.repeat(10_000))).toEqual([])
    expect(await find('&'.repeat(10_000))).toEqual([])
  })

  test('goes on behind a page, also between conversations of the same moment', async () => {
    const chats = []
    for (let number = 0; number < 7; number++) chats.push(await talk(`Marmalade ${number}`))
    await db.service`update conversations set updated_at = now() where user_id = ${user}`
    const all: string[] = []
    for (let before: string | null = null, pages = 0; pages < 9; pages++) {
      const answer = await search('marmalade', 3, before)
      all.push(...idsOf(answer))
      before = answer.next
      if (before === null) break
    }
    expect(all).toHaveLength(7)
    expect(all.toSorted()).toEqual(chats.map(({ id }) => id).toSorted())
  })
})

describe('a text that is too much to search in', () => {
  test('is stored, and found by its first 20,000 characters', async () => {
    const words = Array.from({ length: 150_000 }, (_, number) => `w${number.toString(36)}`).join(' ')
    const chat = await talk(`marmalade ${words}`, `${words} end`)
    expect((await chat.page()).messages[0].entries[0].content[0].text).toHaveLength(words.length + 10)
    expect(await find('marmalade w1a')).toEqual([chat.id])
    expect(await find('end')).toEqual([])
  })

  test('a word of 900,000 letters is stored, and found by its beginning', async () => {
    const chat = await talk(`marmalade${'a'.repeat(1000)}`)
    const longer = await talk('b'.repeat(900_000))
    expect(await find('marmalade')).toEqual([chat.id])
    expect((await longer.page()).messages[0].entries[0].content[0].text).toHaveLength(900_000)
  })

  test('what is no text that a message can have is stored all the same', async () => {
    const chat = await talk('Hello')
    await db.service`
      update entries set entry = '{"type":"user-message","content":7}' where user_id = ${user} and message_id = 'u1'`
    expect((await chat.page()).messages[0].entries).toEqual([{ type: 'user-message', content: 7 }])
    expect(await find('hello')).toEqual([])
  })
})
