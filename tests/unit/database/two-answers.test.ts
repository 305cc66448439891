import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  decisionEntry,
  numbered,
  question,
  textOf,
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

const item = question()
const result = { type: 'result', toolCallId: 'call-1', status: 'cancelled', tries: 0, durationMs: 0 }
const next = { messages: [userMessage('m2', 'And something else.')] }
const edit = { messageId: 'm1', messages: [userMessage('m1', 'Good morning')] }
const store = (runId: string, entries: object[]) =>
  db.call('heartbeat_run', runId, 15, numbered(entries) as never)

describe('a message that comes while a decision is carried out', () => {
  test('waits until the decided call has a result, and then stops what comes after it', async () => {
    const asked = await chat.awaitApproval('m1')
    const decided = await chat.decide(asked.messageId, true)
    expect(decided.kind).toBe('continue')
    expect(await chat.post(next)).toMatchObject({ kind: 'busy', runId: decided.runId })
    await store(decided.runId, [decisionEntry(item)])
    expect(await chat.post(next)).toMatchObject({ kind: 'busy', runId: decided.runId })
    expect(await db.statusOf(decided.runId)).toBe('running')
    await db.call('heartbeat_run', decided.runId, 15, [{ sequence: 1, entry: result }] as never)
    const turn = await chat.post(next)
    expect(turn).toMatchObject({ kind: 'run', overtaken: [decided.runId] })
    expect(await db.statusOf(decided.runId)).toBe('stopping')
    expect(spoken(turn)).toEqual(['Write to Ada.', 'May I?', 'And something else.'])
  })

  test('waits as well where a process died over it, and another one continues', async () => {
    const asked = await chat.awaitApproval('m1')
    const first = await chat.decide(asked.messageId, true)
    await store(first.runId, [decisionEntry(item)])
    await db.loseLease(first.runId)
    const again = await chat.decide(asked.messageId, true)
    expect(again).toMatchObject({ kind: 'run' })
    expect(await chat.post(next)).toMatchObject({ kind: 'busy', runId: again.runId })
  })

  test('waits for no process that has died', async () => {
    const asked = await chat.awaitApproval('m1')
    const decided = await chat.decide(asked.messageId, true)
    await db.loseLease(decided.runId)
    expect(await chat.post(next)).toMatchObject({ kind: 'run' })
  })

  test('waits for no run that the clock has continued', async () => {
    const turn = await chat.post({ messages: [userMessage('m1', 'Search for it.')] })
    const wait = question({ kind: 'wait', resumeAt: new Date(Date.now() - 1000).toISOString() })
    await db.finish(turn.runId, { status: 'waiting', entries: numbered([wait]) })
    const resumed = await db.begin('begin_resume', chat.user, chat.id, {
      type: 'wait',
      itemId: wait.itemId,
      runId: crypto.randomUUID(),
    })
    expect(resumed.kind).toBe('continue')
    expect(await chat.post(next)).toMatchObject({ kind: 'run', overtaken: [resumed.runId] })
  })

  test.each([
    ['an edit', { messageId: 'm1', messages: [userMessage('m1', 'Write to Bob.')] }],
    ['a regenerate', { trigger: 'regenerate-message', messages: [userMessage('m1', 'Write to Ada.')] }],
  ])('waits if it is %s', async (_, request) => {
    const asked = await chat.awaitApproval('m1')
    const decided = await chat.decide(asked.messageId, true)
    expect(await chat.post(request)).toMatchObject({ kind: 'busy', runId: decided.runId })
  })
})

describe('a run that another message has stopped', () => {
  test('hears that its user has written again, at its next heartbeat and its next claim', async () => {
    const first = await chat.post({ messages: [userMessage('m1', 'Hello')] })
    await chat.post(next)
    expect(await db.call('heartbeat_run', first.runId, 15)).toMatchObject({
      stopRequested: true,
      isOvertaken: true,
    })
    expect(await db.claim(first.runId)).toEqual({ claimed: false, status: 'stopped', isOvertaken: true })
  })

  test('differs from one that somebody has stopped', async () => {
    const first = await chat.post({ messages: [userMessage('m1', 'Hello')] })
    await db.call('stop_run', chat.user, chat.id)
    expect(await db.call('heartbeat_run', first.runId, 15)).toMatchObject({
      stopRequested: true,
      isOvertaken: false,
    })
    expect(await chat.post(next)).toMatchObject({ kind: 'run', overtaken: [] })
  })
})

describe('an edit, from a client that does not say what it has seen,', () => {
  test('keeps a message that another tab has just sent: its run answers both', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    const other = await chat.post(next)
    const turn = await chat.post(edit)
    expect(turn).toMatchObject({ kind: 'run', turnId: first.turnId, overtaken: [other.runId] })
    expect(spoken(turn)).toEqual(['Good morning', 'And something else.'])
    await db.finish(other.runId, { status: 'stopped', text: 'Some' })
    await db.finish(turn.runId, { text: 'Both.' })
    expect(await chat.texts()).toEqual(['Good morning', 'And something else.', 'Both.'])
    // As stored, to the letter.
    const { messages } = await chat.page()
    expect(messages[1].entries).toEqual([userEntry('And something else.')])
  })

  test('keeps two messages of other tabs, of which the second has stopped the run of the first', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    const first = await chat.post(next)
    await chat.post({ messages: [userMessage('m3', 'And a third thing.')] })
    const kept = ['Good morning', 'And something else.', 'And a third thing.']
    expect(spoken(await chat.post(edit))).toEqual(kept)
    await db.finish(first.runId, { status: 'failed' })
    expect((await chat.texts()).slice(0, 3)).toEqual(kept)
  })

  test('without new words keeps it, too', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.post(next)
    const rerun = { messageId: 'm1', messages: [], lastMessage: { id: 'm1', role: 'user' } }
    expect(spoken(await chat.post(rerun))).toEqual(['Hello', 'And something else.'])
  })

  test('keeps none where an earlier message is answered again: whoever asks for that sees what comes after it', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    const other = await chat.post(next)
    const again = { trigger: 'regenerate-message', messages: [userMessage('m1', 'Hello')] }
    expect(spoken(await chat.post(again))).toEqual(['Hello'])
    expect(await db.statusOf(other.runId)).toBe('stopping')
  })

  test('replaces one that was answered, and one that its sender has seen', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    const other = await chat.post(next)
    await db.service`
      update messages set written_at = now() - interval '3 seconds'
      where user_id = ${chat.user} and id = 'm2'`
    expect(spoken(await chat.post(edit))).toEqual(['Good morning'])
    expect(await db.statusOf(other.runId)).toBe('stopping')
  })
})

