import { implement } from '../../supabase/functions/gmail-api/actions.ts'
import { integration } from '../../supabase/functions/gmail-api/integration.ts'
import { allFaults } from '../../support/integration-faults.ts'
import { describeIntegration } from '../../support/integration-suite.ts'
import { type ProviderRequest, startScriptedProvider } from '../../support/scripted-provider.ts'

/** What every integration is tried with; Gmail's own failures are in tests/stack/gmail-actions.test.ts. */
const me = '/gmail/v1/users/me'
const message = { id: '18c2f0a1b0000001', threadId: '18c2f0a1b0000001', labelIds: ['INBOX'], payload: {} }
const provider = await startScriptedProvider({
  [`${me}/messages/batchModify`]: {},
  [`${me}/messages/`]: message,
  [`${me}/messages`]: { messages: [{ id: message.id }] },
  [`${me}/drafts/send`]: message,
  [`${me}/drafts`]: { id: 'r-1', message },
  [`${me}/labels`]: { labels: [{ id: 'INBOX', name: 'INBOX', type: 'system' }] },
})
const mail = { to: ['grace@example.com'], subject: 'Meeting', body: 'At ten.' }

const isLook = ({ method, path }: ProviderRequest) => method === 'GET' && path.startsWith(`${me}/drafts`)

describeIntegration({
  integration,
  createActions: () => implement({ baseUrl: provider.url, deadlineMs: 2000 }),
  env: {},
  connection: { provider: 'gmail', values: { access_token: 'ya29.planted-in-the-test' } },
  provider: {
    ...provider,
    // To look for a draft is not to make one.
    asked: (path) =>
      provider.requests.filter((request) => request.path.startsWith(path) && !isLook(request)).length,
  },
  cases: [
    { action: 'search_emails', params: { query: 'from:grace' }, path: `${me}/messages?` },
    {
      action: 'send_email',
      params: mail,
      path: `${me}/drafts/send`,
      // The draft is gone: somebody may have sent it.
      endings: { 'not found': { errorType: 'outcome_unknown', resolver: 'user' } },
    },
    { action: 'create_draft', params: mail, path: `${me}/drafts` },
    {
      action: 'email_actions',
      params: { action: 'star', message_ids: [message.id] },
      path: `${me}/messages/batchModify`,
    },
  ].map((one) => ({ ...one, faults: allFaults })),
})
