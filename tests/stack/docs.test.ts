import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChatUser, signUp, withDatabase } from '../../support/chat-user.ts'
import { connectGoogle } from '../../support/connect-google.ts'
import { type GoogleDocsServer, startGoogleDocs, tokens } from '../../support/google-docs-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { startStack, type TestStack } from '../../support/stack.ts'

let stack: TestStack
let google: GoogleDocsServer
let user: ChatUser

beforeAll(async () => {
  google = await startGoogleDocs()
  const env = { GOOGLE_DOCS_API_BASE_URL: google.url, GOOGLE_DRIVE_API_BASE_URL: google.url }
  stack = await startStack({ env })
  user = await signUp(stack)
})
afterAll(async () => {
  await stack?.stop()
  await google?.close()
})

async function call(action: string, params: object, more: object = {}) {
  const response = await fetch(`${stack.url}/functions/v1/docs-api`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action, params, ...more }),
  })
  return await response.json()
}

it('a newcomer without any account or key has documents made, added to, read and found', async () => {
  const say = async (message: string) => {
    const { answer } = await user.post({ message })
    expect(answer).toMatchObject({ status: 'completed' })
    expect(answer.toolsUsed.map(({ ok }) => ok)).not.toContain(false)
    return answer
  }
  await say('Create a document about the summer party')
  await say('Add "Bring a cake" to the document about the summer party')
  expect((await say('Read the document about the summer party')).text).toContain('Bring a cake')
  expect((await say('Find my documents about the party')).text).toContain('ummer party')
  const [row] = await withDatabase(
    stack,
    (sql) => sql`select count(*)::int from askback.documents where user_id = ${user.id}`,
  )
  expect(row?.count).toBe(1)
})

it('sharing needs Google, and says so', async () => {
  const made = await call('create_document', { title: 'Plan' })
  const { document_id } = made.data
  const share = { document_id, emails: ['grace@example.com'], role: 'reader' }
  expect(await call('share', share)).toMatchObject({
    ok: false,
    errorType: 'not_configured',
    resolver: 'user',
    details: { action: { label: 'Connect Google Docs' } },
  })
})

it('a document is changed once although its function is killed before it could say so', async () => {
  const made = await call('create_document', { title: 'Notes', content: 'start' })
  const params = { document_id: made.data.document_id, text: 'added' }
  const idempotencyKey = randomUUID()
  const query = (ask: (sql: Sql) => PromiseLike<readonly unknown[]>) =>
    withDatabase(stack, async (sql) => await ask(sql))
  // PostgreSQL holds the change back until the function is gone.
  await withDatabase(stack, (holder) =>
    holder.begin(async (held) => {
      await held`select 1 from askback.documents where id = ${params.document_id} for update`
      const delivered = call('append_text', params, { idempotencyKey }).catch(() => 'gone')
      const waiting = () =>
        query(
          (sql) =>
            sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%change_document%'`,
        )
      await expect.poll(waiting, { timeout: 20_000 }).not.toEqual([])
      process.kill(pidOf(stack.pids(), 'docs-api'), 'SIGKILL')
      await delivered
    }),
  )
  await query(
    (sql) =>
      sql`update askback.tool_executions set lease_expires_at = now() - interval '1 second' where idempotency_key = ${idempotencyKey}`,
  )
  const contentOf = async () =>
    (await call('read_document', { document_id: params.document_id })).data.content
  await expect.poll(contentOf, { timeout: 20_000 }).toBe('start\n\nadded')
  expect(await call('append_text', params, { idempotencyKey })).toMatchObject({
    errorType: 'outcome_unknown',
  })
  expect(await call('append_text', params, { idempotencyKey, verify: true })).toEqual({
    ok: true,
    data: { verification: 'sent' },
  })
  expect(await contentOf()).toBe('start\n\nadded')
})

it('with Google connected documents are made there, once, and those from before are still found', async () => {
  await connectGoogle(stack, user.id, {
    provider: 'google-docs',
    email: 'ada@example.com',
    scopes: ['https://www.googleapis.com/auth/drive.file'],
    token: tokens.ada,
  })
  google.faults.plan(/^POST .*upload/, { connection: 'lost' })
  await user.post({ message: 'Create a document about the winter party' })
  expect(google.files.map(({ name }) => name)).toEqual([expect.stringMatching(/winter party/i)])
  const { data } = await call('search', { query: 'party' })
  expect(data.documents.map(({ title }: { title: string }) => title.toLowerCase())).toEqual([
    expect.stringContaining('winter party'),
    expect.stringContaining('summer party'),
  ])
})

it('a document is shared once, and only while that is granted', async () => {
  const [file] = google.files
  const params = { document_id: file?.id, emails: ['grace@example.com'], role: 'reader' }
  const idempotencyKey = randomUUID()
  google.faults.plan(/^POST .*permissions/, { connection: 'lost' })
  const shared = await call('share', params, { idempotencyKey })
  expect(shared).toEqual({ ok: true, data: { results: [{ email: 'grace@example.com', ok: true }] } })
  expect(await call('share', params, { idempotencyKey })).toEqual(shared)
  expect(google.sharing.notified).toHaveLength(1)
  await withDatabase(
    stack,
    (sql) => sql`update askback.connections set scopes = '{openid}' where provider = 'google-docs'`,
  )
  expect(await call('share', params)).toMatchObject({
    errorType: 'authentication_error',
    details: { action: { label: 'Reconnect Google Docs' } },
  })
})
