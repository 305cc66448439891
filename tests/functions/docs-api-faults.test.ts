import { implement } from '../../supabase/functions/docs-api/actions.ts'
import { integration } from '../../supabase/functions/docs-api/integration.ts'
import { allFaults } from '../../support/integration-faults.ts'
import { describeIntegration } from '../../support/integration-suite.ts'
import { startScriptedProvider } from '../../support/scripted-provider.ts'

/** What every integration is tried with; what Google's documents do otherwise is in tests/stack/docs.test.ts. */
const document_id = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'
const document = `/v1/documents/${document_id}`
const line = {
  startIndex: 1,
  endIndex: 2,
  paragraph: { elements: [{ startIndex: 1, endIndex: 2, textRun: { content: '\n' } }] },
}
const provider = await startScriptedProvider({
  [`${document}:batchUpdate`]: { replies: [], writeControl: { requiredRevisionId: '2' } },
  [document]: {
    title: 'Plan',
    revisionId: '1',
    tabs: [
      {
        tabProperties: { tabId: 't.0', title: 'Tab 1' },
        documentTab: { body: { content: [line] } },
      },
    ],
  },
  '/drive/v3/files?': { files: [] },
  '/upload/drive/v3/files': { id: document_id, name: 'Plan' },
})

/** As the suite connects it: with its token as the value of a field. */
const connection = {
  type: 'object',
  properties: { access_token: { type: 'string', secret: true } },
} as const
const providers = integration.providers.map((one) =>
  one.id === 'google-docs' ? { ...one, connection } : one,
)

describeIntegration({
  integration: { ...integration, providers },
  createActions: () =>
    implement({
      hosts: { docs: provider.url, drive: provider.url },
      // Only the built-in documents ask the database.
      rpc: () => Promise.reject(new Error('Nothing here asks it.')),
    }),
  env: {},
  connection: { provider: 'google-docs', values: { access_token: 'ya29.planted-in-the-test' } },
  provider,
  cases: [
    { action: 'read_document', params: { document_id }, path: `${document}?` },
    { action: 'append_text', params: { document_id, text: 'More.' }, path: `${document}:batchUpdate` },
    {
      action: 'create_document',
      params: { title: 'Plan', content: 'First.' },
      path: '/upload/drive/v3/files',
    },
  ].map((one) => ({ ...one, faults: allFaults })),
})
