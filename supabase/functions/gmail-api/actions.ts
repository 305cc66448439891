import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { missingScope } from '../../../shared/integrations/definition/connection-error.ts'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import type {
  Implementation,
  TestedConnection,
} from '../../../shared/server/integration-function/integration-action.ts'
import { createDraft } from './draft.ts'
import { type GmailSettings, gmailBaseUrl, openGmail } from './gmail.ts'
import { gmailProvider } from './integration.ts'
import { manageLabels } from './manage-labels.ts'
import { emailActions } from './organise.ts'
import { readEmails, searchEmails } from './read.ts'
import { sendEmail } from './send.ts'

/** The actions of this function. */
export function createActions(env: Environment): Implementation {
  return implement({ baseUrl: (env.GMAIL_API_BASE_URL || gmailBaseUrl).replace(/\/$/, '') })
}

export function implement(settings: GmailSettings): Implementation {
  return {
    actions: [
      sendEmail(settings),
      createDraft(settings),
      searchEmails(settings),
      readEmails(settings),
      emailActions(settings),
      manageLabels(settings),
    ],
    testConnection: {
      gmail: (values, signal) => testToken(String(values.access_token), settings, signal),
    },
  }
}

/** Whether Gmail accepts a token, and whose it is, if it may see that. */
async function testToken(
  token: string,
  settings: GmailSettings,
  signal: AbortSignal,
): Promise<TestedConnection> {
  const gmail = openGmail({ accessToken: async () => token }, settings, signal)
  try {
    const { emailAddress } = await gmail.ask<{ emailAddress: string }>({ path: '/profile' })
    return { account: emailAddress }
  } catch (cause) {
    // A token that may only send cannot read the profile: being refused for that proves that it works.
    if (cause instanceof ToolCallError && cause.toolError.error === missingScope(gmailProvider).error)
      return {}
    throw cause
  }
}
