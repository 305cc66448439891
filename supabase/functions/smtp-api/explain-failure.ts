import type { Asked, Said } from '../../../shared/engine/core/asked.ts'
import {
  Question,
  ToolCallError,
  type ToolError,
  type ToolErrorType,
  toolError,
} from '../../../shared/engine/core/tool-error.ts'
import { outcomeUnknown } from '../../../shared/engine/failures/outcome-unknown.ts'
import { readEmailAddress } from '../../../shared/engine/schema/email-format.ts'
import {
  rejectedCredentials,
  unusableConnection,
} from '../../../shared/integrations/definition/connection-error.ts'
import type { EmailParameters } from '../../../shared/integrations/email/email-parameters.ts'
import type { SentenceCode } from '../../../shared/words/sentence-codes.ts'
import type { SmtpAccount } from './account.ts'
import { smtpProvider } from './integration.ts'
import { meaningOfReply, type ReplyMeaning } from './reply-meaning.ts'
import type { SmtpFailure } from './smtp-failure.ts'

export interface FailedAttempt {
  account: SmtpAccount
  /** Absent if the connection was only tested. */
  params?: EmailParameters
  /** Hosted functions cannot reach ports 25 and 587. */
  hosted: boolean
}

const blockedPorts = [25, 587]

/** Explains a failed transaction, for the party that can resolve it. */
export function explainFailure(failure: SmtpFailure, attempt: FailedAttempt): ToolCallError {
  const meaning = judgeMeaning(failure, attempt)
  return meaning instanceof Question ? meaning : new ToolCallError(meaning)
}

/** The connection has to change, not the call; `fault` ends a sentence. */
function unusable(fault: string, code: SentenceCode, { account: { host, port } }: FailedAttempt): ToolError {
  return unusableConnection(smtpProvider, fault, { code, values: { host, port } })
}

function judgeMeaning(failure: SmtpFailure, attempt: FailedAttempt): ToolError | Question {
  if (failure.mayHaveBeenSent) return outcomeUnknownOf(attempt)
  if (failure.isTooLarge) return tooLarge(attempt)
  const { account } = attempt
  switch (failure.stage) {
    case 'private_host':
      return unusable(
        `the mail server ${account.host} is in a private network, which cannot be reached from here`,
        'host_private',
        attempt,
      )
    case 'resolve':
      return failure.isUnknownHost
        ? unusable(`there is no mail server named ${account.host}`, 'host_unknown', attempt)
        : forTheClock(
            judgeSilence(failure),
            `The name of the mail server ${account.host} could not be looked up`,
            failure,
            attempt,
          )
    case 'connect':
      return notConnected(failure, attempt)
    case 'no_sign_in':
      return unusable(
        `${account.host} offers no sign-in on port ${account.port}, so it is not the server that sends your mail`,
        'no_sign_in',
        attempt,
      )
    case 'sign_in':
      return notSignedIn(failure, attempt)
    case 'unsupported_address':
      return unusableRecipient(
        attempt,
        (address) => !/^\p{ASCII}*@/u.test(address),
        `The mail server ${account.host} cannot deliver to addresses with letters outside ASCII before the @. Is there another address that I should use?`,
        { code: 'address_unsupported', values: { host: account.host } },
      )
    default:
      return refused(failure, attempt)
  }
}

/** Nobody knows whether it was sent: only the user may decide to send it again. */
function outcomeUnknownOf({ params }: FailedAttempt): ToolError {
  const which = params
    ? ` "${params.subject}" to ${listed([...params.to, ...(params.cc ?? []), ...(params.bcc ?? [])])}`
    : ''
  return outcomeUnknown(`The email${which} may have been sent, but the mail server did not confirm it.`)
}

/** Attachments make a mail large, and only the user knows what can be left out. */
function tooLarge({ account, params }: FailedAttempt): Question {
  const question = `This email is larger than the mail server ${account.host} accepts. Nothing was sent. Which files should go with it?`
  const parameter = params?.attachments ? 'attachments' : 'body'
  const said: Said = { code: 'email_too_large', values: { host: account.host } }
  return new Question(question, { parameter, resolver: 'user', said })
}

function notConnected(failure: SmtpFailure, attempt: FailedAttempt): ToolError | Question {
  const { host, port } = attempt.account
  if (failure.code !== undefined && !failure.isWithoutTls) return refused(failure, attempt)
  if (failure.isUntrustedCertificate) {
    return unusable(
      `the certificate of ${host} cannot be trusted, so nothing was sent to it`,
      'certificate_not_trusted',
      attempt,
    )
  }
  if (failure.isWithoutTls) {
    return unusable(
      `${host} does not offer an encrypted connection on port ${port}; port 465 is usually right`,
      'not_encrypted',
      attempt,
    )
  }
  if (attempt.hosted && blockedPorts.includes(port)) {
    return unusable(
      `port ${port} is blocked for hosted functions; use port 465 of ${host} instead`,
      'port_blocked',
      attempt,
    )
  }
  const how = failure.isTimeout ? 'did not answer in time' : 'cannot be reached'
  return forTheClock(
    judgeSilence(failure),
    `The mail server ${host} ${how} on port ${port}`,
    failure,
    attempt,
  )
}

