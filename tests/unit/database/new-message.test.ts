import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  callEntries,
  numbered,
  question,
  sent,
  userEntry,
  userMessage,
  write,
} from '../../../support/database-calls.ts'
import { DatabaseConversation, spoken } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

describe('a new message', () => {
  test('of a new user: conversation, default agent, tools, message and run in one call', async () => {
    const turn = await db.call('begin_turn', chat.user, {
      form: 'json',
      runId: randomUUID(),
      conversationId: chat.id,
      messages: [userMessage('m1', 'Hello')],
      title: 'Hello',
    })
    expect(turn).toMatchObject({
      kind: 'run',
      conversationId: chat.id,
      created: true,
      agent: { name: 'Assistant' },
      preference: null,
      history: [{ id: 'm1', role: 'user', entries: [{ entry: userEntry('Hello'), private: null }] }],
      entries: [],
      user: { email: `${chat.user}@example.com`, name: null, accounts: [] },
      priorWrites: [],
      unreportedWrites: [],
    })
    const catalogue = (await db.call('load_catalogue')) as Answer
    expect(turn.catalogue).toBe(catalogue.version)
    expect(turn.tools).toEqual({ access: 'all', granted: null, permissions: [], approvers: [] })
    const tools = Object.fromEntries(catalogue.tools.map((tool: Answer) => [tool.name, tool]))
    expect(tools.smtp_send_email).toMatchObject({
      approval: 'always',
      enabled: true,
      function: 'smtp-api',
      action: 'send_email',
      providers: ['smtp'],
    })
    expect(tools.smtp_test_connection).toMatchObject({ approval: 'never' })
    const page = await chat.page()
    expect(page).toMatchObject({
      id: chat.id,
      title: 'Hello',
      status: 'running',
      messages: [{ id: 'm1', role: 'user' }],
    })
  })

  test('without a conversation id gets one', async () => {
    const runId = randomUUID()
    const turn = await db.postText(chat.user, { text: 'Hello', runId })
    expect(turn).toMatchObject({ kind: 'run', created: true })
    expect(await db.postText(chat.user, { text: 'Hello', runId })).toEqual(turn)
  })

  test('keeps the order of the parameters and of what was said', async () => {
    const entry = {
      type: 'user-message',
      content: [{ type: 'text', text: 'Hello', zebra: 1, ant: { y: 2, b: 3 } }],
    }
    const turn = await chat.post({ messages: [{ id: 'm1', entry }] })
    expect(JSON.stringify(turn.history[0].entries[0].entry)).toBe(JSON.stringify(entry))
    const catalogue = (await db.call('load_catalogue')) as Answer
    const send = catalogue.tools.find((tool: Answer) => tool.name === 'smtp_send_email')
    expect(Object.keys(send.specification.parameters.properties).slice(0, 1)).toEqual(['to'])
  })

  test('carries another version of the catalogue as soon as something in it has changed', async () => {
    const before = (await chat.exchange('m1', 'Hello', 'Good day.')).catalogue
    expect((await chat.post({ messages: [userMessage('m2', 'Again')] })).catalogue).toBe(before)
    await db.service`update tools set position = position + 1 where name = 'web_search'`
    const after = (await chat.post({ messages: [userMessage('m3', 'And again')] })).catalogue
    expect(after).not.toBe(before)
    await db.service`update integrations set position = position + 1 where id = 'smtp'`
    expect((await chat.post({ messages: [userMessage('m4', 'Once more')] })).catalogue).not.toBe(after)
  })

  test('sees what was said before', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    const turn = await chat.postText('m2', 'How are you?')
    expect(spoken(turn)).toEqual(['Hello', 'Good day.', 'How are you?'])
    expect(turn.created).toBe(false)
  })

  test('whose reply was lost gets the same run again, not a run to wait for', async () => {
    const post = { conversationId: chat.id, messageId: 'm1', text: 'Hello', runId: randomUUID() }
    const turn = await db.postText(chat.user, post)
    expect(await db.postText(chat.user, post)).toEqual(turn)
    await db.finish(turn.runId)
    expect(await db.postText(chat.user, post)).toMatchObject({
      kind: 'return',
      run: { runId: turn.runId, status: 'completed' },
    })
  })

  test('posted ten times at once runs once, the others join', async () => {
    const posts = await Promise.all(Array.from({ length: 10 }, () => chat.postText('m1', 'Hello')))
    const [run] = posts.filter((post) => post.kind === 'run')
    expect(posts.filter((post) => post.kind === 'run')).toHaveLength(1)
    for (const post of posts.filter((other) => other.kind !== 'run')) {
      expect(post).toMatchObject({ kind: 'join', runId: run.runId, messageId: run.messageId })
    }
  })

  test('a lost call repeated while the first is still at work gets one run', async () => {
    const post = { conversationId: chat.id, messageId: 'm1', text: 'Hello', runId: randomUUID() }
    const answers = await Promise.all([
      db.postText(chat.user, post),
      db.postText(chat.user, post),
      db.postText(chat.user, post),
    ])
    expect(answers.map((answer) => [answer.kind, answer.runId])).toEqual(Array(3).fill(['run', post.runId]))
  })

  test('known and answered: the stored answer', async () => {
    const turn = await chat.exchange('m1', 'Hello', 'Good day.')
    const again = await chat.postText('m1', 'Hello')
    expect(again).toMatchObject({
      kind: 'return',
      run: {
        runId: turn.runId,
        status: 'completed',
        messageId: turn.messageId,
        entries: [
          { type: 'model-text', text: 'Good day.' },
          { type: 'run-end', status: 'completed' },
        ],
        pending: [],
      },
    })
  })

  test('known, later ones answered since: still its own answer', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    await chat.exchange('m2', 'And now?', 'Now this.')
    const again = await chat.postText('m1', 'Hello')
    expect(again).toMatchObject({ kind: 'return', run: { runId: first.runId } })
  })

  test('known by its id, with another text: refused in the JSON form, an edit in the AI SDK form', async () => {
    const first = await chat.exchange('m1', 'Hello', 'Good day.')
    expect(await chat.postText('m1', 'Goodbye')).toMatchObject({
      kind: 'error',
      code: 'message_id_taken',
    })
    const edit = await chat.post({ messages: [userMessage('m1', 'Goodbye')] })
    expect(edit).toMatchObject({ kind: 'run', turnId: first.turnId })
    expect(spoken(edit)).toEqual(['Goodbye'])
  })

  test('of the JSON form is never an edit of the message that messageId names', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    const turn = await db.call('begin_turn', chat.user, {
      form: 'json',
      runId: randomUUID(),
      conversationId: chat.id,
      messageId: 'm1',
      messages: [userMessage('m2', 'And now?')],
    })
    expect(spoken(turn)).toEqual(['Hello', 'Good day.', 'And now?'])
  })

  test('the same text without an id joins while it runs, and is a new message afterwards', async () => {
    const turn = await chat.postText(undefined, 'Hello')
    expect(await chat.postText(undefined, 'Hello')).toMatchObject({ kind: 'join', runId: turn.runId })
    await db.finish(turn.runId)
    const next = await chat.postText(undefined, 'Hello')
    expect(next).toMatchObject({ kind: 'run' })
    expect(next.turnId).not.toBe(turn.turnId)
    expect(spoken(next)).toEqual(['Hello', 'Done.', 'Hello'])
  })

  test('the same text for another agent does not join', async () => {
    const turn = await chat.postText(undefined, 'Hello')
    const [agent] = await database.sql`
      insert into askback.agents (user_id, name, instructions) values (${chat.user}, 'Other', 'Be brief.') returning id`
    const other = await chat.postText(undefined, 'Hello', { agentId: agent?.id })
    expect(other).toMatchObject({ kind: 'run', agent: { name: 'Other' } })
    expect(other.runId).not.toBe(turn.runId)
  })

  test('two of them, the first one lost on its way, are one turn', async () => {
    await chat.exchange('m1', 'Hello', 'Good day.')
    const turn = await chat.post({
      messages: [userMessage('m2', 'Are you there?'), userMessage('m3', 'Hello?')],
    })
    expect(spoken(turn)).toEqual(['Hello', 'Good day.', 'Are you there?', 'Hello?'])
    expect(turn.userMessageId).toBe('m3')
  })

  test('behind one that is known leaves that one where it is', async () => {
    await chat.exchange('m1', 'Are you there?', 'I am h')
    const turn = await chat.post({
      messages: [userMessage('m1', 'Are you there?'), userMessage('m2', 'Hello?')],
    })
    expect(spoken(turn)).toEqual(['Are you there?', 'I am h', 'Hello?'])
    expect(turn.userMessageId).toBe('m2')
  })

  test('stops the run that is at work: its claims are refused, its message comes before', async () => {
    const first = await chat.post({ messages: [userMessage('m1', 'Write to Ada.')] })
    const claim = await db.claim(first.runId, { toolCallId: 'call-1' }, numbered(callEntries('call-1')))
    const second = await chat.post({ messages: [userMessage('m2', 'And to Bob.')] })
    expect(second).toMatchObject({
      kind: 'run',
      history: [
        { id: 'm1' },
        { id: first.messageId, entries: [{}, { entry: { toolCallId: 'call-1' } }, {}] },
        {},
      ],
      unreportedWrites: [{ toolCallId: 'call-1', status: 'running' }],
    })
    expect(await db.claim(first.runId, { repetition: 1 })).toMatchObject({ status: 'stopped' })
    expect(await db.call('heartbeat_run', first.runId, 15)).toMatchObject({
      stopRequested: true,
      isOver: false,
    })
    // The write that was running settles and counts; the stopped run leaves what it has.
    await db.call('settle_invocation', chat.user, claim.invocationId, 'succeeded', sent, 20)
    const result = { type: 'result', toolCallId: 'call-1', status: 'succeeded', result: sent }
    const end = { status: 'stopped', text: 'Sent to Ada.', entries: numbered([result], 3) }
    expect(await db.finish(first.runId, end)).toEqual({ status: 'stopped', pending: [] })
    await db.finish(second.runId, { text: 'Sent to Bob.' })
    const third = await chat.post({ messages: [userMessage('m3', 'Thanks')] })
    expect(spoken(third)).toEqual(['Write to Ada.', 'Sent to Ada.', 'And to Bob.', 'Sent to Bob.', 'Thanks'])
    expect(third.unreportedWrites).toEqual([])
  })

  test('ends a run that waits for the clock', async () => {
    const turn = await chat.post({ messages: [userMessage('m1', 'Search')] })
    await db.finish(turn.runId, {
      status: 'waiting',
      entries: numbered([question({ kind: 'wait', resumeAt: new Date(Date.now() - 1000).toISOString() })]),
    })
    await chat.post({ messages: [userMessage('m2', 'Forget it.')] })
    expect(await db.call('get_run', chat.user, turn.runId)).toMatchObject({ status: 'stopped', pending: [] })
    const resumed = await db.call('begin_resume', chat.user, chat.id, {
      runId: randomUUID(),
      type: 'wait',
    })
    expect(resumed).toMatchObject({ kind: 'return', run: { runId: turn.runId, status: 'stopped' } })
  })

  test('after a stop: the same message returns the stopped run', async () => {
    const turn = await chat.postText('m1', 'Hello')
    expect(await db.call('stop_run', chat.user, chat.id)).toEqual({ runId: turn.runId })
    expect(await db.statusOf(turn.runId)).toBe('stopping')
    expect(await chat.postText('m1', 'Hello')).toMatchObject({ kind: 'join', runId: turn.runId })
    await db.finish(turn.runId, { status: 'stopped', text: 'Stopped.' })
    expect(await chat.postText('m1', 'Hello')).toMatchObject({
      kind: 'return',
      run: { runId: turn.runId, status: 'stopped', entries: [{ text: 'Stopped.' }, {}] },
    })
  })

  test('of a run that died goes on with what that one has written, and does nothing again', async () => {
    const dead = await chat.postText('m1', 'Write to Ada.')
    const claim = await db.claim(dead.runId, { toolCallId: 'call-1' }, numbered(callEntries('call-1')))
    await db.call('settle_invocation', chat.user, claim.invocationId, 'succeeded', sent, 20)
    await db.loseLease(dead.runId)
    const again = await chat.postText('m1', 'Write to Ada.')
    expect(again).toMatchObject({
      kind: 'run',
      turnId: dead.turnId,
      messageId: dead.messageId,
      priorWrites: [],
      unreportedWrites: [],
    })
    expect(again.entries.map((stored: Answer) => stored.entry)).toEqual(callEntries('call-1'))
    expect(spoken(again)).toEqual(['Write to Ada.'])
    expect(await db.claim(again.runId, { toolCallId: 'call-1' })).toMatchObject({
      claimed: false,
      status: 'succeeded',
      write: { toolCallId: 'call-1', result: sent },
    })
    await db.finish(again.runId, { text: 'Sent.' })
    expect(await chat.texts()).toEqual(['Write to Ada.', 'Sent.'])
  })

  test('after a run that died, the next message knows of its write', async () => {
    const dead = await chat.postText('m1', 'Write to Ada.')
    const claim = await db.claim(dead.runId, { toolCallId: 'call-1' }, numbered(callEntries('call-1')))
    await db.loseClaim(claim.invocationId)
    await db.loseLease(dead.runId)
    const next = await chat.postText('m2', 'Are you there?')
    expect(next.unreportedWrites).toMatchObject([{ toolCallId: 'call-1', status: 'unknown', result: null }])
    expect(next.history.map((message: Answer) => message.entries.length)).toEqual([1, 3, 1])
    expect(spoken(next)).toEqual(['Write to Ada.', '', 'Are you there?'])
  })

  test('whose run was refused before anything happened runs again', async () => {
    const turn = await chat.postText('m1', 'Hello')
    await db.release(turn.runId)
    expect(await chat.postText('m1', 'Hello')).toMatchObject({ kind: 'run', messageId: turn.messageId })
  })

  test('a delayed repetition of a message whose run died does not cut off what came later', async () => {
    const dead = await chat.postText('m1', 'Hello')
    await db.loseLease(dead.runId)
    await chat.exchange('m2', 'Hello again', 'Good day.')
    expect(await chat.postText('m1', 'Hello')).toMatchObject({
      kind: 'return',
      run: { runId: dead.runId, status: 'interrupted', entries: [] },
    })
    const page = await chat.page()
    expect(page.messages.map((message: Answer) => message.id)).toEqual(['m1', 'm2', expect.any(String)])
  })
})

