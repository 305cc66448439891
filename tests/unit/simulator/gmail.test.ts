import { auth, gmail, type gmail_v1 } from '@googleapis/gmail'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type GoogleError, googleFailures } from '../../../local/simulator/google-error.ts'
import { type GmailServer, gmailScopes, startGmailServer } from '../../../support/gmail-server.ts'

let server: GmailServer
const running: GmailServer[] = []

beforeEach(async () => {
  server = await startGmailServer()
  running.push(server)
  server.accounts.set('token', { email: 'ada@example.com', scopes: [gmailScopes.all] })
})
afterAll(() => Promise.all(running.map((one) => one.close())))

/** Google's own client, as it comes. */
function client(token = 'token'): gmail_v1.Gmail {
  const oauth = new auth.OAuth2()
  oauth.setCredentials({ access_token: token })
  return gmail({ version: 'v1', auth: oauth, rootUrl: `${server.url}/`, retry: false })
}

const raw = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n')).toString('base64url')
const letter = raw('To: grace@example.com\nSubject: Meeting\nMessage-ID: <1@example.com>\n\nAt ten.')

/** Status and first reason of the error that a call ends in. */
async function failureOf(call: Promise<unknown>) {
  const { response } = (await call.then(
    () => expect.unreachable('the call succeeded'),
    (cause) => cause,
  )) as { response: { status: number; data: GoogleError['body'] } }
  const { errors, details, status } = response.data.error
  return {
    code: response.status,
    status,
    reason: errors[0]?.reason,
    info: details?.map(({ reason }) => reason).find(Boolean),
  }
}

