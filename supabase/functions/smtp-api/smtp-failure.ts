import type { NodemailerError } from 'nodemailer/lib/errors'
import { readReply, type SmtpReply } from './reply.ts'

/**
 * How far a transaction got. Every stage before `reply` provably sent nothing: a server delivers only after the
 * line with the dot that ends DATA (RFC 5321 4.1.1.4), and from `reply` on that line may have been sent.
 */
export type SmtpStage =
  | 'private_host'
  | 'resolve'
  | 'connect'
  | 'no_sign_in'
  | 'sign_in'
  | 'unsupported_address'
  | 'too_large'
  | 'envelope'
  | 'reply'

/** A recipient that the server refused. */
export interface RefusedRecipient {
  address: string
  /** Three digits; 0 if there were none. */
  code: number
  /** The server's words, without codes. */
  reason: string
}

/** A mail that was not delivered, or whose outcome is unknown. */
export class SmtpFailure extends Error {
  override name = 'SmtpFailure'
  readonly stage: SmtpStage
  /** The server's last reply, if there was one. */
  readonly reply: SmtpReply | undefined
  readonly refused: RefusedRecipient[]
  /** The code of nodemailer (`EAUTH`, `ETIMEDOUT`, …) and of the system below (`ECONNREFUSED`). */
  readonly errorCodes: string[]

  constructor(stage: SmtpStage, options: { cause?: unknown } = {}) {
    super(`SMTP failed at ${stage}`, options)
    this.stage = stage
    const cause = (options.cause ?? {}) as NodemailerError & { originalCode?: string }
    this.reply = cause.response ? readReply(cause.response) : undefined
    this.refused = (cause.rejectedErrors ?? []).map(refusedRecipient)
    this.errorCodes = [cause.code, cause.originalCode].filter(
      (code): code is string => typeof code === 'string',
    )
  }

  get code(): number | undefined {
    return this.reply?.code || undefined
  }

  /** A 4yz or 5yz reply states that the server accepted nothing; without one, only the stage can tell. */
  get mayHaveBeenSent(): boolean {
    return this.stage === 'reply' && !(this.code !== undefined && this.code >= 400 && this.code < 600)
  }

  get isTimeout(): boolean {
    return this.errorCodes.includes('ETIMEDOUT')
  }

  /** The name does not exist; any other lookup failure is temporary. */
  get isUnknownHost(): boolean {
    return this.errorCodes.includes('ENOTFOUND')
  }

  /** From our own check of the server's limit, or from the server (RFC 3463: 5.2.3 and 5.3.4). */
  get isTooLarge(): boolean {
    return this.stage === 'too_large' || /^5\.(?:2\.3|3\.4)$/.test(this.reply?.enhancedCode ?? '')
  }

  /** Node has a code for each certificate error, Deno only a message. */
  get isUntrustedCertificate(): boolean {
    return /certificate|altname/i.test(this.#causeText)
  }

  /** The server did not speak TLS, or did not offer the required STARTTLS. */
  get isWithoutTls(): boolean {
    if (this.code !== undefined && this.code < 500) return false
    return this.errorCodes.includes('ETLS') || /tls|ssl|wrong version|corrupt message/i.test(this.#causeText)
  }

  get #causeText(): string {
    return this.cause instanceof Error ? `${this.errorCodes.join(' ')} ${this.cause.message}` : ''
  }
}

export function refusedRecipient(error: NodemailerError): RefusedRecipient {
  const { code, reason } = readReply(error.response ?? '')
  return { address: error.recipient ?? '', code, reason }
}
