import type { Sql } from 'postgres'
import type { IntegrationProvider } from '../shared/integrations/definition/integration.ts'

export const scope = {
  send: 'https://www.googleapis.com/auth/gmail.send',
  compose: 'https://www.googleapis.com/auth/gmail.compose',
  modify: 'https://www.googleapis.com/auth/gmail.modify',
  all: 'https://mail.google.com/',
  file: 'https://www.googleapis.com/auth/drive.file',
}

/** Providers like those of the product, under names of their own: the tests do not hang on the catalogue. */
export const mailProvider: IntegrationProvider = {
  id: 'test-mail',
  name: 'Testmail',
  description: 'Mail of an account.',
  service: 'mail',
  purpose: 'send mail',
  connection: { type: 'object', properties: {} },
  oauth: {
    server: 'google',
    scopes: {
      testmail_send: [scope.send, scope.compose, scope.modify, scope.all],
      testmail_draft: [scope.compose, scope.modify, scope.all],
      testmail_read: [scope.modify, scope.all],
      testmail_actions: [scope.modify, scope.all],
      'testmail_actions:delete_forever': [scope.all],
    },
    words: { [scope.send]: 'Send test mail' },
  },
}

const docsProvider: IntegrationProvider = {
  id: 'test-docs',
  name: 'Testdocs',
  description: 'Documents of an account.',
  service: 'document',
  purpose: 'write documents',
  connection: { type: 'object', properties: {} },
  oauth: { server: 'google', scopes: { testdocs_create: [scope.file] } },
}

const searchProvider: IntegrationProvider = {
  id: 'test-search',
  name: 'Testsearch',
  description: 'Searches the web.',
  service: 'search',
  purpose: 'perform web searches',
  connection: {
    type: 'object',
    properties: {
      api_key: {
        type: 'string',
        minLength: 8,
        title: 'API key',
        question: 'What is your key?',
        secret: true,
      },
      region: { type: 'string', enum: ['eu', 'us'], title: 'region' },
    },
    required: ['api_key'],
    additionalProperties: false,
  },
}

const rows = [
  { provider: mailProvider, function: 'test-mail-api', tools: Object.keys(mailProvider.oauth?.scopes ?? {}) },
  { provider: docsProvider, function: 'test-docs-api', tools: ['testdocs_create'] },
  { provider: searchProvider, function: 'test-search-api', tools: ['test_search'] },
]

/** Puts them, and their tools, into the catalogue of a database. */
export async function addTestProviders(sql: Sql): Promise<void> {
  for (const { provider, function: functionName, tools } of rows) {
    const { id, name, description, service, purpose, connection, oauth } = provider
    await sql`
      insert into askback.integrations (id, name, description, service, purpose, function, connection, oauth, position)
      values (${id}, ${name}, ${description}, ${service}, ${purpose}, ${functionName}, ${sql.json(connection as never)},
        ${oauth ? JSON.stringify(oauth) : null}::text::json, 900)`
    for (const tool of tools.filter((one) => !one.includes(':'))) {
      const effect = tool.endsWith('read') || tool.endsWith('search') ? 'read' : 'write'
      const parameters = { type: 'object', properties: {} }
      const specification = {
        name: tool,
        title: `Do ${tool}`,
        description: tool,
        effect,
        parameters,
        providers: [id],
      }
      await sql`
        insert into askback.tools (name, function, action, providers, approval, specification)
        values (${tool}, ${functionName}, ${tool}, array[${id}], 'never', ${sql.json(specification)})`
    }
  }
}
