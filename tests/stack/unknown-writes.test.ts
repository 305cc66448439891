import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { connectGmail, connectGoogle } from '../../support/connect-google.ts'
import { decisionOn } from '../../support/decision.ts'
import { type GmailServer, gmailScopes, startGmailServer } from '../../support/gmail-server.ts'
import { type GoogleDocsServer, startGoogleDocs, tokens } from '../../support/google-docs-server.ts'
import { callTool, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'

/** Chat and the tool's function die while Google has the request: Google knows what became of it. */
let chat: ChatStack
let gmail: GmailServer
let docs: GoogleDocsServer

beforeAll(async () => {
  gmail = await startGmailServer()
  docs = await startGoogleDocs()
  chat = await startChatStack({
    GMAIL_API_BASE_URL: gmail.url,
    GOOGLE_DOCS_API_BASE_URL: docs.url,
    GOOGLE_DRIVE_API_BASE_URL: docs.url,
  })
}, 120_000)
afterAll(async () => {
  await chat?.stop()
  await gmail?.close()
  await docs?.close()
})
beforeEach(() => {
  gmail.faults.clear()
  docs.faults.clear()
  docs.files.length = 0
})

const body = { id: 'c', message: 'Write to grace@example.com that we meet at ten.', messageId: 'm-1' }

/** Chat dies, and these other functions. */
async function die(...others: string[]): Promise<void> {
  for (const one of [...others, 'chat']) process.kill(pidOf(chat.stack.pids(), one), 'SIGKILL')
  await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
}

/** The clock ticks, with nobody posting. */
async function tick(user: ChatUser): Promise<void> {
  const headers = { [clockHeader]: await signClock(readKeys(chat.stack.dataDirectory).functionSecret) }
  expect((await user.post({}, { path: '/clock', headers })).status).toBe(202)
}

const open = async (user: ChatUser) => ((await user.get('/open')).body as { items: PendingItem[] }).items
const page = async (user: ChatUser) => JSON.stringify((await user.get('/conversations/c')).body)

/** Of the first write. */
async function statusOf(user: ChatUser): Promise<string> {
  const [row] = await withDatabase(
    chat.stack,
    (sql) => sql`select status from askback.tool_executions where user_id = ${user.id} order by position`,
  )
  return row?.status
}

const mail = { to: ['grace@example.com'], subject: 'Meeting', body: 'At ten.' }

/** They die while Gmail has the request to send the draft. */
async function dieWhileSending(...others: string[]) {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'never')
  const email = `ada-${randomUUID().slice(0, 8)}@gmail.com`
  await connectGmail(chat.stack, user.id, gmail, { email, scopes: [gmailScopes.compose] })
  gmail.faults.plan('drafts.send', { connection: 'held' })
  chat.model.use([callTool('gmail_send_email', mail)])
  const first = user.post(body)
  await expect.poll(() => gmail.faults.calls, { timeout: 20_000 }).toContain('drafts.send')
  await die(...others)
  await first
  return { user, box: gmail.mailbox(email) }
}

describe('a mail over Gmail', () => {
  const crash = () => dieWhileSending('gmail-api')

  test('that went out is told of, and nobody is asked', async () => {
    const { user, box } = await crash()
    await gmail.faults.arrive()
    await expireLeases(chat.stack, user.id)
    await tick(user)
    await expect.poll(() => open(user)).toEqual([])
    expect(await page(user)).toContain('Sent \\"Meeting\\"')
    expect(box.sent).toHaveLength(1)
  })

  test('that did not go out is called off and told of, and leaves no draft', async () => {
    const { user, box } = await crash()
    await expireLeases(chat.stack, user.id)
    expect(await open(user)).toMatchObject([{ reason: 'unknown' }])
    await tick(user)
    await expect.poll(() => box.drafts.size).toBe(0)
    await expect.poll(() => open(user)).toEqual([])
    await gmail.faults.arrive()
    expect(box.sent).toHaveLength(0)
  })

  test.each([
    ['approve', 1],
    ['deny', 0],
  ] as const)(
    'leaves no draft, when a person says "%s" before the clock has asked Gmail',
    async (decision, mails) => {
      const { user, box } = await crash()
      await expireLeases(chat.stack, user.id)
      chat.model.use(() => say('All right.'))
      const [item] = await open(user)
      const { answer } = await user.post(decisionOn(item, decision), { path: '/c/approval' })
      expect(answer).toMatchObject({ status: 'completed' })
      expect(box.drafts.size).toBe(0)
      await gmail.faults.arrive()
      expect(box.sent).toHaveLength(mails)
      expect(await open(user)).toEqual([])
    },
  )
})

