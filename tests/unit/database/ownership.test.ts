import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { textOf } from '../../../support/database-calls.ts'
import { DatabaseConversation, spoken } from '../../../support/database-conversation.ts'
import { offeredNames, offeredTools } from '../../../support/offered-tools.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

describe('whose it is', () => {
  test('two users may choose the same conversation id and see nothing of each other', async () => {
    const stranger = await db.createUser()
    await chat.exchange('m1', 'My secret', 'Kept.')
    const theirs = await db.postText(stranger, { conversationId: chat.id, messageId: 'm1', text: 'Hello' })
    expect(theirs).toMatchObject({ kind: 'run', created: true })
    expect(spoken(theirs)).toEqual(['Hello'])
    const mine = await chat.page()
    expect(mine.messages.map(textOf)).toEqual(['My secret', 'Kept.'])
  })

  test('another user’s run, conversation and approval are not there', async () => {
    const stranger = await db.createUser()
    const turn = await chat.awaitApproval()
    expect(await db.call('get_run', stranger, turn.runId)).toBeNull()
    expect(await db.call('get_conversation', stranger, chat.id)).toBeNull()
    expect(await db.call('stop_run', stranger, chat.id)).toBeNull()
    const answer = { runId: randomUUID(), type: 'approval', itemId: 'call-1.asked', decision: 'approve' }
    expect(await db.call('begin_resume', stranger, chat.id, answer)).toMatchObject({
      kind: 'error',
      code: 'conversation_not_found',
    })
    expect(await db.call('delete_conversation', stranger, chat.id)).toBeNull()
    expect(await db.call('change_conversation', stranger, chat.id, 'Mine', true, true)).toBeNull()
    const used = { runId: randomUUID(), provider: 'any', model: 'any', inputTokens: 1, outputTokens: 1 }
    expect(await db.call('name_conversation', stranger, chat.id, 'Hello', 'Mine', used)).toBeNull()
    expect(await db.call('list_conversations', stranger)).toEqual({ conversations: [], next: null })
    expect(await db.call('list_items', stranger)).toEqual([])
    expect(await db.call('list_items', stranger, chat.id)).toEqual([])
  })

  test('another user’s agent, an unknown one and a text are 404, and nothing is made', async () => {
    const stranger = await db.createUser()
    const theirs = await db.postText(stranger, { text: 'Hello' })
    for (const agentId of [theirs.agent.id, randomUUID(), 'my agent']) {
      expect(await chat.postText(undefined, 'Hello', { agentId })).toMatchObject({
        kind: 'error',
        code: 'agent_not_found',
      })
    }
    expect(await chat.page()).toBeNull()
  })

  test('an account that is gone is told so', async () => {
    await expect(db.postText(randomUUID(), { text: 'Hello' })).rejects.toMatchObject({
      message: 'unknown_user',
    })
  })

  test('an id that no conversation can have is refused', async () => {
    for (const bad of [
      '',
      ' ',
      'a b',
      'ä',
      '.',
      '..',
      'conversations',
      'v1',
      'ag-ui',
      'files',
      'schedules',
      'x'.repeat(65),
      'a/b',
    ]) {
      await expect(db.postText(chat.user, { conversationId: bad, text: 'Hello' })).rejects.toMatchObject({
        code: '23514',
      })
    }
    expect(await db.postText(chat.user, { conversationId: 'A.b_c~d-9', text: 'Hello' })).toMatchObject({
      kind: 'run',
    })
  })

  test('ids of messages are checked, also against the messages of the assistant', async () => {
    const turn = await chat.exchange('m1', 'Hello', 'Good day.')
    await expect(chat.postText('x'.repeat(257), 'Hello')).rejects.toMatchObject({ code: '23514' })
    expect(await chat.postText(turn.messageId, 'Hello')).toMatchObject({
      code: 'message_id_taken',
    })
    expect(await chat.post({})).toMatchObject({ code: 'no_message' })
  })
})

describe('the agent', () => {
  test('two first messages at once make one default agent', async () => {
    const turns = await Promise.all(
      Array.from({ length: 5 }, () => db.postText(chat.user, { text: 'Hello' })),
    )
    expect(new Set(turns.map((turn) => turn.agent.id)).size).toBe(1)
    expect(await db.service`select count(*)::int from agents where user_id = ${chat.user}`).toEqual([
      { count: 1 },
    ])
  })

  test('is the one asked for, else the conversation’s, else the oldest', async () => {
    const make = async (name: string, created: string) => {
      const [agent] = await db.service`
        insert into agents (user_id, name, instructions, created_at) values (${chat.user}, ${name}, 'Be brief.', ${created}) returning id`
      return String(agent?.id)
    }
    const oldest = await make('Oldest', '2026-01-01')
    const other = await make('Other', '2026-02-01')
    const turn = await chat.postText(undefined, 'Hello')
    expect(turn.agent).toMatchObject({ id: oldest, name: 'Oldest' })
    await db.finish(turn.runId)
    expect((await chat.postText(undefined, 'Now you', { agentId: other })).agent.id).toBe(other)
    expect((await chat.postText(undefined, 'Still you?')).agent.id).toBe(other)
    await db.service`delete from agents where id = ${other}`
    expect((await chat.postText(undefined, 'And now?')).agent.id).toBe(oldest)
  })

  test('has the tools that its permissions allow, with its preference', async () => {
    const [agent] = await db.service`
      insert into agents (user_id, name, instructions) values (${chat.user}, 'Careful', 'Be brief.') returning id`
    const agentId = String(agent?.id)
    expect(await offeredNames(db, await db.postText(chat.user, { text: 'Hello', agentId }))).toEqual([])
    await db.service`insert into agent_tool_permissions (agent_id, tool_name, approval) values (${agentId}, 'smtp_send_email', 'never')`
    await db.service`insert into agent_llm_preferences (agent_id, provider, model, temperature) values (${agentId}, 'openai', 'gpt-5', 0.1)`
    const turn = await db.postText(chat.user, { text: 'Hello', agentId })
    const tools = await offeredTools(db, turn)
    expect(tools.map(({ specification: { name, approval } }) => ({ name, approval }))).toEqual([
      { name: 'smtp_send_email', approval: undefined },
    ])
    expect(turn.preference).toMatchObject({
      provider: 'openai',
      model: 'gpt-5',
      temperature: 0.1,
      retryTemperature: null,
      fallbacks: [],
    })
    await db.service`update agents set tool_access = 'all' where id = ${agentId}`
    await db.service`update agent_tool_permissions set allowed = false where agent_id = ${agentId}`
    const rest = await offeredNames(db, await db.postText(chat.user, { text: 'Hello', agentId }))
    expect(rest).not.toContain('smtp_send_email')
    expect(rest).toContain('smtp_test_connection')
  })
})
