import type { ToolError } from '../../engine/core/tool-error.ts'
import { missingScope, notConnected, signInAgain } from './connection-error.ts'
import type { IntegrationProvider } from './integration.ts'

/** A provider of a tool, and the user's connections to it. */
export interface ProviderAccess {
  provider: IntegrationProvider
  /** Connections that the user has not disabled. `scopes` matter for providers with OAuth. */
  connections: readonly { status: string; scopes?: readonly string[] | null }[]
}

/**
 * What is missing before a call can be made: a connection, or a permission that the user has not granted. Undefined if
 * one of the providers will do, or none is needed.
 */
export function findMissingAccess(
  tool: { name: string; title?: string },
  args: Record<string, unknown>,
  providers: readonly ProviderAccess[],
): ToolError | undefined {
  const connected = providers.filter(
    ({ provider, connections }) => provider.builtIn || connections.length > 0,
  )
  const [preferred] = providers
  if (!preferred) return undefined
  if (connected.length === 0)
    return notConnected(preferred.provider, {
      wanted: wantedOf(preferred.provider, tool, args),
      title: tool.title,
      others: providers.slice(1).map(({ provider }) => provider),
    })
  const faults = connected.map(({ provider, connections }) =>
    provider.builtIn ? undefined : missingGrant(tool, args, provider, connections),
  )
  return faults.includes(undefined) ? undefined : faults[0]
}

function missingGrant(
  tool: { name: string; title?: string },
  args: Record<string, unknown>,
  provider: IntegrationProvider,
  connections: ProviderAccess['connections'],
): ToolError | undefined {
  const needed = scopesFor(provider, tool.name, args)
  if (needed.length === 0) return undefined
  const granting = connections.filter(({ scopes }) => needed.some((scope) => scopes?.includes(scope)))
  if (granting.length === 0) {
    const what = tool.title === undefined ? undefined : `"${tool.title}"`
    return missingScope(provider, { what, wanted: wantedOf(provider, tool, args) })
  }
  return granting.every(({ status }) => status === 'expired') ? signInAgain(provider) : undefined
}

/** What a sign-in has to allow: the action if it has scopes of its own, else the tool. */
function wantedOf(
  { oauth }: IntegrationProvider,
  { name }: { name: string },
  args: Record<string, unknown>,
): string {
  const action = `${name}:${String(args.action)}`
  return oauth?.scopes[action] ? action : name
}

/** The scopes of which one is enough for this call: those of `tool:action` if the action has its own. */
export function scopesFor(
  { oauth }: Pick<IntegrationProvider, 'oauth'>,
  tool: string,
  args: Record<string, unknown>,
): readonly string[] {
  return oauth?.scopes[`${tool}:${String(args.action)}`] ?? oauth?.scopes[tool] ?? []
}
