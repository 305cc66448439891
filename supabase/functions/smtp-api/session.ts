import type { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import { bodyLimits } from '../../../shared/engine/core/outside-body.ts'
import { timeouts } from '../../../shared/engine/core/timeouts.ts'
import type { Message } from '../../../shared/integrations/email/message.ts'
import type { SmtpAccount } from './account.ts'
import { resolveMailHost } from './mail-host.ts'
import { type RefusedRecipient, refusedRecipient, SmtpFailure, type SmtpStage } from './smtp-failure.ts'

export interface SmtpSettings {
  /** Allows connections into private networks: only if the operator owns all of them. */
  allowPrivateHosts: boolean
  /** PEM of the only certificate authority to trust, instead of the system's. */
  certificateAuthority?: string
  /** Milliseconds for the whole transaction; below the 30 s of a tool call, so that the caller gets the result. */
  deadlineMs?: number
}

/** What the server accepted responsibility for. */
export interface Delivery {
  accepted: string[]
  refused: RefusedRecipient[]
}

/** Milliseconds to connect to one address, including its greeting and STARTTLS. */
const connectTimeoutMs = 8_000
/** Bytes handed over at once: small, so that "handed over" stays close to "on the wire". */
const chunkSize = 65_536

/** Sends one mail over its own connection. Throws SmtpFailure, which knows how far it got. */
export async function sendMessage(
  account: SmtpAccount,
  { envelope, raw }: Message,
  settings: SmtpSettings,
): Promise<Delivery> {
  return await withSession(account, settings, async (session) => {
    const addresses = [envelope.from, ...envelope.to].join('')
    if (!/^\p{ASCII}*$/u.test(addresses) && session.extension('SMTPUTF8') === undefined) {
      throw new SmtpFailure('unsupported_address')
    }
    const limit = Number(session.extension('SIZE'))
    if (limit > 0 && raw.length > limit) throw new SmtpFailure('too_large')
    const source = Readable.from(chunksOf(raw), { objectMode: false })
    // Before nodemailer's own listener, which then writes the dot that ends the mail.
    source.once('end', () => session.enter('reply'))
    const sent = await session.step<SMTPConnectionSendInfo>('envelope', (connection, done) =>
      connection.send({ ...envelope, size: raw.length }, source, done),
    )
    return { accepted: sent.accepted, refused: (sent.rejectedErrors ?? []).map(refusedRecipient) }
  })
}

/** Connects and signs in without sending. Throws SmtpFailure. */
export async function signIn(account: SmtpAccount, settings: SmtpSettings): Promise<void> {
  await withSession(account, settings, async () => {})
}

async function withSession<T>(
  account: SmtpAccount,
  settings: SmtpSettings,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(settings.deadlineMs ?? timeouts.providerMs)
  const addresses = await inTime(resolveMailHost(account.host, settings.allowPrivateHosts), deadline)
  const session = await connectToOne(addresses, account, settings, deadline)
  try {
    if (session.extension('AUTH') === undefined) throw new SmtpFailure('no_sign_in')
    await session.step('sign_in', (connection, done) =>
      connection.login({ user: account.user, pass: account.password }, done),
    )
    const result = await use(session)
    session.quit()
    return result
  } finally {
    session.close()
  }
}

/** A lookup that takes longer than the deadline fails; it cannot be cancelled. */
async function inTime<T>(lookUp: Promise<T>, deadline: AbortSignal): Promise<T> {
  let timeOut = () => {}
  const late = new Promise<never>((_, reject) => {
    timeOut = () => reject(new SmtpFailure('resolve', { cause: deadlinePassed() }))
    deadline.addEventListener('abort', timeOut)
  })
  return await Promise.race([lookUp, late]).finally(() => deadline.removeEventListener('abort', timeOut))
}

function deadlinePassed(): Error {
  return Object.assign(new Error('The deadline has passed'), { code: 'ETIMEDOUT' })
}

/** Tries the addresses in turn; the last failure counts. */
async function connectToOne(
  addresses: string[],
  account: SmtpAccount,
  settings: SmtpSettings,
  deadline: AbortSignal,
): Promise<Session> {
  for (const [index, address] of addresses.entries()) {
    const session = new Session(address, account, settings, deadline)
    try {
      await session.connect()
      return session
    } catch (failure) {
      session.close()
      if (index === addresses.length - 1) throw failure
    }
  }
  throw new SmtpFailure('resolve')
}

/** One connection; a step ends with its own answer, a connection error, or the deadline. */
class Session {
  readonly #connection: SMTPConnection
  readonly #deadline: AbortSignal
  #stage: SmtpStage = 'connect'
  #extensions = ''
  #fail: (cause: unknown) => void = () => {}

  constructor(address: string, account: SmtpAccount, settings: SmtpSettings, deadline: AbortSignal) {
    this.#deadline = deadline
    this.#connection = new SMTPConnection({
      host: address,
      port: account.port,
      secure: account.security === 'implicit',
      requireTLS: true,
      ...(address === account.host ? {} : { servername: account.host }),
      tls: settings.certificateAuthority === undefined ? {} : { ca: settings.certificateAuthority },
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      maxResponseSize: bodyLimits.mailServer.bytes,
      socketTimeout: settings.deadlineMs ?? timeouts.providerMs,
    })
    this.#connection.on('error', (cause) => this.#fail(cause))
  }

  async connect(): Promise<void> {
    await this.step<void>('connect', (connection, done) => connection.connect(done))
    // The last reply is the one to EHLO, after STARTTLS if that was needed.
    this.#extensions = String(this.#connection.lastServerResponse)
  }

  enter(stage: SmtpStage): void {
    this.#stage = stage
  }

  async step<T>(
    stage: SmtpStage,
    start: (connection: SMTPConnection, done: (error?: Error | null, result?: T) => void) => void,
  ): Promise<T> {
    this.#stage = stage
    const timeOut = () => this.#fail(deadlinePassed())
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#fail = reject
        if (this.#deadline.aborted) return timeOut()
        this.#deadline.addEventListener('abort', timeOut)
        start(this.#connection, (error, result) => (error ? reject(error) : resolve(result as T)))
      })
    } catch (cause) {
      throw new SmtpFailure(this.#stage, { cause })
    } finally {
      this.#deadline.removeEventListener('abort', timeOut)
      this.#fail = () => {}
    }
  }

  /** The server's parameters for an EHLO keyword: '' without any, undefined if it does not support it. */
  extension(keyword: 'SMTPUTF8' | 'AUTH' | 'SIZE'): string | undefined {
    const line = new RegExp(`^\\d{3}[ -]${keyword}(?:[ =](.*))?$`, 'im').exec(this.#extensions)
    return line ? (line[1] ?? '') : undefined
  }

  quit(): void {
    this.#connection.quit()
  }

  close(): void {
    this.#connection.close()
  }
}

function* chunksOf(raw: Buffer): Generator<Buffer> {
  for (let start = 0; start < raw.length; start += chunkSize) yield raw.subarray(start, start + chunkSize)
}