describe('a mail that is known to be sent only after a person has said not to send it again', () => {
  /** Chat dies while Gmail has the request, Gmail cannot say what became of it, and the person denies. */
  async function denyInDoubt() {
    const { user, box } = await dieWhileSending()
    await expireLeases(chat.stack, user.id)
    gmail.faults.plan('drafts.get', { answer: { status: 503, body: {} } }, 100)
    chat.model.use(() => say('All right, I will not send it again.'))
    const [item] = await open(user)
    expect((await user.post(decisionOn(item, 'deny'), { path: '/c/approval' })).answer).toMatchObject({
      status: 'completed',
    })
    expect(await statusOf(user)).not.toBe('succeeded')
    return { user, box }
  }

  test('is shown as sent, and the model is told', async () => {
    const { user, box } = await denyInDoubt()
    expect(await page(user)).toContain('output-denied')
    await gmail.faults.arrive()
    await expect.poll(() => statusOf(user)).toBe('succeeded')
    expect(box.sent).toHaveLength(1)
    const shown = await page(user)
    expect(shown).not.toContain('output-denied')
    expect(shown).toContain('"state":"output-available"')
    expect(shown).toContain('It turned out later that this was done: Send email')
    chat.model.use(() => say('It was sent.'))
    await user.post({ ...body, message: 'Was it sent?', messageId: 'm-2' })
    expect(JSON.stringify(chat.model.requests.at(-1))).toContain('It turned out later')
  })
})

/** Both die while Google has a request whose name holds this. */
async function crashInDocs(tool: string, args: object, request: string): Promise<ChatUser> {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'never')
  const scopes = ['https://www.googleapis.com/auth/drive.file']
  const account = { email: 'ada@example.com', scopes, token: tokens.ada }
  await connectGoogle(chat.stack, user.id, { provider: 'google-docs', ...account })
  docs.faults.plan(new RegExp(`^POST .*${request}`), { connection: 'held' })
  chat.model.use([callTool(tool, args)])
  const first = user.post(body)
  await expect.poll(() => docs.faults.calls.join(), { timeout: 20_000 }).toContain(request)
  await die('docs-api')
  await first
  return user
}

describe('text that is added to a document in Google Docs', () => {
  test('is asked about while it may still arrive, and told of when it has', async () => {
    const { id } = docs.addDocument({ name: 'Plan', owner: 'ada@example.com', markdown: 'At ten.' })
    const user = await crashInDocs(
      'docs_append_text',
      { document_id: id, text: 'Bring a cake.' },
      'batchUpdate',
    )
    await withDatabase(
      chat.stack,
      (sql) => sql`
        update askback.tool_executions set effect_started_at = now() - interval '1 minute' where user_id = ${user.id}`,
    )
    await expireLeases(chat.stack, user.id)
    docs.faults.calls.length = 0
    await tick(user)
    await expect.poll(() => docs.faults.calls.length).toBeGreaterThan(0)
    expect(await statusOf(user)).toBe('unknown')
    expect(await open(user)).toMatchObject([{ reason: 'unknown' }])
    await docs.faults.arrive()
    await tick(user)
    await expect.poll(() => open(user)).toEqual([])
    expect(await page(user)).toContain('output-available')
    expect(docs.markdownOf(id).match(/Bring a cake/g)).toHaveLength(1)
  })
})

describe('a new document in Google Docs', () => {
  async function crash() {
    const user = await crashInDocs('docs_create_document', { title: 'Plan', content: 'At ten.' }, 'upload')
    await docs.faults.arrive()
    await expireLeases(chat.stack, user.id)
    return user
  }

  test('that was made is told of, and nobody is asked', async () => {
    const user = await crash()
    expect(await open(user)).toMatchObject([{ reason: 'unknown' }])
    await tick(user)
    await expect.poll(() => open(user)).toEqual([])
    expect(await page(user)).toContain('output-available')
    expect(docs.files).toHaveLength(1)
  })

  test.each(['the run', 'the page'])('is not made again on a yes to what %s asked', async (asker) => {
    const user = await crash()
    chat.model.use(() => say('It was made once.'))
    if (asker === 'the run') await user.post(body)
    const [item] = await open(user)
    await tick(user)
    await expect.poll(() => statusOf(user)).toBe('succeeded')
    await user.post(decisionOn(item, 'approve'), { path: '/c/approval' })
    expect(docs.files).toHaveLength(1)
    expect(await page(user)).toContain('output-available')
  })

  test.each(['approve', 'deny'] as const)(
    'is not made again, and told of, when a person says "%s" before Google is asked',
    async (decision) => {
      const user = await crash()
      chat.model.use(() => say('All right.'))
      const [item] = await open(user)
      await user.post(decisionOn(item, decision), { path: '/c/approval' })
      expect(docs.files).toHaveLength(1)
      expect(await page(user)).toContain('output-available')
    },
  )
})
