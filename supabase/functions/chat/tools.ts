import { z } from 'zod'
import type { ToolDescription } from '../../../shared/api/tool.ts'
import { titleOf } from '../../../shared/engine/wording/tool-title.ts'
import { specificationSchema } from '../../../shared/server/database/answer-schemas.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { sayForm } from '../../../shared/words/form-words.ts'
import type { Language } from '../../../shared/words/language.ts'
import { toolOf } from '../../../shared/words/say.ts'
import type { ChatDependencies } from './turn/dependencies.ts'
import { listServerTools } from './turn/servers.ts'

const toolSchema = z.object({
  name: z.string(),
  specification: specificationSchema,
  source: z.string(),
  function: z.string(),
  action: z.string(),
  providers: z.array(z.string()),
  approval: z.enum(['always', 'sometimes', 'never']),
  offReason: z.string().nullable(),
})

/**
 * The tools that agents of a user can be given, in a language: those whose functions are in this project, and those of the
 * servers that the user can use.
 */
export async function listTools(
  { rpc, isInstalled }: Pick<ChatDependencies, 'rpc' | 'isInstalled'>,
  userId: string,
  language: Language,
): Promise<{ tools: ToolDescription[] }> {
  const [own, foreign] = await Promise.all([
    askDatabase(rpc('list_tools', {}), z.array(toolSchema), 'tools_not_listed'),
    listServerTools(rpc, userId),
  ])
  const ofServers = foreign.map(
    ({ name, specification, source, function: route, action, providers, approval, serverName: server }) => ({
      name,
      specification,
      source,
      function: route,
      action,
      providers,
      approval,
      server,
      offReason: null,
    }),
  )
  return { tools: [...own, ...ofServers].filter(isInstalled).map((tool) => describe(tool, language)) }
}

function describe(
  { specification, source: _, ...tool }: z.infer<typeof toolSchema> & { server?: string },
  language: Language,
): ToolDescription {
  const { name, description, effect, alwaysAsks, parameters } = specification
  const own = toolOf(language, name)
  const words = own
    ? { title: own.title, parameters: sayForm(own, parameters) }
    : { title: titleOf(specification), parameters }
  return { ...tool, description, effect, ...(alwaysAsks ? { alwaysAsks } : {}), ...words }
}
