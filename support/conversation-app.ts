import { randomUUID } from 'node:crypto'
import { readKeyring } from '../shared/server/credentials/keyring.ts'
import { sealSecret } from '../shared/server/credentials/sealed-secret.ts'
import { createFileStore } from '../shared/server/files/file-store.ts'
import { createBucket } from '../shared/server/files/storage-bucket.ts'
import { makeChatApp } from './chat-app.ts'
import type { DatabaseCalls } from './database-calls.ts'
import { createDatabaseRpc } from './database-rpc.ts'
import { type Ask, askFunction, projectSettings } from './function-app.ts'
import { callTool, type ModelServer, type ModelServerReply, say } from './model-server.ts'

const succeed: typeof fetch = async () => Response.json({ ok: true, data: { messageId: '<1@example.com>' } })

/**
 * The chat function on a database of the test. Every integration function is there, and does whatever it is asked, or what
 * `carryOut` says.
 */
export function createConversationApp(
  db: DatabaseCalls,
  model: ModelServer,
  carryOut: typeof fetch = succeed,
): Ask {
  const rpc = createDatabaseRpc(db)
  const bucket = createBucket({ url: projectSettings.SUPABASE_URL, serviceKey: 'unused' })
  const environment = {
    ...projectSettings,
    LLM_PROVIDER: 'any',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'any',
    OPENAI_MODEL: 'scripted-model',
  }
  const files = createFileStore(rpc, bucket)
  return askFunction('chat', makeChatApp(environment, { rpc, files, fetch: carryOut }))
}

/** A user who can send mail, so that a mail waits for its approval. */
export async function createSender(db: DatabaseCalls): Promise<string> {
  const userId = await db.createUser()
  const id = randomUUID()
  const place = { connectionId: id, userId, provider: 'smtp' }
  const secret = { field: 'password', value: 'unused', version: 1 }
  const connection = {
    id,
    provider: 'smtp',
    label: 'Mail',
    account: 'sender@example.com',
    metadata: { host: 'mail.example.com', port: 465, user: 'sender', from: 'sender@example.com' },
    secrets: [
      { ...(await sealSecret(await readKeyring(projectSettings.ASKBACK_CREDENTIALS_KEYS), place, secret)) },
    ],
  }
  await db.call('store_connection', userId, connection)
  return userId
}

export const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }

/** What the words of a user's message make a model of `answerByWords` do. */
export const asksFor = {
  words: 'Just talk.',
  approval: 'Send a mail to ada@example.com.',
  input: 'Send a mail, to whom I do not say.',
  connection: 'Look into my Gmail.',
} as const

/** A model that does what the last message of the user says, once. */
export function answerByWords(model: ModelServer): void {
  model.use(({ body }) => {
    const last = body.messages.at(-1)
    return last?.role === 'user' ? replyTo(JSON.stringify(last.content)) : say('That is all.')
  })
}

function replyTo(words: string): ModelServerReply {
  const { to: _, ...open } = mail
  if (words.includes(asksFor.approval)) return callTool('smtp_send_email', mail)
  if (words.includes(asksFor.input)) return callTool('smtp_send_email', open)
  if (words.includes(asksFor.connection)) return callTool('gmail_search_emails', { query: 'Ada' })
  return say('Good.')
}