describe('the history', () => {
  test('tells that something private was read, also when that is no part of the window any more', async () => {
    const read = (toolName: string) => ({
      ...write({ toolName, effect: 'read' }),
      status: 'succeeded',
      result: sent,
      durationMs: 1,
    })
    const first = await chat.postText('m1', 'Search.')
    expect(first.privateBefore).toBe(false)
    await db.finish(first.runId, { invocations: [read('web_search')] })
    const second = await chat.postText('m2', 'Read my mails.')
    expect(second.privateBefore).toBe(false)
    await db.finish(second.runId, { invocations: [read('gmail_read_emails')] })
    for (let number = 3; number <= 34; number++)
      await chat.exchange(`m${number}`, 'Thanks.', 'You are welcome.')
    const last = await chat.post({ messages: [userMessage('m35', 'Last')] })
    expect(spoken(last).slice(0, 2)).toEqual(['Thanks.', 'You are welcome.'])
    expect(last.privateBefore).toBe(true)
    const other = new DatabaseConversation(db, chat.user)
    expect((await other.postText('m1', 'Hello')).privateBefore).toBe(false)
  })

  test('a write of the same arguments belongs to its own turn', async () => {
    await chat.exchangeWithMail('m1', 'Write to Ada.')
    const next = await chat.post({ messages: [userMessage('m2', 'Again, please.')] })
    expect(next.priorWrites).toEqual([])
    const said = { arguments: { to: ['ada@example.com'], subject: 'Again', body: 'At ten, again.' } }
    expect(await db.claim(next.runId, write(said))).toMatchObject({ claimed: true })
  })
})
