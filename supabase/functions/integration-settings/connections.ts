import { z } from 'zod'
import type { ConnectionChange, NewConnection, RemovedConnection } from '../../../shared/api/connection.ts'
import { ToolCallError, type ToolResult, type ToolSuccess } from '../../../shared/engine/core/tool-error.ts'
import { saidOf, type WordedError, withWords } from '../../../shared/engine/wording/question-for-people.ts'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import { unusableSecret } from '../../../shared/server/connections/stored-connection.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { withAppLink } from '../../../shared/server/links/app-urls.ts'
import { createTokenSource } from '../../../shared/server/oauth/access-token.ts'
import { revokeToken } from '../../../shared/server/oauth/token-endpoint.ts'
import { type ConnectableProvider, definitionOf, findInstalled } from './catalogue.ts'
import { checkValues } from './check-values.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { resumeWaiting } from './resume-waiting.ts'
import {
  connectionNotFound,
  createStoredConnections,
  refusalOf,
  type StoredConnection,
} from './stored-connections.ts'
import { requireTested, testValues } from './test-values.ts'

/** The caller: from the verified token, which is also used to test and resume for them. */
export interface Owner {
  userId: string
  token: string
}

const removedSchema = z.object({
  deleted: z.string(),
  /** Another connection of the user depends on the same sign-in. */
  shared: z.boolean(),
  lost: z.array(z.object({ id: z.string(), name: z.string(), tools: z.array(z.string()) })),
})

const changeSchema = z.object({ changed: z.boolean(), code: z.string().optional() })

