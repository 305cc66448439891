import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import type { ToolError } from '../../shared/engine/core/tool-error.ts'
import { judgeThrown } from '../../shared/engine/tools/tool-outcome.ts'
import { readFiles } from '../../shared/integrations/email/attached-files.ts'
import type { EmailParameters } from '../../shared/integrations/email/email-parameters.ts'
import { buildMessage } from '../../shared/integrations/email/message.ts'
import { readSmtpAccount } from '../../supabase/functions/smtp-api/account.ts'
import { explainFailure, type FailedAttempt } from '../../supabase/functions/smtp-api/explain-failure.ts'
import { smtpSendEmail } from '../../supabase/functions/smtp-api/integration.ts'
import { sendMessage, signIn } from '../../supabase/functions/smtp-api/session.ts'
import { SmtpFailure } from '../../supabase/functions/smtp-api/smtp-failure.ts'
import { type RemoteSmtpServer, startSmtpProcess } from '../../support/smtp-process.ts'
import type { SmtpScript } from '../../support/smtp-server.ts'

/** What the agent is told, as the integration function tells it. */
function errorOf(failure: SmtpFailure, attempt: FailedAttempt) {
  const args = { ...attempt.params }
  const call = { tool: smtpSendEmail.specification, args, effectBegan: false }
  return judgeThrown(explainFailure(failure, attempt), call)
}

const user = 'ada@example.com'
const password = 'correct horse battery staple'
const params: EmailParameters = { to: ['grace@example.com'], subject: 'Meeting', body: 'At ten.\n.\nBye' }

const smtp = startSmtpProcess()

function accountOn(port: number, values: Record<string, unknown> = {}) {
  return readSmtpAccount({ host: '127.0.0.1', port, user, password, ...values })
}

async function send(server: RemoteSmtpServer, given: Partial<EmailParameters> = {}, deadlineMs = 5000) {
  const account = accountOn(server.port)
  const message = await buildMessage(
    { ...params, ...given },
    {
      from: account.from,
      messageId: '<1@example.com>',
      date: new Date(0),
      files: await readFiles(given.attachments ?? [], async () => undefined),
    },
  )
  const settings = { allowPrivateHosts: true, certificateAuthority: server.authority, deadlineMs }
  return await sendMessage(account, message, settings)
}

/** The tool error of a send that must fail, and the mails that reached the server all the same. */
async function failedSend(script: SmtpScript, given: Partial<EmailParameters> = {}, deadlineMs?: number) {
  const server = await smtp.start(script)
  const failure = await send(server, given, deadlineMs).then(
    () => assert.fail('the mail was sent'),
    (cause: unknown) => cause,
  )
  assert.ok(failure instanceof SmtpFailure, String(failure))
  const error = errorOf(failure, {
    account: accountOn(server.port),
    params: { ...params, ...given },
    hosted: false,
  })
  return { failure, error, mails: (await server.inspect()).mails }
}

function looksHonest(error: ToolError): void {
  const isQuestion = error.resolver === 'model' || error.resolver === 'user'
  assert.equal(error.error.startsWith('Question: '), isQuestion, error.error)
  assert.ok(!error.error.includes(password))
  assert.doesNotMatch(error.error, /\b[45]\d\d[ -][45]\.\d/, 'a raw status line')
}

test('a mail goes out over STARTTLS and AUTH with its dots and lines whole', async () => {
  const server = await smtp.start()
  const delivery = await send(server, { cc: ['c@example.com'], bcc: ['b@example.com', 'B@example.com'] })
  assert.deepEqual(delivery, {
    accepted: ['grace@example.com', 'c@example.com', 'B@example.com'],
    refused: [],
  })
  const { mails, commands } = await server.inspect()
  assert.equal(mails.length, 1)
  assert.equal(mails[0]?.from, user)
  assert.match(mails[0]?.source ?? '', /\r\nMessage-ID: <1@example\.com>\r\n/)
  assert.match(mails[0]?.source ?? '', /\r\n\r\nAt ten\.\r\n\.\r\nBye\r\n$/)
  assert.doesNotMatch(mails[0]?.source ?? '', /bcc|b@example/i)
  assert.equal(commands.includes('STARTTLS'), true)
})

