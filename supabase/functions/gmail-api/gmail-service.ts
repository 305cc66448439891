import type { Asked } from '../../../shared/engine/core/asked.ts'
import { type ToolError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { GoogleFailure, GoogleService } from '../../../shared/integrations/google/google-failure.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { gmailProvider } from './integration.ts'

const notSwitchedOnHere: Asked = {
  code: 'service_not_switched_on',
  values: { service: 'Gmail' },
  asked: 'Gmail is not switched on for this application yet; the operator has to do that. Nothing was done.',
}

const notAllowedByAdministrators: Asked = {
  code: 'gmail_not_allowed',
  asked:
    'The administrators of your organization do not allow this application to use Gmail, so this was not done. Could they be asked, or should it go out another way?',
}

const accountWithoutGmail: Asked = {
  code: 'account_without_gmail',
  asked: 'This Google account has no Gmail. Which account should I use?',
}

const emailsTooLarge: Asked = {
  code: 'emails_too_large',
  asked: 'An email is too large to be read here. Please ask for fewer emails, or without their text.',
}

/** The API is not enabled in the Google project: the user can do nothing about it. */
function notSwitchedOn(failure: GoogleFailure): ToolError {
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

function exhausted(which: string): ToolError {
  const asked = `The Gmail quota ${which}, so this was not done. Should I try again tomorrow, or should it go out another way?`
  return toolError('quota_exceeded', `Question: ${asked}`, {
    details: { asked: { code: 'gmail_quota_reached', asked } },
  })
}

/** What only Gmail says (https://developers.google.com/workspace/gmail/api/guides/handle-errors). */
export const gmailService: GoogleService = {
  provider: gmailProvider,
  switchedOff: notSwitchedOn,
  reasons: {
    domainPolicy: () =>
      toolError('permission_denied', `Question: ${notAllowedByAdministrators.asked}`, {
        details: { asked: notAllowedByAdministrators },
      }),
    dailyLimitExceeded: () => exhausted('of this application is used up for today'),
  },
  messages: [
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
  ],
  tooLarge: emailsTooLarge,
}
