import type { Asked } from '../../../shared/engine/core/asked.ts'
import { isObject } from '../../../shared/engine/core/json-value.ts'
import { ToolCallError, type ToolError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { missingScope } from '../../../shared/integrations/definition/connection-error.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { gmailProvider } from './integration.ts'

/** An error status of Gmail, or an unreadable answer. The engine judges by its members. */
export class GmailFailure extends Error {
  override name = 'GmailFailure'
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  constructor(status: number, headers: Headers, body: unknown) {
    super('')
    this.status = status
    this.headers = headers
    this.body = body
  }
}

const notSwitchedOnHere: Asked = {
  code: 'service_not_switched_on',
  values: { service: 'Gmail' },
  asked: 'Gmail is not switched on for this application yet; the operator has to do that. Nothing was done.',
}

const notAllowedByAdministrators: Asked = {
  code: 'gmail_not_allowed',
  asked:
    'The administrators of your organisation do not allow this application to use Gmail, so this was not done. Could they be asked, or should it go out another way?',
}

const accountWithoutGmail: Asked = {
  code: 'account_without_gmail',
  asked: 'This Google account has no Gmail. Which account should I use?',
}

/** The API is not enabled in the Google project: the user can do nothing about it. */
function notSwitchedOn(failure: GmailFailure): ToolError {
  writeLog(
    'gmail-api-not-switched-on',
    { advice: 'Enable the Gmail API in the Google Cloud project.' },
    failure,
  )
  return toolError('not_configured', notSwitchedOnHere.asked, {
    resolver: 'nobody',
    details: { asked: notSwitchedOnHere },
  })
}

/**
 * Reasons that only Gmail has: `error.errors[].reason` and `ErrorInfo.reason`. The engine knows all others
 * (https://developers.google.com/workspace/gmail/api/guides/handle-errors).
 */
const meanings: Record<string, (failure: GmailFailure) => ToolError> = {
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: () => missingScope(gmailProvider),
  insufficientPermissions: () => missingScope(gmailProvider),
  SERVICE_DISABLED: notSwitchedOn,
  accessNotConfigured: notSwitchedOn,
  domainPolicy: () =>
    toolError('permission_denied', `Question: ${notAllowedByAdministrators.asked}`, {
      details: { asked: notAllowedByAdministrators },
    }),
  dailyLimitExceeded: () => exhausted('of this application is used up for today'),
}

/** Messages of Gmail that have no reason code. */
const spoken: readonly { words: RegExp; means: () => ToolError }[] = [
  {
    words: /\(Mail sending\)|mail sending limit/i,
    means: () => exhausted('for sending is used up for today'),
  },
  {
    words: /Mail service not enabled/i,
    means: () =>
      toolError('permission_denied', `Question: ${accountWithoutGmail.asked}`, {
        details: { asked: accountWithoutGmail },
      }),
  },
]

function exhausted(which: string): ToolError {
  const asked = `The Gmail quota ${which}, so this was not done. Should I try again tomorrow, or should it go out another way?`
  return toolError('quota_exceeded', `Question: ${asked}`, {
    details: { asked: { code: 'gmail_quota_reached', asked } },
  })
}

/** Explains a failure of Gmail beyond what the engine knows, or returns it unchanged. */
export function explainFailure(failure: GmailFailure): ToolCallError | GmailFailure {
  // An error of Google's own servers proves nothing, whatever reason it gives.
  if (failure.status >= 500) return failure
  const { error } = isObject(failure.body) ? failure.body : {}
  if (!isObject(error)) return failure
  const reasons = [error.details, error.errors]
    .flat()
    .map((item) => (isObject(item) ? String(item.reason) : ''))
    .filter((reason) => Object.hasOwn(meanings, reason))
  const meaning =
    meanings[reasons[0] ?? ''] ?? spoken.find(({ words }) => words.test(String(error.message)))?.means
  return meaning ? new ToolCallError(meaning(failure)) : failure
}
