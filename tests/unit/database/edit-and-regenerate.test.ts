import { beforeEach, describe, expect, test } from 'vitest'
import { textOf, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation, spoken } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

describe('an edit', () => {
  test('is a new run of the same turn: later messages leave the history, sent mails are known', async () => {
    const first = await chat.exchangeWithMail('m1', 'Write to Ada.')
    await chat.exchange('m2', 'Thanks', 'You are welcome.')
    const edit = await chat.post({ messageId: 'm1', messages: [userMessage('m1', 'Write to Ada, please.')] })
    expect(edit).toMatchObject({
      kind: 'run',
      turnId: first.turnId,
      entries: [],
      priorWrites: [
        {
          write: {
            toolName: 'smtp_send_email',
            status: 'succeeded',
            arguments: { subject: 'Meeting' },
            repetition: 0,
          },
        },
      ],
    })
    expect(spoken(edit)).toEqual(['Write to Ada, please.'])
    await db.finish(edit.runId, { text: 'Already sent.' })
    const page = await chat.page()
    expect(page.messages.map(textOf)).toEqual(['Write to Ada, please.', 'Already sent.'])
  })

  test('knows what was sent in the turns that it cuts off; later turns do not', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.exchange('m2', 'Thanks', 'You are welcome.')
    await chat.exchangeWithMail('m3', 'Write to Ada.')
    const edit = await chat.post({ messageId: 'm2', messages: [userMessage('m2', 'Many thanks')] })
    const mail = { write: { toolName: 'smtp_send_email', status: 'succeeded' }, isEarlier: false }
    expect(edit.priorWrites).toMatchObject([mail])
    await db.finish(edit.runId, { text: 'You are welcome.' })
    const again = await chat.post({
      trigger: 'regenerate-message',
      messages: [userMessage('m2', 'Many thanks')],
    })
    expect(again.priorWrites).toMatchObject([mail])
    await db.finish(again.runId, { text: 'You are very welcome.' })
    expect(await chat.postText('m4', 'Good bye')).toMatchObject({ priorWrites: [] })
  })

  test('under a new id (ai 7) replaces the old message and stays in its turn', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    const edit = await chat.post({ messageId: 'm1', messages: [userMessage('m1-new', 'Goodbye')] })
    expect(edit).toMatchObject({ kind: 'run', turnId: first.turnId, userMessageId: 'm1-new' })
    expect(spoken(edit)).toEqual(['Goodbye'])
    // The identical POST again: it joins, and afterwards it is a known message.
    const again = { messageId: 'm1', messages: [userMessage('m1-new', 'Goodbye')] }
    expect(await chat.post(again)).toMatchObject({ kind: 'join', runId: edit.runId })
    await db.finish(edit.runId)
    expect(await chat.post(again)).toMatchObject({ kind: 'return', run: { runId: edit.runId } })
  })

  test('sent unchanged is a rerun; sent twice while it runs it joins, afterwards it runs again', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    const same = { messageId: 'm1', messages: [userMessage('m1', 'Hello')] }
    const rerun = await chat.post(same)
    expect(rerun).toMatchObject({ kind: 'run', turnId: first.turnId })
    expect(await chat.post(same)).toMatchObject({ kind: 'join', runId: rerun.runId })
    await db.finish(rerun.runId)
    expect(await chat.post(same)).toMatchObject({ kind: 'run', turnId: first.turnId })
  })

  test('stops the run that is at work', async () => {
    const first = await chat.post({ messages: [userMessage('m1', 'Hello')] })
    const edit = await chat.post({ messageId: 'm1', messages: [userMessage('m1', 'Goodbye')] })
    expect(edit.kind).toBe('run')
    expect(await db.call('heartbeat_run', first.runId, 15)).toMatchObject({ stopRequested: true })
    // What the stopped run still writes stays cut off.
    await db.finish(first.runId, { status: 'stopped', text: 'Good d' })
    await db.finish(edit.runId, { text: 'Bye.' })
    const page = await chat.page()
    expect(page.messages.map(textOf)).toEqual(['Goodbye', 'Bye.'])
  })

  test('with the id of an earlier message is refused, and changes nothing', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.exchange('m2', 'How are you?', 'Fine.')
    const edit = { messageId: 'm2', messages: [userMessage('m1', 'And you?')] }
    expect(await chat.post(edit)).toMatchObject({ kind: 'error', code: 'message_id_taken' })
    expect(await chat.texts()).toEqual(['Hello', 'Good day.', 'How are you?', 'Fine.'])
  })

  test('with the id of a later message moves that one', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.exchange('m2', 'How are you?', 'Fine.')
    const edit = await chat.post({ messageId: 'm1', messages: [userMessage('m2', 'And you?')] })
    expect(spoken(edit)).toEqual(['And you?'])
  })

  test('beside another message with its id is refused, and changes nothing', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    const twice = { messages: [userMessage('m2', 'How are you?'), userMessage('m2', 'And you?')] }
    expect(await chat.post(twice)).toMatchObject({ kind: 'error', code: 'message_id_taken' })
    expect(await chat.texts()).toEqual(['Hello', 'Good day.'])
  })

  test('of a message that another tab has cut off loses nothing of the new branch', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    const old = await chat.exchange('m2', 'How are you?', 'Fine.')
    const branch = await chat.post({ messageId: 'm1', messages: [userMessage('m1', 'Hi')] })
    await db.finish(branch.runId, { text: 'Hi there.' })
    const stale = await chat.post({ messageId: 'm2', messages: [userMessage('m2', 'How do you do?')] })
    expect(stale).toMatchObject({ kind: 'run', turnId: old.turnId })
    expect(spoken(stale)).toEqual(['Hi', 'Hi there.', 'How do you do?'])
  })
})

