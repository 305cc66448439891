import { type JsonPath, parsePath } from '../../../../shared/engine/core/json-path.ts'
import type { JsonSchema } from '../../../../shared/engine/core/json-schema.ts'
import { declaredNames, listAlternatives, schemaAt } from '../../../../shared/engine/schema/resolve-schema.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'

/** A tool that the user could have had: its name may be shown. */
export interface KnownTool {
  name: string
  parameters: JsonSchema
}

/** The names in a run that operators may read. */
export interface Naming {
  tool(name: string): string
  /** The path in the arguments of a call. */
  parameter(toolCallId: string, path: string): string
}

/** Models make up names, which may contain what was said: only names that a tool declares are shown. */
export function createNaming(tools: readonly KnownTool[], entries: readonly Entry[]): Naming {
  const schemas = new Map(tools.map(({ name, parameters }) => [name, parameters]))
  const called = new Map(
    entries.flatMap((entry) =>
      entry.type === 'call' || entry.type === 'question' ? [[entry.toolCallId, entry.toolName]] : [],
    ),
  )
  return {
    tool: (name) => (schemas.has(name) ? name : 'an unknown tool'),
    parameter(toolCallId, path) {
      const schema = schemas.get(called.get(toolCallId) ?? '')
      const place = parsePath(path)
      return schema && place && isDeclared(schema, place) ? path : 'an unknown parameter'
    },
  }
}

function isDeclared(schema: JsonSchema, path: JsonPath): boolean {
  return path.every((key, depth) => {
    const shapes = listAlternatives(schema, schemaAt(schema, path.slice(0, depth)))
    return typeof key === 'number' || shapes.some((shape) => declaredNames(shape).includes(key))
  })
}
