import type { Said } from '../../../shared/engine/core/asked.ts'
import {
  Question,
  saidError,
  ToolCallError,
  type ToolError,
  type ToolErrorType,
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

/** The connection has to change, not the call. */
function unusable(code: SentenceCode, { account: { host, port } }: FailedAttempt): ToolError {
  return unusableConnection(smtpProvider, { code, values: { host, port } })
}

function judgeMeaning(failure: SmtpFailure, attempt: FailedAttempt): ToolError | Question {
  if (failure.mayHaveBeenSent) return outcomeUnknownOf(attempt)
  if (failure.isTooLarge) return tooLarge(attempt)
  const { account } = attempt
  switch (failure.stage) {
    case 'private_host':
      return unusable('host_private', attempt)
    case 'resolve':
      return failure.isUnknownHost
        ? unusable('host_unknown', attempt)
        : forTheClock(judgeSilence(failure), 'look_up', failure, attempt)
    case 'connect':
      return notConnected(failure, attempt)
    case 'no_sign_in':
      return unusable('no_sign_in', attempt)
    case 'sign_in':
      return notSignedIn(failure, attempt)
    case 'unsupported_address':
      return unusableRecipient(attempt, (address) => !/^\p{ASCII}*@/u.test(address), {
        code: 'address_unsupported',
        values: { host: account.host },
      })
    default:
      return refused(failure, attempt)
  }
}

/** Nobody knows whether it was sent: only the user may decide to send it again. */
function outcomeUnknownOf({ params }: FailedAttempt): ToolError {
  if (!params) return outcomeUnknown({ how: 'mail' })
  const { subject, to, cc = [], bcc = [] } = params
  return outcomeUnknown({ how: 'mail', subject, people: [...to, ...cc, ...bcc] })
}

/** Attachments make a mail large, and only the user knows what can be left out. */
function tooLarge({ account, params }: FailedAttempt): Question {
  const parameter = params?.attachments ? 'attachments' : 'body'
  const said: Said = { code: 'email_too_large', values: { host: account.host } }
  return new Question(said, { parameter, resolver: 'user' })
}

function notConnected(failure: SmtpFailure, attempt: FailedAttempt): ToolError | Question {
  const { port } = attempt.account
  if (failure.code !== undefined && !failure.isWithoutTls) return refused(failure, attempt)
  if (failure.isUntrustedCertificate) {
    return unusable('certificate_not_trusted', attempt)
  }
  if (failure.isWithoutTls) {
    return unusable('not_encrypted', attempt)
  }
  if (attempt.hosted && blockedPorts.includes(port)) {
    return unusable('port_blocked', attempt)
  }
  const what = failure.isTimeout ? 'late' : 'unreachable'
  return forTheClock(judgeSilence(failure), what, failure, attempt)
}

function notSignedIn(failure: SmtpFailure, attempt: FailedAttempt): ToolError {
  if ((failure.code ?? 0) < 500) {
    return forTheClock(meaningOf(failure).type, 'sign_in', failure, attempt)
  }
  return refusedCredentials('password', failure, attempt)
}

/** `refused`: what the credentials were not good for. */
function refusedCredentials(
  refused: 'password' | 'sending',
  { reply }: SmtpFailure,
  { account: { host } }: FailedAttempt,
): ToolError {
  const values = { host, refused, reason: reply?.reason || undefined }
  return rejectedCredentials(smtpProvider, { code: 'connection_refused', values })
}

/** The server answered MAIL, RCPT or DATA with a permanent error, or closed the connection before the mail was complete. */
function refused(failure: SmtpFailure, attempt: FailedAttempt): ToolError | Question {
  const { type, resolver, isMailbox } = meaningOf(failure)
  if (resolver === 'time') return forTheClock(type, 'busy', failure, attempt)
  const recipient = failure.refused.find(({ code }) => code >= 500)
  if (recipient && (isMailbox || isAboutTheAddress(type))) {
    const { address, reason } = recipient
    return unusableRecipient(attempt, (one) => readsAs(one, address), {
      code: isMailbox ? 'mailbox_full' : 'address_unknown',
      values: { address, ...(reason ? { reason } : {}) },
    })
  }
  switch (type) {
    case 'authentication_error':
      return refusedCredentials('sending', failure, attempt)
    case 'quota_exceeded':
      return refusedMail('quota_exceeded', 'sending_limit_reached', failure, attempt)
    default:
      return refusedMail('permission_denied', 'email_refused', failure, attempt)
  }
}

function refusedMail(
  errorType: ToolErrorType,
  code: 'sending_limit_reached' | 'email_refused',
  { reply }: SmtpFailure,
  { account: { host } }: FailedAttempt,
): ToolError {
  const values = { host, reason: reply?.reason || undefined }
  return saidError(errorType, { code, values })
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
  said: Said,
): ToolError | Question {
  const { params } = attempt
  const fields = ['to', 'cc', 'bcc'] as const
  const places = fields.flatMap((field) =>
    (params?.[field] ?? []).map((address, index) => ({ parameter: `${field}[${index}]`, address })),
  )
  const place = places.find(({ address }) => isMeant(address))
  // The sender's own address: the connection has to change, not the call.
  if (!place || !params) return unusable('sender_refused', attempt)
  const values = { ...said.values, refusedValue: place.address }
  return new Question({ ...said, values }, { parameter: place.parameter, resolver: 'user' })
}

function readsAs(text: string, address: string): boolean {
  const reading = readEmailAddress(text)
  return reading.ok && reading.address.toLowerCase() === address.toLowerCase()
}

/** A plain sentence that says that nothing happened. `what`: what the mail server failed at. */
function forTheClock(
  errorType: ToolErrorType,
  what: 'look_up' | 'late' | 'unreachable' | 'sign_in' | 'busy',
  { reply }: SmtpFailure,
  { params, account: { host, port } }: FailedAttempt,
): ToolError {
  const said = reply?.reason ? { reason: reply.reason } : {}
  const values = { host, port, what, ...said, isSending: params ? true : undefined }
  return saidError(errorType, { code: 'mail_server_unavailable', values }, { resolver: 'time' })
}
