import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { claimWrite, mailTool as mail } from '../../../support/claimed-write.ts'
import {
  type Answer,
  decisionEntry,
  numbered,
  question,
  sent,
  userEntry,
  userMessage,
} from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

type Arguments = Record<string, unknown>

const { db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

const ada = 'ada@example.com'
const bob = 'bob@example.com'
const about = 'Write to ada@example.com about lunch'
const lunch = { to: [ada], subject: 'Lunch', body: 'Shall we have lunch?' }
const reworded = { to: [ada], subject: 'Meal', body: 'How about a meal?' }
const room = { to: [ada], subject: 'Room', body: 'Hi Ada,\n\nThe room is 4.12.\n\nBye' }
const alsoRoom = 'Also tell her that the room is 4.12'

let count = 0

/** A message of our app, or a new version of one. */
async function say(text: string, edited?: string): Promise<Answer> {
  const id = `u${++count}`
  return chat.post({ messages: [userMessage(id, text)], ...(edited ? { messageId: edited } : {}) })
}

async function carryOut(turn: Answer, args: Arguments, facts: Arguments = {}, tool = mail): Promise<void> {
  const claimed = await claimWrite(db, turn, tool, args, facts)
  expect(claimed).toMatchObject({ claimed: true })
  await db.call('settle_invocation', chat.user, claimed.invocationId, 'succeeded', sent, 5)
  await db.finish(turn.runId)
}

/** A message that leads to a write. */
async function sayAndDo(text: string, args: Arguments, facts: Arguments = {}, tool = mail): Promise<Answer> {
  const turn = await say(text)
  await carryOut(turn, args, facts, tool)
  return turn
}

/** Whether a write goes ahead unasked in the turn of a message, which then ends. */
async function isUnasked(
  turn: Answer,
  args: Arguments,
  facts: Arguments = {},
  tool: ToolSpecification = mail,
): Promise<boolean> {
  const claimed = await claimWrite(db, turn, tool, args, facts)
  if (!claimed.claimed) expect(claimed).toMatchObject({ status: 'same' })
  if (claimed.claimed)
    await db.call('settle_invocation', chat.user, claimed.invocationId, 'succeeded', sent, 5)
  await db.finish(turn.runId)
  return claimed.claimed
}

async function age(hours: number) {
  await db.service`
    update tool_executions set created_at = created_at - make_interval(secs => ${hours * 3600}) where user_id = ${chat.user}`
}

describe('in our app', () => {
  test.each([
    'Thanks!',
    'What happened?',
    about,
    'Did you write to ada@example.com about lunch?',
    'Danke dir',
    '谢谢，发了吗？',
    'ありがとうございます',
    'شكرا جزيلا لك',
  ])('a reworded write asks after "%s", whatever part of it is reworded', async (text) => {
    await sayAndDo(about, lunch)
    for (const args of [
      reworded,
      { cc: [ada], subject: 'Meal', body: 'x' },
      { to: ['Ada <ADA@example.com>', 'me@example.com'], subject: 'Meal', body: 'x' },
    ]) {
      expect(await claimWrite(db, await say(text), mail, args)).toMatchObject({
        status: 'same',
        earlier: { write: { status: 'succeeded', arguments: lunch }, nextRepetition: null },
      })
    }
  })

  test('a write with something new goes ahead, and the next one without asks again', async () => {
    await sayAndDo(about, lunch)
    expect(await isUnasked(await say(alsoRoom), room)).toBe(true)
    expect(await isUnasked(await say('Thanks.'), { ...room, subject: 'Your room' })).toBe(false)
    expect(await isUnasked(await say(alsoRoom), room)).toBe(false)
  })

  test('what was typed in any message since counts, whatever a run still reads of them', async () => {
    await sayAndDo(about, lunch)
    await db.finish((await say(alsoRoom)).runId)
    for (let n = 0; n < 45; n++) await db.finish((await say(`Something else, ${n}`)).runId)
    expect(await isUnasked(await say('Now send it.'), room)).toBe(true)
  })

  test('asks for 12 hours, and no longer', async () => {
    await sayAndDo(about, lunch)
    await age(11.9)
    expect(await claimWrite(db, await say('Thanks.'), mail, reworded)).toMatchObject({ status: 'same' })
    await age(0.1)
    expect(await isUnasked(await say('Thanks.'), reworded)).toBe(true)
  })

  test('asks if several writes together went to all of its people, and not if somebody is new', async () => {
    await sayAndDo(about, lunch)
    await sayAndDo('Write to bob@example.com', { ...lunch, to: [bob] })
    expect(await isUnasked(await say('Thanks.'), { ...reworded, to: [bob], cc: [ada] })).toBe(false)
    const more = { ...reworded, to: [bob, 'eve@example.com'] }
    expect(await isUnasked(await say('And eve@example.com.'), more)).toBe(true)
  })

  test('a write to the user alone does not ask', async () => {
    const own = { to: ['me@example.com'], cc: ['Me <me@work.example>'], subject: 'Note', body: 'x' }
    await sayAndDo('Send me a note.', own)
    expect(await isUnasked(await say('Thanks.'), { ...own, subject: 'Another note' })).toBe(true)
  })

  test('a reply to another email does not ask, one to the same email does', async () => {
    await sayAndDo('Answer.', { ...lunch, answers: 'm1' })
    expect(await isUnasked(await say('Go on.'), { ...reworded, answers: 'm2' })).toBe(true)
    expect(await isUnasked(await say('Go on.'), { ...reworded, subject: 'Re', answers: 'm1' })).toBe(false)
    expect(await isUnasked(await say('Go on.'), { ...reworded, subject: 'New' })).toBe(false)
  })

  test('neither do tools that repeat, calls of one answer, and writes that an approval has told of', async () => {
    const draft: ToolSpecification = { ...mail, name: 'gmail_create_draft', repeats: true }
    await sayAndDo(about, lunch, { toolCallId: 'one' })
    await sayAndDo(about, lunch, {}, draft)
    expect(await isUnasked(await say('Thanks.'), reworded, {}, draft)).toBe(true)
    const coveredUntil = new Date(Date.now() + 1000).toISOString()
    expect(await isUnasked(await say('Yes.'), reworded, { siblings: ['one'] })).toBe(true)
    expect(await isUnasked(await say('Yes.'), { ...reworded, subject: 'x' }, { coveredUntil })).toBe(true)
  })

  test.each(['running', 'unknown'])('one that is %s counts as well', async (status) => {
    const claimed = await claimWrite(db, await say(about), mail, lunch)
    if (status === 'unknown') {
      const lost = { ok: false, errorType: 'outcome_unknown' }
      await db.call('settle_invocation', chat.user, claimed.invocationId, 'unknown', lost, 5)
    }
    const moved = { cc: [ada], subject: 'Meal', body: 'x' }
    expect(await claimWrite(db, await say('Thanks.'), mail, moved)).toMatchObject({
      status: 'same',
      earlier: { write: { status } },
    })
  })

  test('the words of an edit are not new, those of the message after it are', async () => {
    const turn = await sayAndDo(about, lunch)
    const today = { ...reworded, subject: 'About lunch today' }
    const edit = await say(`${about} today`, turn.userMessageId)
    expect(edit.turnId).toBe(turn.turnId)
    expect(await isUnasked(edit, { ...today, to: [], cc: [ada] })).toBe(false)
    expect(await isUnasked(await say('Thanks.'), today)).toBe(false)
    expect(await isUnasked(await say(alsoRoom), room)).toBe(true)
  })

  test('nor is the edit of an earlier message, which cuts off the one that led to the write', async () => {
    const first = await say('Hello')
    await db.finish(first.runId)
    await sayAndDo(about, lunch)
    const edit = await say(`Hello. ${about} today`, first.userMessageId)
    expect(await isUnasked(edit, { ...reworded, subject: 'Lunch today' })).toBe(false)
    expect(await isUnasked(await say(alsoRoom), room)).toBe(true)
  })

  test('a regenerated answer has nothing new', async () => {
    await sayAndDo(about, lunch)
    const again = await chat.post({
      trigger: 'regenerate-message',
      lastMessage: { id: `u${count}`, role: 'user' },
    })
    expect(await isUnasked(again, { cc: [ada], subject: 'About lunch', body: 'x' })).toBe(false)
  })

  test('what was typed into a form since counts, also while it is not stored yet', async () => {
    await sayAndDo(about, lunch)
    const turn = await say('And one about something else.')
    const asked = question({ kind: 'input', toolCallId: 'c1' })
    await db.finish(turn.runId, { status: 'needs_input', entries: numbered([asked]) })
    const answered = await db.begin('begin_resume', chat.user, chat.id, {
      type: 'input',
      itemId: asked.itemId,
      values: { subject: 'Summer party' },
      runId: randomUUID(),
    })
    const decided = { ...decisionEntry(asked, 'answer'), values: { subject: 'Summer party' } }
    const party = { ...reworded, subject: 'Summer party' }
    await db.call('heartbeat_run', answered.runId, 15, numbered([decided]))
    expect(await isUnasked(answered, party)).toBe(true)
  })
})

interface Named {
  chat?: string
  id?: string
  /** No other message has its id. */
  isUnique?: boolean
  /** What the history says that was answered to each of the messages before it. */
  answers?: Record<string, string>
}

/** A message of a chat that its client names, with what the client's history has before it. */
async function send(
  text: string,
  before: string[],
  { chat: name = 'one', id = `m${++count}`, isUnique = false, answers = {} }: Named = {},
): Promise<Answer> {
  const { reply } = await db.call('begin_completion', chat.user, {
    runId: randomUUID(),
    key: randomUUID().replaceAll('-', ''),
    conversationId: `openai-${name}`,
    message: `client-${id.padStart(40, '0')}`,
    ...(isUnique ? { messageKey: `${id} ${text}` } : {}),
    agentId: await agentOf(chat.user),
    messages: [{ entry: userEntry(text), place: { words: text, wordsBefore: before } }],
    words: text,
    answers: Object.entries(answers).map(([words, given]) => ({ words, text: given })),
  })
  expect(reply.kind).toBe('run')
  return reply
}

async function sendAndDo(text: string, before: string[], named?: Named, args = lunch): Promise<void> {
  await carryOut(await send(text, before, named), args)
}

async function agentOf(user: string): Promise<string> {
  const [found] = await db.service`select id from agents where user_id = ${user}`
  return found ? found.id : db.call('askback_private.choose_agent', user, null, null)
}

describe('in a chat that an OpenAI client names', () => {
  const histories: [string, string[]][] = [
    ['whole', ['Hello', about, 'Fine', 'More']],
    ['cut in front', ['More']],
    ['cut in the middle', ['Hello', 'More']],
    ['without the message that led to the write', ['Hello', 'Fine', 'More']],
    ['with a summary of the rest', ['Until now: hello, lunch.', 'More']],
  ]
  test.each(histories)('follows the line of the chat with a history that is %s', async (_, before) => {
    await db.finish((await send('Hello', [])).runId)
    await sendAndDo(about, ['Hello'])
    await db.finish((await send('Fine', ['Hello', about])).runId)
    await db.finish((await send('More', ['Hello', about, 'Fine'])).runId)
    expect(await isUnasked(await send('Thanks.', before), reworded)).toBe(false)
    expect(await isUnasked(await send(alsoRoom, before), room)).toBe(true)
  })

  test('counts what was typed in a message that the client has left out since', async () => {
    await sendAndDo(about, [])
    await db.finish((await send(alsoRoom, [about])).runId)
    await db.finish((await send('Fine', [about, alsoRoom])).runId)
    expect(await isUnasked(await send('Send it now.', ['Fine']), room)).toBe(true)
  })

  test.each([
    ['nothing', []],
    ['only a summary', ['Until now: lunch.']],
  ])('asks each time if the history holds %s', async (_, before) => {
    await sendAndDo(about, [])
    expect(await isUnasked(await send(alsoRoom, before), room)).toBe(false)
  })

  test('the words of an edit are not new, also under a new id; those after it are', async () => {
    await db.finish((await send('Hello', [], { id: 'a' })).runId)
    await sendAndDo(about, ['Hello'], { id: 'b' })
    const edited = `${about} today`
    const today = { ...reworded, subject: 'About lunch today' }
    expect(await isUnasked(await send(edited, ['Hello'], { id: 'c' }), today)).toBe(false)
    expect(await isUnasked(await send('Thanks.', ['Hello', edited], { id: 'd' }), today)).toBe(false)
    expect(await isUnasked(await send(alsoRoom, ['Hello', edited, 'Thanks.'], { id: 'e' }), room)).toBe(true)
  })

  test('nor those of an edit far back, where the same words were typed more than once', async () => {
    await db.finish((await send('Hello', [])).runId)
    await db.finish((await send('OK', ['Hello'])).runId)
    await sendAndDo(about, ['Hello', 'OK'])
    await db.finish((await send('OK', ['Hello', 'OK', about])).runId)
    const edited = `${about} today`
    const today = { ...reworded, subject: 'About lunch today' }
    expect(await isUnasked(await send(edited, ['Hello', 'OK']), today)).toBe(false)
  })

  test('a chat that goes on in another branch has that branch’s line', async () => {
    await db.finish((await send('Hello', [])).runId)
    await sendAndDo(about, ['Hello'])
    // The branch that the user went back to: the write was made after it.
    await db.finish((await send('Other', ['Hello'])).runId)
    expect(await isUnasked(await send(alsoRoom, ['Hello', 'Other']), room)).toBe(true)
  })

  test('whoever goes on in the app follows what stands there', async () => {
    await sendAndDo(about, [])
    // A message without a client's id could be a repetition for ten minutes.
    await age(0.2)
    const turn = await db.postUi(chat.user, {
      conversationId: 'openai-one',
      messages: [userMessage('app', alsoRoom)],
    })
    expect(await isUnasked(turn, room)).toBe(true)
    const next = await send('Thanks.', [about])
    expect(await isUnasked(next, { ...room, subject: 'Your room' })).toBe(false)
  })
})

describe('in a copy of a named chat', () => {
  test('a write counts whose message stands in the history before the newest one', async () => {
    await sendAndDo(about, ['Hello'])
    const copy = { chat: 'two' }
    expect(await isUnasked(await send('Thanks.', ['Hello', about], copy), reworded)).toBe(false)
    expect(await isUnasked(await send('Thanks.', ['Hello', about], copy), lunch)).toBe(false)
    expect(await isUnasked(await send(alsoRoom, ['Hello', about, 'Thanks.'], copy), room)).toBe(true)
    await age(12)
    expect(await isUnasked(await send('Thanks.', ['Hello', about], { chat: 'three' }), lunch)).toBe(true)
  })

  test('what stood in its history is stored once, and counts until it is edited away', async () => {
    await sendAndDo(about, ['Hello'])
    const two = { chat: 'two' }
    const history = ['Hello', about]
    for (let n = 0; n < 20; n++) {
      await db.finish((await send(`Note ${n}`, history, { ...two, id: `n${n}` })).runId)
      history.push(`Note ${n}`)
    }
    const [stored] = await db.service`
      select sum(cardinality(words_before))::integer as count from messages where user_id = ${chat.user}`
    // Of the first chat 'Hello', which it never had, and of its copy two.
    expect(stored).toEqual({ count: 3 })
    expect(await isUnasked(await send('Thanks.', history, two), reworded)).toBe(false)
    expect(await isUnasked(await send('No notes', ['Hello', about], { ...two, id: 'n0' }), reworded)).toBe(
      false,
    )
    expect(await isUnasked(await send('Write to Ada', ['Hello'], { ...two, id: 'n0' }), reworded)).toBe(true)
  })

  test('one counts whose words were typed there as well, and led to nothing', async () => {
    await sendAndDo(about, ['Hello'])
    await db.finish((await send(about, [], { chat: 'two' })).runId)
    expect(await isUnasked(await send('Thanks.', [about], { chat: 'two' }), reworded)).toBe(false)
  })

  test('one counts that was made after the copy', async () => {
    const original = await send(about, [])
    const copy = await send('And?', [about], { chat: 'two' })
    await carryOut(original, lunch)
    expect(await isUnasked(copy, reworded)).toBe(false)
  })

  test('one counts whose message is sent again after the same one, under another id', async () => {
    await db.finish((await send('Hello', [])).runId)
    await sendAndDo(about, ['Hello'])
    expect(await isUnasked(await send(about, ['Hello'], { chat: 'two' }), reworded)).toBe(false)
    // Nothing tells a first message from a new one.
    expect(await isUnasked(await send(about, [], { chat: 'three' }), reworded)).toBe(true)
  })

  test('no other write of that chat counts, nor one of another user', async () => {
    await sendAndDo(about, ['Hello'])
    expect(await isUnasked(await send('Write to Ada', ['Hello'], { chat: 'two' }), reworded)).toBe(true)
    chat = new DatabaseConversation(db, await db.createUser())
    expect(await isUnasked(await send('Thanks.', ['Hello', about]), reworded)).toBe(true)
  })
})

describe('in a copy of a named chat that stands before the message that led to the write', () => {
  const rain = 'It is raining'
  const told = 'It will stop. What can I do for you?'
  const edited = `${about} today`
  const today = { ...reworded, subject: 'About lunch today' }
  const talk = async (named: Named, answer = told) => {
    const { runId } = await send(rain, [], named)
    await db.call('note_told', chat.user, runId, answer)
    await db.finish(runId)
  }
  /** Whether a mail is sent unasked for an edit in a copy of the small talk. */
  const edit = async (named: Named, args = today) =>
    isUnasked(await send(edited, [rain], { answers: { [rain]: told }, ...named }), args)

  test('the write counts, and the words of an edit are not new', async () => {
    await talk({})
    await sendAndDo(about, [rain], { answers: { [rain]: told } })
    expect(await edit({ chat: 'two' })).toBe(false)
    expect(await edit({ chat: 'three' }, lunch)).toBe(false)
    expect(await isUnasked(await send('Thanks.', [rain, edited], { chat: 'two' }), today)).toBe(false)
    expect(await isUnasked(await send(alsoRoom, [rain, edited, 'Thanks.'], { chat: 'two' }), room)).toBe(true)
    await age(12)
    expect(await edit({ chat: 'four' })).toBe(true)
  })

  test.each([
    ['its words were not typed there', { 'It is snowing': told }],
    ['its answer is another one', { [rain]: 'It will not stop.' }],
  ])('not if the history holds an exchange and %s', async (_, answers) => {
    await talk({})
    await sendAndDo(about, [rain])
    expect(await edit({ chat: 'two', answers })).toBe(true)
  })

  test('not if the chats begin alike, each with an exchange of its own', async () => {
    await talk({})
    await sendAndDo(about, [rain], { answers: { [rain]: told } })
    await talk({ chat: 'two' })
    expect(await edit({ chat: 'two' })).toBe(true)
  })

  test('nor a write of another user who has said the same', async () => {
    await talk({})
    await sendAndDo(about, [rain])
    chat = new DatabaseConversation(db, await db.createUser())
    expect(await edit({ chat: 'two' })).toBe(true)
  })

  test('an answer that was stopped counts as far as the client has it', async () => {
    await talk({})
    await sendAndDo(about, [rain])
    expect(await edit({ chat: 'two', answers: { [rain]: ' It will stop.\n' } })).toBe(false)
  })

  test('what another copy has sent counts, what the original has sent after it, and the other way round', async () => {
    await talk({})
    await sendAndDo(about, [rain], { chat: 'two', answers: { [rain]: told } })
    for (const name of ['three', 'one', 'two']) expect(await edit({ chat: name })).toBe(false)
    await talk({ chat: 'four' }, 'The sun will shine.')
    await sendAndDo(about, [rain], { chat: 'five', answers: { [rain]: 'The sun will shine.' } })
    expect(await edit({ chat: 'four' })).toBe(false)
  })

  test('a copy of a copy counts, also if the first one was not changed', async () => {
    await sendAndDo(about, [], { id: 'a', isUnique: true })
    await talk({ chat: 'two', id: 'b' })
    await db.finish((await send(`${about} please`, [], { chat: 'two', id: 'a', isUnique: true })).runId)
    expect(await edit({ chat: 'three' })).toBe(false)
  })

  test('one counts whose message has the same unique name and other words', async () => {
    await sendAndDo(about, [], { id: 'a', isUnique: true })
    await sendAndDo(about, [], { chat: 'b', id: '1' }, { ...lunch, to: [bob] })
    expect(await isUnasked(await send(edited, [], { chat: 'two', id: 'a', isUnique: true }), today)).toBe(
      false,
    )
    const other = { ...today, to: [bob] }
    expect(await isUnasked(await send(edited, [], { chat: 'three', id: '1' }), other)).toBe(true)
  })

  test('a chat that was seen to be a copy stays one: its first message is edited', async () => {
    await talk({})
    await sendAndDo(about, [rain])
    await db.finish((await send('Thanks.', [rain], { chat: 'two', answers: { [rain]: told } })).runId)
    expect(await isUnasked(await send(edited, [], { chat: 'two' }), today)).toBe(false)
    // Nothing tells the first request of a copy from a new chat.
    expect(await isUnasked(await send(edited, [], { chat: 'three' }), today)).toBe(true)
  })

  test('in a copy, an edit of a later message is something new, if the client’s history goes on to have the write', async () => {
    await sendAndDo(about, ['Hello'])
    await db.finish((await send('Thanks.', ['Hello', about], { chat: 'two', id: 'a' })).runId)
    const turn = await send(alsoRoom, ['Hello', about], { chat: 'two', id: 'b' })
    expect(await isUnasked(turn, room)).toBe(true)
  })

  test('nothing of it stays when a chat is deleted', async () => {
    await talk({})
    await db.finish((await send(edited, [rain], { chat: 'two', answers: { [rain]: told } })).runId)
    await db.finish((await send(edited, [rain], { chat: 'three', answers: { [rain]: told } })).runId)
    const copies = () => db.service`select original_id from copied_chats where user_id = ${chat.user}`
    expect(await copies()).toHaveLength(2)
    await db.call('delete_conversation', chat.user, 'openai-two')
    expect(await copies()).toHaveLength(1)
    await db.call('delete_conversation', chat.user, 'openai-one')
    expect(await copies()).toHaveLength(0)
  })

  test('a chat that begins like hundreds of others is a copy of the newest of them', async () => {
    for (let n = 0; n < 105; n++) await talk({ chat: `x${n}` })
    await talk({})
    await sendAndDo(about, [rain])
    expect(await edit({ chat: 'two' })).toBe(false)
    const [{ count: copies } = {}] = await db.service`
      select count(*)::integer from copied_chats where user_id = ${chat.user} and conversation_id = 'openai-two'`
    expect(copies).toBe(100)
  })
})

describe('without a name', () => {
  const unnamed = async (text: string): Promise<Answer> => {
    const { reply } = await db.call('begin_completion', chat.user, {
      runId: randomUUID(),
      key: randomUUID(),
      agentId: await agentOf(chat.user),
      messages: [{ entry: userEntry(text) }],
      words: text,
      answers: [],
    })
    return reply
  }

  test('only the newest message is new, and all such chats count together', async () => {
    await carryOut(await unnamed(about), lunch)
    await age(1)
    expect(await isUnasked(await unnamed('Thanks.'), reworded)).toBe(false)
    expect(await isUnasked(await unnamed(alsoRoom), room)).toBe(true)
    await age(1)
    expect(await isUnasked(await unnamed('Thanks.'), { ...room, subject: 'Your room' })).toBe(false)
  })
})
