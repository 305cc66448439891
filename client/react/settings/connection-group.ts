import type { Connection, Provider } from '../../api/connection.ts'

/**
 * Connections of different providers that the same tools choose from, in their order. Several accounts of one provider
 * are not included: there the call says which one it means.
 */
export function orderedGroups(providers: readonly Provider[]): Ordered[][] {
  const groups = new Map<string, Ordered[]>()
  for (const provider of providers) {
    const key = provider.tools.join()
    const group = groups.get(key) ?? []
    groups.set(key, group)
    const used = provider.connections.filter(({ status }) => status !== 'disabled')
    group.push(...used.map((connection) => ({ provider, connection })))
  }
  // Connections with the same position stay in catalogue order.
  const byPosition = (a: Ordered, b: Ordered) => a.connection.position - b.connection.position
  const hasChoice = (group: Ordered[]) => new Set(group.map(({ provider }) => provider.id)).size > 1
  return [...groups.values()].filter(hasChoice).map((group) => group.sort(byPosition))
}

export interface Ordered {
  provider: Provider
  connection: Connection
}
