import { wordsOf } from '../../language.ts'

export const integrationsWords = wordsOf('integrations', {
  title: 'Integrations',
  accounts: 'Accounts and keys',
  clients: 'OpenAI clients',
  note: 'What your agents work with. Keys and passwords are stored encrypted and never shown again.',
  notSetUpLocally:
    'To try it with a simulated account, start the stack with ASKBACK_SIMULATE=google. For real accounts, register an app with Google and start the stack with its GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.',
  backToWaiting: 'Back to what’s waiting',
  backToChat: 'Back to the chat',
})
