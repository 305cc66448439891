import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { asciiDomain } from '../../../shared/engine/schema/email-format.ts'
import { unusableConnection } from '../../../shared/integrations/definition/connection-error.ts'
import { type Mailbox, readMailbox } from '../../../shared/integrations/email/mailbox.ts'
import type { SentenceCode } from '../../../shared/words/sentence-codes.ts'
import { smtpConnection, smtpProvider } from './integration.ts'
import { mailServerOf } from './presets.ts'

/** An account on a mail server, ready to use. */
export interface SmtpAccount {
  /** Host name or IP address, ASCII. */
  host: string
  port: number
  /** `implicit`: TLS from the first byte. `starttls`: upgraded before sign-in, or the connection is not used. */
  security: 'implicit' | 'starttls'
  user: string
  password: string
  from: Mailbox
}

/** The port for TLS from the first byte (RFC 8314); on any other port STARTTLS is required. */
const implicitTlsPort = 465

/** The address that a connection sends from, if its owner may read it; undefined if it has none. */
export function senderOf({ from, user }: Record<string, unknown>): string | undefined {
  const sender = readMailbox(String(from ?? user ?? ''))
  return sender.ok ? sender.mailbox.address : undefined
}

/** Reads the stored values of a connection; throws ToolCallError if it cannot be used as it is. */
export function readSmtpAccount(values: Record<string, unknown> | undefined): SmtpAccount {
  const reading = smtpConnection.safeParse(values)
  if (!reading.success) {
    const field = reading.error.issues[0]?.path.join('.') || 'connection'
    throw unusable('field_unfit', field, { field })
  }
  const { user, password, from } = reading.data
  const preset = mailServerOf(user)
  const host = reading.data.host ?? preset?.host
  if (host === undefined) {
    throw unusable('host_missing', 'host', { user })
  }
  // The port that we know belongs to a known server, not to one that was entered.
  const port =
    reading.data.port ?? (reading.data.host === undefined ? preset?.port : undefined) ?? implicitTlsPort
  const sender = readMailbox(from ?? user)
  if (!sender.ok) {
    throw from === undefined
      ? unusable('sender_missing', 'from', { user })
      : unusable('sender_unfit', 'from', { problem: sender.fault })
  }
  return {
    host: asciiDomain(host.trim()) ?? host.trim(),
    port,
    security: port === implicitTlsPort ? 'implicit' : 'starttls',
    user,
    password,
    from: sender.mailbox,
  }
}

function unusable(code: SentenceCode, field: string, values: Record<string, unknown>): ToolCallError {
  return new ToolCallError(unusableConnection(smtpProvider, { code, values }, field))
}
