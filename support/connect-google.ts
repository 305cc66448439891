import { randomUUID } from 'node:crypto'
import { readKeys } from '../local/data-directory/keys.ts'
import { readKeyring } from '../shared/server/credentials/keyring.ts'
import { sealSecret } from '../shared/server/credentials/sealed-secret.ts'
import { withDatabase } from './chat-user.ts'
import { grantToken } from './gmail-function.ts'
import type { GmailServer, TestAccount } from './gmail-server.ts'
import type { TestStack } from './stack.ts'

interface GoogleConnection extends TestAccount {
  provider: 'gmail' | 'google-docs'
  token: string
  position?: number
}

/** Stores a connection of a user whose access token is good for an hour. */
export async function connectGoogle(
  stack: TestStack,
  userId: string,
  { provider, email, scopes, token, position = 0 }: GoogleConnection,
): Promise<void> {
  const id = randomUUID()
  const keyring = await readKeyring(readKeys(stack.dataDirectory).credentialsKeys)
  const secret = { field: 'access_token', value: token, version: 1 }
  const sealed = await sealSecret(keyring, { connectionId: id, userId, provider }, secret)
  const connection = {
    id,
    provider,
    label: email,
    account: email,
    scopes,
    position,
    secrets: [{ ...sealed }],
  }
  await withDatabase(stack, async (sql) => {
    await sql`select askback.store_connection(${userId}, ${sql.json(connection)}::json)`
    await grantToken(sql, id)
  })
}

/** The same to an account of the Gmail simulator. */
export async function connectGmail(
  stack: TestStack,
  userId: string,
  gmail: Pick<GmailServer, 'accounts'>,
  account: TestAccount & { token?: string; position?: number },
): Promise<void> {
  const { token = `ya29.${randomUUID()}`, email, scopes } = account
  gmail.accounts.set(token, { email, scopes })
  await connectGoogle(stack, userId, { ...account, provider: 'gmail', token })
}
