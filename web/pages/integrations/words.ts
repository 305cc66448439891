import { wordsOf } from '../../base/language.ts'

export const integrationsWords = wordsOf('integrations', {
  title: 'Integrations',
  accounts: 'Accounts and keys',
  servers: 'Servers',
  clients: 'OpenAI clients',
  apps: 'Connected apps',
  appsNote: 'Programs that use your agents over MCP, each within what you allow it.',
  mcpAddress: 'Address for MCP clients',
  mcpNote:
    'Add it to Claude Code, Cursor or another MCP client as a server over HTTP. It opens a page here that asks you.',
  unasked: 'Without asking',
  unaskedNote: 'What happens without asking you first. You can take back any of it here.',
  note: 'What your agents work with. Keys and passwords are stored encrypted and never shown again.',
  notSetUpLocally:
    'To try it with a simulated account, start Askback with ASKBACK_SIMULATE=google. For real accounts, register an app with Google and start Askback with its GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.',
  searchesReally: 'To try it without a key, start Askback with ASKBACK_SIMULATE=search.',
  googleSimulated:
    'Google is simulated here: “Connect” offers two made-up accounts, and nothing leaves your machine.',
  searchSimulated:
    'Search is simulated here: any API key works, such as “test”, and nothing leaves your machine.',
  backToWaiting: 'Back to what’s waiting',
  backToChat: 'Back to the chat',
})