describe("Google's own client", () => {
  test('sends, finds and reads a mail in every format', async () => {
    const { users } = client()
    const sent = await users.messages.send({ userId: 'me', requestBody: { raw: letter } })
    expect(sent.data).toMatchObject({ labelIds: ['SENT'], threadId: sent.data.id })
    const listed = await users.messages.list({ userId: 'me', q: 'to:grace subject:meeting' })
    expect(listed.data.messages).toEqual([{ id: sent.data.id, threadId: sent.data.threadId }])
    const id = sent.data.id ?? ''
    const full = await users.messages.get({ userId: 'me', id })
    expect(full.data.payload?.headers).toContainEqual({ name: 'From', value: 'ada@example.com' })
    expect(Buffer.from(full.data.payload?.body?.data ?? '', 'base64url').toString()).toBe('At ten.')
    const metadata = await users.messages.get({
      userId: 'me',
      id,
      format: 'metadata',
      metadataHeaders: ['Subject', 'To'],
    })
    expect(metadata.data.payload?.headers?.map(({ name }) => name)).toEqual(['To', 'Subject'])
    expect(metadata.data.payload?.body).toBeUndefined()
    const minimal = await users.messages.get({ userId: 'me', id, format: 'minimal' })
    expect(minimal.data).not.toHaveProperty('payload')
    const whole = await users.messages.get({ userId: 'me', id, format: 'raw' })
    expect(Buffer.from(whole.data.raw ?? '', 'base64url').toString()).toContain('Message-ID: <1@example.com>')
  })

  test('pages through a list, newest first', async () => {
    const box = server.mailbox('ada@example.com')
    for (let at = 1; at <= 5; at++) box.deliver(`Subject: ${at}\r\n\r\n${at}`, ['INBOX'], at * 1000)
    const { messages } = client().users
    const first = await messages.list({ userId: 'me', maxResults: 2 })
    const second = await messages.list({
      userId: 'me',
      maxResults: 2,
      pageToken: first.data.nextPageToken ?? '',
    })
    const third = await messages.list({
      userId: 'me',
      maxResults: 2,
      pageToken: second.data.nextPageToken ?? '',
    })
    const ids = [first, second, third].flatMap(({ data }) => data.messages ?? []).map(({ id }) => id)
    expect(ids).toEqual([...box.mails.keys()].reverse())
    expect(third.data.nextPageToken).toBeUndefined()
    const none = await messages.list({ userId: 'me', q: 'nothing-like-that' })
    expect(none.data).toEqual({ resultSizeEstimate: 0 })
  })

  test('a draft that was sent is gone, and a message of another id is there', async () => {
    const { drafts, messages } = client().users
    const draft = await drafts.create({ userId: 'me', requestBody: { message: { raw: letter } } })
    const id = draft.data.id ?? ''
    const sent = await drafts.send({ userId: 'me', requestBody: { id } })
    expect(sent.data.id).not.toBe(draft.data.message?.id)
    expect(await failureOf(drafts.get({ userId: 'me', id }))).toMatchObject({ code: 404, reason: 'notFound' })
    expect(await failureOf(drafts.send({ userId: 'me', requestBody: { id } }))).toMatchObject({ code: 404 })
    expect((await messages.list({ userId: 'me', labelIds: ['SENT'] })).data.messages).toHaveLength(1)
  })

  test('a mail that goes up by upload is the same mail', async () => {
    const { drafts } = client().users
    const media = { mimeType: 'message/rfc822', body: 'To: grace@example.com\r\nSubject: Big\r\n\r\nBody' }
    const upload = { userId: 'me', requestBody: { message: {} }, media }
    // The client takes the host of uploads from the call alone.
    const draft = await drafts.create(upload, { rootUrl: `${server.url}/` })
    const read = await drafts.get({ userId: 'me', id: draft.data.id ?? '' })
    expect(read.data.message?.payload?.headers).toContainEqual({ name: 'Subject', value: 'Big' })
  })

  test('attachments come by an id that is another one in each answer', async () => {
    const box = server.mailbox('ada@example.com')
    const mail = box.deliver(
      [
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain; charset=iso-8859-1',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Gr=FC=DFe',
        '--b',
        'Content-Type: application/pdf',
        "Content-Disposition: attachment; filename*=utf-8''B%C3%A9.pdf",
        'Content-Transfer-Encoding: base64',
        '',
        'cGRm',
        '--b--',
      ].join('\r\n'),
    )
    const { messages } = client().users
    const [first, second] = await Promise.all([
      messages.get({ userId: 'me', id: mail.id }),
      messages.get({ userId: 'me', id: mail.id }),
    ])
    const [text, file] = first.data.payload?.parts ?? []
    expect(Buffer.from(text?.body?.data ?? '', 'base64url').toString('utf8')).toBe('Grüße')
    expect(file).toMatchObject({ filename: 'Bé.pdf', mimeType: 'application/pdf', body: { size: 3 } })
    const again = second.data.payload?.parts?.[1]?.body?.attachmentId
    expect(again).not.toBe(file?.body?.attachmentId)
    for (const id of [file?.body?.attachmentId, again]) {
      const { data } = await messages.attachments.get({ userId: 'me', messageId: mail.id, id: id ?? '' })
      expect(Buffer.from(data.data ?? '', 'base64url').toString()).toBe('pdf')
    }
  })

  test('labels are created once, given and taken', async () => {
    const mail = server.mailbox('ada@example.com').deliver('Subject: x\r\n\r\ny')
    const { labels, messages } = client().users
    const { data: label } = await labels.create({ userId: 'me', requestBody: { name: 'Project X' } })
    expect(
      await failureOf(labels.create({ userId: 'me', requestBody: { name: 'project x' } })),
    ).toMatchObject({
      code: 409,
      reason: 'aborted',
    })
    await messages.modify({
      userId: 'me',
      id: mail.id,
      requestBody: { addLabelIds: [label.id ?? ''], removeLabelIds: ['UNREAD'] },
    })
    const found = await messages.list({ userId: 'me', q: 'label:project-x is:read' })
    expect(found.data.messages).toHaveLength(1)
    await messages.trash({ userId: 'me', id: mail.id })
    expect((await messages.list({ userId: 'me' })).data.messages).toBeUndefined()
    await messages.untrash({ userId: 'me', id: mail.id })
    await messages.batchDelete({ userId: 'me', requestBody: { ids: [mail.id, 'ffff'] } })
    expect((await messages.list({ userId: 'me' })).data.messages).toBeUndefined()
  })

  test('an answer to a mail is in its thread', async () => {
    const box = server.mailbox('ada@example.com')
    const mail = box.deliver('Message-ID: <q@x>\r\nSubject: Plan\r\n\r\n?')
    const { messages, threads } = client().users
    const answer = raw('To: a@b.c\nSubject: Re: Plan\nIn-Reply-To: <q@x>\nReferences: <q@x>\n\n!')
    await messages.send({ userId: 'me', requestBody: { raw: answer, threadId: mail.threadId } })
    const { data } = await threads.get({ userId: 'me', id: mail.threadId })
    expect(data.messages).toHaveLength(2)
    const elsewhere = messages.send({ userId: 'me', requestBody: { raw: answer, threadId: 'abc' } })
    expect(await failureOf(elsewhere)).toMatchObject({ code: 404 })
  })
})