function notSignedIn(failure: SmtpFailure, attempt: FailedAttempt): ToolError {
  const { host } = attempt.account
  if ((failure.code ?? 0) < 500) {
    const what = `The mail server ${host} could not check the sign-in`
    return forTheClock(meaningOf(failure).type, what, failure, attempt)
  }
  return rejectedCredentials(
    smtpProvider,
    `The mail server ${host} did not accept your user name and password${said(failure.reply?.reason)}.`,
    'Please check them in the integration settings; many providers need an app password for this.',
  )
}

/** The server answered MAIL, RCPT or DATA with a permanent error, or closed the connection before the mail was complete. */
function refused(failure: SmtpFailure, attempt: FailedAttempt): ToolError | Question {
  const { host } = attempt.account
  const { type, resolver, isMailbox } = meaningOf(failure)
  if (resolver === 'time')
    return forTheClock(type, `The mail server ${host} did not accept the email now`, failure, attempt)
  const recipient = failure.refused.find(({ code }) => code >= 500)
  if (recipient && (isMailbox || isAboutTheAddress(type))) {
    const { address, reason } = recipient
    return unusableRecipient(
      attempt,
      (one) => readsAs(one, address),
      isMailbox
        ? `The mailbox of ${address} is full${said(reason)}. Nothing was sent. Is there another address that I should use?`
        : `The mail server does not know the address ${address}${said(reason)}. Nothing was sent. What is the right email address?`,
      {
        code: isMailbox ? 'mailbox_full' : 'address_unknown',
        values: { address, ...(reason ? { reason } : {}) },
      },
    )
  }
  switch (type) {
    case 'authentication_error':
      return rejectedCredentials(
        smtpProvider,
        `The mail server ${host} did not let you send${said(failure.reply?.reason)}.`,
        'Please check the connection in the integration settings.',
      )
    case 'quota_exceeded':
      return refusedMail(
        'quota_exceeded',
        'sending_limit_reached',
        `Your mail account has reached its sending limit${said(failure.reply?.reason)}. Nothing was sent. Should I try again later, or should it go out another way?`,
        failure,
      )
    default:
      return refusedMail(
        'permission_denied',
        'email_refused',
        `The mail server ${host} refused this email${said(failure.reply?.reason)}. Nothing was sent. What should be changed?`,
        failure,
      )
  }
}

function refusedMail(
  errorType: ToolErrorType,
  code: 'sending_limit_reached' | 'email_refused',
  asked: string,
  { reply }: SmtpFailure,
): ToolError {
  const values = reply?.reason ? { values: { reason: reply.reason } } : {}
  return toolError(errorType, `Question: ${asked}`, { details: { asked: { code, ...values, asked } } })
}

/** The meaning of the server's reply; if there was none, waiting may help. */
function meaningOf(failure: SmtpFailure): ReplyMeaning {
  if (failure.reply?.code) return meaningOfReply(failure.reply)
  return { type: judgeSilence(failure), resolver: 'time' }
}

function judgeSilence(failure: SmtpFailure): ToolErrorType {
  return failure.isTimeout ? 'timeout' : 'unavailable'
}

function isAboutTheAddress(errorType: ToolErrorType): boolean {
  return errorType === 'invalid_value' || errorType === 'not_found' || errorType === 'execution_error'
}

/** The addresses came from the user, so only the user can say what the right one is. */
function unusableRecipient(
  attempt: FailedAttempt,
  isMeant: (address: string) => boolean,
  question: string,
  said: Said,
): ToolError | Question {
  const { params, account } = attempt
  const fields = ['to', 'cc', 'bcc'] as const
  const places = fields.flatMap((field) =>
    (params?.[field] ?? []).map((address, index) => ({ parameter: `${field}[${index}]`, address })),
  )
  const place = places.find(({ address }) => isMeant(address))
  // The sender's own address: the connection has to change, not the call.
  if (!place || !params)
    return unusable(`${account.host} does not accept its sender address`, 'sender_refused', attempt)
  return new Question(question, { parameter: place.parameter, resolver: 'user', said })
}

function readsAs(text: string, address: string): boolean {
  const reading = readEmailAddress(text)
  return reading.ok && reading.address.toLowerCase() === address.toLowerCase()
}

/** A plain sentence that says that nothing happened. */
function forTheClock(
  errorType: ToolErrorType,
  what: string,
  failure: SmtpFailure,
  { params, account: { host } }: FailedAttempt,
): ToolError {
  const reason = failure.reply?.reason
  const sentence = `${what}${said(reason)}.${params ? ' Nothing was sent.' : ''}`
  const values = { host, ...(reason ? { reason } : {}) }
  const asked: Asked = { code: 'mail_server_unavailable', values, asked: sentence }
  return toolError(errorType, sentence, { resolver: 'time', details: { asked } })
}

/** The server's own words, marked as a quotation: they come from outside. */
function said(reason: string | undefined): string {
  return reason ? `; it said: "${reason.replaceAll('"', "'").replace(/[.!]$/, '')}"` : ''
}

/** "a", "a and b", "a, b and 3 more". */
function listed(addresses: string[]): string {
  const [first = '', second, ...more] = addresses
  if (second === undefined) return first
  return more.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${more.length} more`
}
