import type { PermittedTool } from './catalogue.ts'

/** The account that each tool uses, by tool name: the one chosen for it, or the only one. Absent if it will ask. */
export function findSenders(tools: readonly PermittedTool[]): Record<string, string> {
  return Object.fromEntries(
    tools.flatMap(({ specification, connectionId, providers }) => {
      // Most of many tools have none, and this is asked in each turn.
      if (providers.length === 0) return []
      // One that fails counts, too: nobody has said that mail goes from the other one now.
      const all = providers
        .flatMap(({ connections }) => connections)
        .filter(({ status }) => status !== 'disabled')
      const chosen = all.find(({ id }) => id === connectionId)
      const accounts = new Set((chosen ? [chosen] : all).map(({ account }) => account))
      const [only] = accounts
      return accounts.size === 1 && only ? [[specification.name, only]] : []
    }),
  )
}
