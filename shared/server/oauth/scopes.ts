import type { OAuthAccess } from '../../integrations/definition/integration.ts'

/** Scopes by tool name or `tool:action`: any one of a list is enough, the first one is requested. */
type ScopeTable = OAuthAccess['scopes']

/**
 * The scopes to request so that these tools work: the first one of each, without those that another one makes
 * unnecessary. A tool's name stands for the tool itself, `tool:action` for the action.
 */
export function scopesToAsk(table: ScopeTable, names: readonly string[]): string[] {
  const needs = names.flatMap((name) => {
    const scopes = table[name] ?? table[name.split(':')[0] ?? '']
    return scopes?.length ? [scopes] : []
  })
  let chosen = [...new Set(needs.map(([first = '']) => first))]
  for (const scope of [...chosen]) {
    const others = chosen.filter((other) => other !== scope)
    if (needs.every((scopes) => scopes.some((one) => others.includes(one)))) chosen = others
  }
  return chosen
}

/** The granted scopes that this provider's tools know. */
export function knownScopes(table: ScopeTable, granted: readonly string[]): string[] {
  const known = new Set(Object.values(table).flat())
  return granted.filter((scope) => known.has(scope))
}

/** The tools, and actions of tools, whose permission was not granted. */
export function toolsWithoutScope(table: ScopeTable, granted: readonly string[]): string[] {
  return Object.entries(table)
    .filter(([, scopes]) => scopes.length > 0 && !scopes.some((scope) => granted.includes(scope)))
    .map(([name]) => name)
}
