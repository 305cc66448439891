import type { McpServer, McpToolChange } from '../../../shared/api/mcp-server.ts'
import type { Said } from '../../../shared/engine/core/asked.ts'
import { effectOf } from '../../../shared/integrations/mcp/effect.ts'
import type { ForeignTool } from '../../../shared/integrations/mcp/foreign-tool.ts'
import type { Language } from '../../../shared/words/language.ts'
import { sayOwn } from '../../../shared/words/say.ts'
import type { StoredServer } from './stored-servers.ts'
import { isOn, verifierOf } from './tool-verifier.ts'

/** A server as a reader sees it. What is secret in an address is seen by those who have given it. */
export function showServer(language: Language, server: StoredServer): McpServer {
  const { id, name, title, scope, mine, status, trusted, private: isPrivate, said, tools } = server
  return {
    id,
    name,
    title,
    url: mine ? server.url : withoutQuery(server.url),
    scope,
    changeable: mine,
    status,
    trusted,
    private: isPrivate,
    notes: said.map((one) => say(language, one)),
    tools: tools.flatMap((row) => {
      const { accepted } = row
      if (accepted === undefined) return []
      const { effect } = effectOf(accepted.annotations, server)
      const verifiedBy = verifierOf(row, tools)
      return [
        {
          name: row.name,
          title: accepted.title,
          effect,
          on: isOn(row),
          ...(verifiedBy && { verifiedBy }),
        },
      ]
    }),
    changes: tools.filter(({ change }) => change !== undefined).length,
  }
}

/** What is different with the tools of a server, for people to accept. */
export function showChanges(language: Language, { tools }: StoredServer): McpToolChange[] {
  return tools.flatMap(({ name, change, said, accepted, proposed }) =>
    change === undefined
      ? []
      : [
          {
            name,
            title: (proposed ?? accepted)?.title ?? name,
            kind: change,
            said: said.map((one) => say(language, one)),
            ...(accepted && { before: definitionOf(accepted) }),
            ...(proposed && { after: definitionOf(proposed) }),
          },
        ],
  )
}

function definitionOf({ title, description, inputSchema, annotations }: ForeignTool) {
  return { title, description, inputSchema: inputSchema as Record<string, unknown>, annotations }
}

function say(language: Language, { code, values }: Said): string {
  return sayOwn(language, { code, values })
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
