import { z } from 'zod'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { saidError, ToolCallError } from '../../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { ForeignTool } from '../../../../shared/integrations/mcp/foreign-tool.ts'
import { specify } from '../../../../shared/integrations/mcp/specify.ts'
import { onlyReads } from '../../../../shared/integrations/mcp/verified-by.ts'
import type { Keyring } from '../../../../shared/server/credentials/keyring.ts'
import { missingCredentialsKey } from '../../../../shared/server/credentials/missing-key.ts'
import { openSecret, SecretError } from '../../../../shared/server/credentials/sealed-secret.ts'
import { headersOwner } from '../../../../shared/server/credentials/server-secrets.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { CallRequest } from '../../../../shared/server/server-calls/server-call.ts'
import { hostOf, type NamedServer } from '../protocol/named-server.ts'
import type { Verifier } from './find-call.ts'
import { signInError } from './sign-in-error.ts'

const sealed = z.object({
  field: z.string(),
  ciphertext: z.string(),
  keyId: z.string(),
  version: z.number(),
})
type Sealed = z.infer<typeof sealed>

const stored = z
  .object({
    url: z.string(),
    name: z.string(),
    trusted: z.boolean(),
    headers: sealed.nullable(),
    /** As it is accepted now; null if there is none of this name, or it is off. */
    tool: z
      .object({
        accepted: z.custom<ForeignTool>(isObject),
        hash: z.string(),
        /** With the definition in force of the tool that tells; null if nobody has named one, or it is off. */
        verifiedBy: z
          .object({
            arguments: z.record(z.string(), z.unknown()),
            found: z.string(),
            accepted: z.custom<ForeignTool>(isObject),
          })
          .nullish(),
      })
      .nullable(),
  })
  .nullable()
type NamedVerifier = NonNullable<NonNullable<z.infer<typeof stored>>['tool']>['verifiedBy']

/** A tool of a server with all that a call of it takes. */
export interface OpenedTool {
  /** With its headers. */
  server: NamedServer
  tool: ForeignTool
  specification: ToolSpecification
  /** Identifies the definition under which it is called. */
  definition: string
  /** Tells whether a write of it has happened. */
  verifier?: Verifier
}

/**
 * The tool as it is accepted right now, and its server with the headers that somebody has stored for it. Throws a
 * ToolCallError if the user has no such server or tool any more, or nobody can open the headers.
 */
export async function openTool(
  { userId, server: { id }, tool: name, effect }: CallRequest,
  rpc: CallRpc,
  openKeyring: () => Promise<Keyring>,
): Promise<OpenedTool> {
  const asked = rpc('open_server', { p_user_id: userId, p_server_id: id, p_tool_name: name })
  const found = await askDatabase(asked, stored, 'not_done')
  if (!found?.tool) throw gone(found ? hostOf(found.url) : undefined)
  const { url, tool, headers } = found
  const specification = specify(tool.accepted, found)
  // Its server was believed that it only reads, and no longer is.
  if (effect === 'read' && specification.effect === 'write') throw gone(hostOf(url))
  return {
    server: { url, ...(headers && { headers: await openHeaders(id, url, headers, openKeyring) }) },
    tool: tool.accepted,
    specification,
    definition: tool.hash,
    ...(specification.effect === 'write' && verifierOf(tool.verifiedBy)),
  }
}

/** None once its server no longer says that the tool that tells only reads. */
function verifierOf(named: NamedVerifier): { verifier?: Verifier } {
  if (!named || !onlyReads(named.accepted)) return {}
  const { accepted: reader, ...by } = named
  return { verifier: { ...by, reader } }
}

function gone(server: string | undefined): ToolCallError {
  const said = { code: 'server_gone', values: { server } } as const
  return new ToolCallError(saidError('execution_error', said, { resolver: 'nobody' }))
}

async function openHeaders(
  id: string,
  url: string,
  secret: Sealed,
  openKeyring: () => Promise<Keyring>,
): Promise<Record<string, string>> {
  try {
    return JSON.parse(await openSecret(await openKeyring(), headersOwner(id, url), secret))
  } catch (cause) {
    if (!(cause instanceof SecretError)) throw new ToolCallError(missingCredentialsKey(), { cause })
    throw new ToolCallError(signInError(hostOf(url), id), { cause })
  }
}
