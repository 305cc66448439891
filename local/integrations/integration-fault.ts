import * as z from 'zod'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { findWordsFault, wordsShape } from './integration-words.ts'

const text = z.string().min(1)
const shape = z.looseObject({
  name: text,
  providers: z.array(
    z.looseObject({
      id: text,
      name: text,
      description: text,
      service: text,
      purpose: text,
      connection: z.object(),
    }),
  ),
  tools: z.array(
    z.looseObject({
      action: text,
      specification: z.looseObject({
        name: z
          .string()
          .regex(/^[a-zA-Z][\w-]{0,63}$/, 'a tool name has letters, digits, _ and - only, 64 at most'),
        description: text,
        parameters: z.object(),
        effect: z.enum(['read', 'write']),
      }),
    }),
  ),
  words: wordsShape.optional(),
})

/** What is wrong with the exports of a folder's `integration.ts`, as the end of a sentence; undefined if nothing is. */
export function findFault(value: unknown, folder: string): string | undefined {
  if (value === undefined) return 'it exports no "integration".'
  const [issue] = shape.safeParse(value).error?.issues ?? []
  if (issue) {
    const place = z.core.toDotPath(issue.path)
    return `"integration${place && `.${place}`}" is not right: ${issue.message}.`
  }
  const { name, providers, tools } = value as Integration
  if (name !== folder) return `it is named "${name}". Name it like its folder, "${folder}".`
  const ids = providers.map(({ id }) => id)
  const actions = tools.map(({ action }) => action)
  const twin = actions.find((action, index) => actions.indexOf(action) !== index)
  if (twin !== undefined) return `two of its tools have the action "${twin}". Give each its own.`
  for (const { specification } of tools) {
    const unknown = specification.providers?.find((id) => !ids.includes(id))
    if (unknown !== undefined) {
      return `the tool "${specification.name}" names the provider "${unknown}", which is not among its providers (${ids.join(', ') || 'it has none'}).`
    }
  }
  return findWordsFault(value as Integration)
}
