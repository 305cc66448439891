import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { connectGmail } from '../../support/connect-google.ts'
import { decisionOn } from '../../support/decision.ts'
import { type GmailServer, gmailScopes, startGmailServer } from '../../support/gmail-server.ts'
import { callTool, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'

/** Conversations over the whole local stack, with Gmail's function under Deno and the simulator in Gmail's place. */
let chat: ChatStack
let gmail: GmailServer

beforeAll(async () => {
  gmail = await startGmailServer()
  chat = await startChatStack({ GMAIL_API_BASE_URL: gmail.url })
}, 120_000)
afterAll(async () => {
  await chat?.stop()
  await gmail?.close()
})
beforeEach(() => gmail.faults.clear())

const mail = { to: ['grace@example.com'], subject: 'Meeting', body: 'At ten.' }
const ask = 'Write to grace@example.com that we meet at ten.'

async function userWith(
  approval: 'always' | 'never',
  ...mailboxes: string[][]
): Promise<{ user: ChatUser; emails: string[] }> {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, approval)
  const emails: string[] = []
  for (const scopes of mailboxes) {
    const email = `ada-${randomUUID().slice(0, 8)}@gmail.com`
    await connectGmail(chat.stack, user.id, gmail, { email, scopes, position: emails.length })
    emails.push(email)
  }
  return { user, emails }
}

async function send(user: ChatUser, params: object = mail) {
  chat.model.use([callTool('gmail_send_email', params), say('Done.')])
  const { answer } = await user.post({ message: ask })
  return answer
}

const sentBy = (email = '') => gmail.mailbox(email).sent
const draftsOf = (email = '') => gmail.mailbox(email).drafts

describe('a mail over Gmail', () => {
  test('goes out once, when the reply of Gmail is lost', async () => {
    const { user, emails } = await userWith('never', [gmailScopes.compose])
    gmail.faults.plan('drafts.send', { connection: 'lost' })
    const answer = await send(user)
    expect(answer).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect(sentBy(emails[0])).toHaveLength(1)
  })

  test('goes out once, when the connection was cut and it is tried again', async () => {
    const { user, emails } = await userWith('never', [gmailScopes.compose])
    gmail.faults.plan('drafts.send', { connection: 'cut' })
    const answer = await send(user)
    expect(answer).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true, tries: 2 }] })
    expect(sentBy(emails[0])).toHaveLength(1)
    expect(draftsOf(emails[0]).size).toBe(0)
  })

  test('goes out once, when the function is killed while Gmail has the request', async () => {
    const { user, emails } = await userWith('never', [gmailScopes.compose])
    gmail.faults.plan('drafts.send', { connection: 'held' })
    const answering = send(user)
    await expect.poll(() => gmail.faults.calls, { timeout: 20_000 }).toContain('drafts.send')
    process.kill(pidOf(chat.stack.pids(), 'gmail-api'), 'SIGKILL')
    const answer = await answering
    await gmail.faults.arrive()
    expect(answer).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect(sentBy(emails[0])).toHaveLength(1)
    expect(draftsOf(emails[0]).size).toBe(0)
  }, 60_000)

  test('is asked about, where nobody can look whether it went out', async () => {
    const { user, emails } = await userWith('never', [gmailScopes.send])
    gmail.faults.plan('messages.send', { connection: 'lost' })
    const answer = await send(user)
    expect(answer).toMatchObject({ status: 'needs_approval', pending: [{ type: 'approval' }] })
    expect(answer.pending?.[0]?.question).toMatch(/may have been/)
    const [pending] = answer.pending ?? []
    const denied = await user.post(decisionOn(pending, 'deny'), {
      path: `/${answer.conversationId}/approval`,
    })
    expect(denied.answer.status).toBe('completed')
    expect(sentBy(emails[0])).toHaveLength(1)
  })

  test('keeps its Message-ID when it is sent again, because nobody knows whether it went out; the next try is another mail', async () => {
    const { user, emails } = await userWith('never', [gmailScopes.send])
    gmail.faults.plan('messages.send', { connection: 'lost' }, 2)
    const again = async (asked: typeof first) => {
      chat.model.use([say('Sent.')])
      const path = `/${first.conversationId}/approval`
      return (await user.post(decisionOn(asked.pending?.[0], 'approve'), { path })).answer
    }
    const first = await send(user)
    expect(first.pending?.[0]?.question).not.toMatch(/twice/)
    const second = await again(first)
    expect(second.pending).toMatchObject([{ code: 'outcome_unknown', codeValues: { isSecond: true } }])
    expect(second.pending?.[0]?.question).toContain('doing it again may do it twice')
    expect(await again(second)).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    const ids = sentBy(emails[0]).map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw.toString())?.[1])
    expect(ids).toEqual([expect.any(String), ids[0], expect.any(String)])
    expect(ids[2]).not.toBe(ids[0])
  })

  test('becomes a real draft, when the user decides so in place of an approval', async () => {
    const { user, emails } = await userWith('always', [gmailScopes.compose])
    const asked = await send(user)
    expect(asked).toMatchObject({ status: 'needs_approval' })
    chat.model.use([say('It is in your drafts.')])
    const { answer } = await user.post(decisionOn(asked.pending?.[0], 'draft'), {
      path: `/${asked.conversationId}/approval`,
    })
    expect(answer).toMatchObject({
      status: 'completed',
      toolsUsed: [{ toolName: 'gmail_create_draft', ok: true }],
    })
    expect(draftsOf(emails[0]).size).toBe(1)
    expect(sentBy(emails[0])).toHaveLength(0)
  })

  test('comes from the account that the user chooses from a form', async () => {
    const { user, emails } = await userWith('never', [gmailScopes.compose], [gmailScopes.compose])
    const asked = await send(user)
    expect(asked).toMatchObject({
      status: 'needs_input',
      pending: [{ type: 'input', schema: { properties: { from: { enum: emails } } } }],
    })
    chat.model.use([say('Sent.')])
    const { answer } = await user.post(
      { toolCallId: asked.pending?.[0]?.toolCallId, values: { from: emails[1] } },
      { path: `/${asked.conversationId}/answer` },
    )
    expect(answer).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect([sentBy(emails[0]).length, sentBy(emails[1]).length]).toEqual([0, 1])
  })

  test('waits for the connection, when the permission is missing', async () => {
    const { user } = await userWith('never', [gmailScopes.readonly])
    expect(await send(user)).toMatchObject({ status: 'needs_connection', pending: [{ type: 'connection' }] })
    expect(gmail.faults.calls).toEqual([])
  })
})

test('sorting mail asks nobody, deleting it for good does', async () => {
  const { user, emails } = await userWith('never', [gmailScopes.all])
  await withDatabase(
    chat.stack,
    (sql) => sql`
      delete from askback.agent_tool_permissions where agent_id in (
        select id from askback.agents where user_id = ${user.id}
      )`,
  )
  const { id, labelIds } = gmail.mailbox(emails[0] ?? '').deliver('Subject: x\r\n\r\ny')
  const act = async (action: string) => {
    chat.model.use([callTool('gmail_email_actions', { action, message_ids: [id] }), say('Done.')])
    return (await user.post({ message: 'Tidy up.' })).answer
  }
  expect(await act('star')).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
  expect([...labelIds]).toContain('STARRED')
  const asked = await act('delete_forever')
  expect(asked).toMatchObject({
    status: 'needs_approval',
    pending: [{ question: 'Question: Delete 1 email for good?', button: 'Delete 1 email' }],
  })
  expect(gmail.mailbox(emails[0] ?? '').mails.size).toBe(1)
})
