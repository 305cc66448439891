import { useCallback, useEffect, useState } from 'react'
import type { AgentModel, ApiToken } from '../../api/api-token.ts'
import type { ToolDescription } from '../../api/message.ts'
import type { Permission } from '../../api/permission.ts'
import type { ListedLink, McpGrant, Schedule, UnaskedTool } from '../../api/types.ts'
import type { Askback } from '../../askback.ts'
import { createConnectedApps } from '../../connected-apps.ts'

/** All that happens without asking, and what its tools and agents are called. */
export interface Unasked {
  permissions: readonly Permission[]
  tools: readonly UnaskedTool[]
  schedules: readonly Schedule[]
  tokens: readonly ApiToken[]
  /** Apps that connect over MCP. */
  apps: readonly McpGrant[]
  /** Those that decide by themselves. */
  links: readonly ListedLink[]
  agents: readonly AgentModel[]
  described: readonly ToolDescription[]
}

/** What happens without asking; undefined until it is loaded. What could be read is there, also if a part failed. */
export function useUnasked(askback: Askback) {
  const [known, setKnown] = useState<Unasked>()
  const [failure, setFailure] = useState<unknown>()
  const refresh = useCallback(async () => {
    let failed: unknown
    const read = <One>(listed: Promise<readonly One[]>): Promise<readonly One[]> =>
      listed.catch((error) => {
        failed = error
        return []
      })
    const [permissions, tools, schedules, tokens, apps, links, agents, described] = await Promise.all([
      read(askback.permissions.list()),
      read(askback.unaskedTools.list()),
      read(askback.schedules.list()),
      read(askback.tokens.list()),
      read(
        createConnectedApps(askback)
          .list()
          .then(({ grants }) => grants),
      ),
      read(askback.links.list()),
      read(askback.tokens.models()),
      read(askback.tools()),
    ])
    const deciding = links.filter(({ decides }) => decides)
    setKnown({ permissions, tools, schedules, tokens, apps, links: deciding, agents, described })
    setFailure(failed)
  }, [askback])
  useEffect(() => void refresh(), [refresh])
  return { known, failure, refresh }
}
