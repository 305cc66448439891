import { bodyLimits } from '../../../../shared/engine/core/outside-body.ts'
import type { NamedServer, Reach } from './named-server.ts'
import { openServer } from './open-server.ts'
import type { Tool } from './sdk.ts'

/** What a server says of itself. */
export interface ListedServer {
  /** As it calls itself. */
  name: string
  title?: string
  version: string
  /** The revision of MCP that was agreed on. */
  protocol: string
  /** For models; nobody has read them. */
  instructions?: string
  tools: Tool[]
  /** How many it has: more are not kept. */
  total: number
}

/** Of one server, also those that turn out to be of no use. */
const mostTools = 1_000

const limit = bodyLimits.mcpTools

/** Connects and lists the tools: at most 1,000, in at most 25 s. Rejects with ServerFailure or SignInNeeded. */
export async function listTools(server: NamedServer, reach: Reach): Promise<ListedServer> {
  const signal = AbortSignal.any([reach.signal, AbortSignal.timeout(bodyLimits.mcpServer.ms)])
  const open = await openServer(server, { ...reach, signal }, { limit, hears: false })
  try {
    const { client } = open
    const { tools } = await client.listTools(undefined, { cacheMode: 'bypass', timeout: limit.ms, signal })
    const about = client.getServerVersion()
    const instructions = client.getInstructions()
    return {
      name: about?.name ?? '',
      ...(about?.title === undefined ? {} : { title: about.title }),
      version: about?.version ?? '',
      protocol: client.getNegotiatedProtocolVersion() ?? '',
      ...(instructions === undefined ? {} : { instructions }),
      tools: tools.slice(0, mostTools),
      total: tools.length,
    }
  } catch (cause) {
    throw open.failure(cause)
  } finally {
    await open.close()
  }
}
