import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { asciiDomain } from '../../../shared/engine/schema/email-format.ts'
import { unusableConnection } from '../../../shared/integrations/definition/connection-error.ts'
import { type Mailbox, readMailbox } from '../../../shared/integrations/email/mailbox.ts'
import { smtpConnection, smtpProvider } from './integration.ts'

/** An account on a mail server, ready to be used. */
export interface SmtpAccount {
  /** Name or IP address, ASCII. */
  host: string
  port: number
  /** `implicit`: TLS from the first byte. `starttls`: upgraded before the sign-in, or not used at all. */
  security: 'implicit' | 'starttls'
  user: string
  password: string
  from: Mailbox
}

/** The port for TLS from the first byte (RFC 8314); on any other STARTTLS is required. */
const implicitTlsPort = 465

/** Reads what is stored of a connection; throws ToolCallError when it cannot be used as it is. */
export function readSmtpAccount(values: Record<string, unknown> | undefined): SmtpAccount {
  const reading = smtpConnection.safeParse(values)
  if (!reading.success) {
    const field = reading.error.issues[0]?.path.join('.') || 'connection'
    throw new ToolCallError(unusableConnection(smtpProvider, `its ${field} is missing or not valid`))
  }
  const { host, port, user, password, from } = reading.data
  const sender = readMailbox(from ?? user)
  if (!sender.ok) {
    const what =
      from === undefined
        ? 'it has no sender address, and the user name is not one'
        : `its sender is not an address: ${sender.fault}`
    throw new ToolCallError(unusableConnection(smtpProvider, what))
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
