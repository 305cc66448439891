import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { Question, type ToolError } from '../../shared/engine/core/tool-error.ts'
import { readFiles } from '../../shared/integrations/email/attached-files.ts'
import type { EmailParameters } from '../../shared/integrations/email/email-parameters.ts'
import { buildMessage, messageIdFor } from '../../shared/integrations/email/message.ts'

const plain: EmailParameters = { to: ['grace@example.com'], subject: 'Meeting', body: 'At ten.' }
const facts = {
  from: { name: 'Ada "L", Countess', address: 'ada@example.com' },
  messageId: '<1@example.com>',
  date: new Date('2026-01-02T03:04:05Z'),
}

const bytesOf = (content: string | ArrayBuffer | Uint8Array) => Buffer.from(content as ArrayBuffer)
const noUserFiles = async () => undefined

const build = async (params: Partial<EmailParameters>) =>
  buildMessage(
    { ...plain, ...params },
    { ...facts, files: await readFiles(params.attachments ?? [], noUserFiles) },
  )

async function refusalOf(params: Partial<EmailParameters>): Promise<ToolError> {
  const error = await build(params).then(
    () => assert.fail('it was built'),
    (cause: unknown) => cause,
  )
  assert.ok(error instanceof Question, String(error))
  return error.toolError
}

function longestLine(raw: Uint8Array): number {
  let longest = 0
  let length = 0
  for (const byte of raw) {
    length = byte === 0x0a ? 0 : length + 1
    longest = Math.max(longest, length)
  }
  return longest
}

test('every part of a mail arrives as it was given', async () => {
  const message = await build({
    to: ['grace@example.com', 'jörg@exämple.de'],
    cc: ['c@example.com'],
    bcc: ['b@example.com'],
    reply_to: 'r@example.com',
    subject: 'Prüfung ✓ 日本語',
    body: 'Größe\n.\nFrom here',
    html: '<p>Größe</p>',
    attachments: [
      { filename: 'größe.txt', content: 'größe', content_type: 'text/plain' },
      { filename: 'a.bin', content: 'AAEC\n/w==', content_type: 'application/octet-stream' },
      { filename: 'b.txt', content: 'AAEC', encoding: 'base64' },
    ],
  })
  const mail = await PostalMime.parse(message.raw)
  assert.deepEqual(mail.from, { name: 'Ada "L", Countess', address: 'ada@example.com' })
  assert.equal(mail.subject, 'Prüfung ✓ 日本語')
  assert.equal(mail.text?.trimEnd(), 'Größe\n.\nFrom here')
  assert.equal(String(mail.html).trimEnd(), '<p>Größe</p>')
  assert.equal(mail.messageId, '<1@example.com>')
  assert.equal(mail.date, '2026-01-02T03:04:05.000Z')
  assert.deepEqual(mail.replyTo, [{ name: '', address: 'r@example.com' }])
  assert.ok(!mail.headers.some(({ key }) => key === 'bcc'))
  assert.deepEqual(
    mail.attachments.map(({ filename, content }) => [filename, bytesOf(content).toString('latin1')]),
    [
      ['größe.txt', Buffer.from('größe').toString('latin1')],
      ['a.bin', '\0\x01\x02\xff'],
      ['b.txt', '\0\x01\x02'],
    ],
  )
  assert.deepEqual(message.envelope, {
    from: 'ada@example.com',
    to: ['grace@example.com', 'jörg@xn--exmple-cua.de', 'c@example.com', 'b@example.com'],
  })
})

test('who is named twice gets one mail', async () => {
  const { envelope } = await build({ to: ['a@example.com', 'A@EXAMPLE.com'], bcc: ['a@example.com'] })
  assert.equal(envelope.to.length, 1)
})

