import * as z from 'zod'
import { type Integration, integrationTool } from '../../shared/integrations/definition/integration.ts'
import { askJson } from '../../shared/integrations/network/ask-json.ts'
import type { Environment } from '../../shared/server/authentication/project-settings.ts'
import type { IntegrationAction } from '../../shared/server/integration-function/integration-action.ts'
import { describeIntegration } from '../../support/integration-suite.ts'
import { startScriptedProvider } from '../../support/scripted-provider.ts'

/** The suite on an integration as small as can be, with a key, a read and a write. */
const parameters = z.strictObject({ text: z.string().min(1).meta({ question: 'What should I note?' }) })
const tool = { description: 'Notes.', parameters, providers: ['notes'] }
const find = integrationTool({ ...tool, name: 'note_find', effect: 'read', action: 'find' })
const add = integrationTool({ ...tool, name: 'note_add', effect: 'write', action: 'add' })
const integration: Integration = {
  name: 'note-api',
  tools: [find, add],
  providers: [
    {
      id: 'notes',
      name: 'Notes',
      description: 'Keeps notes.',
      service: 'note',
      purpose: 'write notes',
      connection: {
        type: 'object',
        properties: { api_key: { type: 'string', title: 'API key', secret: true } },
        required: ['api_key'],
      },
    },
  ],
}

function createActions(env: Environment) {
  const post =
    (path: string): IntegrationAction<{ text: string }>['run'] =>
    (json, { signal, connection }) =>
      askJson(`${env.NOTES_API_BASE_URL}${path}`, {
        signal,
        json,
        headers: { authorization: `Bearer ${connection?.values.api_key}` },
      })
  return {
    actions: [
      { tool: find, run: post('/find') },
      { tool: add, run: post('/add') },
    ],
  }
}

const provider = await startScriptedProvider({ '/find': { notes: [] }, '/add': { id: 7 } })

describeIntegration({
  integration,
  createActions,
  provider,
  env: { NOTES_API_BASE_URL: provider.url },
  connection: { provider: 'notes', values: { api_key: 'a plain word that no pattern masks' } },
  cases: [
    { action: 'find', params: { text: 'milk' }, path: '/find' },
    { action: 'add', params: { text: 'milk' }, path: '/add' },
  ],
})
