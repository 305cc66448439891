import type { Connection, Provider } from '../../../client/connection.ts'

/** Connections that one tool chooses from, in the order in which it does; groups of one need no order. */
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
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.sort(byPosition))
}

export interface Ordered {
  provider: Provider
  connection: Connection
}