test('no line is longer than 998 octets, whatever the texts are', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 3000 }),
    fc.nat(3000).map((length) => 'x'.repeat(length)),
    fc.nat(1000).map((length) => '語'.repeat(length)),
  )
  const oneLine = text.map((value) => value.replace(/\p{Cc}/gu, ' ').slice(0, 900))
  const recipients = fc.array(
    fc.nat(60).map((length) => `${'a'.repeat(length + 1)}@example.com`),
    { minLength: 1, maxLength: 100 },
  )
  await fc.assert(
    fc.asyncProperty(text, oneLine, text, recipients, async (body, subject, html, to) => {
      const { raw } = await build({ body, subject, html, to })
      assert.ok(longestLine(raw) <= 1000, `${longestLine(raw)} octets with the line end`)
    }),
    { numRuns: 60 },
  )
})

test('a text arrives whole, whatever it is', async () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 2000 })
    .map((value) => value.replace(/[\r\0]/g, ' '))
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      const { raw } = await build({ body })
      const mail = await PostalMime.parse(raw)
      assert.equal(mail.text?.replace(/\n$/, ''), body.replace(/\n$/, ''))
    }),
    { numRuns: 100 },
  )
})

test('a subject that looks like an encoded word is read as it was written', async () => {
  for (const subject of [
    '=?utf-8?Q?Hi=0D=0ABcc:_eve@example.org?=',
    'é =?utf-8?B?SGk=?= and \u{1F600}',
    `${'ä'.repeat(60)} =? ${'\u{1F600}'.repeat(60)}`,
  ]) {
    const { raw } = await build({ subject })
    assert.equal((await PostalMime.parse(raw)).subject, subject)
    assert.ok(longestLine(raw) <= 78 + 1, `${longestLine(raw)} octets`)
  }
})

test('an address that would reach somebody else is refused with a question', async () => {
  const places: [Partial<EmailParameters>, string][] = [
    [{ to: ['a@example.com', 'jane@example.com\r\nBcc: evil@example.org'] }, 'to[1]'],
    [{ cc: ['a@example.com,evil@example.org'] }, 'cc[0]'],
    [{ bcc: ['evil@example.org>\r\nDATA'] }, 'bcc[0]'],
    [{ reply_to: 'group: a@example.com, b@example.com;' }, 'reply_to'],
  ]
  for (const [params, parameter] of places) {
    const error = await refusalOf(params)
    assert.equal(error.details.parameter, parameter)
    assert.match(
      error.error,
      /^Question: There seems to be an issue with the email address format\. Please check that /,
    )
  }
})

test('an attachment is content and never a place to read from', async () => {
  const file = { filename: 'a.txt', content: 'inline', path: '/etc/hostname', href: 'http://127.0.0.1/' }
  const mail = await PostalMime.parse((await build({ attachments: [file] })).raw)
  assert.equal(bytesOf(mail.attachments[0]?.content ?? '').toString(), 'inline')
})

test('an attachment that is no base64 where it must be, or too large, is refused', async () => {
  for (const content of ['not base64!', 'AAA', 'AA=A', 'A===', '====', 'AAAAA', 'AAA=AAAA', 'AAA-']) {
    const pdf = await refusalOf({
      attachments: [{ filename: 'a.pdf', content, content_type: 'application/pdf' }],
    })
    assert.equal(pdf.details.parameter, 'attachments[0].content', content)
  }
  const half = { filename: 'a.txt', content: 'x'.repeat(6 * 1024 * 1024) }
  const large = await refusalOf({ attachments: [half, half] })
  assert.equal(large.details.parameter, 'attachments')
  assert.match(large.error, /larger than 10 MiB together/)
})

test('the Message-ID is the same for the same user and key, and for nobody else', async () => {
  const id = await messageIdFor('user-1', 'key-1', 'ada@example.com')
  assert.match(id, /^<[0-9a-f]{40}@example\.com>$/)
  assert.equal(await messageIdFor('user-1', 'key-1', 'ada@example.com'), id)
  assert.notEqual(await messageIdFor('user-2', 'key-1', 'ada@example.com'), id)
  assert.notEqual(await messageIdFor('user-1', 'key-2', 'ada@example.com'), id)
  assert.notEqual(
    await messageIdFor('user-1k', 'ey-1', 'ada@example.com'),
    await messageIdFor('user-1', 'key-1', 'ada@example.com'),
  )
})