test.each([
  ['an unknown token', 'gone', 401, 'authError', 'ACCESS_TOKEN_EXPIRED', 'UNAUTHENTICATED'],
  [
    'a scope that is missing',
    'narrow',
    403,
    'insufficientPermissions',
    'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    'PERMISSION_DENIED',
  ],
])('%s is refused as Google refuses it', async (_, token, code, reason, info, status) => {
  server.accounts.set('narrow', { email: 'ada@example.com', scopes: [gmailScopes.send] })
  expect(await failureOf(client(token).users.messages.list({ userId: 'me' }))).toEqual({
    code,
    reason,
    info,
    status,
  })
})

test.each(Object.keys(googleFailures))('%s can be switched on for a call', async (reason) => {
  const answer = googleFailures[reason]?.('gmail.googleapis.com')
  if (!answer) return expect.unreachable()
  server.faults.plan('messages.list', { answer })
  const { messages } = client().users
  expect(await failureOf(messages.list({ userId: 'me' }))).toMatchObject({
    code: answer.status,
    reason: answer.body.error.errors[0]?.reason,
  })
  expect((await messages.list({ userId: 'me' })).status).toBe(200)
})

test.each([
  [
    'something that is not an id',
    (users: gmail_v1.Resource$Users) => users.messages.get({ userId: 'me', id: 'no id!' }),
    400,
  ],
  [
    'an id that is not there',
    (users: gmail_v1.Resource$Users) => users.messages.get({ userId: 'me', id: 'abc' }),
    404,
  ],
  [
    'a mail without recipients',
    (users: gmail_v1.Resource$Users) =>
      users.messages.send({ userId: 'me', requestBody: { raw: raw('Subject: x\n\ny') } }),
    400,
  ],
  [
    'more than a thousand ids',
    (users: gmail_v1.Resource$Users) =>
      users.messages.batchModify({ userId: 'me', requestBody: { ids: new Array(1001).fill('a') } }),
    400,
  ],
])('%s is refused', async (_, call, code) => {
  expect(await failureOf(call(client().users))).toMatchObject({ code })
})

describe('a fault that is switched on', () => {
  test('loses the answer after the effect', async () => {
    server.faults.plan('messages.send', { connection: 'lost' })
    const { messages } = client().users
    await expect(messages.send({ userId: 'me', requestBody: { raw: letter } })).rejects.toThrow()
    expect(server.mailbox('ada@example.com').sent).toHaveLength(1)
  })

  test('cuts the connection before the effect', async () => {
    server.faults.plan('messages.send', { connection: 'cut' })
    const { messages } = client().users
    await expect(messages.send({ userId: 'me', requestBody: { raw: letter } })).rejects.toThrow()
    expect(server.mailbox('ada@example.com').sent).toHaveLength(0)
  })

  test('does the effect late, when its caller has gone', async () => {
    server.faults.plan('messages.send', { connection: 'late' })
    const { messages } = client().users
    await expect(messages.send({ userId: 'me', requestBody: { raw: letter } })).rejects.toThrow()
    const box = server.mailbox('ada@example.com')
    expect(box.sent).toHaveLength(0)
    await server.faults.arrive()
    expect(box.sent).toHaveLength(1)
  })

  test('replaces the Message-ID', async () => {
    const box = server.mailbox('ada@example.com')
    box.rewritesMessageIds = true
    await client().users.messages.send({ userId: 'me', requestBody: { raw: letter } })
    expect(box.sent[0]?.raw.toString()).toMatch(/Message-ID: <CA\+[0-9a-f]+@mail\.gmail\.com>/)
  })
})

test('a batch answers each of its calls', async () => {
  const mail = server.mailbox('ada@example.com').deliver('Subject: x\r\n\r\ny')
  const part = (id: string, path: string) =>
    `--b\r\nContent-Type: application/http\r\nContent-ID: <${id}>\r\n\r\nGET ${path}?format=minimal HTTP/1.1\r\n\r\n\r\n`
  const answer = await fetch(`${server.url}/batch/gmail/v1`, {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'multipart/mixed; boundary=b' },
    body: `${part('a', `/gmail/v1/users/me/messages/${mail.id}`)}${part('b', '/gmail/v1/users/me/messages/abc')}--b--`,
  })
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=/)
  expect(text).toContain('Content-ID: <response-a>')
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
})