describe('regenerate', () => {
  const regenerate = (facts: Record<string, unknown> = {}) =>
    chat.post({
      trigger: 'regenerate-message',
      messages: [userMessage('m1', 'Write to Ada.')],
      lastMessage: { id: 'm1', role: 'user' },
      ...facts,
    })

  test('runs the turn again; what was sent in it is known', async () => {
    const first = await chat.exchangeWithMail('m1', 'Write to Ada.')
    const again = await regenerate()
    expect(again).toMatchObject({
      kind: 'run',
      turnId: first.turnId,
      priorWrites: [{ write: { status: 'succeeded' } }],
    })
    expect(spoken(again)).toEqual(['Write to Ada.'])
    await db.finish(again.runId, { text: 'It is sent.' })
    const page = await chat.page()
    expect(page.messages).toHaveLength(2)
  })

  test('twice at the same time is one run, twice in a row are two', async () => {
    await chat.exchange('m1', 'Write to Ada.', 'Done.')
    const both = await Promise.all([regenerate(), regenerate()])
    expect(both.map((answer) => answer.kind).sort()).toEqual(['join', 'run'])
    expect(both[0].runId).toBe(both[1].runId)
    await db.finish(both[0].runId)
    const next = await regenerate()
    expect(next.kind).toBe('run')
    expect(next.runId).not.toBe(both[0].runId)
  })

  test('after a stop runs again although the stopped run is still ending', async () => {
    const first = await chat.post({ messages: [userMessage('m1', 'Write to Ada.')] })
    await db.call('stop_run', chat.user, chat.id)
    const again = await regenerate()
    expect(again).toMatchObject({ kind: 'run', turnId: first.turnId })
    expect(again.runId).not.toBe(first.runId)
  })

  test('pressed again after a stop is a new run, though the request is the same', async () => {
    await chat.exchange('m1', 'Write to Ada.', 'Done.')
    const stopped = await regenerate()
    await db.call('stop_run', chat.user, chat.id)
    const again = await regenerate()
    expect(again.kind).toBe('run')
    expect(again.runId).not.toBe(stopped.runId)
  })

  test('of a message that never arrived stores it first', async () => {
    const turn = await regenerate()
    expect(turn).toMatchObject({ kind: 'run', created: true, userMessageId: 'm1' })
    expect(spoken(turn)).toEqual(['Write to Ada.'])
  })

  test('without messages has nothing to answer', async () => {
    expect(await regenerate({ messages: [], lastMessage: undefined })).toMatchObject({
      kind: 'error',
      code: 'no_message',
    })
    await chat.exchange('m1', 'Hello', 'Good day.')
    expect(await regenerate({ messages: [], lastMessage: undefined })).toMatchObject({
      kind: 'error',
      code: 'no_message',
    })
  })

  test('where the list ends with an answer answers its message again', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.exchange('m2', 'More', 'More of it.')
    const again = await regenerate({ messages: [], lastMessage: { id: first.messageId, role: 'assistant' } })
    expect(again).toMatchObject({ kind: 'run', turnId: first.turnId })
    expect(spoken(again)).toEqual(['Hello'])
    await db.finish(again.runId, { text: 'Good evening.' })
    expect(await chat.texts()).toEqual(['Hello', 'Good evening.'])
  })

  test('after a message that nobody knows is refused', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    expect(await regenerate({ messages: [], lastMessage: { id: 'never', role: 'assistant' } })).toMatchObject(
      {
        kind: 'error',
        code: 'message_not_found',
      },
    )
  })
})

describe('the answers that one has taken the place of', () => {
  const again = async (text: string) => {
    const run = await chat.post({ trigger: 'regenerate-message', messages: [userMessage('m1', 'Hello')] })
    await db.finish(run.runId, { text })
  }
  const former = async (id: string) =>
    (await db.call('get_conversation', chat.user, chat.id, null, 100, id)).messages.map(textOf)

  test('are counted and kept, oldest first, as long as they answer the same words', async () => {
    await chat.exchange('m1', 'Hello', 'One.')
    expect((await chat.page()).former).toEqual({})
    await again('Two.')
    await again('Three.')
    const page = await chat.page()
    const newest = page.messages.at(-1)
    expect(page.former).toEqual({ [newest.id]: 2 })
    expect(await former(newest.id)).toEqual(['One.', 'Two.'])
    expect(await former('m1')).toEqual([])
    expect(await former('unknown')).toEqual([])
    const edit = await chat.post({ messageId: 'm1', messages: [userMessage('m1', 'Good day')] })
    await db.finish(edit.runId, { text: 'Four.' })
    expect((await chat.page()).former).toEqual({})
    expect(await former(newest.id)).toEqual([])
  })
})