test('port 465 is TLS from the first byte', () => {
  assert.equal(accountOn(465).security, 'implicit')
  assert.equal(accountOn(587).security, 'starttls')
  assert.equal(accountOn(2525).security, 'starttls')
})

test('a server that speaks TLS from the first byte takes the mail', async () => {
  const server = await smtp.start({ tls: 'implicit' })
  const account = { ...accountOn(server.port), security: 'implicit' as const }
  await signIn(account, { allowPrivateHosts: true, certificateAuthority: server.authority })
  assert.ok((await server.inspect()).commands.some((command) => command.startsWith('AUTH')))
})

test('a server without encryption gets neither password nor mail', async () => {
  const { error, failure } = await failedSend({ tls: 'plain' })
  assert.equal(failure.mayHaveBeenSent, false)
  assert.equal(error.errorType, 'not_configured')
  assert.match(error.error, /not offer an encrypted connection/)
  looksHonest(error)
})

test('a certificate nobody vouches for gets neither password nor mail', async () => {
  const server = await smtp.start()
  const other = await smtp.start()
  const failure = await send({ ...server, authority: other.authority }).catch((cause: unknown) => cause)
  assert.ok(failure instanceof SmtpFailure)
  const error = errorOf(failure, { account: accountOn(server.port), params, hosted: false })
  assert.equal(error.errorType, 'not_configured')
  assert.match(error.error, /certificate/)
  assert.ok(!(await server.inspect()).commands.some((command) => command.startsWith('AUTH')))
})

test('a refused connection is for the clock, and nothing was sent', async () => {
  const unused = createServer()
  await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve))
  const address = unused.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await new Promise((resolve) => unused.close(resolve))
  const account = accountOn(port)
  const failure = await signIn(account, { allowPrivateHosts: true }).catch((cause: unknown) => cause)
  assert.ok(failure instanceof SmtpFailure)
  const error = errorOf(failure, { account, params, hosted: false })
  assert.equal(error.errorType, 'unavailable')
  assert.equal(error.resolver, 'time')
  assert.match(error.error, /cannot be reached on port \d+\. Nothing was sent\./)
  const hosted = errorOf(failure, { account: { ...account, port: 587 }, params, hosted: true })
  assert.equal(hosted.errorType, 'not_configured')
  assert.match(hosted.error, /port 587 is blocked for hosted functions; use port 465/)
})

test('a host that does not exist is a question about the connection, a failed look-up is for the clock', async () => {
  const account = accountOn(465, { host: 'mail.askback.invalid' })
  const failure = await signIn(account, { allowPrivateHosts: false }).catch((cause: unknown) => cause)
  assert.ok(failure instanceof SmtpFailure)
  assert.equal(failure.stage, 'resolve')
  const verdicts = [
    ['ENOTFOUND', 'not_configured', /there is no mail server named mail\.askback\.invalid/],
    ['EAI_AGAIN', 'unavailable', /could not be looked up\. Nothing was sent\.$/],
    ['ETIMEDOUT', 'timeout', /could not be looked up\. Nothing was sent\.$/],
  ] as const
  for (const [code, errorType, sentence] of verdicts) {
    const cause = Object.assign(new Error(`getaddrinfo ${code}`), { code })
    const error = errorOf(new SmtpFailure('resolve', { cause }), { account, params, hosted: false })
    assert.equal(error.errorType, errorType)
    assert.match(error.error, sentence)
  }
})

test('a private host is refused before any connection', async () => {
  const server = await smtp.start()
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    const account = accountOn(server.port, { host })
    const failure = await signIn(account, { allowPrivateHosts: false }).catch((cause: unknown) => cause)
    assert.ok(failure instanceof SmtpFailure)
    const error = errorOf(failure, { account, params, hosted: true })
    assert.equal(error.errorType, 'not_configured')
    assert.match(error.error, /private network/)
  }
  assert.equal((await server.inspect()).connections, 0)
})

