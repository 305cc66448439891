import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import type { ConnectionHandle } from '../../shared/server/connections/stored-connection.ts'
import type { ActionContext } from '../../shared/server/integration-function/integration-action.ts'
import { implement } from '../../supabase/functions/gmail-api/actions.ts'
import { gmailProvider } from '../../supabase/functions/gmail-api/integration.ts'
import { gmailScopes } from '../../supabase/functions/gmail-api/scopes.ts'
import { startGmailProcess } from '../../support/gmail-process.ts'

/** The actions on this runtime: requests, uploads, MIME, charsets. */
const scopes = [gmailScopes.modify]
const server = await startGmailProcess(scopes)
const { actions } = implement({ baseUrl: server.url, deadlineMs: 60_000 })

const connection = {
  id: 'c',
  provider: gmailProvider,
  label: '',
  account: 'ada@example.com',
  status: 'connected' as const,
  values: {},
  accessToken: async () => 'token',
}
const handle: ConnectionHandle = {
  ...connection,
  scopes,
  pinned: false,
  metadata: {},
  reject() {},
  open: async () => connection,
}

async function run(name: string, args: object) {
  const action = actions.find(({ tool }) => tool.action === name)
  const context: ActionContext = {
    userId: 'u',
    connections: [handle],
    idempotencyKey: crypto.randomUUID(),
    signal: new AbortController().signal,
    effectBegins() {},
    note: async () => {},
  }
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at the members it is about
  return (await action?.run(args as never, context)) as any
}

const mail = { to: ['jörg@exämple.de'], subject: 'Prüfung ✓', body: 'Größe' }

/** The last mail that went out, and what is left behind. */
async function lastSent() {
  const { sent, drafts } = await server.inspect()
  const { id, raw = '' } = sent.at(-1) ?? {}
  return { id, drafts, count: sent.length, parsed: await PostalMime.parse(Buffer.from(raw, 'base64')) }
}

test('a mail goes out by a draft', async () => {
  const { message_id } = await run('send_email', mail)
  const { id, drafts, parsed } = await lastSent()
  assert.deepEqual([id, parsed.subject, parsed.text?.trim()], [message_id, 'Prüfung ✓', 'Größe'])
  assert.equal(drafts, 0)
})

test('a mail of 8 MiB goes up whole', async () => {
  const content = new TextDecoder().decode(new Uint8Array(8 * 1_048_576).fill(97))
  await run('send_email', {
    ...mail,
    attachments: [{ filename: 'a.txt', content, content_type: 'text/plain' }],
  })
  const [file] = (await lastSent()).parsed.attachments
  assert.equal(Buffer.from(file?.content as ArrayBuffer).length, 8 * 1_048_576)
})

test('texts of every charset and HTML are read', async () => {
  const deliver = (type: string, body: string) =>
    server.deliver(`From: g@example.com\r\nSubject: x\r\nContent-Type: ${type}\r\n${body}`)
  const ids = [
    await deliver('text/plain; charset=iso-2022-jp', '\r\n\u001b$B?eLn\u001b(B'),
    await deliver('text/plain; charset=windows-1251', 'Content-Transfer-Encoding: base64\r\n\r\nz/Do'),
    await deliver('text/html', '\r\n<p>One</p><p>Two</p>'),
  ]
  const { messages } = await run('read_emails', { message_ids: ids, include_body: true })
  assert.deepEqual(
    messages.map(({ body }: { body: string }) => body),
    ['水野', 'При', 'One\n\nTwo'],
  )
})

test('a request with an effect is not repeated by the runtime when its connection breaks', async () => {
  const { count } = await lastSent()
  for (const connection of ['cut', 'lost'] as const) {
    await server.inspect()
    await server.plan('drafts.send', { connection })
    await assert.rejects(run('send_email', mail))
    assert.deepEqual((await server.inspect()).calls, ['drafts.create', 'drafts.send'])
  }
  assert.equal((await lastSent()).count, count + 1)
})
