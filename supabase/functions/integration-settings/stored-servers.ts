import { z } from 'zod'
import type { Said } from '../../../shared/engine/core/asked.ts'
import { isObject, readJsonText } from '../../../shared/engine/core/json-value.ts'
import type { ForeignTool } from '../../../shared/integrations/mcp/foreign-tool.ts'
import { openSecret, SecretError, sealSecret } from '../../../shared/server/credentials/sealed-secret.ts'
import { headersOwner } from '../../../shared/server/credentials/server-secrets.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { sealedSchema } from './sign-in-secret.ts'
import type { ToolRow } from './tool-rows.ts'

const said = z.custom<Said>(isObject)
const definition = z
  .custom<ForeignTool>(isObject)
  .nullable()
  .transform((tool) => tool ?? undefined)

const toolRow = z.object({
  foreignName: z.string(),
  name: z.string(),
  accepted: definition,
  hash: z.string().nullable(),
  proposed: definition,
  change: z.enum(['words', 'stricter', 'off', 'gone', 'new']).nullable(),
  said: z.array(said),
  enabled: z.boolean(),
  verifiedBy: z
    .object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), found: z.string() })
    .nullable(),
})

const storedServer = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  scope: z.enum(['user', 'project']),
  mine: z.boolean(),
  status: z.enum(['ready', 'sign_in', 'unreachable']),
  trusted: z.boolean(),
  private: z.boolean(),
  challenge: z.record(z.string(), z.unknown()).nullable(),
  title: z.string(),
  said: z.array(said),
  version: z.string(),
  listed: z.boolean(),
  tools: z.array(
    toolRow.transform(
      ({ hash, change, verifiedBy, ...row }): ToolRow => ({
        ...row,
        hash: hash ?? undefined,
        change: change ?? undefined,
        verifiedBy: verifiedBy ?? undefined,
      }),
    ),
  ),
})
/** A server of a user or of the project, with its tools. */
export type StoredServer = z.output<typeof storedServer>

/** Who runs it, what it says, and what became of its tools: what changes when it is read. */
export interface ServerReading {
  status: StoredServer['status']
  said: Said[]
  challenge?: object
  title?: string
  protocol?: string
  /** Its tools were read. */
  listed?: boolean
  tools?: ToolRow[]
}

/** What is changed at once. */
export interface ServerChange extends Partial<ServerReading> {
  name?: string | undefined
  trusted?: boolean | undefined
  private?: boolean | undefined
  headers?: object
}

const storeAnswer = z.object({
  kind: z.enum(['stored', 'exists', 'error']),
  id: z.string().optional(),
  code: z.enum(['not_operator', 'name_taken', 'too_many_servers', 'server_not_found', 'stale']).optional(),
  limit: z.number().optional(),
})

/** How often a change is made anew because another one came first. */
const mostTries = 3

/** Servers in the database, with their headers sealed. */
export function createStoredServers({ rpc, openKeyring }: Pick<SettingsDependencies, 'rpc' | 'openKeyring'>) {
  function list(userId: string, id?: string): Promise<StoredServer[]> {
    const asked = rpc('list_servers', { p_user_id: userId, p_server_id: id ?? null })
    return askDatabase(asked, z.array(storedServer), 'settings_not_read')
  }

  /** Throws ApiError 404. */
  async function find(userId: string, id: string): Promise<StoredServer> {
    const [found] = await list(userId, id)
    if (found) return found
    throw new ApiError('server_not_found')
  }

  return {
    list,
    find,

    /** One that the user may change. Throws ApiError 404, or 403 for the project's unless it is an operator. */
    async findOwn(userId: string, id: string): Promise<StoredServer> {
      const found = await find(userId, id)
      if (found.mine) return found
      throw new ApiError('not_an_operator')
    },

    /** The names that are taken, but for those of one server. */
    taken(userId: string, id?: string): Promise<{ servers: string[]; tools: string[] }> {
      const asked = rpc('taken_names', { p_user_id: userId, p_server_id: id ?? null })
      const names = z.array(z.string())
      return askDatabase(asked, z.object({ servers: names, tools: names }), 'settings_not_read')
    },

    async seal(id: string, url: string, headers: Readonly<Record<string, string>>): Promise<object> {
      const secret = { field: 'headers', value: JSON.stringify(headers), version: 1 }
      return await sealSecret(await openKeyring(), headersOwner(id, url), secret)
    },

    /** Its headers; none if the key that they were sealed with is gone. */
    async openHeaders(
      userId: string,
      { id, url }: StoredServer,
    ): Promise<Record<string, string> | undefined> {
      const asked = rpc('server_headers', { p_user_id: userId, p_server_id: id })
      const sealed = await askDatabase(asked, sealedSchema.nullable(), 'settings_not_read')
      if (sealed === null) return undefined
      try {
        const text = await openSecret(await openKeyring(), headersOwner(id, url), sealed)
        return z.record(z.string(), z.string()).parse(readJsonText(text))
      } catch (cause) {
        if (cause instanceof SecretError) return undefined
        throw cause
      }
    },

    /** Resolves to the id of the server that has this URL already; undefined once it is stored. Throws ApiError. */
    async store(
      userId: string,
      server: ServerChange & { id: string; scope: string; name: string; url: string; tools: ToolRow[] },
    ): Promise<string | undefined> {
      const asked = rpc('store_server', { p_user_id: userId, p_server: server })
      const answer = await askDatabase(asked, storeAnswer, 'not_stored')
      if (answer.kind === 'exists') return answer.id
      if (answer.kind === 'error') throw refusalOf(answer, server.name)
      return undefined
    },

    /**
     * Changes a server from what it is. Another change that comes first has it made anew from that. Throws ApiError: 404, also
     * for one that has been removed meanwhile, 403 for the project's, 409 for a name that another one has.
     */
    async change(
      userId: string,
      id: string,
      make: (server: StoredServer) => Promise<ServerChange>,
    ): Promise<StoredServer> {
      for (let tries = 1; ; tries++) {
        const server = await this.findOwn(userId, id)
        const change = await make(server)
        const asked = rpc('change_server', {
          p_user_id: userId,
          p_server_id: id,
          p_seen: server.version,
          p_change: change,
        })
        const answer = await askDatabase(asked, storeAnswer, 'not_changed')
        if (answer.kind === 'stored') return await find(userId, id)
        if (answer.code !== 'stale' || tries === mostTries)
          throw refusalOf(answer, change.name ?? server.name)
      }
    },

    /** Resolves to its URL, and whether the user has no other server there. Throws ApiError as `findOwn`. */
    async remove(userId: string, id: string): Promise<{ url: string; signOut: boolean }> {
      const asked = rpc('remove_server', { p_user_id: userId, p_server_id: id })
      const removed = z.object({ url: z.string(), signOut: z.boolean() }).nullable()
      const answer = await askDatabase(asked, removed, 'not_deleted')
      if (answer) return answer
      await this.findOwn(userId, id)
      throw new ApiError('server_not_found')
    },
  }
}

function refusalOf({ code, limit = 0 }: z.infer<typeof storeAnswer>, name: string): ApiError {
  if (code === 'not_operator') return new ApiError('not_an_operator')
  if (code === 'name_taken') return new ApiError('server_name_taken', { name })
  if (code === 'too_many_servers') return new ApiError('limit_reached', { why: 'servers', limit })
  return new ApiError(code === 'stale' ? 'stale' : 'server_not_found')
}
