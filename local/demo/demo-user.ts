import type { Sql } from 'postgres'
import type { DataApi } from '../data-api/data-api.ts'
import type { Keys } from '../data-directory/keys.ts'
import { connectInbox } from '../inbox/connect-inbox.ts'
import type { Inbox } from '../inbox/inbox.ts'

export const demoEmail = 'demo@askback.test'

interface Parts {
  dataApi: DataApi
  sql: Sql
  keys: Keys
  inbox: Inbox
}

/**
 * Signs up the demo user with an agent that may use every tool and asks like any other, a connection to the test inbox,
 * and the rights of an operator. What exists already stays as it is.
 */
export async function prepareDemoUser(parts: Parts): Promise<void> {
  const userId = await signIn(parts)
  await giveAgent(parts.sql, userId)
  const [prepared] = await parts.sql`select from askback.operators where user_id = ${userId}`
  if (!prepared) await connectInbox(parts, { id: userId, email: demoEmail })
  // Last: a first start that was interrupted is made up for by the next one.
  await parts.sql`insert into askback.operators (user_id) values (${userId}) on conflict do nothing`
}

async function signIn({ dataApi, sql, keys, inbox }: Parts): Promise<string> {
  const credentials = { email: demoEmail, password: keys.demoPassword }
  const known = await callAuth(dataApi, keys, 'token?grant_type=password', credentials)
  if (known.user) return known.user.id
  const made = await callAuth(dataApi, keys, 'signup', credentials)
  const madeId = made.user?.id ?? made.id
  if (madeId !== undefined) {
    // Nobody reads the demo user's mail. Where none was sent, the address is confirmed already.
    await sql`update auth.users set email_confirmed_at = now() where id = ${madeId} and email_confirmed_at is null`
    inbox.clear()
    return madeId
  }
  // Another data directory has used this database: reset the password as a user who forgot it would.
  await callAuth(dataApi, keys, 'recover', { email: demoEmail })
  const token = /[?&]token=([^&\s"]+)/.exec(inbox.messages().at(-1)?.text ?? '')?.[1]
  inbox.clear()
  const session = await callAuth(dataApi, keys, 'verify', { type: 'recovery', token_hash: token })
  const { id } = await callAuth(
    dataApi,
    keys,
    'user',
    { password: credentials.password },
    session.access_token,
  )
  if (id) return id
  throw new Error(`The demo user ${demoEmail} could not be created: ${made.msg ?? made.message}`)
}

interface AuthResponse {
  id?: string
  user?: { id: string }
  access_token?: string
  msg?: string
  message?: string
}

async function callAuth(
  dataApi: DataApi,
  keys: Keys,
  path: string,
  body: unknown,
  token?: string,
): Promise<AuthResponse> {
  const request = new Request(`http://127.0.0.1/auth/v1/${path}`, {
    method: token === undefined ? 'POST' : 'PUT',
    headers: {
      apikey: keys.publishableKey,
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const response = await dataApi.fetch(request)
  return JSON.parse((await response.text()) || '{}')
}

async function giveAgent(sql: Sql, userId: string): Promise<void> {
  await sql`
    insert into askback.agents (user_id, name, instructions, tool_access)
    select ${userId}, 'Demo agent', 'You help the user with email, documents and web searches. Be brief and say what you did.', 'all'
    where not exists (select from askback.agents where user_id = ${userId})`
}
