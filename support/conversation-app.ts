import { randomUUID } from 'node:crypto'
import { readKeyring } from '../shared/server/credentials/keyring.ts'
import { sealSecret } from '../shared/server/credentials/sealed-secret.ts'
import { createFileStore } from '../shared/server/files/file-store.ts'
import { createBucket } from '../shared/server/files/storage-bucket.ts'
import { createApp } from '../supabase/functions/chat/app.ts'
import { readDependencies } from '../supabase/functions/chat/turn/dependencies.ts'
import type { DatabaseCalls } from './database-calls.ts'
import { createDatabaseRpc } from './database-rpc.ts'
import { callTool, type ModelServer, type ModelServerReply, say } from './model-server.ts'
import { jwtSecret, signToken } from './settings-app.ts'

const credentialsKeys = `test:${btoa('k'.repeat(32))}`

export interface ConversationReply {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by assertions only
  json: any
}

const succeed: typeof fetch = async () => Response.json({ ok: true, data: { messageId: '<1@example.com>' } })

/**
 * The chat function on a database of the test. Every integration function is there, and does whatever it is asked, or what
 * `carryOut` says.
 */
export function createConversationApp(
  db: DatabaseCalls,
  model: ModelServer,
  carryOut: typeof fetch = succeed,
) {
  const environment = {
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_SERVICE_ROLE_KEY: 'unused',
    ASKBACK_JWT_SECRET: jwtSecret,
    ASKBACK_CREDENTIALS_KEYS: credentialsKeys,
    LLM_PROVIDER: 'any',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'any',
    OPENAI_MODEL: 'scripted-model',
  }
  const rpc = createDatabaseRpc(db)
  const bucket = createBucket({ url: environment.SUPABASE_URL, serviceKey: 'unused' })
  const files = createFileStore(rpc, bucket)
  const app = createApp({ ...readDependencies(environment, () => {}), rpc, files, fetch: carryOut })
  /** A request of a user for `/chat…`; an answer that is no JSON has none. */
  return async (
    user: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ConversationReply> => {
    const response = await app.request(`/chat${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${await signToken(user)}`,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined }
  }
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
    secrets: [{ ...(await sealSecret(await readKeyring(credentialsKeys), place, secret)) }],
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
