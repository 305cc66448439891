import type { z } from 'zod'
import type { connection } from '../../../shared/api/connection.ts'
import type { Said } from '../../../shared/engine/core/asked.ts'
import { withoutMark } from '../../../shared/engine/core/question-mark.ts'
import type { OAuthServers } from '../../../shared/server/oauth/oauth-server.ts'
import { toolsWithoutScope } from '../../../shared/server/oauth/scopes.ts'
import type { ConnectableProvider, Connection } from './catalogue.ts'

/** A connection as its owner is shown it. */
export type ShownConnection = z.output<ReturnType<typeof connection>>

/** A tool, or an action of one, that a connection does not permit, and the sentence that says so. */
interface Unavailable {
  tool: string
  said: Said
}

/** The same before its reader is known. */
export type FoundConnection = Omit<ShownConnection, 'unavailable'> & { unavailable?: Unavailable[] }

/** How many milliseconds before its end a sign-in is shown as expiring. */
const expiringMs = 3 * 24 * 60 * 60 * 1000

export function showConnection(
  provider: ConnectableProvider,
  connection: Connection,
  now = Date.now(),
): FoundConnection {
  const { id, label, account, position, metadata, lastUsedAt, lastError, lastSaid, expiresAt } = connection
  const scopes = connection.scopes ?? []
  return {
    id,
    provider: provider.id,
    label,
    account,
    status: statusOf(connection, now),
    position,
    values: metadata,
    ...(provider.oauth
      ? { scopes, allowed: listAllowed(provider, scopes), unavailable: listUnavailable(provider, scopes) }
      : {}),
    lastUsedAt,
    lastError: lastError === null ? null : withoutMark(lastError),
    lastSaid: lastSaid || undefined,
    expiresAt: expiresAt ?? undefined,
  }
}

/** The settings of one provider, as `GET /` returns them. `available`: false if its sign-in is not set up. */
export function showProvider(provider: ConnectableProvider, oauthServers: OAuthServers) {
  const { id, name, description, service, tools, connection, oauth, builtIn, connections } = provider
  return {
    id,
    name,
    description,
    service,
    tools: tools.map((tool) => tool.name),
    connection,
    oauth: oauth !== null,
    available: oauth === null || oauthServers[oauth.server] !== undefined,
    builtIn,
    connections: connections.map((one) => showConnection(provider, one)),
  }
}

function statusOf({ status, expiresAt }: Connection, now: number): ShownConnection['status'] {
  if (status !== 'connected' || expiresAt === null) return status
  const left = Date.parse(expiresAt) - now
  return left <= 0 ? 'expired' : left < expiringMs ? 'expiring' : status
}

function listAllowed({ oauth }: ConnectableProvider, scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => oauth?.words?.[scope] ?? [])
}

function listUnavailable(
  { name, oauth, tools }: ConnectableProvider,
  scopes: readonly string[],
): Unavailable[] {
  const titles = new Map(tools.map((tool) => [tool.name, tool.title ?? tool.name]))
  return toolsWithoutScope(oauth?.scopes ?? {}, scopes).map((tool) => {
    const [toolName = tool, action] = tool.split(':')
    const values = {
      tool: titles.get(toolName) ?? toolName,
      toolName,
      ...(action === undefined ? {} : { parameter: 'action', value: action }),
      provider: name,
    }
    return { tool, said: { code: 'tool_not_permitted', values } }
  })
}
