import { z } from 'zod'
import type { McpServerChange, NewMcpServer } from '../../../shared/api/mcp-server.ts'
import { requireOperator } from '../../../shared/server/authentication/operator.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import {
  completeAnswer,
  completeRoute,
  signInAnswer,
  signInRoute,
  signOutRoute,
  type ToolsAnswer,
} from '../../../shared/server/server-calls/server-call.ts'
import { askClient } from './ask-client.ts'
import type { Owner } from './connections.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { askServer, mayCome, readAbsence, readListing, titleOf } from './read-server.ts'
import { resumeWaiting } from './resume-waiting.ts'
import { readReturnAddress } from './return-address.ts'
import { suggestName } from './server-name.ts'
import { createStoredServers, type ServerChange, type StoredServer } from './stored-servers.ts'
import { acceptRows, renameRows } from './tool-rows.ts'
import { withVerifier } from './tool-verifier.ts'

/** Servers of MCP that a user, or an operator for everybody, has added. */
export function createServers(dependencies: SettingsDependencies) {
  const { rpc, appUrls } = dependencies
  const stored = createStoredServers(dependencies)

  /** Stores what a server answers now. With `headers`, those take the place of its own. */
  async function reread(
    userId: string,
    id: string,
    answer: ToolsAnswer,
    headers?: Readonly<Record<string, string>>,
  ): Promise<StoredServer> {
    return await stored.change(userId, id, async (server): Promise<ServerChange> => {
      const sealed = headers && { headers: await stored.seal(id, server.url, headers) }
      if (answer.kind !== 'listed') return { ...readAbsence(answer), ...sealed }
      const { tools: taken } = await stored.taken(userId, id)
      const rows = server.listed ? server.tools : undefined
      return { ...(await readListing(answer, { name: server.name, rows, taken })), ...sealed }
    })
  }

  async function refresh(userId: string, server: StoredServer): Promise<StoredServer> {
    const headers = await stored.openHeaders(userId, server)
    return await reread(
      userId,
      server.id,
      await askServer(userId, { url: server.url, headers }, dependencies),
    )
  }

  return {
    list: ({ userId }: Owner) => stored.list(userId),

    /** Asks a server for its tools and stores both. The same address again is the same server. */
    async add({ userId }: Owner, { url: given, name, scope, headers }: NewMcpServer): Promise<StoredServer> {
      if (scope === 'project') await requireOperator(rpc, userId)
      const url = addressOf(given)
      // Fails before a server is asked.
      const id = crypto.randomUUID()
      const own = headers && Object.keys(headers).length > 0 ? headers : undefined
      const sealed = own && { headers: await stored.seal(id, url, own) }
      const isSame = (one: StoredServer) => one.url === url && one.scope === scope
      const known = (await stored.list(userId)).find(isSame)
      if (known && !own) return await refresh(userId, known)
      const answer = await askServer(userId, { url, headers: own }, dependencies)
      if (answer.kind === 'unusable' && !mayCome(answer)) {
        throw new ApiError('server_not_usable', { said: answer.said })
      }
      if (known) return await reread(userId, known.id, answer, own)
      const title = answer.kind === 'listed' ? titleOf(answer) : ''
      const tried: string[] = []
      for (;;) {
        const taken = await stored.taken(userId)
        const called = name ?? suggestName({ title, url }, [...taken.servers, ...tried])
        const reading =
          answer.kind === 'listed'
            ? await readListing(answer, { name: called, rows: undefined, taken: taken.tools })
            : readAbsence(answer)
        try {
          const other = await stored.store(userId, {
            tools: [],
            ...reading,
            ...sealed,
            id,
            scope,
            name: called,
            url,
          })
          return other === undefined
            ? await stored.find(userId, id)
            : await reread(userId, other, answer, own)
        } catch (cause) {
          // Another server of somebody else, or of another tab, has it.
          if (!(cause instanceof ApiError && cause.code === 'server_name_taken')) throw cause
          if (name !== undefined || tried.length >= mostNames) throw cause
          tried.push(called)
        }
      }
    },

    /** Reads the tools of a server again. */
    async refresh({ userId }: Owner, id: string): Promise<StoredServer> {
      return await refresh(userId, await stored.findOwn(userId, id))
    },

    find: ({ userId }: Owner, id: string) => stored.find(userId, id),

    async change({ userId }: Owner, id: string, change: McpServerChange): Promise<StoredServer> {
      const { name, trusted, private: isPrivate, tools = [] } = change
      const given = new Map(tools.map((tool) => [tool.name, tool]))
      return await stored.change(userId, id, async (server) => {
        const accepted = server.tools.filter((row) => row.accepted !== undefined)
        requireKnown([...given.keys()], accepted)
        const switched = server.tools.map((row) => ({
          ...row,
          enabled: given.get(row.name)?.on ?? row.enabled,
        }))
        const rows = switched.map((row) => withVerifier(row, given.get(row.name)?.verifiedBy, switched))
        const isRenamed = name !== undefined && name !== server.name
        const renamed = isRenamed && (await renameRows(rows, name, (await stored.taken(userId, id)).tools))
        return { name: isRenamed ? name : undefined, trusted, private: isPrivate, tools: renamed || rows }
      })
    },

    /** Takes the definitions that its tools have now. */
    async accept({ userId }: Owner, id: string, names: readonly string[]): Promise<StoredServer> {
      return await stored.change(userId, id, async ({ tools }) => {
        requireKnown(names, tools)
        return { tools: await acceptRows(tools, new Set(names)) }
      })
    },

    /** Removes a server, and ends the user's sign-in there unless another one needs it. */
    async remove({ userId }: Owner, id: string): Promise<{ deleted: string }> {
      const { url, signOut } = await stored.remove(userId, id)
      if (signOut) await endSignIn(userId, url)
      return { deleted: id }
    },

    /** Ends the user's sign-ins with all servers, before the account goes. */
    async endSignIns(userId: string): Promise<void> {
      const servers = await stored.list(userId)
      await Promise.all([...new Set(servers.map(({ url }) => url))].map((url) => endSignIn(userId, url)))
    },

    /** The page where the user signs in with a server, and whose it is. */
    async startSignIn({ userId }: Owner, id: string, returnTo: string | undefined) {
      const { url, challenge } = await stored.find(userId, id)
      const address = readReturnAddress(returnTo, { server: id }, appUrls)
      const body = { userId, url, challenge: challenge ?? {}, returnTo: address.href }
      const page = await askClient(signInRoute, body, signInAnswer, dependencies)
      if (page.kind === 'unusable') throw new ApiError('server_not_usable', { said: page.said })
      return { url: page.url, host: page.host }
    },

    /** Undefined if the code is that of no sign-in with a server. */
    async completeSignIn(owner: Owner, code: string): Promise<StoredServer | undefined> {
      const { userId } = owner
      const asked = askClient(completeRoute, { userId, code }, completeAnswer, dependencies)
      // Without that function nobody has begun one.
      const answer = await asked.catch((cause) => {
        if (cause instanceof ApiError && cause.code === 'not_configured') return undefined
        throw cause
      })
      if (!answer) return undefined
      if (answer.kind === 'unusable') {
        if (answer.said.values?.why === 'unknown') return undefined
        throw new ApiError('server_not_usable', { said: answer.said })
      }
      const servers = (await stored.list(userId)).filter(({ url }) => url === answer.url)
      const read = await Promise.all(
        servers.map((server) => (server.mine ? refresh(userId, server) : server)),
      )
      for (const { id } of read) resumeWaiting(owner, id, dependencies)
      const [first] = read.sort((one, other) => Number(other.mine) - Number(one.mine))
      if (first) return first
      throw new ApiError('server_not_found')
    },
  }

  /** What cannot be ended there is forgotten here. */
  async function endSignIn(userId: string, url: string): Promise<void> {
    try {
      await askClient(signOutRoute, { userId, url }, z.object({}), dependencies)
    } catch (cause) {
      writeLog('sign-in-not-ended', {}, cause)
      await rpc('remove_server_grant', { p_user_id: userId, p_server: url })
    }
  }
}

/** How many names are tried for a server. */
const mostNames = 20

/** A server has one name, however its address was written. What is no address is refused by whoever asks it. */
function addressOf(given: string): string {
  if (!URL.canParse(given)) return given
  const url = new URL(given)
  url.hash = ''
  return url.href
}

/** Throws ApiError 400 for a name that is that of none of these tools. */
function requireKnown(names: readonly string[], tools: readonly { name: string }[]): void {
  const known = new Set(tools.map(({ name }) => name))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) throw new ApiError('unknown_tool', { why: 'named', tool: unknown })
}
