import type { OAuthAccess } from '../../integrations/definition/integration.ts'

/** Scopes by tool name or `tool:action`: any one of a list suffices, the first one is asked for. */
type ScopeTable = OAuthAccess['scopes']

/**
 * The scopes to ask for so that these tools work: the first one of each, without those that another one of them makes
 * needless. A tool's name asks for what the tool itself needs, `tool:action` for that of the action.
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

/** Of what was granted, the scopes that this provider's tools know. */
export function knownScopes(table: ScopeTable, granted: readonly string[]): string[] {
  const known = new Set(Object.values(table).flat())
  return granted.filter((scope) => known.has(scope))
}

/** The tools, and actions of tools, for which nothing that suffices was granted. */
export function toolsWithoutScope(table: ScopeTable, granted: readonly string[]): string[] {
  return Object.entries(table)
    .filter(([, scopes]) => scopes.length > 0 && !scopes.some((scope) => granted.includes(scope)))
    .map(([name]) => name)
}
