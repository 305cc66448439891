import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import {
  missingScope,
  notConnected,
  unusableConnection,
} from '../../../shared/integrations/definition/connection-error.ts'
import { scopesFor } from '../../../shared/integrations/definition/missing-access.ts'
import { chooseAccount } from '../../../shared/integrations/email/choose-account.ts'
import type { ConnectionHandle } from '../../../shared/server/connections/stored-connection.ts'
import { type Gmail, type GmailSettings, openGmail } from './gmail.ts'
import { gmailProvider } from './integration.ts'
import { scopesByTool } from './scopes.ts'

/** A connected mailbox that is open for one call. */
export interface Mailbox {
  connectionId: string
  /** The address of the account. */
  address: string
  gmail: Gmail
  /** Throws ToolCallError, asking to reconnect, unless the permission for this tool was granted too. */
  requireScopeOf(tool: keyof typeof scopesByTool): void
  hasScope(scopes: readonly string[]): boolean
}

interface Surroundings {
  connections: readonly ConnectionHandle[]
  signal: AbortSignal
}

/** The first mailbox in the user's order with the permission that the call needs. */
export async function openMailbox(
  tool: string,
  args: Record<string, unknown>,
  { connections, signal }: Surroundings,
  settings: GmailSettings,
): Promise<Mailbox> {
  const needed = scopesFor(gmailProvider, tool, args)
  const granting = connections.filter((handle) => grants(handle, needed))
  const chosen = granting.find(({ status }) => status !== 'expired') ?? granting[0]
  const wanted = typeof args.action === 'string' ? `${tool}:${args.action}` : tool
  if (!chosen) throw new ToolCallError(missingScope(gmailProvider, { wanted }))
  return await open(chosen, signal, settings)
}

/** The mailbox to send from: `from` names it if there are several. Throws a Question if that is undecided. */
export async function openSender(
  tool: string,
  args: { from?: string | undefined },
  { connections, signal }: Surroundings,
  settings: GmailSettings,
): Promise<Mailbox> {
  if (!connections[0]) throw new ToolCallError(notConnected(gmailProvider, { wanted: tool }))
  const accounts = connections.map((handle) => ({
    handle,
    pinned: handle.pinned,
    address: handle.account ?? undefined,
  }))
  const { handle } = chooseAccount(accounts, args.from)
  if (!grants(handle, scopesFor(gmailProvider, tool, args)))
    throw new ToolCallError(missingScope(gmailProvider, { wanted: tool }))
  return await open(handle, signal, settings)
}

/** The mailbox of this connection; undefined if the user no longer has it. */
export async function openConnected(
  id: string,
  { connections, signal }: Surroundings,
  settings: GmailSettings,
): Promise<Mailbox | undefined> {
  const handle = connections.find((one) => one.id === id)
  return handle && (await open(handle, signal, settings))
}

function grants({ scopes }: ConnectionHandle, needed: readonly string[]): boolean {
  return needed.length === 0 || needed.some((scope) => scopes.includes(scope))
}

async function open(
  handle: ConnectionHandle,
  signal: AbortSignal,
  settings: GmailSettings,
): Promise<Mailbox> {
  if (!handle.account) {
    throw new ToolCallError(unusableConnection(gmailProvider, { code: 'address_not_known' }))
  }
  const hasScope = (scopes: readonly string[]) => grants(handle, scopes)
  return {
    connectionId: handle.id,
    address: handle.account,
    gmail: openGmail(await handle.open(), settings, signal),
    hasScope,
    requireScopeOf(wanted) {
      if (!hasScope(scopesByTool[wanted])) throw new ToolCallError(missingScope(gmailProvider, { wanted }))
    },
  }
}