export function createConnections(dependencies: SettingsDependencies) {
  const { rpc, openKeyring, oauthServers, fetch: send, appUrls } = dependencies
  const { load, show, open, store } = createStoredConnections(dependencies)

  return {
    show,

    /** Tests credentials at the provider, stores them, and continues what waited for them. */
    async create(owner: Owner, { provider: id, label, values: given }: NewConnection, test: boolean) {
      const provider = await findInstalled(dependencies, owner.userId, id)
      const { values, metadata, secrets } = checkValues(provider, given)
      // Fails before the provider is asked, so that the user need not type it all again.
      await openKeyring()
      const tested = test
        ? requireTested(await testValues(provider, values, Object.values(secrets), owner, dependencies))
        : {}
      // A simulated key opens nothing: the connection says so.
      const account = isSimulated(provider, dependencies.env) ? 'simulated' : tested.account
      const connectionId = crypto.randomUUID()
      const connection = {
        id: connectionId,
        provider: id,
        metadata,
        status: 'connected',
        account: account || undefined,
        label,
      }
      await store(owner.userId, connection, secrets)
      resumeWaiting(owner, id, dependencies)
      return await show(owner.userId, connectionId)
    },

    /** Changes a connection; new credentials are tested first, like those of a new one. */
    async change(owner: Owner, id: string, change: ConnectionChange, test: boolean) {
      const { values: given, label, position, disabled } = change
      const stored = await load(owner.userId, id)
      const { connection, provider } = stored
      if (given !== undefined) {
        if (provider.oauth) checkValues(provider, given)
        const { opened, heard: secretsSeen } = await open(owner.userId, stored, Object.keys(given))
        const { values, metadata, secrets } = checkValues(provider, {
          ...connection.metadata,
          ...withoutMovedSecrets(provider, opened, connection.metadata, given),
          ...given,
        })
        const tested = test
          ? requireTested(
              await testValues(
                provider,
                values,
                [...secretsSeen, ...Object.values(secrets)],
                owner,
                dependencies,
              ),
            )
          : {}
        const { account } = tested
        const changed = Object.fromEntries(Object.entries(secrets).filter(([field]) => field in given))
        const versions = new Map(stored.secrets.map(({ field, version }) => [field, version]))
        const status = connection.status === 'disabled' ? 'disabled' : 'connected'
        await store(
          owner.userId,
          { id, provider: provider.id, metadata, status, ...(account ? { account } : {}) },
          changed,
          versions,
        )
      }
      const rest = { label, position, disabled }
      if (Object.values(rest).some((value) => value !== undefined)) {
        const asked = rpc('change_connection', {
          p_user_id: owner.userId,
          p_connection_id: id,
          p_change: rest,
        })
        const { changed, code } = await askDatabase(asked, changeSchema, 'not_stored')
        if (!changed) throw refusalOf(code)
      }
      if (given !== undefined || disabled === false) resumeWaiting(owner, provider.id, dependencies)
      return await show(owner.userId, id)
    },

    /** Deletes a connection, and revokes the access at the provider if nothing else depends on it. */
    async remove(owner: Owner, id: string): Promise<RemovedConnection> {
      const stored = await load(owner.userId, id)
      const server = stored.provider.oauth && oauthServers[stored.provider.oauth.server]
      // Opened before it is deleted; one that cannot be opened can still be deleted.
      const { opened } = await open(owner.userId, stored).catch(() => ({
        opened: {} as Record<string, string>,
      }))
      const asked = rpc('remove_connection', { p_user_id: owner.userId, p_connection_id: id })
      const removed = await askDatabase(asked, removedSchema.nullable(), 'not_deleted')
      if (removed === null) throw connectionNotFound()
      const token = opened.refresh_token ?? opened.access_token
      const { deleted, lost, shared } = removed
      if (!server || token === undefined || shared) return { deleted, lost, revoked: null }
      return { deleted, lost, revoked: await revokeToken(server, token, send) }
    },

    /** Asks the provider whether a stored connection still works, and records its answer. */
    async test(owner: Owner, id: string): Promise<ToolSuccess | WordedError> {
      const stored = await load(owner.userId, id)
      const result = await tryStored(owner, stored)
      const refused = !result.ok && result.errorType === 'authentication_error'
      if (result.ok || refused) {
        await rpc('mark_connection', {
          p_user_id: owner.userId,
          p_connection_id: id,
          p_status: result.ok ? 'connected' : 'failed',
          p_error: result.ok ? null : result.error,
          p_said: result.ok ? null : saidOf(result),
        })
      }
      const linked = withAppLink(result, appUrls)
      return linked.ok ? linked : withWords(linked)
    },
  }

  async function tryStored(owner: Owner, stored: StoredConnection): Promise<ToolResult> {
    const { connection, provider } = stored
    try {
      if (!provider.oauth) {
        const { opened, heard } = await open(owner.userId, stored)
        const { values } = checkValues(provider, { ...connection.metadata, ...opened })
        return await testValues(provider, values, heard, owner, dependencies)
      }
      const heard: string[] = []
      const accessToken = createTokenSource(
        {
          id: connection.id,
          userId: owner.userId,
          provider: definitionOf(provider),
          openKeyring,
          unusableSecret: (cause) => unusableSecret(cause, definitionOf(provider)),
          onSecret: (secret) => heard.push(secret),
        },
        { rpc, servers: oauthServers, fetch: send },
      )
      // A new token, because the stored one's expiry says nothing about whether the user has revoked it.
      const token = await accessToken({ instead: await accessToken() })
      const result = await testValues(provider, { access_token: token }, heard, owner, dependencies)
      if (!result.ok || connection.account === null) return result
      return { ok: true, data: { account: connection.account } }
    } catch (cause) {
      if (cause instanceof ToolCallError) return cause.toolError
      throw cause
    }
  }
}

export type Connections = ReturnType<typeof createConnections>

function isSimulated({ service }: ConnectableProvider, { ASKBACK_SIMULATE = '' }: Environment): boolean {
  return ASKBACK_SIMULATE.split(',').some((name) => name.trim() === service)
}

/** A stored secret is only sent where it was sent before: if one of the relevant fields changes, it is asked for again. */
function withoutMovedSecrets(
  { connection }: ConnectableProvider,
  opened: Record<string, string>,
  metadata: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, string> {
  const isMoved = (field: string) => {
    const schema = connection.properties?.[field] as { sentTo?: string[] } | undefined
    return schema?.sentTo?.some((place) => place in given && given[place] !== metadata[place])
  }
  return Object.fromEntries(Object.entries(opened).filter(([field]) => !isMoved(field)))
}