test('a wrong password asks for another one and does not repeat the old one', async () => {
  const server = await smtp.start()
  const account = accountOn(server.port, { password: 'hunter2 is wrong' })
  const settings = { allowPrivateHosts: true, certificateAuthority: server.authority }
  const failure = await signIn(account, settings).catch((cause: unknown) => cause)
  assert.ok(failure instanceof SmtpFailure)
  const error = errorOf(failure, { account, hosted: false })
  assert.equal(error.errorType, 'authentication_error')
  assert.equal(error.resolver, 'user')
  assert.ok(!JSON.stringify(error).includes('hunter2'))
  looksHonest(error)
})

const notNow: [name: string, script: SmtpScript][] = [
  ['the greeting', { on: { greeting: ['421 4.7.0 Try again later'] } }],
  ['the sign-in', { on: { auth: ['454 4.7.0 Temporary authentication failure'] } }],
  ['the sender', { on: { mail: ['451 4.3.0 Temporary error'] } }],
  ['the recipient', { recipients: { 'grace@example.com': '450 4.2.0 Greylisted' } }],
  ['a full mailbox', { recipients: { 'grace@example.com': '452 4.2.2 Mailbox full' } }],
  ['DATA', { on: { data: ['451 4.3.0 Local error'] } }],
  ['the mail', { on: { message: ['452 4.3.1 Insufficient system storage'] } }],
]
for (const [name, script] of notNow) {
  test(`a temporary refusal of ${name} is for the clock, and nothing was sent`, async () => {
    const { failure, error } = await failedSend(script)
    assert.equal(failure.mayHaveBeenSent, false)
    assert.equal(error.resolver, 'time', JSON.stringify(error))
    assert.match(error.error, /Nothing was sent\.$/)
    looksHonest(error)
  })
}

const never: [name: string, script: SmtpScript][] = [
  ['the sender', { on: { mail: ['550 5.7.1 You may not send as this address'] } }],
  ['the recipient', { recipients: { 'grace@example.com': '550 5.1.1 No such user here' } }],
  ['DATA', { on: { data: ['554 5.5.1 Transaction failed'] } }],
  ['the mail', { on: { message: ['554 5.7.1 Message rejected as spam'] } }],
]
for (const [name, script] of never) {
  test(`a final refusal of ${name} is a question to the user, and nothing was sent`, async () => {
    const { failure, error } = await failedSend(script)
    assert.equal(failure.mayHaveBeenSent, false)
    assert.equal(error.resolver, 'user', JSON.stringify(error))
    assert.match(error.error, /Nothing was sent\./)
    looksHonest(error)
  })
}

test('a recipient that the server does not know is named', async () => {
  const { error } = await failedSend({ recipients: { 'grace@example.com': '550 5.1.1 No such user here' } })
  assert.equal(error.errorType, 'invalid_value')
  assert.equal(error.details.parameter, 'to[0]')
  assert.deepEqual(error.details.correction, {
    name: 'smtp_send_email',
    arguments: { ...params, to: ['<email address>'] },
    open: ['to[0]'],
  })
  assert.match(error.error, /does not know the address grace@example\.com; it said: "No such user here"/)
  assert.deepEqual(error.details.asked?.values, {
    address: 'grace@example.com',
    reason: 'No such user here',
    // To be corrected in the form.
    refusedValue: params.to[0],
  })
})

test('a recipient whose mailbox is full is not taken for the account that sends', async () => {
  const { error } = await failedSend({ recipients: { 'grace@example.com': '552 5.2.2 Mailbox full' } })
  assert.equal(error.details.parameter, 'to[0]')
  assert.match(
    error.error,
    /The mailbox of grace@example\.com is full; it said: "Mailbox full"\. Nothing was sent/,
  )
  looksHonest(error)
})

test('a refusal of some recipients is reported and the others get the mail once', async () => {
  const server = await smtp.start({ recipients: { 'b@example.com': '550 5.1.1 No such user' } })
  const delivery = await send(server, { to: ['a@example.com', 'b@example.com'] })
  assert.deepEqual(delivery.accepted, ['a@example.com'])
  assert.deepEqual(delivery.refused, [{ address: 'b@example.com', code: 550, reason: 'No such user' }])
  const { mails } = await server.inspect()
  assert.deepEqual(
    mails.map(({ to }) => to),
    [['a@example.com']],
  )
})

