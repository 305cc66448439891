import type { Connection, Provider } from '../../../client/connection.ts'

/**
 * Connections of several providers that the same tools choose from, in the order in which they do. Of several accounts
 * of one provider a call says which one it means.
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
  // Those with the same position stay in the order of the catalogue.
  const byPosition = (a: Ordered, b: Ordered) => a.connection.position - b.connection.position
  const hasChoice = (group: Ordered[]) => new Set(group.map(({ provider }) => provider.id)).size > 1
  return [...groups.values()].filter(hasChoice).map((group) => group.sort(byPosition))
}

export interface Ordered {
  provider: Provider
  connection: Connection
}
