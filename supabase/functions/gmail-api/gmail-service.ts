import type { Said } from '../../../shared/engine/core/asked.ts'
import { saidError, type ToolError } from '../../../shared/engine/core/tool-error.ts'
import type { GoogleFailure, GoogleService } from '../../../shared/integrations/google/google-failure.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { gmailProvider } from './integration.ts'

/** The API is not enabled in the Google project: the user can do nothing about it. */
function notSwitchedOn(failure: GoogleFailure): ToolError {
  writeLog(
    'gmail-api-not-switched-on',
    { advice: 'Enable the Gmail API in the Google Cloud project.' },
    failure,
  )
  const said: Said = { code: 'service_not_switched_on', values: { service: 'Gmail' } }
  return saidError('not_configured', said, { resolver: 'nobody' })
}

function exhausted(isForSending: boolean): ToolError {
  return saidError('quota_exceeded', { code: 'gmail_quota_reached', values: { isForSending } })
}

/** What only Gmail says (https://developers.google.com/workspace/gmail/api/guides/handle-errors). */
export const gmailService: GoogleService = {
  provider: gmailProvider,
  switchedOff: notSwitchedOn,
  reasons: {
    domainPolicy: () => saidError('permission_denied', { code: 'gmail_not_allowed' }),
    dailyLimitExceeded: () => exhausted(false),
  },
  messages: [
    { words: /\(Mail sending\)|mail sending limit/i, means: () => exhausted(true) },
    {
      words: /Mail service not enabled/i,
      means: () => saidError('permission_denied', { code: 'account_without_gmail' }),
    },
  ],
  tooLarge: { code: 'emails_too_large' },
}
