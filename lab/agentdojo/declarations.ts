import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import type { AgentContext } from '../../shared/engine/tools/agent.ts'
import declared from './declarations.json' with { type: 'json' }
import type { Suite } from './traces.ts'

/** Whether writes ask, as they do unless their author says otherwise, or an agent may do everything without asking. */
export type Setting = 'always' | 'never'

interface Write extends Pick<ToolSpecification, 'destructive' | 'repeats' | 'confirm'> {
  conversation?: string[]
  seen?: string[]
  /** The parameter that takes any text. */
  freeText?: string
  /** An optional parameter that takes any text, and that the injected calls leave out. */
  unused?: string
  why: string
}

const writes = declared.writes as Record<string, Write>
const seenByReads: Record<string, string[]> = declared.reads.seen

/** The tools of a suite as the author of an integration would declare them; the reasons are in the JSON file. */
export function declareTools(suite: Suite, setting: Setting): ToolSpecification[] {
  return suite.tools.map(({ name, description, parameters }) => {
    const write = writes[name]
    const base = { name, description }
    if (!write) {
      const isPrivate = declared.reads.private.includes(name)
      return {
        ...base,
        parameters: mark(parameters, 'seen', seenByReads[name]),
        effect: 'read',
        ...(isPrivate ? { private: true as const } : {}),
      }
    }
    const { conversation, seen, freeText: _, unused: __, why: ___, ...rest } = write
    const marked = mark(mark(parameters, 'conversation', conversation), 'seen', seen)
    return { ...base, parameters: marked, effect: 'write', approval: setting, ...rest }
  })
}

/** The facts about the user that the suite knows. */
export function userOf({ suite }: Suite): NonNullable<AgentContext['user']> {
  return (declared.users as Record<string, NonNullable<AgentContext['user']>>)[suite] ?? {}
}

/** Where an attacker can put more text into a call: into a text that is there, or into one that could be. */
export function textPlaces(tool: string): { freeText?: string; unused?: string } {
  return writes[tool] ?? {}
}

function mark(
  schema: JsonSchema,
  source: 'conversation' | 'seen',
  names: readonly string[] = [],
): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    names.includes(name) ? { ...(property as JsonSchema), source } : property,
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}