const unknown: [name: string, script: SmtpScript][] = [
  ['never answers', { on: { message: ['hang'] } }],
  ['drops the connection', { on: { message: ['drop'] } }],
  ['answers nonsense', { on: { message: ['hello'] } }],
]
for (const [name, script] of unknown) {
  test(`a server that ${name} after the mail leaves the outcome unknown`, async () => {
    const { error, mails } = await failedSend(script, {}, 1500)
    assert.equal(mails.length, 1)
    assert.equal(error.errorType, 'outcome_unknown')
    assert.match(
      error.error,
      /email "Meeting" to grace@example\.com may have been sent.*Should it be done again\?$/,
    )
    looksHonest(error)
  })
}

const brokenOff: [name: string, script: SmtpScript][] = [
  ['at the greeting', { on: { greeting: ['drop'] } }],
  ['at EHLO', { on: { ehlo: ['drop'] } }],
  ['at STARTTLS', { on: { starttls: ['drop'] } }],
  ['at the sign-in', { on: { auth: ['drop'] } }],
  ['at the sender', { on: { mail: ['drop'] } }],
  ['at the recipient', { on: { rcpt: ['drop'] } }],
  ['at DATA', { on: { data: ['drop'] } }],
  ['before the greeting, silently', { on: { greeting: ['hang'] } }],
  ['at the sign-in, silently', { on: { auth: ['hang'] } }],
  ['at DATA, silently', { on: { data: ['hang'] } }],
]
for (const [name, script] of brokenOff) {
  test(`a connection lost ${name} provably sent nothing`, async () => {
    const { failure, error, mails } = await failedSend(script, {}, 1500)
    assert.equal(failure.mayHaveBeenSent, false)
    assert.equal(error.resolver, 'time', JSON.stringify(error))
    assert.deepEqual(mails, [])
    looksHonest(error)
  })
}

test('a connection lost in the middle of a large mail provably sent nothing', async () => {
  const attachment = { filename: 'large.txt', content: 'x'.repeat(8_000_000) }
  const { failure, mails } = await failedSend({ dropAfterBytes: 300_000 }, { attachments: [attachment] })
  assert.equal(failure.mayHaveBeenSent, false)
  assert.deepEqual(mails, [])
})

test('a mail that is too large for the server is a question about its files, and nothing was sent', async () => {
  const attachments = [{ filename: 'a.txt', content: 'x'.repeat(20_000) }]
  const limited: SmtpScript[] = [
    { extensions: ['SIZE 10000', 'AUTH PLAIN'] },
    { on: { mail: ['552 5.3.4 Message size exceeds fixed limit'] } },
    { on: { message: ['552 5.2.3 Message exceeds local size limit'] } },
  ]
  for (const script of limited) {
    const { error, failure } = await failedSend(script, { attachments })
    assert.equal(failure.mayHaveBeenSent, false)
    assert.equal(error.errorType, 'invalid_value')
    assert.equal(error.resolver, 'user')
    assert.deepEqual(error.details.correction?.open, ['attachments'])
    looksHonest(error)
  }
  const unlimited = await smtp.start({ extensions: ['SIZE 0', 'AUTH PLAIN'] })
  assert.equal((await send(unlimited, { attachments })).accepted.length, 1)
})

test('an address with letters outside ASCII goes only to a server that takes it', async () => {
  const jörg = { to: ['jörg@example.com'] }
  const modern = await smtp.start()
  assert.deepEqual((await send(modern, jörg)).accepted, ['jörg@example.com'])
  const { error, mails } = await failedSend({ extensions: ['AUTH PLAIN'] }, jörg)
  assert.equal(error.errorType, 'invalid_value')
  assert.equal(error.details.parameter, 'to[0]')
  assert.deepEqual(mails, [])
})

test('a server that only knows AUTH LOGIN is signed in to, one without AUTH is the wrong server', async () => {
  const login = await smtp.start({ extensions: ['AUTH LOGIN'] })
  assert.equal((await send(login)).accepted.length, 1)
  const { error } = await failedSend({ extensions: [] })
  assert.equal(error.errorType, 'not_configured')
  assert.match(error.error, /offers no sign-in/)
})
