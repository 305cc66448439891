import type { NodemailerError } from 'nodemailer/lib/errors'
import { readReply, type SmtpReply } from './reply.ts'

/**
 * How far a transaction came. Everything before `reply` provably sent nothing: a server delivers only after the
 * line with the dot that ends DATA (RFC 5321 4.1.1.4), and from `reply` on that line may have left us.
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
  /** Three digits; 0 when there were none. */
  code: number
  /** What the server said, without codes. */
  reason: string
}

/** A mail that was not delivered, or of which nobody knows. */
export class SmtpFailure extends Error {
  override name = 'SmtpFailure'
  readonly stage: SmtpStage
  /** The server's last reply, when there was one. */
  readonly reply: SmtpReply | undefined
  readonly refused: RefusedRecipient[]
  /** nodemailer's code (`EAUTH`, `ETIMEDOUT`, …) and that of the system underneath (`ECONNREFUSED`). */
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

  /** A 4yz or 5yz reply is the server's word that it took nothing; without one, only the stage can tell. */
  get mayHaveBeenSent(): boolean {
    return this.stage === 'reply' && !(this.code !== undefined && this.code >= 400 && this.code < 600)
  }

  get isTimeout(): boolean {
    return this.errorCodes.includes('ETIMEDOUT')
  }

  /** The name does not exist; anything else that goes wrong with a look-up passes. */
  get isUnknownHost(): boolean {
    return this.errorCodes.includes('ENOTFOUND')
  }

  /** Said by us, who know the server's limit, or by the server (RFC 3463: 5.2.3 and 5.3.4). */
  get isTooLarge(): boolean {
    return this.stage === 'too_large' || /^5\.(?:2\.3|3\.4)$/.test(this.reply?.enhancedCode ?? '')
  }

  /** Node has a code for each fault of a certificate, Deno only words. */
  get isUntrustedCertificate(): boolean {
    return /certificate|altname/i.test(this.#causeText)
  }

  /** TLS was expected and not spoken, or STARTTLS was required and not offered. */
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
