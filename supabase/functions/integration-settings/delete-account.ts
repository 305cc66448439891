import { z } from 'zod'
import type { DeletedAccount } from '../../../shared/api/account.ts'
import { accountRefused } from '../../../shared/server/authentication/account.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { listProviders } from './catalogue.ts'
import type { Connections, Owner } from './connections.ts'
import type { SettingsDependencies } from './dependencies.ts'

const factsSchema = z.object({ email: z.string().nullable() }).nullable()
const stoppedSchema = z.object({ running: z.array(z.string()), writing: z.boolean() })
const deletedSchema = z.object({ deleted: z.boolean() })

/** Milliseconds to wait for what is being sent; if a mail server takes longer, the user is told. */
const settleMs = 10_000
const lookAgainMs = 250

/** Deletes accounts with all their data. */
export function createAccountDeletion(
  dependencies: SettingsDependencies,
  connections: Connections,
  /** Those of MCP. */
  servers: { endSignIns(userId: string): Promise<void> },
) {
  const { rpc, functionUrl, files, fetch: send, clock } = dependencies

  /** Stops all work of the user; a running write is settled and counts. Throws ApiError 409 if one takes too long. */
  async function stopWork({ userId, token }: Owner): Promise<void> {
    const stop = () => askDatabase(rpc('stop_account', { p_user_id: userId }), stoppedSchema, 'account_kept')
    let { running, writing } = await stop()
    // The process that runs one is told directly; through the database alone it would learn with its next heartbeat.
    await Promise.allSettled(
      running.map(async (conversationId) => {
        const response = await send(functionUrl(`chat/${encodeURIComponent(conversationId)}/stop`), {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
        })
        await response.body?.cancel()
      }),
    )
    for (let waited = 0; writing; waited += lookAgainMs) {
      if (waited >= settleMs) throw stillWriting()
      await clock.sleep(lookAgainMs)
      writing = (await stop()).writing
    }
  }

  /** Revokes the access at every provider that the user has signed in with. Returns the names of those that failed. */
  async function endSignIns(owner: Owner): Promise<string[]> {
    const providers = await listProviders(rpc, owner.userId)
    const signIns = providers.flatMap(({ name, oauth, connections: made }) =>
      oauth ? made.map(({ id }) => ({ name, id })) : [],
    )
    const failed = new Set<string>()
    // One after the other: of two connections with one sign-in, the last one revokes it.
    for (const { name, id } of signIns) {
      const { revoked } = await connections.remove(owner, id)
      if (revoked === false) failed.add(name)
    }
    return [...failed]
  }

  /**
   * The user has to type the address of the account again: an unattended session must not be enough. Throws
   * ApiError 401 if the account no longer exists, 422 for another address, 409 while something is being sent.
   */
  return async (owner: Owner, email: string): Promise<DeletedAccount> => {
    const p_user_id = owner.userId
    const account = await askDatabase(rpc('user_facts', { p_user_id }), factsSchema, 'account_kept')
    if (account === null) throw accountRefused('unknown_user')
    // A user without an address sends the id of the account.
    const proof = account.email ?? owner.userId
    if (email.trim().toLowerCase() !== proof.toLowerCase()) throw wrongProof(email, account.email)
    await stopWork(owner)
    const notRevoked = await endSignIns(owner)
    await servers.endSignIns(p_user_id)
    // The bytes before the rows that name them.
    await files.removeUser(p_user_id)
    const { deleted } = await askDatabase(rpc('delete_account', { p_user_id }), deletedSchema, 'account_kept')
    if (!deleted) throw stillWriting()
    writeLog('account-deleted', {})
    return { deleted: true, notRevoked }
  }
}

function wrongProof(given: string, email: string | null): ApiError {
  return new ApiError('wrong_email', { given: given.slice(0, 200), email })
}

function stillWriting(): ApiError {
  return new ApiError('still_running', { why: 'write' })
}
