import { randomUUID } from 'node:crypto'
import { type AuthResponse, createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import WebSocket from 'ws'
import { readKeys } from '../local/data-directory/keys.ts'
import { readKeyring } from '../shared/server/credentials/keyring.ts'
import { sealSecret } from '../shared/server/credentials/sealed-secret.ts'
import type { ChatAnswer } from '../supabase/functions/chat/answer/chat-answer.ts'
import { checkAnswer } from './api-answers.ts'
import { findSecrets } from './planted-secrets.ts'
import type { TestStack } from './stack.ts'

/** A signed-up user of a stack and the chat function as this user calls it. */
export interface ChatUser {
  id: string
  email: string
  token: string
  /** POSTs JSON to `chat` or a path below it; the body of an error is in `error`. */
  post(body: unknown, options?: { path?: string; headers?: Record<string, string> }): Promise<ChatReply>
  get(
    path: string,
    options?: { headers?: Record<string, string> },
  ): Promise<{ status: number; body: unknown }>
  /** Any other method, with a JSON body if there is one. */
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
}

export interface ChatReply {
  status: number
  answer: ChatAnswer
  error?: { code: string; message: string }
}

/** Signs a new user up with the unmodified client. */
export async function signUp(stack: TestStack): Promise<ChatUser> {
  const email = `user-${randomUUID()}@example.com`
  return userOf(stack, await authOf(stack).signUp({ email, password: 'correct horse battery' }))
}

/** A new user with an agent whose writes ask as `approval` says, and with a mail server: the local inbox, or another one. */
export async function signUpWithMail(
  stack: TestStack,
  approval: 'always' | 'never',
  smtp?: Parameters<typeof connectSmtp>[2],
): Promise<ChatUser> {
  const user = await signUp(stack)
  await giveAgent(stack, user.id, approval)
  await connectSmtp(stack, user.id, smtp)
  return user
}

/** Signs the demo user in. */
export async function signInDemo(stack: TestStack): Promise<ChatUser> {
  return userOf(stack, await authOf(stack).signInWithPassword(stack.demoUser))
}

function authOf(stack: TestStack) {
  return createClient(stack.url, stack.keys.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  }).auth
}

function userOf(stack: TestStack, { data: { user, session }, error }: AuthResponse): ChatUser {
  if (!session || !user) throw error ?? new Error('Supabase Auth gave no session.')
  return chatUser(stack, { id: user.id, email: user.email ?? '', token: session.access_token })
}

/** No answer may hold a secret that a test has planted, and every one is as its route says. */
async function readAnswer(method: string, path: string, response: Response): Promise<string> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  checkAnswer(
    { method, path: `/chat${path}` },
    { status: response.status, json: isJson ? JSON.parse(text) : undefined },
  )
  const told = findSecrets(text)
  if (told.length > 0) throw new Error(`An answer holds secrets: ${told.join(', ')}`)
  return text
}

/** The chat function as called with this token. */
export function chatUser(stack: TestStack, user: { id: string; email: string; token: string }): ChatUser {
  const authorization = `Bearer ${user.token}`
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${stack.url}/functions/v1/chat${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await readAnswer(method, path, response)
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    ...user,
    async post(body, { path = '', headers = {} } = {}) {
      const response = await fetch(`${stack.url}/functions/v1/chat${path}`, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await readAnswer('POST', path, response)
      const json = response.headers.get('content-type')?.startsWith('application/json')
        ? JSON.parse(text)
        : {}
      return {
        status: response.status,
        answer: json,
        error: json.error ?? (response.ok ? undefined : { message: text }),
      }
    },
    get: (path, { headers } = {}) => send('GET', path, undefined, headers),
    send,
  }
}

/** Stores an SMTP connection of a user: to the local inbox, or with other values in its place. */
export async function connectSmtp(
  stack: TestStack,
  userId: string,
  values: { host?: string; port?: number; user?: string; password?: string } = {},
): Promise<void> {
  const { smtp } = stack
  const id = randomUUID()
  const keyring = await readKeyring(readKeys(stack.dataDirectory).credentialsKeys)
  const secret = { field: 'password', value: values.password ?? smtp.password, version: 1 }
  const sealed = await sealSecret(keyring, { connectionId: id, userId, provider: 'smtp' }, secret)
  const { host = smtp.host, port = smtp.port, user = smtp.user } = values
  const connection = {
    id,
    provider: 'smtp',
    label: `connection ${id}`,
    account: 'sender@example.com',
    metadata: { host, port, user, from: 'sender@example.com' },
    secrets: [{ ...sealed }],
  }
  await withDatabase(
    stack,
    (sql) => sql`select askback.store_connection(${userId}, ${sql.json(connection)}::json)`,
  )
}

/** Gives a user an agent with every tool; `approval` says whether writes ask first. */
export async function giveAgent(
  stack: TestStack,
  userId: string,
  approval: 'always' | 'never',
): Promise<string> {
  return await withDatabase(stack, async (sql) => {
    const [agent] = await sql`
      insert into askback.agents (user_id, name, instructions, tool_access)
      values (${userId}, 'Mail agent', 'You send email for the user.', 'all') returning id`
    await sql`
      insert into askback.agent_tool_permissions (agent_id, tool_name, approval)
      select ${agent?.id}, name, ${approval} from askback.tools where specification ->> 'effect' = 'write'`
    return agent?.id
  })
}

/** Says whether mails of the demo user wait for approval. */
export async function setMailApproval(stack: TestStack, approval: 'always' | 'never'): Promise<void> {
  await withDatabase(
    stack,
    (sql) => sql`
      insert into askback.agent_tool_permissions (agent_id, tool_name, approval)
      select agents.id, 'smtp_send_email', ${approval}
      from askback.agents join auth.users on users.id = agents.user_id
      where users.email = ${stack.demoUser.email}
      on conflict (agent_id, tool_name) do update set approval = excluded.approval`,
  )
}

/** As if a minute had passed for a user: whoever held a lease is dead. */
export async function expireLeases(stack: TestStack, userId: string): Promise<void> {
  await withDatabase(stack, async (sql) => {
    for (const table of ['runs', 'tool_executions']) {
      await sql`
        update askback.${sql(table)} set lease_expires_at = now()
        where user_id = ${userId} and lease_expires_at > now()`
    }
  })
}

/** By address. A connection of its own for every query would be a process of PostgreSQL for every query. */
const databases = new Map<string, postgres.Sql>()

/** Runs queries as the owner of the database. */
export async function withDatabase<T>(stack: TestStack, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql =
    databases.get(stack.databaseUrl) ?? postgres(stack.databaseUrl, { idle_timeout: 1, onnotice: () => {} })
  databases.set(stack.databaseUrl, sql)
  return await use(sql)
}
