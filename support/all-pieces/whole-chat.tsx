import type { Askback } from '../../client/askback.ts'
import { failureOf } from '../../client/askback-error.ts'
import { AskbackChat } from '../../client/react/chat/askback-chat.tsx'
import * as content from './greek-content.ts'

const refuse = () => Promise.reject(failureOf('server_silent'))
const model = {
  id: 'α/α',
  provider: 'openai',
  model: 'άλφα',
  isDefault: true,
  isDemo: false,
  isOwnKey: false,
}
const words = `# Τίτλος

Λέξεις, **έντονες** και \`κώδικας\`, με [σύνδεσμο](https://192.0.2.1/).

> Παράθεση

- [ ] εργασία
- σημείο

| στήλη | άλλη |
|---|---|
| κελί | κελί |

\`\`\`ts
// σχόλιο
const άλφα = 'βήτα' + 1
\`\`\``
const messages = [
  { id: 'χ1', role: 'user', parts: [{ type: 'text', text: 'Γεια σου' }] },
  { id: 'α1', role: 'assistant', parts: [{ type: 'text', text: words }] },
]
/** A server with a conversation in Greek, which refuses whatever is asked of it. */
const askback = {
  fetch: refuse,
  upload: refuse,
  rate: refuse,
  stop: refuse,
  open: refuse,
  countOpen: async () => 2,
  tools: async () => [],
  models: async () => ({
    models: [model, { ...model, id: 'β/β', model: 'βήτα', isDefault: false }],
    chosen: null,
  }),
  conversations: {
    list: async () => ({ conversations: content.conversations }),
    get: async () => ({
      id: 'σ0',
      title: 'Τίτλος',
      status: 'failed',
      messages,
      pending: [],
      decided: [],
      times: {},
    }),
    change: refuse,
    delete: refuse,
  },
} as unknown as Askback

/** `<AskbackChat>` with everything around a conversation, in which nothing works. */
export function WholeChat() {
  return <AskbackChat askback={askback} userId="χ" conversationId="σ0" onOpen={() => {}} settingsHref="/" />
}
