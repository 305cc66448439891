import type { JsonSchema } from '../../core/json-schema.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { toOpenApiSchema } from './openapi-schema.ts'
import { flattenRoot, simplifySchema } from './wire-schema.ts'

/** The format in which a server wants the schemas of tools: JSON Schema, or Gemini's subset of OpenAPI. */
export type SchemaForm = 'plain' | 'openapi'

/** The `tools` of a request; `names` come from `wireNames`. */
export function wireTools(
  tools: readonly ToolSpecification[],
  form: SchemaForm,
  names: ReadonlyMap<string, string> | undefined,
): unknown[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name: names?.get(name) ?? name, description, parameters: wireSchema(parameters, form) },
  }))
}

/** Cached schemas: converting them takes half a millisecond of every request with thirty tools. */
const made: Record<SchemaForm, WeakMap<JsonSchema, JsonSchema | undefined>> = {
  plain: new WeakMap(),
  openapi: new WeakMap(),
}

function wireSchema(parameters: JsonSchema, form: SchemaForm): JsonSchema | undefined {
  if (made[form].has(parameters)) return made[form].get(parameters)
  const flat = flattenRoot(simplifySchema(parameters))
  const schema = form === 'openapi' ? toOpenApiSchema(flat) : flat
  made[form].set(parameters, schema)
  return schema
}