describe('whatever would replace messages, from a client that says what it has seen,', () => {
  const ask = (first: Answer, change: object) => chat.post({ seen: [first.messageId], ...change })
  const again = { trigger: 'regenerate-message', messages: [userMessage('m1', 'Hello')] }
  const rerun = { messageId: 'm1', messages: [], lastMessage: { id: 'm1', role: 'user' } }
  const replacing = [
    ['an edit', edit],
    ['a rerun', rerun],
    ['a regeneration', again],
  ] as const

  test.each(replacing)('is refused while another tab’s message is answered: %s', async (_, change) => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    const other = await chat.post(next)
    expect(await ask(first, change)).toEqual({ kind: 'error', code: 'newer_messages' })
    expect(await db.statusOf(other.runId)).toBe('running')
    await db.finish(other.runId, { text: 'Both.' })
    expect(await chat.texts()).toEqual(['Hello', 'Good day.', 'And something else.', 'Both.'])
  })

  test.each(replacing)('is refused after it was answered, too, however quickly: %s', async (_, change) => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.exchange('m2', 'And something else.', 'Yes.')
    expect(await ask(first, change)).toEqual({ kind: 'error', code: 'newer_messages' })
    expect(await chat.texts()).toEqual(['Hello', 'Good day.', 'And something else.', 'Yes.'])
  })

  test.each(replacing)('replaces what it has seen: %s', async (_, change) => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    const second = await chat.exchange('m2', 'And something else.', 'Yes.')
    // Also what its page shows and nobody has stored.
    const turn = await chat.post({ seen: [first.messageId, second.messageId, 'not-sent'], ...change })
    expect(turn).toMatchObject({ kind: 'run' })
    expect(spoken(turn)).toHaveLength(1)
  })

  test('replaces its own message whose answer has not begun', async () => {
    await chat.post({ messages: [userMessage('m1', 'Hello')] })
    expect(spoken(await chat.post({ seen: ['m1'], ...edit }))).toEqual(['Good morning'])
  })

  test('replaces an answer that it has not seen: nobody’s words are in it', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    const lastMessage = { id: first.messageId, role: 'assistant' }
    const newer = await chat.post({ trigger: 'regenerate-message', lastMessage })
    await db.finish(newer.runId, { text: 'Good evening.' })
    expect(spoken(await ask(first, edit))).toEqual(['Good morning'])
  })

  test('is refused where another tab has edited the same message', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    const edited = await ask(first, edit)
    await db.finish(edited.runId, { text: 'Good morning to you.' })
    const other = { messageId: 'm1', messages: [userMessage('m1', 'Good night')] }
    expect(await ask(first, other)).toEqual({ kind: 'error', code: 'newer_messages' })
    expect(await chat.texts()).toEqual(['Good morning', 'Good morning to you.'])
    expect(spoken(await ask(edited, other))).toEqual(['Good night'])
  })

  test('loses nothing of two edits around a message that neither has seen', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.exchange('m2', 'And something else.', 'Yes.')
    for (const words of ['Good morning', 'Good night']) {
      const other = { messageId: 'm1', messages: [userMessage('m1', words)] }
      expect(await ask(first, other)).toEqual({ kind: 'error', code: 'newer_messages' })
    }
    expect(await chat.texts()).toEqual(['Hello', 'Good day.', 'And something else.', 'Yes.'])
  })

  test('joins its run if it is sent twice', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    const turn = await ask(first, edit)
    expect(await ask(first, edit)).toMatchObject({ kind: 'join', runId: turn.runId })
  })

  test('and has seen nothing that is stored, is refused', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    for (const seen of [[], ['not-sent']])
      expect(await chat.post({ seen, ...edit })).toEqual({ kind: 'error', code: 'newer_messages' })
  })

  test('is not asked where nothing is replaced', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.exchange('m2', 'And something else.', 'Yes.')
    const turn = await ask(first, { messages: [userMessage('m3', 'And a third thing.')] })
    expect(spoken(turn).at(-1)).toBe('And a third thing.')
    // One that was answered returns its answer.
    expect(await ask(first, next)).toMatchObject({ kind: 'return' })
  })
})

test('a message without any entry, as earlier versions could store it, leaves the conversation readable', async () => {
  await chat.exchange('m1', 'Hello', 'Good day.')
  const empty = await chat.post(next)
  await db.call('finish_run', empty.runId, { status: 'completed', entries: [], invocations: [] })
  const page = await chat.page()
  expect(page.messages.map(textOf)).toEqual(['Hello', 'Good day.', 'And something else.'])
  for (const { runId } of page.messages) expect(runId).toBeTruthy()
  expect(spoken(await chat.postText('m3', 'Hello?')).at(-1)).toBe('Hello?')
})
