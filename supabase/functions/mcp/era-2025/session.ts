import { z } from 'zod'
import type { Caller } from '../protocol/caller.ts'
import type { InitializeRequestParams } from '../protocol/sdk.ts'
import type { SignedTexts } from '../protocol/signed-text.ts'

const secondsOfSession = 24 * 3600

/** Header of the id. */
export const sessionHeader = 'mcp-session-id'

const initialized = z.object({
  protocolVersion: z.string(),
  capabilities: z.record(z.string(), z.unknown()),
  clientInfo: z.object({ name: z.string(), version: z.string() }),
})
export type Initialized = z.output<typeof initialized>

/** The capabilities that a server may use; a client's others would only make the id longer. */
const used = ['elicitation', 'sampling', 'roots'] as const
const longestName = 200

/**
 * The id of a session is what `initialize` said, signed: any process can go on with it. It lets nobody in, and says
 * nothing to whoever did not come through the same grant.
 */
export async function makeSessionId(
  signed: SignedTexts,
  { protocolVersion, capabilities, clientInfo }: InitializeRequestParams,
  caller: Caller,
): Promise<string> {
  const claims = {
    protocolVersion: protocolVersion.slice(0, longestName),
    capabilities: Object.fromEntries(
      used.flatMap((name) => (capabilities[name] ? [[name, featuresOf(capabilities[name])]] : [])),
    ),
    clientInfo: {
      name: clientInfo.name.slice(0, longestName),
      version: clientInfo.version.slice(0, longestName),
    },
  }
  return await signed.sign('session', claims, caller, secondsOfSession)
}

/** What `initialize` said; undefined if the client has to begin again. */
export async function readSessionId(
  signed: SignedTexts,
  id: string,
  caller: Caller,
): Promise<Initialized | undefined> {
  return initialized.safeParse(await signed.read('session', id, caller)).data
}

/** Features are named without details: `{ form: {}, url: {} }`. */
function featuresOf(capability: object): Record<string, object> {
  const known = ['form', 'url', 'tools', 'context'].filter((name) => name in capability)
  return Object.fromEntries(known.map((name) => [name, {}]))
}
