import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import type { Implementation } from '../../../shared/server/integration-function/integration-action.ts'
import { createDraft } from './draft.ts'
import { type GmailSettings, gmailBaseUrl } from './gmail.ts'
import { manageLabels } from './manage-labels.ts'
import { emailActions } from './organise.ts'
import { readEmails, searchEmails } from './read.ts'
import { sendEmail } from './send.ts'

/** What this function does. */
export function createActions(env: Environment): Implementation {
  return implement({ baseUrl: (env.GMAIL_API_BASE_URL || gmailBaseUrl).replace(/\/+$/, '') })
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
  }
}
